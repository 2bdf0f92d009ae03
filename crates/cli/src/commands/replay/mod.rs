//! `meeple replay`: records in, verdicts out; or one decision made again.

mod decision;

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use meeple_catalog::replay_line;
use meeple_core::replay::{Replay, ReplayError};
use serde::Serialize;

/// Verify records against the rules, one JSON object per line
#[derive(Args)]
#[command(after_help = "Example: meeple replay games.jsonl --json --steps\n\
    A record needs at least {\"game\": \"tic-tac-toe\", \"actions\": [\"b2\", \"a1\"]}; outcomes of chance stand in\n\
    the list like actions. Exit code 1 if a record breaks the rules.\n\
    Example: meeple replay games.jsonl --decision 3:17 --tree tree.json\n\
    makes the decision behind action 17 (from 0) of the third record again, as it was made; with\n\
    --agent another one decides at the same moment. Exit code 1 if another action comes out.")]
pub(crate) struct Arguments {
    /// A file of records, or - for standard input
    #[arg(default_value = "-")]
    file: String,
    /// Print one JSON line per record
    #[arg(long)]
    json: bool,
    /// With --json: show whose turn it was and what was possible before every action
    #[arg(long, requires = "json")]
    steps: bool,
    #[command(flatten)]
    again: decision::Again,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(moment) = &arguments.again.decision {
        return arguments.again.run(&arguments.file, moment, arguments.json);
    }
    let mut input: Box<dyn BufRead> = match arguments.file.as_str() {
        "-" => Box::new(std::io::stdin().lock()),
        path => Box::new(BufReader::new(File::open(path).with_context(|| format!("cannot open {path}"))?)),
    };
    let mut out = std::io::stdout().lock();
    let mut line = Vec::new();
    let (mut number, mut failed) = (0, 0);
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).with_context(|| format!("cannot read {}", arguments.file))? == 0 {
            break;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        number += 1;
        let verdict = replay_line(&line, arguments.steps);
        failed += usize::from(verdict.is_err());
        if arguments.json {
            writeln!(out, "{}", to_json(&verdict)?)?;
        } else {
            writeln!(out, "record {number}: {}", to_text(&verdict))?;
        }
    }
    if !arguments.json {
        writeln!(out, "{} of {number} records keep the rules", number - failed)?;
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

fn to_json(verdict: &Result<Replay, ReplayError>) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Line<'a, T> {
        ok: bool,
        #[serde(flatten)]
        verdict: &'a T,
    }
    match verdict {
        Ok(replay) => serde_json::to_string(&Line { ok: true, verdict: replay }),
        Err(error) => serde_json::to_string(&Line { ok: false, verdict: error }),
    }
}

fn to_text(verdict: &Result<Replay, ReplayError>) -> String {
    match verdict {
        Ok(Replay { payoffs: Some(payoffs), reason: Some(reason), .. }) => format!("ok, {reason}, payoffs {payoffs:?}"),
        Ok(_) => "ok, not finished".to_string(),
        Err(error) => format!("step {}: {}", error.step, error.error),
    }
}
