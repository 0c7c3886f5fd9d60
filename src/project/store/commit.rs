//! Makes one commit of a few files with `git commit --only`; other staged changes stay staged.
//!
//! The hooks of the repository run, so no lock of ours is held during the call, and the result is read from the commit
//! afterwards.

use std::time::Duration;

use super::commits::Trailers;
use super::layout::Layout;
use super::unexpected::refuse_to_confuse_git;
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::git::{Acted, Git, GitFolder, RepositoryKind, split_nul};
use crate::project::request::ProposalId;

pub use crate::git::CommitLimit;

/// A work tree in which a commit can be made.
#[derive(Debug)]
pub(crate) struct ReadyWorkTree {
    git_folder: GitFolder,
    git: Git,
    /// The last commit; `None` on a branch without one.
    head: Option<String>,
}

/// Why no commit can be made, and a hint.
pub(crate) type Unready = (String, &'static str);

/// A commit that was made.
#[derive(Debug)]
pub(crate) struct NewCommit {
    pub(crate) id: String,
    /// Paths from the top of the work tree.
    changed: Vec<String>,
    /// From its message.
    pub(crate) trailers: Trailers,
    /// Failures after the commit, such as a hook that did not end.
    pub(crate) complaints: Vec<String>,
}

#[derive(Debug)]
pub(crate) enum Unmade {
    /// Git or one of its hooks said no.
    Refused(Error),
    /// It could not be tried, or did not end.
    Failed(Error),
}

impl Unmade {
    fn error(&self) -> &Error {
        match self {
            Self::Refused(error) | Self::Failed(error) => error,
        }
    }

    fn with_hint(self, hint: &str) -> Self {
        match self {
            Self::Refused(error) => Self::Refused(error.hint(hint)),
            Self::Failed(error) => Self::Failed(error.hint(hint)),
        }
    }
}

/// How many times to retry while another git holds the index, and the pause.
const TRIES: usize = 100;
const PAUSE: Duration = Duration::from_millis(50);

/// Fewer tries before anything is applied, as others wait for our lock.
const SHORT_TRIES: usize = 20;

const INDEX_LOCK: &str = "index.lock";

/// Commits to search for the new one, as others may be made at the same time.
const RECENT: &str = "--max-count=20";

/// Files that exist in git's folder during another operation.
const UNDER_WAY: [(&str, &str); 7] = [
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
    ("MERGE_HEAD", "a merge"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("sequencer", "a cherry-pick or a revert"),
    ("BISECT_LOG", "a bisect"),
];

impl ReadyWorkTree {
    /// Checks whether a commit can be made.
    pub(crate) fn find(layout: &Layout) -> Result<std::result::Result<Self, Unready>> {
        refuse_to_confuse_git(layout)?;
        let git = layout.git().clone();
        // A refusal of the repository is an error, and not a branch without a commit.
        let is_work_tree = git.find()? == RepositoryKind::WorkTree;
        let Some(git_folder) = git.folder().cloned().filter(|_| is_work_tree) else {
            let message = "the store is in no work tree of git".to_owned();
            return Ok(Err((message, "apply without `--commit`")));
        };
        let mut work_tree = Self { git_folder, git, head: None };
        work_tree.head = work_tree.git.last_commit()?;
        Ok(match work_tree.unready() {
            Some(unready) => Err(unready),
            None => Ok(work_tree),
        })
    }

    fn unready(&self) -> Option<Unready> {
        let is_there = |name: &str| outside::exists(&self.git_folder.own.join(name));
        if let Some((_, what)) = UNDER_WAY.iter().find(|(name, _)| is_there(name)) {
            let hint = "finish or abort it first, or apply without `--commit`";
            return Some((format!("git is in the middle of {what}"), hint));
        }
        let mut tries = 0..SHORT_TRIES;
        while is_there(INDEX_LOCK) {
            if tries.next().is_none() {
                let hint = "wait for it, or remove `index.lock` if no git is running";
                return Some(("another git command is at work".to_owned(), hint));
            }
            std::thread::sleep(PAUSE);
        }
        let names = ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"];
        let said = names.iter().try_for_each(|who| self.git.run(&["var", who], b"").map(drop));
        let hint = "set `user.name` and `user.email` with `git config`";
        said.err().map(|error| (format!("git does not tell who you are: {error}"), hint))
    }

    /// Returns a file of the last commit, relative to the store.
    pub(crate) fn committed(&self, path: &str) -> Result<Option<String>> {
        let Some(head) = &self.head else { return Ok(None) };
        self.text_in(head, path)
    }

    /// Returns the commit that another process made since.
    pub(crate) fn later_commit(&self) -> Result<Option<String>> {
        Ok(self.git.last_commit()?.filter(|last| Some(last) != self.head.as_ref()))
    }

    /// Returns a file of a commit, relative to the store.
    pub(crate) fn text_in(&self, commit: &str, path: &str) -> Result<Option<String>> {
        self.git.text_in(commit, &self.git.named(path))
    }

    /// Returns those of some files that are staged in another version than committed, each with that version; `None` if
    /// its removal is staged.
    pub(crate) fn staged(&self, paths: &[String]) -> Result<Vec<(String, Option<String>)>> {
        let staged = self.differing(self.head.as_deref(), paths)?.into_iter();
        staged
            .map(|path| Ok((path.clone(), self.git.text_staged(&self.git.named(&path))?)))
            .collect()
    }

    /// Returns those of some files in which the index differs from a commit.
    fn differing(&self, commit: Option<&str>, paths: &[String]) -> Result<Vec<String>> {
        let commit = match commit {
            Some(commit) => commit.to_owned(),
            None => self.git.run_line(&["hash-object", "-t", "tree", "--stdin"], b"")?,
        };
        let wanted = self.named(paths);
        // What another process has only announced is no version yet.
        let list = [
            "diff-index",
            "--cached",
            "--ita-invisible-in-index",
            "--name-only",
            "-z",
            &commit,
            "--",
        ];
        let said = self.git.run(&[&list[..], &words(&wanted)].concat(), b"")?;
        Ok(self.git.listed_inside(&said).collect())
    }

    /// Resets files in the index that differ from the new commit. Git reads a file once for the commit and once for the
    /// index; the person's next commit would revert a change in between.
    fn settle_index(&self, paths: &[String]) -> Result<()> {
        let Some(last) = self.git.last_commit()? else { return Ok(()) };
        let differing = self.differing(Some(&last), paths)?;
        if differing.is_empty() {
            return Ok(());
        }
        let wanted = self.literal(&differing);
        let reset = [&["reset", "--quiet", &last, "--"][..], &words(&wanted)].concat();
        self.patiently(|| self.git.act_alone(&reset))
    }

    /// Lists the files of the last commit below a folder, relative to the store.
    pub(crate) fn committed_below(&self, folder: &str) -> Result<Vec<String>> {
        let Some(head) = &self.head else { return Ok(Vec::new()) };
        let folder = self.git.named(folder);
        let list = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", head, &folder];
        Ok(self.git.listed_inside(&self.git.run(&list, b"")?).collect())
    }

    /// Returns path patterns that match only these files.
    fn literal(&self, paths: &[String]) -> Vec<String> {
        paths.iter().map(|path| format!(":(literal){}{path}", self.git.prefix())).collect()
    }

    /// Returns paths for calls in which no path is a pattern.
    fn named(&self, paths: &[String]) -> Vec<String> {
        paths.iter().map(|path| self.git.named(path)).collect()
    }

    /// Commits files, relative to the store, as they are on the disk.
    pub(crate) fn commit(
        &self,
        paths: &[String],
        message: &str,
        proposal: &ProposalId,
        limit: CommitLimit,
    ) -> std::result::Result<NewCommit, Unmade> {
        let new = self.announce(paths).map_err(Unmade::Failed)?;
        let ended = self.patiently(|| {
            let options = ["--quiet", "--only", "--cleanup=whitespace", "--file=-", "--"];
            let call = [&["-c", "i18n.commitEncoding=UTF-8", "commit"], &options[..]].concat();
            self.git.act(&[&call[..], &words(&self.literal(paths))].concat(), message, limit)
        });
        let is_done = matches!(ended, Ok(Acted::Done));
        let unmade = match ended {
            Ok(Acted::Done) => Unmade::Failed(
                Error::new(ErrorKind::Git, "git reports no error, and there is no new commit")
                    .hint("see `git log` and the hooks of this repository"),
            ),
            Ok(Acted::Refused(error)) => Unmade::Refused(error),
            Ok(Acted::Late(error)) | Err(error) => Unmade::Failed(error),
        };
        // A hook after the commit may hang: the commit is made all the same.
        if let Some(made) = self.find_new(proposal, is_done).map_err(Unmade::Failed)? {
            let late = (!is_done).then(|| unmade.error().to_string());
            let unsettled = self.settle_index(paths).err().map(|error| error.to_string());
            return Ok(NewCommit {
                complaints: late.into_iter().chain(unsettled).collect(),
                ..made
            });
        }
        match self.take_back(paths, &new) {
            Ok(()) => Err(unmade),
            Err(left) => {
                Err(unmade.with_hint(&format!("`git reset` forgets the new files: {left}")))
            }
        }
    }

    /// Adds new files to the index without content, as `git commit --only` takes no others; returns them.
    fn announce(&self, paths: &[String]) -> Result<Vec<String>> {
        let wanted = self.named(paths);
        let list = [&["ls-files", "-z", "--"][..], &words(&wanted)].concat();
        let known: Vec<String> = split_nul(&self.git.run(&list, b"")?).collect();
        let is_new = |path: &&String| !known.contains(&self.git.named(path));
        let new: Vec<String> = paths.iter().filter(is_new).cloned().collect();
        let wanted = self.literal(&new);
        if !new.is_empty() {
            let add = [&["add", "--intent-to-add", "--"][..], &words(&wanted)].concat();
            self.patiently(|| self.git.act_alone(&add))?;
        }
        Ok(new)
    }

    /// Removes files from the index that were added for a commit that failed. Where another process made a commit since,
    /// the index follows its commit: the person's next one would take its files back.
    fn take_back(&self, paths: &[String], new: &[String]) -> Result<()> {
        if self.later_commit()?.is_some() {
            self.settle_index(paths)?;
        }
        let last = self.git.last_commit()?;
        let mut unknown = String::new();
        for path in new {
            let committed = last.as_deref().map(|last| self.text_in(last, path)).transpose()?;
            if committed.flatten().is_none() {
                unknown += &(self.git.named(path) + "\0");
            }
        }
        if unknown.is_empty() {
            return Ok(());
        }
        let forget = ["update-index", "--force-remove", "-z", "--stdin"];
        self.patiently(|| self.git.run(&forget, unknown.as_bytes())).map(drop)
    }

    /// Retries while another git holds the index, such as an editor that asks for the status.
    fn patiently<T>(&self, act: impl Fn() -> Result<T>) -> Result<T> {
        let mut tries = 0..TRIES;
        loop {
            match act() {
                Err(error) if is_about_lock(&error) && tries.next().is_some() => {
                    std::thread::sleep(PAUSE);
                }
                outcome => return outcome,
            }
        }
    }

    /// Finds the new commit: the one that names the proposal, as others may commit at the same time. If git reports
    /// success and a hook removed the name, it is the last one.
    fn find_new(&self, proposal: &ProposalId, is_done: bool) -> Result<Option<NewCommit>> {
        let Some(last) = self.later_commit()? else { return Ok(None) };
        let mut list = vec!["rev-list".to_owned(), RECENT.to_owned(), last.clone()];
        list.extend(self.head.iter().map(|head| format!("^{head}")));
        let said = self.git.run(&list, b"")?;
        let ids: Vec<String> = String::from_utf8_lossy(&said).lines().map(str::to_owned).collect();
        let mut trailers = Trailers::of(&self.git, ids.iter().map(String::as_str))?;
        let named = ids.iter().find(|id| {
            trailers.get(*id).is_some_and(|said| said.proposal_id.as_ref() == Some(proposal))
        });
        let Some(id) = named.cloned().or_else(|| is_done.then_some(last)) else { return Ok(None) };
        let list = ["diff-tree", "-r", "-z", "--root", "--no-commit-id", "--no-renames"];
        let changed = self.git.run(&[&list[..], &["--name-only", &id]].concat(), b"")?;
        let trailers = trailers.remove(&id).unwrap_or_default();
        Ok(Some(NewCommit {
            id,
            changed: split_nul(&changed).collect(),
            trailers,
            complaints: Vec::new(),
        }))
    }

    /// Returns the files of a commit in the store, relative to it, and those outside.
    pub(crate) fn changed_by(&self, commit: &NewCommit) -> (Vec<String>, Vec<String>) {
        let (inside, outside): (Vec<&String>, Vec<&String>) =
            commit.changed.iter().partition(|path| self.git.inside(path).is_some());
        let inside = inside.iter().filter_map(|path| self.git.inside(path)).map(str::to_owned);
        (inside.collect(), outside.into_iter().cloned().collect())
    }
}

fn is_about_lock(error: &Error) -> bool {
    error.to_string().contains(INDEX_LOCK)
}

fn words(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
}

#[cfg(all(test, unix))]
mod tests;
