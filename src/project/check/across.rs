//! Compares files with each other and with the repository: links, evidence, archive.

use std::collections::{BTreeMap, BTreeSet};

use super::checked_file::{CheckedFile, EvidenceNote, RecordName};
use super::finding::Remark;
use super::links::MemoryLink;
use super::repair::RepairCase;
use super::rule::Rule;
use super::settings::Rulebook;
use crate::markdown::stem;
use crate::project::provenance::{Evidence, Freshness, LinesToday, cited_file};

/// What the repository says of a store, looked up beforehand.
#[derive(Debug, Clone, Default)]
pub(crate) struct RepositoryFacts {
    pub evidence: BTreeMap<String, Evidence>,
    /// Where the cited lines of changed files are now, by the blob in which they were cited, and the reference.
    pub lines: BTreeMap<(String, String), LinesToday>,
    /// Where the text of cited files that are gone stands now, by the same.
    pub stand_ins: BTreeMap<(String, String), String>,
    /// The commits that changed the cited files, the newest first.
    pub changes: BTreeMap<String, Vec<CitedChange>>,
    pub tracked: BTreeSet<String>,
    /// The blobs of the write-once files in the commits that brought them.
    pub written: BTreeMap<String, String>,
    /// The blobs of the write-once files that are there.
    pub archived: BTreeMap<String, String>,
    /// The commits that changed write-once files last, where they are not as they were written.
    pub rewritten: BTreeMap<String, String>,
    /// Whether git has only the newest commits; the oldest of these seems to have added all files.
    pub is_shallow: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CitedChange {
    pub commit: String,
    pub blob: String,
}

const NAMED: usize = 5;

pub(crate) fn across(
    looked: &[CheckedFile],
    rulebook: &Rulebook,
    ground: &RepositoryFacts,
) -> Vec<Remark> {
    let mut remarks = broken_links(looked);
    remarks.extend(same_entries(looked));
    for file in looked {
        remarks.extend(file.notes.iter().filter_map(|note| evidence(&file.path, note, ground)));
    }
    remarks.extend(ground.tracked.iter().filter_map(|path| not_ignored(path, rulebook)));
    remarks.extend(ground.written.iter().filter_map(|(path, blob)| changed(path, blob, ground)));
    remarks
}

fn broken_links(looked: &[CheckedFile]) -> Vec<Remark> {
    let targets = Targets::of(looked);
    let mut remarks = Vec::new();
    for file in looked {
        for link in &file.links {
            let leads = |link: &MemoryLink| targets.has(link, &file.path);
            let is_elsewhere = link.leads_out(&file.path);
            if is_elsewhere || leads(link) || (link.is_wiki && leads(&link.in_plain_form())) {
                continue;
            }
            let message = format!("the link to `{}` leads nowhere", link.target);
            let remark = Remark::new(Rule::LinkBroken, &file.path, message).at(link.line);
            remarks.push(remark.about(&link.target).within(link.section.clone()));
        }
    }
    remarks
}

/// Finds entries of a category with one id, in several files. The file that the id names has it by right, else the first.
fn same_entries(looked: &[CheckedFile]) -> Vec<Remark> {
    let mut found: BTreeMap<(&str, &str), Vec<(&CheckedFile, usize)>> = BTreeMap::new();
    for file in looked {
        for RecordName { category, id, line } in &file.entries {
            let files = found.entry((category, id)).or_default();
            if files.iter().all(|(other, _)| other.path != file.path) {
                files.push((file, *line));
            }
        }
    }
    let mut remarks = Vec::new();
    for ((_, id), files) in found.into_iter().filter(|(_, files)| files.len() > 1) {
        let by_right = files.iter().position(|(file, _)| stem(&file.path) == id);
        let own = files[by_right.unwrap_or_default()].0;
        for (file, line) in files.into_iter().filter(|(file, _)| file.path != own.path) {
            let message = format!("the id `{id}` is taken by an entry in `{}`", own.path);
            let remark = Remark::new(Rule::IdDuplicate, &file.path, message).at(line);
            remarks.push(remark.about(id).within(Some(id.to_owned())));
        }
    }
    remarks
}

struct Targets<'a> {
    files: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// The ids in all files, and their names.
    names: BTreeSet<&'a str>,
    /// The name of a file with an id in it, whatever the folder.
    inside: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> Targets<'a> {
    fn of(looked: &'a [CheckedFile]) -> Self {
        let ids = |file: &'a CheckedFile| file.ids.iter().map(String::as_str);
        let named = looked.iter().map(|file| (stem(&file.path), file));
        Self {
            files: looked.iter().map(|file| (file.path.as_str(), ids(file).collect())).collect(),
            names: named.clone().flat_map(|(name, file)| ids(file).chain([name])).collect(),
            inside: named.flat_map(|(name, file)| ids(file).map(move |id| (name, id))).collect(),
        }
    }

    fn has(&self, link: &MemoryLink, from: &str) -> bool {
        let (file, id) = match link.target.split_once('#') {
            Some((file, id)) => (file, Some(id)),
            None => (link.target.as_str(), None),
        };
        let is_named = id.map_or(self.names.contains(file), |id| self.inside.contains(&(file, id)));
        let ids = link.files(from).into_iter().find_map(|path| self.files.get(path.as_str()));
        (link.is_wiki && is_named) || ids.is_some_and(|ids| id.is_none_or(|id| ids.contains(id)))
    }
}

