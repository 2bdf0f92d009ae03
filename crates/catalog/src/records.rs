//! Records by name: from a line of JSON to a verdict.

use meeple_core::Record;
use meeple_core::replay::{Replay, ReplayError, replay};

/// Reads one record.
pub fn read_record(line: &[u8]) -> Result<Record, String> {
    if line.trim_ascii_start().first() != Some(&b'{') {
        return Err("this line is no record: not a JSON object".to_string());
    }
    serde_json::from_slice(line).map_err(|error| format!("this line is no record: {error}"))
}

/// Reads one record and plays it by the rules it names; `with_steps` keeps what was possible.
pub fn replay_line(line: &[u8], with_steps: bool) -> Result<Replay, ReplayError> {
    let refuse = |error: String| ReplayError { step: 0, error };
    let record = read_record(line).map_err(refuse)?;
    let game = crate::game(&record.game, &record.rules).map_err(|error| refuse(error.to_string()))?;
    replay(&*game, &record, with_steps)
}
