//! Asks git which files the work on this branch has changed: those that differ from where it left the default branch.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::layout::Layout;
use super::repository::Repository;
use super::unexpected::refuse_to_confuse_git;
use crate::error::Result;
use crate::git::{DIFF_INDEX, RepositoryKind, split_nul};
use crate::markdown::SourceNote;
use crate::project::provenance::cited_file;

/// What git was told to call the first branch of a new repository.
const NAME_OF_FIRST: &str = "init.defaultBranch";

/// What the remote names as its default branch.
const REMOTE_HEAD: &str = "refs/remotes/origin/HEAD";

/// Candidates for the default branch, if neither the remote nor a setting of git names it.
const DEFAULTS: [&str; 4] = [
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
];

/// Bytes of file names on a command line; with more git is asked about all files. Windows takes 32 KiB in all.
const MOST_NAMED: usize = 16 * 1024;

/// No system has longer paths.
const LONGEST_PATH: usize = 4096;

/// The files that the work has changed.
#[derive(Debug, Default)]
pub(crate) struct WorkFiles {
    pub files: Vec<String>,
    /// Whether no branch is known as the default one, so that they are those of no commit alone.
    pub has_no_base: bool,
}

/// The cited files that the work has changed; git is asked only about those that it was not asked about before.
#[derive(Debug)]
pub(crate) struct ChangedFiles<'w> {
    repository: &'w Repository,
    layout: &'w Layout,
    base: OnceCell<Option<String>>,
    known: RefCell<BTreeMap<String, bool>>,
    /// Why git does not tell.
    failure: RefCell<Option<String>>,
}

impl<'w> ChangedFiles<'w> {
    pub(crate) fn of(repository: &'w Repository, layout: &'w Layout) -> Self {
        Self {
            repository,
            layout,
            base: OnceCell::new(),
            known: RefCell::default(),
            failure: RefCell::default(),
        }
    }

    /// Tells whether a section cites a file that was changed; what git does not tell was not.
    pub(crate) fn are_cited_by<'s>(
        &self,
        sources: impl IntoIterator<Item = &'s SourceNote, IntoIter: Clone>,
    ) -> bool {
        let sources = sources.into_iter();
        self.look_ahead(sources.clone());
        let known = self.known.borrow();
        paths(sources).any(|path| known.get(path) == Some(&true))
    }

    /// Asks git at once about what many sections cite.
    pub(crate) fn look_ahead<'s>(&self, sources: impl IntoIterator<Item = &'s SourceNote>) {
        let mut paths: BTreeSet<&str> = paths(sources).collect();
        paths.retain(|path| !self.known.borrow().contains_key(*path));
        if paths.is_empty() || self.failure.borrow().is_some() {
            return;
        }
        match self.ask(&paths) {
            Ok(changed) => {
                let told = paths.into_iter().map(|path| (path.to_owned(), changed.contains(path)));
                self.known.borrow_mut().extend(told);
            }
            Err(error) => *self.failure.borrow_mut() = Some(error.with_next_step()),
        }
    }

    /// Says that it is not known, if git was asked and did not tell.
    pub(crate) fn not_known(&self) -> Option<String> {
        let why = self.failure.borrow();
        let why = why.as_ref()?;
        Some(format!("which files the work has changed is not known: {why}"))
    }

    fn ask(&self, paths: &BTreeSet<&str>) -> Result<BTreeSet<String>> {
        let base = match self.base.get() {
            Some(base) => base,
            None => {
                let base = self.repository.base_of_work(self.layout)?;
                self.base.get_or_init(|| base)
            }
        };
        let Some(base) = base else { return Ok(BTreeSet::new()) };
        let named: Vec<&str> = match paths.iter().map(|path| path.len() + 1).sum::<usize>() {
            ..=MOST_NAMED => paths.iter().copied().collect(),
            _ => Vec::new(),
        };
        self.repository.changed_since(base, &named)
    }
}

/// Returns the files of the repository that sources cite.
fn paths<'s>(sources: impl IntoIterator<Item = &'s SourceNote>) -> impl Iterator<Item = &'s str> {
    let cited = sources.into_iter().filter(|source| source.kind.is_file());
    let cited = cited.filter_map(|source| cited_file(&source.reference)).map(|cited| cited.path);
    cited.filter(|path| path.len() <= LONGEST_PATH)
}

