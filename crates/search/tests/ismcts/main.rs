//! The information-set search: fairness, known truths, and the arithmetic of its settings.

mod evaluators;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use meeple_core::agent::{ActionReport, Agent, Budget, CheatingAgent, Decision};
use meeple_core::{Game, GameInfo, Known, Notation, Outcome, Payoffs, Player, Rng, TreeLimits, Turn, laws, zero_sum};
use meeple_games::just4fun::Cards;
use meeple_games::{Bisca, Hearts, Just4Fun, Keezen, KuhnPoker, LeducPoker, Sueca};
use meeple_search::ismcts::{Cheating, Ismcts, IsmctsSettings, Keys, Puct, Reuse, Selection};
use meeple_search::{Evaluation, Evaluator, Gumbel, RootRule, TreeSettings};

const PUCT: Selection = Selection::Puct(Puct { first_play: 0.0, prior_temperature: 1.0, noise: 0.25, alpha: 0.4 });

fn settings<G: Game>(iterations: u64) -> IsmctsSettings<G> {
    TreeSettings { budget: Budget::iterations(iterations), memory: 1 << 20, ..TreeSettings::default() }.into()
}

/// Every selection with every kind of key, with and without groups of actions.
fn variants<G: Game>(game: &G, iterations: u64) -> Vec<IsmctsSettings<G>> {
    let coarse = (0..game.coarse_keys().len()).map(Keys::Coarse);
    let mut variants = Vec::new();
    for keys in [Keys::Path, Keys::View].into_iter().chain(coarse) {
        for selection in [Selection::Ucb1, PUCT] {
            let plain = IsmctsSettings { keys, selection, ..settings(iterations) };
            variants.extend(game.action_groups().map(|_| IsmctsSettings { group_rule: Some(0), ..plain.clone() }));
            variants.push(IsmctsSettings { determinizations: 3, discount: 0.9, ..plain.clone() });
            if selection == PUCT {
                let rules = [RootRule::Gumbel(Gumbel { considered: 4, ..Gumbel::default() }), RootRule::Forced(2.0)];
                variants.extend(rules.map(|root| IsmctsSettings { root, ..plain.clone() }));
            }
            variants.push(plain);
        }
    }
    variants
}

/// A position after a random number of random actions in which somebody has a choice.
fn some_choice<G: Game>(game: &G, rng: &mut Rng) -> G::State {
    let (mut state, mut actions) = (game.initial_state(), Vec::new());
    let mut left = rng.below(12);
    loop {
        match game.turn(&state) {
            Turn::Over => state = game.initial_state(),
            Turn::Chance => game.play_chance(&mut state, rng),
            Turn::Player(_) => {
                game.legal_actions(&state, &mut actions);
                if left == 0 && actions.len() > 1 {
                    return state;
                }
                game.apply(&mut state, *rng.choose(&actions));
                left = left.saturating_sub(1);
            }
        }
    }
}

fn mover<G: Game>(game: &G, state: &G::State) -> usize {
    let Turn::Player(player) = game.turn(state) else { panic!("nobody is to move") };
    player
}

fn decide<G: Game>(
    game: &G,
    agent: &mut impl Agent<G>,
    state: &G::State,
    limit: &Budget,
    seed: u64,
) -> Decision<G::Action> {
    agent.decide(game, &game.view(state, Some(mover(game, state))), limit, &mut Rng::from_seed(seed))
}

fn visits<A>(decision: &Decision<A>) -> u64 {
    decision.report.actions.iter().map(|action| action.visits).sum()
}

#[test]
fn nothing_hidden_moves_a_search() {
    fn check<G: Game>(game: &G, iterations: u64, games: u32) {
        for settings in variants(game, iterations) {
            laws::assert_fair(game, || Box::new(Ismcts::new(game, settings.clone())), games);
        }
    }
    check(&KuhnPoker, 40, 10);
    check(&LeducPoker, 40, 10);
    check(&Hearts::default(), 20, 1);
    check(&Sueca::default(), 20, 1);
    check(&Bisca::default(), 20, 1);
    check(&Just4Fun::default(), 20, 1);
    check(&Keezen::default(), 4, 1);
}

