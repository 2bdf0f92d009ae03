//! The characteristics of `meeple games NAME --stats` against values computed by hand.

use meeple_core::analysis::characteristics;
use meeple_core::{Fact, Game, GameInfo, Information, Outcome, Payoffs, Player, Rng, Turn, Worlds, zero_sum};
use meeple_games::TicTacToe;

fn text<'a>(facts: &'a [Fact], name: &str) -> &'a str {
    &facts.iter().find(|fact| fact.name == name).unwrap_or_else(|| panic!("no fact {name}")).text
}

/// Seat 0 names a number again and again; only the last one decides the game: 0 wins, the others
/// lose if `last_matters`, else all win. What is hidden is only counted.
struct Guessing {
    rounds: u8,
    /// Worlds behind the view at each decision of a round.
    worlds: &'static [f64],
    choices: u8,
    last_matters: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Decisions {
    made: u8,
    last: u8,
}

impl Guessing {
    fn length(&self) -> u8 {
        self.rounds * self.worlds.len() as u8
    }
}

/// As many worlds as the game says; only counted here.
struct Counted(f64);

impl Worlds for Counted {
    type State = Decisions;

    fn sample_into(&self, _: &mut Decisions, _: &mut Rng) {
        unreachable!("the analysis only counts worlds")
    }

    fn count(&self) -> f64 {
        self.0
    }

    fn enumerate(&self, _: usize) -> Option<Vec<(Decisions, u64)>> {
        None
    }
}

impl Game for Guessing {
    type State = Decisions;
    type Action = u8;
    type View = Decisions;
    type Worlds = Counted;

    fn info(&self) -> GameInfo {
        GameInfo { information: Information::Hidden, ..GameInfo::two_player("guessing", self.length().into()) }
    }

    fn initial_state(&self) -> Decisions {
        Decisions { made: 0, last: 0 }
    }

    fn turn(&self, state: &Decisions) -> Turn {
        if state.made == self.length() { Turn::Over } else { Turn::Player(0) }
    }

    fn legal_actions(&self, _: &Decisions, out: &mut Vec<u8>) {
        out.clear();
        out.extend(0..self.choices);
    }

    fn apply(&self, state: &mut Decisions, action: u8) {
        *state = Decisions { made: state.made + 1, last: action };
    }

    fn payoffs(&self, state: &Decisions) -> Payoffs {
        zero_sum(if self.last_matters && state.last != 0 { -1.0 } else { 1.0 })
    }

    fn outcome(&self, state: &Decisions) -> Outcome {
        let payoffs = self.payoffs(state);
        Outcome { payoffs, scores: payoffs, reason: "guessed" }
    }

    fn view(&self, state: &Decisions, _: Option<Player>) -> Decisions {
        state.clone()
    }

    fn worlds(&self, view: &Decisions) -> Counted {
        Counted(self.worlds[usize::from(view.made) % self.worlds.len()])
    }

    fn action_code(&self, action: u8) -> u32 {
        u32::from(action)
    }

    fn action_from_code(&self, code: u32) -> u8 {
        code as u8
    }

    fn action_text(&self, _: &Decisions, action: u8) -> String {
        action.to_string()
    }

