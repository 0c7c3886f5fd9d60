//! A note on its way into the store, and what the store has of it.

use std::collections::BTreeSet;

use super::pieces::PieceLines;
use crate::contract::FileState;
use crate::error::Result;
use crate::markdown::{Outline, link_targets};
use crate::project::adopt::{
    DecisionRecord, StoredFields, StoredSources, stored_fields, stored_sources,
};
use crate::project::store::Store;

/// A note with its path in the store.
pub(super) struct AdoptedNote {
    pub(super) from: String,
    pub(super) to: String,
    /// The path by which it is to be known again, where the store keeps that.
    pub(super) origin: Option<String>,
    pub(super) text: String,
    pub(super) record: Option<Box<DecisionRecord>>,
    /// Its path as sources name it; none where the repository has it not.
    pub(super) cited: Option<String>,
    pub(super) lines: PieceLines,
    /// Whether an earlier run took it in.
    pub(super) is_known: bool,
    /// What it is in the store, since then.
    pub(super) stored: StoredNote,
}

/// What the store has of a note that an earlier run took in.
#[derive(Default)]
pub(super) struct StoredNote {
    /// The targets of its links.
    pub(super) targets: BTreeSet<String>,
    pub(super) fields: StoredFields,
    pub(super) sources: StoredSources,
}

impl StoredNote {
    /// Tells whether a section has a field.
    pub(super) fn has_field(&self, name: &str) -> bool {
        self.fields.values().any(|fields| fields.contains_key(name))
    }

    pub(super) fn read(store: &Store, path: &str) -> Result<Self> {
        let FileState::Text(text) = store.read_any(path)? else { return Ok(Self::default()) };
        let outline = Outline::read(&text);
        let targets = link_targets(&outline).into_iter();
        let targets = targets.map(|target| text[target.bytes].to_owned()).collect();
        let sources = stored_sources(&outline);
        Ok(Self { targets, fields: stored_fields(&outline), sources })
    }
}
