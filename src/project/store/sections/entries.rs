//! Splits a file into what the index keeps of it: one entry for each section, with its own text only.

use crate::contract::{ContentHash, SectionId, Sha256Digest};
use crate::markdown::{Outline, Section, SourceNote};

/// A section, or the text before the first one, before the secret scan.
#[derive(Debug)]
pub(super) struct SectionEntry<'a> {
    /// All of its own text, i.e. what has to be free of secrets.
    pub(super) own: &'a str,
    /// Its own text without heading and comment lines.
    pub(super) body: &'a str,
    /// The heading; empty for the text before the first section.
    pub(super) heading: &'a str,
    pub(super) parent: Option<usize>,
    pub(super) section_id: Option<&'a SectionId>,
    pub(super) sources: &'a [SourceNote],
    pub(super) archived: bool,
    pub(super) line: u32,
    /// Identifies the text with all that stands in the section.
    pub(super) hash: ContentHash,
    own_digest: Sha256Digest,
}

pub(super) fn entries<'a>(outline: &'a Outline<'a>) -> Vec<SectionEntry<'a>> {
    let preamble = read_preamble(outline.preamble());
    let offset = usize::from(preamble.is_some());
    let sections = outline.sections().iter().map(|section| SectionEntry {
        parent: section.parent.map(|parent| parent + offset),
        ..read_section(outline, section)
    });
    preamble.into_iter().chain(sections).collect()
}

impl SectionEntry<'_> {
    /// Returns what changes when the entry has to be indexed again, as when a heading above changes.
    pub(super) fn key<const N: usize>(
        &self,
        above: &[&str],
        near: [Option<&Self>; N],
    ) -> Sha256Digest {
        // No line of text holds this character.
        let outer = ContentHash::digest(above.join("\u{1f}").as_bytes());
        let near = near.map(|other| other.map_or([0; 32], |other| other.own_digest));
        let all = [self.own_digest, outer].into_iter().chain(near);
        ContentHash::digest(&all.flatten().collect::<Vec<u8>>())
    }
}

fn read_preamble(text: &str) -> Option<SectionEntry<'_>> {
    text.contains(char::is_alphanumeric).then(|| SectionEntry {
        own: text,
        own_digest: ContentHash::digest(text.as_bytes()),
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

fn read_section<'a>(outline: &'a Outline<'a>, section: &'a Section) -> SectionEntry<'a> {
    let (own, whole) = (outline.own(section), outline.whole(section));
    let own_digest = ContentHash::digest(own.as_bytes());
    let is_all = own.len() == whole.len();
    let digest = if is_all { own_digest } else { ContentHash::digest(whole.as_bytes()) };
    SectionEntry {
        own,
        own_digest,
        body: outline.body(section),
        heading: &section.heading.text,
        parent: None,
        section_id: section.id.as_ref(),
        sources: &section.sources,
        archived: section.archived,
        line: u32::try_from(section.line).expect("a file has less than 16 Mi lines"),
        hash: ContentHash::short(&digest),
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

    /// Returns the keys of entries between the two beside them.
    fn keys(text: &str) -> Vec<Sha256Digest> {
        let outline = Outline::read(text);
        let entries = entries(&outline);
        let beside = |at: usize| at.checked_sub(1).and_then(|at| entries.get(at));
        let near = |at| [beside(at), entries.get(at + 1)];
        entries.iter().enumerate().map(|(at, entry)| entry.key(&[], near(at))).collect()
    }

    #[test]
    fn a_key_changes_with_what_stands_beside() {
        let middle = |text| keys(text)[1];
        let key = middle("# a\n# b\n# c\n");
        assert_eq!(middle("# a\n# b\n# c\n# d\n"), key);
        for other in ["# c\n# b\n# a\n", "# a\n# b\n", "# c\n# b\n# c\n", "# a\n# b.\n# c\n"] {
            assert_ne!(middle(other), key, "{other:?}");
        }
    }

    #[test]
    fn what_is_equal_around_a_section_still_tells_it_apart() {
        let [first, second, third] = keys("# a\n# a\n# a\n")[..] else { panic!("three") };
        assert!(first != second && second != third && first != third);
        let outline = Outline::read("# a\n");
        let entry = &entries(&outline)[0];
        assert_ne!(entry.key(&["1"], [Some(entry)]), entry.key(&["2"], [Some(entry)]));
        assert_ne!(entry.key(&["1"], [Some(entry)]), entry.key(&["1"], [None]));
    }

    #[test]
    fn a_parent_is_found_behind_a_preamble() {
        let outline = Outline::read("word\n\n# a\n## b\n");
        assert_eq!(entries(&outline)[2].parent, Some(1));
    }
}
