//! What is known of a file once it was checked.

use super::finding::Remark;
use super::links::MemoryLink;
use crate::project::provenance::{Evidence, Freshness, Pin};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    Rules,
    /// Only for what other files need to know of it.
    Facts,
    /// Not at all: only its name counts.
    Name,
}

#[derive(Debug, Clone)]
pub(crate) struct CheckedFile {
    pub path: String,
    pub(super) depth: Depth,
    pub remarks: Vec<Remark>,
    pub sections: usize,
    pub(super) ids: Vec<String>,
    /// The entries of a category in which each has a file of its own.
    pub(super) entries: Vec<RecordName>,
    /// The evidence that can change.
    pub notes: Vec<EvidenceNote>,
    pub(super) links: Vec<MemoryLink>,
}

impl CheckedFile {
    pub(crate) fn by_name(path: &str) -> Self {
        Self::nothing(path, Depth::Name)
    }

    pub(crate) fn is_name(&self) -> bool {
        self.depth == Depth::Name
    }

    pub(super) fn nothing(path: &str, depth: Depth) -> Self {
        Self {
            path: path.to_owned(),
            depth,
            remarks: Vec::new(),
            sections: 0,
            ids: Vec::new(),
            entries: Vec::new(),
            notes: Vec::new(),
            links: Vec::new(),
        }
    }
}

/// The id of an entry, which no other entry of its category may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecordName {
    pub(super) category: String,
    pub(super) id: String,
    pub(super) line: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EvidenceNote {
    pub reference: String,
    /// First 12 hex digits of its blob id when it was cited.
    pub(super) blob: Option<String>,
    pub(super) line: usize,
    pub(super) section: String,
}

impl EvidenceNote {
    /// Compares the whole file with that of today.
    pub(super) fn freshness(&self, today: &Evidence) -> Freshness {
        Freshness::of(self.blob.as_deref(), today)
    }

    /// Returns the file with the blob that it was, if that is known.
    pub(crate) fn pin(&self) -> Option<Pin<'_>> {
        let blob = self.blob.as_deref()?;
        Some(Pin { blob, reference: &self.reference })
    }
}
