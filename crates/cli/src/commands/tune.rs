//! `meeple tune`: which settings of an agent win most.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use meeple_arena::chart::{BarChart, Curve, CurveChart, Group, Series, Value};
use meeple_arena::{
    Detail, MOST_GAMES, MatchResult, MatchSettings, Space, Stop, Tried, TuneSettings, Tuned, play_match, seatings, tune,
};
use meeple_core::erased::AnyGame;
use meeple_core::key::key_of;

use super::matches::Kept;
use super::{BadUsage, GameArguments, threads};
use crate::interrupt::{INTERRUPTED, stop_on_interrupt};
use crate::progress::Progress;
use crate::records::{Identity, Target};

/// Find the settings of an agent that win most
#[derive(Args)]
#[command(after_help = "Example: meeple tune sueca --agent \"ismcts:iterations=500,exploration=?[0.1,2.0]\" \\\n\
    \x20           --against ismcts:iterations=500 --games 4000\n\
    An open setting is ?[low,high], ?[low,high,log] for equal ratios, or ?{a,b,c}. In every round each\n\
    candidate plays the same deals, then the worse half retires (sequential halving). The best one is\n\
    measured again on other deals. Games, table and plot are kept in a folder under runs; the same\n\
    command goes on where it was interrupted.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The agent with open settings
    #[arg(long)]
    agent: String,
    /// The opponent of all candidates
    #[arg(long)]
    against: String,
    /// Games of all candidates together; each plays at least one deal
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,
    /// Games of the best candidate on other deals [default: a quarter of --games]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=MOST_GAMES))]
    confirm: Option<u64>,
    /// Values to try in a range
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u16).range(2..=1000))]
    grid: u16,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games to play at the same time [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Where games, table and plot are kept [default: runs/tune-GAME-KEY, a key for each question]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.build()?;
    let settings = arguments.settings(&*game)?;
    for agent in settings.space.agents().iter().chain([&settings.against]) {
        game.agent(agent)?;
    }
    let folder = arguments.out.clone().unwrap_or_else(|| arguments.folder(&*game));
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let stop = stop_on_interrupt();
    let mut play = |settings: &MatchSettings| arguments.play(&*game, settings, &folder, &stop);
    let tuned = tune(&settings, &mut play, &mut hear)?;
    let plot = folder.join("tried.svg");
    fs::write(&plot, chart(&tuned)).with_context(|| format!("cannot write {}", plot.display()))?;
    let table = folder.join("tried.json");
    fs::write(&table, serde_json::to_vec_pretty(&tuned)?)
        .with_context(|| format!("cannot write {}", table.display()))?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&tuned)?)?;
    } else {
        show(&mut out, &tuned)?;
        writeln!(out, "plot: {}", plot.display())?;
    }
    if stop.is_requested() {
        eprintln!("interrupted; the same command goes on");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn folder(&self, game: &dyn AnyGame) -> PathBuf {
        let question = (game.rules().to_string(), &self.agent, &self.against, self.seed);
        format!("runs/tune-{}-{:08x}", game.info().name, key_of(&question) as u32).into()
    }

    fn settings(&self, game: &dyn AnyGame) -> anyhow::Result<TuneSettings> {
        let space = Space::parse(&self.agent, usize::from(self.grid)).map_err(|error| BadUsage(error.to_string()))?;
        let seatings = seatings(&game.info(), |player| game.team(player), 2).map_err(BadUsage)?;
        Ok(TuneSettings {
            space,
            against: self.against.clone(),
            games: self.games,
            confirm: self.confirm.unwrap_or(self.games / 4),
            seed: self.seed,
            seatings: seatings.len() as u64,
        })
    }

    /// Plays the games of a match that are not in the folder yet.
    fn play(
        &self,
        game: &dyn AnyGame,
        settings: &MatchSettings,
        folder: &Path,
        stop: &Stop,
    ) -> anyhow::Result<MatchResult> {
        let settings = MatchSettings {
            experiment: "tune".to_string(),
            threads: threads(self.threads),
            detail: Detail::Actions,
            stop: stop.clone(),
            ..settings.clone()
        };
        let file = folder.join(format!("{:016x}.jsonl", key_of(&(&settings.agents, settings.seed))));
        let mut target = Target::open(file.to_str())?;
        let done = target.done(&Identity::new(game, &settings), true)?;
        let mut watch = Kept { target: &mut target, progress: Progress::new(settings.games) };
        let result = play_match(game, &settings, &done, &mut watch)?;
        watch.progress.clear();
        Ok(result)
    }
}

/// A line about each round.
fn hear(round: u32, tried: &[Tried]) {
    let played = tried.iter().filter(|tried| tried.rounds == round);
    let best = played.clone().max_by(|a, b| a.points.mean.total_cmp(&b.points.mean));
    if let Some(best) = best {
        let (count, points) = (played.count(), 100.0 * best.points.mean);
        eprintln!(
            "round {round}: {count} candidates with {} games each, {} leads with {points:.1} %",
            best.games, best.agent
        );
    }
}

fn show(out: &mut dyn Write, tuned: &Tuned) -> std::io::Result<()> {
    writeln!(out, "{:<44} {:>6} {:>7} {:>9} {:>17}", "candidate", "rounds", "games", "points %", "95 % interval")?;
    for Tried { values, rounds, games, points, .. } in &tuned.tried {
        let values: Vec<String> =
            tuned.parameters.iter().zip(values).map(|(name, value)| format!("{name}={value}")).collect();
        let interval =
            points.interval.map_or("-".to_string(), |[low, high]| format!("[{:.1}, {:.1}]", 100.0 * low, 100.0 * high));
        writeln!(out, "{:<44} {rounds:>6} {games:>7} {:>9.2} {interval:>17}", values.join(","), 100.0 * points.mean)?;
    }
    if let Some(result) = &tuned.confirmed {
        let points = result.agents[0].points;
        let [low, high] = points.interval.unwrap_or([points.mean; 2]).map(|end| 100.0 * end);
        writeln!(
            out,
            "{} on other deals: {:.2} % [{low:.1}, {high:.1}] of {} games",
            result.agents[0].name,
            100.0 * points.mean,
            result.games
        )?;
    }
    Ok(())
}

/// Points over the values of a single parameter, or bars.
fn chart(tuned: &Tuned) -> String {
    let title = format!("{} tried", tuned.parameters.join(" and "));
    let value = |tried: &Tried| Value {
        value: 100.0 * tried.points.mean,
        spread: tried.points.interval.map(|interval| interval.map(|end| 100.0 * end)),
    };
    let played = || tuned.tried.iter().filter(|tried| tried.games > 0);
    let numbers = |tried: &Tried| match &tried.values[..] {
        [only] => only.parse::<f64>().ok(),
        _ => None,
    };
    let places: Option<Vec<f64>> = played().map(numbers).collect();
    let Some(places) = places else {
        let group = |tried: &Tried| Group { label: tried.values.join(", "), bars: vec![Some(value(tried))] };
        let series = vec![Series { name: "points %".to_string(), colour: 1 }];
        return BarChart { title, unit: "points %".to_string(), series, groups: played().map(group).collect() }.svg();
    };
    let mut points: Vec<(f64, Value)> = places.into_iter().zip(played().map(value)).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let curve = Curve { name: "points %, the narrower the longer it stayed".to_string(), points, ..Curve::default() };
    CurveChart { title, x_label: tuned.parameters.join(", "), y_label: "points %".to_string(), curves: vec![curve] }
        .svg()
}
