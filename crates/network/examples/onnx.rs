//! Writes random networks of every description as ONNX files, with inputs and expected outputs as
//! JSON beside them, for `scripts/check-onnx.py`: `cargo run --example onnx -- FOLDER`.

#[path = "../tests/networks/common.rs"]
mod common;

use std::path::Path;

use meeple_core::Rng;
use meeple_network::{reference, to_onnx};

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).expect("a folder");
    for seed in 0..60u64 {
        let mut rng = Rng::from_seed(seed);
        let model = common::random_model(&mut rng);
        let input = common::random_input(model.graph.ports.shape().len(), &mut rng);
        let action = rng.below(model.graph.ports.policy as u32) as usize;
        let results = reference::evaluate(&model, &input, action);
        let head = |node: Option<usize>| node.map(|node| results[node].clone());
        let expected = serde_json::json!({
            "input": input,
            "action": model.graph.has_action_input().then_some(action),
            "actions": model.graph.ports.policy,
            "policy": head(model.graph.policy),
            "values": head(model.graph.value),
        });
        std::fs::write(Path::new(&folder).join(format!("{seed}.onnx")), to_onnx(&model))?;
        std::fs::write(Path::new(&folder).join(format!("{seed}.json")), expected.to_string())?;
    }
    Ok(())
}
