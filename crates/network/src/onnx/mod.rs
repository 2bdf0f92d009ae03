//! A network as an ONNX file, for programs of others.
//!
//! The input is what the encoder writes, `input` with a row for each sample, and for networks that
//! value actions `action` with one-hot rows; the outputs are `policy`, the logits, and `values`.
//! The header of the model goes along as the metadata entry `meeple`.

mod protobuf;

use crate::description::Activation;
use crate::graph::{NORM_EPSILON, Operation, Size};
use crate::model::Model;
use protobuf::Message;

/// Versions of the format and of the operators, old enough to be read everywhere.
const IR_VERSION: u64 = 8;
const OPERATORS: u64 = 13;

/// The bytes of the file.
pub fn to_onnx(model: &Model) -> Vec<u8> {
    let mut writer = Writer { model, graph: Message::default(), names: Vec::new(), made: 0 };
    for node in 0..model.graph.nodes.len() {
        let name = writer.node(node);
        writer.names.push(name);
    }
    let graph = writer.finish();
    let mut operators = Message::default();
    operators.text(1, "").number(2, OPERATORS);
    let mut header = Message::default();
    header.text(1, "meeple").text(2, &serde_json::to_string(&model.header).expect("a header is plain data"));
    let mut file = Message::default();
    file.number(1, IR_VERSION).text(2, "meeple").message(7, &graph).message(8, &operators).message(14, &header);
    file.into_bytes()
}

struct Writer<'a> {
    model: &'a Model,
    graph: Message,
    /// The value that each node of our graph came to.
    names: Vec<Value>,
    /// Numbers the values in between.
    made: usize,
}

/// ONNX convolves with channels before rows and columns; vectors have them last, as we do.
#[derive(Clone, Debug)]
struct Value {
    name: String,
    is_board: bool,
}

enum Attribute<'a> {
    Float(f32),
    Integer(i64),
    Integers(&'a [i64]),
}

