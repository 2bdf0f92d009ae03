//! A recorded decision, made again.

use meeple_core::agent::{Budget, Decision};
use meeple_core::erased::{AnyAgent, AnyGame, AnyPosition};
use meeple_core::{Player, Record, Rng, Turn};

/// A decision of a recorded game.
#[expect(missing_debug_implementations, reason = "a position has no Debug")]
pub struct Moment {
    /// Where it was made.
    pub position: Box<dyn AnyPosition>,
    /// The number of the action that it chose.
    pub step: usize,
    pub seat: Player,
    /// What was decided.
    pub action: String,
}

/// The decision that chose action `step` of a record. An error says why there is none.
pub fn moment(game: &dyn AnyGame, record: &Record, step: usize) -> Result<Moment, String> {
    let action = record
        .actions
        .get(step)
        .ok_or_else(|| format!("the game has actions 0 to {}, not {step}", record.actions.len().saturating_sub(1)))?;
    let mut position = game.start();
    for (number, action) in record.actions[..step].iter().enumerate() {
        position.apply(action).map_err(|error| format!("step {number}: {error}"))?;
    }
    match position.turn() {
        Turn::Player(seat) => Ok(Moment { position, step, seat, action: action.clone() }),
        Turn::Chance => Err(format!("action {step}, `{action}`, was chance and nobody's decision")),
        Turn::Over => Err(format!("action {step} comes after the end of the game")),
    }
}

/// Lets an agent make the decision again as it was made: with the random numbers and the iterations of
/// the record, after all decisions that the seat made before, so that it remembers what it did then.
pub fn redecide(
    game: &dyn AnyGame,
    record: &Record,
    moment: &Moment,
    agent: &mut AnyAgent,
) -> Result<Decision<String>, String> {
    let missing = "the record does not say how many iterations each decision took: only another agent can decide";
    record.iterations.as_ref().ok_or(missing)?;
    let rng = |step| record.decision_rng(step).ok_or("the record has no random seed: only another agent can decide");
    let mut position = game.start();
    agent.new_game();
    for (number, action) in record.actions[..moment.step].iter().enumerate() {
        if position.turn() == Turn::Player(moment.seat) {
            position.decide(agent, &effort(record, number), &mut rng(number)?);
        }
        position.apply(action).map_err(|error| format!("step {number}: {error}"))?;
    }
    Ok(moment.position.decide(agent, &effort(record, moment.step), &mut rng(moment.step)?))
}

/// Lets another agent decide at the same moment, with its own budget.
pub fn decide_instead(record: &Record, moment: &Moment, agent: &mut AnyAgent) -> Decision<String> {
    let mut rng = record.decision_rng(moment.step).unwrap_or_else(|| Rng::stream(0, moment.step as u64));
    moment.position.decide(agent, &Budget::NONE, &mut rng)
}

/// What the search behind a recorded action cost.
fn effort(record: &Record, step: usize) -> Budget {
    let iterations = record.iterations.as_ref().and_then(|iterations| iterations.get(step)).copied();
    Budget { iterations: iterations.filter(|&iterations| iterations > 0), ..Budget::NONE }
}
