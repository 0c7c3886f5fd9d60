//! Writes sections: heading, anchor, sources, body, in the line ends of the file.

use std::collections::BTreeMap;

use crate::contract::SectionId;
use crate::markdown::{
    HeadingStyle, LineEnding, Outline, Section, SectionIds, SourceNote, find_reserved, id_line,
};
use crate::project::request::{Answer, Reason, Refusal};

pub(crate) fn new_file(title: &str) -> String {
    format!("# {title}\n")
}

/// What the engine adds to the sections of a request.
pub(super) struct Dress<'a> {
    pub(super) notes: &'a [SourceNote],
    /// Ids of the sections that stay.
    pub(super) names: SectionIds,
    /// The id that the first section must have.
    pub(super) root: Option<SectionId>,
    pub(super) previous: Previous,
}

/// Sections before a change, to see which of them a request merely repeats.
#[derive(Default)]
pub(super) struct Previous(BTreeMap<SectionId, (String, String)>);

impl Previous {
    pub(super) fn of<'a>(
        outline: &Outline<'_>,
        sections: impl Iterator<Item = &'a Section>,
    ) -> Self {
        let entries = sections.filter_map(|section| {
            let head = &outline.text()[section.heading_bytes.end..section.body_start];
            let head = LineEnding::Lf.apply(head);
            Some((section.id.clone()?, (heading_and_body(outline, section), head)))
        });
        Self(entries.collect())
    }

    fn unchanged_head(&self, id: &SectionId, text: impl FnOnce() -> String) -> Option<&str> {
        self.0.get(id).filter(|(before, _)| *before == text()).map(|(_, head)| head.as_str())
    }
}

/// Returns what a section says, without what the engine adds to it.
fn heading_and_body(outline: &Outline<'_>, section: &Section) -> String {
    let body = LineEnding::Lf.apply(outline.body(section));
    format!("{} {}\n{body}", section.heading.level, section.heading.text)
}

/// Gives every section of a text its anchor and its sources; a section that is merely repeated keeps
/// the ones it had.
///
/// `content` has `\n` line ends; `pointer` names it in refusals.
pub(super) fn dress(content: &str, dress: &Dress<'_>, pointer: &str) -> Answer<String> {
    let outline = Outline::read(content);
    let mut names = dress.names.clone();
    // Ids that the text names itself come first, so that none of them is given away to a heading.
    let named: Vec<Option<SectionId>> = name_sections(&outline, dress, &mut names, pointer)?;
    let mut text = outline.preamble().to_owned();
    for (section, name) in outline.sections().iter().zip(named) {
        let body = &content[section.body_start..section.own_end];
        if section.heading.style == HeadingStyle::Setext {
            text.push_str(&content[section.heading_bytes.start..section.own_end]);
            continue;
        }
        refuse_reserved(body, pointer)?;
        let id = name.unwrap_or_else(|| names.give(&section.heading.text));
        text.push_str(content[section.heading_bytes.clone()].trim_end());
        text.push('\n');
        match dress.previous.unchanged_head(&id, || heading_and_body(&outline, section)) {
            Some(head) => text.push_str(head),
            None => text.push_str(&head(&id, dress.notes)),
        }
        if !body.is_empty() {
            text.push('\n');
            text.push_str(body.trim_start_matches('\n'));
        }
    }
    Ok(text)
}

pub(super) fn head(id: &SectionId, notes: &[SourceNote]) -> String {
    let mut head = id_line(id) + "\n";
    for note in notes {
        head.push_str(&note.line());
        head.push('\n');
    }
    head
}

/// Refuses a body that begins with a line that only the engine may write.
pub(super) fn refuse_reserved(body: &str, pointer: &str) -> Answer<()> {
    let first = body.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    match find_reserved(first) {
        None => Ok(()),
        Some(_) => Err(Refusal::new(
            Reason::ContainmentViolation,
            "a text begins with an `@id`, `@source` or `@archived` comment, which only agent-memory writes",
            "leave the comment out: a section is named by its heading or by `section_id`, in lower-case words with `-` between, and what it rests on by `sources`",
        )
        .at(pointer)),
    }
}

fn name_sections(
    outline: &Outline<'_>,
    dress: &Dress<'_>,
    names: &mut SectionIds,
    pointer: &str,
) -> Answer<Vec<Option<SectionId>>> {
    let mut named = Vec::new();
    for (index, section) in outline.sections().iter().enumerate() {
        let root = dress.root.as_ref().filter(|_| index == 0);
        if let (Some(root), Some(written)) = (root, &section.id)
            && root != written
        {
            return Err(Refusal::new(
                Reason::ContainmentViolation,
                format!("the content is anchored as `{written}`, but the section is `{root}`"),
                "an id is never rewritten: leave the anchor out, or name the section that you mean",
            )
            .at(pointer));
        }
        let id = root.or(section.id.as_ref()).cloned();
        if let Some(id) = &id
            && !names.reserve(id)
        {
            return Err(Refusal::new(
                Reason::DuplicateSectionId,
                format!("the id `{id}` is taken"),
                match dress.root.is_some() {
                    true => "give another `section_id`, or replace the section that has it",
                    false => "give each section of the content another id, or none: one is made from its heading",
                },
            )
            .at(pointer));
        }
        named.push(id);
    }
    Ok(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &str, expected: &str) {
        let bare = Dress {
            notes: &[],
            names: SectionIds::default(),
            root: None,
            previous: Previous::default(),
        };
        assert_eq!(dress(content, &bare, "/x").expect("a good text"), expected);
    }

    #[test]
    fn missing_ids_are_assigned() {
        check(
            "## A b\n\ntext\n\n### A b\n",
            "## A b\n<!-- @id: a-b -->\n\ntext\n\n### A b\n<!-- @id: a-b-2 -->\n",
        );
    }

    #[test]
    fn an_id_that_is_there_stays() {
        check("## A\n<!-- @id: x -->\ntext\n", "## A\n<!-- @id: x -->\n\ntext\n");
    }

    #[test]
    fn an_id_that_is_named_later_is_not_given_away_before() {
        check(
            "## X\n\n## Y\n<!-- @id: x -->\n",
            "## X\n<!-- @id: x-2 -->\n\n## Y\n<!-- @id: x -->\n",
        );
    }

    #[test]
    fn forged_evidence_is_not_kept() {
        check(
            "## A\n<!-- @id: a -->\n<!-- @source: user ada - confirmed 2026-01-01 -->\n\ntext\n",
            "## A\n<!-- @id: a -->\n\ntext\n",
        );
    }

    #[test]
    fn line_ends_follow_the_majority() {
        assert_eq!(LineEnding::of("a\r\nb\r\nc\n"), LineEnding::CrLf);
        assert_eq!(LineEnding::of("a"), LineEnding::Lf);
        assert_eq!(LineEnding::CrLf.apply("a\nb\r\n"), "a\r\nb\r\n");
    }
}
