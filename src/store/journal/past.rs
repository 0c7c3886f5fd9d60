//! Remembers in git's folder how far the journal has come, so that an old record that a commit brings back is known as old.
//!
//! It is written behind each change and never synced: one that a power cut takes makes older records possible again, and
//! never a younger one impossible.

use std::path::PathBuf;

use super::boot_id;
use crate::store::key::Purpose;
use crate::store::layout::Layout;
use crate::store::outside;

/// The numbers of the last records that were carried out.
#[derive(Debug, Default)]
pub(in crate::store) struct Past {
    /// Where it is kept; nothing without git.
    place: Option<PathBuf>,
    /// The last one whose files are durable.
    durable: u64,
    /// The last one in this run of the operating system, which has all that was written in it.
    carried_out: u64,
}

impl Past {
    /// Reads what is known of the journal of a store.
    pub(in crate::store) fn of(layout: &Layout) -> Self {
        let code = layout.key().sign(Purpose::Journal, b"past");
        let folder = layout.git().folder().filter(|_| layout.key().is_known());
        let place = folder.map(|git| git.own.join(format!("agent-memory/journal-{}", &code[..16])));
        let text = place.as_deref().and_then(|place| outside::read_text(place).ok().flatten());
        let text = text.unwrap_or_default();
        let mut words = text.split_whitespace();
        let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or_default();
        let (durable, carried_out) = (number(), number());
        let is_of_this_run = words.next().is_some_and(|boot| boot == boot_id());
        Self { place, durable, carried_out: if is_of_this_run { carried_out } else { 0 } }
    }

    /// Returns the number of the last record that was carried out for good.
    pub(in crate::store) fn last(&self) -> u64 {
        self.durable.max(self.carried_out)
    }

    /// Notes that a record was carried out.
    pub(super) fn note(&mut self, number: u64) {
        self.carried_out = number;
        self.write();
    }

    /// Notes that all records up to one are durable.
    pub(super) fn note_durable(&mut self, number: u64) {
        self.durable = number;
        self.note(number);
    }

    /// Where it cannot be written, an old record is not known as old.
    fn write(&self) {
        let Some(place) = &self.place else { return };
        let (durable, carried_out, boot) = (self.durable, self.carried_out, boot_id());
        // Of one length, so that it can be written over what stands there.
        let line = format!("{durable:>20} {carried_out:>20} {boot:>36}\n");
        let _ = outside::write_over(place, line.as_bytes());
    }
}
