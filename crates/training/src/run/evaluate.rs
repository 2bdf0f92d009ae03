//! How strong a network is: matches against fixed opponents and against earlier networks.

use std::path::Path;

use meeple_arena::{MatchError, MatchSettings, Stop, Unwatched, play_match};
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
    (games, seed, threads): (u64, u64, usize),
    stop: &Stop,
) -> Result<Option<AnchorScore>, MatchError> {
    let anchor = agents[1].clone();
    let settings = MatchSettings { threads, stop: stop.child(), ..MatchSettings::new(agents.to_vec(), games, seed) };
    let result = play_match(game, &settings, &[], &mut Unwatched)?;
    if result.games < games {
        return Ok(None);
    }
    let points = result.agents[0].points;
    Ok(Some(AnchorScore { anchor, points: points.mean, interval: points.interval.unwrap_or([0.0, 1.0]), games }))
}
