//! Works out what the index is to hold of the sections of a file.

use std::collections::HashMap;

use super::dates::{day_in, in_words};
use super::entries::{SectionEntry, entries};
use super::source_notes::{SOURCED, write_sources};
use super::standing_notes::StandingNote;
use crate::contract::{SectionId, Sha256Digest};
use crate::index::{Document, DocumentDraft, KnownDocument, KnownDocuments};
use crate::markdown::Outline;
use crate::project::schema::read_fields;
use crate::project::standing::SaidStanding;
use crate::project::store::other_stores::sources_seen_from_here;
use crate::secrets::Scanner;
use crate::text::within_bytes;

/// A file, and what its sections are read with.
#[derive(Debug, Clone, Copy)]
pub(super) struct SectionFile<'a> {
    /// Relative to its store.
    pub(super) path: &'a str,
    /// What the ids of another store begin with in the index; empty for ours.
    pub(super) scope: &'a str,
    pub(super) outline: &'a Outline<'a>,
    /// Whether it is read beside the store.
    pub(super) is_read: bool,
    /// Whether its sections follow one another in time.
    pub(super) is_log: bool,
    pub(super) scanner: &'a Scanner,
}

/// A section, once it is known whether it may be shown.
struct FoundSection {
    key: Sha256Digest,
    known: Option<KnownDocument>,
    withheld: bool,
}

const WITHHELD: &str = "[withheld]";

const NEIGHBOURS: [isize; 4] = [-2, -1, 1, 2];

const NEIGHBOUR_BYTES: usize = 2 * 1024;

/// Returns the sections of a file as documents. One that is known is neither scanned nor written again.
pub(super) fn documents(file: &SectionFile<'_>, known: &mut KnownDocuments) -> Vec<DocumentDraft> {
    let entries = entries(file.outline);
    let neighbours = if file.is_log { siblings(&entries) } else { vec![[None; 4]; entries.len()] };
    // The headings down to each section, as they may be shown.
    let mut titles: Vec<Vec<&str>> = Vec::with_capacity(entries.len());
    let mut standings = standings(&entries);
    let mut found = Vec::with_capacity(entries.len());
    for (at, (entry, near)) in entries.iter().zip(&neighbours).enumerate() {
        let mut path = entry.parent.map(|parent| titles[parent].clone()).unwrap_or_default();
        standings[at].withhold_words(path.contains(&WITHHELD));
        let note = standings[at].write();
        let above: Vec<&str> = path.iter().copied().chain([note.as_str()]).collect();
        let key = entry.key(&above, near.map(|other| other.map(|at| &entries[at])));
        let known = known.remove(&key);
        let withheld = match &known {
            Some(known) => known.withheld,
            None => !file.scanner.scan(entry.own).is_empty(),
        };
        path.push(if withheld { WITHHELD } else { entry.heading });
        titles.push(path);
        found.push(FoundSection { key, known, withheld });
    }
    let shown: Vec<bool> = found.iter().map(|section| !section.withheld).collect();
    let draft = |(at, FoundSection { key, known, withheld }): (usize, FoundSection)| {
        let entry = &entries[at];
        let line = entry.line;
        match known {
            Some(known) => {
                let hash = if withheld { String::new() } else { entry.hash.to_string() };
                DocumentDraft::Kept { known, line, hash }
            }
            None if withheld => DocumentDraft::Withheld { key, line },
            None => {
                let near = neighbours[at]
                    .map(|other| other.filter(|at| shown[*at]).map(|at| &entries[at]));
                let document = file.document(entry, &titles[at], (near, &standings[at]));
                DocumentDraft::New(Box::new(Document { key, ..document }))
            }
        }
    };
    found.into_iter().enumerate().map(draft).collect()
}

