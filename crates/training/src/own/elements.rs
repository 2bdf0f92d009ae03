//! What happens to single numbers, and to the numbers of a channel: activations, noise, norms.
//!
//! Rows have room for a multiple of eight channels. All loops are plain; compared with those of
//! convolutions they take little time.

use meeple_network::description::Activation;
use meeple_network::kernels::{self, Instructions};

/// How a randomised ReLU treats negative numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slopes<'a> {
    /// After training.
    Mean,
    /// Random ones in rows of so many channels, without room.
    Drawn(&'a [f32], usize),
}

/// In place. Numbers that are none stay so.
pub(super) fn activate(
    instructions: Instructions,
    activation: Activation,
    values: &mut [f32],
    room: usize,
    slopes: Slopes<'_>,
) {
    match (activation, slopes) {
        (Activation::Identity, _) => {}
        (Activation::Relu, _) => values.iter_mut().for_each(|value| *value = if *value < 0.0 { 0.0 } else { *value }),
        (Activation::RandomisedRelu, Slopes::Mean) => {
            let leak = |value: &mut f32| *value *= if *value < 0.0 { Activation::SLOPE } else { 1.0 };
            values.iter_mut().for_each(leak);
        }
        (Activation::RandomisedRelu, Slopes::Drawn(slopes, channels)) => {
            let leak = |value: &mut f32, slope: f32| *value *= if *value < 0.0 { slope } else { 1.0 };
            with_factors(values, room, slopes, channels, leak);
        }
        (Activation::Selu, _) => kernels::selu(instructions, values, Activation::SELU_SCALE, Activation::SELU_ALPHA),
        (Activation::Tanh, _) => kernels::tanh(instructions, values),
    }
}

/// Turns the slopes of an activation's results into those of its inputs, by its results.
pub(super) fn activate_backwards(
    activation: Activation,
    gradient: &mut [f32],
    results: &[f32],
    room: usize,
    slopes: Slopes<'_>,
) {
    let numbers = gradient.iter_mut().zip(results);
    match (activation, slopes) {
        (Activation::Identity, _) => {}
        (Activation::Relu, _) => numbers.for_each(|(slope, &result)| *slope = if result > 0.0 { *slope } else { 0.0 }),
        (Activation::RandomisedRelu, Slopes::Mean) => {
            numbers.for_each(|(slope, &result)| *slope *= if result < 0.0 { Activation::SLOPE } else { 1.0 });
        }
        (Activation::RandomisedRelu, Slopes::Drawn(slopes, channels)) => {
            let rows = gradient.chunks_exact_mut(room).zip(results.chunks_exact(room));
            for ((gradient, results), slopes) in rows.zip(slopes.chunks_exact(channels)) {
                // All are read, whether they count or not, so that there is no branch.
                for ((slope, &result), &factor) in gradient.iter_mut().zip(results).zip(slopes) {
                    *slope *= if result < 0.0 { factor } else { 1.0 };
                }
            }
        }
        (Activation::Selu, _) => {
            let (scale, alpha) = (Activation::SELU_SCALE, Activation::SELU_ALPHA);
            numbers.for_each(|(slope, &result)| *slope *= if result > 0.0 { scale } else { result + scale * alpha });
        }
        (Activation::Tanh, _) => numbers.for_each(|(slope, result)| *slope *= 1.0 - result * result),
    }
}

/// Multiplies by what a dropout has drawn, forwards and backwards.
pub(super) fn drop_out(values: &mut [f32], room: usize, factors: &[f32], channels: usize) {
    with_factors(values, room, factors, channels, |value, factor| *value *= factor);
}

fn with_factors(values: &mut [f32], room: usize, factors: &[f32], channels: usize, change: impl Fn(&mut f32, f32)) {
    for (row, factors) in values.chunks_exact_mut(room).zip(factors.chunks_exact(channels)) {
        row.iter_mut().zip(factors).for_each(|(value, &factor)| change(value, factor));
    }
}

/// Sums over all rows of what `make` says of the number of a row and of a channel's place in it,
/// for eight channels at a time.
fn sum_rows(rows: usize, room: usize, sums: &mut [f32], mut make: impl FnMut(usize, usize) -> [f32; 8]) {
    for channel in (0..room).step_by(8) {
        let mut four = [[0.0f32; 8]; 4];
        let mut add = |row: usize| {
            let made = make(row * room + channel, channel);
            four[row % 4].iter_mut().zip(made).for_each(|(sum, value)| *sum += value);
        };
        (0..rows).for_each(&mut add);
        for lane in 0..8 {
            sums[channel + lane] = (four[0][lane] + four[1][lane]) + (four[2][lane] + four[3][lane]);
        }
    }
}

