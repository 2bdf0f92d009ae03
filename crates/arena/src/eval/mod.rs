//! Agents on positions with expected actions: how often they find them, and how sure they are.

mod behaviours;
mod file;
mod metrics;
mod positions;
mod result;
mod rule;

use std::sync::{Mutex, mpsc};

use meeple_core::agent::{AgentError, Budget};
use meeple_core::erased::{AnyAgent, AnyCase, AnyGame};
use meeple_core::{Rng, Turn};

use crate::game::Stop;
pub use behaviours::{BehaviourResult, BehaviourScore, count_behaviours, judge_records};
pub use file::{FileCase, SuiteFile};
pub use metrics::{Metric, Policy, scaled};
pub use positions::Positions;
pub use result::{EvalResult, RatingShares, Spread, Summary};
use rule::SelectionRule;

#[derive(Clone, Debug)]
pub struct EvalSettings {
    /// As a text.
    pub agent: String,
    /// How often all positions are judged; what is left to chance in them is drawn anew each time.
    pub repetitions: u64,
    pub seed: u64,
    pub threads: usize,
    /// The policy of a decision without visits. By default that of `random` is uniform over actions, that
    /// of a network its own; of others it is the action they took.
    pub unsearched: Option<Policy>,
    pub stop: Stop,
}

impl EvalSettings {
    pub fn new(agent: &str, repetitions: u64, seed: u64) -> EvalSettings {
        let agent = agent.to_string();
        EvalSettings { agent, repetitions, seed, threads: 1, unsearched: None, stop: Stop::default() }
    }

    fn unsearched(&self) -> Option<Policy> {
        let random = self.agent.split(':').next() == Some("random");
        self.unsearched.or(random.then_some(Policy::Actions))
    }
}

/// One position that an agent has judged.
#[derive(Clone, Debug)]
pub struct CaseResult {
    pub repetition: u64,
    /// Among the positions of the repetition.
    pub number: usize,
    pub name: String,
    pub turns: u32,
    /// Whether the action that was taken is an expected one.
    pub right: bool,
    /// What could be measured.
    pub metrics: Vec<(Metric, f64)>,
}

/// Lets an agent decide in every position, each as the first of a game. Decision n of repetition r depends
/// on the seed, r and n alone, so the result does not depend on the number of threads. `progress` is told
/// how many positions of how many are judged. A stop leaves a result of those. An error says that the agent does not
/// fit, or cannot play on.
pub fn evaluate(
    game: &dyn AnyGame,
    positions: &mut Positions<'_>,
    settings: &EvalSettings,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<EvalResult, AgentError> {
    let rule = SelectionRule::of(&game.agent_settings(&settings.agent)?);
    let judge = Judge { settings, rule };
    let agents: Vec<AnyAgent> =
        (0..settings.threads.max(1)).map(|_| game.agent(&settings.agent)).collect::<Result<_, _>>()?;
    let cheats = agents[0].cheats();
    let queue = Mutex::new(Queue::new(&mut *positions, settings));
    let (sender, receiver) = mpsc::channel();
    let mut results = Vec::new();
    std::thread::scope(|scope| {
        for mut agent in agents {
            let (sender, queue, judge) = (sender.clone(), &queue, &judge);
            scope.spawn(move || {
                while !settings.stop.is_requested() {
                    let Some((task, total)) = next(queue) else { break };
                    let judged = judge.judge(task, &mut agent);
                    let judged = agent.failure().map_or(Ok((judged, total)), Err);
                    let failed = judged.is_err();
                    if sender.send(judged).is_err() || failed {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for judged in receiver {
            let (result, total) = judged?;
            results.push(result);
            progress(results.len() as u64, total);
        }
        Ok(())
    })?;
    results.sort_unstable_by_key(|result: &CaseResult| (result.repetition, result.number));
    Ok(EvalResult::of(positions, settings, cheats, results))
}

/// The next position, and how many there are.
fn next(queue: &Mutex<Queue<'_, '_>>) -> Option<(Task, u64)> {
    let mut queue = queue.lock().ok()?;
    let task = queue.next()?;
    Some((task, queue.total))
}

struct Task {
    repetition: u64,
    number: usize,
    case: AnyCase,
}

/// The positions of one repetition after the other.
struct Queue<'a, 'p> {
    positions: &'a mut Positions<'p>,
    seed: u64,
    repetitions: u64,
    begun: u64,
    total: u64,
    current: std::iter::Enumerate<std::vec::IntoIter<AnyCase>>,
}

impl<'a, 'p> Queue<'a, 'p> {
    fn new(positions: &'a mut Positions<'p>, settings: &EvalSettings) -> Queue<'a, 'p> {
        let current = Vec::new().into_iter().enumerate();
        Queue { positions, seed: settings.seed, repetitions: settings.repetitions, begun: 0, total: 0, current }
    }

    fn next(&mut self) -> Option<Task> {
        loop {
            if let Some((number, case)) = self.current.next() {
                return Some(Task { repetition: self.begun - 1, number, case });
            }
            if self.begun == self.repetitions {
                return None;
            }
            let cases = self.positions.draw(&mut Rng::stream(self.seed, 2 * self.begun));
            self.begun += 1;
            self.total = cases.len() as u64 * self.repetitions;
            self.current = cases.into_iter().enumerate();
        }
    }
}

struct Judge<'a> {
    settings: &'a EvalSettings,
    rule: SelectionRule,
}

impl Judge<'_> {
    fn judge(&self, task: Task, agent: &mut AnyAgent) -> CaseResult {
        let Task { repetition, number, case } = task;
        assert!(matches!(case.position.turn(), Turn::Player(_)), "{}: nobody is to move", case.name);
        let seed = Rng::stream(self.settings.seed, 2 * repetition + 1).next_u64();
        let mut rng = Rng::stream(seed, number as u64);
        agent.new_game();
        let decision = case.position.decide(agent, &Budget::NONE, &mut rng);
        let mut metrics = metrics::measure(&case, &decision, &self.rule, self.settings.unsearched(), &mut rng);
        if let Some(opinion) = case.position.opinion(agent, &mut rng) {
            metrics.extend(metrics::measure_opinion(&case, &opinion));
        }
        let right = case.expected.contains(&decision.action);
        CaseResult { repetition, number, name: case.name, turns: case.turns, right, metrics }
    }
}
