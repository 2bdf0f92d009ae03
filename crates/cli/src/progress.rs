//! A line about long work, for people on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use meeple_arena::{AgentResult, MatchResult};

/// How often the line changes.
const EVERY: Duration = Duration::from_millis(200);

/// A bar over the games of a match, with the score so far.
pub(crate) struct Progress {
    bar: ProgressBar,
    shown: Instant,
}

impl Progress {
    pub(crate) fn new(games: u64) -> Progress {
        let style = ProgressStyle::with_template("{bar:20} {pos}/{len} games, {elapsed} (left {eta}) {msg}");
        let bar = ProgressBar::new(games).with_style(style.expect("the template is well formed"));
        Progress { bar, shown: Instant::now() }
    }

    /// Shows the result so far if the last one has been there for a while.
    pub(crate) fn show(&mut self, result: &dyn Fn() -> MatchResult) {
        if self.bar.is_hidden() || self.shown.elapsed() < EVERY {
            return;
        }
        let result = result();
        let rates: Vec<String> = result.agents.iter().map(rate).collect();
        self.bar.set_position(result.games);
        self.bar.set_message(rates.join(" : "));
        self.shown = Instant::now();
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn rate(agent: &AgentResult) -> String {
    let [low, high] = agent.interval;
    format!("{:.1} % [{:.1}, {:.1}]", 100.0 * agent.win_rate, 100.0 * low, 100.0 * high)
}

/// A count of games whose end is not known.
pub(crate) fn counter() -> ProgressBar {
    let style = ProgressStyle::with_template("{pos} games, {per_sec}, {elapsed}");
    ProgressBar::no_length().with_style(style.expect("the template is well formed"))
}