fn evidence(path: &str, note: &EvidenceNote, ground: &RepositoryFacts) -> Option<Remark> {
    let cited = &note.reference;
    let (rule, message, case) = match ground.freshness(note)? {
        Freshness::Fresh | Freshness::Unchecked => return None,
        Freshness::Moved => {
            let lines = ground.lines_of(note).moved_to(cited)?;
            let message = format!("`{cited}` moved to `{lines}`");
            (Rule::ProvenanceMoved, message, RepairCase::Usual)
        }
        Freshness::Missing => {
            let gone = format!("`{cited}` is not in the repository");
            let (message, case) = match ground.of_pin(&ground.stand_ins, note) {
                Some(place) => (
                    format!("{gone}; the same text stands in `{place}`"),
                    RepairCase::SameTextElsewhere,
                ),
                None => (gone, RepairCase::Usual),
            };
            (Rule::ProvenanceGone, message, case)
        }
        Freshness::Stale => {
            let since = since(note, ground);
            let message = match ground.knows_lines(note) {
                true => format!("`{cited}` has changed since{since}"),
                false => format!(
                    "the file of `{cited}` has changed since{since}; whether these lines did is not known"
                ),
            };
            (Rule::ProvenanceStale, message, RepairCase::Usual)
        }
    };
    let remark = Remark::new(rule, path, message).at(note.line).about(cited).in_case(case);
    Some(remark.within(Some(note.section.clone())))
}

/// Names the commits that made a cited file another one; none where git does not know the file as it was cited.
fn since(note: &EvidenceNote, ground: &RepositoryFacts) -> String {
    let cited = note.blob.as_deref().unwrap_or_default();
    let path = cited_file(&note.reference).map(|cited| cited.path);
    let changes = path.and_then(|path| ground.changes.get(path)).map(Vec::as_slice);
    let changes = changes.unwrap_or_default();
    let then = changes.iter().position(|change| change.blob.starts_with(cited));
    let later = changes.iter().take(then.unwrap_or_default());
    let commits: Vec<&str> = later.map(|change| change.commit.as_str()).collect();
    match commits.len() {
        0 => String::new(),
        1..=NAMED => format!(", in {}", commits.join(", ")),
        more => format!(", in {} and {} more", commits[..NAMED].join(", "), more - NAMED),
    }
}

/// Folders that the `.gitignore` of a store names besides `state/`.
const LOCAL: [&str; 2] = ["local/", "sessions/"];

/// Finds a file that git keeps although it belongs to one machine.
fn not_ignored(path: &str, rulebook: &Rulebook) -> Option<Remark> {
    let waits = path.starts_with("staging/") && !rulebook.config.staging.track;
    let local = match rulebook.catalog.owner_of(path) {
        Some(owner) => !owner.tracked,
        None => LOCAL.iter().any(|folder| path.starts_with(folder) && !is_shared(folder, rulebook)),
    };
    let message = format!("git keeps `{path}`, which belongs to one machine");
    (path.starts_with("state/") || waits || local)
        .then(|| Remark::new(Rule::IgnoredTracked, path, message))
}

fn is_shared(folder: &str, rulebook: &Rulebook) -> bool {
    let mut categories = rulebook.catalog.categories().iter();
    categories.any(|category| {
        let mut patterns = category.paths.patterns().iter();
        category.tracked && patterns.any(|pattern| pattern.as_str().starts_with(folder))
    })
}

fn changed(path: &str, written: &str, ground: &RepositoryFacts) -> Option<Remark> {
    let Some(blob) = ground.archived.get(path) else {
        let message = format!("`{path}` was written once, and is gone");
        return Some(Remark::new(Rule::ArchiveChanged, path, message).about(written));
    };
    if is_same_blob(blob, written) {
        return None;
    }
    let commit = ground.rewritten.get(path).map(|commit| format!(", in {commit}"));
    let message =
        format!("`{path}` was changed after it was written{}", commit.unwrap_or_default());
    let remark = Remark::new(Rule::ArchiveChanged, path, message).about(written);
    Some(remark.in_case(RepairCase::TextChanged))
}

impl RepositoryFacts {
    /// Returns what a source has become; none if it was not looked up.
    pub(crate) fn freshness(&self, note: &EvidenceNote) -> Option<Freshness> {
        let whole = note.freshness(self.evidence.get(&note.reference)?);
        Some(self.lines_of(note).freshness(whole))
    }

    fn lines_of(&self, note: &EvidenceNote) -> LinesToday {
        self.of_pin(&self.lines, note).copied().unwrap_or(LinesToday::NotKnown)
    }

    /// Tells whether the cited text was compared with that of today; without lines the whole file is.
    fn knows_lines(&self, note: &EvidenceNote) -> bool {
        let has_lines = note.pin().is_some_and(|pin| pin.lines().is_some());
        !has_lines || self.lines_of(note) != LinesToday::NotKnown
    }

    fn of_pin<'g, T>(
        &self,
        known: &'g BTreeMap<(String, String), T>,
        note: &EvidenceNote,
    ) -> Option<&'g T> {
        let pin = note.pin()?;
        known.get(&(pin.blob.to_owned(), pin.reference.to_owned()))
    }

    /// Returns the write-once files that are there, and not as they were written.
    pub(crate) fn changed_archive(&self) -> impl Iterator<Item = &String> {
        let differs = |(path, blob): &(&String, &String)| {
            self.written.get(*path).is_some_and(|written| !is_same_blob(blob, written))
        };
        self.archived.iter().filter(differs).map(|(path, _)| path)
    }
}

/// Compares blobs of which one may be shortened.
fn is_same_blob(one: &str, other: &str) -> bool {
    one.starts_with(other) || other.starts_with(one)
}
