//! Screened → planned: every file as it would stand, with nothing written yet.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::place::Placed;
use super::screen::Screened;
use super::snapshot::{FileState, Snapshot};
use super::verify;
use crate::contents;
use crate::contract::{
    Action, AffectedSection, Answer, Change, ContentHash, IfMissing, MemoryPath, OperationKind,
    Reason, Refusal,
};
use crate::markdown::{
    Edit, Edited, Outline, Scope, Section, SectionChange, changes, create, dropped, edit, new_file,
    titled,
};
use crate::rejection::Rejection;
use crate::reversal::Reversal;

/// A change that is known to the byte.
#[derive(Debug)]
#[must_use = "call `route` to learn where it may go"]
pub struct Planned<'a> {
    /// The request it comes from.
    pub screened: Screened<'a>,
    /// The files that would be different, in order.
    pub files: Vec<PlannedFile>,
    /// The sections touched.
    pub affected: Vec<AffectedSection>,
    /// The sections whose former text the change builds on.
    pub touched: Vec<TouchedSection>,
    /// What the caller should know.
    pub warnings: Vec<String>,
    /// Whether a text comes in that is allowed to look like a secret.
    pub(super) new_allow_region: bool,
    /// The operations that replace a whole file.
    pub(super) replacing: Vec<usize>,
    /// What each operation came down to.
    pub(super) effects: Vec<OperationKind>,
    /// The texts that people refused.
    pub(super) rejections: Vec<Rejection>,
}

/// A file before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedFile {
    /// The path.
    pub path: MemoryPath,
    /// The text before; none if there was no file.
    pub before: Option<String>,
    /// The text after.
    pub after: String,
    /// The sections that the two texts do not have alike.
    pub(super) changes: Vec<SectionChange>,
    /// The sections before and after.
    sections: (Vec<Section>, Vec<Section>),
}

impl PlannedFile {
    pub(super) fn new(
        path: &MemoryPath,
        before: Option<&str>,
        after: &str,
        known: Option<Vec<Section>>,
    ) -> Self {
        let old = Outline::read(before.unwrap_or_default());
        let new = known.map(|sections| Outline::known(after, sections));
        let new = new.unwrap_or_else(|| Outline::read(after));
        Self {
            path: path.clone(),
            before: before.map(str::to_owned),
            after: after.to_owned(),
            changes: changes(&old, &new),
            sections: (old.into_sections(), new.into_sections()),
        }
    }

    /// Returns the sections after.
    pub(super) fn outline(&self) -> Outline<'_> {
        Outline::known(&self.after, &self.sections.1)
    }

    /// Says which sections come out of a rewrite with fewer bullets.
    pub(super) fn losses(&self) -> Vec<String> {
        let old = Outline::known(self.before.as_deref().unwrap_or_default(), &self.sections.0);
        let new = self.outline();
        let rewritten = self.changes.iter().filter(|change| change.change == Change::Changed);
        let lost = rewritten.filter_map(|change| {
            let (id, now) = (change.id.as_ref()?, &new.sections()[change.index?]);
            let former = &old.sections()[old.find(id)?];
            let (dropped, of) = dropped(old.body(former), new.body(now))?;
            Some(format!("the rewrite of `{}#{id}` drops {dropped} of {of} bullets", self.path))
        });
        lost.collect()
    }

    /// Returns what it takes to take the change back.
    pub fn reversal(&self) -> Reversal {
        let before = self.before.as_deref().map(|text| Outline::known(text, &self.sections.0));
        Reversal::of(self.path.as_str(), before.as_ref(), &self.outline())
    }
}

/// A section whose former text a change builds on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TouchedSection {
    /// The file.
    pub file: String,
    /// The id, or the heading where there is none; empty for the whole file.
    pub section: String,
    /// The part that matters.
    pub scope: Scope,
    /// Hash of that part.
    pub hash: ContentHash,
}

impl<'a> Screened<'a> {
    /// Does every operation to a copy of the files and checks the result.
    pub fn plan(self, snapshot: Snapshot) -> Answer<Planned<'a>> {
        let mut desk = Desk::new(&snapshot);
        let operations = self.request().operations.iter().zip(&self.placed).enumerate();
        for (index, (operation, placed)) in operations {
            desk.work(index, &operation.action, placed, &self)?;
        }
        let files = desk.files();
        verify::check(&self, &files, &desk.written_by)?;
        let new_allow_region = verify::brings_allow_region(&files);
        let affected = files.iter().flat_map(affected_sections).collect();
        let Desk { touched, mut warnings, replacing, effects, .. } = desk;
        warnings.extend(files.iter().flat_map(PlannedFile::losses));
        if files.is_empty() {
            warnings.push("nothing changes: the files say this already".to_owned());
        }
        Ok(Planned {
            screened: self,
            files,
            affected,
            touched,
            warnings,
            new_allow_region,
            replacing,
            effects,
            rejections: snapshot.rejections,
        })
    }
}

