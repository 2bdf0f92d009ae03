//! The test sets of thesis 000: every case has what its set claims, found out from the text of the
//! position without the code that made it.

use meeple_core::{Case, Game, Rng, Turn, Worlds};
use meeple_games::just4fun::{Cards, Just4Fun, State};

/// Values row by row (thesis 000, equation 5.2).
const BOARD: [[u8; 6]; 6] = [
    [1, 14, 30, 24, 19, 8],
    [33, 11, 9, 16, 35, 21],
    [6, 27, 31, 20, 3, 12],
    [15, 32, 5, 29, 17, 26],
    [22, 10, 18, 36, 25, 2],
    [28, 7, 23, 4, 13, 34],
];

/// Stones by seat and value.
type Stones = [[u8; 37]; 2];

fn cases(name: &str, seed: u64) -> (Just4Fun, Vec<Case<State, Cards>>) {
    let game = Just4Fun::default();
    let suite = game.suites().into_iter().find(|suite| suite.name == name).expect("the set exists");
    let cases = (suite.cases)(&game, &mut Rng::from_seed(seed));
    (game, cases)
}

fn mover(game: &Just4Fun, state: &State) -> usize {
    match game.turn(state) {
        Turn::Player(player) => player,
        turn => panic!("{turn:?}"),
    }
}

fn stones(game: &Just4Fun, state: &State) -> Stones {
    let text = game.notation().unwrap().state_text(state);
    let fields = text.split_whitespace().find_map(|piece| piece.strip_prefix("stones=")).unwrap();
    let mut stones = [[0; 37]; 2];
    for field in fields.split('/') {
        let (value, counts) = field.split_once(':').unwrap();
        for (seat, count) in counts.split('.').enumerate() {
            stones[seat][value.parse::<usize>().unwrap()] = count.parse().unwrap();
        }
    }
    stones
}

fn holds(stones: &Stones, player: usize, value: usize) -> bool {
    stones[player][value] > stones[1 - player][value]
}

fn is_open(stones: &Stones, value: usize) -> bool {
    stones[0][value].abs_diff(stones[1][value]) < 2
}

fn has_four(stones: &Stones, player: usize) -> bool {
    let held = |row: i32, column: i32| {
        let inside = (0..6).contains(&row) && (0..6).contains(&column);
        inside && holds(stones, player, usize::from(BOARD[row as usize][column as usize]))
    };
    let line =
        |row: i32, column: i32, (down, right): (i32, i32)| (0..4).all(|i| held(row + i * down, column + i * right));
    let steps = [(0, 1), (1, 0), (1, 1), (1, -1)];
    (0..36).any(|square| steps.iter().any(|&step| line(square / 6, square % 6, step)))
}

fn with(stones: &Stones, player: usize, value: usize) -> Stones {
    let mut stones = *stones;
    stones[player][value] += 1;
    stones
}

/// The values whose field gives a player four in a line.
fn completions(stones: &Stones, player: usize) -> Vec<usize> {
    let completes = |&value: &usize| is_open(stones, value) && has_four(&with(stones, player, value), player);
    (1..=36).filter(completes).collect()
}

fn fields_of(actions: &[Cards]) -> Vec<usize> {
    let mut fields: Vec<usize> = actions.iter().map(|cards| usize::from(cards.sum())).collect();
    fields.sort_unstable();
    fields.dedup();
    fields
}

fn legal(game: &Just4Fun, state: &State) -> Vec<Cards> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions
}

/// The reason of the end if the mover wins with this action.
fn win_by(game: &Just4Fun, state: &State, action: Cards) -> Option<&'static str> {
    let mut next = *state;
    game.apply(&mut next, action);
    let over = game.turn(&next) == Turn::Over;
    let outcome = game.outcome(&next);
    (over && outcome.payoffs[mover(game, state)] > 0.0).then_some(outcome.reason)
}

/// Exactly the expected actions win, all for this reason, and expected is a question of the field.
fn assert_wins(name: &str, reason: &str) {
    let (game, cases) = cases(name, 1);
    for case in cases {
        for action in legal(&game, &case.position) {
            let won = win_by(&game, &case.position, action);
            assert_eq!(won, case.expected.contains(&action).then_some(reason), "{}: {action:?}", case.name);
        }
    }
}

