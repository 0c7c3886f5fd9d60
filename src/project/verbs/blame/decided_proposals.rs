//! Finds the applied proposal that a commit brought together with a section, where its message names none.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::error::Result;
use crate::markdown::Outline;
use crate::project::claim::{ClaimedDecision, DecisionClaim};
use crate::project::edit::find_target;
use crate::project::request::{Action, AffectedSection, Operation, ProposalId, Request};
use crate::project::schema::Catalog;
use crate::project::store::Commit;
use crate::project::store::staging::{self, DecisionMark};
use crate::project::verbs::kept_request::{compared_lines, kept_request, may_hold};
use crate::project::verbs::project::Project;

/// The proposals that commits brought as applied, by their marks in `decided/` and the requests beside them. What git
/// does not tell is not known.
pub(super) struct DecidedProposals<'a> {
    project: &'a Project,
    catalog: &'a Catalog,
    /// What was applied, and not taken back.
    applied: BTreeSet<ProposalId>,
    /// What `decided/` says of who applied it, oldest first.
    claims: Vec<DecisionClaim>,
    by_commit: RefCell<BTreeMap<String, Rc<[DecidedRequest]>>>,
}

struct DecidedRequest {
    id: ProposalId,
    request: Request,
}

impl<'a> DecidedProposals<'a> {
    pub(super) fn of(project: &'a Project) -> Result<Self> {
        let layout = project.store.layout();
        let (catalog, applied) = (project.catalog()?, staging::applied_ids(layout)?);
        let claims = staging::claims(layout)?.into_iter().filter(|found| !found.is_taken_back);
        let claims = claims.map(|found| found.claim);
        let claims = claims.filter(|claim| claim.decision == ClaimedDecision::Applied).collect();
        Ok(Self { project, catalog, applied, claims, by_commit: RefCell::default() })
    }

    /// Returns the newest claim that a proposal wrote a section as it is now, with its subsections.
    pub(super) fn claim(
        &self,
        path: &str,
        outline: &Outline<'_>,
        number: usize,
    ) -> Option<&DecisionClaim> {
        let section = &outline.sections()[number];
        let id = section.id.as_ref()?;
        let is_it =
            |each: &&AffectedSection| each.file == path && each.section_id.as_ref() == Some(id);
        let named = |claim: &&DecisionClaim| claim.sections.iter().any(|each| is_it(&each));
        let mut named = self.claims.iter().rev().filter(named).peekable();
        named.peek()?;
        let hash = outline.full_hash(section).to_string();
        let is_as_left = |each: &AffectedSection| each.hash.as_ref() == Some(&hash);
        named.find(|claim| claim.sections.iter().filter(is_it).any(is_as_left))
    }

    /// Tells whether `decided/` has a proposal as applied.
    pub(super) fn is_applied(&self, id: &ProposalId) -> bool {
        self.applied.contains(id)
    }

    /// Returns the proposal that wrote each line of a section. A commit may hold what a person wrote, too, as one that a
    /// forge made of a branch does.
    pub(super) fn writer(
        &self,
        commit: &Commit,
        path: &str,
        outline: &Outline<'_>,
        number: usize,
    ) -> Option<ProposalId> {
        let decided = self.brought_by(commit);
        let wrote = |decided: &&DecidedRequest| {
            let request = &decided.request;
            request.operations.iter().any(|operation| {
                may_hold(self.catalog, request.intent, operation, path)
                    && writes(operation, outline, number)
            })
        };
        decided.iter().find(wrote).map(|decided| decided.id.clone())
    }

    fn brought_by(&self, commit: &Commit) -> Rc<[DecidedRequest]> {
        let read = || self.read(commit).unwrap_or_default().into();
        self.by_commit.borrow_mut().entry(commit.id.clone()).or_insert_with(read).clone()
    }

    fn read(&self, commit: &Commit) -> Option<Vec<DecidedRequest>> {
        let layout = self.project.store.layout();
        let git = layout.git();
        let fixed = ["diff-tree", "--no-commit-id", "-r", "--root", "-z", "--name-only"];
        let more = ["--no-renames", "--diff-filter=A", &commit.id, "--"];
        let listed = git.run_on(&[&fixed[..], &more].concat(), &["decided"], b"").ok()?;
        let decided = git.listed_inside(&listed).filter_map(|added| {
            let (id, mark) = DecisionMark::read(added.strip_prefix("decided/")?)?;
            (mark.decision == staging::APPLIED).then_some(id)
        });
        let applied: BTreeSet<ProposalId> = decided.collect();
        let requests = applied.into_iter().filter(|id| self.is_applied(id)).flat_map(|id| {
            let kept = staging::kept(layout, &id).flatten();
            let requests = kept.filter_map(|(_, text)| kept_request(&text, &id));
            let all: Vec<Request> = requests.collect();
            all.into_iter().map(move |request| DecidedRequest { id: id.clone(), request })
        });
        Some(requests.collect())
    }
}

/// Tells whether an operation writes a section as a whole, and with each line that it has now.
fn writes(operation: &Operation, outline: &Outline<'_>, number: usize) -> bool {
    let section = &outline.sections()[number];
    let skipped = match &operation.action {
        Action::CreateFile { .. } | Action::ReplaceSection { .. } => 0,
        Action::AppendSection { heading, .. } => {
            usize::from(heading.trim() == section.heading.text)
        }
        Action::ReplaceSectionContent { target, .. } => {
            match find_target(outline, &target.selector) == Some(number) {
                true => 1,
                false => return false,
            }
        }
        Action::AppendToSection { .. }
        | Action::RenameHeading { .. }
        | Action::ArchiveSection { .. }
        | Action::RemoveSection { .. } => return false,
    };
    let content = operation.action.content().unwrap_or_default();
    let brought: BTreeSet<&str> = compared_lines(content).collect();
    compared_lines(outline.own(section)).skip(skipped).all(|line| brought.contains(line))
}
