//! What an edit needs to know besides the file.

use super::touched_section::TouchedSection;
use crate::markdown::SourceNote;
use crate::project::request::{Action, MemoryPath, Source};

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
    /// What the request says of that evidence.
    pub sources: &'a [Source],
    /// The section that it built on when the request was made, if the request was pending.
    pub then: Option<&'a TouchedSection>,
    /// The sources that changed since.
    pub changed: &'a [Source],
    /// JSON pointer of the operation.
    pub pointer: &'a str,
}

impl Edit<'_> {
    /// Tells whether a source changed since the request was made.
    pub(super) fn has_changed(&self, note: &SourceNote) -> bool {
        let mut changed = self.changed.iter();
        changed.any(|source| source.kind == note.kind && source.reference == note.reference)
    }

    /// Tells whether a note replaces one that a section has: it is about the same source, or about the same lines.
    pub(super) fn replaces(&self, new: &SourceNote, old: &SourceNote) -> bool {
        let is_it =
            |source: &&Source| (source.kind, &source.reference) == (new.kind, &new.reference);
        let mut named = self.sources.iter().filter(is_it);
        new.has_source_of(old)
            || (new.kind == old.kind && named.any(|it| it.was.as_ref() == Some(&old.reference)))
    }

    /// Tells whether the section cited a source in this way when the request was made.
    pub(super) fn had(&self, section: &TouchedSection, note: &SourceNote) -> bool {
        let then = self.then.filter(|then| then.is_of(section));
        then.is_some_and(|then| then.sources.contains(&note.line()))
    }
}
