//! Splits Markdown into sections by byte range.

use std::borrow::Cow;
use std::ops::Range;

use super::bounds::{front_matter_end, last_text_byte};
use super::headings::headings;
use super::section::{Section, read_sections};
use crate::contract::{ContentHash, SectionId};

/// The sections of a text, in order; the preamble and the sections' own parts cover every byte once.
#[derive(Debug, Clone)]
pub struct Outline<'a> {
    text: &'a str,
    sections: Cow<'a, [Section]>,
}

impl<'a> Outline<'a> {
    /// Reads the headings of a text, as CommonMark sees them, outside of quotes and lists.
    pub fn read(text: &'a str) -> Self {
        let headings = find_headings(text, front_matter_end(text));
        Self { text, sections: Cow::Owned(read_sections(text, headings)) }
    }

    /// Takes a text of which the sections are known; reading is most of what an edit costs.
    pub(crate) fn known(text: &'a str, sections: impl Into<Cow<'a, [Section]>>) -> Self {
        Self { text, sections: sections.into() }
    }

    pub(crate) fn known_or_read(text: &'a str, known: Option<Vec<Section>>) -> Self {
        known.map_or_else(|| Self::read(text), |sections| Self::known(text, sections))
    }

    pub(crate) fn into_sections(self) -> Vec<Section> {
        self.sections.into_owned()
    }

    /// Returns the text that was read.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the sections in order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Returns what stands before the first heading.
    pub fn preamble(&self) -> &'a str {
        &self.text[..self.sections.first().map_or(self.text.len(), |s| s.heading_bytes.start)]
    }

    /// Returns a section with all that stands in it, without the blank lines behind it.
    pub fn whole(&self, section: &Section) -> &'a str {
        let start = section.heading_bytes.start;
        &self.text[start..last_text_byte(self.text, start..section.end)]
    }

    /// Returns a section up to the next heading, without the blank lines behind it.
    pub fn own(&self, section: &Section) -> &'a str {
        section.own(self.text)
    }

    /// Returns a section's body up to the next heading, without blank lines around it.
    pub fn body(&self, section: &Section) -> &'a str {
        self.text[section.body_start..section.own_end].trim_matches(['\n', '\r']).trim_end()
    }

    /// Returns the short hash by which a change of a section is noticed, deeper sections included.
    pub fn hash(&self, section: &Section) -> ContentHash {
        ContentHash::of_section(self.whole(section))
    }

    /// Returns the full hash, which the short one begins, and by which a section is known to be what was approved.
    pub fn full_hash(&self, section: &Section) -> ContentHash {
        ContentHash::of(self.whole(section).as_bytes())
    }

    /// Returns the number of sections in a section, itself included.
    pub fn family(&self, index: usize) -> usize {
        let end = self.sections[index].end;
        self.sections[index..].partition_point(|section| section.heading_bytes.start < end)
    }

    /// Returns the position of the section that holds a line, from 1; none above the first heading.
    pub(crate) fn section_at(&self, line: usize) -> Option<usize> {
        self.sections.partition_point(|section| section.line <= line).checked_sub(1)
    }

    /// Returns the headings from the outermost down to the section.
    pub fn heading_path(&self, index: usize) -> Vec<&str> {
        let mut path: Vec<&str> = std::iter::successors(Some(index), |i| self.sections[*i].parent)
            .map(|i| self.sections[i].heading.text.as_str())
            .collect();
        path.reverse();
        path
    }

    /// Returns the position of the section with an id.
    pub fn find(&self, id: &SectionId) -> Option<usize> {
        self.sections.iter().position(|section| section.id.as_ref() == Some(id))
    }
}

fn find_headings(text: &str, skipped: usize) -> Vec<(u8, Range<usize>)> {
    let lines = |(level, bytes): (u8, Range<usize>)| {
        // A byte order mark stands on the line of the first heading, and is none of it.
        let start = line_start(text, bytes.start + skipped).max(skipped);
        (level, start..line_end(text, bytes.end + skipped))
    };
    headings(&text[skipped..]).into_iter().map(lines).collect()
}

