//! One value finds the repository around a store and makes all calls.
//!
//! Git runs in the folder that holds `.git`, never in the store or below it: files of a repository may look like
//! another repository, with programs to run.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::act::{self, Acted, CommitLimit};
use super::environment::{self, CallPurpose};
use super::folder::{self, GitFolder};
use super::git_time::GitTime;
use super::output::{cannot_run, failure, single_line, split_nul, subcommand};
use super::process::{self, ANSWER_MIB, Ended};
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::text::visible;

/// Git, with paths relative to a folder of the work tree.
#[derive(Debug, Clone)]
pub(crate) struct Git {
    /// The folder that holds `.git`, in which git runs; the root of the disk where there is none.
    pub(super) top: PathBuf,
    has_git: bool,
    folder: Option<GitFolder>,
    /// The path from `top` to that folder: empty, or with `/` at its end.
    prefix: String,
    time: GitTime,
}

/// Compares a commit with the disk, or with the index. Comparing inside a submodule would use settings and programs
/// that it brings.
pub(crate) const DIFF_INDEX: [&str; 5] =
    ["diff-index", "-z", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RepositoryKind {
    /// No folder above holds `.git`.
    Nothing,
    WorkTree,
    Bare,
}

impl Git {
    /// Finds the repository around a store, which may not exist yet.
    pub(crate) fn above(store: &Path, time: &GitTime) -> Result<Self> {
        let gone = || Some(outside::real_path(store.parent()?)?.join(store.file_name()?));
        let real = outside::real_path(store).or_else(gone).unwrap_or_else(|| store.to_path_buf());
        let git = Self::around(real.parent().unwrap_or(&real), time).seen_from_real(&real);
        let named = if git.has_git { GitFolder::named(&git.top) } else { None };
        match named {
            Some(folder) if folder.leads_into(&real) => {
                let message = "`.git` leads into the store, where git finds what others wrote:";
                let hint = "remove that folder from the store, and `.git` beside it";
                Err(Error::new(ErrorKind::StoreDamaged, message).at(&real).hint(hint))
            }
            Some(_) | None => Ok(git),
        }
    }

    pub(crate) fn around(folder: &Path, time: &GitTime) -> Self {
        let real = outside::real_path(folder).unwrap_or_else(|| folder.to_path_buf());
        let top = folder::find_top(&real);
        let has_git = top.is_some();
        let nowhere = || real.ancestors().last().unwrap_or(&real).to_path_buf();
        let top = top.unwrap_or_else(nowhere);
        let folder = if has_git { GitFolder::of(&top) } else { None };
        let (prefix, time) = (String::new(), time.clone());
        Self { top, has_git, folder, prefix, time }.seen_from(&real)
    }

    /// Runs `git init` in an empty folder.
    pub(crate) fn make(folder: &Path) -> Result<()> {
        let around = Self::around(folder, &GitTime::default());
        let new = Self { top: folder.to_path_buf(), has_git: false, ..around };
        new.run(&["init", "--quiet"], b"").map(drop)
    }

    /// Returns the same repository, with paths relative to another folder.
    pub(crate) fn seen_from(&self, folder: &Path) -> Self {
        self.seen_from_real(&outside::real_path(folder).unwrap_or_else(|| folder.to_path_buf()))
    }

    fn seen_from_real(&self, real: &Path) -> Self {
        let below = real.strip_prefix(&self.top).unwrap_or(Path::new(""));
        // An invalid name becomes one that no file has: it must not become another path.
        let prefix = below.iter().map(|part| format!("{}/", part.to_string_lossy())).collect();
        Self { prefix, ..self.clone() }
    }

    pub(crate) fn time(&self) -> &GitTime {
        &self.time
    }

    /// Tells whether there is a repository, even one that git refuses.
    pub(crate) fn is_there(&self) -> bool {
        self.has_git
    }

    /// Returns the folder that holds `.git`.
    pub(crate) fn top(&self) -> Option<&Path> {
        self.has_git.then_some(&self.top)
    }

    /// Returns where git keeps its data; `None` if that cannot be understood.
    pub(crate) fn folder(&self) -> Option<&GitFolder> {
        self.folder.as_ref()
    }

    /// Refuses a `.git` that leads to no repository: git would look further up, or speak of a path alone.
    pub(crate) fn refuse_broken(&self) -> Result<()> {
        match self.has_git && self.folder.is_none() {
            true => Err(folder::why_broken(&self.top)),
            false => Ok(()),
        }
    }

    /// Returns the path from the top to the folder: empty, or with `/` at its end.
    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns a path from the top, as git names it.
    pub(crate) fn named(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    /// Returns one of git's paths relative to the folder; `None` if it is outside.
    pub(crate) fn inside<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.prefix.as_str())
    }

    /// Returns the paths of a `-z` list that are in the folder.
    pub(crate) fn listed_inside(&self, said: &[u8]) -> impl Iterator<Item = String> {
        split_nul(said).filter_map(|path| self.inside(&path).map(str::to_owned))
    }

    /// Returns the folders above a path, up to the top.
    pub(crate) fn folders_above(&self, path: &str) -> Vec<PathBuf> {
        let path = PathBuf::from(self.named(path));
        path.ancestors().skip(1).map(|folder| self.top.join(folder)).collect()
    }

    /// Finds a pipe or the like with the name of one of git's files, in a folder above one of the paths.
    pub(crate) fn special_above<'p>(
        &self,
        paths: impl Iterator<Item = &'p str>,
        name: &str,
    ) -> Option<PathBuf> {
        let folders: BTreeSet<PathBuf> = paths.flat_map(|path| self.folders_above(path)).collect();
        folders.into_iter().map(|folder| folder.join(name)).find(|file| outside::is_special(file))
    }

    /// Asks git whether it accepts the repository; a refusal is the error.
    pub(crate) fn find(&self) -> Result<RepositoryKind> {
        if !self.has_git {
            return Ok(RepositoryKind::Nothing);
        }
        let said = self.run(&["rev-parse", "--is-inside-work-tree", "--show-prefix"], b"")?;
        match said.as_slice() {
            b"true\n\n" => Ok(RepositoryKind::WorkTree),
            b"false\n" | b"false\n\n" => Ok(RepositoryKind::Bare),
            _ => {
                let message = "git has its work tree somewhere else than around";
                let hint = "look at `git config core.worktree`";
                Err(Error::new(ErrorKind::Git, message).at(&self.top).hint(hint))
            }
        }
    }

    /// Calls git with settings that disable all filters of this machine.
    pub(crate) fn without_filters<T>(&self, call: impl FnOnce(&[&str]) -> Result<T>) -> Result<T> {
        let wanted = r"^filter\..*\.(clean|process|required)$";
        let said = self.consult(&["config", "-z", "--name-only", "--get-regexp", wanted])?;
        let mut settings = Vec::new();
        for name in split_nul(&said.unwrap_or_default()) {
            if name.contains('=') {
                let message = format!("`{}` is no name that git can be told", visible(&name));
                let hint = "give the filter a name without `=` in git's settings";
                return Err(Error::new(ErrorKind::Git, message).hint(hint));
            }
            let value = if name.ends_with(".required") { "false" } else { "" };
            settings.extend(["-c".to_owned(), format!("{name}={value}")]);
        }
        call(&settings.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Tells whether it is a partial clone, in which objects may be missing.
    pub(crate) fn is_partial(&self) -> Result<bool> {
        let names = r"^(remote\..*\.promisor|extensions\.partialclone)$";
        Ok(self.consult(&["config", "--get-regexp", names])?.is_some())
    }

    /// Asks git; `None` if it says no.
    pub(crate) fn consult<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Option<Vec<u8>>> {
        self.consult_with(arguments, b"")
    }

    pub(crate) fn consult_with<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        input: &[u8],
    ) -> Result<Option<Vec<u8>>> {
        let ended = self.call(arguments, input)?;
        match ended.status.code() {
            Some(0) => Ok(Some(ended.answer)),
            Some(1) => Ok(None),
            Some(_) | None => Err(failure(arguments, &ended.talk)),
        }
    }

    /// Runs git on paths that are relative to the folder.
    pub(crate) fn run_on(
        &self,
        arguments: &[&str],
        paths: &[&str],
        input: &[u8],
    ) -> Result<Vec<u8>> {
        let names: Vec<String> = paths.iter().map(|path| self.named(path)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.run(&[arguments, &names].concat(), input)
    }

    /// Asks git for one line; `None` if it says no, or nothing.
    pub(crate) fn consult_line<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Option<String>> {
        Ok(self.consult(arguments)?.and_then(single_line))
    }

    /// Runs git; its message is the error.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: &[S], input: &[u8]) -> Result<Vec<u8>> {
        let ended = self.call(arguments, input)?;
        match ended.status.success() {
            true => Ok(ended.answer),
            false => Err(failure(arguments, &ended.talk)),
        }
    }

    pub(crate) fn run_line<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        input: &[u8],
    ) -> Result<String> {
        let text = self.run(arguments, input)?;
        Ok(String::from_utf8_lossy(&text).trim_end().to_owned())
    }

    /// Runs git for the person, with their settings, hooks and programs, in our process group.
    pub(crate) fn act<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        input: &str,
        limit: CommitLimit,
    ) -> Result<Acted> {
        let (name, begun) = (subcommand(arguments), Instant::now());
        let acted = act::call(self.command(arguments, CallPurpose::Act), &name, input, limit);
        tell_call(&name, arguments.len(), begun, matches!(acted, Ok(Acted::Done)));
        acted
    }

    /// Does the same without a person; a refusal is the error.
    pub(crate) fn act_alone<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<()> {
        match self.act(arguments, "", CommitLimit::ALONE)? {
            Acted::Done => Ok(()),
            Acted::Refused(error) | Acted::Late(error) => Err(error),
        }
    }

    pub(super) fn call<S: AsRef<OsStr>>(&self, arguments: &[S], input: &[u8]) -> Result<Ended> {
        self.refuse_broken()?;
        let allowed = self.time.allowed();
        let left = self.time.left();
        if left.is_zero() {
            return Err(self.no_time(arguments, allowed));
        }
        let command = self.command(arguments, CallPurpose::Answer);
        let begun = Instant::now();
        let ended = process::run(command, input, left);
        self.time.spend(begun.elapsed());
        let is_done = ended.as_ref().is_ok_and(|ended| ended.status.success());
        tell_call(&subcommand(arguments), arguments.len(), begun, is_done);
        ended.map_err(|cause| self.no_answer(arguments, cause, allowed))
    }

    pub(super) fn command<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        purpose: CallPurpose,
    ) -> Command {
        environment::command(&self.top, self.folder(), arguments, purpose)
    }

    fn no_time<S: AsRef<OsStr>>(&self, arguments: &[S], allowed: Duration) -> Error {
        let (name, seconds) = (subcommand(arguments), allowed.as_secs());
        let message = format!(
            "`git {name}` was not called, as git took the {seconds} s that it may take in one command, in"
        );
        let hint = format!("run `git status` there to see whether git is slow: {WAITS}");
        Error::new(ErrorKind::Git, message).at(&self.top).hint(hint)
    }

    fn no_answer<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        cause: std::io::Error,
        allowed: Duration,
    ) -> Error {
        let name = subcommand(arguments);
        if cause.kind() == std::io::ErrorKind::FileTooLarge {
            let message =
                format!("`git {name}` was ended: git gave more than {ANSWER_MIB} MiB, in");
            let hint = format!("run `git {name}` there to see what it says so much of");
            return Error::new(ErrorKind::Git, message).at(&self.top).hint(hint);
        }
        if cause.kind() != std::io::ErrorKind::TimedOut {
            return cannot_run(cause);
        }
        let seconds = allowed.as_secs();
        let message =
            format!("`git {name}` was ended: git may take {seconds} s in one command, in");
        let hint = format!("run `git {name}` there to see what it waits for: {WAITS}");
        Error::new(ErrorKind::Git, message).at(&self.top).hint(hint)
    }
}

/// Tells of a call without its arguments, which may be texts.
fn tell_call(command: &str, arguments: usize, begun: Instant, is_done: bool) {
    tracing::debug!(command, arguments, is_done, ms = begun.elapsed().as_millis(), "git");
}

/// Why git may hang.
const WAITS: &str = "a pipe with the name of a file of git (`.gitattributes`, `.gitignore`, `.mailmap`), a filter, or a slow disk";
