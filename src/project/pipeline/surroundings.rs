//! What a change is checked against: the rules of the store, and the repository around it.

use crate::project::config::Config;
use crate::project::edit::TouchedSection;
use crate::project::provenance::Evidence;
use crate::project::request::{Answer, MemoryPath, Source};
use crate::project::schema::Catalog;
use crate::secrets::Scanner;

/// What a change must keep.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// The categories of the store.
    pub catalog: &'a Catalog,
    /// How the store decides.
    pub config: &'a Config,
    /// What looks for secrets.
    pub scanner: &'a Scanner,
}

/// The branch that is worked on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// Its name, fit for a file name; `detached` where none is checked out.
    pub name: String,
    /// The commit that is checked out, where no branch is.
    pub commit: Option<String>,
}

impl Branch {
    /// Takes the name of a branch.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), commit: None }
    }
}

/// What a change needs to know of the repository around the store.
pub trait Surroundings {
    /// Returns the branch after which a file is named; refuses where it is not known.
    fn branch(&self) -> Answer<Branch>;

    /// Returns the text of a memory file, if it is there.
    fn text(&self, path: &MemoryPath) -> Option<String>;

    /// Returns the paths of all memory files.
    fn files(&self) -> Vec<String> {
        Vec::new()
    }

    /// Looks up sources, and returns the result for each.
    fn evidence(&self, sources: &[Source]) -> Vec<Evidence>;

    /// Returns what the operations of a pending request built on when it was made; nothing for a new one.
    fn touched_then(&self) -> &[Option<TouchedSection>] {
        &[]
    }
}
