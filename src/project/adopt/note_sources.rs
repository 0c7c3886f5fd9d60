//! Gives the entries of a note that name no source the original as their evidence.

use std::collections::BTreeMap;

use crate::contract::{Confidence, SectionId, SourceType};
use crate::markdown::{LineEnding, Outline, Section, SourceNote};
use crate::project::provenance::cited_file;

/// The sources of the sections of a note in the store.
pub(crate) type StoredSources = BTreeMap<SectionId, Vec<SourceNote>>;

/// The original file of a note.
#[derive(Debug, Clone)]
pub(crate) struct OriginalFile {
    /// Relative to the folder that the store is in.
    pub path: String,
    pub blob: Option<String>,
    /// The day of the adoption.
    pub day: String,
}

/// Returns the sources of all sections of a text in the store.
pub(crate) fn stored_sources(outline: &Outline<'_>) -> StoredSources {
    let sections = outline.sections().iter();
    sections.filter_map(|it| Some((it.id.clone()?, it.sources.clone()))).collect()
}

/// Returns the first and the last line of each section, from 1.
pub(crate) fn section_lines(outline: &Outline<'_>) -> Vec<(usize, usize)> {
    let lines = |section: &Section| {
        let lines = outline.text()[section.heading_bytes.start..section.end].trim_end().lines();
        (section.line, section.line + lines.count().max(1) - 1)
    };
    outline.sections().iter().map(lines).collect()
}

impl OriginalFile {
    /// Returns the source that names some of its lines; nothing where its name cannot stand in one.
    fn source(&self, (first, last): (usize, usize)) -> Option<SourceNote> {
        let note = SourceNote {
            kind: SourceType::File,
            reference: format!("{}:{first}-{last}", self.path),
            blob: self.blob.clone(),
            confidence: Confidence::UserProvided,
            date: self.day.clone(),
        };
        let is_read = SourceNote::read(&note.line()).as_ref() == Some(&note);
        let is_cited = cited_file(&note.reference).is_some_and(|cited| cited.path == self.path);
        (is_read && is_cited && !self.path.contains("-->")).then_some(note)
    }
}

/// Returns a text in which each entry of a level that names no source has those that the store has for it, else the
/// original. `lines` are those of each section in the original.
pub(crate) fn with_sources(
    outline: &Outline<'_>,
    level: u8,
    stored: &StoredSources,
    original: Option<&OriginalFile>,
    lines: &[(usize, usize)],
) -> String {
    let text = outline.text();
    let ending = LineEnding::of(text);
    let (mut written, mut copied) = (String::with_capacity(text.len()), 0);
    for (index, section) in outline.sections().iter().enumerate() {
        let family = &outline.sections()[index..index + outline.family(index)];
        let has_own = family.iter().any(|it| !it.sources.is_empty());
        let is_entry = section.heading.level == level && !section.archived;
        let (Some(id), true) = (&section.id, is_entry && !has_own) else { continue };
        let new = || Some(vec![original?.source(*lines.get(index)?)?]);
        let known = stored.get(id).filter(|sources| !sources.is_empty());
        for source in known.cloned().or_else(new).unwrap_or_default() {
            written += &text[copied..section.body_start];
            copied = section.body_start;
            if !written.ends_with('\n') {
                written += &ending.apply("\n");
            }
            written += &ending.apply(&format!("{}\n", source.line()));
        }
    }
    written + &text[copied..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn original() -> OriginalFile {
        let (path, day) = ("docs/a.md".to_owned(), "2026-11-20".to_owned());
        OriginalFile { path, blob: Some("9f3c2e1a4b5c".to_owned()), day }
    }

    const NOTE: &str = "# A\n\n## B\n<!-- @id: b -->\n\nx\n\n### Deep\n\n## C\n<!-- @id: c -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\ny\n";

    #[test]
    fn an_entry_without_a_source_names_its_lines_in_the_original() {
        let outline = Outline::read(NOTE);
        let lines = section_lines(&outline);
        assert_eq!(lines, [(1, 14), (3, 8), (8, 8), (10, 14)]);
        let text = with_sources(&outline, 2, &StoredSources::new(), Some(&original()), &lines);
        let line = "<!-- @id: b -->\n<!-- @source: file docs/a.md:3-8 9f3c2e1a4b5c user-provided 2026-11-20 -->\n";
        assert_eq!(text, NOTE.replace("<!-- @id: b -->\n", line));
    }

    #[test]
    fn what_the_store_names_stays() {
        let outline = Outline::read(NOTE);
        let there = NOTE.replace(
            "<!-- @id: b -->\n",
            "<!-- @id: b -->\n<!-- @source: user bo - confirmed 2026-11-20 -->\n",
        );
        let stored = stored_sources(&Outline::read(&there));
        let lines = section_lines(&outline);
        assert_eq!(with_sources(&outline, 2, &stored, Some(&original()), &lines), there);
    }

    #[test]
    fn a_name_that_would_end_the_comment_is_no_source() {
        let original = OriginalFile { path: "a --> b.md".to_owned(), ..original() };
        let outline = Outline::read(NOTE);
        let lines = section_lines(&outline);
        let text = with_sources(&outline, 2, &StoredSources::new(), Some(&original), &lines);
        assert_eq!(text, NOTE);
    }
}
