//! A file while one operation is done to it: places are found, bytes are spliced.

use std::ops::Range;

use super::compose::{Dress, Previous, dress};
use super::containment::{Added, Checked, ExpectedChange, check};
use super::edited::Edited;
use super::input::Edit;
use super::operation_result::OperationResult;
use super::section_traits::{HeadingAbove, Namesakes, SectionTraits};
use super::touched_section::{BuildsOn, SectionName, TouchedSection, hash};
use crate::contract::SectionId;
use crate::markdown::{
    Heading, LineEnding, Outline, Section, SectionIds, SourceNote, last_text_byte,
};
use crate::project::request::{Answer, OperationKind, Reason, Refusal};

pub(super) struct FileEdit<'a> {
    pub(super) outline: Outline<'a>,
    pub(super) edit: &'a Edit<'a>,
}

/// What an operation builds on, and what comes of it.
pub(super) struct EditEffect {
    pub(super) touched: Option<TouchedSection>,
    pub(super) result: OperationResult,
}

/// Where a new section goes.
pub(super) struct Insertion {
    /// The byte.
    pub(super) position: usize,
    /// The number of the section that it will be.
    pub(super) at: usize,
    /// The section at the end of which it is added; none for the file.
    pub(super) parent: Option<SectionId>,
}

/// The part of a section that an operation builds on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TouchedPart {
    Presence,
    Heading,
    Body,
    Whole,
}

