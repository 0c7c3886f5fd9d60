//! Says what a rewrite takes out of a file that no one asked to remove.

use std::collections::BTreeSet;

use super::planned_file::PlannedFile;
use super::screen::Screened;
use crate::markdown::{LostParts, lost_parts};
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
            let after = change.index.map_or("", |index| new.body(&new.sections()[index]));
            let lost = lost_parts(old.body(&old.sections()[former]), after, &around);
            if !lost.is_empty() {
                let parts: Vec<String> = lost.iter().map(|it| say(it, shown)).collect();
                let path = &file.path;
                all.push(format!("the rewrite of `{path}#{id}` drops {}", parts.join(", ")));
            }
        }
    }
    all
}

fn say(parts: &LostParts, shown: impl Fn(&str) -> String) -> String {
    let LostParts { kind, lost, of } = parts;
    let mut named: Vec<String> = lost.iter().take(NAMED).map(|text| shown(text)).collect();
    named.extend((lost.len() > NAMED).then(|| "…".to_owned()));
    format!("{} of {} ({})", lost.len(), count(*of, kind.name()), named.join(", "))
}
