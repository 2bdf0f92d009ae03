//! How strong a network is: matches against fixed opponents and against earlier networks, and positions with known
//! answers.

use std::path::Path;

use meeple_arena::eval::{EvalResult, EvalSettings, Metric, Positions};
use meeple_arena::{MatchError, MatchResult, MatchSettings, Stop, Unwatched, play_match};
use meeple_core::erased::AnyGame;

use super::config::{Evaluation, Gate, with_settings};
use super::metrics::{AnchorScore, Metrics, SuiteScore};
use super::{EVALUATION, PREVIOUS, Run, RunError, SUITES};

impl Run {
    /// Whether the new network takes the place of the one that plays.
    pub(super) fn pass_gate(&self, iteration: u32, metrics: &mut Metrics, stop: &Stop) -> Result<bool, RunError> {
        let Some(Gate { games, share: wanted, agent }) = &self.config.gate else { return Ok(true) };
        let models = [iteration, self.state.playing].map(|number| agent_with_model(agent, &self.folder.model(number)));
        let limits = (*games, self.seed(iteration, EVALUATION), self.threads);
        let Some(won) = share(&*self.game, models, limits, stop)? else { return Ok(false) };
        // What a scripted player has taught is better than nothing.
        let passed = won >= *wanted || (iteration == 1 && self.config.self_play.first.is_some());
        metrics.gate = Some((won, passed));
        Ok(passed)
    }

    /// Evaluates the network of `playing`, if an evaluation is due; whether it was.
    pub(super) fn evaluate(
        &self,
        iteration: u32,
        playing: u32,
        metrics: &mut Metrics,
        stop: &Stop,
    ) -> Result<bool, RunError> {
        let Evaluation { every, games, agent, anchors } = &self.config.evaluation;
        if !iteration.is_multiple_of(*every) && iteration < self.config.iterations {
            return Ok(false);
        }
        let own = agent_with_model(agent, &self.folder.model(playing));
        for (number, anchor) in anchors.iter().enumerate() {
            let previous = self.state.evaluated.unwrap_or(0);
            let other = match anchor.as_str() {
                PREVIOUS => agent_with_model(agent, &self.folder.model(previous)),
                other => other.to_string(),
            };
            let limits = (*games, self.seed(iteration, EVALUATION + 1 + number as u64), self.threads);
            if let Some(score) = score(&*self.game, [own.clone(), other], limits, stop)? {
                metrics.anchors.push(AnchorScore { anchor: anchor.clone(), ..score });
            }
        }
        let limits = (self.seed(iteration, SUITES), self.threads);
        if self.header.description.policy.is_some() && !self.header.open {
            metrics.suites = judge_suites(&*self.game, &self.folder.model(playing), limits, stop)?;
        }
        Ok(true)
    }
}

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
    let [own, other] = [&result.agents[0], &result.agents[1]];
    Ok(Some(AnchorScore {
        anchor,
        points: own.points.mean,
        interval: own.points.interval.unwrap_or([0.0, 1.0]),
        games,
        distinct: result.distinct,
        lead: own.mean_payoff - other.mean_payoff,
        p_value: own.p_value.unwrap_or(1.0),
    }))
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

/// Positions of a suite that are named as the worst.
const WORST: usize = 3;

/// The policy of the network in a file on every suite of the game. Those that were stopped are missing.
pub(super) fn judge_suites(
    game: &dyn AnyGame,
    model: &Path,
    (seed, threads): (u64, usize),
    stop: &Stop,
) -> Result<Vec<SuiteScore>, MatchError> {
    let settings = EvalSettings {
        threads,
        stop: stop.child(),
        ..EvalSettings::new(&agent_with_model("network:temperature=0", model), 1, seed)
    };
    let mut scores = Vec::new();
    for suite in game.suites() {
        let Some(mut positions) = Positions::of_suite(game, suite.name) else { continue };
        let result = meeple_arena::eval::evaluate(game, &mut positions, &settings, &mut |_, _| {})
            .map_err(MatchError::Agents)?;
        if stop.is_requested() {
            break;
        }
        scores.extend(suite_score(suite.name, &result));
    }
    Ok(scores)
}

/// `None` if the network says nothing about actions.
fn suite_score(suite: &str, result: &EvalResult) -> Option<SuiteScore> {
    let cross_entropy = result.metrics.get(&Metric::NetworkCrossEntropy)?.spread.mean;
    let share = |case: &meeple_arena::eval::CaseResult| Some((case.name.clone(), case.get(Metric::NetworkPolicy)?));
    let mut worst: Vec<(String, f64)> = result.results.iter().filter_map(share).collect();
    worst.sort_by(|a, b| a.1.total_cmp(&b.1));
    worst.truncate(WORST);
    Some(SuiteScore {
        suite: suite.to_string(),
        positions: result.judged,
        right: result.accuracy,
        cross_entropy,
        worst,
    })
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
