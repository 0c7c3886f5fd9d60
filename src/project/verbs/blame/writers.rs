//! Which decisions of this machine wrote which sections of a file.

use std::collections::HashMap;

use serde_json::Value;

use super::trail::Trail;
use crate::contract::SectionId;
use crate::error::Result;
use crate::markdown::{Outline, Section};
use crate::project::request::MemoryPath;
use crate::project::reversal::Mark;
use crate::project::store::Layout;
use crate::project::store::undo::{self, Undoable};
use crate::project::verbs::log::last_of;

/// The applied lines that name a file and were not taken back, indexed by section, so that a long log costs nothing extra.
#[derive(Default)]
pub(super) struct SectionWriters {
    /// Newest first.
    lines: Vec<Value>,
    /// By section key: the newest line that touched it, where the parts are known, and the hash that it left.
    touched: HashMap<String, (usize, Option<String>)>,
    /// By section id: the lines that name it.
    named: HashMap<String, Vec<NamedSection>>,
}

struct NamedSection {
    line: usize,
    /// The hash of the section with its subsections; none where the line removed it.
    hash: Option<String>,
    /// Whether `touched` knows more.
    has_parts: bool,
}

#[derive(Clone, Copy)]
pub(super) struct SectionWriter<'w> {
    line: usize,
    pub(super) entry: &'w Value,
    pub(super) is_as_left: bool,
}

impl SectionWriters {
    pub(super) fn of(layout: &Layout, path: &MemoryPath) -> Result<Self> {
        let mut lines = layout.signed_log().read()?;
        let last = last_of(&lines);
        lines.retain(|entry| {
            let last = entry["id"].as_str().and_then(|id| last.get(id));
            // An adopted line of another machine proves no approval here.
            entry["decision"] == "applied"
                && entry["adopted"].is_null()
                && last.is_some_and(|last| last.decision == "applied")
        });
        lines.reverse();
        let undoable = undo::read(layout)?;
        let undoable = undoable.iter().map(|each| (each.id.as_str(), each));
        let undoable: HashMap<&str, &Undoable> = undoable.collect();
        let mut writers =
            Self { lines: Vec::new(), touched: HashMap::new(), named: HashMap::new() };
        let mut trail = Trail::of(path);
        for entry in lines {
            let id = entry["id"].as_str().unwrap_or_default();
            let undoable = undoable.get(id).copied();
            match trail.is_moved_by(&entry) {
                true => trail.follow(&entry, undoable),
                false if trail.touches(&entry) => writers.add(entry, undoable, &trail),
                false => {}
            }
        }
        Ok(writers)
    }

    /// Adds the next older line, which names the file of the trail.
    fn add(&mut self, entry: Value, undoable: Option<&Undoable>, trail: &Trail) {
        let line = self.lines.len();
        let parts = undoable.and_then(|each| trail.reversal_in(each)?.touched());
        let has_parts = parts.is_some();
        for (key, after) in parts.into_iter().flatten() {
            let after = after.map(|after| trail.as_moved(key, after.to_string()));
            self.touched.entry(key.to_owned()).or_insert((line, after));
        }
        let sections = entry["sections"].as_array().into_iter().flatten();
        for section in sections.filter(|section| section["file"] == trail.path.as_str()) {
            let Some(id) = section["section_id"].as_str() else { continue };
            let hash = section["hash"].as_str().map(str::to_owned);
            let named = self.named.entry(id.to_owned()).or_default();
            named.push(NamedSection { line, hash, has_parts });
        }
        self.lines.push(entry);
    }

    /// Finds the last decision that wrote a section. None wrote a section that a newer one removed and that is there again.
    pub(super) fn last(
        &self,
        outline: &Outline<'_>,
        section: &Section,
        mark: &Mark,
    ) -> Option<SectionWriter<'_>> {
        let touched = self.touched.get(&mark.key).map(|(line, after)| (*line, after, true));
        let mut named = self.named_by(section.id.as_ref());
        let named = named.find(|each| !each.has_parts).map(|each| (each.line, &each.hash, false));
        let last = touched.into_iter().chain(named).min_by_key(|(line, ..)| *line);
        let (line, after, is_own) = last?;
        let now = || match is_own {
            true => mark.hash.to_string(),
            false => outline.full_hash(section).to_string(),
        };
        let is_as_left = *after.as_ref()? == now();
        Some(SectionWriter { line, entry: &self.lines[line], is_as_left })
    }

    /// Returns the log lines of the decisions that wrote a section before its last writer, newest first.
    pub(super) fn before(
        &self,
        id: &SectionId,
        last: SectionWriter<'_>,
    ) -> impl Iterator<Item = &Value> {
        let earlier = self.named_by(Some(id)).filter(move |each| each.line > last.line);
        earlier.filter(|each| each.hash.is_some()).map(|each| &self.lines[each.line])
    }

    fn named_by(&self, id: Option<&SectionId>) -> impl Iterator<Item = &NamedSection> {
        id.and_then(|id| self.named.get(id.as_str())).into_iter().flatten()
    }
}
