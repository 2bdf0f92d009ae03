//! Characteristics of a game, measured in uniformly random games.
//!
//! Leaf correlation, bias and disambiguation are those of Long et al. (2010), which thesis 002
//! (section 2.5.1.2) uses to tell where determinization works; the classes Low, Medium and High
//! are those of thesis 003 (section 3.4).

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::playout::actions_or_outcomes;
use crate::{Fact, Game, Information, Outcome, Rng, Turn, Worlds};

/// Means over random games; see each field for its unit.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Characteristics {
    pub games: u32,
    /// Decisions in a game.
    pub length: Spread,
    /// Outcomes of chance in a game.
    pub chance: Spread,
    /// Legal actions at a decision.
    pub branching: Spread,
    /// Decisions with a single legal action, as a share of all.
    pub forced: f64,
    /// Different actions met in all games.
    pub action_space: usize,
    /// log10 of the number of worlds that the player to move cannot tell apart.
    pub hidden_log10: Spread,
    /// log10 of the tree size: the branching factors along a game multiplied.
    pub tree_log10: Spread,
    /// At the last free decision of a game, where every action leads to the end without another
    /// choice: how often all of them pay the same. `None` if there is no such decision.
    pub leaf_correlation: Option<f64>,
    /// Among such equal actions: how often they favour seat 0 (a draw counts half).
    pub bias: Option<f64>,
    /// 1 minus the mean factor by which a player's worlds shrink from one decision to the next; steps
    /// over which they grow (a new deal) do not count.
    pub disambiguation: Option<f64>,
    /// Share of games that each seat wins.
    pub wins: Vec<f64>,
    /// Share of games without a winner.
    pub draws: f64,
    /// How the games ended, with shares.
    pub reasons: BTreeMap<&'static str, f64>,
    pub mean_scores: Vec<f64>,
    /// Transformations under which the game stays the same, the identity included.
    pub symmetries: usize,
}

/// Mean and extremes of a quantity.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Spread {
    pub mean: f64,
    pub least: f64,
    pub most: f64,
    #[serde(skip)]
    count: u64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.least = if self.count == 0 { value } else { self.least.min(value) };
        self.most = if self.count == 0 { value } else { self.most.max(value) };
        self.count += 1;
        self.mean += (value - self.mean) / self.count as f64;
    }

    fn mean_if_any(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }
}

/// Plays random games and measures.
pub fn characteristics<G: Game>(game: &G, games: u32, rng: &mut Rng) -> Characteristics {
    let mut survey = Survey::new(game);
    for _ in 0..games {
        survey.play(rng);
    }
    survey.finish(games)
}

/// What is gathered over the games.
struct Survey<'a, G: Game> {
    game: &'a G,
    found: Characteristics,
    forced: Spread,
    correlation: Spread,
    bias: Spread,
    shrinking: Spread,
    actions_met: HashSet<u32>,
}

impl<'a, G: Game> Survey<'a, G> {
    fn new(game: &'a G) -> Self {
        let players = game.info().players;
        let found = Characteristics {
            wins: vec![0.0; players],
            mean_scores: vec![0.0; players],
            symmetries: game.symmetries().map_or(1, |symmetries| symmetries.count()),
            ..Characteristics::default()
        };
        Survey {
            game,
            found,
            forced: Spread::default(),
            correlation: Spread::default(),
            bias: Spread::default(),
            shrinking: Spread::default(),
            actions_met: HashSet::new(),
        }
    }

