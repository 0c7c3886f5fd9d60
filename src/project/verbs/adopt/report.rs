//! What `init --from` reports about a folder of notes.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::project::adopt::{BrokenLink, MissingField, RenamedId, Understood};
use crate::project::check::CheckFinding;

#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
pub struct Adopted {
    pub adopted: Vec<AdoptedFile>,
    pub refused: Vec<RefusedFile>,
    /// Files that the store already has, with another text.
    pub kept: Vec<String>,
    pub understood: Vec<Understood>,
    /// What was left, with the reason in brackets.
    pub not_understood: Vec<String>,
    /// How many records name no status in a known word, by the one that they got: `active` where they say nothing of it,
    /// else `proposed`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub assumed_status: BTreeMap<&'static str, usize>,
    /// What `check` will find in the notes that were taken.
    pub findings: usize,
    /// The notes that were refused, by their paths in the folder.
    #[serde(skip)]
    pub(in crate::project::verbs) refused_notes: Vec<String>,
    /// The files that stay where they are, with their text before they got ids.
    #[serde(skip)]
    pub(in crate::project::verbs) in_place: BTreeMap<String, String>,
    /// The text that an earlier run made of a note, if it is another now: without the fields that are new, and without
    /// the links to notes that are new.
    #[serde(skip)]
    pub(in crate::project::verbs) earlier: BTreeMap<String, String>,
    /// The original paths of the notes that the store is to know again, by their files.
    #[serde(skip)]
    pub(in crate::project::verbs) origins: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct AdoptedFile {
    pub from: String,
    /// Relative to the store.
    pub to: String,
    /// Whether git keeps that file.
    pub tracked: bool,
    pub new_ids: usize,
    /// Underlined headings that were rewritten with `#`: only those can have an id.
    pub marked_headings: usize,
    /// Sections whose old id is not valid here.
    pub renamed_ids: Vec<RenamedId>,
    /// Links that were rewritten to lead where they led: to an id, a note or another file of the repository.
    pub renamed_links: usize,
    /// Relative links that lead to nothing in the repository and stay as they are.
    pub broken_links: usize,
    /// The first of them.
    pub first_broken_links: Vec<BrokenLink>,
    /// Sections that were given a field, such as the day that stands in the heading.
    pub new_fields: usize,
    /// Required fields that sections still lack.
    pub missing_fields: Vec<MissingField>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct RefusedFile {
    pub from: String,
    pub findings: Vec<CheckFinding>,
    /// What to do next.
    pub hint: String,
}

impl Adopted {
    /// Reports settings that were translated in vain, as the store has that file already.
    pub(in crate::project::verbs) fn keep_settings(&mut self, path: String) {
        let is_for_it = |key: &mut Understood| key.file.as_deref() == Some(&path);
        let void = self.understood.extract_if(.., is_for_it);
        self.not_understood
            .extend(void.map(|void| format!("{} (`{path}` is there already)", void.key)));
        self.kept.push(path);
    }
}
