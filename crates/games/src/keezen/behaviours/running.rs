//! Which marble runs, and with which card.

use super::super::action::{Move, STEPS};
use super::super::board::{START, WAITING, find};
use super::super::ranks::{ACE, FOUR};
use super::super::script::field_value;
use super::Verdicts;
use super::choice::{Choice, Effect, on_track};

/// A split that gains so much more is a clear win: what the lane adds to the value of a field.
const CLEAR_GAIN: f64 = 50.0;

/// Runs 4 backward from start field first marble: the marble on the start is the only one in the
/// game. See [`four_back`].
pub(super) fn four_back_first(choice: &Choice<'_>) -> Verdicts {
    if choice.marbles()[1] == WAITING { four_back(choice) } else { choice.none() }
}

/// Runs 4 backward from start field other marbles. See [`four_back`].
pub(super) fn four_back_others(choice: &Choice<'_>) -> Verdicts {
    if choice.marbles()[1] == WAITING { choice.none() } else { four_back(choice) }
}

/// The marble on the start can run four backward. That is good; other actions are bad, except with
/// a reason, or if the same marble runs up to three steps and a four is kept: then the four leads
/// behind the entry in the next turn, which the thesis calls smarter.
fn four_back(choice: &Choice<'_>) -> Verdicts {
    let Some(on_start) = find(choice.marbles(), START) else { return choice.none() };
    choice.each(|option| match option.kind {
        Move::Run { rank, marble } if usize::from(marble) == on_start => match usize::from(rank) {
            FOUR => Some(true),
            rank if STEPS[rank] < 4 && option.hand.has(FOUR) => None,
            _ => (!option.has_reason()).then_some(false),
        },
        _ => (!option.has_reason()).then_some(false),
    })
}

/// The card and the marble of an action that runs forward on the track with no other purpose.
fn plain_run(choice: &Choice<'_>, option: &Effect) -> Option<(usize, usize)> {
    let Move::Run { rank, marble } = option.kind else { return None };
    let (rank, marble) = (usize::from(rank), usize::from(marble));
    let plain = rank != FOUR && !option.has_reason() && !option.hits_own_team();
    (plain && on_track(choice.marbles()[marble])).then_some((rank, marble))
}

/// Runs not just with front marble: a card can run with the front marble on the track or with
/// another one, for no other purpose. Another one is good; the front one is bad unless it gains
/// more by the values of fields than each of the others.
pub(super) fn not_just_the_front(choice: &Choice<'_>) -> Verdicts {
    let marbles = choice.marbles();
    let front = marbles.iter().position(|&place| on_track(place));
    let gain = |rank: usize, marble: usize| field_value(marbles[marble] + STEPS[rank]) - field_value(marbles[marble]);
    let runs: Vec<(usize, usize)> = choice.options.iter().filter_map(|option| plain_run(choice, option)).collect();
    choice.each(|option| {
        let (rank, marble) = plain_run(choice, option)?;
        if Some(marble) != front {
            return Some(true);
        }
        let others = runs.iter().filter(|&&(other_rank, other)| other_rank == rank && other != marble);
        let best = others.map(|&(_, other)| gain(rank, other)).reduce(f64::max)?;
        (gain(rank, marble) <= best).then_some(false)
    })
}

/// Plays not always the highest card first: several cards, aces aside, can run with one marble for
/// no other purpose. The highest of them is bad, another one good.
pub(super) fn not_the_highest_card(choice: &Choice<'_>) -> Verdicts {
    let run = |option: &Effect| plain_run(choice, option).filter(|&(rank, _)| rank != ACE);
    let runs: Vec<(usize, usize)> = choice.options.iter().filter_map(run).collect();
    choice.each(|option| {
        let (rank, marble) = run(option)?;
        let ranks = runs.iter().filter(|&&(_, other)| other == marble).map(|&(rank, _)| rank);
        let (highest, lowest) = (ranks.clone().max()?, ranks.min()?);
        (highest > lowest).then_some(rank < highest)
    })
}

/// Splits seven steps beneficial over two marbles: a seven is played. By the values of fields, a
/// split is good if it gains something and no less than every run of one marble, and hits nobody of
/// the team; otherwise it is bad. A run of one marble is bad if a split gains clearly more.
pub(super) fn splits_well(choice: &Choice<'_>) -> Verdicts {
    let best = |splits: bool| {
        let sevens = choice.options.iter().filter(|option| match option.kind {
            Move::Seven { .. } => !splits,
            Move::Split { .. } => splits && !option.hits_own_team(),
            _ => false,
        });
        sevens.map(|option| choice.gain(option)).fold(f64::NEG_INFINITY, f64::max)
    };
    let (best_run, best_split) = (best(false), best(true));
    choice.each(|option| match option.kind {
        Move::Split { .. } => {
            let gain = choice.gain(option);
            Some(gain > 0.0 && gain >= best_run && !option.hits_own_team())
        }
        Move::Seven { .. } if best_split - choice.gain(option) >= CLEAR_GAIN => Some(false),
        _ => None,
    })
}
