//! Finds what says almost the same as a proposal: sections, pending proposals, and those that a person rejected.
//!
//! All of it is read before the write lock is taken, and again for each review; what changes at that moment may be missed.

mod brought;
mod kept_proposals;
mod near_duplicate;
mod near_sections;

use std::cell::{OnceCell, RefCell};

use self::brought::{BroughtText, brought_texts};
use self::kept_proposals::{KnownProposal, RejectedProposal};
pub(crate) use self::near_duplicate::{NearDuplicate, NearKind};
use self::near_sections::OpenedIndex;
use super::project::Project;
use super::superseded::claims_of;
use crate::error::Result;
use crate::project::pipeline::{Screened, last_words};
use crate::project::request::ProposalId;
use crate::project::store::staging;

/// How many of them are told.
const TOLD: usize = 3;

/// Says what says almost the same as a proposal that is about to be made.
pub(super) fn near_warnings(project: &Project, screened: &Screened<'_>) -> Vec<String> {
    let texts = NearTexts::over(project);
    let found = texts.find(screened, None);
    texts.told(&found, screened.request().operations.len())
}

/// What proposals are compared with; each part is read once it is needed.
#[derive(Debug)]
pub(super) struct NearTexts<'p> {
    project: &'p Project,
    index: OnceCell<Option<OpenedIndex>>,
    pending: OnceCell<Vec<KnownProposal>>,
    rejected: OnceCell<Vec<RejectedProposal>>,
    unknown: RefCell<Option<String>>,
}

impl<'p> NearTexts<'p> {
    pub(super) fn over(project: &'p Project) -> Self {
        Self {
            project,
            index: OnceCell::new(),
            pending: OnceCell::new(),
            rejected: OnceCell::new(),
            unknown: RefCell::default(),
        }
    }

    /// Finds what says almost the same as a proposal; `own` is its id, if it is pending.
    pub(super) fn find(
        &self,
        screened: &Screened<'_>,
        own: Option<&ProposalId>,
    ) -> Vec<NearDuplicate> {
        let brought = brought_texts(screened);
        if brought.is_empty() {
            return Vec::new();
        }
        let parts = [
            self.near_sections(screened, &brought),
            self.near_rejected(screened, &brought),
            self.near_pending(screened, &brought, own),
        ];
        let mut found: Vec<NearDuplicate> = Vec::new();
        for part in parts {
            let new = self.known_or_told(part);
            for each in new {
                if !found.iter().any(|known| known.place == each.place) {
                    found.push(each);
                }
            }
        }
        found.truncate(TOLD);
        found
    }

    /// Returns what is told of them, and why some may be missing.
    pub(super) fn told(&self, found: &[NearDuplicate], of: usize) -> Vec<String> {
        let told = found.iter().map(|each| each.told(of));
        told.chain(self.unknown.borrow().clone()).collect()
    }

    /// Returns what was found; where it cannot be known, that is told.
    fn known_or_told<T>(&self, found: Result<Vec<T>>) -> Vec<T> {
        found.unwrap_or_else(|error| {
            let why = error.with_next_step();
            let told = format!("not all that says almost the same is known: {why}");
            self.unknown.replace(Some(told));
            Vec::new()
        })
    }

    fn near_sections(
        &self,
        screened: &Screened<'_>,
        brought: &[BroughtText],
    ) -> Result<Vec<NearDuplicate>> {
        if self.index.get().is_none() {
            // Where it fails it is not tried again for the next proposal.
            let opened = self.project.fresh_index();
            let (index, failed) = match opened {
                Ok((index, _)) => (Some(OpenedIndex::new(self.project, index)), None),
                Err(error) => (None, Some(error)),
            };
            self.index.get_or_init(|| index);
            failed.map_or(Ok(()), Err)?;
        }
        match self.index.get().and_then(Option::as_ref) {
            Some(index) => near_sections::find(self.project, index, (screened, brought)),
            None => Ok(Vec::new()),
        }
    }

    fn near_rejected(
        &self,
        screened: &Screened<'_>,
        brought: &[BroughtText],
    ) -> Result<Vec<NearDuplicate>> {
        let project = self.project;
        if self.rejected.get().is_none() {
            let read = kept_proposals::rejected(project)?;
            self.rejected.get_or_init(|| read);
        }
        let all = self.rejected.get().into_iter().flatten();
        Ok(all.filter_map(|each| each.near(project, brought, screened)).collect())
    }

    fn near_pending(
        &self,
        screened: &Screened<'_>,
        brought: &[BroughtText],
        own: Option<&ProposalId>,
    ) -> Result<Vec<NearDuplicate>> {
        let project = self.project;
        if self.pending.get().is_none() {
            let read = kept_proposals::pending(project)?;
            self.pending.get_or_init(|| read);
        }
        let question = screened.question_hash();
        let mut found = Vec::new();
        for each in self.pending.get().into_iter().flatten() {
            if own == Some(&each.kept.id) || each.kept.question == question.as_str() {
                continue;
            }
            let Some(near) = each.near(project, screened, brought) else { continue };
            if !self.one_replaces_the_other(screened, each)? {
                found.push(near);
            }
        }
        Ok(found)
    }

    /// Tells whether one of two proposals of the same owner replaces the other.
    fn one_replaces_the_other(
        &self,
        screened: &Screened<'_>,
        other: &KnownProposal,
    ) -> Result<bool> {
        let owner = screened.request().owner.as_ref().map(|owner| &owner.id);
        if owner.is_none() || owner != other.kept.owner.as_ref() {
            return Ok(false);
        }
        let layout = self.project.store.layout();
        let Some(other) = staging::read_waiting(layout, &other.kept.id)? else { return Ok(true) };
        let mut claims = [claims_of(self.project, &other)?, Some(screened.claims())];
        let is_replaced = |claims: &[_]| last_words(claims, |number| number == 1)[0].is_some();
        if is_replaced(&claims) {
            return Ok(true);
        }
        claims.reverse();
        Ok(is_replaced(&claims))
    }
}

impl Drop for NearTexts<'_> {
    fn drop(&mut self) {
        // The change that follows, or the next command, need not open it again.
        if let Some(index) = self.index.take().flatten() {
            self.project.index.put(index.index);
        }
    }
}
