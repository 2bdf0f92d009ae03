//! `meeple replay --decision`: a recorded decision made again, by the same agent or by another.

use std::io::Write;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;
use meeple_arena::{Moment, decide_instead, moment, redecide};
use meeple_core::agent::Decision;
use meeple_core::erased::{AnyAgent, AnyGame};
use meeple_core::{Player, Record};
use serde_json::json;

use crate::commands::BadUsage;
use crate::decision::{TreeArguments, show, to_json};
use crate::records;

#[derive(Args)]
pub(super) struct Again {
    /// Make this decision again: the number of the record, and that of the action from 0
    #[arg(long, value_name = "GAME:PLY", conflicts_with = "steps")]
    pub(super) decision: Option<Place>,
    /// Let this agent decide instead, with its own budget
    #[arg(long, value_name = "AGENT", requires = "decision")]
    agent: Option<String>,
    #[command(flatten)]
    tree: TreeArguments,
}

/// A decision among many games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    game: u64,
    ply: usize,
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        let explain = || "write GAME:PLY, such as 3:17".to_string();
        let (game, ply) = text.split_once(':').ok_or_else(explain)?;
        let game = game.parse().ok().filter(|&game| game > 0).ok_or_else(explain)?;
        Ok(Place { game, ply: ply.parse().map_err(|_| explain())? })
    }
}

impl Again {
    pub(super) fn run(&self, file: &str, &Place { game, ply }: &Place, json: bool) -> anyhow::Result<ExitCode> {
        let record = records::find(file, game)?;
        let game = meeple_catalog::game(&record.game, &record.rules)?;
        let moment = moment(&*game, &record, ply).map_err(BadUsage)?;
        let (name, mut agent) = self.agent(&*game, &record, moment.seat)?;
        let decision = match self.agent {
            Some(_) => decide_instead(&record, &moment, &mut agent),
            None => redecide(&*game, &record, &moment, &mut agent).map_err(BadUsage)?,
        };
        self.tree.write(&name, |limits| moment.position.search_tree(&agent, limits))?;
        report(&moment, &decision, &name, game.info().players, json)?;
        Ok(ExitCode::from(u8::from(decision.action != moment.action)))
    }

    /// The agent that decides, and its name.
    fn agent(&self, game: &dyn AnyGame, record: &Record, seat: Player) -> anyhow::Result<(String, AnyAgent)> {
        if let Some(name) = &self.agent {
            return Ok((name.clone(), game.agent(name)?));
        }
        let missing = || BadUsage(format!("the record does not say who sat at seat {seat}: name an --agent"));
        let name = record.seats.get(seat).ok_or_else(missing)?;
        Ok((name.clone(), game.agent(&meeple_catalog::without_clock(game, name)?)?))
    }
}

fn report(
    moment: &Moment,
    decision: &Decision<String>,
    agent: &str,
    players: usize,
    json: bool,
) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let same = decision.action == moment.action;
    if json {
        let mut value = to_json(decision, moment.seat, players);
        value["agent"] = json!(agent);
        value["recorded"] = json!(moment.action);
        value["same"] = json!(same);
        return writeln!(out, "{value}");
    }
    writeln!(out, "{}\n", moment.position.render(Some(moment.seat)))?;
    show(&mut out, decision, moment.seat, players)?;
    let verdict = if same { "the same action as recorded" } else { "recorded was another action" };
    writeln!(out, "{agent}: {verdict}, {}", moment.action)
}
