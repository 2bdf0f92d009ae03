//! What no game of the catalogue has: pieces of different worth, a hand, numbers on pieces, partners.

use meeple_core::{Geometry, Notation, Reach};
use meeple_games::TicTacToe;
use meeple_games::tic_tac_toe::State;

use super::*;

/// Tic-tac-toe with a mark on b2 worth 3, in which every mark could be captured from b2.
struct Toy;

impl Board<TicTacToe> for Toy {
    fn geometry(&self) -> Geometry {
        Geometry { kinds: vec![1.0, 3.0], ..Geometry::grid(3, 3, 3, |row, column| row * 3 + column) }
    }

    fn pieces(&self, state: &State, player: Player, kind: usize) -> Sites {
        let middle = |site: &usize| (*site == 4) == (kind == 1);
        Board::pieces(&TicTacToe, state, player, 0).iter().filter(middle).collect()
    }

    fn moves(&self, state: &State, player: Player, reach: &mut Reach) {
        if self.pieces(state, player, 1).contains(4) {
            (0..9).for_each(|site| reach.add(site));
            reach.add(0);
        } else {
            reach.add(4);
            reach.add(4);
        }
    }

    fn material_in_hand(&self, _: &State, player: Player) -> f32 {
        if player == 0 { 5.0 } else { 0.0 }
    }

    fn component_values(&self, _: &State, player: Player) -> Option<f32> {
        Some(player as f32 * 2.0)
    }

    fn score(&self, _: &State, player: Player) -> Option<f32> {
        Some(player as f32 * 7.0)
    }
}

fn sum(terms: &[(Term, f32)], teams: Vec<Team>, opponents: Opponents) -> Terms {
    Terms::on(&Toy.geometry(), teams, &TermSettings { terms: terms.to_vec(), slope: 1.0, opponents })
}

#[test]
fn kinds_hands_and_numbers_count() {
    // x: b2, c3; o: a1, b1.
    let state = TicTacToe.parse_state("..x/.x./oo.").unwrap();
    for (term, expected) in [
        (Term::Material, [3.0 + 1.0 + 5.0, 2.0]),
        (Term::Components, [0.0, 2.0]),
        (Term::Score, [0.0, 7.0]),
        (Term::Threatened, [3.0, 2.0]),
        // o has two moves to b2; x has two to a1 and one to b1.
        (Term::ThreatenedMultiple, [6.0, 3.0]),
        // Without what is in hand.
        (Term::Unthreatened, [1.0, 0.0]),
        (Term::Centre, [1.0, 0.0]),
    ] {
        let totals = sum(&[(term, 2.0)], vec![0, 1], Opponents::Mean).totals(&TicTacToe, &Toy, &state);
        assert_eq!(totals[..2], expected.map(|value| 2.0 * value), "{term:?}");
    }
}

#[test]
fn the_terms_of_a_board_are_those_that_it_can_tell() {
    let names = |terms: Vec<(String, Term)>| terms.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let toy = names(Term::of_board(&TicTacToe, &Toy));
    let plain = names(Term::of_board(&TicTacToe, &TicTacToe));
    for name in ["components", "score"] {
        assert!(toy.iter().any(|known| known == name) && !plain.iter().any(|known| known == name));
    }
    for name in ["lines", "material", "intercept(1)"] {
        assert!(plain.iter().any(|known| known == name));
    }
    for name in ["own_region", "own_region_count", "site_map_count", "region(home)", "intercept(2)"] {
        assert!(!plain.iter().any(|known| known == name));
    }
}

#[test]
fn teams_and_opponents_are_compared() {
    let totals = [3.0, 8.0, 5.0, 1.0, 0.0, 0.0];
    let lead = |teams: &[Team], opponents, player| sum(&[], teams.to_vec(), opponents).lead(&totals, player);
    assert_eq!(lead(&[0], Opponents::Mean, 0), 3.0);
    assert_eq!(lead(&[0, 1], Opponents::Mean, 0), -5.0);
    assert_eq!(lead(&[0, 1], Opponents::Best, 1), 5.0);
    assert_eq!(lead(&[0, 1, 2], Opponents::Mean, 0), 3.0 - 6.5);
    assert_eq!(lead(&[0, 1, 2], Opponents::Best, 0), 3.0 - 8.0);
    assert_eq!(lead(&[0, 1, 0, 1], Opponents::Mean, 2), 4.0 - 4.5);
    assert_eq!(lead(&[0, 0], Opponents::Mean, 0), 5.5);
}
