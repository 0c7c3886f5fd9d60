//! The files under the operations of one request, as each leaves them.

use std::collections::BTreeMap;
use std::mem;

use super::digest::PlannedResult;
use super::place::Placed;
use super::planned_file::{PlannedFile, SectionsRead};
use super::record::{fitted, refuse_second};
use super::screen::Screened;
use super::snapshot::Snapshot;
use super::verify;
use super::writers::Writers;
use crate::contract::FileState;
use crate::markdown::{Outline, Section};
use crate::project::edit::{Edit, Edited, TouchedSection, create, edit, new_file, titled};
use crate::project::request::{
    Action, Answer, IfMissing, MemoryPath, OperationKind, Reason, Refusal, Refusals,
};

/// Sections that one request may write, more than a person reviews; the answer and the log name each.
const SECTIONS: usize = 10_000;

pub(super) struct PlanBuilder<'s> {
    snapshot: &'s Snapshot,
    now: BTreeMap<MemoryPath, String>,
    /// The sections of each file as it was.
    former: BTreeMap<MemoryPath, Vec<Section>>,
    /// Of each text that an operation wrote, or failed on: reading it again would be most of the work.
    sections: BTreeMap<MemoryPath, Vec<Section>>,
    written: usize,
    pub(super) writers: Writers,
    /// For each operation.
    pub(super) touched: Vec<Option<TouchedSection>>,
    pub(super) results: Vec<PlannedResult>,
    pub(super) warnings: Vec<String>,
    pub(super) replacing: Vec<usize>,
    pub(super) effects: Vec<OperationKind>,
}

impl<'s> PlanBuilder<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        Self {
            snapshot,
            now: BTreeMap::new(),
            former: BTreeMap::new(),
            sections: BTreeMap::new(),
            written: 0,
            writers: Writers::default(),
            touched: Vec::new(),
            results: Vec::new(),
            warnings: Vec::new(),
            replacing: Vec::new(),
            effects: Vec::new(),
        }
    }

    /// Does every operation to the file that it names; returns what cannot be done.
    pub(super) fn work_all(&mut self, screened: &Screened<'_>) -> Refusals {
        let (mut refusals, mut slips) = (Refusals::default(), Vec::<(&MemoryPath, _)>::new());
        self.touched.resize(screened.placed.len(), None);
        let operations = screened.request().operations.iter().zip(&screened.placed);
        for (index, (operation, placed)) in operations.enumerate() {
            let path = &placed.path;
            let mut earlier =
                slips.iter().filter(|(other, _)| *other == path).map(|(_, slip)| slip);
            // A file that is full would grow with each of the others, and cost the square.
            if earlier.clone().any(|(_, reason)| *reason == Reason::BudgetExceeded) {
                continue;
            }
            let done = self.work(index, &operation.action, placed, screened);
            if self.written > SECTIONS {
                // To look at the others, or at what these make of their files, would only take time.
                self.now.clear();
                refusals.add(refuse_many(index, &operation.action));
                break;
            }
            let Err(refusal) = done else { continue };
            let (kind, reason) = (operation.action.kind(), refusal.reason);
            if !earlier.any(|(kind, before)| may_follow(reason, *kind, *before)) {
                refusals.add(refusal);
            }
            self.note_failed(path, &operation.action);
            slips.push((path, (kind, reason)));
        }
        refusals
    }

    fn work(
        &mut self,
        index: usize,
        action: &Action,
        placed: &Placed<'_>,
        screened: &Screened<'_>,
    ) -> Answer<()> {
        let (pointer, path) = (format!("/operations/{index}"), &placed.path);
        self.refuse_unfit(path, &pointer)?;
        let before = self.text(path).map(str::to_owned);
        refuse_write_once(action, placed, before.is_some(), &pointer)?;
        let record = before.as_deref().filter(|_| placed.is_record()).map(Outline::read);
        let action = &*fitted(action, placed, record.as_ref());
        let order = Edit {
            action,
            path,
            archive: placed.archive.as_ref().map_or(path, |(path, _)| path),
            notes: &screened.notes[index],
            sources: screened.sources_of(index),
            then: screened.touched_then.get(index).and_then(Option::as_ref),
            changed: &screened.changed,
            pointer: &pointer,
        };
        let mut edited = match &before {
            Some(text) => {
                let outline = self.outline(path, text);
                edit(outline, &order).map_err(|refusal| self.explain_drift(refusal, &order))?
            }
            None => begin(&order, placed)?,
        };
        refuse_second(placed, record.as_ref(), &edited.sections, &pointer)?;
        if edited.effect == OperationKind::RemoveSection {
            let outline = Outline::read(before.as_deref().unwrap_or_default());
            self.writers.takes_away(&placed.path, &outline, index, action);
            clear_blank(&mut edited.text);
        }
        if before.is_some() && replaces_file(placed, edited.touched.as_ref()) {
            self.replacing.push(index);
        }
        self.note(index, placed, &mut edited);
        if let Some(((path, _), text)) = placed.archive.as_ref().zip(edited.archived) {
            self.archive(path, text, &pointer)?;
        }
        let fits = verify::check_budget(screened, path, self.snapshot.text(path), &edited.text);
        self.now.insert(path.clone(), edited.text);
        self.sections.insert(path.clone(), edited.sections);
        fits
    }

    /// Says of a changed section whether an earlier operation of the same request changed it: reading it again
    /// would not help.
    fn explain_drift(&self, mut refusal: Box<Refusal>, order: &Edit<'_>) -> Box<Refusal> {
        let is_changed = refusal.reason == Reason::TargetDrift && self.now.contains_key(order.path);
        let then = self.snapshot.text(order.path).filter(|_| is_changed);
        if then.is_some_and(|then| edit(Outline::read(then), order).is_ok()) {
            refusal.hint = "an operation before this one changes the section: give `if_hash` with the first of them only".to_owned();
        }
        refusal
    }

    fn archive(&mut self, path: &MemoryPath, text: String, pointer: &str) -> Answer<()> {
        self.refuse_unfit(path, pointer)?;
        if self.text(path).is_some() {
            return Err(refuse_archive_exists(path, &format!("{pointer}/archive_path")));
        }
        self.now.insert(path.clone(), text);
        Ok(())
    }

    /// Notes that an operation could not be done; the next one need not read the same sections again.
    fn note_failed(&mut self, path: &MemoryPath, action: &Action) {
        let Some(text) =
            self.now.get(path).map(String::as_str).or_else(|| self.snapshot.text(path))
        else {
            return;
        };
        let outline = Outline::known_or_read(text, self.sections.remove(path));
        self.writers.failed(path, &outline, action);
        self.sections.insert(path.clone(), outline.into_sections());
    }

    fn note(&mut self, index: usize, placed: &Placed<'_>, edited: &mut Edited) {
        self.effects.push(edited.effect);
        self.written += edited.written.len();
        self.writers.wrote(&placed.path, mem::take(&mut edited.written), index);
        self.warnings.append(&mut edited.warnings);
        self.touched[index] = edited.touched.take();
        self.results.push(PlannedResult {
            file: placed.path.clone(),
            archive: placed.archive.as_ref().map(|(path, _)| path.clone()),
            result: edited.result.clone(),
        });
    }

    fn outline<'t>(&'t mut self, path: &MemoryPath, text: &'t str) -> Outline<'t> {
        let known = self.sections.remove(path);
        if known.is_some() || self.now.contains_key(path) {
            return Outline::known_or_read(text, known);
        }
        let read = || Outline::read(text).into_sections();
        let former = self.former.entry(path.clone()).or_insert_with(read);
        Outline::known(text, &**former)
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
            Some(FileState::Text(text)) => {
                verify::refuse_unresolved(path, text, self.snapshot, pointer)
            }
            Some(FileState::Absent) | None => Ok(()),
        }
    }

    pub(super) fn files(&mut self) -> Vec<PlannedFile> {
        let snapshot = self.snapshot;
        let changed = self.now.iter().filter(|(path, after)| snapshot.text(path) != Some(after));
        changed
            .map(|(path, after)| {
                let known = SectionsRead {
                    before: self.former.remove(path),
                    after: self.sections.remove(path),
                };
                PlannedFile::new(path, snapshot.text(path), after, known)
            })
            .collect()
    }
}

