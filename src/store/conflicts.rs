//! What git could not merge: the three stages of a file in its index, and git's settings for merging.

use std::collections::{BTreeMap, BTreeSet};

use super::git::{Git, listed};
use super::strangers::refuse_to_confuse_git;
use super::{Layout, Repository};
use crate::contract::{MemoryPath, is_aside};
use crate::error::{Error, ErrorKind, Result};

/// What git left in conflict in a store, in order.
#[derive(Debug, Clone, Default)]
pub struct Conflicts {
    /// Memory files.
    pub files: Vec<Conflict>,
    /// Memory files of which some version is no text.
    pub unreadable: BTreeSet<String>,
    /// Markdown whose names no memory file may have.
    pub misnamed: BTreeSet<String>,
    /// Folders of proposals.
    pub proposals: BTreeSet<String>,
}

/// A file of the store that git left in conflict.
#[derive(Debug, Clone)]
pub struct Conflict {
    /// The file.
    pub path: MemoryPath,
    /// What both sides began with, what we made of it, what they made of it; none where it was not there.
    pub stages: [Option<String>; 3],
}

impl Repository {
    /// Returns what git left in conflict.
    pub fn conflicts(&self, layout: &Layout) -> Result<Conflicts> {
        refuse_to_confuse_git(layout)?;
        let here = Self::new(layout.store());
        let list = Git::at(layout.store())
            .consult(&["ls-files", "--unmerged", "-z", "--", "."])?
            .ok_or_else(|| {
            Error::new(ErrorKind::Usage, "this is no git repository")
                .hint("conflicts are found in git's index")
        })?;
        let mut found: BTreeMap<MemoryPath, [Option<String>; 3]> = BTreeMap::new();
        let (mut proposals, mut unreadable) = (BTreeSet::new(), BTreeSet::new());
        let mut misnamed = BTreeSet::new();
        for entry in listed(&list) {
            // `<mode> <id> <stage>\t<path>`
            let Some((head, path)) = entry.split_once('\t') else { continue };
            let staged = path.strip_prefix("staging/").and_then(|rest| rest.split_once('/'));
            proposals.extend(staged.map(|(proposal, _)| proposal.to_owned()));
            let mut words = head.split(' ').skip(1);
            let (Some(id), Some(stage)) = (words.next(), words.next()) else { continue };
            let Some(path) = memory_path(path) else {
                let is_memory = path.ends_with(".md") && !is_aside(path);
                misnamed.extend(is_memory.then(|| path.to_owned()));
                continue;
            };
            let Some(bytes) = here.git_bytes(&["cat-file", "blob", id]) else { continue };
            let stage: usize = stage.parse().unwrap_or_default();
            match (String::from_utf8(bytes), stage) {
                (Ok(text), 1..=3) => found.entry(path).or_default()[stage - 1] = Some(text),
                // A side that cannot be read is not one that deleted the file.
                (Err(_), _) => drop(unreadable.insert(path.to_string())),
                (Ok(_), _) => {}
            }
        }
        found.retain(|path, _| !unreadable.contains(path.as_str()));
        let files = found.into_iter().map(|(path, stages)| Conflict { path, stages }).collect();
        Ok(Conflicts { files, unreadable, misnamed, proposals })
    }

    /// Tells git that files of the store are merged.
    pub fn mark_resolved(&self, layout: &Layout, paths: &[String]) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        // What git ignores and keeps all the same is in its index, or it could not be in conflict.
        let mut arguments = vec!["add", "--all", "--force", "--"];
        arguments.extend(paths.iter().map(String::as_str));
        Self::new(layout.store()).git_bytes(&arguments).map(drop).ok_or_else(|| {
            Error::new(ErrorKind::Io, "git did not take the merged files")
                .hint("the files are merged; run `git add` on them")
        })
    }

    /// Returns what a setting is.
    pub fn setting(&self, reach: Reach, name: &str) -> Option<String> {
        self.git(&["config", reach.option(), "--get", name])
    }

    /// Sets a setting.
    pub fn configure(&self, reach: Reach, name: &str, value: &str) -> Result<()> {
        self.git_bytes(&["config", reach.option(), name, value]).map(drop).ok_or_else(|| {
            Error::new(ErrorKind::Io, "git did not take the setting")
                .hint("run it inside of a git repository that you may write to")
        })
    }

    /// Takes a section of settings out.
    pub fn forget(&self, reach: Reach, section: &str) -> Result<()> {
        let taken = self.git_bytes(&["config", reach.option(), "--remove-section", section]);
        taken.map(drop).ok_or_else(|| {
            Error::new(ErrorKind::Io, "git did not take the settings out")
                .hint("run it inside of a git repository that you may write to")
        })
    }
}

/// Returns the path of a memory file; what lies in the queue or in `state/` is none.
fn memory_path(path: &str) -> Option<MemoryPath> {
    MemoryPath::parse(path).ok().filter(|path| !is_aside(path.as_str()))
}

/// For which repositories a setting of git holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// For this one.
    Repository,
    /// For all of a user's.
    User,
}

impl Reach {
    fn option(self) -> &'static str {
        match self {
            Self::Repository => "--local",
            Self::User => "--global",
        }
    }
}
