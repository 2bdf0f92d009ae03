//! What a tournament leaves in a folder: the tables as Markdown, the standings as JSON, the ratings as a chart.

use std::fs;
use std::path::Path;

use anyhow::Context;
use meeple_arena::chart::{BarChart, Group, Series, Value};
use meeple_arena::{Skill, Standings, Tournament};

use super::tables;

/// Files that are there are replaced.
pub(super) fn write(folder: &Path, tournament: &Tournament, standings: &Standings) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut page = Vec::new();
    tables::show(&mut page, tournament, standings)?;
    page.extend(b"\n![Ratings](ratings.svg)\n");
    let files = [
        ("report.md", page),
        ("tournament.json", serde_json::to_vec_pretty(standings)?),
        ("ratings.svg", chart(standings).svg().into_bytes()),
    ];
    for (name, content) in files {
        let file = folder.join(name);
        fs::write(&file, content).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// The strongest first.
fn chart(standings: &Standings) -> BarChart {
    let rating = |agent: usize| match (&standings.elo, &standings.skills) {
        (Some(elo), _) => Some(Value { value: elo.ratings[agent].elo, spread: Some(elo.ratings[agent].interval) }),
        (None, Some(skills)) => Some(skill(&skills[agent])),
        (None, None) => None,
    };
    let group = |agent: usize| {
        let mark = if standings.agents[agent].cheats { " *" } else { "" };
        Group { label: format!("{}{mark}", standings.agents[agent].name), bars: vec![rating(agent)] }
    };
    let unit = if standings.elo.is_some() { "Elo above the mean of all" } else { "skill" };
    BarChart {
        title: standings.title.clone(),
        unit: unit.to_string(),
        series: vec![Series { name: "rating, 95 % interval".to_string(), colour: 1 }],
        groups: tables::by_rating(standings).into_iter().map(group).collect(),
    }
}

fn skill(skill: &Skill) -> Value {
    let spread = 1.96 * skill.deviation;
    Value { value: skill.mean, spread: Some([skill.mean - spread, skill.mean + spread]) }
}
