use std::sync::Arc;

use meeple_core::Rng;
use meeple_network::description::{Activation, Dense, Description, Layer, ValueHead};
use meeple_network::samples::Choice;
use meeple_network::{Compiled, Graph, Model, Outputs, Ports, Role, Runner, reference};
use meeple_training::{Backend, Batch, BurnBackend, Gradients, Judged, LossSettings, Losses, Noise, OwnBackend, loss};

use crate::networks::{self, Network};

const SETTINGS: LossSettings =
    LossSettings { value: 0.7, policy: 1.2, invalid: 0.4, decay: 0.01, ratio: 0.3, entropy: 0.2 };

fn all() -> Vec<Network> {
    let mut networks = networks::presets(&mut Rng::from_seed(1));
    let activations =
        [Activation::Identity, Activation::Relu, Activation::RandomisedRelu, Activation::Selu, Activation::Tanh];
    networks.extend((0..60).map(|number| networks::random(number, &activations)));
    networks
}

fn gradients(backend: &mut dyn Backend, network: &Network, batch: &Batch, noise: &Noise) -> (Losses, Gradients) {
    let mut gradients = Gradients::zeros(network.graph());
    let parameters = &network.model.parameters;
    let losses = loss::gradients(backend, network.graph(), parameters, batch, &SETTINGS, noise, &mut gradients);
    (losses, gradients)
}

/// Two batches: in the second one most of the inputs are 0, as they are of games with cards.
fn batches(network: &Network, count: usize, rng: &mut Rng) -> [Batch; 2] {
    let mut sparse = Batch::random(network.graph(), count, rng);
    sparse.inputs.iter_mut().filter(|_| rng.below(10) > 0).for_each(|input| *input = 0.0);
    [Batch::random(network.graph(), count, rng), sparse]
}

fn length(values: impl Iterator<Item = f32>) -> f32 {
    values.map(|value| value * value).sum::<f32>().sqrt()
}

#[test]
fn backends_agree_on_losses_and_gradients() {
    let mut rng = Rng::from_seed(2);
    for (number, network) in all().iter().enumerate() {
        let (graph, name) = (network.graph(), &network.name);
        let mut own = OwnBackend::new(graph, 1 + number % 3);
        gradients(&mut own, network, &Batch::random(graph, 2, &mut rng), &Noise::draw(graph, 2, &mut rng));
        for batch in batches(network, 9, &mut rng) {
            let noise = Noise::draw(graph, batch.count, &mut rng);
            let (losses, expected) = gradients(&mut BurnBackend::cpu(graph), network, &batch, &noise);
            let (own_losses, found) = gradients(&mut own, network, &batch, &noise);
            assert!(
                (losses.total - own_losses.total).abs() < 1e-4 * losses.total.abs(),
                "{losses:?} {own_losses:?} {name}"
            );
            for (info, (expected, found)) in graph.parameters.iter().zip(expected.0.iter().zip(&found.0)) {
                let difference = length(expected.iter().zip(found).map(|(a, b)| a - b));
                let allowed = 1e-3 * length(expected.iter().copied()) + 1e-5 * losses.gradient_norm;
                assert!(difference <= allowed, "{}: {expected:?} {found:?} {name}", info.name);
            }
        }
    }
}

