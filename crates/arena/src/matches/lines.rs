//! What is counted and estimated over the games of a match.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::line::{Line, SeatLine};
use super::result::{AgentResult, Lead, Placing, Tally};
use crate::statistics::{Estimate, is_nothing, mean_p, moments, share_interval, wilson};

/// The games of a match by number, as far as they are played.
pub(crate) struct Lines<'a> {
    pub(crate) lines: &'a [Option<Line>],
    pub(crate) seatings: usize,
}

impl Lines<'_> {
    fn played(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().flatten()
    }

    pub(crate) fn placings(&self, agents: usize) -> Vec<Placing> {
        let numbered = self.lines.iter().zip(0..);
        numbered.filter_map(|(line, number)| Some(Placing { number, ranks: line.as_ref()?.ranks(agents) })).collect()
    }

    pub(crate) fn count(&self) -> u64 {
        self.played().count() as u64
    }

    /// One figure for each deal that was played with all seatings: the mean over its games.
    pub(crate) fn by_deal(&self, figure: impl Fn(&Line) -> f64) -> Vec<f64> {
        let sets = self.lines.chunks_exact(self.seatings);
        let full = sets.filter(|set| set.iter().all(Option::is_some));
        full.map(|set| set.iter().flatten().map(&figure).sum::<f64>() / self.seatings as f64).collect()
    }

    pub(crate) fn length(&self) -> Estimate {
        let decisions = |line: &Line| line.seats.iter().map(|seat| seat.decisions).sum::<u64>() as f64;
        self.estimate(decisions)
    }

    /// The mean over all games, with the interval over deals.
    fn estimate(&self, figure: impl Fn(&Line) -> f64) -> Estimate {
        let by_game: Vec<f64> = self.played().map(&figure).collect();
        let by_deal = Estimate::of(&self.by_deal(figure));
        let mean = moments(&by_game).mean;
        Estimate {
            mean,
            interval: by_deal.interval.map(|[low, high]| [low - by_deal.mean + mean, high - by_deal.mean + mean]),
        }
    }

    /// A sum over games by another one, with the interval over deals.
    fn ratio(&self, figure: impl Fn(&Line) -> f64, count: impl Fn(&Line) -> f64) -> Estimate {
        let (mut sum, mut counted) = (0.0, 0.0);
        for line in self.played() {
            sum += figure(line);
            counted += count(line);
        }
        let mean = if counted == 0.0 { 0.0 } else { sum / counted };
        let of_deal = moments(&self.by_deal(&count)).mean;
        let around = Estimate::of(&self.by_deal(|line| (figure(line) - mean * count(line)) / of_deal));
        Estimate { mean, interval: around.interval.map(|ends| ends.map(|end| mean + end - around.mean)) }
    }

    pub(crate) fn branching(&self) -> Estimate {
        let decisions = |line: &Line| line.seats.iter().map(|seat| seat.decisions).sum::<u64>() as f64;
        self.ratio(|line| line.choices as f64, decisions)
    }

    /// Different games, the seating included.
    pub(crate) fn distinct(&self) -> u64 {
        self.played().map(|line| line.key).collect::<BTreeSet<u64>>().len() as u64
    }

    pub(crate) fn lead(&self) -> Lead {
        let games = self.count().max(1) as f64;
        let seats = [0, 1].map(|agent| self.played().map(|line| line.sum(agent, |_| 1.0)).sum::<f64>() / games);
        let lead = |figure: fn(&SeatLine) -> f64| {
            self.estimate(|line| line.sum(0, figure) / seats[0] - line.sum(1, figure) / seats[1])
        };
        Lead { points: lead(SeatLine::points), score: lead(|seat| seat.score) }
    }

    pub(crate) fn reasons(&self) -> BTreeMap<String, u64> {
        let mut reasons = BTreeMap::new();
        for line in self.played() {
            *reasons.entry(line.reason.to_string()).or_default() += 1;
        }
        reasons
    }

    /// The variance of the mean if deals were not shared, over what it is.
    pub(crate) fn pairing_gain(&self) -> Option<f64> {
        let paired = moments(&self.by_deal(|line| line.edge(0)));
        if paired.count < 2 || is_nothing(paired.variance, paired.mean) {
            return None;
        }
        let of_seating = |seating: usize| {
            let games = self.lines.iter().skip(seating).step_by(self.seatings).flatten();
            moments(&games.map(|line| line.edge(0)).collect::<Vec<f64>>()).variance
        };
        let alone = (0..self.seatings).map(of_seating).sum::<f64>() / self.seatings as f64;
        Some(alone / self.seatings as f64 / paired.variance)
    }

    pub(crate) fn agent(&self, number: usize, name: &str, cheats: bool) -> AgentResult {
        let counts = self.counts(number);
        let seats = || self.played().flat_map(|line| &line.seats).filter(|seat| seat.agent == number);
        let decisions = seats().map(|seat| seat.decisions).sum::<u64>();
        let thinking: Duration = seats().map(|seat| seat.thinking).sum();
        let win_rate = counts.all.win_rate();
        let score = self.seat_mean(number, |seat| seat.score);
        let payoff = self.seat_mean(number, |seat| seat.payoff);
        AgentResult {
            name: name.to_string(),
            cheats,
            wins: counts.all.wins,
            draws: counts.all.draws,
            losses: counts.all.losses,
            win_rate,
            interval: wilson(win_rate, self.count()),
            points: self.points(number),
            mean_score: score.mean,
            score_interval: score.interval,
            mean_payoff: payoff.mean,
            payoff_interval: payoff.interval,
            p_value: mean_p(&self.by_deal(|line| line.edge(number)), 0.0),
            by_seat: counts.by_seat,
            when_first: counts.when_first,
            when_later: counts.when_later,
            by_reason: counts.by_reason,
            decisions,
            decisions_per_s: decisions as f64 / thinking.as_secs_f64().max(1e-9),
        }
    }

    /// The mean of a figure over the agent's seats.
    fn seat_mean(&self, number: usize, figure: impl Fn(&SeatLine) -> f64) -> Estimate {
        self.ratio(|line| line.sum(number, &figure), |line| line.sum(number, |_| 1.0))
    }

    /// Wins and half the draws. Few or one-sided deals leave doubt.
    fn points(&self, number: usize) -> Estimate {
        let mean = self.seat_mean(number, SeatLine::points).mean;
        let seats = moments(&self.by_deal(|line| line.sum(number, |_| 1.0))).mean;
        let deals = self.by_deal(|line| line.sum(number, SeatLine::points) / seats);
        let interval = (deals.len() >= 2).then(|| share_interval(&deals));
        Estimate { mean, interval: interval.map(|[low, high]| [low.min(mean), high.max(mean)]) }
    }

    fn counts(&self, number: usize) -> Counts {
        let mut counts = Counts::default();
        for line in self.played() {
            counts.by_seat.resize(line.seats.len(), Tally::default());
            for (place, seat) in line.of(number) {
                counts.all.add(seat.end);
                counts.by_seat[place].add(seat.end);
                counts.by_reason.entry(line.reason.to_string()).or_default().add(seat.end);
                if place == line.starter { counts.when_first.add(seat.end) } else { counts.when_later.add(seat.end) }
            }
        }
        counts
    }
}

#[derive(Default)]
struct Counts {
    all: Tally,
    by_seat: Vec<Tally>,
    when_first: Tally,
    when_later: Tally,
    by_reason: BTreeMap<String, Tally>,
}
