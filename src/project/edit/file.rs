//! A file while one operation is done to it: places are found, bytes are spliced.

use std::ops::Range;

use super::compose::{Dress, Previous, dress};
use super::containment::{Added, Checked, ExpectedChange, check};
use super::edited::{Edited, Scope, TouchedSection};
use super::input::Edit;
use crate::contract::{ContentHash, SectionId};
use crate::markdown::{LineEnding, Outline, SectionIds, last_text_byte};
use crate::project::request::{Answer, OperationKind, Reason, Refusal};

pub(super) struct FileEdit<'a> {
    pub(super) outline: Outline<'a>,
    pub(super) edit: &'a Edit<'a>,
}

impl FileEdit<'_> {
    /// Puts sections between others, with one blank line on either side.
    pub(super) fn insert(
        self,
        position: usize,
        text: &str,
        at: usize,
        added: Added,
    ) -> Answer<Edited> {
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
        self.splice(position..position, &text, &change, Vec::new())
    }

    /// Replaces some bytes, if all sections but those of the change stay as they are.
    pub(super) fn splice(
        self,
        range: Range<usize>,
        replacement: &str,
        change: &ExpectedChange,
        touched: Vec<TouchedSection>,
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

    pub(super) fn touch(&self, index: usize, scope: Scope) -> Vec<TouchedSection> {
        let section = &self.outline.sections()[index];
        let text = match scope {
            Scope::Whole => self.outline.whole(section),
            Scope::Own => self.outline.own(section),
        };
        let above = self.has_namesake(index).then(|| self.headings_above(index));
        let above = above.map(|above| ContentHash::of(above.as_bytes()));
        let (hash, level) = (ContentHash::of_section(text), section.heading.level);
        let file = self.edit.path.to_string();
        let section = section.title().to_owned();
        vec![TouchedSection { file, section, scope, hash, above, level }]
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
