//! `rename_heading`, `archive_section` and `remove_section`.

use super::compose::{head, refuse_reserved};
use super::containment::{Added, ExpectedChange};
use super::edited::Edited;
use super::file::{EditEffect, FileEdit, TouchedPart, refuse_heading};
use super::input::Edit;
use super::merged_notes::MergedNotes;
use super::moved_text::moved_text;
use super::operation_result::OperationResult;
use super::target::locate;
use crate::markdown::{Section, archived_line};
use crate::project::request::{Answer, Reason, Refusal, Target};

impl FileEdit<'_> {
    pub(super) fn rename(
        self,
        target: &Target,
        heading: &str,
        level: Option<u8>,
    ) -> Answer<Edited> {
        let index = locate(&self.outline, target, self.edit)?;
        let section = &self.outline.sections()[index];
        let level = level.unwrap_or(section.heading.level);
        self.refuse_level(index, level)?;
        let id = self.id_of(index);
        let MergedNotes { notes, told } = self.merged_notes(index);
        let text = format!("{} {heading}\n{}", "#".repeat(level.into()), head(&id, &notes));
        let range = section.heading_bytes.start..section.body_start;
        let tail = if self.outline.text()[..range.end].ends_with('\n') { "\n" } else { "" };
        let text = self.line_ends(&(text.trim_end().to_owned() + tail));
        let added = Added::One(level, Some(id.clone()));
        let change = ExpectedChange { at: index, removed: 1, added };
        // The text below, and what it rests on, is none of its business.
        let former = format!("{} {}", section.heading.level, section.heading.text);
        let latter = format!("{level} {heading}\n{}", head(&id, self.edit.notes));
        let result = OperationResult::replacement(id.as_str(), &former, &latter);
        let touched = Some(self.touch(index, TouchedPart::Heading));
        let (edit, effects) = (self.edit, EditEffect { touched, result });
        let is_moved = level != section.heading.level;
        let edited =
            self.splice(range, &text, &change, effects).map_err(|refusal| match is_moved {
                true => refusal.at(format!("{}/new_heading_level", edit.pointer)),
                false => refusal,
            })?;
        match &edited.sections[index].heading.text {
            seen if seen == heading => Ok(Edited { warnings: told, ..edited }),
            seen => Err(refuse_heading(edit, heading, seen, "new_heading")),
        }
    }

    /// Refuses a level that is more than one away, or not above those of the sections inside.
    fn refuse_level(&self, index: usize, level: u8) -> Answer<()> {
        let (section, end) = (&self.outline.sections()[index], index + self.outline.family(index));
        let mut inner = self.outline.sections()[index + 1..end].iter();
        let (message, hint) = match inner.find(|inner| inner.heading.level <= level) {
            _ if level.abs_diff(section.heading.level) > 1 => (
                format!("level {level} is more than one away from level {}", section.heading.level),
                "move one level at a time".to_owned(),
            ),
            Some(inner) => (
                format!("level {level} is not above that of `{}` in it", inner.title()),
                "change the level of the sections in it first".to_owned(),
            ),
            None => return Ok(()),
        };
        Err(Refusal::new(Reason::ContainmentViolation, message, hint)
            .at(format!("{}/new_heading_level", self.edit.pointer)))
    }

    pub(super) fn archive(self, target: &Target, replacement: Option<&str>) -> Answer<Edited> {
        let index = locate(&self.outline, target, self.edit)?;
        let section = &self.outline.sections()[index];
        let id = self.id_of(index);
        let path = self.edit.archive;
        let heading = self.outline.text()[section.heading_bytes.clone()].trim_end();
        // Relative to the file that the pointer stands in, so that it can be followed.
        let up = "../".repeat(self.edit.path.as_str().matches('/').count());
        let pointer = format!("Archived to [{path}]({up}{path}).");
        let body = replacement.unwrap_or(&pointer).trim_matches('\n');
        refuse_reserved(body, &self.content_pointer())?;
        let marks = format!("{}{}\n", head(&id, self.edit.notes), archived_line(path.as_str()));
        let text = self.line_ends(&format!("{heading}\n{marks}\n{body}"));
        let range =
            section.heading_bytes.start..self.text_end(section.heading_bytes.start..section.end);
        let removed = self.outline.family(index);
        let added = Added::One(section.heading.level, Some(id));
        let effects = self.replaces(index, TouchedPart::Whole, &range, &text);
        let archived = Some(self.archived_text(section));
        let change = ExpectedChange { at: index, removed, added };
        Ok(Edited { archived, ..self.splice(range, &text, &change, effects)? })
    }

    /// Returns the text of a section as it stands in the archive.
    fn archived_text(&self, section: &Section) -> String {
        let Edit { path, archive, .. } = self.edit;
        let moved = moved_text(self.outline.whole(section), path.as_str(), archive.as_str());
        moved + &self.line_ends("\n")
    }

    pub(super) fn remove(self, target: &Target) -> Answer<Edited> {
        let index = locate(&self.outline, target, self.edit)?;
        let section = &self.outline.sections()[index];
        let range = section.heading_bytes.start..section.end;
        let removed = self.outline.family(index);
        let change = ExpectedChange { at: index, removed, added: Added::Nothing };
        let archived = Some(self.archived_text(section));
        let effects = self.replaces(index, TouchedPart::Whole, &range, "");
        Ok(Edited { archived, ..self.splice(range, "", &change, effects)? })
    }
}
