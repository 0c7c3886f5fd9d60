//! Makes the relative links of a note to files that are no notes lead where they led.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::note_paths::stem_of;
use crate::markdown::{file_name, link_to, relative, resolved, split_target};
use crate::text::composed;

/// The folders that links of notes lead from and into: paths from the root of the file system, with `/` at the end alone.
pub(crate) struct LinkFolders<'a> {
    pub notes: &'a str,
    pub store: &'a str,
    pub repository: &'a str,
    /// Tells whether the repository has a path, by the path from its top.
    pub exists: &'a dyn Fn(&str) -> bool,
    /// The targets of the note in the store. One that an earlier run wrote stays, although its file went since.
    pub stored: &'a BTreeSet<String>,
    pub files: &'a FileNames,
}

/// The files in a folder of notes that are no notes, by the names that `[[picture.png]]` may call them.
#[derive(Debug, Default)]
pub(crate) struct FileNames {
    by_path: BTreeMap<String, String>,
    /// By the name alone; nothing where several have it.
    by_name: BTreeMap<String, Option<String>>,
}

impl FileNames {
    pub(crate) fn of<'p>(paths: impl Iterator<Item = &'p str>) -> Self {
        let mut names = Self::default();
        for path in paths.filter(|path| stem_of(path).is_none()) {
            let plain = plain(path);
            let name = file_name(&plain).to_owned();
            let named = names.by_name.entry(name).and_modify(|only| *only = None);
            named.or_insert_with(|| Some(path.to_owned()));
            names.by_path.insert(plain, path.to_owned());
        }
        names
    }

    /// Returns the path of a file: from the folder of a note, from the top, or by its name alone.
    fn find(&self, from: &str, name: &str) -> Option<&str> {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let beside = plain(&format!("{folder}/{name}"));
        let paths =
            [beside.trim_start_matches('/'), &plain(name)].map(|path| self.by_path.get(path));
        let found = paths.into_iter().flatten().next();
        found.or_else(|| self.by_name.get(&plain(name))?.as_ref()).map(String::as_str)
    }
}

fn plain(path: &str) -> String {
    composed(path).to_lowercase()
}

/// Tells whether a name is that of a file and no title of a note: it has an ending, as in `picture.png`.
pub(super) fn is_file_name(name: &str) -> bool {
    let ending = file_name(name).rsplit_once('.');
    ending.is_some_and(|(stem, ending)| {
        let has_letter = ending.bytes().any(|byte| byte.is_ascii_alphabetic());
        let is_plain = ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
        !stem.is_empty() && has_letter && is_plain && ending.len() <= 5
    })
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
        self.moved(to, raw, &before, |file, path| link_to(file, path, raw) + rest)
    }

    /// Decides on `[[picture.png]]` in the same way, which calls a file by its path or by its name alone.
    pub(super) fn new_wiki_target(&self, from: &str, to: &str, target: &str) -> NewTarget {
        let (name, rest) = target.split_at(target.find('#').unwrap_or(target.len()));
        let before = match self.files.find(from, name) {
            Some(path) => Some(format!("{}{path}", self.notes)),
            None => resolved(&format!("{}{from}", self.notes), name),
        };
        let Some(before) = before else { return NewTarget::Stays };
        // If the file is gone, the link that an earlier run wrote stays.
        let last = format!("/{}{rest}", file_name(name));
        match self.moved(to, name, &before, |file, path| relative(file, path) + rest) {
            NewTarget::Broken(why) => match self.stored.iter().find(|it| it.ends_with(&last)) {
                Some(stored) => NewTarget::Changed(stored.clone()),
                None => NewTarget::Broken(why),
            },
            new => new,
        }
    }

    /// Decides on a link that led to a path; `write` writes one from a file to a path of the repository.
    fn moved(
        &self,
        to: &str,
        raw: &str,
        before: &str,
        write: impl FnOnce(&str, &str) -> String,
    ) -> NewTarget {
        let is_top = format!("{before}/") == self.repository;
        let inside = if is_top { Some("") } else { before.strip_prefix(self.repository) };
        let Some(path) = inside else { return NewTarget::Broken(BrokenReason::Outside) };
        let file = format!("{}{to}", self.store);
        let leads_on = resolved(&file, raw).is_some_and(|now| now == before);
        // The name of the repository's folder is another one in each clone.
        let file = file.strip_prefix(self.repository).unwrap_or(&file);
        let new = write(file, path);
        let was_written = self.stored.contains(&new);
        match ((self.exists)(path) || was_written, leads_on) {
            (false, _) => NewTarget::Broken(BrokenReason::Missing),
            (true, true) => NewTarget::Stays,
            (true, false) => NewTarget::Changed(new),
        }
    }
}