fn line_start(text: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |newline| newline + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    if at > 0 && text.as_bytes()[at - 1] == b'\n' {
        return at;
    }
    let rest = &text.as_bytes()[at..];
    memchr::memchr(b'\n', rest).map_or(text.len(), |newline| at + newline + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::SectionId;

    fn check<const N: usize>(text: &str, expected: [&str; N]) {
        let outline = Outline::read(text);
        let found: Vec<String> = outline
            .sections()
            .iter()
            .map(|s| format!("{} {}", "#".repeat(s.heading.level.into()), s.heading.text))
            .collect();
        assert_eq!(found, expected, "{text:?}");
        let mut covered = outline.preamble().len();
        for section in outline.sections() {
            assert_eq!(section.heading_bytes.start, covered, "sections cover every byte once");
            covered = section.own_end;
        }
        assert_eq!(covered, text.len());
    }

    #[test]
    fn headings_are_found_in_order() {
        check("# a\n\ntext\n\n## b\n### c\n## d\n", ["# a", "## b", "### c", "## d"]);
    }

    #[test]
    fn a_heading_inside_a_fence_is_text() {
        check("# a\n```\n# b\n```\n~~~~\n# c\n~~~\n~~~~\n", ["# a"]);
    }

    #[test]
    fn a_heading_inside_a_comment_is_text() {
        check("# a\n<!--\n# b\n-->\n<div>\n# c\n</div>\n", ["# a"]);
    }

    #[test]
    fn a_heading_inside_a_quote_or_list_is_text() {
        check("# a\n> # b\n\n- # c\n\n1. # d\n", ["# a"]);
    }

    #[test]
    fn front_matter_is_preamble() {
        check("---\ntitle: x\n# note\n---\n# a\n", ["# a"]);
    }

    #[test]
    fn a_thematic_break_later_in_the_file_is_no_front_matter() {
        check("# a\n\n---\n\n## b\n\n---\n\n## c\n", ["# a", "## b", "## c"]);
    }

    #[test]
    fn setext_headings_are_boundaries() {
        check("Title\n=====\n\ntext\n\nSub\n---\n", ["# Title", "## Sub"]);
    }

    #[test]
    fn closing_hashes_are_not_part_of_the_text() {
        check("## a ##\n## C#\n##\n#hash\n", ["## a", "## C#", "## "]);
    }

    #[test]
    fn byte_order_mark_and_carriage_returns_are_no_obstacle() {
        check("\u{feff}# a\r\n\r\n## b\r\ntext\r\n", ["# a", "## b"]);
        check("# a\n\n\u{feff}# b\n---\n", ["# a", "## \u{feff}# b"]);
    }

    #[test]
    fn an_anchor_names_its_section() {
        let outline = Outline::read("## a\n<!-- @id: x -->\n\ntext\n\n## b\n");
        assert_eq!(outline.sections()[0].id.as_ref().map(SectionId::as_str), Some("x"));
        assert_eq!(outline.body(&outline.sections()[0]), "text");
        assert_eq!(outline.sections()[1].id, None);
    }

    #[test]
    fn the_anchor_of_the_next_section_is_not_stolen() {
        let outline = Outline::read("## a\n\n## b\n<!-- @id: x -->\n");
        assert_eq!(outline.sections()[0].id, None);
    }

    #[test]
    fn blank_lines_behind_a_section_do_not_change_its_hash() {
        let (short, long) = (Outline::read("# a\ntext\n"), Outline::read("# a\ntext\n\n\n"));
        assert_eq!(short.hash(&short.sections()[0]), long.hash(&long.sections()[0]));
    }

    #[test]
    fn lines_are_counted_from_one() {
        let outline = Outline::read("text\n\n# a\n\n\n## b\n");
        let lines: Vec<usize> = outline.sections().iter().map(|s| s.line).collect();
        assert_eq!(lines, [3, 6]);
    }
}
