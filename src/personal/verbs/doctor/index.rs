//! Compares the index with the entries.

use std::collections::BTreeSet;

use super::texts::ScannedText;
use crate::error::Result;
use crate::personal::index_file::listed;
use crate::personal::request::{EntryName, PersonalFinding};
use crate::personal::settings::PersonalSettings;
use crate::personal::store::{INDEX, PersonFolder, index, names};
use crate::personal::verbs::index_size::{size_of, warning};

pub(super) fn check(
    folder: &PersonFolder,
    settings: &PersonalSettings,
) -> Result<Vec<PersonalFinding>> {
    let text = index(folder)?.unwrap_or_default();
    let finding =
        |path: &str, message: String, hint| PersonalFinding::new("index", path, message, hint);
    let scanned = ScannedText { check: "index", path: INDEX, text: &text };
    let mut found = scanned.findings(&settings.scanner());
    let size = warning(size_of(&text, settings));
    found.extend(
        size.map(|said| finding(INDEX, said, "what is beyond the limits no session reads")),
    );
    let IndexGaps { unlisted, empty } = IndexGaps::of(&names(folder)?, &text);
    found.extend(unlisted.iter().map(|name| {
        let message = format!("`{name}` has no line in the index");
        finding(&name.path(), message, "`agent-memory doctor --user --fix` adds it")
    }));
    found.extend(empty.iter().map(|name| {
        let message = format!("the index has a line for `{name}`, and there is no such file");
        finding(&name.path(), message, "`agent-memory doctor --user --fix` removes it")
    }));
    Ok(found)
}

/// Where the index and the entries disagree.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct IndexGaps {
    /// Entries without a line.
    pub(super) unlisted: Vec<EntryName>,
    /// Lines without an entry.
    pub(super) empty: Vec<EntryName>,
}

impl IndexGaps {
    /// Leaves out names that no entry can have: a line for one may be a person's link to something else.
    pub(super) fn of(names: &[String], index: &str) -> Self {
        let lines: BTreeSet<String> = listed(index).into_iter().map(|line| line.name).collect();
        let names: BTreeSet<String> = names.iter().cloned().collect();
        let missing = |wanted: &BTreeSet<String>, there: &BTreeSet<String>| {
            wanted.difference(there).filter_map(|name| EntryName::parse(name).ok()).collect()
        };
        Self { unlisted: missing(&names, &lines), empty: missing(&lines, &names) }
    }
}
