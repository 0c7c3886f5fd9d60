//! The file of a section, back through the log: `doctor --split` moves sections to other files.

use std::collections::HashMap;

use serde_json::Value;

use crate::project::request::MemoryPath;
use crate::project::reversal::Reversal;
use crate::project::store::undo::Undoable;

pub(super) struct Trail {
    /// The file in the lines that are read now.
    pub(super) path: String,
    /// By section key: the hash before the newest move, and the one behind it.
    moved: HashMap<String, (String, String)>,
}

impl Trail {
    pub(super) fn of(path: &MemoryPath) -> Self {
        Self { path: path.to_string(), moved: HashMap::new() }
    }

    pub(super) fn touches(&self, entry: &Value) -> bool {
        let mut files = entry["files"].as_array().into_iter().flatten();
        files.any(|file| file["path"] == self.path.as_str())
    }

    /// Tells whether a line moved sections into the file.
    pub(super) fn is_moved_by(&self, entry: &Value) -> bool {
        let mut files = entry["files"].as_array().into_iter().flatten();
        entry["moved_from"].is_array()
            && files.any(|file| file["path"] == self.path.as_str() && file["before"].is_null())
    }

    /// Goes on with the file out of which the sections came.
    pub(super) fn follow(&mut self, entry: &Value, undoable: Option<&Undoable>) {
        let to = undoable.and_then(|each| self.reversal_in(each));
        let came: HashMap<&str, String> = to
            .and_then(Reversal::touched)
            .into_iter()
            .flatten()
            .filter_map(|(key, after)| Some((key, after?.to_string())))
            .collect();
        let ids = section_ids(entry, &self.path);
        let from = entry["moved_from"].as_array().into_iter().flatten().filter_map(Value::as_str);
        // Out of the file that lost one of the sections.
        let mut from =
            from.filter(|from| section_ids(entry, from).iter().any(|id| ids.contains(id)));
        let Some(from) = from.next() else { return };
        from.clone_into(&mut self.path);
        let left = undoable.and_then(|each| self.reversal_in(each));
        for (key, before) in left.into_iter().flat_map(Reversal::removed) {
            if let Some(now) = came.get(key) {
                self.moved.insert(key.to_owned(), (before.to_string(), now.clone()));
            }
        }
    }

    /// Returns the hash of a section behind the moves that came later.
    pub(super) fn as_moved(&self, key: &str, hash: String) -> String {
        match self.moved.get(key) {
            Some((before, now)) if *before == hash => now.clone(),
            Some(_) | None => hash,
        }
    }

    pub(super) fn reversal_in<'u>(&self, undoable: &'u Undoable) -> Option<&'u Reversal> {
        undoable.files.iter().find(|file| file.path == self.path)
    }
}

fn section_ids<'e>(entry: &'e Value, file: &str) -> Vec<&'e str> {
    let sections = entry["sections"].as_array().into_iter().flatten();
    let of_file = sections.filter(|section| section["file"] == file);
    of_file.filter_map(|section| section["section_id"].as_str()).collect()
}
