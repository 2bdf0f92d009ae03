//! The informed search on games: known truths under every rule, and its bounds.

use meeple_core::agent::{Agent, Budget, Decision};
use meeple_core::{Game, GameInfo, Known, Notation, Outcome, Payoffs, Player, Rng, TreeLimits, Turn, zero_sum};
use meeple_games::breakthrough::{Breakthrough, Setup};
use meeple_games::chinese_checkers::{ChineseCheckers, ChineseCheckersRules};
use meeple_games::{ConnectFour, TicTacToe};
use meeple_search::evaluator::{CachedEvaluator, Evaluation, Evaluator, HeuristicEvaluator, PlayoutEvaluator};
use meeple_search::informed::{
    FirstPlay, Grave, Growth, Influence, Informed, InformedSettings, Leaf, Noise, Priors, Rescale, Search, Selection,
    Top, Weight,
};
use meeple_search::{Gumbel, Playout, RootRule, TreeSettings};

fn settings<G: Game>(iterations: u64, selection: Selection) -> InformedSettings<G> {
    let tree = TreeSettings { budget: Budget::iterations(iterations), memory: 1 << 24, ..TreeSettings::default() };
    InformedSettings { tree, selection, leaf: Leaf::Playout, ..InformedSettings::default() }
}

fn implicit() -> Selection {
    Selection {
        growth: Growth::Ucb1,
        weight: Weight::One,
        influence: Influence::fixed(0.4),
        minimax: true,
        ..Selection::default()
    }
}

/// Every rule, and every variant on one of them.
fn rules() -> Vec<(&'static str, Selection)> {
    let implicit = implicit();
    let bias = Selection { influence: Influence::fixed(0.0), minimax: false, bias: 2.0, ..implicit };
    let falling = Influence { first: 0.6, last: 0.3, slope: 0.1 };
    let softmax = Selection { weight: Weight::Softmax(2.0), ..implicit };
    vec![
        ("puct", Selection::default()),
        ("growing C", Selection { exploration_base: Some(100.0), ..Selection::default() }),
        ("bias", bias),
        ("implicit", implicit),
        ("implicit without minimax", Selection { minimax: false, ..implicit }),
        ("falling", Selection { influence: falling, ..implicit }),
        ("softmax", softmax),
        ("softmax alone", Selection { growth: Growth::Constant, ..softmax }),
        ("softmax and root", Selection { growth: Growth::Root, ..softmax }),
        ("softmax and inverse", Selection { growth: Growth::Inverse, ..softmax }),
        ("falling softmax", Selection { influence: falling, ..softmax }),
        ("implicit and bias", Selection { bias: 2.0, ..implicit }),
        ("implicit and GRAVE", Selection { grave: Some(Grave { reference: 50, bias: 0.01 }), ..implicit }),
        ("rescaled", Selection { rescale: Rescale::Spread(1.0), ..implicit }),
        ("one of two", Selection { top: Top::Sample(2), ..implicit }),
        ("two exploration constants", Selection { top: Top::Explore(3, 2.0), ..implicit }),
        ("multiplied", Selection { multiplier: 0.2, ..implicit }),
        ("all children first", Selection { first_play: FirstPlay::Infinite, ..bias }),
        ("reduced first play", Selection { first_play: FirstPlay::Reduced(0.3), ..Selection::default() }),
    ]
}

fn playouts<G: Game>(game: &G) -> Box<dyn Evaluator<G>> {
    Box::new(PlayoutEvaluator::new(game, Playout::random(), 2))
}

fn by_heuristic<G: Game>(game: &G) -> Box<dyn Evaluator<G>> {
    Box::new(HeuristicEvaluator(game.heuristics().remove(0).1))
}

fn small_breakthrough() -> Breakthrough<u64> {
    Breakthrough::new(Setup { rows: 5, columns: 3, rows_per_side: 1 })
}

fn decide<G: Game<View = <G as Game>::State>>(
    game: &G,
    state: &G::State,
    settings: InformedSettings<G>,
    evaluator: Box<dyn Evaluator<G>>,
) -> Decision<G::Action> {
    Informed::new(game, settings, evaluator).decide(game, state, &Budget::NONE, &mut Rng::from_seed(1))
}

