//! Merge conflicts: the three stages of a file in git's index, and git's merge settings.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::Layout;
use super::repository::Repository;
use super::unexpected::refuse_to_confuse_git;
use crate::error::{Error, ErrorKind, Result};
use crate::git::{RepositoryKind, split_nul};
use crate::project::request::{MemoryPath, is_reserved};

/// The files of a store in conflict, sorted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conflicts {
    pub(crate) files: Vec<Conflict>,
    /// Memory files with a version that is no text.
    pub(crate) unreadable: BTreeSet<String>,
    /// Markdown files whose names no memory file may have.
    pub(crate) misnamed: BTreeSet<String>,
    /// Folders of proposals.
    pub(crate) proposals: BTreeSet<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct Conflict {
    pub(crate) path: MemoryPath,
    /// The base, our version and their version; `None` where the file is missing.
    pub(crate) stages: [Option<String>; 3],
}

impl Repository {
    pub(crate) fn conflicts(&self, layout: &Layout) -> Result<Conflicts> {
        refuse_to_confuse_git(layout)?;
        let git = layout.git();
        if git.find()? != RepositoryKind::WorkTree {
            let hint = "conflicts are found in git's index";
            return Err(Error::new(ErrorKind::Usage, "this is no git repository").hint(hint));
        }
        let list = git.run(&["ls-files", "--unmerged", "-z", "--", git.prefix()], b"")?;
        let mut found: BTreeMap<MemoryPath, [Option<String>; 3]> = BTreeMap::new();
        let (mut proposals, mut unreadable) = (BTreeSet::new(), BTreeSet::new());
        let mut misnamed = BTreeSet::new();
        for entry in split_nul(&list) {
            // `<mode> <id> <stage>\t<path>`
            let Some((head, path)) = entry.split_once('\t') else { continue };
            let Some(path) = git.inside(path) else { continue };
            let staged = path.strip_prefix("staging/").and_then(|rest| rest.split_once('/'));
            proposals.extend(staged.map(|(proposal, _)| proposal.to_owned()));
            let mut words = head.split(' ').skip(1);
            let (Some(id), Some(stage)) = (words.next(), words.next()) else { continue };
            let Some(path) = memory_path(path) else {
                let is_memory = path.ends_with(".md") && !is_reserved(path);
                misnamed.extend(is_memory.then(|| path.to_owned()));
                continue;
            };
            let text = git.run(&["cat-file", "blob", id], b"").map(String::from_utf8);
            let stage: usize = stage.parse().unwrap_or_default();
            match (text, stage) {
                (Ok(Ok(text)), 1..=3) => found.entry(path).or_default()[stage - 1] = Some(text),
                // An unreadable version is not a deletion.
                (Ok(Err(_)) | Err(_), _) => drop(unreadable.insert(path.to_string())),
                (Ok(Ok(_)), _) => {}
            }
        }
        found.retain(|path, _| !unreadable.contains(path.as_str()));
        let files = found.into_iter().map(|(path, stages)| Conflict { path, stages }).collect();
        Ok(Conflicts { files, unreadable, misnamed, proposals })
    }

    pub(crate) fn mark_resolved(&self, layout: &Layout, paths: &[String]) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        // An ignored file in conflict is tracked, so `--force` adds no new one.
        let mut arguments = ["add", "--all", "--force", "--"].map(str::to_owned).to_vec();
        arguments.extend(paths.iter().map(|path| layout.git().named(path)));
        layout.git().run(&arguments, b"").map(drop).map_err(|error| {
            Error::new(ErrorKind::Io, "git did not take the merged files")
                .hint("the files are merged; run `git add` on them")
                .because(error)
        })
    }

    pub(crate) fn setting(&self, reach: Reach, name: &str) -> Result<Option<String>> {
        if reach == Reach::Repository && self.git().find()? == RepositoryKind::Nothing {
            return Ok(None);
        }
        self.git().consult_line(&["config", reach.option(), "--get", name])
    }

    pub(crate) fn configure(&self, reach: Reach, name: &str, value: &str) -> Result<()> {
        let set = self.git().act_alone(&["config", reach.option(), name, value]);
        set.map_err(|error| unchanged("git did not take the setting", error))
    }

    pub(crate) fn forget(&self, reach: Reach, name: &str) -> Result<()> {
        let removed = self.git().act_alone(&["config", reach.option(), "--unset", name]);
        removed.map_err(|error| unchanged("git did not take the setting out", error))
    }
}

fn unchanged(message: &str, error: Error) -> Error {
    let hint = "run it inside of a git repository that you may write to";
    Error::new(ErrorKind::Io, message).hint(hint).because(error)
}

/// Paths in the queue or in `state/` are no memory files.
fn memory_path(path: &str) -> Option<MemoryPath> {
    MemoryPath::parse(path).ok().filter(|path| !is_reserved(path.as_str()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Repository,
    /// All repositories of the user.
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
