//! Asks git which files are other than on the default branch.

use super::git::listed;
use super::strangers::refuse_to_confuse_git;
use super::{Layout, Repository};
use crate::error::Result;

/// Branches that are taken for the default one where the remote does not name it.
const DEFAULTS: [&str; 4] = ["origin/main", "origin/master", "main", "master"];

impl Repository {
    /// Returns the files that changed since this branch left the default one, committed or not, new ones
    /// included, in order; relative to the repository of the store. Nothing where git has no answer.
    pub fn changed_files(&self, layout: &Layout) -> Result<Vec<String>> {
        refuse_to_confuse_git(layout)?;
        let base =
            self.default_branch().and_then(|branch| self.git(&["merge-base", "HEAD", &branch]));
        let base = base.unwrap_or_else(|| "HEAD".to_owned());
        let options = ["diff", "--name-only", "-z", "--no-ext-diff", "--relative"];
        let tracked = self.git_bytes(&[&options[..], &[&base, "--", "."]].concat());
        let new = self.git_bytes(&["ls-files", "-z", "--others", "--exclude-standard"]);
        let (tracked, new) = (tracked.unwrap_or_default(), new.unwrap_or_default());
        let files = listed(&tracked).chain(listed(&new));
        let mut files: Vec<String> =
            files.filter(|path| !path.starts_with(".agent-memory/")).collect();
        files.sort_unstable();
        files.dedup();
        Ok(files)
    }

    fn default_branch(&self) -> Option<String> {
        let remote = self.git(&["symbolic-ref", "--short", "--quiet", "refs/remotes/origin/HEAD"]);
        let known = |branch: &&str| {
            let commit = format!("{branch}^{{commit}}");
            self.git(&["rev-parse", "--verify", "--quiet", &commit]).is_some()
        };
        remote.or_else(|| DEFAULTS.into_iter().find(known).map(str::to_owned))
    }
}
