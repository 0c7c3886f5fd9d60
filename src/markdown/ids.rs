//! Gives ids to the sections that have none.

use super::anchors::id_line;
use super::compose::LineEnding;
use super::names::Names;
use super::outline::Outline;
use super::section::{HeadingStyle, Section};
use crate::contract::SectionId;

/// Returns a text in which every section has an id, and the ids that are new; every other byte stays. The
/// title of the file needs none, and a heading that is underlined can carry none.
pub fn with_ids(outline: &Outline<'_>) -> (String, Vec<SectionId>) {
    let text = outline.text();
    let sections = outline.sections();
    let mut names: Names = sections.iter().filter_map(|section| section.id.clone()).collect();
    let ending = LineEnding::of(text);
    let (mut written, mut given, mut copied) = (String::with_capacity(text.len()), Vec::new(), 0);
    for (index, section) in sections.iter().enumerate() {
        let is_title = index == 0 && section.heading.level == 1;
        let is_underlined = section.heading.style == HeadingStyle::Setext;
        if section.id.is_some() || is_title || is_underlined {
            continue;
        }
        let id = names.give(&section.heading.text);
        let behind = section.heading_bytes.end;
        written += &text[copied..behind];
        if !written.ends_with('\n') {
            written += &ending.apply("\n");
        }
        written += &ending.apply(&format!("{}\n", id_line(&id)));
        given.push(id);
        copied = behind;
    }
    written += &text[copied..];
    (written, given)
}

/// Returns a text whose underlined headings are written with `#`, which an id can stand below, and how many they were;
/// every other byte stays.
pub fn with_marks(outline: &Outline<'_>) -> (String, usize) {
    let text = outline.text();
    let underlined = |section: &&Section| section.heading.style == HeadingStyle::Setext;
    let (mut written, mut copied, mut count) = (String::with_capacity(text.len()), 0, 0);
    for section in outline.sections().iter().filter(underlined) {
        let heading = &text[section.heading_bytes.clone()];
        let words = heading.trim_start_matches('\u{feff}').trim_end().lines().map(str::trim);
        let words: Vec<&str> = words.collect();
        let Some((_, words)) = words.split_last() else { continue };
        let start = section.heading_bytes.start + heading.len()
            - heading.trim_start_matches('\u{feff}').len();
        let end = section.heading_bytes.start + heading.trim_end().len();
        written += &text[copied..start];
        written += &format!("{} {}", "#".repeat(section.heading.level.into()), words.join(" "));
        (copied, count) = (end, count + 1);
    }
    written += &text[copied..];
    // Words that end in a blank and `#` would lose it.
    let headings = |outline: &Outline<'_>| -> Vec<(u8, Vec<String>)> {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let headings = outline.sections().iter().map(|section| &section.heading);
        headings.map(|heading| (heading.level, words(&heading.text))).collect()
    };
    match headings(&Outline::read(&written)) == headings(outline) {
        true => (written, count),
        false => (text.to_owned(), 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str, ids: &[&str]) {
        let (written, given) = with_ids(&Outline::read(text));
        assert_eq!(written, expected);
        assert_eq!(given.iter().map(SectionId::as_str).collect::<Vec<_>>(), ids);
        assert_eq!(with_ids(&Outline::read(&written)), (written.clone(), Vec::new()));
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
        check("Two\nlines\n---", "## Two lines", 1);
        check("# A\n\n```\nB\n---\n```\n", "# A\n\n```\nB\n---\n```\n", 0);
        check("In C #\n---\n", "In C #\n---\n", 0);
    }
}
