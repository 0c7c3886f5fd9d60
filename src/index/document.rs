//! What can be found: a document, as a system lists it, and what the database knows of it.

use std::collections::HashMap;

use crate::contract::Sha256Digest;

/// A text with its names.
#[derive(Debug, Default)]
pub(crate) struct Document {
    /// Another key means that the document has to be indexed again. It is a whole digest: an attacker could make two
    /// documents with the same short one.
    pub(crate) key: Sha256Digest,
    /// Where it begins in its file, from 1.
    pub(crate) line: u32,
    /// Identifies its text at this time.
    pub(crate) hash: String,
    /// What its system calls it.
    pub(crate) name: Option<String>,
    /// The titles from the outermost down to its own.
    pub(crate) titles: Vec<String>,
    /// More words that it is found by, such as its path.
    pub(crate) names: String,
    /// Its text.
    pub(crate) body: String,
    /// The text of its neighbours before and behind, where they explain it.
    pub(crate) before: String,
    pub(crate) after: String,
    /// The day that it is about, `2026-11-20`.
    pub(crate) day: Option<String>,
    /// Whether it is only found where the archive is asked for.
    pub(crate) archived: bool,
    /// Whether its note says which others it stands for.
    pub(crate) replaces: bool,
    /// Words without blanks that a question can be narrowed to.
    pub(crate) flags: Vec<&'static str>,
    /// What the system wants back with an answer.
    pub(crate) note: String,
}

/// What is to be written about a document.
#[derive(Debug)]
pub(crate) enum DocumentDraft {
    /// It is known; it may have moved.
    Kept {
        known: KnownDocument,
        line: u32,
        hash: String,
    },
    /// It holds a secret: that it is there is all that may be known.
    Withheld {
        key: Sha256Digest,
        line: u32,
    },
    New(Box<Document>),
}

#[derive(Debug)]
pub(crate) struct KnownDocument {
    pub(super) id: i64,
    pub(super) line: u32,
    pub(super) hash: String,
    pub(crate) withheld: bool,
}

/// What the database knows of the documents of a file, by key; of equal ones the first is last.
#[derive(Debug, Default)]
pub(crate) struct KnownDocuments(HashMap<Sha256Digest, Vec<KnownDocument>>);

impl KnownDocuments {
    pub(super) fn add(&mut self, key: Sha256Digest, known: KnownDocument) {
        self.0.entry(key).or_default().push(known);
    }

    /// Removes a document that is still there from the list; what is left in the end is removed from the database.
    pub(crate) fn remove(&mut self, key: &Sha256Digest) -> Option<KnownDocument> {
        self.0.get_mut(key).and_then(Vec::pop)
    }

    pub(super) fn into_gone(self) -> Vec<KnownDocument> {
        self.0.into_values().flatten().collect()
    }
}
