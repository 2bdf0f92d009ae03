//! From figures to places on the page.

/// Positive figures that differ by this factor stand on a logarithmic axis, where that is possible.
const WIDE: f64 = 50.0;

/// An axis with round ticks.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    logarithmic: bool,
    low: f64,
    high: f64,
    step: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// Over all of the figures, on the page between two places.
    pub(super) fn over(figures: impl Iterator<Item = f64>, [from, to]: [f64; 2], ticks: f64) -> Scale {
        let finite = figures.filter(|figure| figure.is_finite());
        let (low, high) =
            finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), figure| (l.min(figure), h.max(figure)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let step = round_step((high - low).max(1e-9 * high.abs().max(1e-3)) / ticks);
        let (low, mut high) = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
        if high <= low {
            high = low + step;
        }
        Scale { logarithmic: false, low, high, step, from, to }
    }

    /// Logarithmic if the figures reach far, otherwise as [`Scale::over`] has it.
    pub(super) fn over_any(figures: impl Iterator<Item = f64> + Clone, [from, to]: [f64; 2], ticks: f64) -> Scale {
        let low = figures.clone().fold(f64::INFINITY, f64::min);
        let high = figures.clone().fold(0.0, f64::max);
        if low > 0.0 && high >= WIDE * low {
            return Scale { logarithmic: true, low, high, step: 0.0, from, to };
        }
        Scale::over(figures, [from, to], ticks)
    }

    pub(super) fn place(&self, figure: f64) -> f64 {
        let figure = figure.clamp(self.low, self.high);
        let share = match self.logarithmic {
            true => (figure / self.low).ln() / (self.high / self.low).ln(),
            false => (figure - self.low) / (self.high - self.low),
        };
        self.from + share * (self.to - self.from)
    }

    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        if self.logarithmic {
            let powers = (self.low.log10().floor() as i32)..=(self.high.log10().ceil() as i32);
            let round = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|factor| factor * 10f64.powi(power)));
            let inside = round.filter(|tick| (self.low * 0.999..=self.high * 1.001).contains(tick));
            return inside.map(|tick| (tick, format!("{}", (tick * 1e6).round() / 1e6))).collect();
        }
        let count = ((self.high - self.low) / self.step).round() as i64;
        let decimals = if self.step >= 1.0 { 0 } else { (-self.step.log10() - 1e-9).ceil() as usize };
        let tick = |number: i64| {
            let figure = self.low + number as f64 * self.step;
            (
                figure,
                format!("{figure:.decimals$}").replace("-0", if figure.abs() < self.step / 2.0 { "0" } else { "-0" }),
            )
        };
        (0..=count).map(tick).collect()
    }
}

/// 1, 2 or 5 times a power of ten, not below.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= step * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_hold_all_figures() {
        for (figures, ticks) in [
            (vec![0.0, 97.0], vec!["0", "20", "40", "60", "80", "100"]),
            (vec![-0.03, 0.02], vec!["-0.03", "-0.02", "-0.01", "0.00", "0.01", "0.02"]),
            (vec![0.0, 0.0], vec!["0.0000", "0.0005"]),
        ] {
            let scale = Scale::over(figures.iter().copied(), [0.0, 100.0], 5.0);
            let names: Vec<String> = scale.ticks().into_iter().map(|(_, name)| name).collect();
            if figures[0] != figures[1] {
                assert_eq!(names, ticks);
            }
            assert!(figures.iter().all(|&figure| (0.0..=100.0).contains(&scale.place(figure))));
        }
    }

    #[test]
    fn figures_that_reach_far_stand_on_a_logarithmic_axis() {
        let scale = Scale::over_any([2.0, 50.0, 200.0].into_iter(), [0.0, 100.0], 5.0);
        assert!((scale.place(20.0) - 50.0).abs() < 1e-9);
        let names: Vec<String> = scale.ticks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["2", "5", "10", "20", "50", "100", "200"]);
        let scale = Scale::over_any([0.0, 200.0].into_iter(), [0.0, 100.0], 5.0);
        assert!((scale.place(20.0) - 10.0).abs() < 1e-9);
    }
}
