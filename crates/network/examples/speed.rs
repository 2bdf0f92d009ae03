//! Evaluations per second of the networks of the theses: `cargo run --release --example speed`.

use std::sync::Arc;

use meeple_core::{Rng, Shape};
use meeple_network::description::Description;
use meeple_network::{Compiled, Graph, Header, Model, Outputs, Parameters, Ports, Preset, Runner, Training, preset};

fn model(description: Description, ports: Ports) -> Model {
    let graph = Graph::new(&description, ports).unwrap();
    let parameters = Parameters::initial(&graph, &mut Rng::from_seed(1));
    let header = Header {
        game: String::new(),
        rules: String::new(),
        version: 1,
        encoder: String::new(),
        open: false,
        ports,
        description,
        training: Training::default(),
    };
    Model { header, graph, parameters }
}

fn main() {
    let fieldnet = Preset::Fieldnet(preset::FieldNet::default()).description();
    let cards = Preset::Cardfieldnet(preset::CardFieldNet::default()).description();
    let stack = Preset::Convolution(preset::Stack::default()).description();
    let nets = [
        ("fieldnet", fieldnet, Ports::new(Shape::planes(11, 6, 6), 36, 2)),
        ("cardfieldnet", cards, Ports::new(Shape { vector: 110, ..Shape::planes(11, 6, 6) }, 36, 2)),
        ("thesis001", stack, Ports::new(Shape::planes(2, 8, 8), 64, 2)),
    ];
    for (name, description, ports) in nets {
        let model = model(description, ports);
        let mut runner = Runner::new(Arc::new(Compiled::new(&model)));
        let length = ports.shape().len();
        let mut rng = Rng::from_seed(2);
        for batch in [1, 8, 32, 128] {
            let inputs: Vec<f32> = (0..batch * length).map(|_| f32::from(u8::from(rng.below(4) == 0))).collect();
            let mut outputs = Outputs::default();
            let best = best(|| runner.run(&inputs, batch, &mut outputs), batch);
            println!("{name} batch {batch}: {best:.0}/s");
        }
    }
    let description = Preset::ActionValue(preset::ActionValue::default()).description();
    let ports = Ports::new(Shape::planes(1, 4, 128), 271, 4);
    let model = model(description, ports);
    let mut runner = Runner::new(Arc::new(Compiled::new(&model)));
    let mut rng = Rng::from_seed(2);
    for states in [1, 16, 64] {
        let inputs: Vec<f32> = (0..states * 512).map(|_| f32::from(u8::from(rng.below(12) == 0))).collect();
        let actions: Vec<u32> = (0..states * 6).map(|_| rng.below(271)).collect();
        let mut outputs = Outputs::default();
        let best = best(|| runner.run_actions(&inputs, &vec![6; states], &actions, &mut outputs), states * 6);
        println!("783-512-512-1, {states} states of 6 actions: {best:.0}/s");
    }
}

/// Of ten short runs, by the time that this thread had a core.
fn best(mut run: impl FnMut(), batch: usize) -> f64 {
    let mut best = 0.0f64;
    for _ in 0..10 {
        let start = core_seconds();
        let mut done = 0;
        while core_seconds() - start < 0.1 {
            run();
            done += batch;
        }
        best = best.max(done as f64 / (core_seconds() - start));
    }
    best
}

fn core_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}
