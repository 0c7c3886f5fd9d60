//! Makes one commit of git out of a few files, beside what the person has staged.
//!
//! The tree is built in an index of its own, so that nothing else gets into it. In the index of the person
//! only the entries of these files change, as after any commit: else they would be staged for removal.

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use super::git::{Found, Git, listed};
use super::strangers::refuse_to_confuse_git;
use super::{Layout, lock, outside};
use crate::error::{Error, ErrorKind, Result};

/// A repository in which a commit of some files can be made.
#[derive(Debug)]
pub struct Ground {
    git: Git,
    git_folder: PathBuf,
    /// The folder of the store below the root of the work tree: empty, or with a `/` at its end.
    prefix: String,
    /// The last commit; none on a branch that has none yet.
    head: Option<String>,
    /// Those of the files that git ignores.
    pub ignored: Vec<String>,
}

/// The right to make the next commit in a work tree, in whichever store of it, until the value goes. What one process
/// has in the index until it commits would be staged changes of a person to the next.
#[derive(Debug)]
#[must_use = "dropped, it is somebody else's turn"]
pub struct CommitTurn {
    git: Git,
    /// Git's folder, and the folder of the store below the root; none where there is no work tree.
    place: Option<(PathBuf, String)>,
    _lock: Option<File>,
}

impl CommitTurn {
    /// Waits until nobody else is about to make a commit, for at most so long.
    pub fn take(layout: &Layout, wait: Duration) -> Result<Self> {
        let git = layout.git().clone();
        let is_there = git.find()? == Found::WorkTree;
        let folder = git.folder().filter(|_| is_there).map(|folder| folder.own.clone());
        let place = folder.map(|folder| (folder, git.prefix().to_owned()));
        let lock = place.as_ref().map(|(folder, _)| lock::take_folder(folder, wait)).transpose()?;
        Ok(Self { git, place, _lock: lock })
    }
}

