//! `list`: all entries, and where index and files disagree.

use std::collections::BTreeSet;

use super::index_size::{size_of, warning};
use super::read::content_of;
use super::session::{EntryAnswer, PersonalSession};
use super::stop::answered;
use crate::personal::index_file::listed;
use crate::personal::request::{EntryList, EntryType, ListedEntry};
use crate::personal::settings::PersonalSettings;
use crate::personal::store::{StoredEntry, entries, index};
use crate::secrets::Scanner;

/// Lists the entries, all or those of one type.
pub(crate) fn list(session: &PersonalSession, kind: Option<EntryType>) -> EntryAnswer<EntryList> {
    answered(|| {
        let Some((folder, settings)) = session.find(session.user()?)? else {
            let index = size_of("", &PersonalSettings::default());
            return Ok(EntryList { entries: Vec::new(), index, warnings: Vec::new() });
        };
        let mut warnings = folder.settle(session.lock_wait)?;
        let (stored, unreadable) = entries(&folder)?;
        warnings.extend(unreadable);
        let text = index(&folder)?.unwrap_or_default();
        warnings.extend(disagreements(&stored, &text));
        let scanner = settings.scanner();
        let all = stored.iter().map(|entry| listed_entry(entry, &scanner, &mut warnings));
        let mut entries: Vec<ListedEntry> = all.collect();
        entries.retain(|entry| kind.is_none_or(|kind| entry.kind == kind.name()));
        let index = size_of(&text, &settings);
        warnings.extend(warning(index));
        Ok(EntryList { entries, index, warnings })
    })
}

fn listed_entry(entry: &StoredEntry, scanner: &Scanner, warnings: &mut Vec<String>) -> ListedEntry {
    let content = content_of(&entry.name, &entry.text, scanner, warnings);
    ListedEntry {
        name: entry.name.clone(),
        kind: content.kind.unwrap_or_else(|| EntryType::Reference.name().to_owned()),
        description: content.description.unwrap_or_default(),
        path: entry.path(),
        hash: entry.hash().to_string(),
        modified: content.modified,
    }
}

/// Names entries without a line, and lines without an entry.
fn disagreements(stored: &[StoredEntry], index: &str) -> Vec<String> {
    const MEND: &str = "`agent-memory doctor --user --fix`";
    let lines: BTreeSet<String> = listed(index).into_iter().map(|line| line.name).collect();
    let files: BTreeSet<&str> = stored.iter().map(|entry| entry.name.as_str()).collect();
    let unlisted = files.iter().filter(|name| !lines.contains(**name));
    let unlisted =
        unlisted.map(|name| format!("`{name}` has no line in the index; {MEND} adds it"));
    let empty = lines.iter().filter(|name| !files.contains(name.as_str()));
    let empty = empty.map(|name| {
        format!("the index has a line for `{name}`, and there is no such file; {MEND} removes it")
    });
    unlisted.chain(empty).collect()
}
