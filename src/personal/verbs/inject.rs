//! What a session begins with: the index, as far as this project may see it.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::read::content_of;
use super::session::PersonalSession;
use crate::error::{Error, Result};
use crate::personal::index_file::listed;
use crate::personal::index_pack::{IndexEntry, IndexPack, pack_index};
use crate::personal::request::{IndexReceipt, LeftOutReason};
use crate::personal::settings::PersonalSettings;
use crate::personal::store::{
    PersonFolder, StoredEntry, changes_at_session_start, entries, index, names,
};

/// How much is read, and for which project.
#[derive(Clone, Copy)]
pub(crate) struct IndexRequest<'p> {
    /// Tells what the project is called: an entry of one project is shown there alone.
    pub(crate) project: &'p dyn Fn() -> Result<Option<String>>,
    /// Tokens of all that a session reads; the index takes a quarter at most.
    pub(crate) budget: usize,
    /// Whether to tell what changed since the last session, and to remember that one begins.
    pub(crate) tells_news: bool,
}

/// What of the person's own memory a session begins with.
#[derive(Debug, Default)]
pub(crate) struct Injected {
    /// Stands before the memory of the project; empty where there is nothing to show.
    pub(crate) text: String,
    /// None where there is nothing to show.
    pub(crate) receipt: Option<IndexReceipt>,
    /// What could not be read, or not be remembered.
    pub(crate) warnings: Vec<String>,
}

/// Names of changed entries at most; the rest are counted.
const NAMED: usize = 5;

/// Packs the index, unless the person or the process wants none.
pub(crate) fn inject(session: &PersonalSession, request: &IndexRequest<'_>) -> Injected {
    let mut warnings = Vec::new();
    match packed(session, request, &mut warnings) {
        Ok(Some(pack)) => {
            let text = if pack.text.is_empty() { String::new() } else { pack.text + "\n" };
            Injected { text, receipt: Some(pack.receipt), warnings }
        }
        Ok(None) => Injected { warnings, ..Injected::default() },
        Err(error) => Injected::failed(&error),
    }
}

impl Injected {
    /// The session begins without the index, and is told why.
    pub(crate) fn failed(error: &Error) -> Self {
        let warning = format!("the user's own memory is left out: {error}");
        Self { warnings: vec![warning], ..Self::default() }
    }
}

fn packed(
    session: &PersonalSession,
    request: &IndexRequest<'_>,
    warnings: &mut Vec<String>,
) -> Result<Option<IndexPack>> {
    let Some(user) = session.user.as_ref().filter(|_| session.injects) else { return Ok(None) };
    let Some((folder, settings)) = session.find(user)? else { return Ok(None) };
    if !settings.inject {
        return Ok(None);
    }
    let read = || shown_entries(&folder, &settings, request.project);
    let (shown, said) = folder.read_at_rest(session.lock_wait, read)?;
    warnings.extend(said);
    if shown.is_empty() {
        return Ok(None);
    }
    let news = match request.tells_news.then(|| news(&folder, &shown)) {
        Some(Ok(news)) => news,
        Some(Err(error)) => {
            warnings.push(format!("what changed since the last session is not known: {error}"));
            None
        }
        None => None,
    };
    Ok(Some(pack_index(shown, news.as_deref(), request.budget / 4)))
}

/// Returns the entries that the index lists, in its order, but for those of other projects and lines without a file.
fn shown_entries(
    folder: &PersonFolder,
    settings: &PersonalSettings,
    project: &dyn Fn() -> Result<Option<String>>,
) -> Result<Vec<IndexEntry>> {
    let scanner = settings.scanner();
    let (all, _) = entries(folder)?;
    let mut files: BTreeSet<String> = names(folder)?.into_iter().collect();
    let stored: BTreeMap<&str, &StoredEntry> =
        all.iter().map(|entry| (entry.name.as_str(), entry)).collect();
    // Most people have no entry of one project alone: then git is not asked.
    let known = OnceCell::new();
    let here = || match known.get() {
        Some(known) => Ok(known),
        None => project().map(|name| known.get_or_init(|| name)),
    };
    let mut shown = Vec::new();
    for line in listed(&index(folder)?.unwrap_or_default()) {
        // An entry may have several lines.
        if !files.remove(&line.name) {
            continue;
        }
        let mut entry = IndexEntry {
            left_out: [&line.name, &line.hook]
                .iter()
                .any(|text| !scanner.scan(text).is_empty())
                .then_some(LeftOutReason::Secret),
            kind: String::new(),
            name: line.name,
            description: line.hook,
        };
        match stored.get(entry.name.as_str()) {
            Some(stored) => {
                let content = content_of(&stored.name, &stored.text, &scanner, &mut Vec::new());
                if content.project.is_some() && content.project != *here()? {
                    continue;
                }
                entry.kind = content.kind.unwrap_or_default();
            }
            // Whose project it is for is not known.
            None => entry.left_out = Some(LeftOutReason::Unreadable),
        }
        shown.push(entry);
    }
    Ok(shown)
}

/// Names what changed since the last session began, the newest first, and remembers this one. Entries that this session is
/// not shown are not named, but for those that are gone.
fn news(folder: &PersonFolder, shown: &[IndexEntry]) -> Result<Option<String>> {
    let mut changed: Vec<(String, String)> = Vec::new();
    for change in changes_at_session_start(folder)? {
        let word = |field: &str| change[field].as_str().unwrap_or_default().to_owned();
        if changed.iter().all(|(name, _)| *name != word("name")) {
            changed.push((word("name"), word("decision")));
        }
    }
    let is_shown = |name: &String| shown.iter().any(|entry| entry.name == *name);
    changed.retain(|(name, decision)| decision == "deleted" || is_shown(name));
    let named = changed.iter().take(NAMED).map(|(name, decision)| format!("{decision} {name}"));
    let more = changed.len().saturating_sub(NAMED);
    let named: Vec<String> = named.chain((more > 0).then(|| format!("{more} more"))).collect();
    Ok((!named.is_empty()).then(|| format!("since the last session: {}", named.join(", "))))
}
