//! What a session begins with: the index, as far as this project may see it.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::session::PersonalSession;
use crate::error::{Error, Result};
use crate::personal::entry_file::EntryFile;
use crate::personal::index_file::{IndexLine, listed};
use crate::personal::index_pack::{IndexEntry, IndexPack, pack_index};
use crate::personal::request::{EntryName, IndexReceipt};
use crate::personal::settings::PersonalSettings;
use crate::personal::store::{PersonFolder, changes_at_session_start, entries, index};
use crate::text::count;

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
    let read = || ShownEntries::read(&folder, &settings, request.project);
    let (ShownEntries { shown, unreadable }, said) =
        folder.read_at_rest(session.lock_wait, read)?;
    warnings.extend(said);
    if unreadable > 0 {
        let entries = count(unreadable, "entry");
        let doctor = "`agent-memory doctor --user` says why";
        warnings.push(format!("{entries} of the user's own memory cannot be read: {doctor}"));
    }
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
    // The line end behind it counts too.
    let budget = (request.budget / 4).saturating_sub(1);
    Ok(Some(pack_index(shown, news.as_deref(), budget)))
}

/// The entries that a session may see.
struct ShownEntries {
    /// In the order of the index; without those of other projects.
    shown: Vec<IndexEntry>,
    /// Entries of which it is not known for which project they are.
    unreadable: usize,
}

impl ShownEntries {
    /// A line without a file, or with a name that no entry can have, is passed over.
    fn read(
        folder: &PersonFolder,
        settings: &PersonalSettings,
        project: &dyn Fn() -> Result<Option<String>>,
    ) -> Result<Self> {
        let scanner = settings.scanner();
        let stored = entries(folder)?;
        let mut files: BTreeSet<String> = stored.names().into_iter().collect();
        files.retain(|name| EntryName::parse(name).is_ok());
        let texts = stored.readable.iter().map(|entry| (entry.name.as_str(), entry.text.as_str()));
        let texts: BTreeMap<&str, &str> = texts.collect();
        // Most people have no entry of one project alone: then git is not asked.
        let known = OnceCell::new();
        let here = || match known.get() {
            Some(known) => Ok(known),
            None => project().map(|name| known.get_or_init(|| name)),
        };
        let mut read = Self { shown: Vec::new(), unreadable: 0 };
        for IndexLine { name, hook, .. } in listed(&index(folder)?.unwrap_or_default()) {
            // An entry may have several lines.
            if !files.remove(&name) {
                continue;
            }
            let Some(EntryFile::Entry(content)) =
                texts.get(name.as_str()).map(|text| EntryFile::read(text))
            else {
                read.unreadable += 1;
                continue;
            };
            if content.project.is_some() && content.project != *here()? {
                continue;
            }
            let is_secret = [&name, &hook].iter().any(|text| !scanner.scan(text).is_empty());
            let kind = content.kind.unwrap_or_default();
            read.shown.push(IndexEntry { name, kind, description: hook, is_secret });
        }
        Ok(read)
    }
}

/// Names what changed since the last session began, the newest first, and remembers this one. What this session is not
/// shown is not named: it may be of another project.
fn news(folder: &PersonFolder, shown: &[IndexEntry]) -> Result<Option<String>> {
    let mut changed: Vec<(String, String)> = Vec::new();
    for change in changes_at_session_start(folder)? {
        let word = |field: &str| change[field].as_str().unwrap_or_default().to_owned();
        if changed.iter().all(|(name, _)| *name != word("name")) {
            changed.push((word("name"), word("decision")));
        }
    }
    changed.retain(|(name, _)| shown.iter().any(|entry| entry.name == *name));
    let named = changed.iter().take(NAMED).map(|(name, decision)| format!("{decision} {name}"));
    let more = changed.len().saturating_sub(NAMED);
    let named: Vec<String> = named.chain((more > 0).then(|| format!("{more} more"))).collect();
    Ok((!named.is_empty()).then(|| format!("since the last session: {}", named.join(", "))))
}