#[test]
fn gradients_are_the_differences_of_the_loss() {
    let mut rng = Rng::from_seed(3);
    for number in 0..24 {
        // Without bends, at which differences and slopes differ.
        let mut network = networks::random(number, &[Activation::Identity, Activation::Tanh]);
        let graph = network.graph().clone();
        let batch = Batch::random(&graph, 6, &mut rng);
        let noise = Noise::draw(&graph, batch.count, &mut rng);
        let mut own = OwnBackend::new(&graph, 2);
        let (losses, found) = gradients(&mut own, &network, &batch, &noise);
        for (number, info) in graph.parameters.iter().enumerate().filter(|(_, info)| info.is_learnt()) {
            let before = network.model.parameters.0[number].clone();
            let direction: Vec<f32> = before.iter().map(|_| rng.normal() as f32).collect();
            let mut loss_at = |distance: f32| {
                let moved = before.iter().zip(&direction).map(|(value, step)| value + distance * step);
                network.model.parameters.0[number] = moved.collect();
                gradients(&mut own, &network, &batch, &noise).0.total
            };
            let step = 2e-3;
            let difference = (loss_at(step) - loss_at(-step)) / (2.0 * step);
            let slope: f32 = found.0[number].iter().zip(&direction).map(|(slope, step)| slope * step).sum();
            let allowed = 5e-3 * (slope.abs() + losses.gradient_norm);
            assert!((difference - slope).abs() < allowed, "{}: {difference}, not {slope}; {}", info.name, network.name);
            network.model.parameters.0[number] = before;
        }
    }
}

#[test]
fn networks_say_the_same_everywhere_after_training() {
    let mut rng = Rng::from_seed(4);
    for network in all() {
        let (graph, model) = (network.graph(), &network.model);
        let batch = Batch::random(graph, 3, &mut rng);
        let backends: [Box<dyn Backend>; 2] = [Box::new(BurnBackend::cpu(graph)), Box::new(OwnBackend::new(graph, 2))];
        let played = outputs_in_play(model, &batch);
        for mut backend in backends {
            let outputs = backend.outputs(&model.parameters, &batch);
            for (played, trained) in [(&played.policy, &outputs.policy), (&played.values, &outputs.values)] {
                assert_eq!(played.len(), trained.len(), "{}", network.name);
                for (played, trained) in played.iter().zip(trained) {
                    assert!((played - trained).abs() <= 1e-4 * trained.abs().max(1.0), "{}", network.name);
                }
            }
            let (mut policy, mut values) =
                (outputs.policy.chunks(graph.policy_size().max(1)), outputs.values.chunks(graph.values().max(1)));
            for (sample, input) in batch.inputs.chunks(graph.ports.shape().len()).enumerate() {
                let action = batch.actions.get(sample).map_or(0, |&action| action as usize);
                let expected = reference::evaluate(model, input, action);
                for (head, found) in [(graph.policy, &mut policy), (graph.value, &mut values)] {
                    let Some(node) = head else { continue };
                    for (expected, found) in expected[node].iter().zip(found.next().expect("a row for each sample")) {
                        assert!((expected - found).abs() <= 1e-4 * expected.abs().max(1.0), "{}", network.name);
                    }
                }
            }
        }
    }
}

/// What the network says where it plays.
fn outputs_in_play(model: &Model, batch: &Batch) -> Outputs {
    let mut runner = Runner::new(Arc::new(Compiled::new(model)));
    let mut outputs = Outputs::default();
    match model.graph.has_action_input() {
        true => runner.run_actions(&batch.inputs, &vec![1; batch.count], &batch.actions, &mut outputs),
        false => runner.run(&batch.inputs, batch.count, &mut outputs),
    }
    outputs
}

#[test]
fn frozen_filters_have_no_gradient() {
    let network = networks::presets(&mut Rng::from_seed(1)).swap_remove(0);
    let graph = network.graph();
    let batch = Batch::random(graph, 4, &mut Rng::from_seed(5));
    let noise = Noise::draw(graph, 4, &mut Rng::from_seed(6));
    let (_, found) = gradients(&mut OwnBackend::new(graph, 1), &network, &batch, &noise);
    let Role::Weight { frozen: 4, .. } = graph.parameters[0].role else { panic!("the first filters look for lines") };
    for filters in found.0[0].chunks(5) {
        assert!(filters[..4] == [0.0; 4] && filters[4] != 0.0);
    }
}

