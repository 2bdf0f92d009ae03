//! Experiments: what is played and measured, written down in a file beside the published figures that it repeats.

mod figure;
mod metric;
mod page;
mod plan;
mod published;
mod skill;
mod suite;
mod uniformity;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::MatchResult;
pub use figure::{Figure, Unit};
pub use metric::Metric;
pub use page::{charts, row, table};
pub use plan::{Part, PlannedMatch, PublishedOfMatch};
pub use published::Published;
pub use skill::PlannedSkill;
pub use suite::{MetricResult, PlannedSuite, SuiteResult};
pub use uniformity::{PlannedUniformity, Sampler, Uniformity};

/// The content of an experiment file.
#[derive(Clone, Debug)]
pub struct Experiment {
    pub title: String,
    /// Where the published figures stand.
    pub source: String,
    /// What a reader of the results should know.
    pub remarks: String,
    /// What the places of lines on the axis of a chart mean; without it charts have bars.
    pub axis: Option<String>,
    pub lines: Vec<Line>,
}

/// One thing that is measured.
#[derive(Clone, Debug)]
pub enum Line {
    Match(PlannedMatch),
    Skill(PlannedSkill),
    Suite(PlannedSuite),
    Uniformity(PlannedUniformity),
}

/// What was measured for one line.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    /// In the order of [`Line::parts`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<MatchResult>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<SuiteResult>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uniformity: Option<Uniformity>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    source: String,
    #[serde(default)]
    remarks: String,
    axis: Option<String>,
    #[serde(default, rename = "match")]
    matches: Vec<PlannedMatch>,
    #[serde(default)]
    skill: Vec<PlannedSkill>,
    #[serde(default)]
    suite: Vec<PlannedSuite>,
    #[serde(default)]
    uniformity: Vec<PlannedUniformity>,
}

impl Experiment {
    /// Reads a file's content; the error says where it is wrong.
    pub fn parse(text: &str) -> Result<Experiment, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let matches = file.matches.into_iter().map(Line::Match);
        let skill = file.skill.into_iter().map(Line::Skill);
        let suite = file.suite.into_iter().map(Line::Suite);
        let uniformity = file.uniformity.into_iter().map(Line::Uniformity);
        let lines: Vec<Line> = matches.chain(skill).chain(suite).chain(uniformity).collect();
        if lines.is_empty() {
            let kinds = "[[match]], [[skill]], [[suite]] or [[uniformity]]";
            return Err(format!("there is nothing to measure: name a {kinds}"));
        }
        for (number, line) in lines.iter().enumerate() {
            line.check().map_err(|error| format!("`{}`: {error}", line.name()))?;
            if lines[..number].iter().any(|other| other.slug() == line.slug()) {
                return Err(format!("two lines are named like `{}`", line.name()));
            }
        }
        let File { title, source, remarks, axis, .. } = file;
        Ok(Experiment { title, source, remarks: remarks.trim().to_string(), axis, lines })
    }
}

impl Line {
    pub fn name(&self) -> &str {
        match self {
            Line::Match(planned) => &planned.name,
            Line::Skill(planned) => &planned.name,
            Line::Suite(planned) => &planned.name,
            Line::Uniformity(planned) => &planned.name,
        }
    }

    /// The name of a file about the line.
    pub fn slug(&self) -> String {
        slug(self.name())
    }

    fn check(&self) -> Result<(), String> {
        if self.slug().is_empty() {
            return Err("a name has a letter or a digit".to_string());
        }
        match self {
            Line::Match(planned) => planned.check(),
            Line::Skill(planned) => planned.check(),
            Line::Suite(planned) => planned.check(),
            Line::Uniformity(planned) => planned.check(),
        }
    }

    /// The matches to play.
    pub fn parts(&self, quick: bool) -> Vec<Part> {
        match self {
            Line::Match(planned) => vec![planned.part(quick)],
            Line::Skill(planned) => planned.parts(quick),
            Line::Suite(_) | Line::Uniformity(_) => Vec::new(),
        }
    }

    /// Every game with its rules and an agent that is needed.
    pub fn agents(&self) -> Vec<(String, String, String)> {
        let of_part = |part: Part| {
            let Part { game, rules, agents, .. } = part;
            agents.into_iter().map(move |agent| (game.clone(), rules.clone(), agent))
        };
        match self {
            Line::Suite(planned) => vec![(planned.game.clone(), planned.rules.to_string(), planned.agent.clone())],
            _ => self.parts(false).into_iter().flat_map(of_part).collect(),
        }
    }

    /// All that the figures depend on, besides the program.
    pub fn settings(&self, quick: bool) -> Value {
        match self {
            Line::Match(_) | Line::Skill(_) => json!({ "matches": self.parts(quick) }),
            Line::Suite(planned) => json!({ "suite": planned, "repetitions": planned.repetitions(quick) }),
            Line::Uniformity(planned) => json!({ "uniformity": planned, "samples": planned.samples(quick) }),
        }
    }

    /// Theirs beside ours.
    pub fn figures(&self, measured: &Measured) -> Vec<Figure> {
        match (self, measured) {
            (Line::Match(planned), Measured { matches, .. }) => {
                matches.first().map(|result| planned.figures(result)).unwrap_or_default()
            }
            (Line::Skill(planned), Measured { matches, .. }) => planned.figures(matches),
            (Line::Suite(planned), Measured { suite, .. }) => {
                suite.as_ref().map(|found| planned.figures(found)).unwrap_or_default()
            }
            (Line::Uniformity(planned), Measured { uniformity, .. }) => {
                uniformity.as_ref().map(|found| planned.figures(found)).unwrap_or_default()
            }
        }
    }
}

/// Letters and digits, everything else as dashes.
pub fn slug(name: &str) -> String {
    let dashed: String =
        name.chars().map(|letter| if letter.is_alphanumeric() { letter.to_ascii_lowercase() } else { '-' }).collect();
    dashed.split('-').filter(|word| !word.is_empty()).collect::<Vec<&str>>().join("-")
}

#[cfg(test)]
mod tests;
