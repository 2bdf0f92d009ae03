//! Weights files: what is saved comes back, and what is damaged or made for something else is
//! refused with a reason.

use meeple_core::{Game, Rng, Shape};
use meeple_games::{TicTacToe, connect_four};
use meeple_network::description::Description;
use meeple_network::{Graph, Header, Model, ModelError, Parameters, Ports, Preset, Role, preset};

#[test]
fn saved_models_come_back() {
    for seed in 0..40 {
        let model = crate::common::random_model(&mut Rng::from_seed(seed));
        assert_eq!(Model::from_bytes(&model.to_bytes()).unwrap(), model, "seed {seed}");
    }
}

/// A file that is cut off or changed anywhere is an error, or differs in nothing but numbers.
#[test]
fn damaged_files_are_refused() {
    let model = crate::common::random_model(&mut Rng::from_seed(3));
    let bytes = model.to_bytes();
    for length in (0..bytes.len()).step_by(17) {
        assert!(Model::from_bytes(&bytes[..length]).is_err(), "cut off at {length}");
    }
    let mut rng = Rng::from_seed(1);
    let mut refused = 0;
    for _ in 0..3_000 {
        let mut changed = bytes.clone();
        let place = rng.below(2_000.min(bytes.len() as u32)) as usize;
        changed[place] = rng.below(256) as u8;
        refused += usize::from(Model::from_bytes(&changed).is_err());
    }
    assert!(refused > 500, "only {refused} of 3000 changed headers were refused");
    let mut infinite = model.clone();
    infinite.parameters.0[0][0] = f32::NAN;
    let reason = Model::from_bytes(&infinite.to_bytes()).unwrap_err();
    assert!(reason.contains("infinite, none"), "{reason}");
    let place = |model: &Model| model.graph.parameters.iter().position(|info| info.role == Role::Variance);
    let models = (0..40).map(|seed| crate::common::random_model(&mut Rng::from_seed(seed)));
    let (variance, mut shrunk) = models.filter_map(|model| Some((place(&model)?, model))).next().unwrap();
    shrunk.parameters.0[variance][0] = -0.5;
    let reason = Model::from_bytes(&shrunk.to_bytes()).unwrap_err();
    assert!(reason.contains("below what they may be"), "{reason}");
}

/// Sizes that would take all memory are refused before anything is allocated.
#[test]
fn hostile_sizes_are_refused() {
    let ports = Ports::new(Shape::planes(3, 8, 8), 10, 2);
    for network in [
        r#"{"common": [{"dense": {"size": 4000000000}}], "value": {}}"#,
        r#"{"common": [{"dense": {"size": 65000}}, {"dense": {"size": 65000}}], "value": {}}"#,
        r#"{"board": [{"residual": {"blocks": 1000000, "filters": 3}}], "value": {}}"#,
        r#"{"board": [{"convolution": {"filters": 4, "kernel": 4}}], "value": {}}"#,
        r#"{"common": [{"dense": {"size": 4, "dropout": 1.5}}], "value": {}}"#,
        r#"{"common": [{"dense": {"size": 4, "norm": 0}}], "value": {}}"#,
        r#"{"vector": [{"dense": {"size": 4}}], "value": {}}"#,
        r#"{"common": [{"dense": {"size": 4}}, {"convolution": {"filters": 4}}], "value": {}}"#,
        r#"{"board": [{"residual": {"blocks": 1, "filters": 5}}], "value": {}}"#,
        r#"{"board": []}"#,
        // Few weights, but very many results in between.
        r#"{"board": [{"convolution": {"filters": 65000, "kernel": 1}}, {"convolution": {"filters": 4, "kernel": 1}},
                      {"convolution": {"filters": 65000, "kernel": 1}}, {"convolution": {"filters": 4, "kernel": 1}},
                      {"convolution": {"filters": 65000, "kernel": 1}}], "value": {}}"#,
    ] {
        let description: Description = serde_json::from_str(network).unwrap();
        let error = Graph::new(&description, ports).unwrap_err();
        assert!(!error.0.is_empty() && error.0.len() < 200, "{network}: {error}");
    }
}

