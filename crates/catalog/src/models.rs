//! Networks by name: files, and those that are part of the program.

use std::path::{Path, PathBuf};

use meeple_network::{Model, ModelError};

/// Names and bytes of the networks that ship.
static SHIPPED: &[(&str, &[u8])] = &[
    ("bisca/dense", include_bytes!("../../../models/bisca/dense.safetensors")),
    ("chinese-checkers/residual", include_bytes!("../../../models/chinese-checkers/residual.safetensors")),
    ("connect-four/residual", include_bytes!("../../../models/connect-four/residual.safetensors")),
    ("just4fun/cardfieldnet", include_bytes!("../../../models/just4fun/cardfieldnet.safetensors")),
    ("just4fun/fieldnet", include_bytes!("../../../models/just4fun/fieldnet.safetensors")),
    ("just4fun/four", include_bytes!("../../../models/just4fun/four.safetensors")),
    ("just4fun/three", include_bytes!("../../../models/just4fun/three.safetensors")),
    ("sueca/dense", include_bytes!("../../../models/sueca/dense.safetensors")),
    ("tic-tac-toe/dense", include_bytes!("../../../models/tic-tac-toe/dense.safetensors")),
];

/// The network with this name: a file; or a short name such as `just4fun/cardfieldnet`, for a file
/// of the folder that `MEEPLE_MODELS` names, of `models` here, or for a network that is part of the
/// program, whichever is found first.
pub fn model(name: &str) -> Result<Model, ModelError> {
    if Path::new(name).is_file() {
        return Model::load(Path::new(name));
    }
    let folders = std::env::var_os("MEEPLE_MODELS").map(PathBuf::from).into_iter().chain([PathBuf::from("models")]);
    let files = folders.map(|folder| folder.join(name).with_added_extension("safetensors"));
    if let Some(file) = files.into_iter().find(|file| file.is_file()) {
        return Model::load(&file);
    }
    let shipped = SHIPPED.iter().find(|(known, _)| *known == name);
    let Some((_, bytes)) = shipped else {
        let names = model_names().collect::<Vec<_>>().join(", ");
        return Err(ModelError::Unfit(format!("there is no model `{name}`: name a file or one of {names}")));
    };
    Model::from_bytes(bytes).map_err(|why| ModelError::Damaged(PathBuf::from(name), why))
}

/// The short names of the networks that ship.
pub fn model_names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}
