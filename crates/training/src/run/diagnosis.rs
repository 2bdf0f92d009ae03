//! Whether a run has learnt, and what to change first.

use std::fmt;

use super::metrics::{AnchorScore, Metrics};

/// What the figures of a run say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    pub verdict: Verdict,
    /// The most important first.
    pub advice: Vec<Advice>,
}

/// Whether the network plays better than an opponent that was chosen before.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It beats this anchor, the one that it beats by the least.
    Learnt(AnchorScore),
    /// It does not beat any anchor for sure; the one that it comes closest to.
    NotYet(AnchorScore),
    /// There was no evaluation yet.
    Unknown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Learnt(score) => write!(f, "It has learnt: {score}."),
            Verdict::NotYet(score) => write!(f, "It has not learnt for sure: {score}."),
            Verdict::Unknown => {
                f.write_str("Nobody knows yet whether it learns: it was not evaluated against a fixed opponent.")
            }
        }
    }
}

impl fmt::Display for AnchorScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [points, low, high] = [self.points, self.interval[0], self.interval[1]].map(|share| 100.0 * share);
        let AnchorScore { anchor, games, lead, p_value, .. } = self;
        write!(f, "{points:.1} % [{low:.1}, {high:.1}] of the points in {games} games against `{anchor}`, ")?;
        write!(f, "and {lead:+.2} in what a seat is paid (p {p_value:.3})")
    }
}

/// Something that could be better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    pub finding: String,
    pub change: &'static str,
}

/// Looks at the iterations so far, which may be all that there are to be.
pub(super) fn diagnose(metrics: &[Metrics], complete: bool) -> Diagnosis {
    let advice = Figures::of(metrics).map_or(Vec::new(), |figures| figures.advice(complete));
    Diagnosis { verdict: verdict(metrics), advice }
}

/// The scores of the last evaluation.
pub(super) fn last_scores(metrics: &[Metrics]) -> &[AnchorScore] {
    metrics.iter().rev().map(|metrics| &*metrics.anchors).find(|anchors| !anchors.is_empty()).unwrap_or(&[])
}

/// The network itself, from the evaluation before, is no opponent that was chosen.
fn chosen(score: &&AnchorScore) -> bool {
    score.anchor != super::PREVIOUS
}

/// Whether it is better for sure (95 %).
fn is_beaten(score: &AnchorScore) -> bool {
    score.lead > 0.0 && score.p_value < 0.05
}

fn verdict(metrics: &[Metrics]) -> Verdict {
    let scores = || last_scores(metrics).iter().filter(chosen);
    let beaten = scores().filter(|score| is_beaten(score)).min_by(|a, b| a.points.total_cmp(&b.points));
    let closest = scores().max_by(|a, b| a.points.total_cmp(&b.points));
    match (beaten, closest) {
        (Some(score), _) => Verdict::Learnt(score.clone()),
        (None, Some(score)) => Verdict::NotYet(score.clone()),
        (None, None) => Verdict::Unknown,
    }
}

/// The figures that advice goes by: means over the last iterations, and what they were before.
struct Figures<'a> {
    scores: &'a [AnchorScore],
    iterations: usize,
    /// In the last iterations.
    games: u64,
    entropy: f64,
    reuse: f64,
    illegal: f64,
    calibration: f64,
    spread: f64,
    correlation: f64,
    /// Of the losses, from the middle third of the run to the last one, as shares.
    value_change: f64,
    policy_change: f64,
    /// The last learning rate, as a share of the highest.
    rate: f64,
    /// Of the time of self-play and learning.
    learning_share: f64,
}

