//! `meeple export`: a network for programs of others.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

/// Write a network in another format
#[derive(Args)]
#[command(after_help = "Example: meeple export just4fun/cardfieldnet --onnx cardfieldnet.onnx")]
pub(crate) struct Arguments {
    /// A file, or the short name of a network that ships
    model: String,
    /// Write it as an ONNX file: `input` as the encoder writes it; `policy` (logits) and `values` come out
    #[arg(long, value_name = "FILE")]
    onnx: PathBuf,
    /// Say what was written as a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let model = meeple_catalog::model(&arguments.model)?;
    let bytes = meeple_network::to_onnx(&model);
    std::fs::write(&arguments.onnx, &bytes).with_context(|| arguments.onnx.display().to_string())?;
    let header = &model.header;
    if arguments.json {
        let (game, encoder, parameters) = (&header.game, &header.encoder, model.parameters.count());
        let said = serde_json::json!({
            "file": arguments.onnx, "game": game, "encoder": encoder, "parameters": parameters, "bytes": bytes.len(),
        });
        println!("{said}");
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "{}: plays {}, encoder {}, {} parameters, {} bytes",
        arguments.onnx.display(),
        header.game,
        header.encoder,
        model.parameters.count(),
        bytes.len()
    );
    Ok(ExitCode::SUCCESS)
}
