use meeple_core::Rng;
use meeple_network::description::{Activation, Description, ValueHead};
use meeple_network::{Graph, Parameters, Ports};
use meeple_training::{BackendKind, Batch, Learner, LossSettings, Method, OptimiserSettings, StepError};

use crate::networks;

const PLAIN: LossSettings =
    LossSettings { value: 1.0, policy: 1.0, invalid: 1.0, decay: 0.0, ratio: 0.2, entropy: 0.01 };

fn learner(graph: &Graph, parameters: &Parameters, kind: BackendKind, method: Method, clip: Option<f32>) -> Learner {
    let backend = kind.open(graph, 2).expect("built in");
    Learner::new(graph, parameters.clone(), OptimiserSettings { method, clip }, backend, 1)
}

/// A value that is a weighted sum of two inputs, with a bias; its weights begin with 0.
fn linear() -> (Graph, Parameters) {
    let ports = Ports { channels: 0, rows: 0, columns: 0, vector: 2, policy: 0, players: 2 };
    let value = ValueHead { activation: Activation::Identity, ..ValueHead::default() };
    let graph = Graph::new(&Description { value: Some(value), ..Description::default() }, ports).expect("plain");
    (graph, Parameters(vec![vec![0.0; 2], vec![0.0]]))
}

/// Of 3 a - 2 b + 1.
fn plane() -> Batch {
    let inputs = vec![0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    let values = inputs.chunks(2).map(|input| 3.0 * input[0] - 2.0 * input[1] + 1.0).collect();
    Batch { count: 4, inputs, values, weights: vec![1.0; 4], ..Batch::default() }
}

#[test]
fn every_optimiser_finds_a_plane() {
    let (graph, parameters) = linear();
    for (method, rate) in [(Method::ADAM, 0.1), (Method::RMS_PROP, 0.003), (Method::MOMENTUM, 0.1)] {
        let mut learner = learner(&graph, &parameters, BackendKind::Own, method, None);
        for _ in 0..3000 {
            learner.step(&plane(), &PLAIN, rate).expect("finite");
        }
        let found = learner.parameters().0.concat();
        for (found, expected) in found.iter().zip([3.0, -2.0, 1.0]) {
            assert!((found - expected).abs() < 0.01, "{method:?}: {found}, not {expected}");
        }
    }
}

/// The slopes of the plane at 0 are twice the mean of -z times the input: -3, -0.5 and -3.
#[test]
fn first_steps_are_those_of_the_books() {
    let (graph, parameters) = linear();
    let slopes = [-3.0f32, -0.5, -3.0];
    let norm = slopes.map(|slope| slope * slope).iter().sum::<f32>().sqrt();
    let check = |method, clip, expected: [f32; 3]| {
        let mut learner = learner(&graph, &parameters, BackendKind::Own, method, clip);
        let losses = learner.step(&plane(), &PLAIN, 0.1).expect("finite");
        assert!((losses.gradient_norm - norm).abs() < 1e-5);
        for (found, expected) in learner.parameters().0.concat().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-5, "{method:?} {clip:?}: {found}, not {expected}");
        }
    };
    check(Method::ADAM, None, [0.1; 3]);
    check(Method::RMS_PROP, None, slopes.map(|slope| -0.1 * slope / (0.1 * slope.abs() + 1e-5)));
    check(Method::MOMENTUM, None, slopes.map(|slope| -0.1 * slope));
    check(Method::MOMENTUM, Some(1.0), slopes.map(|slope| -0.1 * slope / norm));
    check(Method::MOMENTUM, Some(10.0), slopes.map(|slope| -0.1 * slope));
}

#[test]
fn a_network_learns_its_samples_on_every_backend() {
    let network = networks::presets(&mut Rng::from_seed(1)).swap_remove(0);
    let graph = network.graph();
    let batch = Batch::random(graph, 16, &mut Rng::from_seed(2));
    let after = [BackendKind::Own, BackendKind::Burn].map(|kind| {
        let mut learner = learner(graph, &network.model.parameters, kind, Method::ADAM, Some(5.0));
        let steps: Vec<_> = (0..60).map(|_| learner.step(&batch, &PLAIN, 0.01).expect("finite")).collect();
        let (first, last) = (steps[0], steps[59]);
        assert!(last.total - last.entropy < 0.3 * (first.total - first.entropy), "{kind:?}: {first:?} {last:?}");
        assert!(last.illegal_mass < 0.1 && last.policy < 1.1 * last.entropy, "{kind:?}: {last:?}");
        // With running means and variances, too.
        let seen = learner.losses(&batch, &PLAIN);
        assert!(seen.total - seen.entropy < 0.5 * (first.total - first.entropy), "{kind:?}: {seen:?}");
        steps[9].total
    });
    assert!((after[0] - after[1]).abs() < 0.02 * after[0], "{after:?}");
}