/// What one seat knows must not reach another through statistics that are kept: seat 0 searches with
/// either card and bets, then seat 1 decides with the same view.
#[test]
fn an_agent_on_two_seats_keeps_their_knowledge_apart() {
    let game = KuhnPoker;
    let settings = IsmctsSettings { keys: Keys::View, reuse: Reuse::Game, ..settings(500) };
    let statistics = |deal: &str| {
        let mut agent = Ismcts::new(&game, settings.clone());
        decide(&game, &mut agent, &game.parse_state(deal).unwrap(), &Budget::NONE, 1);
        let state = game.parse_state(&format!("{deal} bet")).unwrap();
        let decision = decide(&game, &mut agent, &state, &Budget::NONE, 2);
        decision.report.actions.iter().map(|entry| (entry.visits, entry.value_for_mover)).collect::<Vec<_>>()
    };
    assert_eq!(statistics("JQ"), statistics("KQ"));
}

#[test]
fn visits_add_up_and_decisions_are_legal() {
    fn check<G: Game + std::fmt::Debug>(game: &G) {
        let mut rng = Rng::from_seed(5);
        for settings in variants(game, 60) {
            for seed in 0..3 {
                let state = some_choice(game, &mut rng);
                let decision = decide(game, &mut Ismcts::new(game, settings.clone()), &state, &Budget::NONE, seed);
                let mut legal = Vec::new();
                game.legal_actions(&state, &mut legal);
                assert!(legal.contains(&decision.action), "{settings:?}");
                assert!(decision.report.actions.iter().all(|entry| legal.contains(&entry.action)));
                assert!(decision.report.actions.iter().all(|entry| entry.visits <= entry.availability.unwrap_or(0)));
                if decision.report.iterations > 0 {
                    assert_eq!(visits(&decision), 60, "{settings:?}");
                }
            }
        }
    }
    check(&LeducPoker);
    check(&Hearts::default());
    check(&Just4Fun::default());
}

/// One entry for each field that can be reached.
#[test]
fn a_search_among_groups_reports_groups() {
    let game = Just4Fun::default();
    let groups = game.action_groups().unwrap();
    let mut rng = Rng::from_seed(3);
    for rule in 0..groups.rules().len() {
        let state = some_choice(&game, &mut rng);
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        let mut fields: Vec<u32> = legal.iter().map(|&action| groups.group(&game, action)).collect();
        fields.sort_unstable();
        fields.dedup();
        let settings = IsmctsSettings { group_rule: Some(rule), ..settings(200) };
        let decision = decide(&game, &mut Ismcts::new(&game, settings), &state, &Budget::NONE, 1);
        let mut reported: Vec<u32> =
            decision.report.actions.iter().map(|entry| groups.group(&game, entry.action)).collect();
        reported.sort_unstable();
        assert_eq!(reported, fields);
        assert!(reported.contains(&groups.group(&game, decision.action)));
    }
}

#[test]
fn groups_choose_by_their_rules() {
    let game = Just4Fun::default();
    let groups = game.action_groups().unwrap();
    let plays = [&[12][..], &[5, 7], &[1, 2, 9], &[3, 4, 5]].map(Cards::new);
    for (rule, expected) in
        [("fewest", &plays[..1]), ("most", &plays[2..]), ("lowest", &plays[3..]), ("uniform", &plays)]
    {
        let number = groups.rules().iter().position(|&name| name == rule).unwrap();
        let mut rng = Rng::from_seed(1);
        let chosen: HashSet<Cards> = (0..100).map(|_| groups.choose(&game, number, &plays, &mut rng)).collect();
        assert_eq!(chosen, expected.iter().copied().collect(), "{rule}");
    }
}

#[test]
fn the_only_action_needs_no_search() {
    let game = Sueca::default();
    let (mut state, mut rng) = (game.initial_state(), Rng::from_seed(1));
    let (mut legal, mut forced) = (Vec::new(), 0);
    loop {
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => game.play_chance(&mut state, &mut rng),
            Turn::Player(_) => {
                game.legal_actions(&state, &mut legal);
                let decision = decide(&game, &mut Ismcts::new(&game, settings(20)), &state, &Budget::NONE, 1);
                let expected = if legal.len() == 1 { (0, 1) } else { (20, legal.len()) };
                assert_eq!((decision.report.iterations, decision.report.actions.len()), expected);
                assert_eq!(visits(&decision), decision.report.iterations);
                forced += u32::from(legal.len() == 1);
                game.apply(&mut state, decision.action);
            }
        }
    }
    assert!(forced >= 4, "the last trick leaves no choice");
}