#[test]
fn sets_have_the_sizes_of_table_6_1() {
    for (name, count, median, mean, deviation) in [
        ("win-pattern", 152, 6.0, 6.0, 0.0),
        ("prevent-loss-pattern", 128, 5.0, 5.44, 0.50),
        ("prefer-win-pattern", 184, 6.0, 6.0, 0.0),
        ("double-pattern", 84, 4.0, 4.0, 0.0),
        ("triangle-pattern", 40, 4.0, 4.0, 0.0),
        // Table 6.1 has 14.65 ± 8.20, which a contested line with this median cannot have.
        ("win-pattern-ms", 136, 22.0, 15.41, 7.01),
        ("prevent-loss-pattern-ms", 90, 17.0, 18.22, 4.92),
        ("win-points-ms", 19, 39.0, 39.0, 0.0),
        ("win-max-field-ms", 10, 39.0, 39.0, 0.0),
    ] {
        let (_, cases) = cases(name, 2);
        let mut turns: Vec<f64> = cases.iter().map(|case| f64::from(case.turns)).collect();
        turns.sort_unstable_by(f64::total_cmp);
        let n = turns.len();
        let middle = (turns[(n - 1) / 2] + turns[n / 2]) / 2.0;
        let average = turns.iter().sum::<f64>() / n as f64;
        let spread = (turns.iter().map(|turns| (turns - average).powi(2)).sum::<f64>() / (n - 1) as f64).sqrt();
        assert_eq!((n, middle), (count, median), "{name}");
        assert!((average - mean).abs() < 0.005 && (spread - deviation).abs() < 0.005, "{name}: {average} {spread}");
    }
}

#[test]
fn cases_are_games_so_far() {
    let game = Just4Fun::default();
    let notation = game.notation().unwrap();
    for suite in game.suites() {
        let mut rng = Rng::from_seed(3);
        for case in (suite.cases)(&game, &mut rng) {
            let state = case.position;
            let player = mover(&game, &state);
            assert_eq!(player as u32, case.turns % 2, "{}", suite.name);
            let stones = stones(&game, &state).map(|counts| counts.iter().map(|&count| u32::from(count)).sum::<u32>());
            assert_eq!(stones[0] + stones[1], case.turns, "{}: {}", suite.name, case.name);
            assert_eq!(stones[player], case.turns / 2, "{}: {}", suite.name, case.name);
            assert_eq!(notation.parse_state(&notation.state_text(&state)).as_ref(), Ok(&state), "{}", case.name);
            let actions = legal(&game, &state);
            assert!(!case.expected.is_empty() && case.expected.iter().all(|action| actions.contains(action)));
            assert!(case.expected.len() < actions.len() || actions.len() < 3, "{}: {}", suite.name, case.name);
            let view = game.view(&state, Some(player));
            let mut world = game.initial_state();
            game.worlds(&view).sample_into(&mut world, &mut rng);
            assert_eq!(game.view(&world, Some(player)), view, "{}", case.name);
        }
    }
}

#[test]
fn wins_by_pattern_are_the_expected_actions_alone() {
    for name in ["win-pattern", "prefer-win-pattern", "win-pattern-ms"] {
        assert_wins(name, "pattern");
    }
}

#[test]
fn last_stones_win_by_the_reason_of_the_set() {
    assert_wins("win-points-ms", "points");
    assert_wins("win-max-field-ms", "max field");
    let (game, cases) = cases("win-max-field-ms", 4);
    for case in cases {
        assert_eq!(fields_of(&case.expected).len(), 1);
        assert!(legal(&game, &case.position).len() > case.expected.len());
    }
}

#[test]
fn single_stones_lie_alone_and_one_field_completes() {
    let (game, cases) = cases("win-pattern", 5);
    for case in cases {
        let stones = stones(&game, &case.position);
        assert!((1..=36).all(|value| stones[0][value] + stones[1][value] <= 1));
        assert_eq!(completions(&stones, mover(&game, &case.position)).len(), 1);
        assert!(completions(&stones, 1 - mover(&game, &case.position)).is_empty());
    }
}

#[test]
fn losses_are_prevented_by_the_expected_fields_alone() {
    for name in ["prevent-loss-pattern", "prevent-loss-pattern-ms"] {
        let (game, cases) = cases(name, 6);
        for case in cases {
            let player = mover(&game, &case.position);
            let stones = stones(&game, &case.position);
            assert!(completions(&stones, player).is_empty());
            assert_eq!(completions(&stones, 1 - player).len(), 1, "{name}: {}", case.name);
            for action in legal(&game, &case.position) {
                let after = with(&stones, player, usize::from(action.sum()));
                let safe = completions(&after, 1 - player).is_empty();
                assert_eq!(safe, case.expected.contains(&action), "{name}: {}", case.name);
            }
        }
    }
}

