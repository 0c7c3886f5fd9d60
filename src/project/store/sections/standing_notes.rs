//! Writes into the `note` field of a document how its section stands, and finds what stands in its place.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::index::{DocumentPlace, KeptDocument, SearchIndex};
use crate::markdown::joined;
use crate::project::standing::SaidStanding;
use crate::project::store::other_stores::IndexPath;

/// What the index keeps of how a section stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StandingNote {
    pub(crate) said: SaidStanding,
    /// The ids of the sections that it stands in.
    within: Vec<String>,
}

const OUTDATED: &str = "outdated";
const SUCCESSORS: &str = "successors";
const SUPERSEDES: &str = "supersedes";
const WITHIN: &str = "within";

const SEPARATOR: char = '\t';

impl StandingNote {
    /// Notes what a section says, or the one that it stands in: a part of what is outdated is outdated.
    pub(super) fn of(said: SaidStanding, above: &Self, above_id: Option<&str>) -> Self {
        let mut said = said.or(above.said.clone());
        if said.outdated.is_some() {
            said.superseded.clear();
        }
        let within = above.within.iter().cloned().chain(above_id.map(str::to_owned)).collect();
        Self { said, within }
    }

    /// Takes out the words of sections around it, if one of them holds a secret.
    pub(super) fn withhold_words(&mut self, withheld: bool) {
        if withheld {
            let said = SaidStanding { outdated: self.said.outdated, ..SaidStanding::default() };
            *self = Self { said, within: Vec::new() };
        }
    }

    /// Writes it, one thing a line; nothing where there is nothing to say.
    pub(super) fn write(&self) -> String {
        let outdated: Vec<String> = self.said.outdated.map(str::to_owned).into_iter().collect();
        let lines = [
            (OUTDATED, &outdated),
            (SUCCESSORS, &self.said.successors),
            (SUPERSEDES, &self.said.superseded),
            (WITHIN, &self.within),
        ];
        let lines = lines.into_iter().filter(|(_, words)| !words.is_empty());
        let line = |(name, words): (&str, &Vec<String>)| {
            format!("{name}{SEPARATOR}{}\n", words.join(&SEPARATOR.to_string()))
        };
        lines.map(line).collect()
    }

    pub(crate) fn read(note: &str) -> Self {
        let words = |wanted: &str| -> Vec<String> {
            let lines = note.lines().filter_map(|line| line.split_once(SEPARATOR));
            let line = lines.into_iter().find(|(name, _)| *name == wanted);
            let words = line.map(|(_, words)| words.split(SEPARATOR).map(str::to_owned));
            words.into_iter().flatten().collect()
        };
        let status = words(OUTDATED).pop().unwrap_or_default();
        let outdated = SaidStanding::of_status(&status).outdated;
        let (successors, superseded) = (words(SUCCESSORS), words(SUPERSEDES));
        Self { said: SaidStanding { outdated, successors, superseded }, within: words(WITHIN) }
    }

    /// Returns what others may call a section, or one that it stands in.
    fn names_of(&self, kept: &KeptDocument) -> Vec<String> {
        let IndexPath { scope, .. } = IndexPath::read(&kept.file);
        let own = kept.name.as_deref().and_then(|name| name.strip_prefix(scope));
        let ids = own.into_iter().chain(self.within.iter().rev().map(String::as_str));
        ids.flat_map(|id| [format!("{}#{id}", kept.file), format!("{scope}{id}")]).collect()
    }
}

/// Which sections name others as superseded by them.
#[derive(Debug, Default)]
pub(crate) struct Successors {
    by_name: BTreeMap<String, DocumentPlace>,
}

