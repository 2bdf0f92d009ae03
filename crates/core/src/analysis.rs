//! Characteristics of a game, measured in uniformly random games.

use serde::Serialize;

use crate::{Game, Information, Rng, Turn, Worlds};

/// Means over random games; see each field for its unit.
#[derive(Clone, Debug, Serialize)]
pub struct Characteristics {
    pub games: u32,
    pub players: usize,
    pub teams: usize,
    /// Decisions in a game.
    pub length: Spread,
    /// Outcomes of chance in a game.
    pub chance: Spread,
    /// Legal actions at a decision.
    pub branching: Spread,
    /// Decisions with a single legal action, as a share of all.
    pub forced: f64,
    /// log10 of the number of worlds that the player to move cannot tell apart.
    pub hidden_log10: Spread,
    /// log10 of the size of the tree: the sum of log10 of the branching factors along a game.
    pub tree_log10: Spread,
    /// How often all children of a position whose children all end the game pay the player to
    /// move the same (Long et al. 2010); `None` where no such position was met.
    pub leaf_correlation: Option<f64>,
    /// How often such equal children pay the first player, or team, more than the mean.
    pub bias: Option<f64>,
    /// The mean factor by which a player's worlds shrink from one decision to the next.
    pub disambiguation: Option<f64>,
    /// Share of games won by each seat.
    pub wins: Vec<f64>,
    /// Share of games without a winner.
    pub draws: f64,
    /// How the games ended, with shares.
    pub reasons: Vec<(String, f64)>,
    pub mean_scores: Vec<f64>,
}

/// Mean and extremes of a quantity.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Spread {
    pub mean: f64,
    pub least: f64,
    pub most: f64,
    #[serde(skip)]
    count: f64,
}

impl Default for Spread {
    fn default() -> Spread {
        Spread { mean: 0.0, least: f64::INFINITY, most: f64::NEG_INFINITY, count: 0.0 }
    }
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.mean += (value - self.mean) / self.count;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }
}

/// Plays random games and measures.
pub fn characteristics<G: Game>(game: &G, games: u32, rng: &mut Rng) -> Characteristics {
    let info = game.info();
    let hidden = info.information == Information::Hidden;
    let (mut length, mut chance, mut branching) = (Spread::default(), Spread::default(), Spread::default());
    let (mut hidden_log10, mut tree_log10) = (Spread::default(), Spread::default());
    let mut forced = 0u64;
    let mut actions = Vec::new();
    let mut wins = vec![0.0; info.players];
    let mut mean_scores = vec![0.0; info.players];
    let mut draws = 0.0;
    let mut reasons: Vec<(String, f64)> = Vec::new();
    let share = 1.0 / f64::from(games);
    for _ in 0..games {
        let mut state = game.initial_state();
        let (mut decisions, mut outcomes, mut tree) = (0.0, 0.0, 0.0);
        loop {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let action = game.sample_chance(&state, rng);
                    game.apply(&mut state, action);
                    outcomes += 1.0;
                }
                Turn::Player(player) => {
                    game.legal_actions(&state, &mut actions);
                    branching.add(actions.len() as f64);
                    tree += libm::log10(actions.len() as f64);
                    forced += u64::from(actions.len() == 1);
                    if hidden {
                        let worlds = game.worlds(&game.view(&state, Some(player)));
                        hidden_log10.add(libm::log10(worlds.count() as f64));
                    }
                    game.apply(&mut state, *rng.choose(&actions));
                    decisions += 1.0;
                }
            }
        }
        length.add(decisions);
        chance.add(outcomes);
        tree_log10.add(tree);
        let outcome = game.outcome(&state);
        let mut nobody = true;
        for winner in outcome.winners(info.players) {
            wins[winner] += share;
            nobody = false;
        }
        draws += if nobody { share } else { 0.0 };
        for player in 0..info.players {
            mean_scores[player] += f64::from(outcome.scores[player]) * share;
        }
        match reasons.iter_mut().find(|(reason, _)| reason == outcome.reason) {
            Some((_, count)) => *count += share,
            None => reasons.push((outcome.reason.to_string(), share)),
        }
    }
    reasons.sort_by(|a, b| b.1.total_cmp(&a.1));
    Characteristics {
        games,
        players: info.players,
        teams: info.teams,
        forced: forced as f64 / branching.count,
        length,
        chance,
        branching,
        hidden_log10,
        tree_log10,
        leaf_correlation: None,
        bias: None,
        disambiguation: None,
        wins,
        draws,
        reasons,
        mean_scores,
    }
}
