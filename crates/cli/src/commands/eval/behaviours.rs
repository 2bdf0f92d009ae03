//! `meeple eval GAME/behaviours`: what agents do well or badly in played games.

use std::io::Write;
use std::process::ExitCode;

use meeple_arena::MatchSettings;
use meeple_arena::eval::{BehaviourResult, count_behaviours};
use meeple_core::Rules;
use serde_json::json;

use super::Arguments;
use crate::commands::{BadUsage, threads};
use crate::interrupt::{INTERRUPTED, stop_on_interrupt};

pub(super) fn run(arguments: &Arguments, game: &str, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let game = meeple_catalog::game(game, &Rules::parse(&arguments.rules)?)?;
    if game.behaviours().is_empty() {
        return Err(BadUsage(format!("{} knows no behaviours", game.info().name)).into());
    }
    for agent in arguments.agents.iter().chain([&arguments.against]) {
        game.agent(agent)?;
    }
    let stop = stop_on_interrupt();
    let mut results = Vec::new();
    for agent in &arguments.agents {
        let agents = vec![agent.clone(), arguments.against.clone()];
        let settings = MatchSettings {
            threads: threads(arguments.threads),
            stop: stop.clone(),
            ..MatchSettings::new(agents, arguments.games, arguments.seed)
        };
        results.push(count_behaviours(&*game, &settings)?);
    }
    if arguments.json {
        writeln!(out, "{}", json!({"against": arguments.against, "seed": arguments.seed, "results": results}))?;
    } else {
        show(out, &results)?;
    }
    Ok(if stop.is_requested() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// One column for each agent: the score and the number of events.
fn show(out: &mut dyn Write, results: &[BehaviourResult]) -> std::io::Result<()> {
    for (number, result) in results.iter().enumerate() {
        let column = number + 1;
        writeln!(out, "{column}: {}, {} games, {} decisions", result.agent, result.games, result.decisions)?;
    }
    let heads: String = (1..=results.len()).map(|column| format!(" {column:>26}")).collect();
    writeln!(out, "{:<50}{heads}", "good of all occasions")?;
    for (number, behaviour) in results.first().map_or(&[][..], |first| &first.behaviours).iter().enumerate() {
        write!(out, "{:<50}", behaviour.name)?;
        for result in results {
            let behaviour = &result.behaviours[number];
            let events = behaviour.good + behaviour.bad;
            let score = match (behaviour.score, behaviour.interval) {
                (Some(score), Some([low, high])) => format!("{score:.2} [{low:.2}, {high:.2}] {events:>6}"),
                _ => format!("- {events:>6}"),
            };
            write!(out, " {score:>26}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