impl Figures<'_> {
    /// `None` before the first iteration.
    fn of(metrics: &[Metrics]) -> Option<Figures<'_>> {
        let last = &metrics[metrics.len() - metrics.len().div_ceil(4).min(10)..];
        let third = metrics.len() / 3;
        let thirds = [&metrics[third..2 * third], &metrics[metrics.len() - third..]];
        let change = |figure: fn(&Metrics) -> f64| match thirds.map(|part| mean(part, figure)) {
            [before, after] if before > 0.0 => after / before - 1.0,
            _ => 0.0,
        };
        let highest = metrics.iter().map(|metrics| metrics.learning_rate).fold(0.0, f64::max);
        let [playing, learning] =
            [mean(last, |metrics| metrics.self_play_seconds), mean(last, |metrics| metrics.learning_seconds)];
        Some(Figures {
            scores: last_scores(metrics),
            iterations: metrics.len(),
            games: last.iter().map(|metrics| metrics.games).sum(),
            entropy: mean(last, |metrics| metrics.policy_entropy),
            reuse: mean(last, |metrics| metrics.reuse),
            illegal: mean(last, |metrics| if metrics.alone { 0.0 } else { f64::from(metrics.losses.illegal_mass) }),
            calibration: mean(last, |metrics| metrics.calibration.error),
            spread: mean(last, |metrics| metrics.calibration.spread),
            correlation: mean(last, |metrics| metrics.calibration.correlation),
            value_change: change(|metrics| f64::from(metrics.losses.value)),
            // How the loss of a policy that plays alone changes says nothing.
            policy_change: if last.iter().any(|metrics| metrics.alone) {
                0.0
            } else {
                change(|metrics| f64::from(metrics.losses.policy))
            },
            rate: metrics.last()?.learning_rate / highest,
            learning_share: learning / (playing + learning),
        })
    }

    fn advice(&self, complete: bool) -> Vec<Advice> {
        let percent = |share: f64| 100.0 * share;
        let long = self.iterations >= 6;
        let scores = || self.scores.iter().filter(chosen);
        let saturated = scores().next().is_some() && scores().all(|score| score.interval[0] > 0.97);
        let unsure = scores().find(|score| score.p_value >= 0.05).filter(|_| long);
        // A network without a value has no calibration.
        let has_value = self.calibration > 0.0;
        let rules: [(bool, String, &'static str); 13] = [
            (
                self.iterations > 2 && self.entropy < 0.03,
                format!("The policy has collapsed: its entropy is {:.3} of the uniform one.", self.entropy),
                "Raise `noise`, `exploration` or the temperature of `final` in `self_play.agent`.",
            ),
            (
                has_value && self.iterations > 2 && self.spread < 0.01,
                "The value says nearly the same about every position.".to_string(),
                "Look at how games end: if all end alike, vary them (`final`, `archive`); else raise `learning_rate`.",
            ),
            (
                self.reuse > 12.0,
                format!("Each position is learnt from {:.0} times: the network learns it by heart.", self.reuse),
                "Lower `learning.reuse` to 4 to 8, or play more `self_play.games`.",
            ),
            (
                self.calibration > 0.15 && self.iterations > 2 && self.games >= 300,
                format!("What the value expects is {:.2} off on average.", self.calibration),
                "Lower `learning_rate`, keep more positions (`replay.positions`), or play more games.",
            ),
            (
                long && self.value_change > 0.1 && self.rate > 0.5,
                format!("The error of the value has grown by {:.0} %.", percent(self.value_change)),
                "Lower `learning_rate`; if self-play has just become more varied this passes.",
            ),
            (
                long && self.entropy > 0.9,
                format!("The search hardly prefers any action: its entropy is {:.2} of the uniform one.", self.entropy),
                "Give it more `iterations`, or lower `exploration`.",
            ),
            (
                has_value && long && self.correlation < 0.15,
                format!("Expected and actual payoffs hardly agree: their correlation is {:.2}.", self.correlation),
                "Play more games; mix in what the search found by `self_play.root_value = 0.25`.",
            ),
            (
                complete && long && self.policy_change < -0.05,
                format!("The policy still gets better: its loss fell by {:.0} %.", percent(-self.policy_change)),
                "Go on: `meeple train CONFIG --resume RUN` with more `iterations`.",
            ),
            (
                complete && long && self.rate > 0.5,
                "The learning rate hardly fell.".to_string(),
                "End with a tenth of `learning_rate` for the last fifth of the iterations: losses fall by some percent.",
            ),
            (
                self.learning_share > 0.6,
                format!("Learning takes {:.0} % of the time.", percent(self.learning_share)),
                "Lower `learning.reuse` or the size of the network: new games teach more than old ones.",
            ),
            (
                long && self.reuse < 1.5,
                format!("Each position is learnt from {:.1} times only.", self.reuse),
                "Raise `learning.reuse` to 4 or so.",
            ),
            (
                self.iterations > 10 && self.illegal > 0.5,
                format!("{:.0} % of the policy lies on illegal actions.", percent(self.illegal)),
                "Raise `learning.invalid`.",
            ),
            (
                saturated,
                "It beats every anchor nearly always: they no longer tell networks apart.".to_string(),
                "Name a stronger one in `evaluation.anchors`.",
            ),
        ];
        let mut advice: Vec<Advice> = rules
            .into_iter()
            .filter(|(holds, ..)| *holds)
            .map(|(_, finding, change)| Advice { finding, change })
            .collect();
        advice.extend(unsure.map(|score| Advice {
            finding: format!("{} games do not tell whether it is better than `{}`.", score.games, score.anchor),
            change: "Raise `evaluation.games`.",
        }));
        advice
    }
}

