//! The positions that a search has expanded, found by their keys.
//!
//! Entries and actions stand in two flat lists in the order of expansion; which entry belongs to a
//! key is found by open addressing.

use meeple_core::rng::mix;

/// What is known about a position or an action, for the player to move or to take it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// In -1..=1: estimated, or backed up from the ends of games.
    pub value: f32,
    /// 1 for a proven win, -1 for a proven loss, 0 for everything else.
    pub completion: i8,
    /// Whether the completion is the result under best play: with a completion of 0, a draw.
    pub resolved: bool,
}

impl Worth {
    pub(super) const LOWEST: Worth = Worth { value: f32::NEG_INFINITY, completion: -1, resolved: false };

    pub(super) fn estimate(value: f32) -> Worth {
        Worth { value, completion: 0, resolved: false }
    }

    pub(super) fn for_opponent(self) -> Worth {
        // Not `-value`: nobody wants to read of a draw for -0.
        Worth { value: 0.0 - self.value, completion: -self.completion, ..self }
    }

    /// The lexicographic order of thesis 001, section 5.7.
    #[inline]
    pub(super) fn is_better_than(&self, other: &Worth) -> bool {
        (self.completion, self.value) > (other.completion, other.value)
    }
}

/// An action of an expanded position.
#[derive(Clone, Copy, Debug)]
pub struct ActionEntry {
    /// Its [`meeple_core::Game::action_code`].
    pub code: u32,
    /// How often a search went this way.
    pub visits: u32,
    pub worth: Worth,
}

/// The worth of a position whose actions are given: a win as soon as one wins, otherwise resolved
/// when all actions are.
pub(super) fn backed_up(actions: &[ActionEntry]) -> Worth {
    let mut best = Worth::LOWEST;
    let mut all_resolved = true;
    for ActionEntry { worth, .. } in actions {
        if worth.is_better_than(&best) {
            best = *worth;
        }
        all_resolved &= worth.resolved;
    }
    Worth { resolved: best.completion == 1 || all_resolved, ..best }
}

/// An expanded position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) key: u64,
    /// For the player to move.
    pub(super) worth: Worth,
    /// The team of the player to move.
    pub(super) team: u8,
    /// Plies since the position of the first search of the game.
    pub(super) ply: u32,
    /// The number of the last search that met it.
    pub(super) seen: u32,
    /// Whether the present iteration came through here.
    pub(super) on_path: bool,
    first_action: u32,
    actions: u32,
}

impl Entry {
    pub(super) fn new(key: u64, team: u8, ply: u32, seen: u32) -> Entry {
        Entry { key, worth: Worth::LOWEST, team, ply, seen, on_path: false, first_action: 0, actions: 0 }
    }
}

/// Grows up to a number of bytes and then takes no more entries.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
    actions: Vec<ActionEntry>,
    /// Numbers of entries plus one, at most half full; 0 is empty.
    slots: Vec<u32>,
    most_bytes: usize,
    /// What the caller keeps for each entry.
    extra_bytes: usize,
}

const FEWEST_SLOTS: usize = 1 << 10;

impl Table {
    pub(super) fn new(most_bytes: usize, extra_bytes: usize) -> Table {
        Table { entries: Vec::new(), actions: Vec::new(), slots: vec![0; FEWEST_SLOTS], most_bytes, extra_bytes }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.len() * self.entry_bytes()
            + self.actions.len() * size_of::<ActionEntry>()
            + self.slots.len() * size_of::<u32>()
    }

    fn entry_bytes(&self) -> usize {
        size_of::<Entry>() + self.extra_bytes
    }

    #[inline]
    pub(super) fn entry(&self, number: u32) -> &Entry {
        &self.entries[number as usize]
    }

    #[inline]
    pub(super) fn entry_mut(&mut self, number: u32) -> &mut Entry {
        &mut self.entries[number as usize]
    }

    #[inline]
    pub(super) fn actions(&self, number: u32) -> &[ActionEntry] {
        let Entry { first_action, actions, .. } = *self.entry(number);
        &self.actions[first_action as usize..][..actions as usize]
    }

    #[inline]
    pub(super) fn actions_mut(&mut self, number: u32) -> &mut [ActionEntry] {
        let Entry { first_action, actions, .. } = *self.entry(number);
        &mut self.actions[first_action as usize..][..actions as usize]
    }

