//! What was said about views that come up again.

use meeple_search::Evaluation;

/// A table of fixed size, by key modulo its length; a new view takes the place of an older one.
#[derive(Debug)]
pub(super) struct Cache {
    slots: Vec<Slot>,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    key: Option<u64>,
    /// The row of the batch at hand that will tell, as long as it is not known.
    row: Option<u32>,
    evaluation: Evaluation,
}

/// What is known about a view.
pub(super) enum Found<'a> {
    Known(&'a Evaluation),
    /// It is in the batch already.
    Asked(u32),
    Nothing,
}

impl Cache {
    /// For so many views, about 60 bytes each and their priors.
    pub(super) fn new(entries: usize) -> Cache {
        Cache { slots: vec![Slot::default(); entries.max(1)] }
    }

    /// Looks a view up; if nothing is known, `row` will tell.
    pub(super) fn look_up(&mut self, key: u64, row: u32) -> Found<'_> {
        let slot = self.slot(key);
        if slot.key != Some(key) {
            (slot.key, slot.row) = (Some(key), Some(row));
            return Found::Nothing;
        }
        match slot.row {
            Some(row) => Found::Asked(row),
            None => Found::Known(&slot.evaluation),
        }
    }

    /// Keeps what a row told, unless another view has taken its place.
    pub(super) fn keep(&mut self, key: u64, row: u32, evaluation: &Evaluation) {
        let slot = self.slot(key);
        if slot.row == Some(row) {
            slot.row = None;
            slot.evaluation.payoffs = evaluation.payoffs;
            slot.evaluation.priors.clone_from(&evaluation.priors);
        }
    }

    fn slot(&mut self, key: u64) -> &mut Slot {
        let place = (key % self.slots.len() as u64) as usize;
        &mut self.slots[place]
    }
}