fn eight(values: &[f32], place: usize) -> [f32; 8] {
    values[place..place + 8].try_into().expect("eight of them")
}

/// The sum of each channel.
pub(super) fn sum_channels(values: &[f32], room: usize, sums: &mut [f32]) {
    sum_rows(values.len() / room, room, sums, |place, _| eight(values, place));
}

/// The mean of each channel, and the sums of the squares of what differs from it.
pub(super) fn moments(values: &[f32], room: usize) -> Vec<f32> {
    let rows = values.len() / room;
    let mut moments = vec![0.0; 2 * room];
    let (means, squares) = moments.split_at_mut(room);
    sum_channels(values, room, means);
    means.iter_mut().for_each(|mean| *mean /= rows as f32);
    sum_rows(rows, room, squares, |place, channel| {
        let (values, means) = (eight(values, place), eight(means, channel));
        std::array::from_fn(|lane| (values[lane] - means[lane]) * (values[lane] - means[lane]))
    });
    moments
}

/// What a norm knows of a batch, by channel.
#[derive(Clone, Debug, Default)]
pub(super) struct NormState {
    pub means: Vec<f32>,
    /// One by the root of the variance.
    pub inverses: Vec<f32>,
    pub scales: Vec<f32>,
    pub offsets: Vec<f32>,
}

impl NormState {
    pub(super) fn normalise(&self, values: &[f32], results: &mut [f32]) {
        let room = self.means.len();
        let factors: Vec<f32> =
            self.inverses.iter().zip(&self.scales).map(|(inverse, scale)| inverse * scale).collect();
        for (row, results) in values.chunks_exact(room).zip(results.chunks_exact_mut(room)) {
            for channel in 0..room {
                results[channel] = (row[channel] - self.means[channel]) * factors[channel] + self.offsets[channel];
            }
        }
    }

    /// By channel, the sums of the slopes, and of the slopes times the normalised values.
    pub(super) fn slope_sums(&self, values: &[f32], gradient: &[f32]) -> Vec<f32> {
        let room = self.means.len();
        let mut sums = vec![0.0; 2 * room];
        let (plain, by_value) = sums.split_at_mut(room);
        sum_channels(gradient, room, plain);
        sum_rows(gradient.len() / room, room, by_value, |place, channel| {
            let (values, slopes) = (eight(values, place), eight(gradient, place));
            let (means, inverses) = (eight(&self.means, channel), eight(&self.inverses, channel));
            std::array::from_fn(|lane| slopes[lane] * ((values[lane] - means[lane]) * inverses[lane]))
        });
        sums
    }

    /// Turns the slopes of the results into those of the values. `sums` are those of the whole
    /// batch, of so many fields.
    pub(super) fn backwards(&self, values: &[f32], gradient: &mut [f32], sums: &[f32], fields: usize) {
        let room = self.means.len();
        let (plain, by_value) = sums.split_at(room);
        // slope * factor + value * slant + shift
        let factors: Vec<f32> = (0..room).map(|channel| self.inverses[channel] * self.scales[channel]).collect();
        let slants: Vec<f32> = (0..room)
            .map(|channel| -factors[channel] * self.inverses[channel] * by_value[channel] / fields as f32)
            .collect();
        let shifts: Vec<f32> = (0..room).map(|channel| -factors[channel] * plain[channel] / fields as f32).collect();
        for (row, slopes) in values.chunks_exact(room).zip(gradient.chunks_exact_mut(room)) {
            for channel in 0..room {
                slopes[channel] = slopes[channel] * factors[channel]
                    + (row[channel] - self.means[channel]) * slants[channel]
                    + shifts[channel];
            }
        }
    }
}

/// `columns` of rows that are `stride` apart, as rows of as many numbers as there are rows.
pub(super) fn transpose(values: &[f32], stride: usize, columns: usize, rows: usize, to: &mut [f32]) {
    const SIDE: usize = 8;
    for first_row in (0..rows).step_by(SIDE) {
        let rows_here = SIDE.min(rows - first_row);
        for first_column in (0..columns).step_by(SIDE) {
            for column in first_column..columns.min(first_column + SIDE) {
                let to = &mut to[column * rows + first_row..][..rows_here];
                let from = &values[first_row * stride + column..];
                to.iter_mut().enumerate().for_each(|(row, to)| *to = from[row * stride]);
            }
        }
    }
}
