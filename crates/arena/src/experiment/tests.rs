//! Files are read and checked.

use super::*;

const FILE: &str = r#"
    title = "t"
    source = "s"
    [[match]]
    name = "m"
    game = "connect-four"
    rules = { rows = 5 }
    agents = ["a:x=1", "b"]
    games = 100
    quick = 10
    published = [0.2, 0.3]
    [[match]]
    name = "n"
    game = "connect-four"
    agents = ["a", "b"]
    games = 100
    quick = 10
    published = { wins = 0.5, lead = { claim = "ahead", range = [0, 1] }, "wins by line" = 0.25 }
    show = ["length"]
    [[uniformity]]
    name = "u"
    sampler = "exact"
    hands = ["1111", "0111"]
    need = [2, 2]
    deals = 1000
    samples = 40
    quick = 4
    published = { "rejected at 5 %" = 0.05 }
"#;

#[test]
fn files_are_read_and_checked() {
    let experiment = Experiment::parse(FILE).unwrap();
    let [first, second, third] = &experiment.lines[..] else { panic!("three lines") };
    assert_eq!((first.parts(true)[0].games, first.parts(false)[0].games), (10, 100));
    assert_eq!(first.parts(true)[0].rules, "rows=5");
    assert_ne!(first.settings(true), first.settings(false));
    assert_ne!(first.settings(true), second.settings(true));
    assert!(third.parts(false).is_empty());
    for (from, to, part) in [
        ("[0.2, 0.3]", "[0.4, 0.3]", "the lower one first"),
        ("[0.2, 0.3]", "17", "between 0 and 1"),
        ("wins = 0.5", "luck = 0.5", "there is no figure `luck`; there are wins, draws"),
        ("quick = 10", "quick = 0", "at least one game"),
        ("quick = 10", "", "quick"),
        ("games = 100", "games = 100\nspeed = 3", "speed"),
        ("name = \"n\"", "name = \"M\"", "two lines are named like `M`"),
        ("name = \"n\"", "name = \"?\"", "a letter or a digit"),
        ("\"1111\", \"0111\"", "\"1110\", \"0110\"", "no deal fits"),
        ("\"1111\", \"0111\"", "\"1111\", \"011\"", "of the same length"),
        ("need = [2, 2]", "need = [2]", "a need for each"),
        ("rejected at 5 %", "rejected at 6 %", "there is no figure"),
    ] {
        let error = Experiment::parse(&FILE.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(part), "{to}: {error}");
    }
    assert!(Experiment::parse("title = \"t\"\nsource = \"s\"").unwrap_err().contains("nothing to measure"));
}

#[test]
fn published_figures_are_no_settings() {
    let changed = Experiment::parse(&FILE.replace("0.3]", "0.4]").replace("0.05 }", "0.06 }")).unwrap();
    let experiment = Experiment::parse(FILE).unwrap();
    for (before, after) in experiment.lines.iter().zip(&changed.lines) {
        assert_eq!(before.settings(false), after.settings(false));
    }
}

/// An even sampler is rejected as often as the level says, the card-by-card one of thesis 002 always where two hands
/// lack different cards.
#[test]
fn uneven_samplers_are_found() {
    let planned = |sampler| PlannedUniformity {
        name: "u".to_string(),
        sampler,
        hands: ["001111", "110011", "111111"].map(String::from).to_vec(),
        need: vec![2, 2, 2],
        deals: 4000,
        samples: 40,
        quick: 1,
        seed: 1,
        published: Default::default(),
        show: Vec::new(),
        published_games: None,
    };
    let rejected = |sampler| {
        let found = planned(sampler).measure(false, &crate::Stop::default()).unwrap().unwrap();
        assert_eq!(found.ways, 19);
        let figures = planned(sampler).figures(&found);
        assert_eq!(figures[1].name, "rejected at 5 %");
        figures[1].ours
    };
    assert!(rejected(Sampler::Exact) < 0.2);
    assert!(rejected(Sampler::AcceptReject) < 0.2);
    assert_eq!(rejected(Sampler::MostRestrictedFirst), 1.0);
}