impl Planned<'_> {
    /// Returns the hash of all that would land: each path with its old and its new bytes.
    pub fn digest(&self) -> ContentHash {
        let mut bytes = Vec::new();
        for file in &self.files {
            bytes.extend_from_slice(file.path.as_str().as_bytes());
            // What goes counts too: the same new text over another old one is another decision.
            for text in [file.before.as_deref().unwrap_or_default(), &file.after] {
                bytes.push(0);
                bytes.extend_from_slice(ContentHash::of(text.as_bytes()).as_str().as_bytes());
            }
            bytes.push(b'\n');
        }
        ContentHash::of(&bytes)
    }
}

impl Planned<'_> {
    /// Returns what the table of contents, which says this now, has to say of each file instead.
    pub fn contents(&self, now: &str) -> Vec<(String, String)> {
        let scanner = self.screened.rules.scanner;
        let files = self.listed().map(|file| (&file.path, file.outline()));
        contents::news(now, files, &|text| scanner.redact(text))
    }

    /// Returns the files that the table of contents lists.
    pub fn listed(&self) -> impl Iterator<Item = &PlannedFile> {
        let catalog = self.screened.rules.catalog;
        self.files.iter().filter(move |file| catalog.is_tracked(file.path.as_str()))
    }
}

/// Which operation wrote a section last: by file and by id or heading.
pub(super) type WrittenBy = BTreeMap<(MemoryPath, String), usize>;

/// The files under the operations of one request.
struct Desk<'s> {
    snapshot: &'s Snapshot,
    now: BTreeMap<MemoryPath, String>,
    /// Of each text in `now` that an operation wrote: reading it again would be most of the work.
    sections: BTreeMap<MemoryPath, Vec<Section>>,
    written_by: WrittenBy,
    touched: Vec<TouchedSection>,
    warnings: Vec<String>,
    replacing: Vec<usize>,
    effects: Vec<OperationKind>,
}

impl<'s> Desk<'s> {
    fn new(snapshot: &'s Snapshot) -> Self {
        Self {
            snapshot,
            now: BTreeMap::new(),
            sections: BTreeMap::new(),
            written_by: WrittenBy::new(),
            touched: Vec::new(),
            warnings: Vec::new(),
            replacing: Vec::new(),
            effects: Vec::new(),
        }
    }

    fn work(
        &mut self,
        index: usize,
        action: &Action,
        placed: &Placed<'_>,
        screened: &Screened<'_>,
    ) -> Answer<()> {
        let pointer = format!("/operations/{index}");
        self.refuse_unfit(&placed.path, &pointer)?;
        let before = self.text(&placed.path).map(str::to_owned);
        refuse_write_once(action, placed, before.is_some(), &pointer)?;
        let order = Edit {
            action,
            path: &placed.path,
            archive: placed.archive.as_ref().map_or(&placed.path, |(path, _)| path),
            notes: &screened.notes,
            pointer: &pointer,
        };
        let edited = match &before {
            Some(text) => {
                let known = self.sections.remove(&placed.path);
                let outline = known.map(|sections| Outline::known(text, sections));
                edit(outline.unwrap_or_else(|| Outline::read(text)), &order)?
            }
            None => begin(&order, placed)?,
        };
        if let Action::CreateFile { .. } = action
            && before.is_some()
            && !edited.touched.is_empty()
        {
            self.replacing.push(index);
        }
        self.effects.push(edited.effect);
        self.note(index, &placed.path, &edited);
        // Before the next operation works on it: a file that grows with each would cost the square.
        verify::check_budget(
            screened,
            &placed.path,
            self.snapshot.text(&placed.path),
            &edited.text,
        )?;
        if let Some(((path, _), text)) = placed.archive.as_ref().zip(edited.archived) {
            self.archive(path, text, &pointer)?;
        }
        self.now.insert(placed.path.clone(), edited.text);
        self.sections.insert(placed.path.clone(), edited.sections);
        Ok(())
    }

