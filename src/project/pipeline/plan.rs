//! Screened → planned: every file as it would stand, with nothing written yet.

use std::collections::BTreeSet;

use super::digest::Approvable;
use super::injections::injections;
use super::losses::losses;
use super::plan_builder::PlanBuilder;
use super::planned_file::{PlannedFile, affected_sections};
use super::screen::Screened;
use super::snapshot::Snapshot;
use super::verify;
use crate::contract::ContentHash;
use crate::project::edit::TouchedSection;
use crate::project::rejection::Rejection;
use crate::project::request::{AffectedSection, Answer, OperationKind};

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
    /// For each operation the section that it builds on, if it builds on any.
    pub touched: Vec<Option<TouchedSection>>,
    /// What the caller should know.
    pub warnings: Vec<String>,
    /// Whether a text comes in that is allowed to look like a secret.
    pub(super) new_allow_region: bool,
    /// Whether it writes what stands in a tracked file outside of its entries.
    pub(super) changes_frame: bool,
    /// Whether it brings into a tracked file what changes how its other sections are read.
    pub(super) reaches_out: bool,
    pub(super) replacing: Vec<usize>,
    pub(super) approvable: Approvable,
    /// What each operation came down to.
    pub(super) effects: Vec<OperationKind>,
    /// The texts that people rejected.
    pub(super) rejections: Vec<Rejection>,
    /// The ids of those that `restore` finds.
    pub(super) restorable: BTreeSet<String>,
}

impl<'a> Screened<'a> {
    /// Returns for each operation the section of some files that it builds on, as far as it can be done there.
    pub fn touches(&self, snapshot: &Snapshot) -> Vec<Option<TouchedSection>> {
        let mut builder = PlanBuilder::new(snapshot);
        // What cannot be done is for the plan to say.
        let _ = builder.work_all(self);
        builder.touched
    }

    /// Does every operation to a copy of the files and checks the result.
    pub fn plan(self, snapshot: Snapshot) -> Answer<Planned<'a>> {
        let mut builder = PlanBuilder::new(&snapshot);
        let refused = builder.work_all(&self);
        let mut files = builder.files();
        verify::check(&self, &mut files, &builder.writers, refused)?;
        let new_allow_region = verify::brings_allow_region(&files);
        let changes_frame = files.iter().any(|file| verify::changes_frame(&self, file));
        let reaches_out = files.iter().any(|file| verify::reaches_out(&self, file));
        let affected = files.iter().flat_map(affected_sections).collect();
        let PlanBuilder { touched, results, mut warnings, replacing, effects, .. } = builder;
        warnings.extend(losses(&self, &files));
        warnings.extend(injections(&self, &files));
        let weakened: Vec<_> = files.iter().flat_map(PlannedFile::weakened).collect();
        warnings.extend(weakened.iter().map(|it| it.told.clone()));
        warnings.extend(self.unknown.iter().cloned());
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
            changes_frame,
            reaches_out,
            replacing,
            approvable: Approvable::Operations { results, weakened },
            effects,
            rejections: snapshot.rejections,
            restorable: snapshot.restorable,
        })
    }
}

impl Planned<'_> {
    /// Returns the hash of all that a person approves.
    pub fn digest(&self) -> ContentHash {
        self.approvable.digest(&self.files)
    }

    pub(crate) fn listed(&self) -> impl Iterator<Item = &PlannedFile> {
        let catalog = self.screened.rules.catalog;
        self.files.iter().filter(move |file| catalog.is_tracked(file.path.as_str()))
    }
}