    fn play(&mut self, rng: &mut Rng) {
        let mut state = self.game.initial_state();
        let mut worlds_before = vec![None; self.game.info().players];
        let mut last_choice = None;
        let mut actions = Vec::new();
        let (mut decisions, mut outcomes, mut tree) = (0.0, 0.0, 0.0);
        loop {
            let action = match self.game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    outcomes += 1.0;
                    self.game.sample_chance(&state, rng)
                }
                Turn::Player(player) => {
                    self.game.legal_actions(&state, &mut actions);
                    self.note_decision(&state, player, &actions, &mut worlds_before[player]);
                    decisions += 1.0;
                    tree += libm::log10(actions.len() as f64);
                    if actions.len() > 1 {
                        last_choice = Some(state.clone());
                    }
                    *rng.choose(&actions)
                }
            };
            self.game.apply(&mut state, action);
        }
        self.found.length.add(decisions);
        self.found.chance.add(outcomes);
        self.found.tree_log10.add(tree);
        self.note_end(&self.game.outcome(&state));
        if let Some(choice) = last_choice {
            self.note_leaves(&choice);
        }
    }

    fn note_decision(&mut self, state: &G::State, player: usize, actions: &[G::Action], before: &mut Option<f64>) {
        self.found.branching.add(actions.len() as f64);
        self.forced.add(f64::from(u8::from(actions.len() == 1)));
        self.actions_met.extend(actions.iter().map(|&action| self.game.action_code(action)));
        if self.game.info().information == Information::Perfect {
            return;
        }
        let worlds = self.game.worlds(&self.game.view(state, Some(player))).count();
        self.found.hidden_log10.add(libm::log10(worlds));
        if let Some(before) = before.replace(worlds)
            && before > 1.0
            && worlds <= before
        {
            self.shrinking.add(worlds / before);
        }
    }

    fn note_end(&mut self, outcome: &Outcome) {
        let players = self.game.info().players;
        let mut winners = outcome.winners(players).peekable();
        self.found.draws += f64::from(u8::from(winners.peek().is_none()));
        for winner in winners {
            self.found.wins[winner] += 1.0;
        }
        for player in 0..players {
            self.found.mean_scores[player] += f64::from(outcome.scores[player]);
        }
        *self.found.reasons.entry(outcome.reason).or_default() += 1.0;
    }

    /// Compares the ends of all actions of the last free decision, if no choice follows any of them.
    fn note_leaves(&mut self, choice: &G::State) {
        let ends: Option<Vec<_>> = actions_or_outcomes(self.game, choice)
            .into_iter()
            .map(|action| {
                let mut state = choice.clone();
                self.game.apply(&mut state, action);
                self.forced_end(state)
            })
            .collect();
        let Some(ends) = ends else { return };
        let equal = ends.iter().all(|payoffs| *payoffs == ends[0]);
        self.correlation.add(f64::from(u8::from(equal)));
        if equal {
            let seat_0 = f64::from(ends[0][0]);
            self.bias.add(if seat_0 > 0.0 { 1.0 } else { f64::from(u8::from(seat_0 == 0.0)) / 2.0 });
        }
    }

    /// The payoffs at the end, if only forced actions lead there.
    fn forced_end(&self, mut state: G::State) -> Option<crate::Payoffs> {
        while self.game.turn(&state) != Turn::Over {
            let [action] = actions_or_outcomes(self.game, &state)[..] else { return None };
            self.game.apply(&mut state, action);
        }
        Some(self.game.payoffs(&state))
    }

    fn finish(self, games: u32) -> Characteristics {
        let mut found = self.found;
        let share = 1.0 / f64::from(games);
        let per_game = found.wins.iter_mut().chain(&mut found.mean_scores).chain(found.reasons.values_mut());
        per_game.for_each(|sum| *sum *= share);
        found.draws *= share;
        Characteristics {
            games,
            forced: self.forced.mean,
            action_space: self.actions_met.len(),
            leaf_correlation: self.correlation.mean_if_any(),
            bias: self.bias.mean_if_any(),
            disambiguation: self.shrinking.mean_if_any().map(|factor| 1.0 - factor),
            ..found
        }
    }
}

impl Characteristics {
    /// The same as lines for people.
    pub fn facts(&self) -> Vec<Fact> {
        let spread = |name: &str, spread: &Spread| {
            Fact::text(name, format!("{:.3} ({} to {})", spread.mean, short(spread.least), short(spread.most)))
        };
        let class = |value: f64, low: f64, high: f64| match value {
            value if value <= low => "Low",
            value if value <= high => "Medium",
            _ => "High",
        };
        let mut facts = vec![
            spread("decisions in a game", &self.length),
            Fact::text("length of play", class(self.length.mean, 50.0, 100.0)),
            spread("outcomes of chance in a game", &self.chance),
            spread("legal actions at a decision", &self.branching),
            Fact::text("branching factor", class(self.branching.mean, 10.0, 100.0)),
            Fact::number("share of decisions with one legal action", self.forced),
            Fact::number("different actions met", self.action_space as f64),
            Fact::text("action space", class(self.action_space as f64, 10.0, 50.0)),
            // Few of all actions legal at once is a high degree of combination.
            Fact::text("combinational actions", {
                let legal = self.branching.mean / self.action_space as f64;
                let class = match legal {
                    legal if legal <= 0.33 => "High",
                    legal if legal <= 0.66 => "Medium",
                    _ => "Low",
                };
                format!("{class} ({legal:.3} of the action space legal)")
            }),
            spread("tree size along a game, log10", &self.tree_log10),
            Fact::text("outcomes", if self.draws > 0.0 { "win, draw or loss" } else { "win or loss" }),
            Fact::text(
                "symmetry",
                match self.symmetries {
                    1 => "none".to_string(),
                    count => format!("{count} transformations"),
                },
            ),
        ];
        if self.hidden_log10.count > 0 {
            facts.push(spread("worlds that the mover cannot tell apart, log10", &self.hidden_log10));
        }
        for (name, value) in [
            ("leaf correlation", self.leaf_correlation),
            ("bias towards seat 0", self.bias),
            ("disambiguation factor", self.disambiguation),
        ] {
            facts.extend(value.map(|value| Fact::number(name, value)));
        }
        for (seat, (wins, score)) in self.wins.iter().zip(&self.mean_scores).enumerate() {
            facts
                .push(Fact::text(format!("seat {seat}"), format!("wins {:.2} %, mean score {score:.3}", 100.0 * wins)));
        }
        facts.push(Fact::text("no winner", format!("{:.2} %", 100.0 * self.draws)));
        for (reason, share) in &self.reasons {
            facts.push(Fact::text(format!("end by {reason}"), format!("{:.2} %", 100.0 * share)));
        }
        facts
    }
}

/// Whole numbers without a fraction.
fn short(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}
