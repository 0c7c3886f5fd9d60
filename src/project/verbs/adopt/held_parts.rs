//! Tells which parts of one file stand in the memory already, word for word and under the same heading.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::folders::AdoptionFolders;
use super::pieces::{Piece, PieceLines, PieceText};
use crate::contract::{FileState, SectionId};
use crate::error::Result;
use crate::markdown::{Outline, Section, resolved, split_target, with_new_targets};
use crate::project::adopt::{Wish, section_lines};
use crate::project::pack::section_place;
use crate::project::schema::Catalog;
use crate::project::store::Store;
use crate::project::store::sections::memory_files;
use crate::text::{count, excerpt};

/// How many parts are named.
const NAMED: usize = 5;

/// The level of the sections that are parts.
const PART: u8 = 2;

/// The texts of the memory that may be parts of one file, and what was found of that file.
pub(super) struct HeldParts {
    /// The path of the file, from the top of the repository.
    origin: String,
    /// By the text, in each wording.
    places: BTreeMap<String, String>,
    /// The places of the parts that were left out.
    held: Vec<String>,
    /// What the memory does not have as it is.
    lacking: Vec<String>,
}

/// A part of a text: a section of level 2 as a whole, or what stands above the next one.
struct HeldPart<'t> {
    section: Option<&'t Section>,
    bytes: Range<usize>,
}

impl HeldParts {
    /// Reads what the memory that is shared has under the headings of some texts, without its archive.
    pub(super) fn among(
        (store, catalog): (&Store, &Catalog),
        folders: &AdoptionFolders,
        (origin, texts): (String, &[&str]),
    ) -> Result<Self> {
        let (held, lacking) = (Vec::new(), Vec::new());
        let mut held_parts = Self { origin, places: BTreeMap::new(), held, lacking };
        let outlines: Vec<Outline<'_>> = texts.iter().map(|text| Outline::read(text)).collect();
        let sections = outlines.iter().flat_map(Outline::sections);
        let headings: BTreeSet<&str> = sections.map(|it| it.heading.text.as_str()).collect();
        let is_shared = |path: &str| !path.starts_with("archive/") && catalog.is_tracked(path);
        for path in memory_files(store.layout().folder())?.iter().filter(|path| is_shared(path)) {
            let FileState::Text(text) = store.read_any(path)? else { continue };
            let outline = Outline::read(&text);
            let wholes = outline.sections().iter().map(|it| (Some(it), outline.whole(it)));
            let parts = parts(&outline).into_iter().map(|part| (part.section, &text[part.bytes]));
            for (section, text) in wholes.chain(parts) {
                if section.is_some_and(|it| !headings.contains(it.heading.text.as_str())) {
                    continue;
                }
                let id = section.and_then(|it| it.id.as_ref()).map(SectionId::as_str);
                for wording in wordings(text, &folders.in_repository(path)) {
                    let place = || section_place(path, id);
                    held_parts.places.entry(wording).or_insert_with(place);
                }
            }
        }
        Ok(held_parts)
    }

    /// Cuts out of a new piece with some text what the memory has; returns nothing where that is all. Of a piece that was
    /// adopted before it only notes what the memory lacks.
    pub(super) fn without_held(
        &mut self,
        piece: Piece,
        text: &str,
        is_known: bool,
    ) -> Option<Piece> {
        if let Wish::Record { .. } = piece.wish {
            let place = self.place_of(text).filter(|_| !is_known);
            self.held.extend(place.clone());
            return place.is_none().then_some(piece);
        }
        let outline = Outline::read(text);
        let parts = parts(&outline);
        let places: Vec<Option<String>> =
            parts.iter().map(|part| self.place_of(&text[part.bytes.clone()])).collect();
        let is_left: Vec<bool> = parts
            .iter()
            .zip(&places)
            .map(|(part, place)| place.is_none() && !part.says_nothing(text))
            .collect();
        if is_known {
            self.note_lacking(&parts, &is_left);
            return Some(piece);
        }
        let of_sections = parts.iter().zip(&places).filter(|(part, _)| part.level() == PART);
        let mut found: Vec<String> = of_sections.filter_map(|(_, place)| place.clone()).collect();
        if found.is_empty() {
            found.extend(places.iter().flatten().cloned());
        }
        let is_new = found.is_empty();
        self.held.append(&mut found);
        match is_new {
            true => Some(piece),
            false if !is_left.contains(&true) => None,
            false => Some(without(piece, &outline, &cuts(text, &parts, &is_left))),
        }
    }