#[test]
fn worlds_share_out_the_iterations() {
    let game = Just4Fun::default();
    let state = some_choice(&game, &mut Rng::from_seed(1));
    for (iterations, determinizations, done) in [(900, 120, 960), (8_000, 700, 7_700), (90, 4, 88), (2, 8, 2)] {
        let settings = IsmctsSettings { determinizations, ..settings(iterations) };
        let decision = decide(&game, &mut Ismcts::new(&game, settings), &state, &Budget::NONE, 1);
        assert_eq!(decision.report.iterations, done);
    }
}

/// With one world for all iterations the value depends on which one it is.
#[test]
fn a_world_serves_its_whole_share() {
    let game = LeducPoker;
    let mut rng = Rng::from_seed(4);
    let state = some_choice(&game, &mut rng);
    let spread = |determinizations: u64| {
        let settings = IsmctsSettings { determinizations, ..settings(400) };
        let values = (0..20).map(|seed| {
            let mut agent = Ismcts::new(&game, settings.clone());
            decide(&game, &mut agent, &state, &Budget::NONE, seed).report.actions[0].value_for_mover
        });
        let values: Vec<f64> = values.collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>()
    };
    assert!(spread(1) > 4.0 * spread(400), "{} and {}", spread(1), spread(400));
}

#[test]
fn coarse_keys_follow_views_and_refine_each_other() {
    let game = Just4Fun::default();
    let mut rng = Rng::from_seed(8);
    let mut keys = Vec::new();
    for _ in 0..2_000 {
        let state = some_choice(&game, &mut rng);
        let player = mover(&game, &state);
        let key = |state: &_| (0..3).map(|number| game.coarse_key(number, state, player)).collect::<Vec<u64>>();
        let mut world = state;
        meeple_core::Worlds::sample_into(&game.worlds(&game.view(&state, Some(player))), &mut world, &mut rng);
        assert_eq!(key(&state), key(&world));
        keys.push(key(&state));
    }
    for number in 0..2 {
        let mut sorted = keys.clone();
        sorted.sort_unstable_by_key(|key| key[number]);
        for pair in sorted.windows(2).filter(|pair| pair[0][number] == pair[1][number]) {
            assert_eq!(pair[0][number + 1..], pair[1][number + 1..]);
        }
    }
    let distinct = |number: usize| keys.iter().map(|key| key[number]).collect::<HashSet<_>>().len();
    assert!(distinct(0) > distinct(2), "boards come with different hands: {} {}", distinct(0), distinct(2));
}

/// Facing a bet with the queen, only who sees the other card knows whether to call.
#[test]
fn a_cheater_sees_the_truth() {
    let game = KuhnPoker;
    for (position, best) in [("JQ bet", "call"), ("KQ bet", "fold"), ("QK bet", "call"), ("QJ bet", "fold")] {
        let state = game.parse_state(position).unwrap();
        for (selection, keys) in [(Selection::Ucb1, Keys::Path), (Selection::Ucb1, Keys::State), (PUCT, Keys::State)] {
            let settings = IsmctsSettings { keys, selection, ..settings(200) };
            let decision = Cheating::new(&game, settings).decide(&game, &state, &Budget::NONE, &mut Rng::from_seed(1));
            assert_eq!(game.action_text(&state, decision.action), best, "{position}");
        }
    }
}

#[test]
fn statistics_are_kept_as_long_as_they_should() {
    let game = Just4Fun::default();
    let state = some_choice(&game, &mut Rng::from_seed(2));
    let second_search = |reuse: Reuse, new_game: bool| {
        let settings = IsmctsSettings { keys: Keys::Coarse(0), reuse, ..settings(100) };
        let mut agent = Ismcts::new(&game, settings);
        decide(&game, &mut agent, &state, &Budget::NONE, 1);
        if new_game {
            Agent::<Just4Fun>::new_game(&mut agent);
        }
        visits(&decide(&game, &mut agent, &state, &Budget::NONE, 2))
    };
    assert_eq!(second_search(Reuse::None, false), 100);
    assert_eq!(second_search(Reuse::Game, false), 200);
    assert_eq!(second_search(Reuse::Game, true), 100);
    assert_eq!(second_search(Reuse::Games, true), 200);
}