/// One number goes through a norm: 1, 2 and 3 have the mean 2 and the unbiased variance 1.
#[test]
fn norms_report_mean_and_unbiased_variance() {
    let ports = Ports { channels: 0, rows: 0, columns: 0, vector: 1, policy: 0, players: 2 };
    let description = Description {
        common: vec![Layer::Dense(Dense { norm: Some(0.5), ..Dense::new(1, Activation::Identity) })],
        value: Some(ValueHead::default()),
        ..Description::default()
    };
    let mut network = Network::new("norm", description, ports, &mut Rng::from_seed(1));
    network.model.parameters.0[0] = vec![1.0];
    let graph = network.graph();
    let batch = Batch { inputs: vec![1.0, 2.0, 3.0], ..Batch::random(graph, 3, &mut Rng::from_seed(1)) };
    let noise = Noise::draw(graph, 3, &mut Rng::from_seed(1));
    let (_, found) = gradients(&mut OwnBackend::new(graph, 2), &network, &batch, &noise);
    for (info, values) in graph.parameters.iter().zip(&found.0) {
        match info.role {
            Role::Mean => assert!((values[0] - 2.0).abs() < 1e-6, "{values:?}"),
            Role::Variance => assert!((values[0] - 1.0).abs() < 1e-6, "{values:?}"),
            _ => {}
        }
    }
}

/// By hand: two samples, of which the second counts three times as much; three actions, of which
/// the last is illegal; all logits 0, but that of the last ln 2.
#[test]
fn the_loss_is_the_published_one() {
    let network = networks::presets(&mut Rng::from_seed(1)).swap_remove(2);
    let mut graph = network.graph().clone();
    let policy = graph.policy.expect("a policy");
    graph.nodes[policy].size.channels = 3;
    let logits = [0.0, 0.0, std::f32::consts::LN_2];
    let outputs = meeple_network::Outputs { policy: [logits, logits].concat(), values: vec![0.5, -0.5] };
    let batch = Batch {
        count: 2,
        policies: vec![1.0, 0.0, 0.0, 0.5, 0.5, 0.0],
        legal: [true, true, false].repeat(2),
        values: vec![1.0, -1.0],
        weights: vec![1.0, 3.0],
        ..Batch::default()
    };
    let settings = LossSettings { value: 2.0, policy: 1.0, invalid: 0.1, decay: 0.0, ..LossSettings::default() };
    let (losses, slopes) = loss::of_outputs(&graph, &batch, &settings, &outputs);
    let ln_2 = std::f32::consts::LN_2;
    let expected = [
        (losses.value, 0.5),
        (losses.policy, ln_2),
        (losses.invalid, 0.05),
        (losses.illegal_mass, 0.5),
        (losses.entropy, 0.75 * ln_2),
        (losses.total, 0.55 + ln_2),
        (slopes.values[0], 2.0 * 0.25 * 2.0 * -0.5),
        (slopes.policy[0], 0.25 * (0.5 - 1.0 - 0.1 * 0.25 * 0.5)),
        (slopes.policy[5], 0.75 * 0.1 * 0.5 * 0.5),
    ];
    for (number, (found, expected)) in expected.into_iter().enumerate() {
        assert!((found - expected).abs() < 1e-6, "number {number}: {found}, not {expected}");
    }
    // Without the second policy the first counts alone.
    let batch = Batch { policies: vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0], ..batch };
    let (alone, slopes) = loss::of_outputs(&graph, &batch, &settings, &outputs);
    assert_eq!((alone.value, alone.policy, alone.entropy), (losses.value, ln_2, 0.0));
    assert!((slopes.policy[0] - (0.5 - 1.0 - 0.25 * 0.1 * 0.25 * 0.5)).abs() < 1e-6);
    assert!((slopes.policy[3] + 0.75 * 0.1 * 0.25 * 0.5).abs() < 1e-6);
}

/// Decisions that were drawn, each judged; two choices where there are outputs enough.
fn judged(graph: &Graph, batch: &Batch, rng: &mut Rng) -> Vec<Judged> {
    let mut one = |legal: &[bool]| {
        let outputs: Vec<u16> = (0..).zip(legal).filter(|(_, legal)| **legal).map(|(output, _)| output).collect();
        let parts = outputs.chunks(outputs.len().div_ceil(2)).filter(|part| part.len() > 1);
        let choices = parts.map(|part| Choice { among: part.into(), taken: *rng.choose(part) }).collect();
        Judged { choices, likelihood: -1.5 * rng.unit() as f32, advantage: rng.normal() as f32 }
    };
    batch.legal.chunks(graph.policy_size()).map(&mut one).collect()
}

