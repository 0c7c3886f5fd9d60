//! What a session begins with: the index, as far as this project may see it.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::read::content_of;
use super::session::PersonalSession;
use crate::error::{Error, Result};
use crate::personal::index_file::listed;
use crate::personal::index_pack::{IndexEntry, IndexPack, pack_index};
use crate::personal::request::IndexReceipt;
use crate::personal::settings::PersonalSettings;
use crate::personal::store::{PersonFolder, StoredEntry, changes_since_session, entries, index};

/// Where a session begins, and how much it reads.
#[derive(Clone, Copy)]
pub(crate) struct SessionStart<'p> {
    /// Tells what the project is called: an entry of one project is shown there alone.
    pub(crate) project: &'p dyn Fn() -> Result<Option<String>>,
    /// Tokens of all that it reads; the index takes a quarter at most.
    pub(crate) budget: usize,
    /// Whether a session begins now; if not, a person or an agent only asks.
    pub(crate) begins: bool,
}

/// What of the person's own memory a session begins with.
#[derive(Debug, Default)]
pub(crate) struct Injected {
    /// Stands before the memory of the project; empty where there is nothing to show.
    pub(crate) text: String,
    /// None where there is nothing to show.
    pub(crate) receipt: Option<IndexReceipt>,
    /// Why the index could not be read: the session begins without it.
    pub(crate) warning: Option<String>,
}

/// Names of changed entries at most; the rest are counted.
const NAMED: usize = 5;

/// Packs the index, unless the person or the process wants none.
pub(crate) fn inject(session: &PersonalSession, start: &SessionStart<'_>) -> Injected {
    match packed(session, start) {
        Ok(Some(pack)) => {
            let text = if pack.text.is_empty() { String::new() } else { pack.text + "\n" };
            Injected { text, receipt: Some(pack.receipt), warning: None }
        }
        Ok(None) => Injected::default(),
        Err(error) => Injected::failed(&error),
    }
}

impl Injected {
    pub(crate) fn failed(error: &Error) -> Self {
        let warning = format!("the user's own memory is left out: {error}");
        Self { warning: Some(warning), ..Self::default() }
    }
}

fn packed(session: &PersonalSession, start: &SessionStart<'_>) -> Result<Option<IndexPack>> {
    let Some(user) = session.user.as_ref().filter(|_| session.injects) else { return Ok(None) };
    let Some((folder, settings)) = session.find(user)? else { return Ok(None) };
    if !settings.inject {
        return Ok(None);
    }
    folder.settle(session.lock_wait)?;
    let shown = shown_entries(&folder, &settings, start.project)?;
    // Where it cannot be remembered, as on a full disk, the session begins all the same.
    let news = if start.begins { news(&folder).unwrap_or_default() } else { None };
    let budget = start.budget / 4;
    Ok((!shown.is_empty()).then(|| pack_index(shown, news.as_deref(), budget)))
}

/// Returns the entries that the index lists, in its order, but for those of other projects and lines without a file.
fn shown_entries(
    folder: &PersonFolder,
    settings: &PersonalSettings,
    project: &dyn Fn() -> Result<Option<String>>,
) -> Result<Vec<IndexEntry>> {
    let scanner = settings.scanner();
    let (all, _) = entries(folder)?;
    let mut stored: BTreeMap<&str, &StoredEntry> =
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
        let Some(entry) = stored.remove(line.name.as_str()) else { continue };
        let content = content_of(&entry.name, &entry.text, &scanner, &mut Vec::new());
        if content.project.is_some() && content.project != *here()? {
            continue;
        }
        let texts = [&line.name, &line.hook];
        shown.push(IndexEntry {
            is_secret: texts.iter().any(|text| !scanner.scan(text).is_empty()),
            kind: content.kind.unwrap_or_default(),
            name: line.name,
            description: line.hook,
        });
    }
    Ok(shown)
}

/// Names what was written since the last session began, the newest first, and remembers this one.
fn news(folder: &PersonFolder) -> Result<Option<String>> {
    let mut changed: Vec<(String, String)> = Vec::new();
    for change in changes_since_session(folder)? {
        let word = |field: &str| change[field].as_str().unwrap_or_default().to_owned();
        if changed.iter().all(|(name, _)| *name != word("name")) {
            changed.push((word("name"), word("decision")));
        }
    }
    // No session needs to know what a person wanted forgotten, or that the index was mended.
    changed.retain(|(_, decision)| !["purged", "fixed"].contains(&decision.as_str()));
    let named = changed.iter().take(NAMED).map(|(name, decision)| format!("{decision} {name}"));
    let more = changed.len().saturating_sub(NAMED);
    let named: Vec<String> = named.chain((more > 0).then(|| format!("{more} more"))).collect();
    Ok((!named.is_empty()).then(|| format!("since the last session: {}", named.join(", "))))
}
