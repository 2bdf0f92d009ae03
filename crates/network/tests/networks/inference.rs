//! Fast inference agrees with the plain loops of the reference, whatever the network, the
//! instructions and the batch.

use std::sync::Arc;

use meeple_core::Rng;
use meeple_network::kernels::Instructions;
use meeple_network::{Compiled, Model, Outputs, Runner, reference};

/// The largest difference, in units of the largest number.
fn difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    let largest = b.iter().fold(1.0f32, |largest, value| largest.max(value.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs() / largest).fold(0.0, f32::max)
}

fn expected(model: &Model, inputs: &[(&[f32], u32)]) -> Outputs {
    let mut outputs = Outputs::default();
    for &(input, action) in inputs {
        let results = reference::evaluate(model, input, action as usize);
        outputs.policy.extend(model.graph.policy.iter().flat_map(|&node| &results[node]));
        outputs.values.extend(model.graph.value.iter().flat_map(|&node| &results[node]));
    }
    outputs
}

#[test]
fn inference_agrees_with_the_reference() {
    for seed in 0..400 {
        let mut rng = Rng::from_seed(seed);
        let model = crate::common::random_model(&mut rng);
        let length = model.graph.ports.shape().len();
        let states = 1 + rng.below(20) as usize;
        let inputs: Vec<f32> = (0..states).flat_map(|_| crate::common::random_input(length, &mut rng)).collect();
        let counts: Vec<usize> = (0..states).map(|_| rng.below(9) as usize).collect();
        let actions: Vec<u32> = (0..counts.iter().sum()).map(|_| rng.below(model.graph.ports.policy as u32)).collect();
        let of_state = |state: usize| &inputs[state * length..][..length];
        let values_actions = model.graph.has_action_input();
        let pairs: Vec<(&[f32], u32)> = match values_actions {
            true => {
                let states = (0..states).flat_map(|state| std::iter::repeat_n(state, counts[state]));
                states.zip(&actions).map(|(state, &action)| (of_state(state), action)).collect()
            }
            false => (0..states).map(|state| (of_state(state), 0)).collect(),
        };
        let expected = expected(&model, &pairs);
        for instructions in Instructions::available() {
            let mut runner = Runner::new(Arc::new(Compiled::with(&model, instructions)));
            let mut outputs = Outputs::default();
            match values_actions {
                true => runner.run_actions(&inputs, &counts, &actions, &mut outputs),
                false => runner.run(&inputs, states, &mut outputs),
            }
            let worst =
                difference(&outputs.policy, &expected.policy).max(difference(&outputs.values, &expected.values));
            assert!(worst < 1e-4, "{worst} with {instructions:?}, seed {seed}: {:?}", model.header);
        }
    }
}

#[test]
fn networks_without_norms_say_the_same() {
    let mut folded = 0;
    for seed in 0..200 {
        let mut rng = Rng::from_seed(seed);
        let model = crate::common::random_model(&mut rng);
        let plain = model.without_norms().unwrap();
        assert_eq!(plain.without_norms().unwrap(), plain);
        folded += usize::from(plain.parameters.0.len() < model.parameters.0.len());
        let input = crate::common::random_input(model.graph.ports.shape().len(), &mut rng);
        let (said, before) = (expected(&plain, &[(&input, 0)]), expected(&model, &[(&input, 0)]));
        let worst = difference(&said.policy, &before.policy).max(difference(&said.values, &before.values));
        assert!(worst < 1e-4, "{worst}, seed {seed}: {:?}", model.header);
    }
    assert!(folded > 100, "only {folded} had norms");
}

/// A result depends neither on the batch that its input is in nor on its place there.
#[test]
fn results_do_not_depend_on_the_batch() {
    for seed in 0..60 {
        let mut rng = Rng::from_seed(1000 + seed);
        let model = crate::common::random_model(&mut rng);
        if model.graph.has_action_input() {
            continue;
        }
        let length = model.graph.ports.shape().len();
        let inputs: Vec<f32> = (0..256).flat_map(|_| crate::common::random_input(length, &mut rng)).collect();
        let mut runner = Runner::new(Arc::new(Compiled::new(&model)));
        let (mut whole, mut part) = (Outputs::default(), Outputs::default());
        runner.run(&inputs, 256, &mut whole);
        for (first, count) in [(0, 1), (7, 1), (255, 1), (100, 13), (0, 64), (1, 255)] {
            runner.run(&inputs[first * length..][..count * length], count, &mut part);
            let (policy, values) = (model.graph.policy_size(), model.graph.values());
            assert_eq!(part.policy, whole.policy[first * policy..][..count * policy], "seed {seed}");
            assert_eq!(part.values, whole.values[first * values..][..count * values], "seed {seed}");
        }
    }
}
