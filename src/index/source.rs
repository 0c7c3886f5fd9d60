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

    /// Names a file for a person.
    fn shown(&self, file: &str) -> String {
        file.to_owned()
    }

    /// Returns what a question can be narrowed to by `kind`.
    fn kind(&self, file: &str) -> Option<&str>;

    /// Returns the documents in a text, in order. One that is taken from `known` is kept as it is; the text of others
    /// must be free of secrets, or they are withheld.
    fn documents(&self, file: &str, text: &str, known: &mut KnownDocuments) -> Vec<DocumentDraft>;
}

/// A document that was found, as its system knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeptDocument {
    pub(crate) file: String,
    pub(crate) name: Option<String>,
    pub(crate) note: String,
}

/// What else than its words counts for a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Standing {
    /// The share of its score that it loses, under the name of the reason.
    pub(crate) loss: Option<(&'static str, f64)>,
    /// The share of what is left that it gains, under the name of the reason. It passes others among the first answers, and
    /// brings none there.
    pub(crate) gain: Option<(&'static str, f64)>,
    /// What came in its place, of which the first that there is comes before it.
    pub(crate) successors: Vec<DocumentPlace>,
    /// Of what says the same, the one with the most stands for all.
    pub(crate) precedence: u8,
}

/// A file, a name, or a name in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DocumentPlace {
    pub(crate) file: Option<String>,
    pub(crate) name: Option<String>,
}

/// Says how documents stand.
pub(crate) struct Classify<'a> {
    /// None for a document that is not asked for.
    pub(crate) standing: &'a dyn Fn(&KeptDocument) -> Option<Standing>,
    /// Says by its file and its note how much a document is trusted: the more, the sooner it comes among equals.
    pub(crate) trust: &'a dyn Fn(&str, &str) -> u8,
    /// Is given the notes that come next, so that what they need is looked up for all of them at once.
    pub(crate) ahead: &'a dyn Fn(&[String]),
    /// Whether documents may differ in precedence or gain.
    pub(crate) some_pass: bool,
}

impl Classify<'static> {
    /// All stand alike.
    pub(crate) const ALL_ALIKE: Self = Self {
        standing: &|_| Some(Standing::default()),
        trust: &|_, _| 0,
        ahead: &|_| (),
        some_pass: false,
    };
}
