//! Which decisions of this machine wrote which sections of a file.

use std::collections::HashMap;

use serde_json::Value;

use crate::contract::SectionId;
use crate::error::Result;
use crate::markdown::{Outline, Section};
use crate::project::request::MemoryPath;
use crate::project::reversal::Mark;
use crate::project::store::{Layout, undo};
use crate::project::verbs::log::last_of;

/// The applied lines that name a file and were not taken back, indexed by section, so that a long log costs nothing extra.
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
            let files = entry["files"].as_array().into_iter().flatten();
            // An adopted line of another machine proves no approval here.
            entry["decision"] == "applied"
                && entry["adopted"].is_null()
                && last.is_some_and(|last| last.decision == "applied")
                && files.into_iter().any(|file| file["path"] == path.as_str())
        });
        lines.reverse();
        let undoable = undo::read(layout)?.into_iter();
        let reversals: HashMap<String, _> = undoable
            .filter_map(|each| {
                let file = each.files.into_iter().find(|file| file.path == path.as_str())?;
                Some((each.id.to_string(), file))
            })
            .collect();
        let mut writers =
            Self { lines: Vec::new(), touched: HashMap::new(), named: HashMap::new() };
        for (line, entry) in lines.iter().enumerate() {
            let reversal = entry["id"].as_str().and_then(|id| reversals.get(id));
            let parts = reversal.and_then(|reversal| reversal.touched());
            let has_parts = parts.is_some();
            for (key, after) in parts.into_iter().flatten() {
                let after = after.map(ToString::to_string);
                writers.touched.entry(key.to_owned()).or_insert((line, after));
            }
            let sections = entry["sections"].as_array().into_iter().flatten();
            for section in sections.filter(|section| section["file"] == path.as_str()) {
                let Some(id) = section["section_id"].as_str() else { continue };
                let hash = section["hash"].as_str().map(str::to_owned);
                writers.named.entry(id.to_owned()).or_default().push(NamedSection {
                    line,
                    hash,
                    has_parts,
                });
            }
        }
        Ok(Self { lines, ..writers })
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
