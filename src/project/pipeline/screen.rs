//! Request → screened: its files are known, nothing in it is hidden or secret, its evidence is there.
//!
//! All of this happens before the write lock is taken, so that a bad request blocks no other writer.

use std::collections::BTreeSet;

use serde_json::Value;

use super::inspect::{refuse_hidden, refuse_secrets};
use super::parse::Proposal;
use super::place::Placed;
use super::surroundings::{Branch, Rules, Surroundings};
use crate::contract::{ContentHash, Moment, SourceType};
use crate::markdown::SourceNote;
use crate::project::edit::TouchedSection;
use crate::project::provenance::{self, FoundEvidence, SourceList};
use crate::project::request::{Answer, MemoryPath, Operation, Reason, Refusal, Request, Source};
use crate::project::schema::{Catalog, Category, Matching};

/// A request that may be planned.
#[derive(Debug)]
#[must_use = "call `plan` under the lock"]
pub struct Screened<'a> {
    pub(super) proposal: Proposal,
    pub(super) rules: Rules<'a>,
    pub(super) placed: Vec<Placed<'a>>,
    /// For each operation what it rests on.
    pub(super) notes: Vec<Vec<SourceNote>>,
    /// For each operation of a pending request the section that it built on when the request was made.
    pub(super) touched_then: Vec<Option<TouchedSection>>,
    /// The sources that changed since.
    pub(super) changed: Vec<Source>,
    /// What was held against the patterns of the schemas before the lock.
    pub(super) matching: Matching,
    branch: Option<Branch>,
    /// Warnings about sources that could not be looked up.
    pub(super) unknown: Vec<String>,
}

impl Proposal {
    /// Finds the files, looks for what is hidden or secret, checks the evidence.
    pub fn screen<'a>(
        self,
        rules: Rules<'a>,
        surroundings: &dyn Surroundings,
    ) -> Answer<Screened<'a>> {
        let (placed, branch) = self.place(rules, surroundings)?;
        refuse_hidden(&self.raw, &self.request)?;
        refuse_secrets(&self.raw, rules.scanner)?;
        let request = &self.request;
        let all = request.all_sources();
        let own = request.operations.iter().flat_map(|operation| &operation.sources);
        let replaced = request.sources.iter().chain(own).filter_map(provenance::replaced_file);
        let asked: Vec<Source> = all.iter().cloned().chain(replaced).collect();
        let evidence = surroundings.evidence(&asked);
        let found = FoundEvidence::new(asked, evidence);
        refuse_unfounded(request, &placed, &found)?;
        // Where no branch is checked out one file is for all commits, so that each section names its own.
        let commit = branch.as_ref().and_then(|branch| branch.commit.clone());
        let commit = commit.map(|commit| SourceNote {
            kind: SourceType::Commit,
            reference: commit,
            blob: None,
            confidence: request.confidence,
            date: self.day.clone(),
        });
        let notes_of = |operation| {
            let sources = request.sources_of(operation);
            let notes = provenance::notes(sources, &found, request.confidence, &self.day);
            notes.into_iter().chain(commit.clone()).collect()
        };
        let notes = request.operations.iter().map(notes_of).collect();
        let unknown = provenance::not_known(&all, &found);
        let (touched_then, changed) = (surroundings.touched_then().to_vec(), found.changed());
        let matching = match_ahead(request, &placed);
        Ok(Screened {
            proposal: self,
            rules,
            placed,
            notes,
            touched_then,
            changed,
            matching,
            branch,
            unknown,
        })
    }
}

