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
    fs::write(&out, page).with_context(|| format!("cannot write {}", out.display()))?;
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
    let [full, quick] = [false, true].map(|quick| Folder::new(results, &name, quick));
    let mut found = Found { experiment, name, full: 0, quick: 0, seconds: 0.0, figures: Vec::new() };
    for line in &found.experiment.lines {
        let measured = match full.finished(line)? {
            Some(measured) => Some((measured, &mut found.full)),
            None => quick.finished(line)?.map(|measured| (measured, &mut found.quick)),
        };
        let Some((measured, count)) = measured else { continue };
        *count += 1;
        found.seconds += measured.matches.iter().map(thinking).sum::<f64>();
        found.figures.extend(line.figures(&measured));
    }
    Ok(found)
}

/// Seconds that all agents thought, also before an interruption.
fn thinking(result: &MatchResult) -> f64 {
    result.agents.iter().map(|agent| agent.decisions as f64 / agent.decisions_per_s.max(1e-9)).sum()
}

/// How many published figures agree.
fn agreement<'a>(figures: impl Iterator<Item = &'a Figure>) -> String {
    let judged: Vec<bool> = figures.filter_map(|figure| figure.agrees).collect();
    let agreeing = judged.iter().filter(|agrees| **agrees).count();
    match judged.len() {
        0 => "nothing published to compare".to_string(),
        count => format!("{agreeing} of {count} published figures agree"),
    }
}

fn summary(found: &[Found]) -> String {
    let mut page = String::from("# Published results, repeated\n\n");
    let all = agreement(found.iter().flat_map(|found| &found.figures));
    let _ = writeln!(page, "{all}.\n\n| experiment | size | agreement |\n|---|---|---|");
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

    fn size(&self) -> String {
        let lines = self.experiment.lines.len();
        match (self.full, self.quick) {
            (full, 0) if full == lines => "full".to_string(),
            (0, quick) if quick == lines => "quick".to_string(),
            (full, quick) => format!("{full} of {lines} lines full, {quick} quick"),
        }
    }
}

/// One experiment; its charts are written.
fn section(found: &Found, charts: &Path) -> anyhow::Result<String> {
    let Found { experiment, figures, .. } = found;
    let mut text = format!("\n## {}\n\nPublished: {}.\n", found.heading(), experiment.source);
    if !experiment.remarks.is_empty() {
        let _ = writeln!(text, "\n{}", experiment.remarks);
    }
    let _ = writeln!(
        text,
        "\nSize: {}; {:.0} s of thinking; {}.\n\n{}",
        found.size(),
        found.seconds,
        agreement(figures.iter()),
        experiment::table(figures)
    );
    let folder = charts.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for (name, svg) in experiment::charts(experiment, figures) {
        let file = format!("{}-{name}", found.name);
        let path = charts.join(&file);
        fs::write(&path, svg).with_context(|| format!("cannot write {}", path.display()))?;
        let _ = writeln!(text, "![{}]({folder}/{file})\n", experiment.title);
    }
    Ok(text)
}
