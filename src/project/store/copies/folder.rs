//! The folder of the copies, and who owns which.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::contract::hex;
use crate::disk::folder::{Folder, StorePath};
use crate::disk::key::{CODE_DIGITS, Purpose};
use crate::disk::{files, outside, random};
use crate::error::{Error, ErrorKind, Result};
use crate::git::{GitFolder, work_trees};
use crate::project::store::branch::branch_in_head;
use crate::project::store::foreign::is_no_file;
use crate::project::store::layout::Layout;

/// The copies of all stores of a repository.
#[derive(Debug)]
pub(crate) struct Copies<'l> {
    pub(super) layout: &'l Layout,
    /// Git's common folder.
    common: PathBuf,
    pub(super) folder: Folder,
    /// Files below `staging/` and `local/` that git tracks; `None` if git does not answer.
    kept_by_git: OnceCell<Option<BTreeSet<String>>>,
}

/// The owner of a folder of copies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CopiedFrom {
    /// The top of the worktree.
    pub(crate) worktree: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) branch: Option<String>,
    /// Relative to the worktree.
    pub(crate) store: String,
}

/// The file that names the owner of the copies.
pub(super) const ABOUT: &str = "worktree.json";

/// The folder of replaced copies.
pub(super) const FORMER: &str = "former";

/// How many are kept of each.
const FORMERS: usize = 8;

impl<'l> Copies<'l> {
    /// Finds the copies, and makes their folder; `None` without git.
    pub(crate) fn of(layout: &'l Layout) -> Result<Option<Self>> {
        let Some(GitFolder { common, .. }) = layout.git().folder() else { return Ok(None) };
        let path = copies_path(common);
        outside::make_ours(&path)?;
        let missing = || Error::new(ErrorKind::Io, "it is gone again:").at(&path);
        Self::if_there(layout)?.ok_or_else(missing).map(Some)
    }

    pub(crate) fn if_there(layout: &'l Layout) -> Result<Option<Self>> {
        let Some(GitFolder { common, .. }) = layout.git().folder().cloned() else {
            return Ok(None);
        };
        let folder = Folder::open(&copies_path(&common))?;
        Ok(folder.map(|folder| Self { layout, common, folder, kept_by_git: OnceCell::new() }))
    }

    /// Keeps a copy that is about to be replaced: git may have written the new text, and forgotten the old one.
    pub(super) fn keep_former(&self, copy: &StorePath, former: &StorePath) -> Result<()> {
        if !files::exists(copy) {
            return Ok(());
        }
        // If all are taken, only the last one is replaced.
        let [.., last] = former_paths(former);
        let free = former_paths(former).into_iter().find(|path| !files::exists(path));
        if free.is_none() {
            files::discard(&last)?;
        }
        match files::rename(copy, &free.unwrap_or(last)) {
            Err(_) if !files::exists(copy) => Ok(()),
            renamed => renamed,
        }
    }

    /// Tells whether git may track a file, so that a commit may have overwritten ours. If git does not answer, it may.
    pub(super) fn may_be_of_git(&self, path: &str) -> bool {
        let git = self.layout.git();
        let ask = || {
            let folders = ["staging", "local"].map(|folder| git.named(folder));
            let said = git.run(&["ls-files", "-z", "--", &folders[0], &folders[1]], b"").ok()?;
            Some(git.listed_inside(&said).collect())
        };
        let kept: &Option<BTreeSet<String>> = self.kept_by_git.get_or_init(ask);
        // Files below a submodule are git's too.
        let mut above = Path::new(path).ancestors().filter_map(Path::to_str);
        kept.as_ref().is_none_or(|kept| above.any(|path| kept.contains(path)))
    }

    /// Returns the store that owns some copies; its worktree may have been moved.
    pub(super) fn store_of(&self, state: &str, from: &CopiedFrom) -> PathBuf {
        let mut tops = work_trees(&self.common).into_iter().map(|top| top.join(&from.store));
        let found = tops.find(|store| self.is_its(store, state));
        found.unwrap_or_else(|| Path::new(&from.worktree).join(&from.store))
    }

    /// Tells whether a store has this state id, signed in its worktree: a commit may bring the id of another.
    pub(super) fn is_its(&self, store: &Path, state: &str) -> bool {
        let id = outside::read_text(&store.join("state/id")).ok().flatten();
        let is_named = id.is_some_and(|id| id.split(' ').next() == Some(state));
        let owner = || Layout::of_folder(store, self.layout.git_time()).ok().flatten();
        let known = || known_name(&owner()?).ok().flatten();
        is_named && known().as_deref() == Some(state)
    }

    /// Returns the name of the copies of this store: random, so that no commit can bring it.
    pub(super) fn own_name(&self) -> Result<String> {
        if let Some(name) = known_name(self.layout)? {
            return Ok(name);
        }
        let path = self.layout.inside("state/id");
        let name = hex(&random::<{ CODE_DIGITS / 4 }>()?);
        let code = self.layout.journal_key().sign(Purpose::COPIES, name.as_bytes());
        let line = format!("{name} {code}\n");
        match files::exists(&path) {
            true => renew_file(&path, line.as_bytes())?,
            // Another process may be faster; then its name is used.
            false => files::make_once(&path, line.as_bytes())?,
        }
        Ok(known_name(self.layout)?.unwrap_or(name))
    }

    pub(super) fn about(&self) -> CopiedFrom {
        let real = self.layout.real_path();
        let git = self.layout.git();
        let top = git.top().unwrap_or(Path::new("/"));
        CopiedFrom {
            worktree: top.display().to_string(),
            branch: git.folder().and_then(branch_in_head),
            store: real.strip_prefix(top).unwrap_or(&real).display().to_string(),
        }
    }
}

fn copies_path(common: &Path) -> PathBuf {
    common.join("agent-memory").join("copies")
}

/// Reads the name of the copies of a store, if it is signed.
pub(super) fn known_name(layout: &Layout) -> Result<Option<String>> {
    let (path, key) = (layout.inside("state/id"), layout.journal_key());
    if is_no_file(&path) {
        return Ok(None);
    }
    let bytes = files::read_short(&path)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let named = text.trim_end().split_once(' ');
    let named = named.filter(|it| key.verifies(Purpose::COPIES, it.0.as_bytes(), it.1));
    Ok(named.map(|it| it.0.to_owned()))
}

pub(super) fn read_about(folder: &StorePath) -> Option<CopiedFrom> {
    serde_json::from_str(&files::read_text(&folder.join(ABOUT)).ok()??).ok()
}

pub(super) fn former_paths(former: &StorePath) -> [StorePath; FORMERS] {
    std::array::from_fn(|number| former.with_suffix(&format!(".{}", number + 1)))
}

/// Returns a temp path beside a target; another process may write the same target.
pub(super) fn temp_beside(target: &StorePath) -> Result<StorePath> {
    Ok(target.with_suffix(&format!(".new-{}", hex(&random::<4>()?))))
}

/// Replaces a file atomically, unless it has this text.
pub(super) fn renew_file(target: &StorePath, text: &[u8]) -> Result<()> {
    if files::read_short(target)?.is_some_and(|old| old == text) {
        return Ok(());
    }
    let temp = temp_beside(target)?;
    files::write(&temp, text)?;
    files::rename(&temp, target)
}