impl Screened<'_> {
    pub fn request(&self) -> &Request {
        &self.proposal.request
    }

    /// Returns what an operation rests on, as the request says it.
    pub(super) fn sources_of(&self, index: usize) -> &[Source] {
        let request = self.request();
        request.operations.get(index).map_or(&[], |operation| request.sources_of(operation))
    }

    pub fn raw(&self) -> &Value {
        &self.proposal.raw
    }

    pub fn submitted_at(&self) -> Moment {
        self.proposal.submitted_at
    }

    /// Returns the day on which it was made, by the clock of its maker.
    pub(crate) fn day(&self) -> &str {
        &self.proposal.day
    }

    pub fn question_hash(&self) -> ContentHash {
        super::parse::question_hash(&self.proposal.raw)
    }

    /// Returns what the operations rest on, each once.
    pub fn notes(&self) -> Vec<&SourceNote> {
        let mut known = BTreeSet::new();
        let all = self.notes.iter().flatten();
        all.filter(|note| known.insert((note.kind, &note.reference))).collect()
    }

    /// Returns the branch, where a file is named after it.
    pub fn branch(&self) -> Option<&str> {
        self.branch.as_ref().map(|branch| branch.name.as_str())
    }

    pub(crate) fn catalog(&self) -> &Catalog {
        self.rules.catalog
    }

    /// Returns each operation with its file.
    pub(crate) fn operations(&self) -> impl Iterator<Item = (&Operation, &MemoryPath)> {
        let paths = self.placed.iter().map(|placed| &placed.path);
        self.request().operations.iter().zip(paths)
    }

    /// Returns the files that must be read before the change can be planned.
    pub fn files(&self) -> BTreeSet<MemoryPath> {
        let named = self.placed.iter().flat_map(|placed| {
            std::iter::once(placed.path.clone())
                .chain(placed.archive.iter().map(|(p, _)| p.clone()))
        });
        named.collect()
    }
}

/// Refuses sources that are not there, and categories that need better ones.
fn refuse_unfounded(request: &Request, placed: &[Placed<'_>], found: &FoundEvidence) -> Answer<()> {
    let of_all = SourceList { pointer: "/sources".to_owned(), sources: &request.sources };
    let mut violations = provenance::missing(&of_all, found);
    let mut lacking = Vec::new();
    for (index, (operation, placed)) in request.operations.iter().zip(placed).enumerate() {
        let categories = categories(std::slice::from_ref(placed));
        let list = match operation.sources.as_slice() {
            [] => of_all.clone(),
            sources => SourceList { pointer: format!("/operations/{index}/sources"), sources },
        };
        if !operation.sources.is_empty() {
            violations.extend(provenance::missing(&list, found));
        }
        lacking.extend(provenance::lacking(&list, &categories));
    }
    for said in lacking {
        if !violations.contains(&said) {
            violations.push(said);
        }
    }
    let Some(first) = violations.first() else { return Ok(()) };
    let pointer = first.split_once(": ").map_or("/sources", |(pointer, _)| pointer).to_owned();
    let mut refusal = Refusal::new(
        Reason::ProvenanceViolation,
        violations.join("; "),
        "add a source that can be looked up, e.g. {\"type\": \"file\", \"ref\": \"src/auth.rs:10-20\"}, with a path inside the repository",
    )
    .at(pointer);
    refusal.provenance_violations = violations;
    Err(refusal)
}

/// Holds what the operations bring against the patterns, which may take long.
fn match_ahead(request: &Request, placed: &[Placed<'_>]) -> Matching {
    let matching = Matching::of_request();
    for (operation, placed) in request.operations.iter().zip(placed) {
        if let (Some(rules), Some(content)) = (&placed.category.section, operation.action.content())
        {
            rules.match_ahead(content, &matching);
        }
    }
    matching
}

fn categories<'a>(placed: &[Placed<'a>]) -> Vec<&'a Category> {
    let mut found: Vec<&Category> = Vec::new();
    let archives = placed.iter().filter_map(|each| each.archive.as_ref().map(|(_, owner)| *owner));
    for category in placed.iter().map(|each| each.category).chain(archives) {
        if !found.iter().any(|each| each.name == category.name) {
            found.push(category);
        }
    }
    found
}
