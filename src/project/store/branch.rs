//! Reads the current branch from git's folder; git is asked only if that fails.

use std::path::Path;

use super::blobs::short;
use super::repository::Repository;
use crate::contract::ContentHash;
use crate::disk::outside;
use crate::error::Result;
use crate::git::{Git, GitFolder};
use crate::project::pipeline::Branch;
use crate::text::slug;

/// The name where no branch is checked out.
const DETACHED: &str = "detached";

/// Files in git's folder that name a branch during a rebase.
const REBASED: [&str; 2] = ["rebase-merge/head-name", "rebase-apply/head-name"];

impl Repository {
    /// Returns the name of the branch that git has checked out; none without git, or where it does not tell.
    pub(crate) fn checked_out(&self) -> Option<String> {
        self.git().is_there().then(|| self.branch_now().ok()).flatten().map(|branch| branch.name)
    }

    /// Returns the current branch; `main` without a repository. A failure of git is an error: another branch must not
    /// stand in.
    pub(crate) fn branch_now(&self) -> Result<Branch> {
        let git = self.git();
        if !git.is_there() {
            return Ok(Branch::named("main"));
        }
        let head = git.folder().and_then(read_head);
        let head = match head {
            Some(head) => head,
            // Another format of references, or of `HEAD`.
            None => ask_head(git)?,
        };
        match head {
            Head::Branch(name) => Ok(Branch::named(name_of(&name))),
            Head::Commit => self.detached(git),
        }
    }

    fn detached(&self, git: &Git) -> Result<Branch> {
        let known = git
            .folder()
            .and_then(rebased)
            .map_or_else(|| only_bookmark(git), |name| Ok(Some(name)))?;
        if let Some(name) = known {
            return Ok(Branch::named(name_of(&name)));
        }
        let commit = git.run_line(&["rev-parse", "--verify", "HEAD^{commit}"], b"")?;
        Ok(Branch { name: DETACHED.to_owned(), commit: Some(short(&commit).to_owned()) })
    }
}

enum Head {
    Branch(String),
    Commit,
}

/// Returns the branch in `HEAD`, without asking git.
pub(super) fn branch_in_head(folder: &GitFolder) -> Option<String> {
    match read_head(folder)? {
        Head::Branch(name) => Some(name),
        Head::Commit => None,
    }
}

/// Reads `HEAD`; `None` if it does not tell the branch.
fn read_head(folder: &GitFolder) -> Option<Head> {
    let path = folder.own.join("HEAD");
    if let Some(target) = outside::link_target(&path) {
        return branch_in(target.to_str()?).map(Head::Branch);
    }
    let text = outside::read_text(&path).ok()??;
    let text = text.trim();
    match text.strip_prefix("ref:") {
        Some(name) => branch_in(name.trim()).map(Head::Branch),
        None if text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            Some(Head::Commit)
        }
        None => None,
    }
}

/// Returns the short name of a branch. `refs/heads/.invalid` means that it is stored elsewhere.
fn branch_in(reference: &str) -> Option<String> {
    let name = reference.strip_prefix("refs/heads/")?;
    (!name.is_empty() && !name.starts_with('.')).then(|| name.to_owned())
}

fn ask_head(git: &Git) -> Result<Head> {
    git.find()?;
    let said = git.consult_line(&["symbolic-ref", "--quiet", "HEAD"])?;
    Ok(said.map_or(Head::Commit, |name| {
        Head::Branch(name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned())
    }))
}

fn rebased(folder: &GitFolder) -> Option<String> {
    let read = |name: &&str| outside::read_text(&folder.own.join(name)).ok().flatten();
    branch_in(REBASED.iter().find_map(read)?.trim())
}

/// Returns the only branch at `HEAD` in a Jujutsu repository, where `HEAD` is always detached.
fn only_bookmark(git: &Git) -> Result<Option<String>> {
    let is_jj = |top: &Path| outside::exists(&top.join(".jj"));
    if !git.top().is_some_and(is_jj) {
        return Ok(None);
    }
    let list = ["for-each-ref", "--points-at=HEAD", "--format=%(refname)", "refs/heads"];
    let said = String::from_utf8_lossy(&git.run(&list, b"")?).into_owned();
    let mut names = said.lines();
    Ok(names.next().filter(|_| names.next().is_none()).and_then(branch_in))
}

/// Returns the branch as a part of a file name: `feature.login` for `feature/login`. If the name loses more than that,
/// digits are added, or `fix.1` and `fix_1` would share one file.
fn name_of(branch: &str) -> String {
    let parts: Vec<String> = branch.split('/').map(|part| slug(part, 80)).collect();
    let name = parts.join(".");
    let is_taken = name == DETACHED;
    if !is_taken && name.len() <= 80 && parts.iter().map(String::as_str).eq(branch.split('/')) {
        return name;
    }
    let digits = ContentHash::of(branch.as_bytes());
    let parts = [&slug(branch, 80), &digits.as_str()[..8]];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_that_differ_have_names_that_differ() {
        assert_eq!(name_of("main"), "main");
        assert_eq!(name_of("feature/login-2"), "feature.login-2");
        let long = "a".repeat(90);
        let lossy = [
            "fix.1",
            "fix_1",
            "fix-1",
            "fix/1",
            "Fix-1",
            "日本",
            "中国",
            "größe",
            "grosse",
            &long,
            &format!("{long}b"),
        ];
        assert_ne!(name_of(DETACHED), DETACHED, "it is no branch");
        let names: std::collections::BTreeSet<String> =
            lossy.iter().map(|it| name_of(it)).collect();
        assert_eq!(names.len(), lossy.len(), "{names:?}");
    }
}
