//! The gradients of weights agree with plain loops, for all instructions and odd sizes.

use meeple_core::Rng;
use meeple_network::kernels::{Boards, Instructions, padded, weight_gradient};

#[test]
fn gradients_of_weights_agree_with_plain_loops() {
    for seed in 0..200 {
        let mut rng = Rng::from_seed(seed);
        let mut below = |n: u32| 1 + rng.below(n) as usize;
        let (count, rows, columns, channels) = (below(9), below(8), below(8), below(20));
        let (kernel, width) = ([1, 3, 5][below(3) - 1], padded(below(40)));
        let stride = rows * columns * channels + below(5) - 1;
        let mut numbers = |length: usize| -> Vec<f32> { (0..length).map(|_| rng.normal() as f32).collect() };
        let input = numbers(count * stride);
        let outputs = numbers(count * rows * columns * width);
        let start = numbers(kernel * kernel * channels * width);
        let mut expected = start.clone();
        let margin = kernel / 2;
        for board in 0..count {
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                for place in 0..kernel * kernel {
                    let (y, x) = (row + place / kernel, column + place % kernel);
                    if y < margin || x < margin || y - margin >= rows || x - margin >= columns {
                        continue;
                    }
                    for channel in 0..channels {
                        let value = input[board * stride + ((y - margin) * columns + x - margin) * channels + channel];
                        for output in 0..width {
                            let gradient = outputs[((board * rows + row) * columns + column) * width + output];
                            expected[(place * channels + channel) * width + output] += value * gradient;
                        }
                    }
                }
            }
        }
        for instructions in Instructions::available() {
            let mut gradient = start.clone();
            let boards = Boards { values: &input, stride, count, rows, columns, channels };
            weight_gradient(instructions, boards, kernel, (&outputs, width), &mut gradient);
            let worst = gradient.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(worst < 1e-3, "{worst} with {instructions:?}, seed {seed}");
        }
    }
}
