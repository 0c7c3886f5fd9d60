//! Planned → planned: what a person wants of a change, in their own words.

use std::collections::{BTreeMap, BTreeSet};

use super::digest::Approvable;
use super::injections::injections;
use super::losses::losses;
use super::plan::Planned;
use super::planned_file::{PlannedFile, SectionsRead, affected_sections};
use super::verify;
use super::writers::Writers;
use crate::contract::SectionId;
use crate::markdown::{Outline, brings_marker, find_conflict};
use crate::project::edit::closes_itself;
use crate::project::request::{Answer, MemoryPath, Reason, Refusal, Refusals};
use crate::text::{find_conflict_marker, find_newly_hidden};

/// Texts of a person that replace those of a proposal, by file.
pub(crate) type Amendment = BTreeMap<MemoryPath, String>;

impl Planned<'_> {
    /// Replaces the results of the operations with a person's texts, and checks the whole as if it had been
    /// proposed so. A file that the change does not touch cannot be amended.
    pub fn amended(mut self, amendment: &Amendment) -> Answer<Self> {
        for file in &mut self.files {
            let Some(text) = amendment.get(&file.path) else { continue };
            let before = file.before.as_deref();
            refuse_hidden(&file.path, before.unwrap_or_default(), text)?;
            refuse_markers(file, text)?;
            refuse_open(&file.path, before.unwrap_or_default(), text)?;
            refuse_twins(&file.path, before.unwrap_or_default(), text)?;
            *file = PlannedFile::new(&file.path, before, text, SectionsRead::default());
        }
        self.files.retain(|file| file.before.as_deref() != Some(&file.after));
        if self.files.is_empty() {
            let hint = "`reject` it, if none of it is wanted";
            return Err(Refusal::new(
                Reason::NoOperations,
                "nothing of the proposal is left",
                hint,
            ));
        }
        // The words are those of the person: no operation is to blame.
        verify::check(&self.screened, &mut self.files, &Writers::default(), Refusals::default())?;
        self.new_allow_region = verify::brings_allow_region(&self.files);
        self.changes_frame =
            self.files.iter().any(|file| verify::changes_frame(&self.screened, file));
        self.reaches_out = self.files.iter().any(|file| verify::reaches_out(&self.screened, file));
        self.warnings = losses(&self.screened, &self.files);
        self.warnings.extend(injections(&self.screened, &self.files));
        self.warnings.extend(self.files.iter().flat_map(PlannedFile::weakened).map(|it| it.told));
        self.approvable = Approvable::Files;
        self.affected = self.files.iter().flat_map(affected_sections).collect();
        Ok(self)
    }
}

fn refuse_hidden(path: &MemoryPath, before: &str, after: &str) -> Answer<()> {
    let Some(hidden) = find_newly_hidden(before, after) else { return Ok(()) };
    let code = hidden.code_point();
    let message =
        format!("line {} of `{path}` would hold the hidden character {code}", hidden.line);
    let hint = "write only what a person can see";
    Err(Refusal::new(Reason::HiddenCharacters, message, hint))
}

/// Refuses the markers of an unresolved merge, also those of an example, unless they were there before: git leaves its
/// markers in code too.
fn refuse_markers(file: &PlannedFile, text: &str) -> Answer<()> {
    let known = [file.before.as_deref().unwrap_or_default(), &file.after];
    let line = match find_conflict(text) {
        None if brings_marker(text, &known) => find_conflict_marker(text),
        found => found,
    };
    let Some(line) = line else { return Ok(()) };
    let message = format!("line {line} of `{}` would hold a conflict marker", file.path);
    let hint = "take one of the sides, or both in your own words, and the markers out";
    Err(Refusal::new(Reason::InvalidMarkdown, message, hint))
}

/// Refuses an open end that was not there before: it swallows the sections behind it.
fn refuse_open(path: &MemoryPath, before: &str, text: &str) -> Answer<()> {
    if closes_itself(text) || !closes_itself(before) {
        return Ok(());
    }
    let message = format!("`{path}` would leave a code fence, comment or HTML block open");
    let hint = "close it: the sections behind it would be none any more";
    Err(Refusal::new(Reason::InvalidMarkdown, message, hint))
}

/// Refuses an id that two sections have, where it was unique before.
fn refuse_twins(path: &MemoryPath, before: &str, after: &str) -> Answer<()> {
    let (before, after) = (Outline::read(before), Outline::read(after));
    let known: BTreeSet<&SectionId> =
        before.duplicate_ids().map(|duplicate| duplicate.id).collect();
    match after.duplicate_ids().map(|duplicate| duplicate.id).find(|id| !known.contains(id)) {
        Some(id) => {
            let message = format!("two sections of `{path}` would have the id `{id}`");
            let hint = "an id names one section; leave the line of one of them out";
            Err(Refusal::new(Reason::DuplicateSectionId, message, hint))
        }
        None => Ok(()),
    }
}
