//! From card points to game points, and from hand to hand.

use meeple_core::Team;

use super::{Public, SEATS, State, Sueca, Table};

impl Sueca {
    /// What a hand is worth to a team with so many card points, from -4 to 4. `sweep` tells
    /// whether one team took every trick.
    pub fn game_points(&self, points: u32, sweep: bool) -> i32 {
        let all = self.pack.points_of(self.pack.cards);
        let (most, sign) = if 2 * points >= all { (points, 1) } else { (all - points, -1) };
        let bandeira = most == all && (sweep || !self.rules.bandeira_needs_all_tricks);
        if 2 * most == all {
            0
        } else if bandeira {
            4 * sign
        } else if 4 * most > 3 * all {
            2 * sign
        } else {
            sign
        }
    }

    /// What the finished hand of a game that is over was worth to a team, not doubled.
    pub fn game_points_of(&self, state: &State, team: Team) -> i32 {
        self.worth(&state.public.table, team)
    }

    pub(super) fn worth(&self, table: &Table, team: Team) -> i32 {
        self.game_points(u32::from(table.points[team]), table.tricks.contains(&0))
    }

    /// By team: card points of a single hand, game points of a match.
    pub(super) fn scores(&self, public: &Public) -> [u8; 2] {
        if self.rules.to == 0 { public.table.points } else { public.games }
    }

    pub(super) fn reason(&self, public: &Public) -> &'static str {
        let [first, second] = self.scores(public);
        if first == second {
            "tie"
        } else if self.rules.to == 0 {
            "card points"
        } else if usize::from(first.max(second)) >= self.rules.to {
            "match won"
        } else {
            "hand limit"
        }
    }

    /// Scores a hand of which every trick is complete, and starts the next one unless the match
    /// is over.
    pub(super) fn finish_hand(&self, state: &mut State) {
        if self.rules.to == 0 {
            return;
        }
        let worth = self.game_points_of(state, 0);
        let public = &mut state.public;
        let factor = if public.doubled { 2 } else { 1 };
        let winner = usize::from(worth < 0);
        public.games[winner] += (worth.unsigned_abs() * factor) as u8;
        public.hands += 1;
        public.doubled = self.rules.tie_doubles_next && worth == 0;
        let decided = usize::from(public.games[winner]) >= self.rules.to;
        if !decided && usize::from(public.hands) < self.hands_at_most() {
            let dealer = (usize::from(public.dealer) + 1) % SEATS;
            *state = State { hands: [0; SEATS], public: public.dealt_by(dealer) };
        }
    }
}
