//! `meeple tournament`: many matches written down in one file, with a cross table and ratings.

mod report;
mod tables;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use meeple_arena::{Detail, MatchSettings, Meeting, Participant, Standings, Tournament, play_match};
use meeple_core::erased::AnyGame;

use super::matches::Kept;
use super::{BadUsage, threads};
use crate::interrupt::{INTERRUPTED, stop_on_interrupt};
use crate::progress::Progress;
use crate::records::{Identity, Target};

/// Let many agents meet: cross table and ratings
#[derive(Args)]
#[command(after_help = "Example: meeple tournament experiments/tournaments/connect-four.toml --quick\n\
    Example: meeple tournament experiments/tournaments/keezen-versions.toml --records games.jsonl\n\
    Example: meeple tournament experiments/tournaments/connect-four.toml --out runs/connect-four\n\
    The file names title, game, rules, kind (round-robin, gauntlet, versions or tables), games and quick games of\n\
    each meeting, seed, and an [[agent]] with its name for each one that takes part. A tournament that was\n\
    interrupted shows its tables so far; it goes on with --resume and ends like one that was not.")]
pub(crate) struct Arguments {
    file: PathBuf,
    /// Play few games, for a first impression
    #[arg(long)]
    quick: bool,
    /// Games to play at the same time [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Keep every game of all meetings here, one JSON object per line
    #[arg(long, value_name = "FILE")]
    records: Option<String>,
    /// Go on with the tournament whose games are in the records
    #[arg(long, requires = "records")]
    resume: bool,
    /// Leave a report here, with the standings as JSON and a chart; in `runs` the server shows it
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let planned = Planned::read(arguments)?;
    let standings = play(arguments, &planned)?;
    if let Some(folder) = &arguments.out {
        report::write(folder, &planned.tournament, &standings)?;
    }
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&standings)?)?;
    } else {
        tables::show(&mut out, &planned.tournament, &standings)?;
    }
    if standings.games < standings.planned {
        let how = if arguments.records.is_some() { "; --resume goes on" } else { "" };
        eprintln!("interrupted after {} of {} games{how}", standings.games, standings.planned);
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// A file whose game, agents and meetings were found in order.
struct Planned {
    tournament: Tournament,
    game: Box<dyn AnyGame>,
    agents: Vec<Participant>,
    meetings: Vec<Meeting>,
}

impl Planned {
    fn read(arguments: &Arguments) -> anyhow::Result<Planned> {
        let file = arguments.file.display();
        let text = std::fs::read_to_string(&arguments.file).with_context(|| format!("cannot read {file}"))?;
        let refuse = |error: String| BadUsage(format!("{file}: {}", error.trim_end()));
        let tournament = Tournament::parse(&text).map_err(refuse)?;
        let game = meeple_catalog::game(&tournament.game, &tournament.rules);
        let game = game.map_err(|error| refuse(error.to_string()))?;
        let agents = tournament.participants(&*game).map_err(|error| refuse(error.to_string()))?;
        let meetings = tournament.meetings(&*game).map_err(refuse)?;
        Ok(Planned { tournament, game, agents, meetings })
    }
}

/// Plays the meetings one after the other, until all are played or a stop is requested.
fn play(arguments: &Arguments, planned: &Planned) -> anyhow::Result<Standings> {
    let Planned { tournament, game, agents, meetings } = planned;
    let common = common_settings(arguments);
    let settings = |meeting: &Meeting| MatchSettings {
        threads: common.threads,
        detail: common.detail,
        stop: common.stop.clone(),
        ..tournament.settings(meeting, arguments.quick)
    };
    // All records are looked at before the first game, so that what stands in the way is said at once.
    let mut target = Target::open(arguments.records.as_deref())?;
    let mut done_of = |meeting| target.done(&Identity::new(&**game, &settings(meeting)), arguments.resume);
    let begun = meetings.iter().map(&mut done_of).collect::<Result<Vec<_>, _>>()?;
    let mut held = Vec::new();
    for (meeting, done) in meetings.iter().zip(begun) {
        if common.stop.is_requested() && done.is_empty() {
            continue;
        }
        let settings = settings(meeting);
        let mut watch = Kept { target: &mut target, progress: Progress::new(settings.games) };
        held.push((meeting.clone(), play_match(&**game, &settings, &done, &mut watch)?));
        watch.progress.clear();
    }
    let games = tournament.settings(&meetings[0], arguments.quick).games;
    Ok(tournament.standings(&**game, agents.clone(), games, &held))
}

/// What all meetings have in common.
fn common_settings(arguments: &Arguments) -> MatchSettings {
    MatchSettings {
        threads: threads(arguments.threads),
        detail: if arguments.records.is_some() { Detail::Actions } else { Detail::Nothing },
        stop: stop_on_interrupt(),
        ..MatchSettings::new(Vec::new(), 0, 0)
    }
}
