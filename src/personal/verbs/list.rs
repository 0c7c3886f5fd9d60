//! `list`: all entries, and where index and files disagree.

use super::index_gaps::{ADDS, IndexGaps, REMOVES, empty_message, unlisted_message};
use super::index_size::{size_of, warning};
use super::read::head_of;
use super::session::{EntryAnswer, PersonalSession};
use super::stop::answered;
use crate::personal::request::{EntryList, EntryName, EntryType, ListedEntry};
use crate::personal::settings::PersonalSettings;
use crate::personal::store::{StoredEntries, StoredEntry, entries, index};
use crate::secrets::Scanner;

/// Lists the entries, all or those of one type.
pub(crate) fn list(session: &PersonalSession, kind: Option<EntryType>) -> EntryAnswer<EntryList> {
    answered(|| {
        let Some((folder, settings)) = session.find(session.user()?)? else {
            let index = size_of("", &PersonalSettings::default());
            return Ok(EntryList { entries: Vec::new(), index, warnings: Vec::new() });
        };
        let read = || Ok((entries(&folder)?, index(&folder)?.unwrap_or_default()));
        let ((stored, text), mut warnings) = folder.read_at_rest(session.lock_wait, read)?;
        let names = stored.names();
        let StoredEntries { readable, unreadable } = stored;
        let scanner = settings.scanner();
        let mut of_texts = Vec::new();
        let all = readable.iter().map(|entry| listed_entry(entry, &scanner, &mut of_texts));
        let mut entries: Vec<ListedEntry> = all.collect();
        let is_readable = |name: &EntryName| unreadable.iter().all(|it| it.name != name.as_str());
        let IndexGaps { unlisted, empty } = IndexGaps::of(&names, &text, is_readable, &scanner);
        let unlisted = unlisted.iter().map(|name| format!("{}; {ADDS}", unlisted_message(name)));
        let empty = empty.iter().map(|name| format!("{}; {REMOVES}", empty_message(name)));
        let (unlisted, empty) = (unlisted.collect(), empty.collect());
        let unreadable = unreadable.iter().map(ToString::to_string).collect();
        let kinds = [unreadable, unusable(&names), unlisted, empty, of_texts];
        warnings.extend(kinds.into_iter().flat_map(shortened));
        entries.retain(|entry| kind.is_none_or(|kind| entry.kind == kind.name()));
        let index = size_of(&text, &settings);
        warnings.extend(warning(index));
        Ok(EntryList { entries, index, warnings })
    })
}

fn listed_entry(entry: &StoredEntry, scanner: &Scanner, warnings: &mut Vec<String>) -> ListedEntry {
    let content = head_of(&entry.name, &entry.text, scanner, warnings);
    ListedEntry {
        name: entry.name.clone(),
        kind: content.kind.unwrap_or_else(|| EntryType::Reference.name().to_owned()),
        description: content.description.unwrap_or_default(),
        path: entry.path(),
        hash: entry.hash().to_string(),
        modified: content.modified,
    }
}

/// Names the files that no other command reaches.
fn unusable(names: &[String]) -> Vec<String> {
    let refusals = names.iter().filter_map(|name| EntryName::parse(name).err());
    refusals.map(|it| format!("{}; rename its file: {}", it.message, it.hint)).collect()
}

/// Leaves the first warnings of a kind, and says how many more there are.
fn shortened(mut warnings: Vec<String>) -> Vec<String> {
    const SHOWN: usize = 10;
    let more = warnings.len().saturating_sub(SHOWN);
    warnings.truncate(SHOWN);
    warnings.extend((more > 0).then(|| format!("and {more} more of this kind")));
    warnings
}
