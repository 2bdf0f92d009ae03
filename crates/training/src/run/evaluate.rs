//! How strong a network is: matches against fixed opponents and against earlier networks.

use std::path::Path;

use meeple_arena::{MatchError, MatchResult, MatchSettings, Stop, Unwatched, play_match};
use meeple_core::erased::AnyGame;

use super::config::with_settings;
use super::metrics::AnchorScore;

/// An agent that plays by the network in a file.
pub(super) fn agent_with_model(agent: &str, model: &Path) -> String {
    with_settings(agent, std::iter::once(format!("model={}", model.display())))
}

/// The first agent's points against the second; `None` if the match was stopped before its end.
pub(super) fn score(
    game: &dyn AnyGame,
    agents: [String; 2],
    limits: (u64, u64, usize),
    stop: &Stop,
) -> Result<Option<AnchorScore>, MatchError> {
    let anchor = agents[1].clone();
    let Some(result) = whole_match(game, agents, limits, stop)? else { return Ok(None) };
    let games = limits.0;
    let points = result.agents[0].points;
    Ok(Some(AnchorScore { anchor, points: points.mean, interval: points.interval.unwrap_or([0.0, 1.0]), games }))
}

/// The first agent's share of what a seat of each is paid, counted from the lowest payoff: one half between
/// equals, whatever the number of players. `None` if the match was stopped before its end.
pub(super) fn share(
    game: &dyn AnyGame,
    agents: [String; 2],
    limits: (u64, u64, usize),
    stop: &Stop,
) -> Result<Option<f64>, MatchError> {
    let Some(result) = whole_match(game, agents, limits, stop)? else { return Ok(None) };
    let [own, other] = [0, 1].map(|number: usize| result.agents[number].mean_payoff + 1.0);
    Ok(Some(if own + other > 0.0 { own / (own + other) } else { 0.5 }))
}

fn whole_match(
    game: &dyn AnyGame,
    agents: [String; 2],
    (games, seed, threads): (u64, u64, usize),
    stop: &Stop,
) -> Result<Option<MatchResult>, MatchError> {
    let settings = MatchSettings { threads, stop: stop.child(), ..MatchSettings::new(agents.to_vec(), games, seed) };
    let result = play_match(game, &settings, &[], &mut Unwatched)?;
    Ok((result.games >= games).then_some(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four players, of whom one wins: an equal wins a quarter of its games, and half of what is paid.
    #[test]
    fn equals_share_evenly() {
        let game = meeple_catalog::game("hearts", &meeple_core::Rules::default()).unwrap();
        let agents = || ["random", "random"].map(str::to_string);
        let share = share(&*game, agents(), (600, 1, 1), &Stop::default()).unwrap().unwrap();
        assert!((share - 0.5).abs() < 0.05, "{share}");
        let points = score(&*game, agents(), (600, 1, 1), &Stop::default()).unwrap().unwrap().points;
        assert!(points < 0.4, "{points}");
    }
}
