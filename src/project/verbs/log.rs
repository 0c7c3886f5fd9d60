//! `log`: the decisions, newest first, and whether the log is complete.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::claims::claimed;
use super::project::Project;
use crate::chain::{Break, BreakKind, ChainVerdict};
use crate::contract::{Moment, Zone};
use crate::error::{ErrorKind, Result};
use crate::project::rejection::Rejection;
use crate::project::store::{self, staging};
use crate::text::count;

/// Which decisions are wanted.
#[derive(Debug, Clone, Default)]
pub struct LogQuery<'a> {
    /// The largest number of decisions.
    pub limit: usize,
    /// Only about this file, relative to the store.
    pub file: Option<&'a str>,
    /// Only about the section with this id.
    pub section: Option<&'a str>,
    /// Only about proposals of this owner.
    pub owner: Option<&'a str>,
    /// Only since this time.
    pub since: Option<Moment>,
    /// Only rejections, including those of other machines.
    pub rejected: bool,
}

impl LogQuery<'_> {
    /// Tells whether only the limit leaves out decisions.
    pub fn wants_all(&self) -> bool {
        !self.names_subject() && self.since.is_none() && !self.rejected
    }

    pub(super) fn names_subject(&self) -> bool {
        self.file.is_some() || self.section.is_some() || self.owner.is_some()
    }

    fn is_about(&self, entry: &Value) -> bool {
        let names = |list: &str, field: &str, wanted: Option<&str>| {
            let listed = || entry[list].as_array().into_iter().flatten();
            wanted.is_none_or(|wanted| listed().any(|each| each[field] == wanted))
        };
        // Several files may have a section with that id.
        let section = self.section.is_none_or(|wanted| {
            let sections = entry["sections"].as_array().into_iter().flatten();
            sections
                .filter(|each| each["section_id"] == wanted)
                .any(|each| self.file.is_none_or(|file| each["file"] == file))
        });
        section
            && names("files", "path", self.file)
            && self.owner.is_none_or(|owner| entry["owner"] == owner)
    }

    fn is_recent(&self, entry: &Value, zone: &Zone) -> bool {
        let time = entry["time"].as_str().unwrap_or_default();
        self.since.is_none_or(|since| {
            // A rejection of another machine has a day alone.
            Moment::parse(time).or_else(|| zone.start_of(time)).is_some_and(|time| time >= since)
        })
    }
}

/// Returns the wanted decisions, newest first, including those that other clones claim.
pub fn log(project: &Project, query: &LogQuery<'_>) -> Result<Vec<Value>> {
    let layout = project.store.layout();
    layout.git_time().allow_a_minute();
    if query.wants_all() && !staging::has_claims(layout)? {
        return layout.signed_log().read_youngest(query.limit);
    }
    let mut entries = all_decisions(project)?;
    // Some lines only name the proposal; its files are in its other lines.
    let about: BTreeSet<String> = match query.names_subject() {
        false => BTreeSet::new(),
        true => {
            let named = entries.iter().filter(|entry| query.is_about(entry));
            named.filter_map(|entry| entry["id"].as_str().map(str::to_owned)).collect()
        }
    };
    if query.rejected {
        entries = rejections(&entries, &remembered(project)?);
    }
    let is_wanted = |entry: &Value| {
        let is_known = entry["id"].as_str().is_some_and(|id| about.contains(id));
        (query.is_about(entry) || is_known) && query.is_recent(entry, &project.session.zone)
    };
    Ok(entries.into_iter().rev().filter(is_wanted).take(query.limit).collect())
}

/// Reads the log of this machine, oldest first, and between its lines what other clones claim.
pub(super) fn all_decisions(project: &Project) -> Result<Vec<Value>> {
    let mut entries = project.store.layout().signed_log().read()?;
    let claimed = claimed(project, &entries)?;
    if claimed.is_empty() {
        return Ok(entries);
    }
    entries.extend(claimed);
    Ok(with_unlogged_by_time(entries))
}

/// Reads the remembered rejections with secrets masked: they may have been edited. Each operation may have a file of its
/// own; what they say alike is one rejection.
fn remembered(project: &Project) -> Result<Vec<Rejection>> {
    let shown = |rejection: Rejection| Rejection {
        id: project.clean(&rejection.id),
        date: project.clean(&rejection.date),
        reason: project.clean(&rejection.reason),
        ..rejection
    };
    let mut remembered: Vec<Rejection> =
        store::rejections(project.store.layout())?.into_iter().map(shown).collect();
    let mut known = BTreeSet::new();
    remembered
        .retain(|each| known.insert((each.id.clone(), each.date.clone(), each.reason.clone())));
    Ok(remembered)
}

