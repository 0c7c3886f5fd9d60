//! Where the index and the entries disagree.

use std::collections::BTreeSet;

use crate::contract::FileState;
use crate::error::Result;
use crate::personal::index_file::listed;
use crate::personal::request::EntryName;
use crate::personal::store::{PersonFolder, entry, names};
use crate::secrets::Scanner;

/// What is done about an entry without a line.
pub(super) const ADDS: &str = "`agent-memory doctor --user --fix` adds it, if the index has room";

/// What is done about a line without an entry.
pub(super) const REMOVES: &str = "`agent-memory doctor --user --fix` removes it";

/// Where the index and the entries disagree.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct IndexGaps {
    /// Entries without a line.
    pub(super) unlisted: Vec<EntryName>,
    /// Lines without an entry.
    pub(super) empty: Vec<EntryName>,
}

impl IndexGaps {
    /// Compares the index of a person with the files as they are now.
    pub(super) fn in_folder(folder: &PersonFolder, index: &str, scanner: &Scanner) -> Result<Self> {
        let names = names(folder)?;
        let is_readable =
            |name: &EntryName| matches!(entry(folder, &names, name), Ok(FileState::Text(_)));
        Ok(Self::of(&names, index, is_readable, scanner))
    }

    /// Leaves out files that cannot be read, and names that no entry can have: a line for one may be a person's link to
    /// something else.
    pub(super) fn of(
        names: &[String],
        index: &str,
        is_readable: impl Fn(&EntryName) -> bool,
        scanner: &Scanner,
    ) -> Self {
        let lines: BTreeSet<String> = listed(index).into_iter().map(|line| line.name).collect();
        let names: BTreeSet<String> = names.iter().cloned().collect();
        let missing = |wanted: &BTreeSet<String>, there: &BTreeSet<String>| -> Vec<EntryName> {
            wanted.difference(there).filter_map(|name| EntryName::parse(name).ok()).collect()
        };
        let mut unlisted = missing(&names, &lines);
        // A name that is a secret must not be copied into the index.
        unlisted.retain(|name| is_readable(name) && !is_secret(name.as_str(), scanner));
        Self { unlisted, empty: missing(&lines, &names) }
    }
}

/// Tells whether a name looks like a secret.
pub(super) fn is_secret(name: &str, scanner: &Scanner) -> bool {
    !scanner.scan(name).is_empty()
}

/// Says that an entry has no line.
pub(super) fn unlisted_message(name: &EntryName) -> String {
    format!("`{name}` has no line in the index")
}

/// Says that a line has no entry.
pub(super) fn empty_message(name: &EntryName) -> String {
    format!("the index has a line for `{name}`, and there is no such file")
}
