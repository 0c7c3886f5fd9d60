//! `search`: the entries that answer a question best.
//!
//! The entries are few, so each search indexes them in memory, as they may be shown: no cache holds a text that was
//! deleted or withheld.

mod entry_source;

use super::session::{EntryAnswer, PersonalSession};
use super::stop::answered;
use crate::contract::{Moment, UTC};
use crate::error::Result;
use crate::index::{Classify, Order, Question, SearchHit, SearchIndex, Weights};
use crate::personal::request::{EntryType, FoundEntries, FoundEntry};
use crate::personal::store::{PersonFolder, entries};
use entry_source::EntrySource;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryQuestion<'a> {
    /// Any text; there is no syntax in it.
    pub(crate) text: &'a str,
    /// Only entries of this type.
    pub(crate) kind: Option<EntryType>,
    /// How many entries to return at most.
    pub(crate) limit: usize,
}

/// Finds entries by name, description and body.
pub(crate) fn search(
    session: &PersonalSession,
    question: &EntryQuestion<'_>,
) -> EntryAnswer<FoundEntries> {
    answered(|| {
        let Some((folder, settings)) = session.find(session.user()?)? else {
            let (results, warnings) = (Vec::new(), Vec::new());
            return Ok(FoundEntries { results, warnings, suggestion: None });
        };
        let (stored, mut warnings) = folder.read_at_rest(session.lock_wait, || entries(&folder))?;
        warnings.extend(stored.unreadable.iter().map(ToString::to_string));
        let source = EntrySource::of(stored.readable, &settings.scanner());
        let mut found = find(&folder, source, &question.as_asked(session.now))?;
        found.warnings.splice(0..0, warnings);
        Ok(found)
    })
}

impl<'a> EntryQuestion<'a> {
    fn as_asked(&self, now: Moment) -> Question<'a> {
        Question {
            text: self.text,
            raw: false,
            limit: self.limit,
            offset: 0,
            order: Order::Score,
            kind: self.kind.map(EntryType::name),
            file: None,
            since: None,
            until: None,
            flag: None,
            include_archived: false,
            now,
            zone: &UTC,
            weights: &Weights::TUNED,
        }
    }
}

fn find(
    folder: &PersonFolder,
    mut source: EntrySource,
    question: &Question<'_>,
) -> Result<FoundEntries> {
    let mut warnings = Vec::new();
    let mut index = SearchIndex::in_memory(&folder.inside("memory"), None)?;
    index.refresh(&source, None)?;
    let hits = index.search(question, &Classify::ALL_ALIKE)?;
    let suggestion = if hits.is_empty() { index.respelled(question)? } else { None };
    let results: Vec<FoundEntry> =
        hits.into_iter().filter_map(|hit| found_entry(hit, &mut source, &mut warnings)).collect();
    Ok(FoundEntries { results, warnings, suggestion })
}

fn found_entry(
    hit: SearchHit,
    source: &mut EntrySource,
    warnings: &mut Vec<String>,
) -> Option<FoundEntry> {
    let entry = source.take(&hit.file)?;
    warnings.extend(entry.warnings);
    Some(FoundEntry {
        path: format!("memory/{}.md", hit.file),
        name: hit.file,
        kind: entry.kind,
        description: entry.description,
        score: hit.score,
        snippet: hit.snippet,
        matches: hit.matches,
        hash: hit.hash,
        duplicates: hit.duplicates.into_iter().map(|(name, _)| name).collect(),
    })
}
