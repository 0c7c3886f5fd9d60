//! Asks git which files differ from the default branch.

use super::layout::Layout;
use super::repository::Repository;
use super::unexpected::refuse_to_confuse_git;
use crate::error::Result;
use crate::git::{DIFF_INDEX, RepositoryKind, split_nul};

/// Candidates for the default branch, if the remote does not name it.
const DEFAULTS: [&str; 4] = ["origin/main", "origin/master", "main", "master"];

impl Repository {
    /// Returns the files that changed since this branch left the default one, uncommitted and new ones too, sorted and
    /// relative to the repository of the store. Empty if git has no answer.
    pub(crate) fn changed_files(&self, layout: &Layout) -> Result<Vec<String>> {
        refuse_to_confuse_git(layout)?;
        let git = self.git();
        if git.find()? != RepositoryKind::WorkTree {
            return Ok(Vec::new());
        }
        let Some(head) = git.last_commit()? else { return Ok(Vec::new()) };
        let base = match self.default_branch()? {
            Some(branch) => git.consult_line(&["merge-base", "HEAD", &branch])?,
            None => None,
        };
        let base = base.unwrap_or(head);
        let relative = format!("--relative={}", git.prefix());
        let options = [&DIFF_INDEX[..], &["--name-only", &relative]].concat();
        let tracked = git.without_filters(|settings| {
            git.run(&[settings, &options[..], &[&base, "--"]].concat(), b"")
        })?;
        let others = ["ls-files", "-z", "--others", "--exclude-standard", "--"];
        let here = git.prefix();
        let here = if here.is_empty() { &[][..] } else { &[here] };
        let new = git.run(&[&others[..], here].concat(), b"")?;
        let files = split_nul(&tracked).chain(git.listed_inside(&new));
        let mut files: Vec<String> =
            files.filter(|path| !path.starts_with(".agent-memory/")).collect();
        files.sort_unstable();
        files.dedup();
        Ok(files)
    }

    /// Returns the default branch, by the name of the remote if that has it; `None` if it is not known.
    pub(super) fn default_branch(&self) -> Result<Option<String>> {
        let git = self.git();
        let remote = ["symbolic-ref", "--short", "--quiet", "refs/remotes/origin/HEAD"];
        if let Some(branch) = git.consult_line(&remote)? {
            return Ok(Some(branch));
        }
        for branch in DEFAULTS {
            let commit = format!("{branch}^{{commit}}");
            if git.consult(&["rev-parse", "--verify", "--quiet", &commit])?.is_some() {
                return Ok(Some(branch.to_owned()));
            }
        }
        Ok(None)
    }
}