impl Writer<'_> {
    fn finish(mut self) -> Message {
        let ports = self.model.graph.ports;
        self.graph.text(2, "network");
        self.graph.message(11, &information("input", ports.shape().len()));
        if self.model.graph.has_action_input() {
            self.graph.message(11, &information("action", ports.policy));
        }
        let heads = [("policy", self.model.graph.policy), ("values", self.model.graph.value)];
        for (name, node) in heads {
            let Some(node) = node else { continue };
            let from = self.flat(node);
            self.operation("Identity", &[&from], name, &[]);
            self.graph.message(12, &information(name, self.model.graph.nodes[node].size.count()));
        }
        self.graph
    }

    fn node(&mut self, number: usize) -> Value {
        let node = &self.model.graph.nodes[number];
        let planes = self.model.graph.ports.shape().len() - self.model.graph.ports.vector;
        let size = node.size;
        match node.operation {
            Operation::Planes => self.planes(planes, size),
            Operation::Vector => self.slice(planes, planes + size.channels),
            Operation::Action => Value { name: "action".to_string(), is_board: false },
            Operation::Convolution { weight, bias, kernel } => {
                let from = self.names[node.inputs[0]].name.clone();
                self.convolution(&from, (weight, bias), kernel)
            }
            Operation::Dense { weight, bias } => {
                let from = self.flat(node.inputs[0]);
                let mut inputs = vec![from, self.parameter(weight)];
                inputs.extend(bias.map(|bias| self.parameter(bias)));
                self.value("Gemm", &inputs, &[], false)
            }
            Operation::Norm { scale, offset, mean, variance, .. } => {
                let Value { name, is_board } = self.names[node.inputs[0]].clone();
                let parts = [scale, offset, mean, variance].map(|part| self.parameter(part));
                let inputs = [vec![name], parts.to_vec()].concat();
                self.value("BatchNormalization", &inputs, &[("epsilon", Attribute::Float(NORM_EPSILON))], is_board)
            }
            Operation::Activation(activation) => {
                let Value { name, is_board } = self.names[node.inputs[0]].clone();
                self.activation(activation, name, is_board)
            }
            Operation::Dropout(_) => self.names[node.inputs[0]].clone(),
            Operation::Add => {
                let inputs: Vec<String> = node.inputs.iter().map(|&from| self.names[from].name.clone()).collect();
                let is_board = self.names[node.inputs[0]].is_board;
                self.value("Add", &inputs, &[], is_board)
            }
            Operation::Join => {
                let inputs: Vec<String> = node.inputs.iter().map(|&from| self.flat(from)).collect();
                self.value("Concat", &inputs, &[("axis", Attribute::Integer(1))], false)
            }
        }
    }

    fn activation(&mut self, activation: Activation, from: String, is_board: bool) -> Value {
        let selu =
            [("alpha", Attribute::Float(Activation::SELU_ALPHA)), ("gamma", Attribute::Float(Activation::SELU_SCALE))];
        let (operation, attributes) = match activation {
            Activation::Identity => ("Identity", &[][..]),
            Activation::Relu => ("Relu", &[][..]),
            Activation::RandomisedRelu => ("LeakyRelu", &[("alpha", Attribute::Float(Activation::SLOPE))][..]),
            Activation::Selu => ("Selu", &selu[..]),
            Activation::Tanh => ("Tanh", &[][..]),
        };
        self.value(operation, &[from], attributes, is_board)
    }

    fn planes(&mut self, planes: usize, size: Size) -> Value {
        let Value { name, .. } = self.slice(0, planes);
        let shape = self.integers(&[-1, size.rows as i64, size.columns as i64, size.channels as i64]);
        let Value { name, .. } = self.value("Reshape", &[name, shape], &[], false);
        self.value("Transpose", &[name], &[("perm", Attribute::Integers(&[0, 3, 1, 2]))], true)
    }

    /// A part of the input.
    fn slice(&mut self, from: usize, to: usize) -> Value {
        let ends = [from, to, 1].map(|number| self.integers(&[number as i64]));
        self.value("Slice", &[vec!["input".to_string()], ends.to_vec()].concat(), &[], false)
    }

    fn convolution(&mut self, from: &str, (weight, bias): (usize, Option<usize>), kernel: usize) -> Value {
        let info = &self.model.graph.parameters[weight];
        let values = &self.model.parameters.0[weight];
        let (inputs, filters) = (info.shape[2], info.shape[3]);
        // Ours are ordered by row, column, input, output; theirs by output, input, row, column.
        let mut turned = Vec::with_capacity(values.len());
        for filter in 0..filters {
            for input in 0..inputs {
                turned.extend((0..kernel * kernel).map(|place| values[(place * inputs + input) * filters + filter]));
            }
        }
        self.tensor(&info.name, &[filters, inputs, kernel, kernel], &turned);
        let mut names = vec![from.to_string(), info.name.clone()];
        names.extend(bias.map(|bias| self.parameter(bias)));
        let margins = [(kernel / 2) as i64; 4];
        self.value("Conv", &names, &[("pads", Attribute::Integers(&margins))], true)
    }

    /// The value of a node as rows, its channels last.
    fn flat(&mut self, node: usize) -> String {
        let Value { name, is_board } = self.names[node].clone();
        if !is_board {
            return name;
        }
        let attributes = [("perm", Attribute::Integers(&[0, 2, 3, 1][..]))];
        let Value { name, .. } = self.value("Transpose", &[name], &attributes, true);
        let shape = self.integers(&[-1, self.model.graph.nodes[node].size.count() as i64]);
        self.value("Reshape", &[name, shape], &[], false).name
    }

    /// A parameter as it is.
    fn parameter(&mut self, number: usize) -> String {
        let info = &self.model.graph.parameters[number];
        self.tensor(&info.name, &info.shape, &self.model.parameters.0[number]);
        info.name.clone()
    }

    fn tensor(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        const FLOAT: u64 = 1;
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let mut tensor = Message::default();
        for &side in shape {
            tensor.number(1, side as u64);
        }
        tensor.number(2, FLOAT).text(8, name).bytes(9, &bytes);
        self.graph.message(5, &tensor);
    }

    fn integers(&mut self, values: &[i64]) -> String {
        const INTEGER: u64 = 7;
        let name = self.new_name();
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let mut tensor = Message::default();
        tensor.number(1, values.len() as u64).number(2, INTEGER).text(8, &name).bytes(9, &bytes);
        self.graph.message(5, &tensor);
        name
    }

    fn new_name(&mut self) -> String {
        self.made += 1;
        format!("value.{}", self.made)
    }

    fn value(
        &mut self,
        operation: &str,
        inputs: &[String],
        attributes: &[(&str, Attribute<'_>)],
        is_board: bool,
    ) -> Value {
        let name = self.new_name();
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        self.operation(operation, &inputs, &name, attributes);
        Value { name, is_board }
    }

    fn operation(
        &mut self,
        operation: &str,
        inputs: &[impl AsRef<str>],
        output: &str,
        attributes: &[(&str, Attribute<'_>)],
    ) {
        let mut node = Message::default();
        for input in inputs {
            node.text(1, input.as_ref());
        }
        node.text(2, output).text(3, output).text(4, operation);
        for (name, value) in attributes {
            node.message(5, &attribute(name, value));
        }
        self.graph.message(1, &node);
    }
}

fn attribute(name: &str, value: &Attribute<'_>) -> Message {
    const FLOAT: u64 = 1;
    const INTEGER: u64 = 2;
    const INTEGERS: u64 = 7;
    let mut message = Message::default();
    message.text(1, name);
    match value {
        Attribute::Float(value) => message.float(2, *value).number(20, FLOAT),
        Attribute::Integer(value) => message.number(3, *value as u64).number(20, INTEGER),
        Attribute::Integers(values) => {
            for &value in *values {
                message.number(8, value as u64);
            }
            message.number(20, INTEGERS)
        }
    };
    message
}

/// Rows of floats, as many as there are.
fn information(name: &str, columns: usize) -> Message {
    const FLOAT: u64 = 1;
    let (mut any, mut fixed, mut shape) = (Message::default(), Message::default(), Message::default());
    any.text(2, "batch");
    fixed.number(1, columns as u64);
    shape.message(1, &any).message(1, &fixed);
    let (mut tensor, mut kind, mut information) = (Message::default(), Message::default(), Message::default());
    tensor.number(1, FLOAT).message(2, &shape);
    kind.message(1, &tensor);
    information.text(1, name).message(2, &kind);
    information
}
