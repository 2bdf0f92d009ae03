//! The network input.

use meeple_core::{Encoder, Shape, Tensor};

use super::betting::{Choice, LONGEST_ROUND};
use super::{Action, LeducPoker, Place, View};

/// Seat (2), own card (3), public card (3), what was said (two rounds, four times: call, raise).
/// The policy has three outputs: fold, call, raise.
#[derive(Debug)]
pub(super) struct OneHot;

const SPOKEN: usize = 2 + 3 + 3;

impl Encoder<LeducPoker> for OneHot {
    fn name(&self) -> &'static str {
        "one-hot"
    }

    fn shape(&self) -> Shape {
        Shape::vector(SPOKEN + 2 * LONGEST_ROUND * 2)
    }

    fn encode(&self, _: &LeducPoker, view: &View, input: &mut Tensor<'_>) {
        let input = input.vector();
        if let Some(seat) = view.viewer {
            input[seat] = 1.0;
            if let Place::Open(rank) = view.private[seat] {
                input[2 + rank as usize] = 1.0;
            }
        }
        if let Some(rank) = view.public {
            input[5 + rank as usize] = 1.0;
        }
        for (round, spoken) in view.betting.spoken().iter().enumerate() {
            for (number, &choice) in spoken.iter().enumerate().filter(|&(_, &choice)| choice != Choice::Fold) {
                let raised = usize::from(choice == Choice::Raise);
                input[SPOKEN + 2 * (round * LONGEST_ROUND + number) + raised] = 1.0;
            }
        }
    }

    fn policy_size(&self) -> usize {
        3
    }

    fn policy_index(&self, _: &LeducPoker, _: &View, action: Action) -> usize {
        match action {
            Action::Choose(choice) => choice as usize,
            Action::Deal(_) => unreachable!("chance has no policy"),
        }
    }
}