#[test]
fn nodes_and_memory_are_bounded() {
    let game = Just4Fun::default();
    let state = some_choice(&game, &mut Rng::from_seed(2));
    for settings in variants(&game, 30_000) {
        let mut agent = Ismcts::new(&game, settings.clone());
        let limit = Budget { nodes: Some(700), ..Budget::NONE };
        let nodes = decide(&game, &mut agent, &state, &limit, 1).report.nodes;
        assert!((700..800).contains(&nodes), "{nodes}");
    }
    for selection in [Selection::Ucb1, PUCT] {
        for keys in [Keys::Path, Keys::Coarse(0)] {
            let settings = IsmctsSettings { keys, selection, ..settings(30_000) };
            let decision = decide(&game, &mut Ismcts::new(&game, settings), &state, &Budget::NONE, 1);
            assert!((1 << 19..=1 << 20).contains(&decision.report.bytes), "{}", decision.report.bytes);
            assert_eq!(visits(&decision), 30_000);
        }
    }
    // Priors have no place either when memory is used up.
    let settings = IsmctsSettings { selection: PUCT, ..settings(30_000) };
    let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Opinion(Arc::default())));
    assert_eq!(visits(&decide(&game, &mut agent, &state, &Budget::NONE, 1)), 30_000);
}

/// Sure of the last action everywhere, expects nothing, and counts.
struct Opinion(Arc<AtomicU64>);

impl<G: Game> Evaluator<G> for Opinion {
    fn evaluate(&mut self, game: &G, states: &[G::State], out: &mut Vec<Evaluation>, _: &mut Rng) {
        let mut actions = Vec::new();
        out.resize_with(states.len(), Evaluation::default);
        for (state, evaluation) in states.iter().zip(out) {
            self.0.fetch_add(1, Relaxed);
            game.legal_actions(state, &mut actions);
            *evaluation = Evaluation { priors: vec![0.0; actions.len()], ..Evaluation::default() };
            *evaluation.priors.last_mut().unwrap() = 1.0;
        }
    }
}

/// The tree of a decision shows what its report says, and no more nodes than were asked for.
#[test]
fn the_tree_can_be_read() {
    fn check<G: Game>(game: &G) {
        let state = some_choice(game, &mut Rng::from_seed(3));
        let view = game.view(&state, Some(mover(game, &state)));
        for settings in variants(game, 300) {
            let mut agent = Ismcts::new(game, settings);
            let report = decide(game, &mut agent, &state, &Budget::NONE, 1).report;
            let limits = TreeLimits { depth: 5, visits: 0, nodes: usize::MAX };
            let all = agent.tree(game, &view, limits).unwrap().nodes;
            let first = all.iter().filter(|node| node.parent == Some(0));
            assert_eq!((all[0].visits, first.count()), (visits_of(&report.actions), seen(&report.actions)));
            for node in &all[1..] {
                assert!(node.visits > 0 && node.availability >= Some(node.visits), "{node:?}");
            }
            let few = agent.tree(game, &view, TreeLimits { nodes: 12, ..limits }).unwrap().nodes;
            assert_eq!(few[..], all[..12.min(all.len())]);
        }
    }
    fn visits_of<A>(actions: &[ActionReport<A>]) -> u64 {
        actions.iter().map(|action| action.visits).sum()
    }
    fn seen<A>(actions: &[ActionReport<A>]) -> usize {
        actions.iter().filter(|action| action.visits > 0).count()
    }
    check(&Hearts::default());
    check(&Just4Fun::default());
    check(&LeducPoker);
    check(&meeple_games::TicTacToe);
}

