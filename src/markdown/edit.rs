//! Turns one operation and the text of a file into the text afterwards.

mod body;
mod create;
mod retire;
mod section;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::SourceNote;
use super::compose::{Dress, LineEnding, Previous, dress};
use super::containment::{Added, Change, Checked, check};
use super::names::Names;
use super::outline::{Outline, last_text_byte};
use super::section::Section;
use crate::contract::{
    Action, Answer, ContentHash, MemoryPath, OperationKind, Reason, Refusal, SectionId,
};

pub use create::create;
pub(crate) use create::titled;

/// One operation, with what the engine adds to it.
#[derive(Debug, Clone, Copy)]
pub struct Edit<'a> {
    /// What to do.
    pub action: &'a Action,
    /// The file it is done to.
    pub path: &'a MemoryPath,
    /// The write-once file, for the operations that archive.
    pub archive: &'a MemoryPath,
    /// The evidence that every written section carries.
    pub notes: &'a [SourceNote],
    /// JSON pointer of the operation.
    pub pointer: &'a str,
}

/// What an operation made of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The file afterwards.
    pub text: String,
    /// The sections of the file afterwards.
    pub sections: Vec<Section>,
    /// The sections whose former text the operation built on.
    pub touched: Vec<Touched>,
    /// What the operation came down to: `append_section` may replace, `replace_section` may append.
    pub effect: OperationKind,
    /// The ids, or headings, of the sections that the operation wrote.
    pub written: Vec<String>,
    /// The text that goes to the archive.
    pub archived: Option<String>,
    /// What the caller should know.
    pub warnings: Vec<String>,
}

/// A section whose former text an operation built on; a change of it is drift.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// The id, or the heading where there is none; empty for the whole file.
    pub section: String,
    /// The part that matters.
    pub scope: Scope,
    /// Hash of that part.
    pub hash: ContentHash,
    /// Hash of the headings above, where others of its level have the same heading and none has an id: if one more comes
    /// before it, what is meant would be that one.
    pub above: Option<ContentHash>,
    /// Level of its heading; 0 for the whole file.
    pub level: u8,
}

/// The part of a section that an operation builds on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The section with all that stands in it.
    Whole,
    /// The section up to the next heading.
    Own,
}

/// Does an operation to a file.
pub fn edit(outline: Outline<'_>, edit: &Edit<'_>) -> Answer<Edited> {
    let file = File { outline, edit };
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
            let new = section::NewSection { heading, level: *level, content };
            file.append_section(&new, parent.as_ref(), (section_id.as_ref(), *if_exists))
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

struct File<'a> {
    outline: Outline<'a>,
    edit: &'a Edit<'a>,
}

impl File<'_> {
    /// Puts sections between others, with one blank line on either side.
    fn insert(self, position: usize, text: &str, at: usize, added: Added) -> Answer<Edited> {
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
        let change = Change { at, removed: 0, added };
        let text = self.line_ends(&text);
        self.splice(position..position, &text, &change, Vec::new())
    }

    /// Replaces some bytes, if all sections but those of the change stay as they are.
    fn splice(
        self,
        range: Range<usize>,
        replacement: &str,
        change: &Change,
        touched: Vec<Touched>,
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
        Ok(Edited { text, sections, touched, effect, written, archived, warnings })
    }

    fn dress(&self, text: &str, replaced: Range<usize>, root: Option<SectionId>) -> Answer<String> {
        let previous =
            Previous::of(&self.outline, self.outline.sections()[replaced.clone()].iter());
        let names = ids(&self.outline, replaced);
        dress(
            text,
            &Dress { notes: self.edit.notes, names, root, previous },
            &self.content_pointer(),
        )
    }

    fn id_of(&self, index: usize) -> SectionId {
        let section = &self.outline.sections()[index];
        section.id.clone().unwrap_or_else(|| ids(&self.outline, 0..0).give(&section.heading.text))
    }

    fn touch(&self, index: usize, scope: Scope) -> Vec<Touched> {
        let section = &self.outline.sections()[index];
        let text = match scope {
            Scope::Whole => self.outline.whole(section),
            Scope::Own => self.outline.own(section),
        };
        let above = self.has_namesake(index).then(|| self.headings_above(index));
        let above = above.map(|above| ContentHash::of(above.as_bytes()));
        let (hash, level) = (ContentHash::of_section(text), section.heading.level);
        vec![Touched { section: section.title().to_owned(), scope, hash, above, level }]
    }

    /// Tells whether a section has no id, and a heading that another one of its level has too.
    fn has_namesake(&self, index: usize) -> bool {
        let sections = self.outline.sections();
        let mut others = sections.iter().enumerate().filter(|(other, _)| *other != index);
        sections[index].id.is_none()
            && others.any(|(_, other)| other.heading == sections[index].heading)
    }

    fn headings_above(&self, index: usize) -> String {
        let sections = self.outline.sections();
        let above = std::iter::successors(sections[index].parent, |above| sections[*above].parent);
        above.map(|above| format!("{}\n", sections[above].title())).collect()
    }

    fn line_ends(&self, text: &str) -> String {
        LineEnding::of(self.outline.text()).apply(text)
    }

    fn text_end(&self, range: Range<usize>) -> usize {
        last_text_byte(self.outline.text(), range)
    }

    fn content_pointer(&self) -> String {
        format!("{}/{}", self.edit.pointer, self.edit.action.content_field())
    }
}

fn refuse_heading(edit: &Edit<'_>, heading: &str, seen: &str, field: &str) -> Box<Refusal> {
    Refusal::new(
        Reason::InvalidMarkdown,
        format!("`{heading}` would be read as the heading `{seen}`"),
        "give the heading as one line of text, without leading or closing `#`",
    )
    .at(format!("{}/{field}", edit.pointer))
}

fn ids(outline: &Outline<'_>, except: Range<usize>) -> Names {
    let kept = outline.sections().iter().enumerate().filter(|(index, _)| !except.contains(index));
    kept.filter_map(|(_, section)| section.id.clone()).collect()
}
