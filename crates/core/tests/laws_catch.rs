//! Every law is seen to fail: a game with one fault breaks exactly the law that names it.

mod faulty;

use std::panic::{AssertUnwindSafe, catch_unwind};

use faulty::{Fault, Faulty};
use meeple_core::laws::{Laws, assert_worlds_exhaustively, check};

/// The faults that random games show, each with its law, or the end of both laws that forbid it.
const BROKEN: &[(Fault, &str)] = &[
    (Fault::ChanceNotAnnounced, "a game without chance has no chance turn"),
    (Fault::HiddenCardsNotAnnounced, "perfect information allows one world"),
    (Fault::DuplicateAction, "no action twice"),
    (Fault::NoAction, "a player to move has an action"),
    (Fault::UnstableOrder, "the list of actions is stable"),
    (Fault::OrderByHiddenCard, " the legal actions"),
    (Fault::EqualTexts, "texts are distinct"),
    (Fault::UncleanText, "texts are one clean line"),
    (Fault::CodeOfAnotherAction, "codes give back their actions"),
    (Fault::EndlessGame, "the game ends within its bound"),
    (Fault::PayoffOutOfRange, "payoffs are in [-1, 1]"),
    (Fault::PayoffForAnEmptySeat, "empty seats get nothing"),
    (Fault::PayoffsOfAnotherSum, "payoffs add up to the constant"),
    (Fault::UnequalPartners, "partners share payoffs"),
    (Fault::OutcomeOfOtherPayoffs, "payoffs and outcome agree"),
    (Fault::ViewShowsHiddenCard, "a sampled world keeps the view"),
    (Fault::SpectatorSeesHiddenCard, "a seat knows all that is public"),
    (Fault::KeyOfTheHiddenCard, "equal views have equal keys"),
    (Fault::ConstantKey, "equal keys have equal actions"),
    (Fault::NoWorlds, "the truth is a possible world"),
    (Fault::ZeroWeight, "weights are positive"),
    (Fault::SampleBiased, "outcomes of chance follow their weights"),
    (Fault::SampleUnlisted, "random actions are possible ones"),
    (Fault::RandomActionBiased, "random actions are uniform"),
    (Fault::RandomActionIllegal, "random actions are possible ones"),
    (Fault::PlayChanceBiased, "play_chance follows the weights"),
    (Fault::PlayChanceDependent, "play_chance follows the weights"),
    (Fault::PlayChanceUnreachable, "play_chance follows the weights"),
    (Fault::StateTextAmbiguous, "a state's notation parses back"),
    (Fault::ViewTextAmbiguous, "a view's notation parses back"),
    (Fault::NotationOfTwoLines, "a notation is one clean line"),
    (Fault::PolicyIndexOutOfRange, "policy indices are in range"),
    (Fault::EncodingNotFinite, "encodings are finite"),
    (Fault::EncodingOfHiddenCards, "nothing hidden is encoded"),
    (Fault::SymmetryZeroMirrors, "symmetry 0 changes nothing"),
    (Fault::SymmetryOfActionsWrong, "a symmetry commutes with actions"),
    (Fault::SymmetryOfStatesWrong, "a symmetry commutes with actions"),
    (Fault::SymmetryOfViewsWrong, "a symmetry maps views to views"),
    (Fault::SymmetryOfPayoffsWrong, "a symmetry keeps the payoffs"),
    (Fault::SiteBesideTheBoard, "sites lie on the board"),
    (Fault::SiteNowhere, "sites lie on the board"),
    (Fault::SiteTwice, "sites have distinct picks"),
    (Fault::LabelBesideTheBoard, "labels lie on the board"),
    (Fault::PieceOfNobody, "pieces belong to seats"),
    (Fault::AreaTwice, "areas have distinct names"),
    (Fault::CardOfNobody, "cards belong to seats"),
    (Fault::CardPickedFaceDown, "cards that lie face down have no pick"),
    (Fault::CardPickedAsSite, "no card is picked by the name of a site"),
    (Fault::SeatMissing, "a scene has every seat"),
    (Fault::SceneShowsHiddenCard, "nothing hidden is drawn"),
    (Fault::PickNotThere, "picks are there to be clicked"),
    (Fault::PickTwice, "picks are there to be clicked"),
    (Fault::PublicDeal, "what is public is in the view"),
    (Fault::PublicTextOfHiddenCard, "what is public is in the view"),
];

/// The faults that only the list of all states shows, each with a part of the message.
const BROKEN_WORLDS: &[(Fault, &str)] = &[
    (Fault::WorldsBiased, "not uniform"),
    (Fault::WorldUnreachable, "which cannot be reached"),
    (Fault::WorldsListUnreachable, "states are reachable, but the worlds are"),
    (Fault::WorldsListIncomplete, ", not 0.08333"),
    (Fault::WorldsListBiased, ", not 0.08333"),
];

#[test]
fn without_a_fault_all_laws_hold() {
    let game = Faulty::new(Fault::None);
    for seed in 0..5 {
        assert!(check(&game, &Laws { seed, ..Laws::default() }).is_ok());
    }
    assert_worlds_exhaustively(&game, 10_000, usize::MAX);
}

#[test]
fn each_fault_breaks_its_law() {
    let wrong = BROKEN.iter().filter_map(|&(fault, law)| other_result(&Faulty::new(fault), law));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_deal_too_large_to_list_is_compared_by_what_it_offers() {
    const CARDS: u8 = 60; // 3,540 deals
    assert!(check(&Faulty::with_cards(Fault::None, CARDS), &Laws::default()).is_ok());
    let wrong =
        other_result(&Faulty::with_cards(Fault::PlayChanceBiased, CARDS), "play_chance agrees with sample_chance");
    assert_eq!(wrong, None);
}

/// What the check says instead of this law, for several seeds.
fn other_result(game: &Faulty, law: &str) -> Option<String> {
    let fault = game.fault();
    (0..5).find_map(|seed| match check(game, &Laws { seed, ..Laws::default() }) {
        Ok(_) => Some(format!("{fault:?} is not caught with seed {seed}")),
        Err(violation) if violation.law.ends_with(law) => None,
        Err(violation) => Some(format!("{fault:?}: {violation}")),
    })
}

#[test]
fn each_fault_of_the_worlds_is_found_by_listing_all_states() {
    for &(fault, part) in BROKEN_WORLDS {
        let listing = || assert_worlds_exhaustively(&Faulty::new(fault), 10_000, usize::MAX);
        let panic = catch_unwind(AssertUnwindSafe(listing)).expect_err(part);
        let message = panic.downcast_ref::<String>().expect("a message");
        assert!(message.contains(part), "{fault:?}: {message}");
    }
}