/// Why no commit can be made, in words, and what to do about it.
pub type Unready = (String, &'static str);

/// What the name of an index for a moment begins with, before the number of its process.
const ASIDE: &str = "agent-memory.";

/// So often the index is asked for while somebody else has it, and so long in between.
const PATIENCE: usize = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// What git is in the middle of while something is in its folder.
const UNDER_WAY: [(&str, &str); 7] = [
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
    ("MERGE_HEAD", "a merge"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("sequencer", "a cherry-pick or a revert"),
    ("BISECT_LOG", "a bisect"),
];

impl Ground {
    /// Looks whether a commit of some files, relative to the store, can be made.
    pub fn look(
        layout: &Layout,
        paths: &[String],
        turn: &CommitTurn,
    ) -> Result<std::result::Result<Self, Unready>> {
        refuse_to_confuse_git(layout)?;
        let Some((git_folder, prefix)) = turn.place.clone() else {
            return Ok(Err((
                "the store is in no work tree of git".to_owned(),
                "apply without `--commit`",
            )));
        };
        let (git, head, ignored) = (turn.git.clone(), None, Vec::new());
        let mut ground = Self { git, git_folder, prefix, head, ignored };
        if let Some(unready) = ground.unready() {
            return Ok(Err(unready));
        }
        outside::remove_leftovers(&ground.git_folder, ASIDE);
        ground.renew();
        let names = ground.names(paths);
        let ignored = ground.git.ask(&[&["check-ignore", "--"][..], &words(&names)].concat());
        let ignored = String::from_utf8_lossy(&ignored.unwrap_or_default()).into_owned();
        ground.ignored =
            ignored.lines().filter_map(|path| ground.git.inside(path)).map(str::to_owned).collect();
        let paths: Vec<String> =
            paths.iter().filter(|path| !ground.ignored.contains(path)).cloned().collect();
        if paths.is_empty() {
            return Ok(Ok(ground));
        }
        if let Some(path) = ground.staged(&paths)?.first() {
            let message = format!("`{path}` has staged changes of your own");
            return Ok(Err((message, "commit or unstage them first, or apply without `--commit`")));
        }
        Ok(Ok(ground))
    }

    /// Looks which commit is the last one by now; tells whether it is another one than before.
    pub fn renew(&mut self) -> bool {
        let head = self.git.ask_line(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
        let is_other = head != self.head;
        self.head = head;
        is_other
    }

    fn names(&self, paths: &[String]) -> Vec<String> {
        paths.iter().map(|path| self.git.named(path)).collect()
    }

    fn unready(&self) -> Option<Unready> {
        let is_there = |name: &str| outside::exists(&self.git_folder.join(name));
        if let Some((_, what)) = UNDER_WAY.iter().find(|(name, _)| is_there(name)) {
            let hint = "finish or abort it first, or apply without `--commit`";
            return Some((format!("git is in the middle of {what}"), hint));
        }
        if is_there("index.lock") {
            let hint = "wait for it, or remove `index.lock` if no git runs any more";
            return Some(("another git command is at work".to_owned(), hint));
        }
        let known = |who: &str| self.git.ask_line(&["var", who]).is_some();
        if !known("GIT_AUTHOR_IDENT") || !known("GIT_COMMITTER_IDENT") {
            let hint = "set `user.name` and `user.email` with `git config`";
            return Some(("git does not know who you are".to_owned(), hint));
        }
        None
    }

    /// Names the files that the index has otherwise than the last commit.
    fn staged(&self, paths: &[String]) -> Result<Vec<String>> {
        let arguments = match &self.head {
            Some(head) => &["diff-index", "--cached", "--name-only", "-z", head, "--"][..],
            None => &["ls-files", "-z", "--"],
        };
        let said = self.git.run(&[arguments, &words(&self.names(paths))].concat(), b"")?;
        let short = |path: String| path.strip_prefix(&self.prefix).unwrap_or(&path).to_owned();
        Ok(listed(&said).map(short).collect())
    }

    /// Returns a file as the last commit has it.
    pub fn committed(&self, path: &str) -> Option<String> {
        let name = format!("{}:{}{path}", self.head.as_deref()?, self.prefix);
        String::from_utf8(self.git.ask(&["cat-file", "blob", &name])?).ok()
    }

    /// Returns what the last commit has below a folder, relative to the store.
    pub fn committed_below(&self, folder: &str) -> Vec<String> {
        let folder = self.git.named(folder);
        let list =
            |head| self.git.ask(&["ls-tree", "-r", "-z", "--name-only", head, "--", &folder]);
        self.git.listed_inside(&self.head.as_deref().and_then(list).unwrap_or_default()).collect()
    }

    /// Commits files, each with its text or, where it goes, without; returns the commit, and what went wrong
    /// behind it. Nothing if the last commit has them like this.
    pub fn commit(
        &self,
        files: &[(String, Option<String>)],
        message: &str,
    ) -> Result<Option<(String, Vec<String>)>> {
        let head = self.head.as_deref();
        let entries = self.entries(files, head)?;
        if entries.is_empty() {
            return Ok(None);
        }
        let aside = Aside(self.git_folder.join(format!("{ASIDE}{}", std::process::id())));
        let git = self.git.with_index(&aside.0);
        git.run(&["read-tree", head.unwrap_or("--empty")], b"")?;
        git.run(&["update-index", "-z", "--index-info"], entries.as_bytes())?;
        let tree = git.run_line(&["write-tree"], b"")?;
        let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
        self.refuse_others(head, &tree, &paths)?;
        let utf8 = "i18n.commitEncoding=UTF-8";
        let mut arguments = vec!["-c", utf8, "commit-tree", &tree, "-F", "-"];
        arguments.extend(head.into_iter().flat_map(|head| ["-p", head]));
        let signs = ["config", "--type=bool", "--get", "commit.gpgSign"];
        if self.git.ask_line(&signs).is_some_and(|answer| answer == "true") {
            arguments.push("-S");
        }
        let commit = git.run_line(&arguments, message.as_bytes())?;
        let subject = format!("commit: {}", message.lines().next().unwrap_or_default());
        // Refused if a commit came in between: it would not be part of this one.
        let former = head.unwrap_or_default();
        // The index goes first: a commit that a person makes in between, or after a crash here, holds these
        // files too. With the index behind, it would take them out again.
        let staged = self.stage(&entries);
        let moved = git.run(&["update-ref", "-m", &subject, "HEAD", &commit, former], b"");
        if let Err(error) = moved {
            let _ = staged.and_then(|()| self.restage(&paths));
            return Err(error);
        }
        let warnings = self.renew_index(commit.clone(), entries, &paths).err().map(|error| {
            format!(
                "the commit is made, but git's index still has the former text of {}; `git restore --staged` brings it up to date: {error}",
                paths.join(", ")
            )
        });
        Ok(Some((commit, warnings.into_iter().collect())))
    }

    /// Brings files in the person's index to a commit, or to the one that came after it meanwhile: whoever made
    /// that may have been here before, and what it did would be staged to be taken back.
    fn renew_index(&self, mut commit: String, mut entries: String, paths: &[&str]) -> Result<()> {
        loop {
            self.stage(&entries)?;
            let last = self.git.run_line(&["rev-parse", "--verify", "HEAD^{commit}"], b"")?;
            if last == commit {
                return Ok(());
            }
            entries = self.entries_of(&last, paths)?;
            commit = last;
        }
    }

    /// Changes the entries of files in the person's index; an editor that asks for the state of the work tree locks it
    /// for a moment.
    fn stage(&self, entries: &str) -> Result<()> {
        let stage = || self.git.run(&["update-index", "-z", "--index-info"], entries.as_bytes());
        for _ in 0..PATIENCE {
            match stage() {
                Err(_) if outside::exists(&self.git_folder.join("index.lock")) => {
                    std::thread::sleep(PAUSE);
                }
                outcome => return outcome.map(drop),
            }
        }
        stage().map(drop)
    }

    /// Refuses a tree that differs from the last commit in more than these files: an index for a moment that somebody
    /// removed would begin anew, and the commit would delete all the rest.
    fn refuse_others(&self, head: Option<&str>, tree: &str, paths: &[&str]) -> Result<()> {
        let Some(head) = head else { return Ok(()) };
        let list = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", head, tree];
        let changed = self.git.run(&list, b"")?;
        let is_ours = |path: &String| {
            path.strip_prefix(&self.prefix).is_some_and(|path| paths.contains(&path))
        };
        match listed(&changed).find(|path| !is_ours(path)) {
            None => Ok(()),
            Some(path) => {
                let message = format!("the commit would change `{path}` too, and is not made");
                Err(Error::new(ErrorKind::Git, message).hint("commit the files with git"))
            }
        }
    }

    /// Brings files in the person's index to the last commit.
    fn restage(&self, paths: &[&str]) -> Result<()> {
        let last = self.git.ask_line(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
        let entries = match last {
            Some(last) => self.entries_of(&last, paths)?,
            None => paths.iter().map(|path| self.removal(path)).collect(),
        };
        self.stage(&entries)
    }

    /// Returns the lines with which `git update-index` takes files as a commit has them.
    fn entries_of(&self, commit: &str, paths: &[&str]) -> Result<String> {
        let list = ["ls-tree", "-z", "--full-name", commit, "--"];
        let names: Vec<String> = paths.iter().map(|path| self.git.named(path)).collect();
        let there = self.git.run(&[&list[..], &words(&names)].concat(), b"")?;
        let gone: String = paths.iter().map(|path| self.removal(path)).collect();
        Ok(gone + &String::from_utf8_lossy(&there))
    }

    fn removal(&self, path: &str) -> String {
        format!("0 {}\t{}{path}\0", "0".repeat(40), self.prefix)
    }

    /// Returns the lines with which `git update-index` takes the files that the last commit has otherwise.
    fn entries(&self, files: &[(String, Option<String>)], head: Option<&str>) -> Result<String> {
        let mut entries = String::new();
        for (path, text) in files {
            let Some(text) = text else {
                entries += &self.removal(path);
                continue;
            };
            let name = self.git.named(path);
            let blob = ["hash-object", "-w", "--stdin", "--path", &name];
            let blob = self.git.run_line(&blob, text.as_bytes())?;
            let known = match head {
                Some(head) => self.git.run_line(&["ls-tree", head, "--", &name], b"")?,
                None => String::new(),
            };
            let mut known = known.split([' ', '\t']);
            let mode = known.next().filter(|mode| *mode == "100755").unwrap_or("100644");
            if known.nth(1) != Some(&blob) {
                entries += &format!("{mode} {blob}\t{}{path}\0", self.prefix);
            }
        }
        Ok(entries)
    }
}

/// An index for a moment; it goes when this value goes.
struct Aside(PathBuf);

impl Drop for Aside {
    fn drop(&mut self) {
        outside::remove(&self.0);
    }
}

fn words(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
}
