//! `meeple experiment report`: all finished results on one page.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use meeple_arena::experiment::{self, Figure};
use meeple_arena::{Experiment, MatchResult};

use super::results::Folder;
use super::{load, stem};
use crate::commands::BadUsage;

/// Gather all finished results in one Markdown page
#[derive(Args)]
#[command(after_help = "Example: meeple experiment report --out results.md\n\
    Full results stand before quick ones. Charts go to a folder beside the page.")]
pub(super) struct Arguments {
    /// Where experiment files are
    #[arg(long, value_name = "DIR", default_value = "experiments")]
    experiments: PathBuf,
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "runs")]
    results: PathBuf,
    /// The page [default: report.md where results are kept]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What is finished of one experiment.
struct Found {
    experiment: Experiment,
    name: String,
    full: usize,
    quick: usize,
    /// That agents thought.
    seconds: f64,
    figures: Vec<Figure>,
    /// Whether each figure comes from a quick run.
    of_quick: Vec<bool>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let files = files(&arguments.experiments)?;
    let found = files.iter().map(|file| find(file, &arguments.results)).collect::<anyhow::Result<Vec<Found>>>()?;
    let found: Vec<Found> = found.into_iter().filter(|found| !found.figures.is_empty()).collect();
    if found.is_empty() {
        let results = arguments.results.display();
        return Err(BadUsage(format!("{results} holds no finished results of these experiments")).into());
    }
    let out = arguments.out.clone().unwrap_or_else(|| arguments.results.join("report.md"));
    let charts = out.with_extension("").with_file_name(format!("{}-charts", stem(&out)));
    fs::create_dir_all(&charts).with_context(|| format!("cannot create {}", charts.display()))?;
    let mut page = summary(&found);
    for found in &found {
        page += &section(found, &charts)?;
    }
    write(&out, page)?;
    println!("{}: {}", out.display(), agreement(found.iter().flat_map(|found| &found.figures)));
    Ok(ExitCode::SUCCESS)
}

fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<PathBuf>>>()?;
    let mut files: Vec<PathBuf> =
        paths.into_iter().filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    files.sort();
    Ok(files)
}

fn find(file: &Path, results: &Path) -> anyhow::Result<Found> {
    let (experiment, name) = (load(file)?, stem(file));
    let folders = [false, true].map(|quick| Folder::new(results, &name, quick));
    finished(experiment, name, &folders)
}

/// What is finished, each line in the first of the folders that has it.
fn finished(experiment: Experiment, name: String, folders: &[Folder]) -> anyhow::Result<Found> {
    let mut found =
        Found { experiment, name, full: 0, quick: 0, seconds: 0.0, figures: Vec::new(), of_quick: Vec::new() };
    for line in &found.experiment.lines {
        for folder in folders {
            let Some(measured) = folder.finished(line)? else { continue };
            *if folder.quick { &mut found.quick } else { &mut found.full } += 1;
            found.seconds += measured.matches.iter().map(thinking).sum::<f64>();
            found.figures.extend(line.figures(&measured));
            found.of_quick.resize(found.figures.len(), folder.quick);
            break;
        }
    }
    Ok(found)
}

/// The report of one experiment in its own folder, with the charts beside it.
pub(super) fn of_folder(experiment: Experiment, name: String, folder: Folder) -> anyhow::Result<()> {
    let folders = [folder];
    let found = finished(experiment, name, &folders)?;
    if found.figures.is_empty() {
        return Ok(());
    }
    let mut page = format!("# {}\n\n{}", found.experiment.title, found.body());
    for (name, svg) in experiment::charts(&found.experiment, &found.figures) {
        write(&folders[0].file(&name), svg)?;
        let _ = writeln!(page, "![{}]({name})\n", found.experiment.title);
    }
    write(&folders[0].file("report.md"), page)
}

fn write(file: &Path, text: String) -> anyhow::Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// Seconds that all agents thought, also before an interruption.
fn thinking(result: &MatchResult) -> f64 {
    result.agents.iter().map(|agent| agent.decisions as f64 / agent.decisions_per_s.max(1e-9)).sum()
}

/// How many published figures agree.
fn agreement<'a>(figures: impl Iterator<Item = &'a Figure>) -> String {
    let published: Vec<Option<bool>> =
        figures.filter(|figure| figure.published.is_some()).map(|figure| figure.agrees).collect();
    let count = |verdict| published.iter().filter(|&&agrees| agrees == verdict).count();
    let [agree, undecided] = [count(Some(true)), count(None)];
    match (published.len(), undecided) {
        (0, _) => "nothing published to compare".to_string(),
        (all, 0) => format!("{agree} of {all} published figures agree"),
        (all, _) => format!("{agree} of {all} published figures agree, {undecided} undecided"),
    }
}

fn summary(found: &[Found]) -> String {
    let mut page = String::from("# Published results, repeated\n\n");
    for (size, quick) in [("Full size", false), ("Quick runs", true)] {
        let figures: Vec<&Figure> = found.iter().flat_map(|found| found.of_size(quick)).collect();
        if !figures.is_empty() {
            let _ = writeln!(page, "{size}: {}.\n", agreement(figures.into_iter()));
        }
    }
    let _ = writeln!(page, "| experiment | size | agreement |\n|---|---|---|");
    for found in found {
        let anchor = experiment::slug(&found.heading());
        let _ = writeln!(
            page,
            "| [{}](#{anchor}) | {} | {} |",
            found.heading(),
            found.size(),
            agreement(found.figures.iter())
        );
    }
    page
}

impl Found {
    fn heading(&self) -> String {
        format!("{} {}", self.name, self.experiment.title)
    }

    fn of_size(&self, quick: bool) -> impl Iterator<Item = &Figure> {
        self.figures
            .iter()
            .zip(&self.of_quick)
            .filter(move |(_, of_quick)| **of_quick == quick)
            .map(|(figure, _)| figure)
    }

    fn size(&self) -> String {
        let lines = self.experiment.lines.len();
        match (self.full, self.quick) {
            (full, 0) if full == lines => "full".to_string(),
            (0, quick) if quick == lines => "quick".to_string(),
            (full, quick) => format!("{full} of {lines} lines full, {quick} quick"),
        }
    }

    /// Where the figures come from, and the figures.
    fn body(&self) -> String {
        let Found { experiment, figures, .. } = self;
        let mut text = format!("Published: {}.\n", experiment.source);
        if !experiment.remarks.is_empty() {
            let _ = writeln!(text, "\n{}", experiment.remarks);
        }
        let _ = writeln!(
            text,
            "\nSize: {}; {:.0} s of thinking; {}.\n\n{}",
            self.size(),
            self.seconds,
            agreement(figures.iter()),
            experiment::table(figures)
        );
        text
    }
}

/// One experiment; its charts are written.
fn section(found: &Found, charts: &Path) -> anyhow::Result<String> {
    let mut text = format!("\n## {}\n\n{}", found.heading(), found.body());
    let folder = charts.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for (name, svg) in experiment::charts(&found.experiment, &found.figures) {
        let file = format!("{}-{name}", found.name);
        write(&charts.join(&file), svg)?;
        let _ = writeln!(text, "![{}]({folder}/{file})\n", found.experiment.title);
    }
    Ok(text)
}