/// The networks of the theses, counted by hand.
#[test]
fn presets_have_the_printed_sizes() {
    let weights = |preset: Preset, ports| {
        let graph = Graph::new(&preset.description(), ports).unwrap();
        let learnt = graph.parameters.iter().filter(|info| info.is_learnt());
        learnt.map(|info| info.count()).sum::<usize>()
    };
    let fields = Ports::new(Shape::planes(11, 6, 6), 36, 2);
    let norm = |channels: usize| 2 * channels;
    let trunk = 9 * 11 * 16 + 6 * 9 * 16 * 16 + 7 * norm(16);
    let policy = 16 * 6 + norm(6) + 36 * 6 * 36 + 36;
    let value = 16 * 8 + norm(8) + 36 * 8 * 8 + 8 + 8 + 1;
    assert_eq!(weights(Preset::Fieldnet(preset::FieldNet::default()), fields), trunk + policy + value);
    // The thesis also counts biases before batch norms.
    assert_eq!(trunk + policy + value + 7 * 16 + 6 + 8, 26_143);
    let cards = Ports::new(Shape { vector: 110, ..Shape::planes(11, 6, 6) }, 36, 2);
    let board = trunk + 16 * 16 + norm(16) + 36 * 16 * 48 + 48;
    let dense = |inputs: usize, outputs: usize| inputs * outputs + norm(outputs);
    let hand = dense(110, 32) + dense(32, 48);
    let common = dense(96, 48) + 2 * dense(48, 48);
    let policy = dense(48, 32) + dense(32, 32) + dense(32, 36);
    let value = dense(48, 16) + 3 * dense(16, 16) + 16 + 1;
    let all = board + hand + common + policy + value;
    assert_eq!(weights(Preset::Cardfieldnet(preset::CardFieldNet::default()), cards), all);
    let biases = 8 * 16 + (32 + 48) + 3 * 48 + (2 * 32 + 36) + 4 * 16;
    assert_eq!(all + biases, 64_445);
    let squares = Ports::new(Shape::planes(2, 8, 8), 0, 2);
    let stack = 9 * 2 * 64 + 64 + 2 * (9 * 64 * 64 + 64) + 64 * 64 * 100 + 100 + 101;
    assert_eq!(weights(Preset::Convolution(preset::Stack::default()), squares), stack);
    let keezen = Ports::new(Shape::planes(1, 4, 128), 271, 4);
    let dense = 783 * 512 + 512 + 512 * 512 + 512 + 512 + 1;
    assert_eq!(weights(Preset::ActionValue(preset::ActionValue::default()), keezen), dense);
}

#[test]
fn models_are_refused_by_other_games() {
    let game = TicTacToe;
    let encoder = &*game.encoders().remove(0);
    let description = Preset::Dense(preset::DenseStack::default()).description();
    let header = Header::new(&game, "", encoder, description);
    assert!(header.encoder(&game).is_ok());
    let reason = |header: &Header| match header.encoder(&game) {
        Err(ModelError::Unfit(reason)) => reason,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("the model was taken"),
    };
    let other = Header { game: "connect-four".to_string(), ..header.clone() };
    assert_eq!(reason(&other), "the model plays connect-four, not tic-tac-toe");
    let other = Header { version: 99, ..header.clone() };
    assert_eq!(
        reason(&other),
        format!("the model knows version 99 of the rules of tic-tac-toe, not {}", header.version)
    );
    let other = Header { encoder: "cubes".to_string(), ..header.clone() };
    assert!(reason(&other).contains("the encoder `cubes`"), "{}", reason(&other));
    let mut other = header.clone();
    other.ports.rows = 4;
    assert!(reason(&other).contains("other rules"), "{}", reason(&other));
    let four = connect_four::ConnectFour::<u64>::new(connect_four::Size::default());
    assert!(header.encoder(&four).is_err());
}

/// Lines are where they should be, for every plane.
#[test]
fn line_kernels_come_first() {
    let preset = preset::FieldNet { lines: Some(Default::default()), ..Default::default() };
    let graph = Graph::new(&Preset::Fieldnet(preset).description(), Ports::new(Shape::planes(2, 6, 6), 36, 2)).unwrap();
    let first = &Parameters::initial(&graph, &mut Rng::from_seed(1)).0[0];
    let weight =
        |row: usize, column: usize, plane: usize, filter: usize| first[((row * 3 + column) * 2 + plane) * 16 + filter];
    for plane in 0..2 {
        for step in 0..3 {
            assert_eq!(weight(step, 1, plane, 0), 2.0, "vertical");
            assert_eq!(weight(1, step, plane, 1), 2.0, "horizontal");
            assert_eq!(weight(2 - step, step, plane, 2), 2.0, "rising");
            assert_eq!(weight(step, step, plane, 3), 2.0, "falling");
        }
    }
}
