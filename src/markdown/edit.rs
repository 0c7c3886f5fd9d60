//! Turns one operation and the text of a file into the text afterwards.

use std::collections::BTreeSet;
use std::ops::Range;

use super::anchors::archived_line;
use super::bullets;
use super::compose::{Dress, LineEnding, Previous, dress, head, merge_notes, refuse_reserved};
use super::containment::{Added, Change, check};
use super::outline::{HeadingStyle, Outline, last_text_byte};
use super::target::{find_parent, locate};
use super::{SourceNote, new_file};
use crate::contract::{
    Action, Answer, ContentHash, IfExists, IfFileExists, IfMissing, MemoryPath, Reason, Refusal,
    SectionId, Target,
};

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
    /// The sections whose former text the operation built on.
    pub touched: Vec<Touched>,
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
}

/// The part of a section that an operation builds on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The section with all that stands in it.
    Whole,
    /// The section up to the next heading.
    Own,
}

/// Does an operation other than `create_file` to a file.
pub fn edit(text: &str, edit: &Edit<'_>) -> Answer<Edited> {
    let file = File { outline: Outline::read(text), edit };
    match edit.action {
        Action::CreateFile { content, if_exists } => create(Some(text), content, *if_exists, edit),
        Action::AppendSection { .. } => file.append_section(),
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

/// Does a `create_file`; `existing` is the file as it is, if it is.
pub fn create(
    existing: Option<&str>,
    content: &str,
    if_exists: IfFileExists,
    edit: &Edit<'_>,
) -> Answer<Edited> {
    let pointer = format!("{}/content", edit.pointer);
    let content = LineEnding::Lf.apply(content).trim_matches('\n').to_owned() + "\n";
    let old = Outline::read(existing.unwrap_or_default());
    let dress_with = |taken, previous| {
        dress(&content, &Dress { notes: edit.notes, taken, root: None, previous }, &pointer)
    };
    match (existing, if_exists) {
        (None, IfFileExists::Reject | IfFileExists::Append | IfFileExists::Replace) => {
            let text = dress_with(BTreeSet::new(), Previous::default())?;
            let whole = Change { at: 0, removed: 0, added: Added::Any };
            check(&Outline::read(""), &text, &whole, &pointer)?;
            Ok(Edited { text, touched: Vec::new(), archived: None, warnings: Vec::new() })
        }
        (Some(_), IfFileExists::Reject) => Err(Refusal::new(
            Reason::FileExists,
            format!("`{}` exists", edit.path),
            "use `append_section` or `replace_section`, or set `if_exists` to `append` or `replace`",
        )
        .at(format!("{}/path", edit.pointer))),
        (Some(text), IfFileExists::Append) => {
            let at = old.sections().len();
            let dressed = dress_with(ids(&old, at..at), Previous::default())?;
            File { outline: old, edit }.insert(text.len(), &dressed, at, Added::Any)
        }
        (Some(before), IfFileExists::Replace) => {
            let text = dress_with(BTreeSet::new(), Previous::of(&old, old.sections().iter()))?;
            let text = LineEnding::of(before).apply(&text);
            let whole = Change { at: 0, removed: 0, added: Added::Any };
            check(&Outline::read(""), &text, &whole, &pointer)?;
            let touched = vec![Touched {
                section: String::new(),
                scope: Scope::Whole,
                hash: ContentHash::of_section(before),
            }];
            Ok(Edited { text, touched, archived: None, warnings: Vec::new() })
        }
    }
}

/// A file under one operation.
struct File<'a> {
    outline: Outline<'a>,
    edit: &'a Edit<'a>,
}

impl File<'_> {
    fn append_section(&self) -> Answer<Edited> {
        let Action::AppendSection {
            heading,
            heading_level,
            content,
            parent_section_id,
            section_id,
            if_exists,
        } = self.edit.action
        else {
            unreachable!("dispatched on this very variant")
        };
        let full = self.with_heading(heading, *heading_level, content)?;
        let written = Outline::read(&full).sections().first().and_then(|first| first.id.clone());
        let wanted = section_id.clone().or(written);
        let id = wanted.unwrap_or_else(|| SectionId::from_heading(heading, |_| false));
        let twin = self.outline.sections().iter().position(|section| {
            section.id.as_ref() == Some(&id)
                || (section.id.is_none()
                    && section.heading.style == HeadingStyle::Atx
                    && section.heading.level == *heading_level
                    && section.heading.text == *heading)
        });
        let id = match (twin, if_exists) {
            (None, IfExists::Reject | IfExists::Suffix | IfExists::Replace) => id,
            (Some(index), IfExists::Replace) => return self.replace_at(index, &full),
            (Some(_), IfExists::Suffix) => SectionId::from_heading(id.as_str(), |candidate| {
                self.outline.find(candidate).is_some()
            }),
            (Some(index), IfExists::Reject) => return Err(self.refuse_twin(index)),
        };
        let (position, at) = match parent_section_id {
            None => (self.outline.text().len(), self.outline.sections().len()),
            Some(parent) => find_parent(&self.outline, parent, *heading_level, self.edit)?,
        };
        let dressed = self.dress(&full, at..at, Some(id.clone()))?;
        self.insert(position, &dressed, at, Added::Family(*heading_level, Some(id)))
    }

    fn replace_section(
        &self,
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
                    crate::contract::Selector::Id(id) => Some(id.clone()),
                    crate::contract::Selector::Heading { .. } => None,
                };
                let dressed = self.dress(&content, at..at, id.clone())?;
                self.insert(self.outline.text().len(), &dressed, at, Added::Family(level, id))
            }
            (Err(refusal), IfMissing::Reject | IfMissing::Append) => Err(refusal),
        }
    }

    fn replace_at(&self, index: usize, content: &str) -> Answer<Edited> {
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
        let change = Change {
            at: index,
            removed: family.len(),
            added: Added::Family(level, section.id.clone()),
        };
        self.splice(range, dressed.trim_end_matches('\n'), &change, self.touch(index, Scope::Whole))
    }

    fn replace_content(&self, target: &Target, content: &str) -> Answer<Edited> {
        let index = locate(&self.outline, target, self.edit)?;
        self.write_body(index, content, self.edit.notes.to_vec(), Vec::new())
    }

    fn append_to_section(&self, target: &Target, content: &str) -> Answer<Edited> {
        let index = locate(&self.outline, target, self.edit)?;
        let section = &self.outline.sections()[index];
        let body = LineEnding::Lf.apply(self.outline.body(section));
        let content = LineEnding::Lf.apply(content);
        let (content, skipped) = bullets::without_repeats(content.trim_matches('\n'), &body);
        let warnings = skipped
            .iter()
            .map(|line| format!("operation skipped a bullet that is there already: `{line}`"))
            .collect();
        if content.trim().is_empty() {
            let text = self.outline.text().to_owned();
            return Ok(Edited {
                text,
                touched: self.touch(index, Scope::Own),
                archived: None,
                warnings,
            });
        }
        let notes = merge_notes(&section.sources, self.edit.notes);
        let joined = bullets::join(&body, &content);
        self.write_body(index, &joined, notes, warnings)
    }

    fn write_body(
        &self,
        index: usize,
        body: &str,
        notes: Vec<SourceNote>,
        warnings: Vec<String>,
    ) -> Answer<Edited> {
        refuse_reserved(body, &self.content_pointer())?;
        let section = &self.outline.sections()[index];
        let id = self.id_of(index);
        let body = LineEnding::Lf.apply(body);
        let body = body.trim_matches('\n').trim_end();
        let blank = if body.is_empty() { "" } else { "\n" };
        let text = format!("{}{blank}{body}", head(&id, &notes));
        let text = text.trim_end_matches('\n');
        let start = section.heading_bytes.end;
        let end = self.text_end(section.heading_bytes.start..section.own_end);
        // A heading that ends the file may have no line end yet, and one that stands alone has no
        // line behind it whose end could serve.
        let bare = !self.outline.text()[..start].ends_with('\n');
        let text = match (bare, end < start) {
            (true, _) => format!("\n{text}"),
            (false, true) => format!("{text}\n"),
            (false, false) => text.to_owned(),
        };
        let range = start..end.max(start);
        let added = Added::One(section.heading.level, Some(id));
        let change = Change { at: index, removed: 1, added };
        let touched = self.touch(index, Scope::Own);
        let mut edited = self.splice(range, &text, &change, touched)?;
        edited.warnings = warnings;
        Ok(edited)
    }

    fn rename(&self, target: &Target, heading: &str, level: Option<u8>) -> Answer<Edited> {
        let index = locate(&self.outline, target, self.edit)?;
        let section = &self.outline.sections()[index];
        let level = level.unwrap_or(section.heading.level);
        let family = &self.outline.sections()[index..index + self.outline.family(index)];
        let reaches = family[1..].iter().all(|inner| inner.heading.level > level);
        if level.abs_diff(section.heading.level) > 1 || !reaches {
            return Err(Refusal::new(
                Reason::ContainmentViolation,
                format!("level {level} is more than one away from level {}, or not above the sections in it", section.heading.level),
                "move one level at a time, the innermost sections first",
            )
            .at(format!("{}/new_heading_level", self.edit.pointer)));
        }
        let id = self.id_of(index);
        let notes = merge_notes(&section.sources, self.edit.notes);
        let text = format!("{} {heading}\n{}", "#".repeat(level.into()), head(&id, &notes));
        let range = section.heading_bytes.start..section.body_start;
        let tail = if self.outline.text()[..range.end].ends_with('\n') { "\n" } else { "" };
        let text = text.trim_end().to_owned() + tail;
        let change = Change { at: index, removed: 1, added: Added::One(level, Some(id)) };
        let edited = self.splice(range, &text, &change, self.touch(index, Scope::Own))?;
        let seen = Outline::read(&edited.text).sections()[index].heading.text.clone();
        if seen == heading {
            Ok(edited)
        } else {
            Err(self.refuse_heading(heading, &seen, "new_heading"))
        }
    }

    fn archive(&self, target: &Target, replacement: Option<&str>) -> Answer<Edited> {
        let index = locate(&self.outline, target, self.edit)?;
        let section = &self.outline.sections()[index];
        let id = self.id_of(index);
        let path = self.edit.archive;
        let heading = self.outline.text()[section.heading_bytes.clone()].trim_end();
        let pointer = format!("Archived to [{path}]({path}).");
        let body = replacement.unwrap_or(&pointer).trim_matches('\n');
        refuse_reserved(body, &self.content_pointer())?;
        let marks = format!("{}{}\n", head(&id, self.edit.notes), archived_line(path));
        let text = format!("{heading}\n{marks}\n{body}");
        let range =
            section.heading_bytes.start..self.text_end(section.heading_bytes.start..section.end);
        let removed = self.outline.family(index);
        let added = Added::One(section.heading.level, Some(id));
        let touched = self.touch(index, Scope::Whole);
        let mut edited =
            self.splice(range, &text, &Change { at: index, removed, added }, touched)?;
        edited.archived = Some(self.outline.whole(section).to_owned() + "\n");
        Ok(edited)
    }

    fn remove(&self, target: &Target) -> Answer<Edited> {
        let index = locate(&self.outline, target, self.edit)?;
        let section = &self.outline.sections()[index];
        let range = section.heading_bytes.start..section.end;
        let removed = self.outline.family(index);
        let change = Change { at: index, removed, added: Added::Nothing };
        let mut edited = self.splice(range, "", &change, self.touch(index, Scope::Whole))?;
        edited.archived = Some(self.outline.whole(section).to_owned() + "\n");
        Ok(edited)
    }

    /// Puts sections between others, with one blank line on either side.
    fn insert(&self, position: usize, text: &str, at: usize, added: Added) -> Answer<Edited> {
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
        self.splice(position..position, &text, &Change { at, removed: 0, added }, Vec::new())
    }

    fn splice(
        &self,
        range: Range<usize>,
        replacement: &str,
        change: &Change,
        touched: Vec<Touched>,
    ) -> Answer<Edited> {
        let before = self.outline.text();
        let replacement = LineEnding::of(before).apply(replacement);
        let text = [&before[..range.start], &replacement, &before[range.end..]].concat();
        check(&self.outline, &text, change, &self.content_pointer())?;
        Ok(Edited { text, touched, archived: None, warnings: Vec::new() })
    }

    fn dress(&self, text: &str, replaced: Range<usize>, root: Option<SectionId>) -> Answer<String> {
        let previous =
            Previous::of(&self.outline, self.outline.sections()[replaced.clone()].iter());
        let taken = ids(&self.outline, replaced);
        dress(
            text,
            &Dress { notes: self.edit.notes, taken, root, previous },
            &self.content_pointer(),
        )
    }

    /// Returns the content of an `append_section` with its heading first, whichever way it was given.
    fn with_heading(&self, heading: &str, level: u8, content: &str) -> Answer<String> {
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
        if seen == heading { Ok(full) } else { Err(self.refuse_heading(heading, seen, "heading")) }
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

    fn id_of(&self, index: usize) -> SectionId {
        let section = &self.outline.sections()[index];
        section.id.clone().unwrap_or_else(|| {
            SectionId::from_heading(&section.heading.text, |id| self.outline.find(id).is_some())
        })
    }

    fn touch(&self, index: usize, scope: Scope) -> Vec<Touched> {
        let section = &self.outline.sections()[index];
        let text = match scope {
            Scope::Whole => self.outline.whole(section),
            Scope::Own => self.outline.own(section),
        };
        vec![Touched { section: section.title(), scope, hash: ContentHash::of_section(text) }]
    }

    fn text_end(&self, range: Range<usize>) -> usize {
        last_text_byte(self.outline.text(), range)
    }

    fn content_pointer(&self) -> String {
        format!("{}/content", self.edit.pointer)
    }

    fn refuse_twin(&self, index: usize) -> Box<Refusal> {
        let twin = &self.outline.sections()[index];
        Refusal::new(
            Reason::DuplicateSectionId,
            format!(
                "`{}` has a section `{}` already, on line {}",
                self.edit.path,
                twin.title(),
                twin.line
            ),
            "give another `section_id`, or set `if_exists` to `suffix` or `replace`",
        )
        .at(format!("{}/section_id", self.edit.pointer))
    }

    fn refuse_heading(&self, heading: &str, seen: &str, field: &str) -> Box<Refusal> {
        Refusal::new(
            Reason::InvalidMarkdown,
            format!("`{heading}` would be read as the heading `{seen}`"),
            "give the heading as one line of text, without leading or closing `#`",
        )
        .at(format!("{}/{field}", self.edit.pointer))
    }
}

fn ids(outline: &Outline<'_>, except: Range<usize>) -> BTreeSet<SectionId> {
    let kept = outline.sections().iter().enumerate().filter(|(index, _)| !except.contains(index));
    kept.filter_map(|(_, section)| section.id.clone()).collect()
}

/// Returns the text of a file that an `append_section` makes, titled from its name.
pub fn titled(path: &MemoryPath) -> String {
    let words = path.stem().replace(['_', '.'], " ");
    let shown = if words.starts_with(|c: char| c.is_ascii_digit()) {
        words
    } else {
        words.replace('-', " ")
    };
    let mut letters = shown.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    new_file(&(first + letters.as_str()))
}