    fn render(&self, _: &Decisions) -> String {
        "?".to_string()
    }
}

const OPEN: Guessing = Guessing { rounds: 1, worlds: &[12.0, 6.0, 2.0, 1.0], choices: 3, last_matters: true };

/// Expected over all random games, by going through the whole tree with fractions. 59/105 of the games
/// have a last free decision whose actions all lead to the end by force (o's, with two squares left);
/// in 53/315 these pay the same, x's win or a draw each weighing what bias says.
#[test]
fn tic_tac_toe_has_its_exact_characteristics() {
    let found = characteristics(&TicTacToe, 20_000, &mut Rng::from_seed(1));
    assert_eq!((found.length.least, found.length.most), (5.0, 9.0));
    assert_eq!((found.branching.least, found.branching.most), (1.0, 9.0));
    assert_eq!((found.chance.mean, found.hidden_log10.mean), (0.0, 0.0));
    assert_eq!(found.disambiguation, None, "nothing is hidden");
    // Each within four standard deviations of the mean of 20,000 games.
    for (name, found, exact, tolerance) in [
        ("length", found.length.mean, 7.626_19, 0.036),
        ("leaf correlation", found.leaf_correlation.unwrap(), 53.0 / 177.0, 0.018),
        ("bias", found.bias.unwrap(), 27.0 / 53.0, 0.035),
    ] {
        assert!((found - exact).abs() < tolerance, "{name}: {found}, not {exact}");
    }
    let facts = found.facts();
    assert_eq!(text(&facts, "length of play"), "Low");
    assert_eq!(text(&facts, "branching factor"), "Low");
    assert_eq!(text(&facts, "action space"), "Low");
    assert_eq!(text(&facts, "outcomes"), "win, draw or loss");
    assert_eq!(text(&facts, "symmetry"), "8 transformations");
}

#[test]
fn leaves_that_differ_do_not_correlate() {
    let found = characteristics(&OPEN, 50, &mut Rng::from_seed(2));
    assert_eq!(found.leaf_correlation, Some(0.0));
    assert_eq!(found.bias, None, "only equal leaves can be biased");
}

#[test]
fn leaves_that_are_equal_correlate_and_show_the_bias() {
    let found = characteristics(&Guessing { last_matters: false, ..OPEN }, 50, &mut Rng::from_seed(2));
    assert_eq!(found.leaf_correlation, Some(1.0));
    assert_eq!(found.bias, Some(1.0), "seat 0 always wins");
    assert_eq!(text(&found.facts(), "outcomes"), "win or loss");
    assert_eq!(text(&found.facts(), "symmetry"), "none");
}

#[test]
fn disambiguation_is_the_mean_shrinking_of_the_worlds() {
    let found = characteristics(&OPEN, 10, &mut Rng::from_seed(3));
    // 12 to 6 to 2 to 1: one half, one third, one half remain.
    let remaining = (1.0 / 2.0 + 1.0 / 3.0 + 1.0 / 2.0) / 3.0;
    assert!((found.disambiguation.unwrap() - (1.0 - remaining)).abs() < 1e-12);
    let hidden = [12.0f64, 6.0, 2.0, 1.0].map(f64::log10).iter().sum::<f64>() / 4.0;
    assert!((found.hidden_log10.mean - hidden).abs() < 1e-12);
    assert!((found.tree_log10.mean - 4.0 * 3.0f64.log10()).abs() < 1e-12);
}

#[test]
fn a_new_deal_is_no_disambiguation() {
    let one = Guessing { worlds: &[1e12, 1e6, 2.0], ..OPEN };
    let many = Guessing { rounds: 5, ..one };
    let shrinking = |game: &Guessing| characteristics(game, 10, &mut Rng::from_seed(4)).disambiguation.unwrap();
    assert!((shrinking(&one) - shrinking(&many)).abs() < 1e-12, "{} and {}", shrinking(&one), shrinking(&many));
}

/// The bounds of thesis 003, section 3.4, at and just above each of them.
#[test]
fn classes_have_the_bounds_of_the_thesis() {
    let mut found = characteristics(&OPEN, 1, &mut Rng::from_seed(5));
    let above = 1.0 + 1e-9;
    for (length, class) in [(50.0, "Low"), (50.0 * above, "Medium"), (100.0, "Medium"), (100.0 * above, "High")] {
        found.length.mean = length;
        assert_eq!(text(&found.facts(), "length of play"), class, "{length}");
    }
    for (branching, class) in [(10.0, "Low"), (10.0 * above, "Medium"), (100.0, "Medium"), (100.0 * above, "High")] {
        found.branching.mean = branching;
        assert_eq!(text(&found.facts(), "branching factor"), class, "{branching}");
    }
    for (actions, class) in [(10, "Low"), (11, "Medium"), (50, "Medium"), (51, "High")] {
        found.action_space = actions;
        assert_eq!(text(&found.facts(), "action space"), class, "{actions}");
    }
    found.action_space = 100;
    for (legal, class) in [(33.0, "High"), (33.0 * above, "Medium"), (66.0, "Medium"), (66.0 * above, "Low")] {
        found.branching.mean = legal;
        let shown = text(&found.facts(), "combinational actions").to_string();
        assert!(shown.starts_with(class), "{legal}: {shown}");
    }
}
