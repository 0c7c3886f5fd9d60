//! Reads and writes the comment lines below a heading: the id, the sources, the archive mark.

use std::ops::Range;

use crate::contract::{Confidence, SectionId, SourceType, is_date};

/// One piece of evidence as it stands below an anchor:
/// `<!-- @source: file src/auth.rs 9f3c2e1a4b5c confirmed 2026-11-20 -->`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceNote {
    pub kind: SourceType,
    pub reference: String,
    /// First 12 hex digits of the cited file's git blob id when it was cited.
    pub blob: Option<String>,
    pub confidence: Confidence,
    pub date: String,
}

impl SourceNote {
    pub fn line(&self) -> String {
        let blob = self.blob.as_deref().unwrap_or("-");
        let Self { kind, reference, confidence, date, .. } = self;
        format!("<!-- @source: {kind} {reference} {blob} {confidence} {date} -->")
    }

    /// Tells whether both are about one source.
    pub fn has_source_of(&self, other: &Self) -> bool {
        (self.kind, &self.reference) == (other.kind, &other.reference)
    }

    pub fn read(line: &str) -> Option<Self> {
        match read_mark(line.trim())? {
            SectionMark::Source(note) => Some(note),
            SectionMark::Id(_) | SectionMark::Archived => None,
        }
    }

    fn parse(value: &str) -> Option<Self> {
        let (kind, rest) = value.split_once(' ')?;
        // The reference may hold blanks, so the last three words are taken from the end.
        let mut words = rest.rsplitn(4, ' ');
        let (date, confidence, blob) = (words.next()?, words.next()?, words.next()?);
        let reference = words.next()?.trim();
        Some(Self {
            kind: SourceType::parse(kind)?,
            reference: reference.to_owned(),
            blob: (blob != "-").then(|| blob.to_owned()),
            confidence: Confidence::parse(confidence)?,
            date: is_date(date).then(|| date.to_owned())?,
        })
    }
}

/// What stands between a heading and the body of its section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SectionHead {
    /// The id and the bytes of its line.
    pub(super) anchor: Option<(SectionId, Range<usize>)>,
    pub(super) sources: Vec<SourceNote>,
    pub(super) archived: bool,
    /// Where the body begins: behind the last comment line.
    pub(super) end: usize,
}

/// Reads the comment lines that begin at `start`, right behind a heading.
///
/// Blank lines before the anchor are skipped: formatters put one between a heading and a comment, and
/// an id that a formatter can take away would be no identity.
pub(super) fn read_head(text: &str, start: usize) -> SectionHead {
    let mut head = SectionHead { end: start, ..SectionHead::default() };
    let mut position = start;
    for line in text[start..].split_inclusive('\n') {
        let range = position..position + line.len();
        position = range.end;
        if line.trim().is_empty() && head.anchor.is_none() {
            continue;
        }
        match read_mark(line.trim()) {
            Some(SectionMark::Id(id)) if head.anchor.is_none() => {
                head.anchor = Some((id, range.clone()))
            }
            Some(SectionMark::Source(note)) if head.anchor.is_some() => head.sources.push(note),
            Some(SectionMark::Archived) if head.anchor.is_some() => head.archived = true,
            Some(SectionMark::Id(_) | SectionMark::Source(_) | SectionMark::Archived) | None => {
                break;
            }
        }
        head.end = range.end;
    }
    head
}

pub(crate) fn id_line(id: &SectionId) -> String {
    format!("<!-- @id: {id} -->")
}

/// Finds the id in an anchor line that holds none of ours.
pub(super) fn foreign_id(line: &str) -> Option<Range<usize>> {
    let inner = line.trim_end().strip_prefix("<!--")?.strip_suffix("-->")?;
    let value = inner.trim_start().strip_prefix("@id:")?;
    let start = "<!--".len() + inner.len() - value.trim_start().len();
    let id = value.trim();
    let is_foreign = !id.is_empty() && !id.contains("-->") && SectionId::parse(id).is_none();
    is_foreign.then(|| start..start + id.len())
}

pub(crate) fn archived_line(archive: &str) -> String {
    format!("<!-- @archived: {archive} -->")
}

/// Finds the first line that looks like one of ours but stands where only the engine may write.
pub(crate) fn find_reserved(body: &str) -> Option<&str> {
    body.lines().map(str::trim).find(|line| {
        line.strip_prefix("<!--").is_some_and(|rest| {
            let rest = rest.trim_start();
            ["@id:", "@source:", "@archived:"].iter().any(|mark| rest.starts_with(mark))
        })
    })
}

/// Tells whether a line is one of these comments and nothing else, with no more words than it needs.
pub(super) fn is_section_comment(line: &str) -> bool {
    let is_one = line.find("-->").is_some_and(|end| end + "-->".len() == line.len());
    is_one
        && match read_mark(line) {
            Some(SectionMark::Id(_) | SectionMark::Source(_)) => true,
            // Anything is read as the name of an archive.
            Some(SectionMark::Archived) => line.split_whitespace().count() <= 4,
            None => false,
        }
}

enum SectionMark {
    Id(SectionId),
    Source(SourceNote),
    Archived,
}

fn read_mark(line: &str) -> Option<SectionMark> {
    let inner = line.strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    let (name, value) = inner.strip_prefix('@')?.split_once(':')?;
    let value = value.trim();
    match name {
        "id" => SectionId::parse(value).map(SectionMark::Id),
        "source" => SourceNote::parse(value).map(SectionMark::Source),
        "archived" => Some(SectionMark::Archived),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, id: Option<&str>, sources: usize, body: &str) {
        let head = read_head(text, 0);
        assert_eq!(head.anchor.as_ref().map(|(id, _)| id.as_str()), id, "{text:?}");
        assert_eq!((head.sources.len(), &text[head.end..]), (sources, body), "{text:?}");
    }

    #[test]
    fn the_anchor_and_its_sources_are_read() {
        check(
            "<!-- @id: a-b -->\n<!-- @source: file src/a.rs 9f3c2e1a4b5c confirmed 2026-11-20 -->\n\nbody\n",
            Some("a-b"),
            1,
            "\nbody\n",
        );
    }

    #[test]
    fn a_blank_line_before_the_anchor_does_not_hide_it() {
        check("\r\n<!-- @id: a -->\r\nbody", Some("a"), 0, "body");
    }

    #[test]
    fn other_comments_are_body() {
        check("<!-- todo -->\n", None, 0, "<!-- todo -->\n");
        check("<!-- @id: Not Kebab -->\n", None, 0, "<!-- @id: Not Kebab -->\n");
        check("text\n<!-- @id: a -->\n", None, 0, "text\n<!-- @id: a -->\n");
    }

    #[test]
    fn a_reference_may_hold_blanks() {
        let note = SourceNote::parse("user Ada Lovelace - confirmed 2026-11-20").expect("a note");
        assert_eq!(note.reference, "Ada Lovelace");
        assert_eq!(SourceNote::parse("user Ada - sure 2026-11-20"), None);
        assert_eq!(note.line(), "<!-- @source: user Ada Lovelace - confirmed 2026-11-20 -->");
    }
}
