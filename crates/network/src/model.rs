//! A network with its numbers, and the file it is kept in.
//!
//! The file is of the safetensors format. Its header names the game, the version of the rules, the
//! encoder and the description, so that a network that does not fit is refused with a reason.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use meeple_core::{Encoder, Game};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use crate::description::Description;
use crate::graph::{DescriptionError, Graph, Ports};
use crate::parameters::Parameters;

/// What a network is for, and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub game: String,
    /// Rules that differ from the defaults, as on the command line.
    #[serde(default)]
    pub rules: String,
    /// The version of the game's rules.
    pub version: u32,
    pub encoder: String,
    /// Whether it is also shown what is hidden from the player to move. Such a network stands for players who see all
    /// cards, and never plays as a fair one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    pub ports: Ports,
    pub description: Description,
    #[serde(default)]
    pub training: Training,
}

/// How a network was trained.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Training {
    pub seed: u64,
    pub iterations: u32,
    pub games: u64,
    pub positions: u64,
    pub updates: u64,
    /// Of all threads.
    pub cpu_hours: f64,
}

/// A network that can be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub header: Header,
    pub graph: Graph,
    pub parameters: Parameters,
}

/// Why a file is no model, or no model for this game, as one sentence.
#[derive(Debug)]
pub enum ModelError {
    Io(PathBuf, io::Error),
    /// Not of the format, damaged, or with numbers that are none.
    Damaged(PathBuf, String),
    Description(DescriptionError),
    /// Made for something else.
    Unfit(String),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            ModelError::Damaged(path, why) => write!(f, "{} is not a usable model: {why}", path.display()),
            ModelError::Description(error) => error.fmt(f),
            ModelError::Unfit(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ModelError {}

impl From<DescriptionError> for ModelError {
    fn from(error: DescriptionError) -> ModelError {
        ModelError::Description(error)
    }
}

/// The key of the header in the file.
const HEADER: &str = "meeple";
/// No model that ships or can be trained here comes near it.
const LARGEST_FILE: u64 = 1 << 30;

impl Header {
    /// For a game as it is played here.
    pub fn new<G: Game>(game: &G, rules: &str, encoder: &dyn Encoder<G>, description: Description) -> Header {
        let info = game.info();
        Header {
            game: info.name.to_string(),
            rules: rules.to_string(),
            version: info.version,
            encoder: encoder.name().to_string(),
            open: false,
            ports: Ports::of(encoder, info.players),
            description,
            training: Training::default(),
        }
    }

    /// The same for a network that is also shown what is hidden.
    pub fn opened<G: Game>(self, game: &G, encoder: &dyn Encoder<G>) -> Header {
        Header { open: true, ports: self.ports.with_hidden(encoder.hidden_shape(game)), ..self }
    }

    /// The encoder of the game that this network was trained with; an error if the network does
    /// not fit the game as it is played.
    pub fn encoder<G: Game>(&self, game: &G) -> Result<Box<dyn Encoder<G>>, ModelError> {
        let info = game.info();
        let unfit = |why: String| Err(ModelError::Unfit(format!("the model {why}")));
        if self.game != info.name {
            return unfit(format!("plays {}, not {}", self.game, info.name));
        }
        if self.version != info.version {
            return unfit(format!(
                "knows version {} of the rules of {}, not {}",
                self.version, self.game, info.version
            ));
        }
        let encoders = game.encoders();
        let names: Vec<&str> = encoders.iter().map(|encoder| encoder.name()).collect();
        let Some(place) = names.iter().position(|&name| name == self.encoder) else {
            return unfit(format!(
                "was trained with the encoder `{}`, which {} does not have (it has: {})",
                self.encoder,
                self.game,
                names.join(", ")
            ));
        };
        let encoder = encoders.into_iter().nth(place).expect("it was just found");
        let mut ports = Ports::of(encoder.as_ref(), info.players);
        if self.open {
            ports = ports.with_hidden(encoder.hidden_shape(game));
        }
        if ports != self.ports {
            return unfit(format!(
                "was trained for other rules of {} ({}): its input and output have other sizes",
                self.game,
                if self.rules.is_empty() { "the usual ones" } else { &self.rules }
            ));
        }
        Ok(encoder)
    }
}

impl Model {
    pub fn new(header: Header, parameters: Parameters) -> Result<Model, DescriptionError> {
        let graph = Graph::new(&header.description, header.ports)?;
        debug_assert_eq!(graph.parameters.len(), parameters.0.len());
        Ok(Model { header, graph, parameters })
    }

    /// Writes beside the place and moves it there, so that there is never half a file.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        let io_error = |error| ModelError::Io(path.to_path_buf(), error);
        let part = path.with_extension("part");
        let written = fs::File::create(&part).and_then(|mut file| {
            file.write_all(&self.to_bytes())?;
            file.sync_data()?;
            fs::rename(&part, path)
        });
        written.map_err(io_error)
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let header = serde_json::to_string(&self.header).expect("a header is plain data");
        let bytes: Vec<Vec<u8>> = self
            .parameters
            .0
            .iter()
            .map(|values| values.iter().flat_map(|value| value.to_le_bytes()).collect())
            .collect();
        let views = self.graph.parameters.iter().zip(&bytes).map(|(info, bytes)| {
            let view =
                TensorView::new(Dtype::F32, info.shape.clone(), bytes).expect("as many numbers as the shape says");
            (info.name.clone(), view)
        });
        safetensors::serialize(views, Some(HashMap::from([(HEADER.to_string(), header)]))).expect("plain tensors")
    }

    pub fn load(path: &Path) -> Result<Model, ModelError> {
        let io_error = |error| ModelError::Io(path.to_path_buf(), error);
        let size = fs::metadata(path).map_err(io_error)?.len();
        if size > LARGEST_FILE {
            return Err(ModelError::Damaged(path.to_path_buf(), format!("it has {size} bytes")));
        }
        let bytes = fs::read(path).map_err(io_error)?;
        Model::from_bytes(&bytes).map_err(|why| ModelError::Damaged(path.to_path_buf(), why))
    }

    /// The reason, if these bytes are no model.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, String> {
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
        let header = metadata.metadata().as_ref().and_then(|entries| entries.get(HEADER));
        let header = header.ok_or("it has no header of a Meeple network")?;
        let header: Header = serde_json::from_str(header).map_err(|error| format!("its header: {error}"))?;
        let graph = Graph::new(&header.description, header.ports).map_err(|error| error.0)?;
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
        let mut values = Vec::with_capacity(graph.parameters.len());
        for info in &graph.parameters {
            let tensor = tensors.tensor(&info.name).map_err(|_| format!("{} is missing", info.name))?;
            if tensor.dtype() != Dtype::F32 || tensor.shape() != info.shape {
                return Err(format!("{} has another type or shape than the header says", info.name));
            }
            let numbers = tensor.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
            values.push(numbers.collect());
        }
        if tensors.len() != values.len() {
            return Err("it has tensors that the header does not know".to_string());
        }
        let parameters = Parameters(values);
        if let Some(name) = parameters.first_broken(&graph) {
            return Err(format!("{name} has numbers that are infinite, none, or below what they may be"));
        }
        Ok(Model { header, graph, parameters })
    }
}