    fn note_lacking(&mut self, parts: &[HeldPart<'_>], is_left: &[bool]) {
        let left = parts.iter().zip(is_left).filter(|(_, is_left)| **is_left).map(|(part, _)| part);
        let first = parts.iter().position(|part| part.level() == PART).unwrap_or(parts.len());
        let (above, below): (Vec<_>, Vec<_>) = left.partition(|part| {
            parts[..first].iter().any(|above| above.bytes.start == part.bytes.start)
        });
        let below = below.iter().filter_map(|part| part.section);
        self.lacking.extend(below.map(|it| format!("`{}`", excerpt(&it.heading.text))));
        self.lacking
            .extend((!above.is_empty()).then(|| "the text above its first section".to_owned()));
    }

    /// Says of a file what was left out, and what the memory lacks.
    pub(super) fn told(&self, from: &str) -> Vec<String> {
        let mut told = Vec::new();
        if !self.held.is_empty() {
            let parts = count(self.held.len(), "section");
            let verb = if self.held.len() == 1 { "stands" } else { "stand" };
            let places = named(&self.held);
            told.push(format!("{from} ({parts} {verb} in the memory already: {places})"));
        }
        if !self.lacking.is_empty() {
            let lacking = named(&self.lacking);
            told.push(format!("{from} (not in the memory word for word: {lacking})"));
        }
        told
    }

    fn place_of(&self, text: &str) -> Option<String> {
        wordings(text, &self.origin).iter().find_map(|it| self.places.get(it)).cloned()
    }
}

impl HeldPart<'_> {
    /// Returns the level of its heading, or 0.
    fn level(&self) -> u8 {
        self.section.map_or(0, |section| section.heading.level)
    }

    /// Tells whether it is a title alone, or blank.
    fn says_nothing(&self, text: &str) -> bool {
        self.level() < PART && self.words(text).trim().is_empty()
    }

    /// Returns what stands below its heading.
    fn words<'t>(&self, text: &'t str) -> &'t str {
        let start = self.section.map_or(self.bytes.start, |section| section.body_start);
        &text[start.min(self.bytes.end)..self.bytes.end]
    }
}

fn named(all: &[String]) -> String {
    let more = all.len().saturating_sub(NAMED);
    let named = all.iter().take(NAMED).cloned();
    named.chain((more > 0).then(|| format!("{more} more"))).collect::<Vec<_>>().join(", ")
}

/// Divides a text at its headings of the first two levels.
fn parts<'t>(outline: &'t Outline<'_>) -> Vec<HeldPart<'t>> {
    let headings = outline.sections().iter().filter(|it| it.heading.level <= PART);
    let starts = headings.map(|it| (Some(it), it.heading_bytes.start));
    let starts: Vec<_> = std::iter::once((None, 0)).chain(starts).collect();
    let ends = starts.iter().skip(1).map(|(_, start)| *start);
    let ends = ends.chain(std::iter::once(outline.text().len()));
    let parts = starts.iter().zip(ends);
    parts
        .map(|((section, start), end)| HeldPart { section: *section, bytes: *start..end })
        .collect()
}

/// Returns the bytes of the parts that are not left. The heading of the first level stays where something below it does.
fn cuts(text: &str, parts: &[HeldPart<'_>], is_left: &[bool]) -> Vec<Range<usize>> {
    let mut cuts = Vec::new();
    for (number, part) in parts.iter().enumerate().filter(|(number, _)| !is_left[*number]) {
        let below = parts.iter().zip(is_left).skip(number + 1);
        let mut below = below.take_while(|(below, _)| below.level() > part.level());
        let is_title = part.level() == 1 && below.any(|(_, is_left)| *is_left);
        let words = part.words(text).trim_start().len();
        cuts.push(if is_title { part.bytes.end - words } else { part.bytes.start }..part.bytes.end);
    }
    cuts
}

/// Cuts some bytes out of a piece. The other sections cite the lines that they cited.
fn without(piece: Piece, outline: &Outline<'_>, cuts: &[Range<usize>]) -> Piece {
    let (mut text, mut copied) = (String::new(), 0);
    for cut in cuts {
        text += &outline.text()[copied..cut.start];
        copied = cut.end;
    }
    text += &outline.text()[copied..];
    let is_kept =
        |section: &Section| !cuts.iter().any(|cut| cut.contains(&section.heading_bytes.start));
    let lines = match piece.lines {
        PieceLines::AsInText => {
            let lines = section_lines(outline).into_iter().zip(outline.sections());
            let kept = lines.filter(|(_, section)| is_kept(section));
            PieceLines::Each(kept.map(|(lines, _)| lines).collect())
        }
        lines @ (PieceLines::All(_) | PieceLines::Each(_)) => lines,
    };
    Piece { text: PieceText::Changed(text), lines, ..piece }
}

/// Returns what a text of a file says, without ids and sources, as deep as it may stand: as it is written, and with the
/// paths from the top of the repository as the targets of its links, which an adoption rewrites.
fn wordings(text: &str, file: &str) -> Vec<String> {
    let outline = Outline::read(text);
    let (linked, _) = with_new_targets(&outline, |link, target| {
        let (path, rest) = split_target(target);
        resolved(file, path).filter(|_| !link.is_wiki).map(|path| path + rest)
    });
    let texts = [outline, Outline::read(&linked)];
    texts.iter().map(without_marks).filter(|text| !text.is_empty()).collect()
}

fn without_marks(outline: &Outline<'_>) -> String {
    let top = outline.sections().first().map_or(1, |it| it.heading.level);
    let mut text = outline.preamble().trim().to_owned();
    for section in outline.sections() {
        let level = (1 + section.heading.level).saturating_sub(top);
        let marks = "#".repeat(level.into());
        text += &format!("\n{marks} {}\n{}\n", section.heading.text, outline.body(section));
    }
    text.replace("\r\n", "\n")
}
