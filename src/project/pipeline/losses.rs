//! Says what a rewrite takes out of a file that no one asked to remove.

use std::collections::BTreeSet;

use super::planned_file::PlannedFile;
use super::screen::Screened;
use crate::contract::SourceType;
use crate::markdown::{LostParts, Section, SourceNote, lost_parts};
use crate::project::provenance::cited_file;
use crate::project::request::{Change, MemoryPath, OperationKind};
use crate::text::{count, excerpt, one_line};

/// How many lost parts of a kind are named.
const NAMED: usize = 3;

/// Letters of a lost part that are shown.
const LETTERS: usize = 40;

/// Says for each section that is written again what is gone from it. Text that stands elsewhere in the change is not gone.
pub(super) fn losses(screened: &Screened<'_>, files: &[PlannedFile]) -> Vec<String> {
    let operations = screened.request().operations.iter().zip(&screened.placed);
    let removing = operations.filter(|(operation, _)| {
        let kind = operation.action.kind();
        matches!(kind, OperationKind::RemoveSection | OperationKind::ArchiveSection)
    });
    let removing: BTreeSet<&MemoryPath> = removing.map(|(_, placed)| &placed.path).collect();
    let replaced: BTreeSet<String> =
        screened.request().all_sources().into_iter().filter_map(|it| it.was).collect();
    let around: String =
        files.iter().map(|file| file.after.as_str()).collect::<Vec<_>>().join("\n");
    let shown = |text: &str| {
        let words: String =
            one_line(&screened.rules.scanner.redact(text)).chars().take(LETTERS).collect();
        format!("`{}`", excerpt(words.trim()))
    };
    let mut all = Vec::new();
    for file in files {
        let (old, new) = (file.former(), file.outline());
        for change in &file.changes {
            let is_meant = match change.change {
                Change::Changed => true,
                Change::Removed => !removing.contains(&file.path),
                Change::Added | Change::Renamed | Change::Archived => false,
            };
            let (Some(id), Some(former), true) = (&change.id, change.former, is_meant) else {
                continue;
            };
            let before = (&old.sections()[former], old.body(&old.sections()[former]));
            let after = change.index.map(|index| &new.sections()[index]);
            let after = after.map(|section| (section, new.body(section)));
            let parts = lost_of(before, after, (&around, &replaced), shown);
            if !parts.is_empty() {
                let path = &file.path;
                all.push(format!("the rewrite of `{path}#{id}` drops {}", parts.join(", ")));
            }
        }
    }
    all
}

/// Says what of a section, with its text, is gone from it.
fn lost_of(
    (before, text): (&Section, &str),
    after: Option<(&Section, &str)>,
    (around, replaced): (&str, &BTreeSet<String>),
    shown: impl Fn(&str) -> String + Copy,
) -> Vec<String> {
    let lost = lost_parts(text, after.map_or("", |(_, text)| text), around);
    let parts =
        lost.iter().map(|LostParts { kind, lost, of }| say(lost, &count(*of, kind.name()), shown));
    let sources = after.map_or(&[][..], |(it, _)| &it.sources);
    let lost = lost_sources(&before.sources, sources, replaced);
    let of = count(before.sources.len(), "source");
    parts.chain((!lost.is_empty()).then(|| say(&lost, &of, shown))).collect()
}

/// Returns the sources that are gone: one that names other lines of the same file is there, and one that the request
/// replaces is meant to go.
fn lost_sources(
    before: &[SourceNote],
    after: &[SourceNote],
    replaced: &BTreeSet<String>,
) -> Vec<String> {
    fn rests_on(note: &SourceNote) -> (SourceType, &str) {
        let file = cited_file(&note.reference).filter(|_| note.kind.is_file());
        (note.kind, file.map_or(note.reference.as_str(), |cited| cited.path))
    }
    let gone = |note: &&SourceNote| {
        !replaced.contains(&note.reference)
            && !after.iter().any(|it| rests_on(it) == rests_on(note))
    };
    let named = |note: &SourceNote| format!("{} {}", note.kind, note.reference);
    before.iter().filter(gone).map(named).collect()
}

fn say(lost: &[String], of: &str, shown: impl Fn(&str) -> String) -> String {
    let mut named: Vec<String> = lost.iter().take(NAMED).map(|text| shown(text)).collect();
    named.extend((lost.len() > NAMED).then(|| "…".to_owned()));
    format!("{} of {of} ({})", lost.len(), named.join(", "))
}