impl FileEdit<'_> {
    /// Puts sections between others, with one blank line on either side.
    pub(super) fn insert(self, place: Insertion, text: &str, added: Added) -> Answer<Edited> {
        let Insertion { position, at, parent } = place;
        let before = &self.outline.text()[..position];
        let lines = before.strip_suffix('\n').map(|rest| rest.strip_suffix('\r').unwrap_or(rest));
        let gap = match lines {
            _ if before.trim_start_matches('\u{feff}').is_empty() => "",
            None => "\n\n",
            Some(rest) if rest.is_empty() || rest.ends_with('\n') => "",
            Some(_) => "\n",
        };
        let end = if position < self.outline.text().len() { "\n\n" } else { "\n" };
        let text = format!("{gap}{}{end}", text.trim_end_matches('\n'));
        let change = ExpectedChange { at, removed: 0, added };
        let text = self.line_ends(&text);
        let result = OperationResult::addition(parent.as_ref().map_or("", |it| it.as_str()), &text);
        self.splice(position..position, &text, &change, EditEffect { touched: None, result })
    }

    /// Replaces some bytes, if all sections but those of the change stay as they are.
    pub(super) fn splice(
        self,
        range: Range<usize>,
        replacement: &str,
        change: &ExpectedChange,
        EditEffect { touched, result }: EditEffect,
    ) -> Answer<Edited> {
        let before = self.outline.text();
        let text = [&before[..range.start], replacement, &before[range.end..]].concat();
        let pointer = self.content_pointer();
        let Checked { written, sections } = check(&self.outline, &text, change, &pointer)?;
        let effect = match (self.edit.action.kind(), change.removed) {
            (OperationKind::AppendSection, 1..) => OperationKind::ReplaceSection,
            (OperationKind::ReplaceSection | OperationKind::CreateFile, 0) => {
                OperationKind::AppendSection
            }
            (kind, _) => kind,
        };
        let (archived, warnings) = (None, Vec::new());
        Ok(Edited { text, sections, touched, result, effect, written, archived, warnings })
    }

    pub(super) fn dress(
        &self,
        text: &str,
        replaced: Range<usize>,
        root: Option<SectionId>,
    ) -> Answer<String> {
        let previous =
            Previous::of(&self.outline, self.outline.sections()[replaced.clone()].iter());
        let names = ids(&self.outline, replaced);
        dress(
            text,
            &Dress { notes: self.edit.notes, names, root, previous },
            &self.content_pointer(),
        )
    }

    pub(super) fn id_of(&self, index: usize) -> SectionId {
        let section = &self.outline.sections()[index];
        section.id.clone().unwrap_or_else(|| ids(&self.outline, 0..0).give(&section.heading.text))
    }

    /// Returns what an operation means that puts a text in the place of some bytes of a section.
    pub(super) fn replaces(
        &self,
        index: usize,
        part: TouchedPart,
        range: &Range<usize>,
        text: &str,
    ) -> EditEffect {
        let title = self.outline.sections()[index].title();
        let result = OperationResult::replacement(title, &self.outline.text()[range.clone()], text);
        EditEffect { touched: Some(self.touch(index, part)), result }
    }

    pub(super) fn touch(&self, index: usize, part: TouchedPart) -> TouchedSection {
        let section = &self.outline.sections()[index];
        let builds_on = match part {
            TouchedPart::Presence if section.archived => BuildsOn::ArchivedPresence,
            TouchedPart::Presence => BuildsOn::Presence,
            TouchedPart::Heading => {
                let Heading { level, text, .. } = &section.heading;
                BuildsOn::Heading(hash(&format!("{level} {text}")))
            }
            TouchedPart::Body => BuildsOn::Body(hash(self.outline.body(section))),
            TouchedPart::Whole => BuildsOn::Whole(hash(self.outline.whole(section))),
        };
        let title = section.title().to_owned();
        let name = if section.id.is_some() { SectionName::Id } else { SectionName::Heading };
        let (file, level) = (self.edit.path.to_string(), section.heading.level);
        let sources = self.cited_too(section);
        let traits = Some(self.traits(index));
        TouchedSection { file, section: name(title), builds_on, traits, sources, level }
    }

    /// Returns the notes of a section on sources that the operation cites too.
    fn cited_too(&self, section: &Section) -> Vec<String> {
        let is_cited =
            |old: &&SourceNote| self.edit.notes.iter().any(|new| self.edit.replaces(new, old));
        section.sources.iter().filter(is_cited).map(SourceNote::line).collect()
    }

    fn traits(&self, index: usize) -> SectionTraits {
        let sections = self.outline.sections();
        let section = &sections[index];
        let above = self.above(index).map(|above| HeadingAbove {
            heading: hash(&above.heading.text),
            id: above.id.as_ref().map(ToString::to_string),
        });
        let (above, text) = (above.collect(), hash(self.outline.body(section)));
        SectionTraits { above, text, namesakes: self.namesakes(index) }
    }

    /// Returns the sections in which a section stands, the nearest first.
    fn above(&self, index: usize) -> impl Iterator<Item = &Section> {
        let sections = self.outline.sections();
        let above = std::iter::successors(sections[index].parent, |above| sections[*above].parent);
        above.map(|above| &sections[above])
    }

    fn namesakes(&self, index: usize) -> Namesakes {
        let sections = self.outline.sections();
        let words_above = |index| self.above(index).map(|above| &above.heading.text);
        let is_namesake =
            |other: &usize| *other != index && sections[*other].heading == sections[index].heading;
        let others: Vec<usize> = (0..sections.len()).filter(is_namesake).collect();
        match others.iter().any(|other| words_above(*other).eq(words_above(index))) {
            true => Namesakes::Beside,
            false if others.is_empty() => Namesakes::None,
            false => Namesakes::Elsewhere,
        }
    }

    pub(super) fn line_ends(&self, text: &str) -> String {
        LineEnding::of(self.outline.text()).apply(text)
    }

    pub(super) fn text_end(&self, range: Range<usize>) -> usize {
        last_text_byte(self.outline.text(), range)
    }

    pub(super) fn content_pointer(&self) -> String {
        format!("{}/{}", self.edit.pointer, self.edit.action.content_field())
    }
}

pub(super) fn refuse_heading(
    edit: &Edit<'_>,
    heading: &str,
    seen: &str,
    field: &str,
) -> Box<Refusal> {
    Refusal::new(
        Reason::InvalidMarkdown,
        format!("`{heading}` would be read as the heading `{seen}`"),
        "give the heading as one line of text, without leading or closing `#`",
    )
    .at(format!("{}/{field}", edit.pointer))
}

pub(super) fn ids(outline: &Outline<'_>, except: Range<usize>) -> SectionIds {
    let kept = outline.sections().iter().enumerate().filter(|(index, _)| !except.contains(index));
    kept.filter_map(|(_, section)| section.id.clone()).collect()
}
