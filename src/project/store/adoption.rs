//! Adopts decisions that the log does not have, for a person who says that they are theirs: a log and an undo list that
//! were moved to the trash as foreign, as after a new `git init`, and lines of this log that git deleted or overwrote.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::copies::folder::Copies;
use super::layout::Layout;
use super::log::{ADOPTED, Entry};
use super::state_in_git::StateInGit;
use crate::chain::ChainLink;
use crate::contract::{ContentHash, Moment};
use crate::disk::files;
use crate::disk::key::{CODE_FIELD, Key, Purpose};
use crate::disk::step::Step;
use crate::disk::store_folder::{LOG, UNDO};
use crate::error::Result;
use crate::project::request::ProposalId;

/// What can be adopted.
#[derive(Debug)]
pub(crate) struct Adoption {
    /// The newest folder of foreign files in the trash; `None` if only lines of this machine are missing.
    folder: Option<String>,
    /// Decisions of this machine, from the copies of its logs.
    own: Vec<DatedLine>,
    /// Decisions that another machine signed.
    foreign: Vec<AdoptedLine>,
    undo: Vec<AdoptedLine>,
}

type AdoptedLine = Map<String, Value>;

/// A line with the latest time up to it in its log: a clock may be set back.
type DatedLine = (String, AdoptedLine);

/// The prefixes of the folder, before and after it is adopted.
const APART: &str = "foreign-";
const TAKEN_UP: &str = "adopted-";

impl Adoption {
    /// Returns `None` if there is nothing to adopt.
    pub(crate) fn find(layout: &Layout) -> Result<Option<Self>> {
        let own = lost(layout)?;
        let names = files::list(&layout.trash())?;
        // There may be only a journal in it.
        let has_list = |name: &String| {
            let folder = layout.trash().join(name);
            ["log.jsonl", "undo.jsonl"].iter().any(|list| files::exists(&folder.join(list)))
        };
        let names = names.into_iter().filter(has_list);
        let set_apart = names.filter_map(|name| Some((when(&name)?, name)));
        let Some((_, name)) = set_apart.max() else {
            let (foreign, undo) = (Vec::new(), Vec::new());
            let found = Self { folder: None, own, foreign, undo };
            return Ok(Some(found).filter(|found| !found.own.is_empty()));
        };
        let read = |list: &str| -> Result<Vec<AdoptedLine>> {
            // A commit may put anything there.
            let bytes = files::read(&layout.trash().join(&name).join(list)).ok().flatten();
            let bytes = bytes.unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            Ok(objects_of(text.lines()).into_iter().filter(has_name).collect())
        };
        let (mut foreign, undo) = (read("log.jsonl")?, read("undo.jsonl")?);
        foreign.retain(is_sound);
        for line in &mut foreign {
            line.insert(ADOPTED.to_owned(), true.into());
        }
        Ok(Some(Self { folder: Some(name), own, foreign, undo }))
    }

    pub(crate) fn source(&self) -> String {
        match &self.folder {
            Some(name) => format!("state/trash/{name}"),
            None => "the copies in git's folder".to_owned(),
        }
    }

    pub(crate) fn decisions(&self) -> usize {
        self.own.len() + self.foreign.len()
    }

    /// Returns what the person should check, if others may have written this.
    pub(crate) fn warning(&self, layout: &Layout) -> Option<String> {
        let look = "look at what was taken up: `agent-memory log`";
        self.folder.as_ref()?;
        match StateInGit::brought_by(layout.git()) {
            Ok(None) => None,
            Ok(Some(commit)) => Some(format!(
                "commit {commit} holds `state/`, so others may have written this; {look}"
            )),
            Err(error) => {
                Some(format!("whether a commit holds `state/` is not known ({error}); {look}"))
            }
        }
    }

