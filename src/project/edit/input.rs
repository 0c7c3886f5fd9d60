//! What an edit needs to know besides the file.

use super::touched_section::TouchedSection;
use crate::contract::SourceType;
use crate::markdown::SourceNote;
use crate::project::request::{Action, MemoryPath};

/// One operation, with what the engine adds to it.
#[derive(Debug, Clone, Copy)]
pub struct Edit<'a> {
    /// What to do.
    pub action: &'a Action,
    /// The file it is done to.
    pub path: &'a MemoryPath,
    /// The write-once file, for the operations that archive.
    pub archive: &'a MemoryPath,
    /// The evidence that every written section carries.
    pub notes: &'a [SourceNote],
    /// What is known of the time at which the request was made.
    pub then: &'a RequestTime,
    /// JSON pointer of the operation.
    pub pointer: &'a str,
}

/// What is known of the time at which a pending request was made; empty for a new one.
#[derive(Debug, Clone, Default)]
pub struct RequestTime {
    /// What its operations built on.
    pub touched: Vec<TouchedSection>,
    /// The sources that changed since.
    pub changed: Vec<(SourceType, String)>,
}

impl RequestTime {
    pub(super) fn has_changed(&self, note: &SourceNote) -> bool {
        let mut changed = self.changed.iter();
        changed.any(|(kind, reference)| (*kind, reference) == (note.kind, &note.reference))
    }

    /// Tells whether a section cited a source in this way at that time.
    pub(super) fn had(&self, section: &TouchedSection, note: &SourceNote) -> bool {
        let mut same = self.touched.iter().filter(|then| then.is_of(section));
        same.any(|then| then.sources.contains(&note.line()))
    }
}
