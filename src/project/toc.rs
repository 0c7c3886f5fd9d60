//! The table of contents: the sections of each file, their ids and first lines.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use crate::markdown::{HeadingStyle, LineEnding, Outline, Section};
use crate::project::request::MemoryPath;
use crate::project::schema::read_fields;
use crate::text::{Fences, visible};

/// Where earlier versions kept the table of contents in git, relative to the store.
pub(crate) const FORMER_PATH: &str = "index.md";

const FORMER_TOP: &str =
    "# Index\n\nWritten by agent-memory after every change; edits here do not last.\n";

const SUMMARY: usize = 100;

/// Takes out of a text what must not be repeated.
pub(crate) type Clean<'c> = dyn Fn(&str) -> Cow<'_, str> + 'c;

/// A file and its sections.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct TocFile {
    /// The file, relative to the store.
    pub path: String,
    /// Its sections, in order; a title without an id is none.
    pub sections: Vec<TocSection>,
}

/// A section of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct TocSection {
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its heading.
    pub heading: String,
    /// The level of the heading, 1 to 6.
    pub level: u8,
    /// The line of the heading, from 1.
    pub line: usize,
    /// Whether it was archived.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// The first words of its body that are no field, cut to 100 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

impl TocFile {
    /// Lists the sections of a file; `clean` takes out what must not be repeated.
    pub(crate) fn read(path: &MemoryPath, outline: &Outline<'_>, clean: &Clean<'_>) -> Self {
        let listed = outline.sections().iter();
        let listed = listed.filter(|section| {
            let is_title = section.heading.level == 1 && section.id.is_none();
            section.heading.style == HeadingStyle::Atx && !is_title
        });
        let sections = listed.map(|section| TocSection::read(section, outline, clean)).collect();
        Self { path: path.to_string(), sections }
    }

    pub(crate) fn to_markdown(&self) -> String {
        let lines: String = self.sections.iter().map(TocSection::to_line).collect();
        let lines = if lines.is_empty() { "No sections yet.\n" } else { &lines };
        format!("## {}\n\n{lines}", self.path)
    }
}

impl TocSection {
    fn read(section: &Section, outline: &Outline<'_>, clean: &Clean<'_>) -> Self {
        Self {
            id: section.id.as_ref().map(ToString::to_string),
            heading: plain(&clean(&section.heading.text)),
            level: section.heading.level,
            line: section.line,
            archived: section.archived,
            summary: summary(&clean(outline.body(section))),
        }
    }

    fn to_line(&self) -> String {
        let indent = "  ".repeat(usize::from(self.level).saturating_sub(2));
        let id = self.id.as_ref().map(|id| format!(" `{id}`")).unwrap_or_default();
        let archived = if self.archived { " (archived)" } else { "" };
        let summary = self.summary.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
        format!("{indent}- {}{id}{archived}{summary}\n", self.heading)
    }
}

/// Tells whether a text is the table of contents that earlier versions kept in git, and no person wrote into it.
pub(crate) fn is_former(text: &str) -> bool {
    let text = LineEnding::Lf.apply(text);
    let is_ours = |line: &str| {
        let begins = ["## ", "- [", "  "].iter().any(|start| line.starts_with(start));
        begins || ["", "---", "No sections yet."].contains(&line)
    };
    text.strip_prefix(FORMER_TOP).is_some_and(|rest| rest.lines().all(is_ours))
}

/// Returns the first words of a body that are no field, cut to a readable length.
fn summary(body: &str) -> Option<String> {
    let mut fences = Fences::default();
    let mut lines = body.lines().filter(|line| !fences.covers(line)).map(str::trim);
    let mut is_in_field = false;
    let first = lines.find(|line| {
        // `Date: 2026-05-04` says little in a list; `We chose it because: …` says much.
        let is_field = read_fields(line).iter().any(|field| !field.name.contains(' '));
        is_in_field = is_field || (is_in_field && !starts_a_block(line));
        !is_in_field && !line.is_empty() && !line.starts_with(['<', '|'])
    })?;
    let rest = lines.take_while(|line| !starts_a_block(line));
    let line = std::iter::once(first).chain(rest).collect::<Vec<_>>().join(" ");
    let line = line.trim_start_matches(['-', '*', '+', '>', ' ']);
    let text = match line.char_indices().nth(SUMMARY) {
        None => plain(line),
        Some((end, _)) => {
            let cut = &line[..end];
            let words = cut.rsplit_once(' ').map_or(cut, |(words, _)| words);
            format!("{}…", plain(words))
        }
    };
    (!text.is_empty()).then_some(text)
}

/// Tells whether a line belongs to no line before it.
fn starts_a_block(line: &str) -> bool {
    line.is_empty()
        || line.starts_with(['<', '|', '#'])
        || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
}

/// Takes from a text what could open a comment or a link in the table of contents.
fn plain(text: &str) -> String {
    visible(text).replace("<!--", "\\<!--").replace('[', "\\[").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let path = MemoryPath::parse("a.md").expect("a good path");
        let read = TocFile::read(&path, &Outline::read(text), &|text| Cow::Borrowed(text));
        assert_eq!(read.to_markdown(), format!("## a.md\n\n{expected}"));
    }

    #[test]
    fn a_section_has_a_line_with_its_id_and_its_first_words() {
        check(
            "# A\n\n## One\n<!-- @id: one -->\n\nWatch out.\n\n### Two\n\nDate: 2026-01-01\n\n- We do.\n",
            "- One `one`: Watch out.\n  - Two: We do.\n",
        );
        check("## One\n\n```\ncode\n```\n", "- One\n");
        check("## One\n\n`page` is\na number.\n- x\n", "- One: `page` is a number.\n");
        check("## One\n\n- **Status:** active, as\n  it was.\n\nWe do.\n", "- One: We do.\n");
    }

    #[test]
    fn a_file_without_sections_says_so() {
        check("# A\n", "No sections yet.\n");
        check("", "No sections yet.\n");
    }

    #[test]
    fn a_heading_cannot_open_a_comment() {
        check("## a <!-- b\n\n## c\n", "- a \\<!-- b\n- c\n");
    }

    #[test]
    fn a_former_file_is_known_unless_a_person_wrote_into_it() {
        let former = format!(
            "{FORMER_TOP}\n## a.md\n\n- [D](a.md)\n  `d`\n  We do.\n\n  - [E](a.md)\n\n---\n\n## b.md\n\nNo sections yet.\n\n---\n"
        );
        assert!(is_former(&former) && is_former(&former.replace('\n', "\r\n")));
        assert!(!is_former("# Index\n"));
        assert!(!is_former(&(former + "\nA word of mine.\n")));
    }
}