#[test]
fn who_prefers_to_win_could_have_blocked() {
    let (game, cases) = cases("prefer-win-pattern", 7);
    for case in cases {
        let player = mover(&game, &case.position);
        let stones = stones(&game, &case.position);
        assert!(!completions(&stones, 1 - player).is_empty());
        let blocks = legal(&game, &case.position).into_iter().filter(|action| {
            let after = with(&stones, player, usize::from(action.sum()));
            !case.expected.contains(action) && completions(&after, 1 - player).is_empty()
        });
        assert!(blocks.count() > 0, "{}", case.name);
    }
}

#[test]
fn doubles_have_two_completions_and_nothing_less_is_expected() {
    let (game, cases) = cases("double-pattern", 8);
    for case in cases {
        let player = mover(&game, &case.position);
        let stones = stones(&game, &case.position);
        for action in legal(&game, &case.position) {
            let after = with(&stones, player, usize::from(action.sum()));
            let double = completions(&after, player).len() >= 2;
            assert_eq!(double, case.expected.contains(&action), "{}", case.name);
        }
    }
}

#[test]
fn triangles_lie_in_the_middle_and_grow_in_two_lines() {
    let (game, cases) = cases("triangle-pattern", 9);
    for case in cases {
        let player = mover(&game, &case.position);
        let stones = stones(&game, &case.position);
        for field in fields_of(&case.expected) {
            let after = with(&stones, player, field);
            let place = |value: usize| (0..36).find(|&i| usize::from(BOARD[i / 6][i % 6]) == value).unwrap();
            let squares: Vec<usize> = (1..=36).filter(|&value| holds(&after, player, value)).map(place).collect();
            assert!(squares.iter().all(|square| (1..5).contains(&(square / 6)) && (1..5).contains(&(square % 6))));
            let near = |a: usize, b: usize| (a / 6).abs_diff(b / 6) <= 1 && (a % 6).abs_diff(b % 6) <= 1;
            assert!(squares.len() == 3 && squares.iter().all(|&a| squares.iter().all(|&b| near(a, b))));
            let doubling =
                |&value: &usize| is_open(&after, value) && completions(&with(&after, player, value), player).len() >= 2;
            assert!((1..=36).filter(doubling).count() >= 4, "{}", case.name);
        }
    }
}

#[test]
fn contested_lines_have_stones_of_both() {
    for name in ["win-pattern-ms", "prevent-loss-pattern-ms"] {
        let (game, cases) = cases(name, 10);
        for case in cases {
            let stones = stones(&game, &case.position);
            let (three, missing) = case.name.split_once(" for ").unwrap();
            let line = three.split('+').chain([missing]).map(|value| value.parse::<usize>().unwrap());
            let contested = line.filter(|&value| stones[0][value] > 0 && stones[1][value] > 0).count();
            assert!(contested >= 1, "{name}: {}", case.name);
        }
    }
}

#[test]
fn chance_draws_other_cards_for_the_same_shapes() {
    for name in ["win-pattern", "prevent-loss-pattern-ms"] {
        let (_, first) = cases(name, 11);
        let (_, second) = cases(name, 12);
        let (_, again) = cases(name, 11);
        assert!(first.iter().zip(&second).all(|(a, b)| a.name == b.name && a.turns == b.turns));
        assert!(first.iter().zip(&second).any(|(a, b)| a.position != b.position));
        assert!(first.iter().zip(&again).all(|(a, b)| a.position == b.position));
    }
}

#[test]
fn other_boards_have_the_sets_and_other_tables_none() {
    assert_eq!(game("board=ordered").suites().len(), 9);
    assert!(game("players=3").suites().is_empty());
    let random = game("board=random");
    let suite = random.suites().into_iter().next().unwrap();
    assert_eq!((suite.cases)(&random, &mut Rng::from_seed(13)).len(), 152);
}

/// The game with these rules.
fn game(rules: &str) -> Just4Fun {
    let rules = meeple_core::Rules::parse(rules).unwrap();
    let mut reader = meeple_core::RuleReader::new(&rules);
    meeple_core::FromRules::from_rules(&mut reader).unwrap()
}
