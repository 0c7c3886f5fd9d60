//! Gives ids to the sections that have none.

use std::collections::BTreeMap;
use std::ops::Range;

use super::anchors::{foreign_id, id_line};
use super::line_ending::LineEnding;
use super::names::SectionIds;
use super::outline::Outline;
use super::section::{HeadingStyle, Section};
use crate::contract::SectionId;

/// Returns a text in which every section has an id, and the ids that are new; every other byte stays. The
/// title of the file gets the given one, or none, and a heading that is underlined can carry none.
pub(crate) fn with_ids(
    outline: &Outline<'_>,
    title: Option<SectionId>,
) -> (String, Vec<SectionId>) {
    let given = missing_ids(outline, title, |_| true);
    (with_these_ids(outline, &given), given.into_values().collect())
}

/// Returns the ids that a text has, and those that it is to be given where none stands, not even a foreign one.
pub(crate) fn ids_to_be(outline: &Outline<'_>) -> Vec<SectionId> {
    let has_none = |section: &Section| foreign_id_of(outline.text(), section).is_none();
    let missing = missing_ids(outline, None, has_none).into_values();
    outline.sections().iter().filter_map(|section| section.id.clone()).chain(missing).collect()
}

fn is_bare_title(first: &Section) -> bool {
    first.id.is_none() && first.heading.level == 1 && first.heading.style == HeadingStyle::Atx
}

fn missing_ids(
    outline: &Outline<'_>,
    title: Option<SectionId>,
    is_wanted: impl Fn(&Section) -> bool,
) -> BTreeMap<usize, SectionId> {
    let sections = outline.sections();
    let mut names: SectionIds = sections.iter().filter_map(|section| section.id.clone()).collect();
    let mut given = BTreeMap::new();
    let first = sections.first().filter(|first| is_bare_title(first));
    if let Some(id) = first.and(title) {
        given.insert(0, names.give(id.as_str()));
    }
    for (index, section) in sections.iter().enumerate() {
        let is_title = index == 0 && section.heading.level == 1;
        let is_underlined = section.heading.style == HeadingStyle::Setext;
        if section.id.is_none() && !is_title && !is_underlined && is_wanted(section) {
            given.insert(index, names.give(&section.heading.text));
        }
    }
    given
}

/// Returns a text in which sections, by their number, have the ids that are given; every other byte stays.
pub(crate) fn with_these_ids(outline: &Outline<'_>, ids: &BTreeMap<usize, SectionId>) -> String {
    let text = outline.text();
    let ending = LineEnding::of(text);
    let (mut written, mut copied) = (String::with_capacity(text.len()), 0);
    for (index, id) in ids {
        let behind = outline.sections()[*index].heading_bytes.end;
        written += &text[copied..behind];
        if !written.ends_with('\n') {
            written += &ending.apply("\n");
        }
        written += &ending.apply(&format!("{}\n", id_line(id)));
        copied = behind;
    }
    written + &text[copied..]
}

/// Returns the bytes of each id that stands where one belongs, and cannot be one here.
pub(crate) fn foreign_ids(outline: &Outline<'_>) -> Vec<Range<usize>> {
    let sections = outline.sections().iter().filter(|section| section.id.is_none());
    sections.filter_map(|section| foreign_id_of(outline.text(), section)).collect()
}

fn foreign_id_of(text: &str, section: &Section) -> Option<Range<usize>> {
    let body = &text[section.heading_bytes.end..section.own_end];
    let start = section.own_end - body.trim_start().len();
    let id = foreign_id(text[start..section.own_end].lines().next()?)?;
    Some(start + id.start..start + id.end)
}

/// Returns a text whose underlined headings are written with `#`, which an id can stand below, and how many they were;
/// every other byte stays. Left as they are: words of several lines, which may be a paragraph above a rule, and those
/// that would not be the same behind `#`.
pub(crate) fn with_marks(outline: &Outline<'_>) -> (String, usize) {
    let text = outline.text();
    let underlined = |section: &&Section| section.heading.style == HeadingStyle::Setext;
    let (mut written, mut copied, mut count) = (String::with_capacity(text.len()), 0, 0);
    for section in outline.sections().iter().filter(underlined) {
        let heading = &text[section.heading_bytes.clone()];
        let start = heading.len() - heading.trim_start_matches('\u{feff}').len();
        let mut lines = heading[start..].trim_end().lines();
        let (Some(words), Some(_), None) = (lines.next(), lines.next(), lines.next()) else {
            continue;
        };
        let marked = format!("{} {}", "#".repeat(section.heading.level.into()), words.trim());
        let is_same = |it: &Section| it.heading.text == section.heading.text;
        if !Outline::read(&marked).sections().iter().any(is_same) {
            continue;
        }
        let first = section.heading_bytes.start;
        written += &text[copied..first + start];
        written += &marked;
        (copied, count) = (first + heading.trim_end().len(), count + 1);
    }
    written += &text[copied..];
    (written, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str, ids: &[&str]) {
        let (written, given) = with_ids(&Outline::read(text), None);
        assert_eq!(written, expected);
        assert_eq!(given.iter().map(SectionId::as_str).collect::<Vec<_>>(), ids);
        assert_eq!(with_ids(&Outline::read(&written), None), (written.clone(), Vec::new()));
    }

    #[test]
    fn a_section_without_an_id_is_given_one() {
        check(
            "# T\n\n## A\n\ntext\n\n## A\n<!-- @id: a -->\n\n### B",
            "# T\n\n## A\n<!-- @id: a-2 -->\n\ntext\n\n## A\n<!-- @id: a -->\n\n### B\n<!-- @id: b -->\n",
            &["a-2", "b"],
        );
    }

    #[test]
    fn line_ends_stay_and_what_is_no_section_is_left_alone() {
        check("## A\r\n\r\nx\r\n", "## A\r\n<!-- @id: a -->\r\n\r\nx\r\n", &["a"]);
        let quiet = "# T\n\n```\n## no\n```\n\nTitle\n-----\n\ntext\n";
        check(quiet, quiet, &[]);
    }

    #[test]
    fn underlined_headings_are_written_with_marks() {
        let check = |text: &str, expected: &str, count: usize| {
            assert_eq!(with_marks(&Outline::read(text)), (expected.to_owned(), count));
        };
        check("Title\n=====\n\nUsage\n-----\nDo.\n", "# Title\n\n## Usage\nDo.\n", 2);
        check("\u{feff}Title\r\n=====\r\n\r\nx\r\n", "\u{feff}# Title\r\n\r\nx\r\n", 1);
        check("Two\nlines\n---\n", "Two\nlines\n---\n", 0);
        check("# A\n\n```\nB\n---\n```\n", "# A\n\n```\nB\n---\n```\n", 0);
        check("In C #\n---\n\nB\n---\n", "In C #\n---\n\n## B\n", 1);
    }
}