/// Tells whether an operation writes a section above the entries: with a title goes all that stands in it, as with the file.
fn replaces_file(placed: &Placed<'_>, touched: Option<&TouchedSection>) -> bool {
    let entries = placed.category.section.as_ref();
    let entries = entries.map_or(1, |_| placed.category.entry_level(placed.path.as_str()));
    touched.is_some_and(|it| it.builds_on.is_whole() && it.level < entries)
}

fn refuse_many(index: usize, action: &Action) -> Box<Refusal> {
    Refusal::new(
        Reason::TooLarge,
        format!("the request writes more than {SECTIONS} sections"),
        "split it into several requests, or write text that has fewer headings",
    )
    .at(format!("/operations/{index}/{}", action.content_field()))
}

/// Tells whether a refusal may come of another one in the same file alone, of an operation of a kind: the section was
/// not brought or not taken away, its level or its id is not free yet, or no operation may touch the file.
fn may_follow(reason: Reason, kind: OperationKind, before: Reason) -> bool {
    use OperationKind::{AppendSection, CreateFile, RemoveSection, RenameHeading, ReplaceSection};
    let brings = matches!(kind, CreateFile | AppendSection | RenameHeading)
        || (kind == ReplaceSection && before != Reason::SectionNotFound);
    let frees = matches!(kind, RemoveSection | RenameHeading | ReplaceSection);
    match reason {
        Reason::SectionNotFound => brings,
        Reason::SectionAmbiguous => brings || kind == RemoveSection,
        Reason::DuplicateSectionId => frees,
        Reason::ContainmentViolation => kind == RenameHeading || kind == RemoveSection,
        Reason::BudgetExceeded => frees || kind == OperationKind::ArchiveSection,
        other => {
            other == before && matches!(other, Reason::InvalidPath | Reason::WriteOnceViolation)
        }
    }
}

/// The file of an entry goes with it.
fn clear_blank(text: &mut String) {
    if text.trim().is_empty() {
        text.clear();
    }
}

fn begin(order: &Edit<'_>, placed: &Placed<'_>) -> Answer<Edited> {
    let (path, paths) = (placed.path.as_str(), &placed.category.paths);
    let start = || match paths.shared_files().any(|shared| shared == path) {
        true => new_file(&placed.category.title),
        // The entry itself is the title.
        false if paths.is_record(path) => String::new(),
        false => titled(&placed.path),
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
    let field = pointer.rsplit('/').next().unwrap_or_default();
    Refusal::new(
        Reason::ArchiveExists,
        format!("`{path}` exists, and an archive file is written once"),
        format!("give another `{field}`"),
    )
    .at(pointer)
}
