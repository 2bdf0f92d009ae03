//! Positions and views as one line.

use meeple_core::{Notation, NotationError};

use super::super::{
    check_all_open, check_copies, check_dealt, check_visible, join, parse_places, parse_spoken, parse_viewer,
    viewer_text,
};
use super::betting::{Betting, Choice};
use super::{COPIES, LeducPoker, Place, State, View};

impl Notation<LeducPoker> for LeducPoker {
    fn help(&self) -> String {
        "the cards of seats 0 and 1 and the public one (`-` not dealt), then what was said: `KJQ raise call call`; a \
         view begins with its seat (`*` a spectator) and writes `?` for a hidden card: `0:K?Q raise call call`"
            .into()
    }

    fn state_text(&self, state: &State) -> String {
        text(state.cards().map(|card| Place::of(card, true)), &state.betting)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let (places, betting) = self.parse_table(text)?;
        check_all_open(&places)?;
        let [first, second, public] = places.map(Place::rank);
        Ok(State { private: [first, second], public, betting })
    }

    fn view_text(&self, view: &View) -> String {
        let [first, second] = view.private;
        let cards = text([first, second, Place::of(view.public, true)], &view.betting);
        format!("{}:{cards}", viewer_text(view.viewer))
    }

    fn parse_view(&self, text: &str) -> Result<View, NotationError> {
        let (viewer, rest) = parse_viewer(text)?;
        let ([first, second, public], betting) = self.parse_table(rest)?;
        check_visible(viewer, [first, second], betting.is_showdown())?;
        Ok(View { viewer, private: [first, second], public: public.rank(), betting })
    }
}

fn text(places: [Place; 3], betting: &Betting) -> String {
    join(&places, betting.words().into_iter().flatten())
}

impl LeducPoker {
    fn parse_table(&self, text: &str) -> Result<([Place; 3], Betting), NotationError> {
        let (places, words) = parse_places::<3>(text, &self.help())?;
        let mut betting = Betting::default();
        for spoken in &words {
            betting.push(parse_spoken(spoken, betting.choices(), Choice::word)?);
        }
        let [first, second, public] = places;
        check_dealt([first, second], !words.is_empty())?;
        check_public(public, &betting)?;
        check_copies(&places, COPIES)?;
        Ok((places, betting))
    }
}

/// Dealt after the first round, and before anything is said in the second.
fn check_public(public: Place, betting: &Betting) -> Result<(), NotationError> {
    let [_, second_round] = betting.spoken();
    match public {
        Place::Hidden => Err(NotationError::new("everybody sees the public card")),
        Place::Empty if !second_round.is_empty() => {
            Err(NotationError::new("the public card is dealt before the second round"))
        }
        Place::Open(_) if !betting.is_second_round() => {
            Err(NotationError::new("the public card is dealt after the first round"))
        }
        _ => Ok(()),
    }
}
