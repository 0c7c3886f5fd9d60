//! Cuts a memory file into pieces that make sense alone.

use std::ops::Range;

use super::receipt::{Included, LeftOut, Why};
use crate::markdown::{Outline, Section, SourceNote};
use crate::project::provenance::Freshness;
use crate::project::standing::precedence;

/// What a piece is in a pack for. Where one kind fills its share, the others come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PackShare {
    /// What rests on the changed files.
    Changes,
    /// The state of the work.
    State,
    /// The latest entries of the sessions.
    Entries,
    /// The rules, and what answers a question.
    Rest,
}

impl PackShare {
    /// How many parts of a pack that has something of each kind.
    pub(super) fn parts(self) -> usize {
        match self {
            Self::Changes | Self::State => 4,
            Self::Entries => 3,
            Self::Rest => 5,
        }
    }
}

/// A section as a whole, or the part of a file above its sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PackPiece {
    pub path: String,
    pub id: Option<String>,
    /// Its hash; none for the part of a file above its sections.
    pub hash: Option<String>,
    pub freshness: Option<Freshness>,
    /// Why it does not hold any more.
    pub outdated: Option<&'static str>,
    /// What came in its place: `path#id`.
    pub superseded_by: Option<String>,
    /// The other branch of which it is a note.
    pub branch: Option<String>,
    /// Whether it is of another store, which is only read.
    pub is_other: bool,
    pub share: PackShare,
    /// Whether it is about what the work is about.
    pub is_in_scope: bool,
    /// Whether it is in the archive, or was moved there.
    pub archived: bool,
    /// Its heading; empty for the part of a file above its sections.
    pub heading: String,
    pub text: String,
    pub sources: Vec<SourceNote>,
    /// Those of the sections inside of it.
    pub sources_inside: Vec<SourceNote>,
    /// For each source under which reference its lines stand now, if they moved; empty where that was not looked up.
    pub moved: Vec<Option<String>>,
    bytes: Range<usize>,
    body_start: usize,
    /// The lines of its text that the head above it says too: its id and its sources.
    in_head: Vec<Range<usize>>,
}

/// Names a section, or a file where it has no id.
pub(crate) fn section_place(path: &str, id: Option<&str>) -> String {
    id.map_or_else(|| path.to_owned(), |id| format!("{path}#{id}"))
}

/// Cuts a file: what stands above its sections, and each section that stands in no other but the title.
pub(crate) fn pieces(path: &str, outline: &Outline<'_>) -> Vec<PackPiece> {
    let sections = outline.sections();
    let outermost = sections
        .iter()
        .enumerate()
        .filter(|(_, section)| section.parent.is_none_or(|parent| is_title(outline, parent)));
    preamble(path, outline)
        .into_iter()
        .chain(outermost.map(|(number, _)| piece_of(path, outline, number)))
        .filter(|piece| !piece.body().trim().is_empty())
        .collect()
}

/// Returns the piece of which the heading stands on a line, counted from 1; the text above the first
/// heading for a line before that.
pub(crate) fn piece_at(path: &str, outline: &Outline<'_>, line: usize) -> Option<PackPiece> {
    match outline.sections().iter().position(|section| section.line == line) {
        Some(number) => Some(piece_of(path, outline, number)),
        None => preamble(path, outline),
    }
}

impl PackPiece {
    pub(crate) fn body(&self) -> &str {
        &self.text[self.body_start.min(self.text.len())..]
    }

    /// Returns its text without what the head above it says.
    pub(super) fn text_below_head(&self) -> String {
        let (mut text, mut copied) = (String::new(), 0);
        for line in &self.in_head {
            text += &self.text[copied..line.start];
            copied = line.end;
        }
        text + self.text[copied..].trim_end()
    }

    /// Tells whether another piece is this one or a part of it.
    pub(super) fn holds(&self, other: &PackPiece) -> bool {
        self.path == other.path
            && self.bytes.start <= other.bytes.start
            && other.bytes.end <= self.bytes.end
    }

    /// Tells whether another piece is this one.
    pub(super) fn is(&self, other: &PackPiece) -> bool {
        self.path == other.path && self.bytes == other.bytes
    }

    pub(crate) fn of_share(mut self, share: PackShare) -> Self {
        self.share = share;
        self
    }

    pub(crate) fn in_scope(mut self) -> Self {
        self.is_in_scope = true;
        self
    }

