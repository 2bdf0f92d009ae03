//! The curves of a run as pictures.

use meeple_arena::chart::{Curve, CurveChart, Value};

use super::metrics::Metrics;

/// File names and pictures: losses, strength against the anchors, and speed.
pub(super) fn curves(metrics: &[Metrics]) -> Vec<(&'static str, String)> {
    let mut files =
        vec![("losses.svg", losses(metrics)), ("policy.svg", policy(metrics)), ("speed.svg", speed(metrics))];
    if metrics.iter().any(|metrics| !metrics.anchors.is_empty()) {
        files.push(("anchors.svg", anchors(metrics)));
    }
    files
}

fn chart(title: &str, y_label: &str, curves: Vec<Curve>) -> String {
    let (title, y_label) = (title.to_string(), y_label.to_string());
    CurveChart { title, x_label: "iteration".to_string(), y_label, curves }.svg()
}

fn curve(name: &str, colour: usize, metrics: &[Metrics], figure: impl Fn(&Metrics) -> f64) -> Curve {
    let point = |metrics: &Metrics| (f64::from(metrics.iteration), Value { value: figure(metrics), spread: None });
    Curve { name: name.to_string(), points: metrics.iter().map(point).collect(), open: false, colour }
}

fn losses(metrics: &[Metrics]) -> String {
    let curves = vec![
        curve("value (squared error)", 0, metrics, |metrics| f64::from(metrics.losses.value)),
        curve("calibration error", 1, metrics, |metrics| metrics.calibration.error),
        curve("correlation of expected and actual payoff", 2, metrics, |metrics| metrics.calibration.correlation),
    ];
    chart("Value", "", curves)
}

fn policy(metrics: &[Metrics]) -> String {
    let curves = vec![
        curve("policy (cross-entropy)", 0, metrics, |metrics| f64::from(metrics.losses.policy)),
        curve("entropy of the search's policy, of the uniform one", 1, metrics, |metrics| metrics.policy_entropy),
        curve("share on illegal actions", 2, metrics, |metrics| f64::from(metrics.losses.illegal_mass)),
    ];
    chart("Policy", "", curves)
}

fn speed(metrics: &[Metrics]) -> String {
    let curves = vec![
        curve("positions of self-play", 0, metrics, |metrics| metrics.positions_per_s),
        curve("updates", 1, metrics, |metrics| metrics.updates_per_s),
    ];
    chart("Speed", "per second", curves)
}

fn anchors(metrics: &[Metrics]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for score in metrics.iter().flat_map(|metrics| &metrics.anchors) {
        if !names.contains(&&*score.anchor) {
            names.push(&score.anchor);
        }
    }
    let of_anchor = |(colour, name): (usize, &&str)| {
        let points = metrics.iter().flat_map(|metrics| {
            let scores = metrics.anchors.iter().filter(|score| score.anchor == **name);
            scores.map(|score| {
                let [low, high] = score.interval.map(|end| 100.0 * end);
                (f64::from(metrics.iteration), Value { value: 100.0 * score.points, spread: Some([low, high]) })
            })
        });
        Curve { name: name.to_string(), points: points.collect(), open: false, colour }
    };
    chart("Strength", "points, %", names.iter().enumerate().map(of_anchor).collect())
}