/// Returns the rejections, oldest first, including those of other machines; `holds` tells whether the text is still refused.
fn rejections(entries: &[Value], remembered: &[Rejection]) -> Vec<Value> {
    let mut holding: Vec<Option<&Rejection>> = remembered.iter().map(Some).collect();
    let mut found: Vec<Value> = Vec::new();
    let parts = entries.iter().filter(|entry| landed_in_part(entry));
    let parts: BTreeMap<&str, &Value> =
        parts.filter_map(|entry| Some((entry["id"].as_str()?, entry))).collect();
    let logged = entries.iter().rev().filter(|entry| entry["decision"] == "rejected");
    found.extend(logged.cloned());
    // First by id and reason, then by id alone: a person may have edited the reason.
    for with_reason in [true, false] {
        let key = |id: &str, reason: &str| (id.to_owned(), with_reason.then(|| reason.to_owned()));
        let mut waiting: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (number, each) in holding.iter().enumerate().rev() {
            let key = each.map(|each| key(&each.id, &each.reason));
            key.into_iter().for_each(|key| waiting.entry(key).or_default().push(number));
        }
        // If it was rejected twice, the last rejection holds.
        let is_open = |entry: &&mut Value| entry["holds"] != true && entry["claimed"] != true;
        for entry in found.iter_mut().filter(is_open) {
            let text = |name: &str| entry[name].as_str();
            let key = text("id").map(|id| key(id, text("reason").unwrap_or_default()));
            let held = key.and_then(|key| waiting.get_mut(&key)?.pop());
            entry["holds"] = held.and_then(|held| holding[held].take()).is_some().into();
        }
    }
    settle_claimed(&mut found, &mut holding, remembered);
    found.extend(
        holding
            .into_iter()
            .flatten()
            .map(|rejection| unlogged(rejection, parts.get(rejection.id.as_str()).copied())),
    );
    found.reverse();
    with_unlogged_by_time(found)
}

/// Tells of each claimed rejection whether it holds. Several may: branches reject the same proposal.
fn settle_claimed(
    found: &mut [Value],
    holding: &mut [Option<&Rejection>],
    remembered: &[Rejection],
) {
    for entry in found.iter_mut().filter(|entry| entry["claimed"] == true) {
        let is_about = |each: &Rejection| entry["id"] == each.id.as_str();
        let holds = entry["taken_back"] != true && remembered.iter().any(is_about);
        let is_same = |each: &Rejection| is_about(each) && entry["reason"] == each.reason.as_str();
        for slot in holding.iter_mut().filter(|slot| slot.is_some_and(is_same)) {
            *slot = None;
        }
        entry["holds"] = holds.into();
    }
}

/// Puts decisions without a log line between the others by their time; the others stay in the order of the log, as a
/// clock may be set back.
fn with_unlogged_by_time(found: Vec<Value>) -> Vec<Value> {
    let (unlogged, logged): (Vec<Value>, Vec<Value>) =
        found.into_iter().partition(|entry| entry["number"].is_null());
    let time = |entry: &Value| entry["time"].as_str().unwrap_or_default().to_owned();
    let mut latest = String::new();
    let logged = logged.into_iter().map(|entry| {
        latest = std::mem::take(&mut latest).max(time(&entry));
        (latest.clone(), entry)
    });
    let mut dated: Vec<(String, Value)> = logged.collect();
    dated.extend(unlogged.into_iter().map(|entry| (time(&entry), entry)));
    dated.sort_by(|(one, _), (other, _)| one.cmp(other));
    dated.into_iter().map(|(_, entry)| entry).collect()
}

fn landed_in_part(entry: &Value) -> bool {
    entry["decision"] == "applied" && entry["operations"].is_array()
}

/// Makes a log line for a rejection that has none: it came from another machine, or is what a person left out of a
/// proposal. In that case it takes details from the line of the applied part.
fn unlogged(rejection: &Rejection, part: Option<&Value>) -> Value {
    let Rejection { id, date, reason, .. } = rejection;
    let mut entry =
        json!({"time": date, "id": id, "decision": "rejected", "reason": reason, "holds": true});
    // A rejection of another day was made on another branch.
    let is_of_the_day =
        |part: &&Value| part["time"].as_str().is_some_and(|time| time.starts_with(date));
    if let Some(part) = part.filter(is_of_the_day) {
        for name in ["time", "owner", "approver", "request", "claimed"] {
            part.get(name).into_iter().for_each(|known| entry[name] = known.clone());
        }
        entry["applied_operations"] = part["operations"].clone();
    }
    entry
}

