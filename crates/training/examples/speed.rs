//! Steps per second of a backend on a network: `speed BACKEND NETWORK [THREADS [BATCH [SECONDS]]]`.
//!
//! Backends are `own` and `burn` (and `wgpu`, `cuda` if built in); networks are `fieldnet` (thesis
//! 000: 16 filters, 3 blocks, 11 planes of 6 by 6, policy 36), `stack` (thesis 001: 3
//! convolutions of 64 filters over 2 planes of 8 by 8, 100 neurons, value) and `cards` (3 dense layers of 256 over 531
//! numbers, one in eight of which differs from 0, policy 40).

use std::time::{Duration, Instant};

use meeple_core::Rng;
use meeple_network::preset::{DenseStack, FieldNet, Stack};
use meeple_network::{Graph, Parameters, Ports, Preset};
use meeple_training::{BackendKind, Batch, Learner, LossSettings, OptimiserSettings};

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |place: usize, default: &'static str| arguments.get(place).map_or(default, |text| text);
    let number = |place, default| argument(place, default).parse::<usize>().map_err(|error| error.to_string());
    let (backend, network) = (argument(0, "own"), argument(1, "fieldnet"));
    let (threads, count, seconds) = (number(2, "2")?, number(3, "128")?, number(4, "5")?);

    let graph = graph(network)?;
    let kind = BackendKind::ALL.iter().find(|(name, _)| *name == backend).ok_or("no such backend")?.1;
    let mut rng = Rng::from_seed(1);
    let parameters = Parameters::initial(&graph, &mut rng);
    let mut batch = Batch::random(&graph, count, &mut rng);
    if network == "cards" {
        batch.inputs.iter_mut().filter(|_| rng.below(8) > 0).for_each(|input| *input = 0.0);
    }
    let opened = kind.open(&graph, threads)?;
    let mut learner = Learner::new(&graph, parameters, OptimiserSettings::default(), opened, 1);
    let mut step = || learner.step(&batch, &LossSettings::default(), 1e-3).map_err(|error| error.to_string());
    for _ in 0..3 {
        step()?;
    }
    let (begin, mut steps) = (Instant::now(), 0);
    while begin.elapsed() < Duration::from_secs(seconds as u64) {
        step()?;
        steps += 1;
    }
    let rate = f64::from(steps) / begin.elapsed().as_secs_f64();
    println!(
        "{backend} {network}, {threads} threads, batch {count}: {rate:.1} steps/s, {:.0} samples/s",
        rate * count as f64
    );
    Ok(())
}

fn graph(network: &str) -> Result<Graph, String> {
    let (preset, ports) = match network {
        "fieldnet" => {
            let ports = Ports { channels: 11, rows: 6, columns: 6, vector: 0, policy: 36, players: 2 };
            (Preset::Fieldnet(FieldNet::default()), ports)
        }
        "stack" => {
            let ports = Ports { channels: 2, rows: 8, columns: 8, vector: 0, policy: 0, players: 2 };
            (Preset::Convolution(Stack::default()), ports)
        }
        "cards" => {
            let ports = Ports { channels: 0, rows: 0, columns: 0, vector: 531, policy: 40, players: 4 };
            (Preset::Dense(DenseStack { layers: 3, neurons: 256, norm: Some(0.1), ..DenseStack::default() }), ports)
        }
        _ => return Err(format!("no network `{network}`: fieldnet, stack or cards")),
    };
    Graph::new(&preset.description(), ports).map_err(|error| error.to_string())
}