impl Successors {
    pub(crate) fn read(index: &SearchIndex) -> Result<Self> {
        let mut by_name = BTreeMap::new();
        for kept in index.replacing()? {
            let note = StandingNote::read(&kept.note);
            // What a store says of superseded sections is about its own.
            let IndexPath { scope, .. } = IndexPath::read(&kept.file);
            let within = note.within.last().map(|id| format!("{scope}{id}"));
            let name = kept.name.clone().or(within);
            let place = DocumentPlace { file: Some(kept.file.clone()), name };
            for superseded in note.said.superseded {
                by_name.entry(format!("{scope}{superseded}")).or_insert_with(|| place.clone());
            }
        }
        Ok(Self { by_name })
    }

    /// Returns the places of what came instead of a section, the likeliest first; none where it still holds.
    pub(crate) fn of(&self, kept: &KeptDocument) -> Option<Vec<DocumentPlace>> {
        let note = StandingNote::read(&kept.note);
        let own = note.names_of(kept);
        let is_own = |place: &DocumentPlace| {
            place.file.as_ref() == Some(&kept.file)
                && place.name.as_ref().is_some_and(|name| own.contains(name))
        };
        let named = own.iter().filter_map(|name| self.by_name.get(name));
        let named: Vec<DocumentPlace> = named.filter(|place| !is_own(place)).cloned().collect();
        if note.said.outdated.is_none() && named.is_empty() {
            return None;
        }
        let mut said: Vec<DocumentPlace> =
            note.said.successors.iter().flat_map(|name| places(&kept.file, name)).collect();
        // A link says which file is meant; its words may be the id of another section.
        said.sort_by_key(|place| place.file.is_none());
        Some(named.into_iter().chain(said).collect())
    }
}

/// Returns where a name in a file may lead in its store: to a section, or to a file from its own folder or from the top.
fn places(file: &str, name: &str) -> Vec<DocumentPlace> {
    let IndexPath { scope, file } = IndexPath::read(file);
    let scoped = |name: &str| format!("{scope}{name}");
    let (path, id) = match name.split_once('#') {
        Some((path, id)) => (path, Some(scoped(id))),
        None if name.ends_with(".md") => (name, None),
        None => return vec![DocumentPlace { file: None, name: Some(scoped(name)) }],
    };
    let beside = joined(file, path);
    let at = |file: String| DocumentPlace { file: Some(scoped(&file)), name: id.clone() };
    beside.into_iter().chain([path.to_owned()]).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_read_back_as_it_was() {
        let said = SaidStanding::of_fields("Supersedes: old, older");
        let note = StandingNote::of(said, &StandingNote::default(), Some("outer"));
        assert_eq!(StandingNote::read(&note.write()), note);
        let said = SaidStanding::of_fields("Status: superseded by `new`");
        let note = StandingNote::of(said, &StandingNote::default(), None);
        assert_eq!(StandingNote::read(&note.write()), note);
        assert_eq!(StandingNote::default().write(), "");
    }

    #[test]
    fn a_name_leads_to_a_section_or_to_a_file() {
        let check = |file: &str, name: &str, expected: &[(Option<&str>, Option<&str>)]| {
            let found = places(file, name);
            let found: Vec<_> =
                found.iter().map(|it| (it.file.as_deref(), it.name.as_deref())).collect();
            assert_eq!(found, expected, "{name} in {file}");
        };
        check("decisions/old.md", "new", &[(None, Some("new"))]);
        let both = [(Some("decisions/new.md"), None), (Some("new.md"), None)];
        check("decisions/old.md", "new.md", &both);
        let read = [(Some("docs/adr/7.md"), Some("b")), (Some("./7.md"), Some("b"))];
        check("docs/adr/3.md", "./7.md#b", &read);
        check("docs/adr/3.md", "../../../x.md", &[(Some("../../../x.md"), None)]);
        let other = "//handbook/decisions/old.md";
        check(other, "new", &[(None, Some("//handbook/new"))]);
        let both = [("//handbook/decisions/new.md", None), ("//handbook/new.md", None)];
        check(other, "new.md", &both.map(|(file, name)| (Some(file), name)));
    }
}
