//! The repository as a change sees it: the branch, and the evidence that is there.

use super::cited::CitedFiles;
use super::memory_store::Store;
use super::repository::{NO_BRANCH, Repository};
use super::sections::memory_files;
use crate::contract::SourceType;
use crate::markdown::SourceNote;
use crate::project::edit::TouchedSection;
use crate::project::pipeline::{Branch, Surroundings};
use crate::project::provenance::Evidence;
use crate::project::request::{Answer, MemoryPath, Reason, Refusal, Source};

/// The repository and the store as they are.
#[derive(Debug)]
pub(crate) struct Today<'a> {
    pub(crate) repository: &'a Repository,
    pub(crate) store: &'a Store,
}

/// The repository when a proposal was made: evidence must still exist, but its recorded state counts.
#[derive(Debug)]
pub(crate) struct Recorded<'a> {
    pub(crate) today: Today<'a>,
    /// What was recorded, if it can be trusted.
    pub(crate) state: Option<RecordedState<'a>>,
}

/// What a proposal records of the time at which it was made.
#[derive(Debug)]
pub(crate) struct RecordedState<'a> {
    pub(crate) branch: &'a str,
    pub(crate) notes: &'a [SourceNote],
    /// For each operation.
    pub(crate) touched: &'a [Option<TouchedSection>],
}

impl Surroundings for Today<'_> {
    fn branch(&self) -> Answer<Branch> {
        self.repository.branch_now().map_err(|error| {
            let message =
                format!("the branch, after which the file is named, is not known: {error}");
            Refusal::new(Reason::InvalidPath, message, error.next_step().unwrap_or(NO_BRANCH))
        })
    }

    fn text(&self, path: &MemoryPath) -> Option<String> {
        self.store.read(path).ok()?.into_text()
    }

    fn files(&self) -> Vec<String> {
        memory_files(self.store.layout().folder()).unwrap_or_default()
    }

    fn evidence(&self, sources: &[Source]) -> Vec<Evidence> {
        let commits = sources.iter().filter(|source| source.kind == SourceType::Commit);
        let commits: Vec<&str> = commits.map(|source| source.reference.as_str()).collect();
        let mut commits = self.repository.look_up_commits(&commits).into_iter();
        let files = CitedFiles::of(self.repository);
        let look_up = |source: &Source| match source.kind {
            SourceType::File | SourceType::Test => files.look_up(&source.reference),
            SourceType::Commit => commits.next().expect("each of them was looked up"),
            SourceType::User
            | SourceType::Session
            | SourceType::Url
            | SourceType::External
            | SourceType::Inference => Evidence::Unchecked,
        };
        sources.iter().map(look_up).collect()
    }
}

impl Surroundings for Recorded<'_> {
    fn branch(&self) -> Answer<Branch> {
        match &self.state {
            Some(state) => Ok(Branch::named(state.branch)),
            None => self.today.branch(),
        }
    }

    fn text(&self, path: &MemoryPath) -> Option<String> {
        self.today.text(path)
    }

    fn files(&self) -> Vec<String> {
        self.today.files()
    }

    fn evidence(&self, sources: &[Source]) -> Vec<Evidence> {
        let notes = self.state.as_ref().map(|state| state.notes).unwrap_or_default();
        let noted = |source: &Source| {
            let is_it =
                |note: &&SourceNote| note.kind == source.kind && note.reference == source.reference;
            notes.iter().find(is_it)
        };
        let found = self.today.evidence(sources).into_iter().zip(sources);
        let files = CitedFiles::of(self.today.repository);
        let as_noted = |(found, source)| match (found, noted(source)) {
            (Evidence::Present(now), Some(SourceNote { blob: Some(then), .. }))
                if now.as_ref() != Some(then) =>
            {
                Evidence::Changed(then.clone())
            }
            (Evidence::Present(_), Some(note)) => Evidence::Present(note.blob.clone()),
            // Lines that moved up are there, though the file ends before the place where they were.
            (Evidence::Shorter(_), Some(note @ SourceNote { blob: Some(then), .. }))
                if files.moved_to(note).is_some() =>
            {
                Evidence::Changed(then.clone())
            }
            (found, _) => found,
        };
        found.map(as_noted).collect()
    }

    fn touched_then(&self) -> &[Option<TouchedSection>] {
        self.state.as_ref().map(|state| state.touched).unwrap_or_default()
    }
}