#[test]
fn forced_wins_are_found_and_proven() {
    fn check<G: Game<View = <G as Game>::State> + Notation<G>>(
        game: &G,
        position: &str,
        best: &str,
        evaluator: fn(&G) -> Box<dyn Evaluator<G>>,
    ) {
        let state = game.parse_state(position).unwrap();
        let Turn::Player(mover) = game.turn(&state) else { panic!("somebody is to move") };
        for (name, rule) in rules() {
            for solver in [true, false] {
                let settings = InformedSettings { solver, ..settings(400, rule) };
                let decision = decide(game, &state, settings, evaluator(game));
                let text = game.action_text(&state, decision.action);
                assert!(best.split(' ').any(|best| best == text), "{name} at {position}: {text}");
                let proven = decision.report.actions[0].proven.map(|payoffs| payoffs[mover]);
                assert_eq!(proven, solver.then_some(1.0), "{name} at {position}");
            }
        }
    }
    check(&TicTacToe, "xx./oo./...", "c3", playouts);
    check(&TicTacToe, "x.o/.o./..x", "a1", playouts); // holds two threats after it
    check(&ConnectFour::default(), "......./......./......./......./ooo..../xxx....", "4", playouts);
    check(&small_breakthrough(), "b.b/.w./.../.../w.w w", "b4a5 b4b5 b4c5", by_heuristic);
}

/// The only winning move is found, and the policy says so.
#[test]
fn rules_of_the_root_find_forced_wins() {
    let game = ConnectFour::default();
    let state = game.parse_state("......./......./......./......./ooo..../xxx....").unwrap();
    for (root, iterations) in [(RootRule::Gumbel(Gumbel::default()), 150), (RootRule::Forced(2.0), 200)] {
        let settings = InformedSettings { root, solver: false, ..settings(iterations, Selection::default()) };
        for seed in 0..20 {
            let mut agent = Informed::new(&game, settings.clone(), playouts(&game));
            let decision = agent.decide(&game, &state, &Budget::NONE, &mut Rng::from_seed(seed));
            let won =
                decision.report.actions.iter().find(|entry| game.action_text(&state, entry.action) == "4").unwrap();
            let shares: f32 = decision.report.actions.iter().map(|entry| entry.share.unwrap()).sum();
            assert!((shares - 1.0).abs() < 1e-4);
            assert_eq!(decision.action, won.action);
            let visited = won.visits as f32 / iterations as f32;
            assert!(won.share.unwrap() > visited.max(0.8), "{root:?}: {:?}, not {visited}", won.share);
            assert_eq!(decision.report.actions.iter().map(|entry| entry.visits).sum::<u64>(), iterations);
        }
    }
}

