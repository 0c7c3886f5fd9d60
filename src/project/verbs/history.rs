//! Finds what a decision changed, for `log -p`.
//!
//! The log has the hashes of each file before and after. A text with that hash may still be in the file or beside the
//! proposal, or be the result of undoing the newer changes one by one.

mod left_out;
mod past_diff;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::masked_diff::masked_diff;
use super::project::Project;
use crate::contract::{ContentHash, FileState};
use crate::error::Result;
use crate::project::pipeline::text_left;
use crate::project::request::MemoryPath;
use crate::project::reversal::Undone;
use crate::project::store::{staging, undo};
use left_out::left_out;
pub(crate) use past_diff::PastDiff;
use past_diff::{Logged, files_of, id_of};

/// The note on a diff that shows a proposal as it was made.
const PROPOSED: &str = "as it was proposed; what was applied is not kept word by word";

/// The note where the kept text is not the proposed one.
const OTHER: &str = "the text that is kept is not the one in the log";

/// The note on what another clone applied.
const ELSEWHERE: &str = "another clone applied it; `git log -p` shows what it changed";

/// Returns what each log line changed in the files.
pub fn past_diffs(project: &Project, entries: &[Value]) -> Result<Vec<Vec<PastDiff>>> {
    let all = project.store.layout().signed_log().read()?;
    let staged = all.iter().filter(|entry| entry["decision"] == "staged");
    let staged: Arrivals<'_> =
        staged.filter_map(|entry| Some((entry["id"].as_str()?, entry))).collect();
    let texts = Texts::gather(project, entries)?;
    entries
        .iter()
        .map(|entry| match entry["decision"].as_str().unwrap_or_default() {
            "applied" if entry["claimed"] == true => {
                Ok(files_of(entry).map(|file| file.with_note(ELSEWHERE)).collect())
            }
            "applied" | "undone" => files_of(entry)
                .map(|file| applied(project, entry, &file, &texts, &staged))
                .collect(),
            "rejected" | "swept" => {
                // Its files are in the `staged` line.
                let arrival = entry["id"].as_str().and_then(|id| staged.get(id));
                let files = arrival.into_iter().flat_map(|staged| files_of(staged));
                if entry["applied_operations"].is_array() {
                    return left_out(project, entry, files);
                }
                let diff = |file: Logged| {
                    let proposed = proposed(project, entry, &file, &staged)?;
                    Ok(proposed.unwrap_or_else(|| file.without_diff()))
                };
                files.map(diff).collect()
            }
            _ => Ok(Vec::new()),
        })
        .collect()
}

fn applied(
    project: &Project,
    entry: &Value,
    file: &Logged,
    texts: &Texts,
    staged: &Arrivals<'_>,
) -> Result<PastDiff> {
    let text = |hash: &Option<String>| match hash {
        None => Some(None),
        Some(hash) => texts.0.get(hash).map(|text| Some(text.as_str())),
    };
    let (Some(before), Some(after)) = (text(&file.before), text(&file.after)) else {
        let proposed = match entry["decision"] == "applied" {
            true => proposed(project, entry, file, staged)?,
            false => None,
        };
        return Ok(proposed.unwrap_or_else(|| file.without_diff()));
    };
    let texts = (before, after.unwrap_or_default());
    let diff = masked_diff(file.path.as_str(), texts, &project.scanner);
    Ok(PastDiff { path: file.path.to_string(), diff: Some(diff), note: None })
}

/// The `staged` lines of the log by proposal id.
type Arrivals<'a> = BTreeMap<&'a str, &'a Value>;

/// Returns the diff that is kept beside a proposal, if it is the one that was staged: a commit may have brought another.
fn proposed(
    project: &Project,
    entry: &Value,
    file: &Logged,
    staged: &Arrivals<'_>,
) -> Result<Option<PastDiff>> {
    let Some(id) = id_of(entry) else { return Ok(None) };
    let (before, after) = staging::read_shown(project.store.layout(), &id, &file.path)?;
    let arrival = staged.get(id.as_str()).into_iter().flat_map(|entry| files_of(entry));
    let arrived = arrival.into_iter().find(|arrived| arrived.path == file.path);
    let hash = |text: Option<&str>| text.map(|text| ContentHash::of(text.as_bytes()).to_string());
    let left = after.as_deref().and_then(|after| text_left(before.as_deref(), after));
    let is_as_it_came =
        arrived.is_some_and(|it| it.before == hash(before.as_deref()) && it.after == hash(left));
    if after.is_some() && !is_as_it_came {
        let path = file.path.to_string();
        return Ok(Some(PastDiff { path, diff: None, note: Some(OTHER) }));
    }
    Ok(after.map(|after| {
        let texts = (before.as_deref(), after.as_str());
        PastDiff {
            path: file.path.to_string(),
            diff: Some(masked_diff(file.path.as_str(), texts, &project.scanner)),
            note: (entry["decision"] == "applied").then_some(PROPOSED),
        }
    }))
}

/// Texts by hash.
struct Texts(BTreeMap<String, String>);

impl Texts {
    /// Collects the texts that the log lines may mean.
    fn gather(project: &Project, entries: &[Value]) -> Result<Self> {
        let layout = project.store.layout();
        let mut texts = Self(BTreeMap::new());
        // What is left of a file that went.
        texts.add(String::new());
        let mut paths = BTreeSet::new();
        for (entry, file) in
            entries.iter().flat_map(|entry| files_of(entry).map(move |file| (entry, file)))
        {
            if let Some(id) = id_of(entry) {
                let (before, after) = staging::read_shown(layout, &id, &file.path)?;
                let gone = undo::read_put_away(layout, &id, &file.path)?;
                let known = [before, after].into_iter().flatten().chain(gone);
                known.for_each(|text| texts.add(text));
            }
            paths.insert(file.path);
        }
        let names: BTreeSet<&str> = paths.iter().map(MemoryPath::as_str).collect();
        for path in &paths {
            if let FileState::Text(text) = project.store.read(path)? {
                texts.add(text);
            }
        }
        // Newest first: each result is the start of the next.
        for reversal in undo::read(layout)?.iter().rev().flat_map(|undoable| &undoable.files) {
            let is_wanted = names.contains(reversal.path.as_str());
            let after = texts.0.get(reversal.after().as_str()).filter(|_| is_wanted);
            if let Some(Ok(Undone::Text(text))) = after.map(|text| reversal.take_back(Some(text))) {
                texts.add(text);
            }
        }
        Ok(texts)
    }

    fn add(&mut self, text: String) {
        self.0.insert(ContentHash::of(text.as_bytes()).to_string(), text);
    }
}