    fn archive(&mut self, path: &MemoryPath, text: String, pointer: &str) -> Answer<()> {
        self.refuse_unfit(path, pointer)?;
        if self.text(path).is_some() {
            return Err(refuse_archive_exists(path, &format!("{pointer}/archive_path")));
        }
        self.now.insert(path.clone(), text);
        Ok(())
    }

    fn note(&mut self, index: usize, path: &MemoryPath, edited: &Edited) {
        for title in &edited.written {
            self.written_by.insert((path.clone(), title.clone()), index);
        }
        self.warnings.extend(edited.warnings.iter().cloned());
        self.touched.extend(edited.touched.iter().map(|touched| TouchedSection {
            file: path.to_string(),
            section: touched.section.clone(),
            scope: touched.scope,
            hash: touched.hash.clone(),
        }));
    }

    fn text(&self, path: &MemoryPath) -> Option<&str> {
        self.now.get(path).map(String::as_str).or_else(|| self.snapshot.text(path))
    }

    /// Refuses a file that a person has to look at before anything is written there.
    fn refuse_unfit(&self, path: &MemoryPath, pointer: &str) -> Answer<()> {
        match self.snapshot.files.get(path) {
            // An operation before this one has found it fit.
            _ if self.now.contains_key(path) => Ok(()),
            Some(FileState::Unusable(why)) => Err(Refusal::new(
                Reason::InvalidPath,
                format!("`{path}` cannot be used: {why}"),
                "a person has to look at this file first",
            )
            .at(format!("{pointer}/path"))),
            Some(FileState::Text(text)) => verify::refuse_unresolved(path, text, pointer),
            Some(FileState::Absent) | None => Ok(()),
        }
    }

    fn files(&mut self) -> Vec<PlannedFile> {
        let snapshot = self.snapshot;
        let changed = self.now.iter().filter(|(path, after)| snapshot.text(path) != Some(after));
        changed
            .map(|(path, after)| {
                let known = self.sections.remove(path);
                PlannedFile::new(path, snapshot.text(path), after, known)
            })
            .collect()
    }
}

/// Does the first operation to a file that is not there.
fn begin(order: &Edit<'_>, placed: &Placed<'_>) -> Answer<Edited> {
    let start = || match placed.category.path.single() {
        None => titled(&placed.path),
        Some(_) => new_file(&placed.category.title),
    };
    match order.action {
        Action::CreateFile { content, if_exists } => create(None, content, *if_exists, order),
        Action::AppendSection { parent_section_id: None, .. }
        | Action::ReplaceSection { if_missing: IfMissing::Append, .. } => {
            edit(Outline::read(&start()), order)
        }
        Action::AppendSection { .. }
        | Action::ReplaceSection { .. }
        | Action::ReplaceSectionContent { .. }
        | Action::AppendToSection { .. }
        | Action::RenameHeading { .. }
        | Action::ArchiveSection { .. }
        | Action::RemoveSection { .. } => Err(Refusal::new(
            Reason::SectionNotFound,
            format!("`{}` does not exist, so it has no sections", placed.path),
            "begin the file with `append_section` or `create_file`",
        )
        .at(format!("{}/path", order.pointer))),
    }
}

fn refuse_write_once(
    action: &Action,
    placed: &Placed<'_>,
    exists: bool,
    pointer: &str,
) -> Answer<()> {
    if !placed.category.write_once || !exists {
        return Ok(());
    }
    if action.kind() == OperationKind::CreateFile {
        return Err(refuse_archive_exists(&placed.path, &format!("{pointer}/path")));
    }
    Err(Refusal::new(
        Reason::WriteOnceViolation,
        format!("`{}` was archived and is never changed", placed.path),
        "record what is true now in the category it belongs to",
    )
    .at(format!("{pointer}/path")))
}

fn refuse_archive_exists(path: &MemoryPath, pointer: &str) -> Box<Refusal> {
    Refusal::new(
        Reason::ArchiveExists,
        format!("`{path}` exists, and an archive file is written once"),
        "give another `archive_path`",
    )
    .at(pointer)
}

pub(super) fn affected_sections(file: &PlannedFile) -> Vec<AffectedSection> {
    // The title that a new file is given has no id, and nobody asked for it.
    let named = |change: &&SectionChange| change.id.is_some() || change.change != Change::Added;
    file.changes.iter().filter(named).map(|change| change.affected(&file.path)).collect()
}

/// Names a section in [`WrittenBy`].
pub(super) fn writer(
    written_by: &WrittenBy,
    path: &MemoryPath,
    section: &Section,
) -> Option<usize> {
    written_by.get(&(path.clone(), section.title())).copied()
}
