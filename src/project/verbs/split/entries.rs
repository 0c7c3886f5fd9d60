//! Cuts a file of entries into files of one entry each.

use std::collections::BTreeSet;

use super::links::Moves;
use crate::markdown::{HeadingStyle, LineEnding, Outline, Section, shifted, with_ids, with_marks};
use crate::project::edit::closes_itself;
use crate::project::request::{MemoryPath, Reason, Refusal};
use crate::project::schema::Category;
use crate::project::verbs::answer::Attempt;

/// A file of entries, cut.
pub(super) struct Cut {
    pub(super) path: MemoryPath,
    pub(super) before: String,
    /// What is left; empty if the file goes.
    pub(super) rest: String,
    pub(super) entries: Vec<CutEntry>,
    /// The titles of sections that are no entries, and stay.
    pub(super) left: Vec<String>,
    pub(super) moves: Moves,
}

pub(super) struct CutEntry {
    pub(super) path: MemoryPath,
    /// Its text, with the links as they were.
    pub(super) text: String,
    /// Whether its file is there and says the same, as after a merge of a branch from before a split.
    pub(super) is_there: bool,
}

impl CutEntry {
    /// Returns the file that it gets.
    pub(super) fn as_moved(&self, moves: &Moves) -> String {
        moves.apply(&self.text, &moves.from, self.path.as_str())
    }
}

impl Cut {
    /// Cuts a file; `category` is the one that it will have.
    pub(super) fn of(path: &MemoryPath, before: String, category: &Category) -> Attempt<Self> {
        if !closes_itself(&before) {
            let message = format!("`{path}` leaves a code fence, comment or HTML block open");
            let hint = "close it first; `agent-memory check` says where";
            return Err(Refusal::new(Reason::InvalidMarkdown, message, hint).into());
        }
        let level = category.section.as_ref().map_or(2, |rules| rules.level);
        // An underlined heading can have no id: such an entry is written with `#`.
        let (marked, _) = with_marks(&Outline::read(&before));
        let (named, _) = with_ids(&Outline::read(&marked), None);
        let outline = Outline::read(&named);
        let mut moves = Moves::of(path.as_str());
        let (mut rest, mut copied, mut entries) = (String::new(), 0, Vec::new());
        for section in outline.sections() {
            let is_entry =
                section.heading.level == level && section.heading.style == HeadingStyle::Atx;
            if !is_entry || section.heading_bytes.start < copied {
                continue;
            }
            let entry = cut(&outline, section, category)?;
            moves.add(entry.path.as_str(), &Outline::read(&entry.text));
            rest += &named[copied..section.heading_bytes.start];
            copied = section.end;
            entries.push(entry);
        }
        rest += &named[copied..];
        refuse_twice(&entries)?;
        // With its title the file stays: git takes a file that is gone for renamed, and would put what another branch
        // recorded in it into one of the entries.
        if rest.trim_start_matches('\u{feff}').trim().is_empty() {
            rest.clear();
        }
        let left = left(&rest);
        if entries.is_empty() && !rest.is_empty() {
            rest.clone_from(&before);
        }
        Ok(Self { path: path.clone(), before, rest, entries, left, moves })
    }
}

fn cut(outline: &Outline<'_>, section: &Section, category: &Category) -> Attempt<CutEntry> {
    let title = section.title();
    let by = i8::try_from(section.heading.level).map_or(0, |level| 1 - level);
    let text = shifted(outline.whole(section), by);
    let end = LineEnding::of(outline.text()).apply("\n");
    let text = text.trim_end().to_owned() + &end;
    let path = section.id.as_ref().and_then(|id| category.paths.of_record(id));
    let path = path.and_then(|path| MemoryPath::parse(&path).ok()).ok_or_else(|| {
        let message = format!("the section `{title}` cannot have a file of its own");
        let hint = "give it an id that can be the name of a file";
        Refusal::new(Reason::InvalidPath, message, hint)
    })?;
    let sections = Outline::read(&text).into_sections();
    let is_one = sections.iter().filter(|it| it.heading.level == 1).count() == 1;
    let is_same = sections.first().is_some_and(|first| first.id == section.id);
    match is_one && is_same {
        true => Ok(CutEntry { path, text, is_there: false }),
        false => {
            let message =
                format!("the section `{title}` would not be the same in a file of its own");
            let hint = "look at its headings, code fences and comments";
            Err(Refusal::new(Reason::ContainmentViolation, message, hint).into())
        }
    }
}

/// Returns the titles of the sections that stay, besides that of the file and what stands in another.
fn left(rest: &str) -> Vec<String> {
    let outline = Outline::read(rest);
    let sections = outline.sections().iter().enumerate();
    let is_title = |number: usize, section: &Section| number == 0 && section.heading.level == 1;
    let is_inside = |section: &Section| {
        let parent = section.parent.map(|parent| &outline.sections()[parent]);
        parent.is_some_and(|parent| parent.heading.level > 1)
    };
    let left = sections.filter(|(number, it)| !is_title(*number, it) && !is_inside(it));
    left.map(|(_, section)| section.title().to_owned()).collect()
}

fn refuse_twice(entries: &[CutEntry]) -> Attempt<()> {
    let mut paths = BTreeSet::new();
    let Some(twice) = entries.iter().find(|entry| !paths.insert(&entry.path)) else {
        return Ok(());
    };
    let message = format!("two sections would go to `{}`", twice.path);
    let hint = "give one of them another id first";
    Err(Refusal::new(Reason::DuplicateSectionId, message, hint).into())
}
