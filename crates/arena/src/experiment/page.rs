//! Figures as tables and charts.

use std::collections::BTreeMap;

use super::{Experiment, Figure, Published, Unit, slug};
use crate::chart::{BarChart, Curve, CurveChart, Group, Series, Value};

/// A Markdown table, theirs beside ours.
pub fn table(figures: &[Figure]) -> String {
    let mut text = format!("| {} |\n|{}\n", HEAD.join(" | "), "---|".repeat(HEAD.len()));
    for figure in figures {
        text += &row(figure);
        text.push('\n');
    }
    text
}

const HEAD: [&str; 7] = ["line", "figure", "theirs", "ours", "95 % interval", "n", "agrees?"];

/// One row of the table.
pub fn row(figure: &Figure) -> String {
    format!("| {} |", figure.cells().map(|cell| cell.replace('|', "\\|")).join(" | "))
}

/// The charts of an experiment by name, one for each kind of figure, as SVG.
pub fn charts(experiment: &Experiment, figures: &[Figure]) -> Vec<(String, String)> {
    let alone = experiment.lines.len() == 1;
    let mut kinds: Vec<(&str, Vec<&Figure>)> = Vec::new();
    for figure in figures {
        // The shares of a single line stand side by side.
        let name = if alone && figure.unit == Unit::Percent { "share of games" } else { &figure.name };
        match kinds.iter_mut().find(|(kind, _)| *kind == name) {
            Some((_, same)) => same.push(figure),
            None => kinds.push((name, vec![figure])),
        }
    }
    let chart = |(name, figures): (&str, Vec<&Figure>)| {
        let on_axis = experiment.axis.as_ref().filter(|_| figures.iter().all(|figure| figure.x.is_some()));
        let svg = match on_axis {
            Some(axis) => curves(experiment, axis, name, &figures).svg(),
            None => bars(experiment, name, &figures, alone).svg(),
        };
        (format!("{}.svg", slug(name)), svg)
    };
    kinds.into_iter().map(chart).collect()
}

fn unit(name: &str, unit: Unit) -> String {
    match unit {
        Unit::Percent => format!("{name}, %"),
        Unit::Plain => name.to_string(),
    }
}

fn ours(figure: &Figure) -> Value {
    let scaled = |figure_: f64| figure.unit.scaled(figure_);
    Value { value: scaled(figure.ours), spread: figure.interval.map(|ends| ends.map(scaled)) }
}

/// A range is drawn as its middle with the range as error bar; what was said in words is not drawn.
fn theirs(figure: &Figure) -> Option<Value> {
    let scaled = |figure_: f64| figure.unit.scaled(figure_);
    match figure.published.as_ref()? {
        Published::Figure(value) | Published::Counted { figure: value, .. } | Published::Mean { mean: value, .. } => {
            Some(Value { value: scaled(*value), spread: None })
        }
        Published::Range(range) => {
            let [low, high] = range.map(scaled);
            Some(Value { value: (low + high) / 2.0, spread: Some([low, high]) })
        }
        Published::Claim { .. } => None,
    }
}

/// Groups are named by their lines, in an experiment with a single one by their figures. A chart without anything
/// published has our bars alone.
fn bars(experiment: &Experiment, name: &str, figures: &[&Figure], alone: bool) -> BarChart {
    let published = figures.iter().any(|figure| theirs(figure).is_some());
    let group = |figure: &&Figure| {
        let label = if alone { figure.name.clone() } else { figure.line.clone() };
        let theirs = published.then(|| theirs(figure));
        Group { label, bars: theirs.into_iter().chain([Some(ours(figure))]).collect() }
    };
    let theirs = published.then(|| Series { name: "published".to_string(), colour: 0 });
    let ours = Series { name: "ours, 95 % interval".to_string(), colour: 1 };
    BarChart {
        title: experiment.title.clone(),
        unit: unit(name, figures[0].unit),
        series: theirs.into_iter().chain([ours]).collect(),
        groups: figures.iter().map(group).collect(),
    }
}

fn curves(experiment: &Experiment, axis: &str, name: &str, figures: &[&Figure]) -> CurveChart {
    let mut series: BTreeMap<&str, Vec<&Figure>> = BTreeMap::new();
    for figure in figures {
        series.entry(figure.series.as_deref().unwrap_or_default()).or_default().push(figure);
    }
    let curve = |(colour, (name, figures)): (usize, (&str, Vec<&Figure>))| {
        let join = |kind: &str| if name.is_empty() { kind.to_string() } else { format!("{name}, {kind}") };
        let place = |figure: &Figure| figure.x.expect("all figures have places");
        let points: Vec<(f64, Value)> = figures.iter().map(|figure| (place(figure), ours(figure))).collect();
        let published: Vec<(f64, Value)> =
            figures.iter().filter_map(|figure| Some((place(figure), theirs(figure)?))).collect();
        let [ours, theirs] = [(points, "ours"), (published, "published")].map(|(mut points, kind)| {
            points.sort_by(|(first, _), (second, _)| first.total_cmp(second));
            Curve { name: join(kind), points, open: kind == "published", colour }
        });
        [ours, theirs].into_iter().filter(|curve| !curve.points.is_empty())
    };
    CurveChart {
        title: experiment.title.clone(),
        x_label: axis.to_string(),
        y_label: unit(name, figures[0].unit),
        curves: series.into_iter().enumerate().flat_map(curve).collect(),
    }
}