/// Of 3 a alone: the other input never changes anything.
#[test]
fn what_nothing_holds_on_to_ends_at_zero() {
    let (graph, _) = linear();
    let parameters = Parameters(vec![vec![0.5, 0.5], vec![0.0]]);
    let inputs = vec![1.0, 0.0, 2.0, 0.0];
    let batch = Batch { count: 2, values: vec![3.0, 6.0], weights: vec![1.0; 2], inputs, ..Batch::default() };
    let decaying = LossSettings { decay: 0.5, ..PLAIN };
    for (method, rate) in [(Method::ADAM, 0.01), (Method::RMS_PROP, 0.001), (Method::MOMENTUM, 0.1)] {
        let mut learner = learner(&graph, &parameters, BackendKind::Own, method, None);
        for _ in 0..3000 {
            learner.step(&batch, &decaying, rate).expect("finite");
        }
        let found = learner.parameters().0.concat();
        assert!(found[0] > 0.5 && found.iter().all(|weight| !weight.is_subnormal()), "{method:?}: {found:?}");
        assert!(method == Method::RMS_PROP || found[1].abs() < 1e-15, "{method:?}: {found:?}");
    }
}

#[test]
fn a_restored_learner_goes_on_exactly() {
    // With dropout and norms.
    let network = networks::presets(&mut Rng::from_seed(1)).swap_remove(1);
    let graph = network.graph();
    let batch = Batch::random(graph, 8, &mut Rng::from_seed(2));
    let new = || learner(graph, &network.model.parameters, BackendKind::Own, Method::ADAM, None);
    let run = |learner: &mut Learner| {
        for _ in 0..5 {
            learner.step(&batch, &LossSettings::default(), 0.01).expect("finite");
        }
    };
    let mut straight = new();
    run(&mut straight);
    let bytes = straight.to_bytes();
    run(&mut straight);
    let mut restored = new();
    restored.restore(&bytes).expect("its own bytes");
    assert_eq!(restored.steps(), 5);
    run(&mut restored);
    assert!(restored.parameters() == straight.parameters() && restored.steps() == 10);
    let mut other = learner(graph, &network.model.parameters, BackendKind::Own, Method::MOMENTUM, None);
    assert!(other.restore(&bytes).is_err_and(|why| why.contains("trained with Adam")));
    let (linear, parameters) = linear();
    let mut other = learner(&linear, &parameters, BackendKind::Own, Method::ADAM, None);
    assert!(other.restore(&bytes).is_err_and(|why| why.contains("value.last.weight")));
}

#[test]
fn numbers_that_are_none_stop_with_the_step_and_leave_the_parameters() {
    let (graph, parameters) = linear();
    for kind in [BackendKind::Own, BackendKind::Burn] {
        let mut learner = learner(&graph, &parameters, kind, Method::MOMENTUM, None);
        learner.step(&plane(), &PLAIN, 0.1).expect("finite");
        let good = learner.parameters().clone();
        let mut broken = plane();
        broken.inputs[3] = f32::NAN;
        assert_eq!(learner.step(&broken, &PLAIN, 0.1), Err(StepError::Batch { step: 2 }));
        broken.inputs[3] = 3e38;
        let error = learner.step(&broken, &PLAIN, 0.1).expect_err("the loss is too large");
        assert!(matches!(error, StepError::Loss { step: 2, parameter: Some(_), .. }), "{error}");
        let error = learner.step(&plane(), &PLAIN, f32::INFINITY).expect_err("the parameters are infinite");
        assert_eq!(error, StepError::Parameter { step: 2, parameter: "value.last.weight".to_string() });
        assert!(learner.parameters() == &good && learner.steps() == 1);
        learner.step(&plane(), &PLAIN, 0.1).expect("it can go on");
    }
}
