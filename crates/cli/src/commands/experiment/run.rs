//! `meeple experiment run`: measures the lines of a file and sets theirs beside ours.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use meeple_arena::Experiment;
use meeple_arena::experiment::{self, Figure, Line};
use serde_json::json;

use super::measure::Lab;
use super::report;
use super::results::Folder;
use super::{load, stem};
use crate::commands::{BadUsage, threads};
use crate::interrupt::{INTERRUPTED, stop_on_interrupt};

/// Measure what a file names and print theirs beside ours
#[derive(Args)]
#[command(after_help = "Example: meeple experiment run experiments/002-figure-6-3.toml --quick\n\
    A row is printed as soon as its line is finished. Results, charts and a report go to runs/NAME, or runs/NAME-quick;\n\
    lines that are finished there are not measured again, and a line that was interrupted goes on in the middle.")]
pub(super) struct Arguments {
    file: PathBuf,
    /// Play few games, for a first impression
    #[arg(long)]
    quick: bool,
    /// The size of the source, which is the default
    #[arg(long, conflicts_with = "quick")]
    full: bool,
    /// Measure again what is finished
    #[arg(long)]
    again: bool,
    /// Only the lines whose name contains this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "runs")]
    results: PathBuf,
    /// Keep the games of finished lines, too
    #[arg(long)]
    keep_records: bool,
    /// Games to play at the same time [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object for each figure
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let experiment = load(&arguments.file)?;
    let name = stem(&arguments.file);
    let chosen: Vec<&Line> = experiment.lines.iter().filter(|line| line.name().contains(&arguments.only)).collect();
    if chosen.is_empty() {
        let file = arguments.file.display();
        return Err(BadUsage(format!("{file}: no line is named like `{}`", arguments.only)).into());
    }
    let folder = Folder::new(&arguments.results, &name, arguments.quick);
    let lab = Lab {
        experiment: &name,
        folder: &folder,
        threads: threads(arguments.threads),
        keep_records: arguments.keep_records,
        stop: stop_on_interrupt(),
    };
    chosen.iter().try_for_each(|line| lab.check(line))?;
    folder.create()?;
    let mut out = std::io::stdout().lock();
    if !arguments.json {
        head(&mut out, &experiment)?;
    }
    let finished = arguments.measure(&lab, &chosen, &mut out)?;
    report::of_folder(experiment, name, folder)?;
    if !finished {
        eprintln!("interrupted; the same command goes on");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// False if it was interrupted.
    fn measure(&self, lab: &Lab<'_>, lines: &[&Line], out: &mut dyn Write) -> anyhow::Result<bool> {
        for line in lines {
            if self.again {
                lab.folder.forget(line)?;
            }
            let measured = match lab.folder.finished(line)? {
                Some(measured) => {
                    eprintln!("`{}` is finished; --again measures it anew", line.name());
                    measured
                }
                None => match lab.measure(line)? {
                    Some(measured) => measured,
                    None => return Ok(false),
                },
            };
            line.figures(&measured).iter().try_for_each(|figure| self.print(figure, out))?;
            out.flush()?;
        }
        Ok(true)
    }

    fn print(&self, figure: &Figure, out: &mut dyn Write) -> std::io::Result<()> {
        if self.json { writeln!(out, "{}", json!(figure)) } else { writeln!(out, "{}", experiment::row(figure)) }
    }
}

fn head(out: &mut dyn Write, experiment: &Experiment) -> std::io::Result<()> {
    writeln!(out, "# {}\n\nPublished: {}.", experiment.title, experiment.source)?;
    if !experiment.remarks.is_empty() {
        writeln!(out, "{}", experiment.remarks)?;
    }
    write!(out, "\n{}", experiment::table(&[]))
}
