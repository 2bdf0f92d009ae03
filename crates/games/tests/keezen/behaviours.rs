//! The twenty behaviours of thesis 003, table 7.2: of each a good action, a bad one, and one that
//! is neither.

use crate::position::Position;
use meeple_core::Game;
use meeple_games::Keezen;

/// Marbles and hand of seat 0, and an action.
type At = (&'static str, &'static str, &'static str);

struct Example {
    behaviour: &'static str,
    good: At,
    bad: At,
    neither: &'static [At],
}

const W: &str = "w.w.w.w";

/// In the order of the table. Marbles of the seats that are not named wait.
const EXAMPLES: [Example; 20] = [
    Example {
        behaviour: "starts with the ace instead of running",
        good: ("14.w.w.w", "A5", "ST01P1"),
        bad: ("14.w.w.w", "A5", "RU01P0"),
        // Another card; an ace that cannot start; an ace that hits; an ace that comes into the lane.
        neither: &[
            ("14.w.w.w", "A5", "RU05P0"),
            ("14.5.w.w", "A5", "RU01P0"),
            ("14.w.w.w/15.w.w.w", "A5", "RU01P0"),
            ("4.w.w.w", "A5", "RU01P0"),
        ],
    },
    Example {
        behaviour: "leaves the start if another starter is in hand",
        good: ("14.5.w.w", "K3", "RU03P1"),
        bad: ("14.5.w.w", "K3", "RU03P0"),
        // No starter; nobody waits; a hit.
        neither: &[("14.5.w.w", "36", "RU03P1"), ("14.5.8.9", "K3", "RU03P0"), ("14.5.w.w/17.w.w.w", "K3", "RU03P0")],
    },
    Example {
        behaviour: "four backward from start, first marble",
        good: ("5.w.w.w", "45", "RU04P0"),
        bad: ("5.w.w.w", "45", "RU05P0"),
        // Not on the start; two forward with the four still to come; another marble in the game.
        neither: &[("6.w.w.w", "45", "RU05P0"), ("5.w.w.w", "425", "RU02P0"), ("14.5.w.w", "45", "RU04P1")],
    },
    Example {
        behaviour: "four backward from start, other marbles",
        good: ("14.5.w.w", "45", "RU04P1"),
        bad: ("14.5.w.w", "45", "RU04P0"),
        neither: &[("5.w.w.w", "45", "RU04P0"), ("14.5.w.w/19.w.w.w", "45", "RU05P0")],
    },
    Example {
        behaviour: "runs not just with the front marble",
        good: ("14.8.w.w", "3", "RU03P1"),
        bad: ("14.8.w.w", "3", "RU03P0"),
        // One marble; a front marble that gains more, behind the first start of an opponent.
        neither: &[("14.w.w.w", "3", "RU03P0"), ("32.8.w.w", "3", "RU03P0")],
    },
    Example {
        behaviour: "does not always play the highest card first",
        good: ("14.w.w.w", "26", "RU02P0"),
        bad: ("14.w.w.w", "26", "RU06P0"),
        neither: &[("14.w.w.w", "A6", "RU06P0"), ("14.w.w.w/28.w.w.w", "26", "RU06P0")],
    },
    Example {
        behaviour: "splits the seven to advantage",
        good: ("12.10.6.w", "72", "SP07P01P1"),
        bad: ("12.10.6.w", "72", "SP07P12P2"),
        neither: &[("12.10.6.w", "72", "RU02P0"), ("12.10.6.w", "72", "SP07P2")],
    },
    Example {
        behaviour: "finishes with priority",
        good: ("90.14.w.w", "35", "RU03P0"),
        bad: ("90.14.w.w", "35", "RU03P1"),
        neither: &[("14.w.w.w", "35", "RU03P0"), ("90.14.w.w/17.w.w.w", "35", "RU03P1")],
    },
    Example {
        behaviour: "finishes smart",
        good: ("90.w.w.w", "36", "RU06P0"),
        bad: ("90.w.w.w", "36", "RU03P0"),
        neither: &[("90.w.w.w", "3", "RU03P0"), ("90.14.w.w", "36", "RU03P1")],
    },
    Example {
        behaviour: "hits opponents if possible",
        good: ("14.w.w.w/17.w.w.w", "35", "RU03P0"),
        bad: ("14.w.w.w/17.w.w.w", "35", "RU05P0"),
        neither: &[("14.w.w.w", "35", "RU05P0"), ("90.14.w.w/17.w.w.w", "35", "RU03P0")],
    },
    Example {
        behaviour: "does not hit the teammate",
        good: ("14.8.w.w/w.w.w.w/17.w.w.w", "35", "RU03P1"),
        bad: ("14.8.w.w/w.w.w.w/17.w.w.w", "35", "RU03P0"),
        neither: &[("14.8.w.w/w.w.w.w/17.w.w.w", "35", "RU05P1"), ("14.w.w.w/w.w.w.w/17.w.w.w", "3", "RU03P0")],
    },
    Example {
        behaviour: "does not hit itself",
        good: ("14.8.w.w", "62", "RU06P0"),
        bad: ("14.8.w.w", "62", "RU06P1"),
        neither: &[("14.8.w.w", "62", "RU02P0")],
    },
    Example {
        behaviour: "runs with a chance to hit opponents",
        good: ("14.w.w.w/32.w.w.w", "285", "RU02P0"),
        bad: ("14.w.w.w/32.w.w.w", "285", "RU05P0"),
        // A hit is possible at once; no card is left.
        neither: &[("14.w.w.w/32.w.w.w", "T25", "RU05P0"), ("14.8.w.w/32.w.w.w", "2", "RU02P0")],
    },
    Example {
        behaviour: "lowers the chance of being hit",
        good: ("16.7.w.w/w.w.w.w/w.w.w.w/9.w.w.w", "5Q", "RU12P0"),
        bad: ("16.7.w.w/w.w.w.w/w.w.w.w/9.w.w.w", "5Q", "RU05P1"),
        neither: &[("16.7.w.w", "5Q", "RU05P1")],
    },
    Example {
        behaviour: "keeps a marble on its start to block opponents",
        good: ("14.5.w.w/w.w.w.w/w.w.w.w/88.w.w.w", "36", "RU03P0"),
        bad: ("14.5.w.w/w.w.w.w/w.w.w.w/88.w.w.w", "36", "RU03P1"),
        // Nobody comes; four backward; another marble can start.
        neither: &[
            ("14.5.w.w", "36", "RU03P1"),
            ("14.5.w.w/w.w.w.w/w.w.w.w/84.w.w.w", "34", "RU04P1"),
            ("14.5.w.w/w.w.w.w/w.w.w.w/88.w.w.w", "3K", "RU03P1"),
        ],
    },
    Example {
        behaviour: "avoids blocking the teammate",
        good: ("14.5.w.w/w.w.w.w/88.w.w.w", "36", "RU03P1"),
        bad: ("14.5.w.w/w.w.w.w/88.w.w.w", "36", "RU03P0"),
        // Nobody comes; an opponent does as well.
        neither: &[("14.5.w.w", "36", "RU03P0"), ("14.5.w.w/w.w.w.w/88.w.w.w/87.w.w.w", "36", "RU03P0")],
    },
    Example {
        behaviour: "avoids being blocked",
        good: ("42.18.w.w", "52", "RU05P1"),
        bad: ("42.18.w.w", "52", "RU05P0"),
        // Still before the start; the start is blocked already.
        neither: &[("42.18.w.w", "52", "RU02P1"), ("42.18.w.w/29.w.w.w", "52", "RU05P0")],
    },
    Example {
        behaviour: "switches to its own advantage",
        good: ("14.w.w.w/60.w.w.w/w.w.w.w/9.w.w.w", "J3", "SW11P0A0"),
        bad: ("14.w.w.w/60.w.w.w/w.w.w.w/9.w.w.w", "J3", "SW11P0B0"),
        neither: &[("14.w.w.w/60.w.w.w/w.w.w.w/9.w.w.w", "J3", "RU03P0"), ("14.w.w.w/60.w.w.w", "J", "SW11P0A0")],
    },
    Example {
        behaviour: "switches to the teammate's advantage",
        good: ("14.w.w.w/w.w.w.w/60.33.w.w", "J3", "SW11P0T1"),
        bad: ("14.w.w.w/w.w.w.w/60.33.w.w", "J3", "SW11P0T0"),
        neither: &[("14.w.w.w/w.w.w.w/60.33.w.w", "J3", "RU03P0"), ("14.w.w.w/60.w.w.w", "J3", "SW11P0A0")],
    },
    Example {
        behaviour: "switches not to the opponents' advantage",
        good: ("14.w.w.w/60.19.w.w", "J3", "SW11P0A0"),
        bad: ("14.w.w.w/60.19.w.w", "J3", "SW11P0A1"),
        neither: &[("14.w.w.w/60.19.w.w", "J3", "RU03P0"), ("14.w.w.w/w.w.w.w/60.33.w.w", "J3", "SW11P0T1")],
    },
];

fn verdict(behaviour: &str, (marbles, hand, action): At) -> Option<bool> {
    let missing = 3 - marbles.matches('/').count();
    let marbles = format!("{marbles}{}", format!("/{W}").repeat(missing));
    Position::new(&Keezen::default(), 0, &marbles, hand).judge(behaviour, action)
}

#[test]
fn every_behaviour_tells_good_from_bad() {
    let names: Vec<&str> = Keezen::default().behaviours().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, EXAMPLES.map(|example| example.behaviour));
    let mut wrong = Vec::new();
    for Example { behaviour, good, bad, neither } in EXAMPLES {
        let neither = neither.iter().map(|&at| (at, None));
        for (at, expected) in [(good, Some(true)), (bad, Some(false))].into_iter().chain(neither) {
            let found = verdict(behaviour, at);
            if found != expected {
                wrong.push(format!("{behaviour} {at:?}: {found:?}, not {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn who_starts_or_not_blocks_the_teammate_or_not() {
    let at = |action| ("14.w.w.w/w.w.w.w/88.w.w.w", "K3", action);
    assert_eq!(verdict("avoids blocking the teammate", at("RU03P0")), Some(true));
    assert_eq!(verdict("avoids blocking the teammate", at("ST13P1")), Some(false));
}

#[test]
fn a_seven_on_one_marble_is_bad_if_a_split_gains_much_more() {
    // Two steps bring the front marble home, the other five go to the second.
    let at = |action| ("4.14.w.w", "72", action);
    assert_eq!(verdict("splits the seven to advantage", at("SP07P1")), Some(false));
    assert_eq!(verdict("splits the seven to advantage", at("SP07P02P1")), Some(true));
}
