//! A second, slow reading of Keezen's rules on published field numbers, step by step: it must
//! agree with the fast one on every position of random games.

use std::collections::BTreeMap;

use meeple_core::{Game, Notation, Rng, Turn};
use meeple_games::Keezen;

/// The fields of each seat's marbles that are not waiting.
type Board = [Vec<u8>; 4];

fn in_lane(field: u8) -> bool {
    field % 24 < 4
}

fn forward(colour: u8, field: u8) -> Option<u8> {
    match field % 24 {
        0 => None,
        1..=3 => Some(field - 1),
        4 if field / 24 == colour => Some(field - 1),
        19 => Some((field / 24 + 1) % 4 * 24 + 4),
        _ => Some(field + 1),
    }
}

fn backward(field: u8) -> Option<u8> {
    match field % 24 {
        0..=3 => None,
        4 => Some((field / 24 + 3) % 4 * 24 + 19),
        _ => Some(field - 1),
    }
}

/// Steps from the own start.
fn progress(colour: u8, field: u8) -> usize {
    let way = std::iter::successors(Some(24 * colour + 5), |&field| forward(colour, field));
    way.take(70).position(|passed| passed == field).unwrap()
}

/// A marble on a start or finish field of its own colour.
fn blocks(board: &Board, field: u8) -> bool {
    (in_lane(field) || field % 24 == 5) && board[usize::from(field / 24)].contains(&field)
}

fn run(board: &Board, colour: usize, from: u8, steps: i32) -> Option<(Board, u8)> {
    let mut field = from;
    for _ in 0..steps.abs() {
        field = if steps > 0 { forward(colour as u8, field)? } else { backward(field)? };
        if blocks(board, field) {
            return None;
        }
    }
    let mut after = board.clone();
    after[colour].retain(|&other| other != from);
    after.iter_mut().for_each(|marbles| marbles.retain(|&other| other != field));
    after[colour].push(field);
    Some((after, field))
}

fn sorted(board: &Board, colour: usize) -> Vec<u8> {
    let mut marbles = board[colour].clone();
    marbles.sort_by_key(|&field| std::cmp::Reverse(progress(colour as u8, field)));
    marbles
}

fn finished(board: &Board, seat: usize) -> bool {
    board[seat].iter().filter(|&&field| in_lane(field)).count() == 4
}

/// Every action with the board after it.
fn moves(board: &Board, seat: usize, hand: &str) -> BTreeMap<String, Board> {
    let colour = if finished(board, seat) { (seat + 2) % 4 } else { seat };
    let marbles = sorted(board, colour);
    let mut found = BTreeMap::new();
    for card in hand.chars() {
        let value = "A23456789TJQK".find(card).unwrap() as i32 + 1;
        if matches!(value, 1 | 13) && marbles.len() < 4 && !blocks(board, 24 * colour as u8 + 5) {
            let mut after = board.clone();
            after.iter_mut().for_each(|marbles| marbles.retain(|&field| field != 24 * colour as u8 + 5));
            after[colour].push(24 * colour as u8 + 5);
            found.insert(format!("ST{value:02}P{}", marbles.len()), after);
        }
        if !matches!(value, 7 | 11 | 13) {
            for (marble, &from) in marbles.iter().enumerate() {
                if let Some((after, _)) = run(board, colour, from, if value == 4 { -4 } else { value }) {
                    found.insert(format!("RU{value:02}P{marble}"), after);
                }
            }
        }
        if value == 7 {
            sevens(board, colour, &marbles, &mut found);
        }
        if value == 11 {
            swaps(board, seat, colour, &marbles, &mut found);
        }
    }
    found
}

fn sevens(board: &Board, colour: usize, marbles: &[u8], found: &mut BTreeMap<String, Board>) {
    let teammate = (colour + 2) % 4;
    for (first, &from) in marbles.iter().enumerate() {
        if let Some((after, _)) = run(board, colour, from, 7) {
            found.insert(format!("SP07P{first}"), after);
        }
        let last_outside = !in_lane(from) && board[colour].iter().filter(|&&field| in_lane(field)).count() == 3;
        for steps in 1..7 {
            let Some((middle, reached)) = run(board, colour, from, steps) else { continue };
            for (second, &other) in marbles.iter().enumerate() {
                if second != first
                    && reached != other
                    && let Some((after, _)) = run(&middle, colour, other, 7 - steps)
                {
                    found.insert(format!("SP07P{first}{steps}P{second}"), after);
                }
            }
            for (second, &other) in sorted(board, teammate).iter().enumerate() {
                if last_outside
                    && in_lane(reached)
                    && let Some((after, _)) = run(&middle, teammate, other, 7 - steps)
                {
                    found.insert(format!("SP07P{first}{steps}T{second}"), after);
                }
            }
        }
    }
}

fn swaps(board: &Board, seat: usize, colour: usize, marbles: &[u8], found: &mut BTreeMap<String, Board>) {
    let free = |field: u8| !in_lane(field) && !blocks(board, field);
    for (marble, &from) in marbles.iter().enumerate() {
        for (offset, name) in [(1, 'A'), (2, 'T'), (3, 'B')] {
            let other_seat = (seat + offset) % 4;
            for (other, &to) in sorted(board, other_seat).iter().enumerate() {
                if other_seat != colour && free(from) && free(to) {
                    let mut after = board.clone();
                    after[colour].retain(|&field| field != from);
                    after[colour].push(to);
                    after[other_seat].retain(|&field| field != to);
                    after[other_seat].push(from);
                    found.insert(format!("SW11P{marble}{name}{other}"), after);
                }
            }
        }
    }
}

/// Marbles and the hand of a seat, from the notation.
fn read(text: &str, seat: usize) -> (Board, String) {
    let parts: Vec<&str> = text.split(' ').collect();
    let mut board = Board::default();
    for (colour, marbles) in parts[0].split('/').enumerate() {
        board[colour] = marbles.split('.').filter_map(|field| field.parse().ok()).collect();
        board[colour].sort_unstable();
    }
    (board, parts[1].split('/').nth(seat).unwrap().to_string())
}

#[test]
fn fast_and_slow_rules_agree_on_random_games() {
    let game = Keezen::default();
    let mut rng = Rng::from_seed(9);
    let mut actions = Vec::new();
    for _ in 0..50 {
        let mut state = game.initial_state();
        loop {
            let seat = match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    game.play_chance(&mut state, &mut rng);
                    continue;
                }
                Turn::Player(seat) => seat,
            };
            let (board, hand) = read(&game.state_text(&state), seat);
            let mut expected = moves(&board, seat, &hand);
            if expected.is_empty() {
                expected.insert("TC".to_string(), board);
            }
            game.legal_actions(&state, &mut actions);
            assert_eq!(actions.len(), expected.len(), "{}", game.state_text(&state));
            for &action in &actions {
                let text = game.action_text(&state, action);
                let mut after = state;
                game.apply(&mut after, action);
                let board = expected.get_mut(&text).unwrap_or_else(|| panic!("{text}: {}", game.state_text(&state)));
                board.iter_mut().for_each(|marbles| marbles.sort_unstable());
                assert_eq!(read(&game.state_text(&after), 0).0, *board, "{text}: {}", game.state_text(&state));
            }
            game.apply(&mut state, *rng.choose(&actions));
        }
    }
}
