//! Tells which parts of one file stand in the memory already, word for word and under the same heading.

use std::collections::{BTreeMap, BTreeSet};

use super::pieces::{Piece, PieceLines, PieceText};
use crate::contract::{FileState, SectionId};
use crate::error::Result;
use crate::markdown::{Outline, Section, shifted, with_marks};
use crate::project::adopt::{Wish, likeness, section_lines};
use crate::project::pack::section_place;
use crate::project::schema::Catalog;
use crate::project::store::Store;
use crate::project::store::sections::memory_files;
use crate::text::{count, excerpt};

/// How many parts are named.
const NAMED: usize = 5;

/// The level of the parts; what stands above the first of them is the head of a text.
const PART: u8 = 2;

/// The texts of the memory that may be parts of one file, and what was found of that file.
pub(super) struct HeldParts<'a> {
    catalog: &'a Catalog,
    /// By what a text is known by.
    places: BTreeMap<String, String>,
    /// The places of the parts that were left out.
    held: Vec<String>,
    /// What the memory does not have as it is.
    lacking: Vec<String>,
}

impl<'a> HeldParts<'a> {
    /// Reads what the memory, without its archive, has under the headings of some texts.
    pub(super) fn among(store: &Store, catalog: &'a Catalog, texts: &[&str]) -> Result<Self> {
        let (held, lacking) = (Vec::new(), Vec::new());
        let mut parts = Self { catalog, places: BTreeMap::new(), held, lacking };
        let outlines: Vec<Outline<'_>> = texts.iter().map(|text| Outline::read(text)).collect();
        let sections = outlines.iter().flat_map(Outline::sections);
        let headings: BTreeSet<&str> = sections.map(|it| it.heading.text.as_str()).collect();
        let paths = memory_files(store.layout().folder())?;
        for path in paths.iter().filter(|path| !path.starts_with("archive/")) {
            let FileState::Text(text) = store.read_any(path)? else { continue };
            let outline = Outline::read(&text);
            let known = outline.sections().iter();
            let known = known.filter(|it| headings.contains(it.heading.text.as_str()));
            let known = known.map(|it| (outline.whole(it), it.id.as_ref().map(SectionId::as_str)));
            for (text, id) in known.chain([(head(&outline), None)]) {
                let like = parts.likeness(text);
                parts.places.entry(like).or_insert_with(|| section_place(path, id));
            }
        }
        Ok(parts)
    }

    /// Leaves out of a new piece with some text what the memory has; returns nothing where that is all. Of a piece that was
    /// adopted before it only notes what the memory lacks.
    pub(super) fn without_held(
        &mut self,
        piece: Piece,
        text: &str,
        is_known: bool,
    ) -> Option<Piece> {
        if let Wish::Record { .. } = piece.wish {
            let place = self.place_of(text).filter(|_| !is_known).cloned();
            self.held.extend(place.clone());
            return place.is_none().then_some(piece);
        }
        let outline = Outline::read(text);
        let parts = outline.sections().iter().filter(|it| it.heading.level == PART);
        let (held, lacking): (Vec<&Section>, Vec<&Section>) =
            parts.partition(|part| self.place_of(outline.whole(part)).is_some());
        let is_head_held = is_title(head(&outline)) || self.place_of(head(&outline)).is_some();
        if is_known || (lacking.is_empty() && !held.is_empty()) {
            let named = lacking.iter().map(|it| format!("`{}`", excerpt(&it.heading.text)));
            self.lacking.extend(named);
            self.lacking.extend((!is_head_held).then(|| "the text above its first section".into()));
        }
        if is_known {
            return Some(piece);
        }
        let mut places: Vec<String> =
            held.iter().filter_map(|it| self.place_of(outline.whole(it))).cloned().collect();
        if places.is_empty() && lacking.is_empty() {
            places.extend(self.place_of(head(&outline)).cloned());
        }
        let left = match (places.is_empty(), lacking.is_empty()) {
            (true, _) => Some(piece),
            (false, true) => None,
            (false, false) => Some(with_parts(piece, &outline, &lacking, is_head_held)),
        };
        self.held.append(&mut places);
        left
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

    fn place_of(&self, text: &str) -> Option<&String> {
        self.places.get(&self.likeness(text))
    }

    /// Returns what a text is known by, as deep as it may stand.
    fn likeness(&self, text: &str) -> String {
        let (text, _) = with_marks(&Outline::read(text));
        let level = Outline::read(&text).sections().first().map_or(1, |it| it.heading.level);
        let up = 1 - i8::try_from(level).unwrap_or(1);
        likeness(&shifted(&text, up), self.catalog)
    }
}

fn named(all: &[String]) -> String {
    let more = all.len().saturating_sub(NAMED);
    let named = all.iter().take(NAMED).cloned();
    named.chain((more > 0).then(|| format!("{more} more"))).collect::<Vec<_>>().join(", ")
}

/// Returns a piece with some of its parts only, and without the words of its head where they are held.
fn with_parts(
    piece: Piece,
    outline: &Outline<'_>,
    parts: &[&Section],
    is_head_held: bool,
) -> Piece {
    let above = head(outline);
    let titles = || outline.sections().iter().filter(|it| it.heading.level < PART);
    let kept = match is_head_held {
        true => titles().map(|it| format!("# {}\n\n", it.heading.text)).collect(),
        false => above.to_owned(),
    };
    let texts: Vec<&str> = parts.iter().map(|part| outline.whole(part)).collect();
    let is_kept = |section: &Section| {
        let start = section.heading_bytes.start;
        start < above.len()
            || parts.iter().any(|it| (it.heading_bytes.start..it.end).contains(&start))
    };
    let lines = section_lines(outline).into_iter().zip(outline.sections());
    let lines = lines.filter(|(_, section)| is_kept(section)).map(|(lines, _)| lines).collect();
    let text = PieceText::Changed(format!("{kept}{}\n", texts.join("\n\n")));
    Piece { text, lines: PieceLines::Each(lines), ..piece }
}

/// Returns what stands above the first part.
fn head<'t>(outline: &Outline<'t>) -> &'t str {
    let text = outline.text();
    let first = outline.sections().iter().find(|section| section.heading.level == PART);
    text[..first.map_or(text.len(), |section| section.heading_bytes.start)].trim_end()
}

/// Tells whether a head says no more than a title.
fn is_title(head: &str) -> bool {
    let outline = Outline::read(head);
    let is_bare = |section: &Section| outline.body(section).trim().is_empty();
    outline.preamble().trim().is_empty() && outline.sections().iter().all(is_bare)
}
