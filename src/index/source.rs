//! A system, as the index sees it.

use super::document::{DocumentDraft, KnownDocuments};
use super::listing::{Contents, Listing};
use crate::error::Result;

/// Lists documents, by file: a file is what the system reads and changes at once.
pub(crate) trait DocumentSource {
    /// Identifies all besides the files that the documents depend on, signed; nothing where nothing can be signed, and
    /// so no existing index be trusted.
    fn digest(&self) -> Option<String>;

    fn list(&self) -> Result<Listing>;

    /// Reads a file that was listed; `None` if it is not there any more.
    fn read(&self, file: &str) -> Option<Contents>;

    /// Returns the permissions of a file, as on Unix: no more users may read the index.
    fn mode(&self, file: &str) -> u32;

    /// Returns what a question can be narrowed to by `kind`.
    fn kind(&self, file: &str) -> Option<&str>;

    /// Returns the documents in a text, in order. One that is taken from `known` is kept as it is; the text of others
    /// must be free of secrets, or they are withheld.
    fn documents(&self, file: &str, text: &str, known: &mut KnownDocuments) -> Vec<DocumentDraft>;
}

/// What else than its words makes a document worth less.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Standing {
    Full,
    /// It loses a share of its score, under the name of the reason.
    Reduced(&'static str, f64),
    /// It is not asked for.
    LeftOut,
}

/// Says how a document stands, by its note.
pub(crate) type Classify<'a> = dyn Fn(&str) -> Standing + 'a;