/// All moves but one are proven to lose: the rule of the root has no say in that.
#[test]
fn rules_of_the_root_play_no_proven_loss() {
    let state = TicTacToe.parse_state("xx./.o./...").unwrap();
    let root = RootRule::Gumbel(Gumbel { scale: 0.0, ..Gumbel::default() });
    let settings = InformedSettings { root, ..settings(60, Selection::default()) };
    for seed in 0..20 {
        let mut agent = Informed::new(&TicTacToe, settings.clone(), playouts(&TicTacToe));
        let decision = agent.decide(&TicTacToe, &state, &Budget::NONE, &mut Rng::from_seed(seed));
        assert_eq!(TicTacToe.action_text(&state, decision.action), "c3", "seed {seed}");
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    for (name, rule) in rules() {
        let settings = InformedSettings { reuse: true, ..settings(1500, rule) };
        let mut player = Informed::new(&TicTacToe, settings, playouts(&TicTacToe));
        let mut rng = Rng::from_seed(2);
        let mut state = TicTacToe.initial_state();
        while TicTacToe.turn(&state) != Turn::Over {
            let action = player.decide(&TicTacToe, &state, &Budget::NONE, &mut rng).action;
            TicTacToe.apply(&mut state, action);
        }
        assert_eq!(TicTacToe.payoffs(&state)[0], 0.0, "{name}");
    }
}

/// What the first player gets if both play their best.
fn best_play(state: &<TicTacToe as Game>::State) -> f32 {
    let Turn::Player(mover) = TicTacToe.turn(state) else { return TicTacToe.payoffs(state)[0] };
    let sign = if mover == 0 { 1.0 } else { -1.0 };
    let mut actions = Vec::new();
    TicTacToe.legal_actions(state, &mut actions);
    let after = actions.into_iter().map(|action| {
        let mut next = *state;
        TicTacToe.apply(&mut next, action);
        sign * best_play(&next)
    });
    sign * after.fold(f32::NEG_INFINITY, f32::max)
}

#[test]
fn proofs_are_the_truth() {
    let mut rng = Rng::from_seed(3);
    for game in 0..30 {
        let mut state = TicTacToe.initial_state();
        for _ in 0..3 {
            let action = TicTacToe.random_action(&state, &mut Vec::new(), &mut rng);
            TicTacToe.apply(&mut state, action);
        }
        let rule = [Selection::default(), implicit()][game % 2];
        let report = decide(&TicTacToe, &state, settings(20_000, rule), playouts(&TicTacToe)).report;
        assert!(report.iterations < 20_000, "the search ends when the root is proven");
        assert_eq!(report.actions[0].proven.unwrap()[0], best_play(&state), "{state:?}");
    }
}

#[test]
fn visits_add_up() {
    let game = ConnectFour::default();
    for batch in [1, 8] {
        for (name, rule) in rules() {
            let settings = InformedSettings { batch, ..settings(500, rule) };
            let report = decide(&game, &game.initial_state(), settings, playouts(&game)).report;
            assert_eq!(report.iterations, 500, "{name}");
            assert_eq!(report.actions.iter().map(|action| action.visits).sum::<u64>(), 500, "{name}");
            assert_eq!(report.actions.len(), 7);
            assert!((report.actions.iter().filter_map(|action| action.prior).sum::<f32>() - 1.0).abs() < 1e-5);
            for action in report.actions.iter().filter(|action| action.visits > 0) {
                let payoffs = action.payoffs.unwrap();
                assert!((payoffs[0] + payoffs[1]).abs() < 1e-5, "zero sum");
                assert!((f64::from(payoffs[0]) - action.value_for_mover).abs() < 1e-5, "seat 0 is to move");
            }
            assert_eq!(report.principal_variation[0], report.actions[0].action);
        }
    }
}

/// Batches make the search a little less exact, not another search.
#[test]
fn batches_visit_much_the_same() {
    let game = Breakthrough::<u64>::new(Setup { rows: 6, columns: 6, rows_per_side: 2 });
    let state = game.initial_state();
    let visits = |batch| {
        let settings = InformedSettings {
            batch,
            leaf: Leaf::Evaluator,
            priors: Priors::Softmax(0.2),
            ..settings(2000, Selection::default())
        };
        let mut actions = decide(&game, &state, settings, by_heuristic(&game)).report.actions;
        actions.sort_by_key(|action| game.action_code(action.action));
        actions.iter().map(|action| action.visits as f64 / 2000.0).collect::<Vec<_>>()
    };
    let difference: f64 = visits(1).iter().zip(visits(8)).map(|(one, eight)| (one - eight).abs()).sum();
    assert!(difference < 0.5, "{difference}");
}

#[test]
fn same_seed_same_decision() {
    let game = Breakthrough::<u64>::new(Setup { rows: 6, columns: 6, rows_per_side: 2 });
    for (name, rule) in rules() {
        let run = || {
            let settings =
                InformedSettings { noise: Noise { share: 0.25, alpha: 0.3 }, batch: 4, ..settings(100, rule) };
            let report = decide(&game, &game.initial_state(), settings, by_heuristic(&game)).report;
            report.actions.iter().map(|action| (action.action, action.visits, action.prior)).collect::<Vec<_>>()
        };
        assert_eq!(run(), run(), "{name}");
    }
}

#[test]
fn noise_changes_the_priors_at_the_root_alone() {
    let game = ConnectFour::default();
    let priors = |share| {
        let settings = InformedSettings { noise: Noise { share, alpha: 0.3 }, ..settings(50, Selection::default()) };
        let mut actions = decide(&game, &game.initial_state(), settings, playouts(&game)).report.actions;
        actions.sort_by_key(|action| game.action_code(action.action));
        actions.iter().map(|action| action.prior.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(priors(0.0), [1.0 / 7.0; 7]);
    let noisy = priors(0.25);
    assert!(noisy.iter().all(|&prior| prior >= 0.75 / 7.0 - 1e-6) && noisy != priors(0.0));
    assert!((noisy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    assert_eq!(noisy, priors(0.25));
}

#[test]
fn memory_and_nodes_are_bounded() {
    let game = Breakthrough::<u64>::new(Setup { rows: 8, columns: 8, rows_per_side: 2 });
    let state = game.initial_state();
    for rule in [Selection::default(), implicit()] {
        let mut bounded = settings(20_000, rule);
        bounded.tree.memory = 1 << 20;
        let report = decide(&game, &state, bounded, by_heuristic(&game)).report;
        assert!(report.bytes <= 1 << 20 && report.bytes > 1 << 19, "{} bytes", report.bytes);
        assert_eq!(report.actions.iter().map(|action| action.visits).sum::<u64>(), 20_000);
        let mut few = settings(20_000, rule);
        few.tree.budget = Budget { nodes: Some(1000), ..Budget::NONE };
        let report = decide(&game, &state, few, by_heuristic(&game)).report;
        assert!((1000..1100).contains(&report.nodes), "{} nodes", report.nodes);
    }
}

#[test]
fn the_tree_can_be_looked_at() {
    let game = ConnectFour::default();
    let limits = TreeLimits { depth: 2, visits: 1, nodes: usize::MAX };
    let mut player = Informed::new(&game, settings(300, implicit()), playouts(&game));
    assert!(player.tree(&game, &game.initial_state(), limits).is_none(), "nothing was searched");
    player.decide(&game, &game.initial_state(), &Budget::NONE, &mut Rng::from_seed(1));
    let nodes = player.tree(&game, &game.initial_state(), limits).unwrap().nodes;
    assert_eq!(nodes[0].visits, 301, "one for the root itself");
    let below = |place: usize| nodes.iter().filter(move |node| node.parent == Some(place as u32));
    assert_eq!(below(0).map(|node| node.visits).sum::<u64>(), 300);
    for (place, node) in nodes.iter().enumerate().skip(1) {
        assert!(node.parent < Some(place as u32) && node.visits > 0 && node.prior.is_some());
        assert_eq!(node.player, Some(usize::from(node.parent != Some(0))));
        assert!(below(place).map(|node| node.visits).sum::<u64>() < node.visits);
    }
    let few = player.tree(&game, &game.initial_state(), TreeLimits { nodes: 20, ..limits }).unwrap().nodes;
    assert_eq!(few[..], nodes[..20]);
    assert!(nodes[20..].iter().all(|node| node.visits <= nodes[19].visits), "the most visited come first");
}

#[test]
fn the_tree_is_used_again() {
    let game = ConnectFour::default();
    let player = |reuse| {
        let settings = InformedSettings { reuse, ..settings(2000, Selection::default()) };
        let mut player = Informed::new(&game, settings, playouts(&game));
        let mut rng = Rng::from_seed(1);
        let mut state = game.initial_state();
        let line = player.decide(&game, &state, &Budget::NONE, &mut rng).report.principal_variation;
        line[..2].iter().for_each(|&action| game.apply(&mut state, action));
        let report = player.decide(&game, &state, &Budget::NONE, &mut rng).report;
        report.actions.iter().map(|action| action.visits).sum::<u64>()
    };
    assert_eq!(player(false), 2000);
    assert!(player(true) > 2100, "{}", player(true));
}

#[test]
fn three_players_search_for_themselves() {
    let game = ChineseCheckers::new(ChineseCheckersRules::default());
    for rule in [Selection::default(), implicit()] {
        let settings = InformedSettings { leaf: Leaf::Evaluator, reuse: true, ..settings(60, rule) };
        let mut player = Informed::new(&game, settings, Box::new(Progress));
        let (mut rng, mut state) = (Rng::from_seed(1), game.initial_state());
        for _ in 0..6 {
            let decision = player.decide(&game, &state, &Budget::NONE, &mut rng);
            let mut actions = Vec::new();
            game.legal_actions(&state, &mut actions);
            assert!(actions.contains(&decision.action));
            game.apply(&mut state, decision.action);
        }
    }
}

/// An evaluator with an opinion on everything: the first action is good, and seat 1 wins.
struct Progress;

impl<G: Game> Evaluator<G> for Progress {
    fn evaluate(&mut self, game: &G, states: &[G::State], out: &mut Vec<Evaluation>, _: &mut Rng) {
        let mut actions = Vec::new();
        out.clear();
        for state in states {
            game.legal_actions(state, &mut actions);
            let mut priors = vec![0.2 / actions.len() as f32; actions.len()];
            priors[0] += 0.8;
            out.push(Evaluation { payoffs: [-0.5, 1.0, -0.5, 0.0, 0.0, 0.0], priors });
        }
    }
}

#[test]
fn priors_of_the_evaluator_are_used() {
    let game = ConnectFour::default();
    for (temperature, expected) in [(1.0, 0.2 / 7.0 + 0.8), (2.0, 0.4730)] {
        let settings = InformedSettings {
            leaf: Leaf::Evaluator,
            priors: Priors::Evaluator,
            prior_temperature: temperature,
            ..settings(200, Selection::default())
        };
        let report = decide(&game, &game.initial_state(), settings, Box::new(Progress)).report;
        let best = &report.actions[0];
        assert!((best.prior.unwrap() - expected).abs() < 1e-3, "{:?}", best.prior);
        assert!(best.visits > 70 && (best.value_for_mover + 0.5).abs() < 0.1, "{best:?}");
    }
}

/// Many games share one evaluator: all gather, one call evaluates, all apply.
#[test]
fn searches_of_many_games_share_a_batch() {
    let game = ConnectFour::default();
    let settings = InformedSettings { leaf: Leaf::Evaluator, priors: Priors::Evaluator, ..InformedSettings::default() };
    let mut rng = Rng::from_seed(1);
    let mut searches: Vec<_> = (0..4).map(|_| Search::new(&game, settings.clone())).collect();
    searches.iter_mut().for_each(|search| search.begin(&game, &game.initial_state(), &[], &mut rng));
    let (mut requests, mut evaluations) = (Vec::new(), Vec::new());
    for round in 0..20 {
        requests.clear();
        let mut ends = Vec::new();
        for search in &mut searches {
            assert!(search.gather(&game, &mut requests, &mut rng));
            assert!(round == 0 || search.is_ready());
            ends.push(requests.len());
        }
        Progress.evaluate(&game, &requests, &mut evaluations, &mut rng);
        let mut start = 0;
        for (search, end) in searches.iter_mut().zip(ends) {
            search.apply(&game, &evaluations[start..end], &mut rng);
            start = end;
        }
    }
    for search in &mut searches {
        let report = search.decide(&game, 1, &mut rng).report;
        assert_eq!(report.actions.iter().map(|action| action.visits).sum::<u64>(), 19);
    }
}

#[test]
fn a_cache_answers_as_its_evaluator_does() {
    struct Counting(std::sync::Arc<std::sync::atomic::AtomicUsize>);
    impl<G: Game> Evaluator<G> for Counting {
        fn evaluate(&mut self, game: &G, states: &[G::State], out: &mut Vec<Evaluation>, rng: &mut Rng) {
            self.0.fetch_add(states.len(), std::sync::atomic::Ordering::Relaxed);
            Progress.evaluate(game, states, out, rng);
        }
    }
    let game = ConnectFour::default();
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let mut cached = CachedEvaluator::new(Box::new(Counting(asked.clone())), 1 << 10);
    let mut states = vec![game.initial_state(); 2];
    let mut actions = Vec::new();
    game.legal_actions(&states[1], &mut actions);
    game.apply(&mut states[1], actions[2]);
    let (mut rng, mut expected, mut answers) = (Rng::from_seed(1), Vec::new(), Vec::new());
    Progress.evaluate(&game, &states, &mut expected, &mut rng);
    for _ in 0..3 {
        cached.evaluate(&game, &states, &mut answers, &mut rng);
        assert_eq!(answers, expected);
    }
    assert_eq!(asked.load(std::sync::atomic::Ordering::Relaxed), 2);
}

/// Two players move a token on to field 4, or let it be. Who arrives wins.
struct Waiting;

impl Game for Waiting {
    type State = (u8, u8);
    type Action = u8;
    type View = (u8, u8);
    type Worlds = Known<(u8, u8)>;

    fn info(&self) -> GameInfo {
        GameInfo::two_player("waiting", usize::MAX)
    }

    fn initial_state(&self) -> (u8, u8) {
        (0, 0)
    }

    fn turn(&self, &(field, mover): &(u8, u8)) -> Turn {
        if field == 4 { Turn::Over } else { Turn::Player(usize::from(mover)) }
    }

    fn legal_actions(&self, _: &(u8, u8), out: &mut Vec<u8>) {
        *out = vec![0, 1];
    }

    fn apply(&self, (field, mover): &mut (u8, u8), action: u8) {
        (*field, *mover) = (*field + action, 1 - *mover);
    }

    fn payoffs(&self, &(_, mover): &(u8, u8)) -> Payoffs {
        zero_sum(if mover == 1 { 1.0 } else { -1.0 })
    }

    /// As if the first player had something for sure.
    fn payoffs_so_far(&self, &(field, _): &(u8, u8)) -> Option<Payoffs> {
        (field > 0).then_some([-0.5, -1.0, 0.0, 0.0, 0.0, 0.0])
    }

    fn outcome(&self, state: &(u8, u8)) -> Outcome {
        Outcome { payoffs: self.payoffs(state), scores: Default::default(), reason: "arrived" }
    }

    fn view(&self, state: &(u8, u8), _: Option<Player>) -> (u8, u8) {
        *state
    }

    fn worlds(&self, view: &(u8, u8)) -> Known<(u8, u8)> {
        Known(*view)
    }

    fn action_code(&self, action: u8) -> u32 {
        u32::from(action)
    }

    fn action_from_code(&self, code: u32) -> u8 {
        code as u8
    }

    fn action_text(&self, _: &(u8, u8), action: u8) -> String {
        action.to_string()
    }

    fn render(&self, view: &(u8, u8)) -> String {
        format!("{view:?}")
    }
}

/// The states that a search of 200 iterations asks about, and the report.
fn looked_at(root: (u8, u8), cut_loops: bool, played: &[(u8, u8)]) -> (Vec<(u8, u8)>, Decision<u8>) {
    let settings = InformedSettings { cut_loops, solver: false, ..settings(200, Selection::default()) };
    let mut search = Search::new(&Waiting, InformedSettings { leaf: Leaf::Evaluator, ..settings });
    let keys: Vec<u64> = played.iter().map(|state| Waiting.position_key(state)).collect();
    let (mut rng, mut requests, mut asked) = (Rng::from_seed(1), Vec::new(), Vec::new());
    search.begin(&Waiting, &root, &keys, &mut rng);
    for _ in 0..=200 {
        assert!(search.gather(&Waiting, &mut requests, &mut rng));
        search.apply(&Waiting, &vec![Evaluation::default(); requests.len()], &mut rng);
        asked.append(&mut requests);
    }
    (asked, search.decide(&Waiting, 1, &mut rng))
}

#[test]
fn walks_end_where_they_have_been() {
    let again = |asked: &[(u8, u8)]| asked.iter().filter(|&&state| state == (0, 0)).count();
    assert!(again(&looked_at((0, 0), false, &[]).0) > 1, "both wait");
    assert_eq!(again(&looked_at((0, 0), true, &[]).0), 1);
}

#[test]
fn no_walk_returns_to_what_was_played() {
    let value = |decision: &Decision<u8>, action| {
        let entry = decision.report.actions.iter().find(|entry| entry.action == action).unwrap();
        (entry.value_for_mover, entry.payoffs.unwrap())
    };
    let lowest = [-1.0, -1.0, 0.0, 0.0, 0.0, 0.0];
    let so_far = [-0.5, -1.0, 0.0, 0.0, 0.0, 0.0];
    for (root, waited, worth) in [((0, 0), (0, 1), lowest), ((1, 0), (1, 1), so_far), ((1, 1), (1, 0), so_far)] {
        let (asked, decision) = looked_at(root, false, &[root, waited]);
        assert!(asked.iter().skip(1).all(|&state| state != root && state != waited));
        let mover = usize::from(root.1);
        assert_eq!(value(&decision, 0), (f64::from(worth[mover]), worth));
        assert_eq!(decision.action, 1);
    }
    assert!(looked_at((1, 0), false, &[]).0.contains(&(1, 1)));
}
