//! Makes the relative links of a note to files that are no notes lead where they led.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::markdown::{link_to, resolved, split_target};

/// The folders that links of notes lead from and into: paths from the root of the file system, with `/` at the end alone.
pub(crate) struct LinkFolders<'a> {
    pub notes: &'a str,
    pub store: &'a str,
    pub repository: &'a str,
    /// Tells whether the repository has a path, by the path from its top.
    pub exists: &'a dyn Fn(&str) -> bool,
    /// The targets of the note in the store. One that an earlier run wrote stays, although its file went since.
    pub stored: &'a BTreeSet<String>,
}

/// A relative link that stays as it is, since it leads to nothing that the repository has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct BrokenLink {
    /// Its line in the file of the store, from 1.
    pub line: usize,
    pub target: String,
    pub reason: BrokenReason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BrokenReason {
    /// Nothing was there when the note was adopted.
    Missing,
    /// It leads out of the repository.
    Outside,
}

/// What becomes of the target of a link.
pub(super) enum NewTarget {
    Stays,
    Changed(String),
    Broken(BrokenReason),
}

impl LinkFolders<'_> {
    /// Decides on a link of a note with a path before, in the folder of notes, and now, in the store.
    pub(super) fn new_target(&self, from: &str, to: &str, target: &str) -> NewTarget {
        let (raw, rest) = split_target(target);
        let Some(before) = resolved(&format!("{}{from}", self.notes), raw) else {
            return NewTarget::Stays;
        };
        let is_top = format!("{before}/") == self.repository;
        let inside = if is_top { Some("") } else { before.strip_prefix(self.repository) };
        let Some(path) = inside else { return NewTarget::Broken(BrokenReason::Outside) };
        let file = format!("{}{to}", self.store);
        let leads_on = resolved(&file, raw).is_some_and(|now| now == before);
        // The name of the repository's folder is another one in each clone.
        let file = file.strip_prefix(self.repository).unwrap_or(&file);
        let new = link_to(file, path, raw) + rest;
        let was_written = self.stored.contains(&new);
        match ((self.exists)(path) || was_written, leads_on) {
            (false, _) => NewTarget::Broken(BrokenReason::Missing),
            (true, true) => NewTarget::Stays,
            (true, false) => NewTarget::Changed(new),
        }
    }
}