    /// Returns the steps that write one signed chain: the decisions of another machine, then all of this one by time,
    /// then the adoption.
    pub(crate) fn steps(self, layout: &Layout, entry: &Entry<'_>) -> Result<Vec<Step>> {
        let key = layout.key();
        let (log, undo) = (files::read(&layout.log())?, files::read(&layout.undo())?);
        let now = |list: &Option<Vec<u8>>, purpose| {
            let text = String::from_utf8_lossy(list.as_deref().unwrap_or_default());
            objects_of(text.lines().filter(|line| key.signed_line(purpose, line.as_bytes())))
        };
        // Lost lines may be newer than the log, as when an older log replaced it.
        let mut own = [self.own, dated(now(&log, Purpose::LOG))].concat();
        own.sort_by_key(|(time, line)| (time.clone(), line.get("number").and_then(Value::as_u64)));
        let own = own.into_iter().map(|(_, line)| line);
        let chained = self.foreign.into_iter().chain(own).collect();
        let (lines, last) = chain_anew(key, chained, entry);
        let undone = [self.undo, now(&undo, Purpose::UNDO)].concat();
        let undone: String =
            undone.into_iter().map(|line| sign(key, Purpose::UNDO, line)).collect();
        let end = files::read(&layout.log_end())?;
        let write = |path: &str, before: &Option<Vec<u8>>, after: String| {
            let before = before.as_deref().map(ContentHash::of);
            Step::write_known(path, before.as_ref(), after)
        };
        let moved = self.folder.map(|name| Step::Move {
            to: layout.free(format!("state/trash/{}", name.replacen(APART, TAKEN_UP, 1))),
            from: format!("state/trash/{name}"),
            before: None,
        });
        let written = [
            write(LOG, &log, lines),
            write(UNDO, &undo, undone),
            write("state/log.end", &end, layout.signed_log().end_line(&last)),
        ];
        Ok(written.into_iter().chain(moved).collect())
    }
}

/// Counts the decisions that the log lost, as by `git clean -fdx` or by a commit that brings an older log.
pub(crate) fn lost_decisions(layout: &Layout) -> Result<usize> {
    lost(layout).map(|lines| lines.len())
}

/// Returns the decisions that are in a copy of the log and not in the log.
fn lost(layout: &Layout) -> Result<Vec<DatedLine>> {
    let Some(copies) = Copies::if_there(layout)? else { return Ok(Vec::new()) };
    let is_own = |line: &&str| layout.key().signed_line(Purpose::LOG, line.as_bytes());
    let own_lines = |log: &[u8]| objects_of(String::from_utf8_lossy(log).lines().filter(is_own));
    let now = own_lines(&files::read(&layout.log())?.unwrap_or_default());
    let mut known: BTreeSet<String> = now.iter().map(what_it_says).collect();
    let mut lost = Vec::new();
    for log in copies.logs()? {
        let lines = dated(own_lines(&log));
        lost.extend(lines.into_iter().filter(|(_, line)| known.insert(what_it_says(line))));
    }
    Ok(lost)
}

fn dated(lines: Vec<AdoptedLine>) -> Vec<DatedLine> {
    let mut latest = String::new();
    let date = |line: AdoptedLine| {
        let time = line.get("time").and_then(Value::as_str).unwrap_or_default();
        latest = latest.clone().max(time.to_owned());
        (latest.clone(), line)
    };
    lines.into_iter().map(date).collect()
}

/// Returns a line without its position and its code, to compare it.
fn what_it_says(line: &AdoptedLine) -> String {
    let is_said = |name: &&String| !["number", "prev", CODE_FIELD].contains(&name.as_str());
    let said: AdoptedLine = line
        .iter()
        .filter(|(name, _)| is_said(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    Value::Object(said).to_string()
}

/// Parses the name of a foreign folder: its time, and its number within that second.
fn when(name: &str) -> Option<(Moment, u32)> {
    let rest = name.strip_prefix(APART)?;
    let (time, number) = rest.split_once('.').unwrap_or((rest, "1"));
    Some((Moment::parse_compact(time)?, number.parse().ok()?))
}

/// Tells whether a line has a valid proposal id, or none.
fn has_name(line: &AdoptedLine) -> bool {
    line.get("id").is_none_or(|id| id.as_str().and_then(ProposalId::parse).is_some())
}

/// Tells whether a line can be one of ours; unknown fields are kept.
fn is_sound(line: &AdoptedLine) -> bool {
    let text = |name: &str| line.get(name).and_then(Value::as_str);
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    text("time").and_then(Moment::parse).is_some() && text("decision").is_some_and(is_word)
}

/// Chains the lines and a new one; returns the text and the last link.
fn chain_anew(key: &Key, lines: Vec<AdoptedLine>, entry: &Entry<'_>) -> (String, ChainLink) {
    let (mut text, mut last) = (String::new(), ChainLink::start());
    let entry = serde_json::to_value(entry).expect("an entry is plain data");
    let entry = entry.as_object().cloned().unwrap_or_default();
    for mut line in lines.into_iter().chain([entry]) {
        line.insert("number".to_owned(), (last.number + 1).into());
        line.insert("prev".to_owned(), last.hash.to_string().into());
        let line = sign(key, Purpose::LOG, line);
        last = ChainLink::of(&line).expect("it says its place");
        text += &line;
    }
    (text, last)
}

fn sign(key: &Key, purpose: Purpose, mut line: AdoptedLine) -> String {
    line.remove(CODE_FIELD);
    key.sign_line(purpose, &Value::Object(line).to_string())
}

fn objects_of<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<AdoptedLine> {
    lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
}
