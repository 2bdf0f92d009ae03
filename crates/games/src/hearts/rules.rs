//! The parameters of Hearts.

use meeple_core::{FromRules, RuleError, RuleReader};

use super::Hearts;
use crate::cards::{CLUBS, Card, HEARTS, Ranks, SPADES, suit_mask};

/// What happens when a game to a target ends with several players sharing the lowest total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// All of them have won.
    Shared,
    /// Another hand is played, up to [`MOST_EXTRA_HANDS`] in all; then they share.
    PlayOn,
}

/// The order of the ranks in every suit, from the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankOrder {
    /// `AKQJT98765432`, as usual.
    QueenAboveJack,
    /// `AKJQT98765432`, as in thesis 002, section 3.4.
    JackAboveQueen,
}

impl RankOrder {
    fn text(self) -> &'static str {
        match self {
            RankOrder::QueenAboveJack => "AKQJT98765432",
            RankOrder::JackAboveQueen => "AKJQT98765432",
        }
    }
}

/// How many hands a tie may add to a game: without a bound it need not end.
pub const MOST_EXTRA_HANDS: u32 = 20;

/// The highest target.
pub const MOST_POINTS: u32 = 1000;

/// The parameters of the game. The default is one hand without passing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeartsRules {
    /// Before the play everybody passes three cards: to the left, to the right, across, in the
    /// fourth hand nobody, and so on.
    pub passing: bool,
    /// In points, at most [`MOST_POINTS`]: hands are played until somebody has so many. 0 is a
    /// single hand.
    pub to: u32,
    /// Whether hearts may be led once the queen of spades has been played.
    pub queen_breaks_hearts: bool,
    pub rank_order: RankOrder,
    pub tie: Tie,
}

impl HeartsRules {
    /// Passing, and hands until somebody has 100 points.
    pub fn full_game() -> HeartsRules {
        HeartsRules { passing: true, to: 100, ..HeartsRules::default() }
    }
}

impl Default for HeartsRules {
    fn default() -> HeartsRules {
        HeartsRules {
            passing: false,
            to: 0,
            queen_breaks_hearts: false,
            rank_order: RankOrder::QueenAboveJack,
            tie: Tie::Shared,
        }
    }
}

impl FromRules for Hearts {
    fn from_rules(reader: &mut RuleReader) -> Result<Hearts, RuleError> {
        let to = reader.integer(
            "to",
            "play hands until somebody has so many points; 0: one hand",
            0..=MOST_POINTS as usize,
            0,
        )?;
        let rules = HeartsRules {
            to: to as u32,
            passing: reader.flag("passing", "pass three cards before the play (default: if `to` is given)", to > 0)?,
            queen_breaks_hearts: reader.flag(
                "queen_breaks_hearts",
                "the queen of spades also allows hearts to be led",
                false,
            )?,
            rank_order: reader.choice(
                "rank_order",
                "the ranks from the strongest to the weakest",
                &[RankOrder::QueenAboveJack, RankOrder::JackAboveQueen].map(|order| (order.text(), order)),
                RankOrder::QueenAboveJack.text(),
            )?,
            tie: reader.choice(
                "tie",
                "several players with the lowest total at the end share the win, or play on",
                &[("shared", Tie::Shared), ("play_on", Tie::PlayOn)],
                "shared",
            )?,
        };
        if rules.to == 0 && rules.tie == Tie::PlayOn {
            return Err(RuleError("tie=play_on needs a game of several hands: give `to`, for example to=100".into()));
        }
        Ok(Hearts::new(rules))
    }
}

impl Default for Hearts {
    fn default() -> Hearts {
        Hearts::new(HeartsRules::default())
    }
}

impl Hearts {
    pub fn new(rules: HeartsRules) -> Hearts {
        assert!(rules.to <= MOST_POINTS, "a game to more than {MOST_POINTS} points");
        let ranks = ranks(&rules);
        Hearts::build(rules, ranks.deck(4), 3)
    }

    /// A game with fewer cards, to be listed in full: `deck` like `2c.3c.4h.Qs`, as many cards for
    /// each of the four players, at least one club and one card that scores; `passed` is the
    /// number of cards that a player passes.
    pub fn with_deck(rules: HeartsRules, deck: &str, passed: u32) -> Result<Hearts, RuleError> {
        let deck = ranks(&rules).parse_set(deck).map_err(|error| RuleError(error.0))?;
        let cards = deck.count_ones();
        if cards == 0 || cards % 4 != 0 {
            return Err(RuleError(format!("{cards} cards cannot be dealt evenly to four players")));
        }
        if deck & suit_mask(CLUBS) == 0 {
            return Err(RuleError("the deck has no club to open with".into()));
        }
        if rules.passing && !(1..=(cards / 4).min(3)).contains(&passed) {
            return Err(RuleError(format!("{passed} cards cannot be passed from a hand of {}", cards / 4)));
        }
        let game = Hearts::build(rules, deck, passed);
        if game.hand_points == 0 {
            return Err(RuleError("the deck has no card that scores".into()));
        }
        if rules.to > MOST_POINTS || game.most_hands() > u32::from(u8::MAX) {
            return Err(RuleError(format!("with this deck a game to {} points is too long", rules.to)));
        }
        Ok(game)
    }

    fn build(rules: HeartsRules, deck: u64, passed: u32) -> Hearts {
        let ranks = ranks(&rules);
        let queen = ranks.parse("Qs").expect("every order has a queen");
        debug_assert_eq!(queen.suit(), SPADES);
        let hearts = deck & suit_mask(HEARTS);
        let has_queen = deck & queen.bit() != 0;
        Hearts {
            ranks,
            deck,
            cards: deck.count_ones() as u8,
            passed,
            opening: Card((deck & suit_mask(CLUBS)).trailing_zeros() as u8),
            queen,
            scoring: hearts | (deck & queen.bit()),
            hand_points: hearts.count_ones() + 13 * u32::from(has_queen),
            rules,
        }
    }

    /// No game has more hands: every hand adds at least its points to the sum of the totals, and
    /// before the last one all totals are below the target.
    pub(super) fn most_hands(&self) -> u32 {
        let to_the_target = match self.rules.to {
            0 => 1,
            to => 4 * (to - 1) / self.hand_points + 1,
        };
        match self.rules.tie {
            Tie::Shared => to_the_target,
            Tie::PlayOn => to_the_target + MOST_EXTRA_HANDS,
        }
    }
}

fn ranks(rules: &HeartsRules) -> Ranks {
    let weakest_first: String = rules.rank_order.text().chars().rev().collect();
    Ranks::new(&weakest_first)
}