fn mean(metrics: &[Metrics], figure: fn(&Metrics) -> f64) -> f64 {
    metrics.iter().map(figure).sum::<f64>() / metrics.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::super::metrics::Calibration;
    use super::*;
    use crate::Losses;

    fn score(anchor: &str, points: f64, low: f64, high: f64) -> AnchorScore {
        let (lead, p_value) = (2.0 * points - 1.0, if low > 0.5 { 0.001 } else { 0.4 });
        AnchorScore {
            anchor: anchor.to_string(),
            points,
            interval: [low, high],
            games: 100,
            distinct: 100,
            lead,
            p_value,
        }
    }

    /// A run of twelve iterations in which nothing is wrong.
    fn sound() -> Vec<Metrics> {
        let iteration = |number: u32| Metrics {
            iteration: number,
            games: 200,
            policy_entropy: 0.4,
            reuse: 4.0,
            learning_rate: if number > 9 { 0.0001 } else { 0.001 },
            calibration: Calibration { error: 0.05, spread: 0.4, correlation: 0.6 },
            losses: Losses { value: 0.4, policy: 1.0, ..Losses::default() },
            self_play_seconds: 60.0,
            learning_seconds: 20.0,
            ..Metrics::default()
        };
        let mut metrics: Vec<Metrics> = (1..=12).map(iteration).collect();
        metrics[5].anchors = vec![score("random", 0.5, 0.4, 0.6)];
        metrics[11].anchors = vec![score("random", 0.9, 0.83, 0.95), score("mcts", 0.6, 0.45, 0.72)];
        metrics
    }

    #[test]
    fn what_beats_an_anchor_for_sure_has_learnt() {
        let metrics = sound();
        assert_eq!(diagnose(&metrics, true).verdict, Verdict::Learnt(score("random", 0.9, 0.83, 0.95)));
        assert_eq!(diagnose(&metrics[..11], true).verdict, Verdict::NotYet(score("random", 0.5, 0.4, 0.6)));
        assert_eq!(diagnose(&metrics[..5], true).verdict, Verdict::Unknown);
        // Of four players who each win a quarter, one that is paid more has learnt with less than half the points.
        let mut four = sound();
        four[11].anchors = vec![AnchorScore { lead: 0.3, p_value: 0.01, ..score("random", 0.4, 0.3, 0.5) }];
        assert!(matches!(diagnose(&four, true).verdict, Verdict::Learnt(_)));
        assert_eq!(diagnose(&[], true), Diagnosis { verdict: Verdict::Unknown, advice: Vec::new() });
        let mut alone = sound();
        alone[11].anchors = vec![score(super::super::PREVIOUS, 0.9, 0.8, 0.95)];
        assert_eq!(diagnose(&alone, true).verdict, Verdict::Unknown, "a network is no measure of itself");
    }

    #[test]
    fn every_fault_is_found_and_a_sound_run_has_none() {
        let mut plain = sound();
        plain[11].anchors.truncate(1);
        assert_eq!(diagnose(&plain, true).advice, []);
        let first = |change: &dyn Fn(usize, &mut Metrics)| {
            let mut metrics = plain.clone();
            metrics.iter_mut().enumerate().for_each(|(number, metrics)| change(number, metrics));
            diagnose(&metrics, true).advice.first().map_or(String::new(), |advice| advice.finding.clone())
        };
        assert!(first(&|_, m| m.policy_entropy = 0.01).contains("collapsed"));
        assert!(first(&|_, m| m.policy_entropy = 0.95).contains("hardly prefers"));
        assert!(first(&|_, m| m.calibration.spread = 0.0).contains("nearly the same"));
        assert!(first(&|_, m| m.calibration.error = 0.3).contains("0.30 off"));
        assert!(first(&|_, m| m.calibration.correlation = 0.1).contains("hardly agree"));
        assert!(first(&|_, m| m.reuse = 30.0).contains("by heart"));
        assert!(first(&|_, m| m.reuse = 1.0).contains("1.0 times only"));
        assert!(first(&|_, m| m.learning_rate = 0.001).contains("hardly fell"));
        assert!(first(&|_, m| m.learning_seconds = 200.0).contains("Learning takes 77 %"));
        assert!(first(&|_, m| m.losses.illegal_mass = 0.8).contains("illegal"));
        assert!(first(&|n, m| m.losses.policy = 1.0 - 0.02 * n as f32).contains("still gets better"));
        assert!(first(&|_, m| m.anchors.iter_mut().for_each(|s| s.interval = [0.98, 1.0])).contains("nearly always"));
        assert!(first(&|_, m| m.anchors.iter_mut().for_each(|s| s.p_value = 0.3)).contains("do not tell"));
        let grows = |n: usize, m: &mut Metrics| {
            m.losses.value = 0.4 + 0.05 * n as f32;
            m.learning_rate = 0.001;
        };
        assert!(first(&grows).contains("has grown"));
    }
}