#[test]
fn the_tree_has_priors_and_availability() {
    let game = Hearts::default();
    let state = some_choice(&game, &mut Rng::from_seed(2));
    let view = game.view(&state, Some(mover(&game, &state)));
    let puct = Puct { first_play: 0.0, prior_temperature: 1.0, noise: 0.25, alpha: 1.0 };
    let settings = IsmctsSettings { selection: Selection::Puct(puct), ..settings(300) };
    let mut agent = Ismcts::new(&game, settings).with_evaluator(Box::new(Opinion(Arc::default())));
    let report = decide(&game, &mut agent, &state, &Budget::NONE, 1).report;
    let nodes = agent.tree(&game, &view, TreeLimits { depth: 2, visits: 1, nodes: 1000 }).unwrap().nodes;
    for node in nodes.iter().filter(|node| node.parent == Some(0)) {
        let entry = report.actions.iter().find(|entry| Some(entry.action) == node.action).unwrap();
        assert_eq!((node.visits, node.availability), (entry.visits, entry.availability));
        // All is expected of the last action; the noise of the search is not shown.
        let last = report.actions.iter().all(|other| game.action_code(other.action) <= game.action_code(entry.action));
        assert_eq!(node.prior, Some(if last { 1.0 } else { 0.0 }));
    }
    assert!(nodes[1..].iter().all(|node| node.prior.is_some()));
}

/// Positions that different orders of moves lead to are searched once.
#[test]
fn views_merge_paths() {
    let game = meeple_games::TicTacToe;
    let nodes = |keys: Keys| {
        let mut settings = IsmctsSettings { keys, ..settings(20_000) };
        settings.tree.exploration = 20.0;
        decide(&game, &mut Ismcts::new(&game, settings), &game.initial_state(), &Budget::NONE, 1).report.nodes
    };
    // 4,520 positions are not over, and they have 16,167 moves.
    assert!(nodes(Keys::View) <= 16_168 && nodes(Keys::Path) > 16_168, "{}", nodes(Keys::View));
}

/// Six times one of two players adds 0 or 1; the coarse key does not tell any of the sums apart.
struct Sums;

impl Game for Sums {
    type State = Vec<u8>;
    type Action = u8;
    type View = Vec<u8>;
    type Worlds = Known<Vec<u8>>;

    fn info(&self) -> GameInfo {
        GameInfo::two_player("sums", 6)
    }

    fn initial_state(&self) -> Vec<u8> {
        Vec::new()
    }

    fn turn(&self, state: &Vec<u8>) -> Turn {
        if state.len() == 6 { Turn::Over } else { Turn::Player(state.len() % 2) }
    }

    fn legal_actions(&self, _: &Vec<u8>, out: &mut Vec<u8>) {
        *out = vec![0, 1];
    }

    fn apply(&self, state: &mut Vec<u8>, action: u8) {
        state.push(action);
    }

    fn payoffs(&self, state: &Vec<u8>) -> Payoffs {
        zero_sum(if state.iter().sum::<u8>() % 3 == 0 { 1.0 } else { -1.0 })
    }

    fn outcome(&self, state: &Vec<u8>) -> Outcome {
        Outcome { payoffs: self.payoffs(state), scores: Default::default(), reason: "sum" }
    }

    fn view(&self, state: &Vec<u8>, _: Option<Player>) -> Vec<u8> {
        state.clone()
    }

    fn worlds(&self, view: &Vec<u8>) -> Known<Vec<u8>> {
        Known(view.clone())
    }

    fn action_code(&self, action: u8) -> u32 {
        u32::from(action)
    }

    fn action_from_code(&self, code: u32) -> u8 {
        code as u8
    }

    fn action_text(&self, _: &Vec<u8>, action: u8) -> String {
        action.to_string()
    }

    fn render(&self, view: &Vec<u8>) -> String {
        format!("{view:?}")
    }

    fn coarse_keys(&self) -> &'static [&'static str] {
        &["mover"]
    }

    fn coarse_key(&self, _: usize, _: &Vec<u8>, _: Player) -> u64 {
        0
    }
}

/// Every later position of seat 0 is the root again.
#[test]
fn no_path_counts_a_node_twice() {
    for selection in [Selection::Ucb1, PUCT] {
        let settings = IsmctsSettings { keys: Keys::Coarse(0), selection, ..settings(100) };
        let decision = decide(&Sums, &mut Ismcts::new(&Sums, settings), &Vec::new(), &Budget::NONE, 1);
        assert_eq!(visits(&decision), 100);
        assert!(decision.report.actions.iter().all(|action| action.availability <= Some(100)));
    }
}