/// Returns how each section stands: a part of what does not hold any more does not hold either.
fn standings(entries: &[SectionEntry<'_>]) -> Vec<StandingNote> {
    let of_file = StandingNote::of(said_of_file(entries), &StandingNote::default(), None);
    let mut standings: Vec<StandingNote> = Vec::with_capacity(entries.len());
    for entry in entries {
        let above = entry.parent.map_or(&of_file, |parent| &standings[parent]);
        let above_id = entry.parent.and_then(|parent| entries[parent].section_id);
        let said = SaidStanding::of_fields(entry.body);
        standings.push(StandingNote::of(said, above, above_id.map(SectionId::as_str)));
    }
    standings
}

/// Returns what a file says of all its sections: above them, or in one that is called `Status`.
fn said_of_file(entries: &[SectionEntry<'_>]) -> SaidStanding {
    let of_file = entries.iter().map(|entry| {
        SaidStanding::of_file_in(entry.heading.trim().is_empty(), entry.heading, entry.body)
    });
    SaidStanding {
        superseded: Vec::new(),
        ..of_file.fold(SaidStanding::default(), SaidStanding::or)
    }
}

/// Returns the neighbours of each entry among those that stand in the same section.
fn siblings(entries: &[SectionEntry<'_>]) -> Vec<[Option<usize>; NEIGHBOURS.len()]> {
    let mut families: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    let mut place = Vec::with_capacity(entries.len());
    for (position, entry) in entries.iter().enumerate() {
        let family = families.entry(entry.parent).or_default();
        place.push(family.len());
        family.push(position);
    }
    let near = |(entry, place): (&SectionEntry<'_>, &usize)| {
        NEIGHBOURS.map(|distance| {
            let other = place.checked_add_signed(distance)?;
            families[&entry.parent].get(other).copied()
        })
    };
    entries.iter().zip(&place).map(near).collect()
}

impl SectionFile<'_> {
    /// Returns the document of a section, without its key.
    fn document(
        &self,
        entry: &SectionEntry<'_>,
        titles: &[&str],
        (near, standing): ([Option<&SectionEntry<'_>>; NEIGHBOURS.len()], &StandingNote),
    ) -> Document {
        let id = entry.section_id.map(SectionId::as_str);
        let day = self.day_of(entry, titles);
        let date = day.as_deref().filter(|_| self.is_log).map(in_words).unwrap_or_default();
        let words = id.unwrap_or_default();
        let names = format!("{} {words}\n{date}", self.path.trim_end_matches(".md"));
        let mut flags: Vec<_> = entry.sources.iter().map(|note| note.confidence.name()).collect();
        flags.extend((!flags.is_empty()).then_some(SOURCED));
        let [first, second, third, fourth] = near.map(|other| other.map_or(String::new(), nearby));
        Document {
            line: entry.line,
            hash: entry.hash.to_string(),
            name: id.map(|id| format!("{}{id}", self.scope)),
            titles: titles.iter().map(|title| (*title).to_owned()).collect(),
            names,
            body: entry.body.to_owned(),
            before: format!("{first}\n{second}"),
            after: format!("{third}\n{fourth}"),
            day,
            archived: entry.archived || self.path.starts_with("archive/"),
            flags,
            // What was approved is superseded by what was approved, and not by what is only read.
            replaces: !self.is_read && !standing.said.superseded.is_empty(),
            note: standing.write() + &self.write_sources(entry),
            ..Document::default()
        }
    }

    fn write_sources(&self, entry: &SectionEntry<'_>) -> String {
        match self.scope.is_empty() {
            true => write_sources(entry.sources),
            false => write_sources(&sources_seen_from_here(entry.sources)),
        }
    }

    /// Returns the day that a section is about, or on which it was last written.
    fn day_of(&self, entry: &SectionEntry<'_>, titles: &[&str]) -> Option<String> {
        let said = || read_fields(entry.body).into_iter().find(|field| field.name == "Date");
        titles
            .iter()
            .rev()
            .find_map(|title| day_in(title))
            .or_else(|| day_in(self.path))
            .map(str::to_owned)
            .or_else(|| said().and_then(|field| day_in(field.value).map(str::to_owned)))
            .or_else(|| entry.sources.iter().map(|source| source.date.clone()).max())
    }
}

/// Returns what those beside a section are found by.
fn nearby(entry: &SectionEntry<'_>) -> String {
    format!("{}\n{}", entry.heading, within_bytes(entry.body, NEIGHBOUR_BYTES))
}
