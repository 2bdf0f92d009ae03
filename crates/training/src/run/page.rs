//! `report.md`: what a run has come to, for people.

use std::fmt::Write;

use super::config::Config;
use super::diagnosis::{Diagnosis, last_scores};
use super::metrics::{AnchorScore, Metrics, SuiteScore};

/// The whole page. There is at least one iteration.
pub(super) fn page(config: &Config, metrics: &[Metrics], diagnosis: &Diagnosis) -> String {
    let mut page = String::new();
    write_page(&mut page, config, metrics, diagnosis).expect("a text takes everything");
    page
}

fn write_page(page: &mut String, config: &Config, metrics: &[Metrics], diagnosis: &Diagnosis) -> std::fmt::Result {
    let Some(last) = metrics.last() else { return Ok(()) };
    writeln!(page, "# {}: iteration {} of {}\n", config.game, last.iteration, config.iterations)?;
    writeln!(page, "{}\n", diagnosis.verdict)?;
    match diagnosis.advice.split_first() {
        None => writeln!(page, "Nothing looks wrong.\n")?,
        Some((first, others)) => {
            writeln!(page, "**Change first:** {} {}\n", first.finding, first.change)?;
            for advice in others {
                writeln!(page, "- {} {}", advice.finding, advice.change)?;
            }
            if !others.is_empty() {
                writeln!(page)?;
            }
        }
    }
    strength(page, metrics)?;
    figures(page, metrics, last)?;
    suites(page, metrics)
}

/// Against each anchor: at first, at best, and now.
fn strength(page: &mut String, metrics: &[Metrics]) -> std::fmt::Result {
    let scores = last_scores(metrics);
    if scores.is_empty() {
        return Ok(());
    }
    writeln!(page, "## Strength\n\nPoints, with 95 % intervals.\n")?;
    writeln!(page, "| against | first | best | last | games |\n|---|---|---|---|---|")?;
    for last in scores {
        let all = || {
            let scores = |metrics: &'_ Metrics| -> Option<(u32, AnchorScore)> {
                let score = metrics.anchors.iter().find(|score| score.anchor == last.anchor)?;
                Some((metrics.iteration, score.clone()))
            };
            metrics.iter().filter_map(scores)
        };
        let first = all().next();
        let best = all().max_by(|a, b| a.1.points.total_cmp(&b.1.points));
        let [first, best] = [first, best]
            .map(|score| score.map_or(String::new(), |(at, s)| format!("{} (iteration {at})", points(&s))));
        writeln!(page, "| `{}` | {first} | {best} | {} | {} |", last.anchor, points(last), last.games)?;
    }
    writeln!(page, "\n![strength](anchors.svg)\n")
}

fn points(score: &AnchorScore) -> String {
    let [low, high] = score.interval;
    format!("{:.1} % [{:.1}, {:.1}]", 100.0 * score.points, 100.0 * low, 100.0 * high)
}

fn figures(page: &mut String, metrics: &[Metrics], last: &Metrics) -> std::fmt::Result {
    let first = &metrics[0];
    let both = |figure: fn(&Metrics) -> f64| format!("{:.3} | {:.3}", figure(first), figure(last));
    let games: u64 = metrics.iter().map(|metrics| metrics.games).sum();
    let positions: u64 = metrics.iter().map(|metrics| metrics.positions).sum();
    writeln!(page, "## Learning\n\n{games} games, {positions} positions, {:.2} CPU hours.\n", last.cpu_hours)?;
    writeln!(page, "| | first iteration | last | look for |\n|---|---|---|---|")?;
    let rows: [(&str, String, &str); 7] = [
        ("value (squared error)", both(|m| f64::from(m.losses.value)), "falls to where luck and mistakes put it"),
        ("policy (cross-entropy)", both(|m| f64::from(m.losses.policy)), "falls towards the entropy of the searches"),
        ("calibration error of the value", both(|m| m.calibration.error), "below 0.1"),
        ("correlation of expected and actual payoff", both(|m| m.calibration.correlation), "rises"),
        ("entropy of the searches, of the uniform one", both(|m| m.policy_entropy), "0.1 to 0.8"),
        ("policy on illegal actions", both(|m| f64::from(m.losses.illegal_mass)), "falls"),
        ("reuse of a position", both(|m| m.reuse), "4 to 8"),
    ];
    if let [Some(before), Some(now)] = [first.critic, last.critic] {
        writeln!(
            page,
            "| critic, who sees all cards (squared error) | {before:.3} | {now:.3} | below that of the value |"
        )?;
    }
    for (name, figures, aim) in rows {
        writeln!(page, "| {name} | {figures} | {aim} |")?;
    }
    writeln!(page, "\n![value](losses.svg)\n![policy](policy.svg)\n![speed](speed.svg)")
}

/// The suites of the last evaluation, the worst first.
fn suites(page: &mut String, metrics: &[Metrics]) -> std::fmt::Result {
    let evaluated = metrics.iter().rev().find(|metrics| !metrics.suites.is_empty());
    let Some(evaluated) = evaluated else { return Ok(()) };
    let mut scores: Vec<&SuiteScore> = evaluated.suites.iter().collect();
    scores.sort_by(|a, b| b.cross_entropy.total_cmp(&a.cross_entropy));
    writeln!(page, "\n## Positions with known answers\n\nThe policy without a search, the worst suite first.\n")?;
    writeln!(page, "| suite | right | cross-entropy | positions | worst |\n|---|---|---|---|---|")?;
    for SuiteScore { suite, positions, right, cross_entropy, worst } in scores {
        let worst: Vec<String> = worst.iter().map(|(name, share)| format!("{name} ({:.1} %)", 100.0 * share)).collect();
        let worst = worst.join(", ").replace('|', "\\|");
        writeln!(page, "| {suite} | {:.0} % | {cross_entropy:.2} | {positions} | {worst} |", 100.0 * right)?;
    }
    writeln!(page, "\nIn brackets: what the policy gives to the right actions.")
}
