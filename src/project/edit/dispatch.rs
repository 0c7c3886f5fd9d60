//! Sends an operation to what does it.

use super::create::create;
use super::edited::Edited;
use super::file::FileEdit;
use super::input::Edit;
use super::section::AddedSection;
use crate::markdown::Outline;
use crate::project::request::{Action, Answer};

/// Does an operation to a file.
pub fn edit(outline: Outline<'_>, edit: &Edit<'_>) -> Answer<Edited> {
    let file = FileEdit { outline, edit };
    match edit.action {
        Action::CreateFile { content, if_exists } => {
            create(Some(file.outline), content, *if_exists, edit)
        }
        Action::AppendSection {
            heading,
            heading_level: level,
            content,
            parent_section_id: parent,
            section_id,
            if_exists,
        } => {
            let new = AddedSection { heading, level: *level, content };
            file.append_section(&new, parent.as_ref(), section_id.as_ref(), *if_exists)
        }
        Action::ReplaceSection { target, content, if_missing } => {
            file.replace_section(target, content, *if_missing)
        }
        Action::ReplaceSectionContent { target, content } => file.replace_content(target, content),
        Action::AppendToSection { target, content } => file.append_to_section(target, content),
        Action::RenameHeading { target, new_heading, new_heading_level } => {
            file.rename(target, new_heading, *new_heading_level)
        }
        Action::ArchiveSection { target, replacement, .. } => {
            file.archive(target, replacement.as_deref())
        }
        Action::RemoveSection { target, .. } => file.remove(target),
    }
}
