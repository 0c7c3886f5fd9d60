//! Splits a file into what the index keeps of it: one entry for each section, with its own text only.

use crate::contract::{ContentHash, SectionId};
use crate::markdown::{Outline, Section, SourceNote};

/// A section, or the text before the first one, before anybody has looked for secrets in it.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    /// All of its own text, i.e. what has to be free of secrets.
    pub(super) own: &'a str,
    /// Its own text without heading and comment lines.
    pub(super) body: &'a str,
    /// The heading; empty for the text before the first section.
    pub(super) heading: &'a str,
    /// Position of the entry that it stands in.
    pub(super) parent: Option<usize>,
    pub(super) section_id: Option<&'a SectionId>,
    pub(super) sources: &'a [SourceNote],
    pub(super) archived: bool,
    pub(super) line: u32,
    /// Identifies the text with all that stands in the section.
    pub(super) hash: ContentHash,
    /// Identifies its own text.
    own_number: u64,
}

/// Bits by which a number is turned for each that is added to it: no two of a few come to lie in the same place.
const TURN: u32 = 11;

/// Stands between the headings of a heading path; no line of text holds it.
pub(super) const HEADING_JOINT: char = '\u{1f}';

/// Returns the entries of a file in order.
pub(super) fn entries<'a>(outline: &'a Outline<'a>) -> Vec<Entry<'a>> {
    let preamble = read_preamble(outline.preamble());
    let offset = usize::from(preamble.is_some());
    let sections = outline.sections().iter().map(|section| Entry {
        parent: section.parent.map(|parent| parent + offset),
        ..read_section(outline, section)
    });
    preamble.into_iter().chain(sections).collect()
}

impl Entry<'_> {
    /// Returns a number that changes when the entry has to be indexed anew; `outer` is the number of the headings above.
    pub(super) fn key<const N: usize>(&self, outer: u64, near: [Option<&Self>; N]) -> i64 {
        let near = near.map(|other| other.map_or(0, |other| other.own_number));
        let others = near.into_iter().chain([outer]);
        // All are parts of hashes: in turned places they stay as far apart as another hash would set them.
        others.fold(self.own_number, |all, other| all.rotate_left(TURN) ^ other).cast_signed()
    }
}

/// Returns a number that identifies a text.
pub(super) fn number_of(text: &str) -> u64 {
    number(&ContentHash::of_section(text))
}

fn number(hash: &ContentHash) -> u64 {
    u64::from_str_radix(hash.as_str(), 16).expect("the hash of a section is 16 hex digits")
}

fn read_preamble(text: &str) -> Option<Entry<'_>> {
    text.contains(char::is_alphanumeric).then(|| Entry {
        own: text,
        own_number: number_of(text),
        body: text.trim(),
        heading: "",
        parent: None,
        section_id: None,
        sources: &[],
        archived: false,
        line: 1,
        hash: ContentHash::of_section(text.trim_end()),
    })
}

fn read_section<'a>(outline: &'a Outline<'a>, section: &'a Section) -> Entry<'a> {
    let (own, hash) = (outline.own(section), outline.hash(section));
    let is_all = own == outline.whole(section);
    Entry {
        own,
        own_number: if is_all { number(&hash) } else { number_of(own) },
        body: outline.body(section),
        heading: &section.heading.text,
        parent: None,
        section_id: section.id.as_ref(),
        sources: &section.sources,
        archived: section.archived,
        line: u32::try_from(section.line).expect("a file has less than 16 Mi lines"),
        hash,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>(text: &str, expected: [(u32, &str, &str); N]) {
        let outline = Outline::read(text);
        let entries = entries(&outline);
        let found: Vec<_> = entries.iter().map(|e| (e.line, e.heading, e.body)).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn a_section_has_its_own_text_only() {
        check("# a\none\n## b\ntwo\n", [(1, "a", "one"), (3, "b", "two")]);
    }

    #[test]
    fn the_text_before_the_first_section_counts_if_there_is_any() {
        check("word\n\n# a\n", [(1, "", "word"), (3, "a", "")]);
        check("\n---\n\n# a\n", [(4, "a", "")]);
    }

    #[test]
    fn a_parent_is_found_behind_a_preamble() {
        let outline = Outline::read("word\n\n# a\n## b\n");
        assert_eq!(entries(&outline)[2].parent, Some(1));
    }
}
