//! A section: a heading and what follows it, as places in a text.

use std::ops::Range;

use super::anchors::{SectionHead, SourceNote, read_head};
use super::bounds::{BYTE_ORDER_MARK, last_text_byte};
use crate::contract::SectionId;
use crate::text::composed;

/// A heading and all that follows up to the next heading of the same or a higher level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The heading.
    pub heading: Heading,
    /// The id in the anchor, if there is one.
    pub id: Option<SectionId>,
    /// The evidence below the anchor.
    pub sources: Vec<SourceNote>,
    /// Whether the body was moved to the archive.
    pub archived: bool,
    /// Line of the heading, from 1.
    pub line: usize,
    /// Number of the section that this one stands in.
    pub parent: Option<usize>,
    /// Bytes of the heading with its line end.
    pub heading_bytes: Range<usize>,
    /// Where the body begins: behind anchor and sources.
    pub body_start: usize,
    /// Where the next heading begins.
    pub own_end: usize,
    /// Where the next heading of the same or a higher level begins.
    pub end: usize,
    /// Bytes of the anchor line, if there is one.
    pub(crate) anchor_bytes: Option<Range<usize>>,
}

impl Section {
    /// Returns the id, or the heading where there is none.
    pub fn title(&self) -> &str {
        self.id.as_ref().map_or(&self.heading.text, SectionId::as_str)
    }

    pub(crate) fn own<'a>(&self, text: &'a str) -> &'a str {
        let start = self.heading_bytes.start;
        &text[start..last_text_byte(text, start..self.own_end)]
    }
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// The text without marks and surrounding blanks, composed (NFC): however an editor spells `ü`, the heading is the
    /// same.
    pub text: String,
    /// How it is written.
    pub style: HeadingStyle,
}

/// How a heading is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeadingStyle {
    /// `## Title`
    Atx,
    /// `Title` over a line of `=` or `-`: a boundary, never a target.
    Setext,
}

pub(super) fn read_sections(text: &str, headings: Vec<(u8, Range<usize>)>) -> Vec<Section> {
    let mut sections = Vec::with_capacity(headings.len());
    let (mut line, mut counted) = (1, 0);
    for (level, bytes) in headings {
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..bytes.start]).count();
        counted = bytes.start;
        sections.push(read_section(text, level, bytes, line));
    }
    close(&mut sections, text.len());
    sections
}

fn read_section(text: &str, level: u8, heading_bytes: Range<usize>, line: usize) -> Section {
    let written = &text[heading_bytes.clone()];
    // Elsewhere in a file it is text, before which `#` means nothing.
    let behind_mark = written.strip_prefix(BYTE_ORDER_MARK).filter(|_| heading_bytes.start == 0);
    let written = behind_mark.unwrap_or(written);
    let (style, words) = read_heading(written);
    let words = composed(words).into_owned();
    let head = match style {
        HeadingStyle::Atx => read_head(text, heading_bytes.end),
        HeadingStyle::Setext => SectionHead { end: heading_bytes.end, ..Default::default() },
    };
    let (id, anchor_bytes) = head.anchor.unzip();
    Section {
        heading: Heading { level, text: words, style },
        id,
        sources: head.sources,
        archived: head.archived,
        line,
        parent: None,
        body_start: head.end,
        own_end: 0,
        end: 0,
        heading_bytes,
        anchor_bytes,
    }
}

fn read_heading(written: &str) -> (HeadingStyle, &str) {
    let line = written.trim();
    if !line.starts_with('#') {
        let words = line.rsplit_once('\n').map_or(line, |(words, _)| words);
        return (HeadingStyle::Setext, words.trim());
    }
    let words = line.trim_start_matches('#').trim();
    // A closing run of `#` counts only behind a blank: `## C#` is about C#.
    let without = words.trim_end_matches('#');
    let closed = without.is_empty() || without.ends_with([' ', '\t']);
    (HeadingStyle::Atx, if closed { without.trim_end() } else { words })
}

/// Gives every section its ends and its parent, now that all headings are known.
fn close(sections: &mut [Section], text_end: usize) {
    let mut open: Vec<usize> = Vec::new();
    for index in 0..sections.len() {
        let start = sections[index].heading_bytes.start;
        if index > 0 {
            sections[index - 1].own_end = start;
        }
        while let Some(&outer) = open.last() {
            if sections[outer].heading.level < sections[index].heading.level {
                break;
            }
            sections[outer].end = start;
            open.pop();
        }
        sections[index].parent = open.last().copied();
        open.push(index);
    }
    if let Some(last) = sections.last_mut() {
        last.own_end = text_end;
    }
    for index in open {
        sections[index].end = text_end;
    }
    for section in sections.iter_mut() {
        // Comment lines may not reach into what follows: an anchor skips blank lines, never a heading.
        section.body_start = section.body_start.min(section.own_end);
    }
}
