//! `append_section` and `replace_section`: whole sections, heading first.

use super::edited::Edited;
use super::file::{FileEdit, Insertion, TouchedPart, ids, refuse_heading};
use crate::contract::SectionId;
use crate::project::request::{Answer, IfExists, IfMissing, Reason, Refusal, Selector, Target};

use super::containment::{Added, ExpectedChange};
use super::target::{find_parent, locate};
use crate::markdown::{HeadingStyle, LineEnding, Outline};

pub(super) struct AddedSection<'a> {
    pub(super) heading: &'a str,
    pub(super) level: u8,
    /// The body, or the whole section with its heading first.
    pub(super) content: &'a str,
}

impl FileEdit<'_> {
    pub(super) fn append_section(
        self,
        new: &AddedSection<'_>,
        parent: Option<&SectionId>,
        section_id: Option<&SectionId>,
        if_exists: IfExists,
    ) -> Answer<Edited> {
        let AddedSection { heading, level, .. } = *new;
        let full = self.with_heading(new)?;
        let written = Outline::read(&full).sections().first().and_then(|first| first.id.clone());
        let wanted = section_id.cloned().or(written);
        let id = wanted.unwrap_or_else(|| SectionId::from_heading(heading));
        let duplicate = self.outline.sections().iter().position(|section| {
            section.id.as_ref() == Some(&id)
                || (section.id.is_none()
                    && section.heading.style == HeadingStyle::Atx
                    && section.heading.level == level
                    && section.heading.text == heading)
        });
        let id = match (duplicate, if_exists) {
            (None, IfExists::Reject | IfExists::Suffix | IfExists::Replace) => id,
            (Some(index), IfExists::Replace) => {
                self.refuse_other_level(index, level)?;
                return self.replace_at(index, &full);
            }
            (Some(_), IfExists::Suffix) => ids(&self.outline, 0..0).give(id.as_str()),
            (Some(index), IfExists::Reject) => return Err(self.refuse_twin(index)),
        };
        let (position, at) = match parent {
            None => self.end_of_file(level, "heading_level")?,
            Some(parent) => find_parent(&self.outline, parent, level, self.edit)?,
        };
        let dressed = self.dress(&full, at..at, Some(id.clone()))?;
        let place = Insertion { position, at, parent: parent.cloned() };
        self.insert(place, &dressed, Added::Family(level, Some(id)))
    }

    fn refuse_other_level(&self, index: usize, level: u8) -> Answer<()> {
        let there = self.outline.sections()[index].heading.level;
        if there == level {
            return Ok(());
        }
        let message = format!("the section that is there has level {there}, not {level}");
        let hint = format!("set `heading_level` to {there}; `rename_heading` changes levels");
        Err(Refusal::new(Reason::InvalidOperation, message, hint)
            .at(format!("{}/heading_level", self.edit.pointer)))
    }

    /// Returns where a section of a level goes at the end of the file, unless that is inside an entry; `field` is
    /// the field that gives the level.
    pub(super) fn end_of_file(&self, level: u8, field: &str) -> Answer<(usize, usize)> {
        let sections = self.outline.sections();
        let last = sections.len().checked_sub(1);
        let outer = std::iter::successors(last, |number| sections[*number].parent)
            .map(|number| &sections[number])
            .find(|section| section.heading.level < level);
        match outer.filter(|outer| outer.heading.level > 1) {
            None => Ok((self.outline.text().len(), sections.len())),
            Some(outer) => Err(Refusal::new(
                Reason::InvalidOperation,
                format!(
                    "a section of level {level} at the end of the file would stand in `{}`",
                    outer.title()
                ),
                match field {
                    "heading_level" => "name it as `parent_section_id` if that is meant, or give a higher `heading_level`",
                    _ => "use `append_section` with `parent_section_id` if that is meant, or begin with a higher heading",
                },
            )
            .at(format!("{}/{field}", self.edit.pointer))),
        }
    }

    pub(super) fn replace_section(
        self,
        target: &Target,
        content: &str,
        missing: IfMissing,
    ) -> Answer<Edited> {
        let content = LineEnding::Lf.apply(content).trim_matches('\n').to_owned();
        match (locate(&self.outline, target, self.edit), missing) {
            (Ok(index), IfMissing::Reject | IfMissing::Append) => self.replace_at(index, &content),
            (Err(refusal), IfMissing::Append) if refusal.reason == Reason::SectionNotFound => {
                let at = self.outline.sections().len();
                let level = self.first_heading(&content)?;
                let id = match &target.selector {
                    Selector::Id(id) => Some(id.clone()),
                    Selector::Heading { .. } => None,
                };
                let (position, _) = self.end_of_file(level, "content")?;
                let dressed = self.dress(&content, at..at, id.clone())?;
                let place = Insertion { position, at, parent: None };
                self.insert(place, &dressed, Added::Family(level, id))
            }
            (Err(refusal), IfMissing::Reject | IfMissing::Append) => Err(refusal),
        }
    }

    fn replace_at(self, index: usize, content: &str) -> Answer<Edited> {
        let section = &self.outline.sections()[index];
        let level = section.heading.level;
        let found = self.first_heading(content)?;
        if found != level {
            return Err(Refusal::new(
                Reason::ContainmentViolation,
                format!("the content begins with a heading of level {found}, the section has level {level}"),
                format!("begin with {} and the heading; `rename_heading` changes levels", "#".repeat(level.into())),
            )
            .at(self.content_pointer()));
        }
        let family = index..index + self.outline.family(index);
        let dressed = self.dress(content, family.clone(), section.id.clone())?;
        let range =
            section.heading_bytes.start..self.text_end(section.heading_bytes.start..section.end);
        let change = ExpectedChange {
            at: index,
            removed: family.len(),
            added: Added::Family(level, section.id.clone()),
        };
        let text = self.line_ends(dressed.trim_end_matches('\n'));
        let effects = self.replaces(index, TouchedPart::Whole, &range, &text);
        self.splice(range, &text, &change, effects)
    }

    /// Returns the content of an `append_section` with its heading first, given with it or without.
    fn with_heading(&self, new: &AddedSection<'_>) -> Answer<String> {
        let AddedSection { heading, level, content } = *new;
        let content = LineEnding::Lf.apply(content).trim_matches('\n').to_owned();
        let repeats = Outline::read(&content).sections().first().is_some_and(|first| {
            first.heading_bytes.start == 0
                && first.heading.style == HeadingStyle::Atx
                && (first.heading.level, first.heading.text.as_str()) == (level, heading)
        });
        let full = match repeats {
            true => content,
            false => format!("{} {heading}\n\n{content}\n", "#".repeat(level.into())),
        };
        let outline = Outline::read(&full);
        let seen = outline.sections().first().map_or("", |first| first.heading.text.as_str());
        match seen == heading {
            true => Ok(full),
            false => Err(refuse_heading(self.edit, heading, seen, "heading")),
        }
    }

    fn first_heading(&self, content: &str) -> Answer<u8> {
        let outline = Outline::read(content);
        match outline.sections().first() {
            Some(first) if first.heading_bytes.start == 0 && first.heading.style == HeadingStyle::Atx => {
                Ok(first.heading.level)
            }
            _ => Err(Refusal::new(
                Reason::InvalidMarkdown,
                "the content does not begin with a heading",
                "begin with `## ` and the heading, or use `replace_section_content` for the body alone",
            )
            .at(self.content_pointer())),
        }
    }

    fn refuse_twin(&self, index: usize) -> Box<Refusal> {
        let duplicate = &self.outline.sections()[index];
        Refusal::new(
            Reason::DuplicateSectionId,
            format!(
                "`{}` has a section `{}` already, on line {}",
                self.edit.path,
                duplicate.title(),
                duplicate.line
            ),
            "add to it with `append_to_section`, give another `section_id`, or set `if_exists` to `suffix` or `replace`",
        )
        .at(format!("{}/section_id", self.edit.pointer))
    }
}