    /// The number of the entry with a key.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        let mut slot = self.first_slot(key);
        loop {
            let number = self.slots[slot].checked_sub(1)?;
            if self.entries[number as usize].key == key {
                return Some(number);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds an entry with its actions, whose worths it takes over; `None` if memory is used up. An
    /// empty table takes any entry.
    pub(super) fn add(&mut self, entry: Entry, actions: &[ActionEntry]) -> Option<u32> {
        let grows = 2 * (self.len() + 1) > self.slots.len();
        if self.len() > 0 && !self.has_room(actions.len(), grows) {
            return None;
        }
        let number = self.len() as u32;
        let (first_action, worth) = (self.actions.len() as u32, backed_up(actions));
        self.entries.push(Entry { first_action, actions: actions.len() as u32, worth, ..entry });
        self.actions.extend_from_slice(actions);
        if grows {
            self.slots = vec![0; 2 * self.slots.len()];
            self.enter_all();
        } else {
            self.enter(number);
        }
        Some(number)
    }

    fn has_room(&self, actions: usize, grows: bool) -> bool {
        let slots = if grows { self.slots.len() * size_of::<u32>() } else { 0 };
        let more = self.entry_bytes() + actions * size_of::<ActionEntry>() + slots;
        self.bytes() + more <= self.most_bytes && self.actions.len() + actions < u32::MAX as usize
    }

    fn enter(&mut self, number: u32) {
        let mut slot = self.first_slot(self.entry(number).key);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = number + 1;
    }

    /// Games need not spread their keys.
    #[inline]
    fn first_slot(&self, key: u64) -> usize {
        mix(key) as usize & (self.slots.len() - 1)
    }

    fn enter_all(&mut self) {
        for number in 0..self.len() as u32 {
            self.enter(number);
        }
    }

    /// The worth of an action on the way back, which may change that of its entry. Returns the new
    /// worth of the entry.
    pub(super) fn update(&mut self, number: u32, place: u32, worth: Worth) -> Worth {
        let actions = self.actions_mut(number);
        actions[place as usize].worth = worth;
        let worth = backed_up(actions);
        self.entry_mut(number).worth = worth;
        worth
    }

    /// Drops all entries that were last seen before a search. Says of each former entry whether it
    /// was kept.
    pub(super) fn forget_before(&mut self, search: u32) -> Vec<bool> {
        let kept: Vec<bool> = self.entries.iter().map(|entry| entry.seen >= search).collect();
        let mut end = 0;
        for entry in self.entries.iter_mut().filter(|entry| entry.seen >= search) {
            let first = entry.first_action as usize;
            self.actions.copy_within(first..first + entry.actions as usize, end);
            entry.first_action = end as u32;
            end += entry.actions as usize;
        }
        self.actions.truncate(end);
        self.entries.retain(|entry| entry.seen >= search);
        self.slots.fill(0);
        self.enter_all();
        kept
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.actions.clear();
        self.slots.clear();
        self.slots.resize(FEWEST_SLOTS, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(value: f32, completion: i8, resolved: bool) -> ActionEntry {
        ActionEntry { code: 0, visits: 0, worth: Worth { value, completion, resolved } }
    }

    #[test]
    fn worths_are_backed_up_by_completion_first() {
        let (loss, win) = (action(-1.0, -1, true), action(0.1, 1, true));
        let (draw, open) = (action(0.0, 0, true), action(0.9, 0, false));
        for (actions, expected) in [
            (vec![open, win, draw], win.worth),
            (vec![loss, draw, open], open.worth),
            (vec![loss, draw], draw.worth),
            (vec![loss, loss], loss.worth),
            (vec![draw, action(-0.5, 0, false)], Worth { resolved: false, ..draw.worth }),
        ] {
            assert_eq!(backed_up(&actions), expected, "{actions:?}");
        }
    }

    #[test]
    fn forgetting_keeps_the_rest_whole() {
        let mut table = Table::new(1 << 20, 0);
        let actions = |number: u64| vec![ActionEntry { code: number as u32, ..action(0.0, 0, false) }; number as usize];
        for number in 1..=50 {
            table.add(Entry::new(number, 0, 0, number as u32 % 5), &actions(number)).unwrap();
        }
        let kept = table.forget_before(3);
        assert_eq!(kept.iter().filter(|&&kept| kept).count(), table.len());
        for number in 1..=50 {
            let found = table.find(number);
            assert_eq!(found.is_some(), number % 5 >= 3);
            if let Some(found) = found {
                let codes: Vec<u32> = table.actions(found).iter().map(|action| action.code).collect();
                assert_eq!(codes, vec![number as u32; number as usize]);
            }
        }
    }
}