impl Repository {
    /// Returns the files that the work has changed, uncommitted and new ones too, sorted and relative to the repository of
    /// the store. Empty if git has no answer.
    pub(crate) fn changed_files(&self, layout: &Layout) -> Result<WorkFiles> {
        let Some(base) = self.base_of_work(layout)? else { return Ok(WorkFiles::default()) };
        let mut files = self.changed_since(&base, &[])?;
        files.retain(|path| !path.starts_with(".agent-memory/"));
        let has_no_base = self.default_ref()?.is_none();
        Ok(WorkFiles { files: files.into_iter().collect(), has_no_base })
    }

    /// Returns the commit at which this branch left the default one, or the last one where no branch is known as that;
    /// `None` where there is no commit.
    fn base_of_work(&self, layout: &Layout) -> Result<Option<String>> {
        refuse_to_confuse_git(layout)?;
        let git = self.git();
        if git.find()? != RepositoryKind::WorkTree {
            return Ok(None);
        }
        let Some(head) = git.last_commit()? else { return Ok(None) };
        let base = match self.default_ref()? {
            Some(branch) => git.consult_line(&["merge-base", "HEAD", branch.as_str()])?,
            None => None,
        };
        Ok(Some(base.unwrap_or(head)))
    }

    /// Returns those of some files, or of all where none is named, that differ from a commit.
    fn changed_since(&self, base: &str, files: &[&str]) -> Result<BTreeSet<String>> {
        let git = self.git();
        let names: Vec<String> = match files {
            [] => Some(git.prefix().to_owned()).filter(|it| !it.is_empty()).into_iter().collect(),
            files => files.iter().map(|path| git.named(path)).collect(),
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let tracked = git.without_filters(|settings| {
            // With `--name-only` it also names files that were only written again, and `git diff` would write the index.
            let options = [settings, &DIFF_INDEX, &["--numstat", base, "--"], &names].concat();
            git.run(&options, b"")
        })?;
        let tracked = split_nul(&tracked).filter_map(|line| {
            let path = line.splitn(3, '\t').nth(2).and_then(|path| git.inside(path))?;
            (!line.starts_with("0\t0\t")).then(|| path.to_owned())
        });
        let others = ["ls-files", "-z", "--others", "--exclude-standard", "--"];
        let new = git.run(&[&others[..], &names].concat(), b"")?;
        Ok(tracked.chain(git.listed_inside(&new)).collect())
    }

    /// Returns the default branch as `origin/main` or `main`; `None` if it is not known.
    pub(super) fn default_branch(&self) -> Result<Option<String>> {
        let short = |name: String| {
            let short = name.strip_prefix("refs/heads/").unwrap_or(&name);
            short.strip_prefix("refs/remotes/").unwrap_or(short).to_owned()
        };
        Ok(self.default_ref()?.map(short))
    }

    /// Returns the full name of the default branch: that of the remote if it says one, else that of `init.defaultBranch` if
    /// it is there, else `main` or `master`. A tag may have the short name too.
    fn default_ref(&self) -> Result<Option<String>> {
        let set = self.git().consult_line(&["config", "--get", NAME_OF_FIRST])?;
        // A pattern is no name of a branch.
        let set = set.filter(|name| !name.contains(['*', '?', '[']));
        let set = set.map(|it| ["remotes/origin", "heads"].map(|at| format!("refs/{at}/{it}")));
        let set = set.iter().flatten().map(String::as_str);
        let candidates: Vec<&str> = set.chain(DEFAULTS).collect();
        let list = ["for-each-ref", "--format=%(refname) %(symref)", REMOTE_HEAD];
        let listed = self.git().run(&[&list[..], &candidates].concat(), b"")?;
        let listed = String::from_utf8_lossy(&listed);
        // No name of a branch holds a blank.
        let branches: BTreeMap<&str, &str> =
            listed.lines().filter_map(|line| line.split_once(' ')).collect();
        let remote = branches.get(REMOTE_HEAD).copied().filter(|branch| !branch.is_empty());
        let found = remote.or_else(|| candidates.into_iter().find(|it| branches.contains_key(it)));
        Ok(found.map(str::to_owned))
    }
}