/// Also where a probability has moved too far to be pulled on, which changes nothing in the neighbourhood.
#[test]
fn gradients_of_judged_decisions_are_the_differences_of_the_loss() {
    let mut rng = Rng::from_seed(4);
    let mut seen = 0;
    for number in 0..40 {
        let network = networks::random(number, &[Activation::Tanh]);
        let graph = network.graph();
        if graph.policy.is_none() {
            continue;
        }
        let count = 5;
        let mut batch = Batch::random(graph, count, &mut rng);
        batch.policies.fill(0.0);
        batch.judged = judged(graph, &batch, &mut rng);
        let size = graph.policy_size();
        let numbers = |count: usize, rng: &mut Rng| (0..count).map(|_| rng.normal() as f32).collect::<Vec<f32>>();
        let outputs =
            Outputs { policy: numbers(count * size, &mut rng), values: numbers(count * graph.values(), &mut rng) };
        let (_, slopes) = loss::of_outputs(graph, &batch, &SETTINGS, &outputs);
        for place in 0..count * size {
            let at = |distance: f32| {
                let mut outputs = outputs.clone();
                outputs.policy[place] += distance;
                f64::from(loss::of_outputs(graph, &batch, &SETTINGS, &outputs).0.total)
            };
            let step = 5e-3;
            let difference = ((at(step) - at(-step)) / f64::from(2.0 * step)) as f32;
            assert!((difference - slopes.policy[place]).abs() < 3e-3, "{difference}, not {}", slopes.policy[place]);
        }
        seen += 1;
    }
    assert!(seen > 10, "{seen} networks have a policy");
}

/// By hand: of two outputs with equal logits the first was taken when it had a probability of 0.4.
#[test]
fn what_turned_out_well_is_pulled_up_unless_it_is_far_enough() {
    let network = networks::presets(&mut Rng::from_seed(1)).swap_remove(2);
    let mut graph = network.graph().clone();
    graph.nodes[graph.policy.expect("a policy")].size.channels = 3;
    // The last one is illegal, which does not matter.
    let outputs = Outputs { policy: vec![0.3, 0.3, 2.0], values: vec![0.0] };
    let with = |advantage: f32, ratio: f32, entropy: f32| {
        let choices = [Choice { among: [0, 1].into(), taken: 0 }].into();
        let judged = vec![Judged { choices, likelihood: 0.4f32.ln(), advantage }];
        let (policies, legal) = (vec![0.0; 3], vec![true, true, false]);
        let batch =
            Batch { count: 1, policies, legal, values: vec![0.0], weights: vec![7.0], judged, ..Batch::default() };
        let settings = LossSettings { value: 0.0, policy: 1.0, invalid: 1.0, decay: 0.0, ratio, entropy };
        let (losses, slopes) = loss::of_outputs(&graph, &batch, &settings, &outputs);
        [losses.policy, losses.entropy, slopes.policy[0], slopes.policy[1]]
    };
    let close = |found: [f32; 4], expected: [f32; 4]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{found:?}, not {expected:?}");
    };
    let ln_2 = std::f32::consts::LN_2;
    // It is 1.25 times as likely as it was.
    close(with(2.0, 0.3, 0.0), [-2.5, ln_2, -1.25, 1.25]);
    close(with(2.0, 0.2, 0.0), [-2.4, ln_2, 0.0, 0.0]);
    close(with(-2.0, 0.2, 0.0), [2.5, ln_2, 1.25, -1.25]);
    // Both are equally likely, so that the entropy is at its highest.
    close(with(2.0, 0.3, 0.5), [-2.5 - 0.5 * ln_2, ln_2, -1.25, 1.25]);
}