/// Counts the decisions that only the copy of the log has.
pub(crate) fn lost_decisions(project: &Project) -> Result<usize> {
    store::lost_decisions(project.store.layout())
}

/// Checks whether the log has every decision unchanged.
pub(crate) fn verify_log(project: &Project) -> Result<ChainVerdict> {
    let layout = project.store.layout();
    let mut verdict = layout.signed_log().verify()?;
    if verdict.unbroken {
        let gone = store::lost_decisions(layout)?;
        if gone > 0 {
            let gone = count(gone, "decision");
            let message = format!(
                "the log lacks {gone} that its copy in git's folder has: it was deleted, or an older one took its place; `agent-memory doctor --adopt-state` puts them back"
            );
            let line = verdict.decisions;
            verdict.findings.push(Break { line, kind: BreakKind::Cut, message });
            verdict.unbroken = false;
        }
        return Ok(verdict);
    }
    match project.lock("log --verify", None) {
        // Another process may have been writing a line.
        Ok(_locked) => layout.signed_log().verify(),
        Err(error) if error.kind() == ErrorKind::LockHeld => Err(error),
        // Without write access no process was writing.
        Err(_) => Ok(verdict),
    }
}

/// The last decision about a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LastDecision {
    /// How many decisions of any kind came before it.
    pub(super) number: usize,
    pub(super) decision: String,
    pub(super) time: String,
    /// Whether it was ever applied with changes by the approver.
    pub(super) amended: bool,
}

/// Returns the last decision about each proposal in the log.
pub(super) fn last_decisions(project: &Project) -> Result<BTreeMap<String, LastDecision>> {
    Ok(last_of(&project.store.layout().signed_log().read()?))
}

/// Returns the last decision about each proposal in some lines, oldest first.
pub(super) fn last_of(entries: &[Value]) -> BTreeMap<String, LastDecision> {
    let mut last: BTreeMap<String, LastDecision> = BTreeMap::new();
    for (number, entry) in entries.iter().enumerate() {
        let text = |name: &str| entry[name].as_str().map(str::to_owned);
        let (Some(id), Some(decision)) = (text("id"), text("decision")) else { continue };
        // The decision about it came before.
        let is_decided = |last: &LastDecision| last.decision != "staged";
        if decision == "cleared" && last.get(&id).is_some_and(is_decided) {
            continue;
        }
        let was_amended = last.get(&id).is_some_and(|before| before.amended);
        let amended = was_amended || entry["amended"] == true;
        let time = text("time").unwrap_or_default();
        last.insert(id, LastDecision { number, decision, time, amended });
    }
    last
}

/// Returns the decisions about one proposal, oldest first, including what other clones claim, and rejections that have no log
/// line.
pub fn decisions_about(project: &Project, wanted: &str) -> Result<Vec<Value>> {
    let mut entries = about(all_decisions(project)?, wanted);
    let Some(id) = entries.first().map(|entry| entry["id"].clone()) else { return Ok(entries) };
    let part = entries.iter().rposition(landed_in_part);
    let remembered = remembered(project)?;
    let is_logged = |rejection: &Rejection| {
        let mut lines = entries.iter();
        lines.any(|entry| entry["reason"] == rejection.reason.as_str())
    };
    let unlogged: Vec<Value> = remembered
        .iter()
        .filter(|rejection| id == rejection.id.as_str())
        .filter(|rejection| !is_logged(rejection))
        .map(|rejection| unlogged(rejection, part.map(|part| &entries[part])))
        .collect();
    let place = part.map_or(entries.len(), |part| part + 1);
    entries.splice(place..place, unlogged);
    Ok(entries)
}

/// Returns the log lines about one proposal, oldest first; the id may be shortened while it is unique.
pub(super) fn read_decision(project: &Project, wanted: &str) -> Result<Vec<Value>> {
    Ok(about(project.store.layout().signed_log().read()?, wanted))
}

fn about(entries: Vec<Value>, wanted: &str) -> Vec<Value> {
    let id_of = |entry: &Value| entry["id"].as_str().unwrap_or_default().to_owned();
    let mut ids: Vec<String> =
        entries.iter().map(id_of).filter(|id| !wanted.is_empty() && id.contains(wanted)).collect();
    ids.sort();
    ids.dedup();
    if ids.iter().any(|id| id == wanted) {
        ids = vec![wanted.to_owned()];
    }
    match ids.as_slice() {
        [only] => entries.into_iter().filter(|entry| id_of(entry) == *only).collect(),
        _ => Vec::new(),
    }
}
