//! What a change reaches in files that it did not touch: links to what it took away, places that its own
//! links lead to, entries with the id of a new one, evidence that it made another.
//!
//! A file of which nothing is asked is neither read nor parsed. Memory that is cited as evidence by other
//! memory is left to a check of the whole store.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem::Finder;

use super::checked_file::CheckedFile;
use super::links::MemoryLink;
use crate::markdown::{SourceNote, stem};
use crate::project::provenance::cited_file;

/// So many words are looked for in each file; of more, every file is taken to hold one.
const MANY: usize = 100;

/// What has to be asked of the files that a change did not touch.
#[derive(Debug)]
pub(crate) struct ChangeReach<'a> {
    /// Files that links of the change lead to.
    targets: BTreeSet<String>,
    /// Words that an affected file holds: ids that went away, ids of new entries, and ids that links of the change name.
    words: Vec<Finder<'static>>,
    changed: &'a BTreeSet<String>,
}

impl<'a> ChangeReach<'a> {
    /// Takes the files of a change as they are and as they were; `changed` are those outside of the store.
    pub(crate) fn of(
        now: &[CheckedFile],
        before: &[CheckedFile],
        changed: &'a BTreeSet<String>,
    ) -> Self {
        let mut targets = BTreeSet::new();
        let mut words = lost(now, before);
        words.extend(new_entries(now, before));
        for file in now.iter().chain(before) {
            let plain =
                file.links.iter().filter(|link| link.is_wiki).map(MemoryLink::in_plain_form);
            for link in file.links.iter().cloned().chain(plain) {
                targets.extend(link.files(&file.path));
                words.extend((link.is_wiki && !link.target.contains('#')).then_some(link.target));
            }
        }
        let words = words.iter().map(|word| Finder::new(word.as_bytes()).into_owned()).collect();
        Self { targets, words, changed }
    }

    /// Tells whether a file has to be read to know whether it is reached.
    pub(crate) fn asks_of(&self, path: &str) -> bool {
        self.targets.contains(path) || !self.words.is_empty() || !self.changed.is_empty()
    }

    pub(crate) fn reaches(&self, path: &str, text: &str) -> bool {
        self.targets.contains(path)
            || self.words.len() > MANY
            || self.words.iter().any(|word| word.find(text.as_bytes()).is_some())
            || (!self.changed.is_empty() && self.is_cited_in(text))
    }

    fn is_cited_in(&self, text: &str) -> bool {
        let mark = Finder::new("@source:");
        text.lines().filter(|line| mark.find(line.as_bytes()).is_some()).any(|line| {
            let note = SourceNote::read(line);
            let cited = note.as_ref().and_then(|note| cited_file(&note.reference));
            cited.is_some_and(|cited| cited.is_among(self.changed))
        })
    }
}

/// Returns the ids of entries that were not there: another file may have an entry of this id.
fn new_entries(now: &[CheckedFile], before: &[CheckedFile]) -> BTreeSet<String> {
    let ids = |files: &[CheckedFile]| -> BTreeSet<String> {
        files.iter().flat_map(|file| &file.entries).map(|entry| entry.id.clone()).collect()
    };
    ids(now).difference(&ids(before)).cloned().collect()
}

/// Returns the ids and the names of files that are gone from where they were.
fn lost(now: &[CheckedFile], before: &[CheckedFile]) -> BTreeSet<String> {
    let today: BTreeMap<&str, &CheckedFile> =
        now.iter().map(|file| (file.path.as_str(), file)).collect();
    let mut lost = BTreeSet::new();
    for file in before.iter().filter(|file| !file.is_name()) {
        let today = today.get(file.path.as_str());
        let kept: BTreeSet<&String> = today.iter().flat_map(|today| &today.ids).collect();
        lost.extend(file.ids.iter().filter(|id| !kept.contains(id)).cloned());
        lost.extend(today.is_none().then(|| stem(&file.path).to_owned()));
    }
    lost
}