    pub(super) fn precedence(&self) -> u8 {
        precedence(!self.is_other, self.is_in_scope)
    }

    /// Returns where it is: `decisions.md#token-rotation`.
    pub(super) fn place(&self) -> String {
        section_place(&self.path, self.id.as_deref())
    }

    pub(super) fn included(&self, tokens: usize) -> Included {
        Included {
            path: self.path.clone(),
            id: self.id.clone(),
            hash: self.hash.clone(),
            freshness: self.freshness.map(Freshness::name),
            archived: self.archived,
            tokens,
        }
    }

    /// Says why it is not in a pack. A secret may stand in the id too.
    pub(crate) fn left_out(&self, why: Why) -> LeftOut {
        let id = self.id.clone().filter(|_| why != Why::Secret);
        LeftOut { path: self.path.clone(), id, why }
    }
}

/// Tells whether a section is the title of its file: what stands in it stands in the file.
fn is_title(outline: &Outline<'_>, number: usize) -> bool {
    let sections = &outline.sections()[number..];
    let holds_next = sections.get(1).is_some_and(|next| next.parent == Some(number));
    // One with an id is an entry that has the file for itself.
    sections[0].heading.level == 1 && sections[0].id.is_none() && holds_next
}

fn piece_of(path: &str, outline: &Outline<'_>, number: usize) -> PackPiece {
    let section: &Section = &outline.sections()[number];
    let start = section.heading_bytes.start;
    let (text, end, hash) = match is_title(outline, number) {
        true => (outline.own(section), section.own_end, None),
        false => (outline.whole(section), section.end, Some(outline.hash(section).to_string())),
    };
    let inner = sections_inside(outline, number, end);
    PackPiece {
        path: path.to_owned(),
        id: section.id.as_ref().map(ToString::to_string),
        hash,
        freshness: None,
        outdated: None,
        superseded_by: None,
        branch: None,
        is_other: false,
        share: PackShare::Rest,
        is_in_scope: false,
        archived: section.archived || path.starts_with("archive/"),
        heading: section.heading.text.clone(),
        text: text.to_owned(),
        sources: section.sources.clone(),
        sources_inside: inner.flat_map(|section| section.sources.clone()).collect(),
        moved: Vec::new(),
        bytes: start..end,
        body_start: section.body_start - start,
        in_head: lines_in_head(outline, number, start..end),
    }
}

fn sections_inside<'o>(
    outline: &'o Outline<'_>,
    number: usize,
    end: usize,
) -> impl Iterator<Item = &'o Section> {
    let behind = outline.sections()[number + 1..].iter();
    behind.take_while(move |section| section.heading_bytes.start < end)
}

/// Returns the lines between the heading and the body of a section, and the same sources of the sections inside of it.
fn lines_in_head(outline: &Outline<'_>, number: usize, bytes: Range<usize>) -> Vec<Range<usize>> {
    let own = &outline.sections()[number];
    let inner = sections_inside(outline, number, bytes.end);
    let is_same =
        |line: &str| SourceNote::read(line).is_some_and(|note| own.sources.contains(&note));
    let repeated = inner.flat_map(|section| {
        let mut at = section.heading_bytes.end;
        let lines = outline.text()[at..section.body_start].split_inclusive('\n');
        lines.filter_map(move |line| {
            at += line.len();
            is_same(line).then(|| at - line.len()..at)
        })
    });
    let lines = std::iter::once(own.heading_bytes.end..own.body_start).chain(repeated);
    lines.map(|line| line.start - bytes.start..line.end - bytes.start).collect()
}

fn preamble(path: &str, outline: &Outline<'_>) -> Option<PackPiece> {
    let text = outline.preamble();
    text.contains(char::is_alphanumeric).then(|| PackPiece {
        path: path.to_owned(),
        id: None,
        hash: None,
        freshness: None,
        outdated: None,
        superseded_by: None,
        branch: None,
        is_other: false,
        share: PackShare::Rest,
        is_in_scope: false,
        archived: path.starts_with("archive/"),
        heading: String::new(),
        text: text.trim_end().to_owned(),
        sources: Vec::new(),
        sources_inside: Vec::new(),
        moved: Vec::new(),
        bytes: 0..text.len(),
        body_start: 0,
        in_head: Vec::new(),
    })
}
