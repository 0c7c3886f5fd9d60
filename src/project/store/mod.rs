//! What lies where in `.agent-memory`.
//!
//! [`Store`] reads; `Locked` is the only value that can write. Taking the lock finishes the change of a process that
//! died.

mod adoption;
mod blobs;
mod branch;
mod branches;
mod changed;
mod cited;
mod commit;
mod commits;
mod conflicts;
mod copies;
mod decisions;
mod elsewhere;
mod foreign;
mod health;
mod ignored;
mod impostor;
pub mod index;
mod key;
mod layout;
pub(crate) mod log;
mod material;
mod names;
mod out_of_sight;
mod owner;
mod past;
mod recent;
mod rejections;
mod reminded;
mod renames;
mod repository;
mod scratch;
mod seat;
pub(crate) mod staging;
mod strangers;
mod tree;
pub(crate) mod undo;
mod user_config;
mod worktrees;
mod written;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use crate::contract::FileState;
use crate::contract::MemoryPath;
use crate::disk::journal::Journal;
use crate::disk::lock::Turn;
use crate::disk::{Folder, files, outside};
use crate::error::{Error, ErrorKind, Result};
use crate::project::config::Config;
use crate::project::pipeline::Snapshot;
use crate::project::schema::Catalog;
use crate::text::visible;
use names::Names;
use out_of_sight::OutOfSight;

pub(crate) use crate::disk::files::exists;
pub use crate::disk::lock::WAIT;
pub(crate) use crate::disk::outside::{files_at, write as write_outside};
pub(crate) use crate::disk::step::{Former, Step, Trace};
pub(crate) use crate::disk::transaction::EditedMeanwhile;
pub(crate) use adoption::{Adoption, lost_decisions};
pub(crate) use branches::{UnmergedDecisions, unmerged_decisions};
pub(crate) use cited::CitedFiles;
pub use commit::CommitLimit;
pub(crate) use commit::{Ground, NewCommit, Unmade};
pub(crate) use commits::{APPROVER, Authorship, Commit, OWNER, TRAILER, Trailers};
pub(crate) use conflicts::{Conflict, Conflicts, Reach};
pub(crate) use copies::{CopiedFrom, Copies, LeftBehind};
pub(crate) use elsewhere::{Change, Elsewhere, LeadsAway, OtherFile, lay_aside};
pub(crate) use foreign::{ForeignState, StateInGit};
pub(crate) use health::{Rest, closed, is_settled, leftovers, probe, read_gitignore};
pub(crate) use ignored::{IgnoreRule, Ignored, ignored, ignored_in_new};
pub(crate) use layout::{Layout, decided_path, steady_path};
pub(crate) use material::{is_own, list_files, read_content, read_settings};
pub(crate) use past::past;
pub(crate) use recent::Recent;
pub(crate) use rejections::{lift, read as rejections, remember};
pub(crate) use reminded::is_first_reminder;
pub(crate) use renames::Renames;
pub(crate) use repository::{Recorded, Repository, Then};
pub(crate) use scratch::ScratchRepository;
pub(crate) use seat::Seat;
pub(crate) use strangers::{Stranger, misplaced, strangers};
pub(crate) use tree::{Tree, WorkTree};
pub use user_config::OwnSettings;
pub(crate) use worktrees::worktrees;

/// A store on disk, for reading.
#[derive(Debug, Clone)]
pub struct Store {
    layout: Layout,
    out_of_sight: OutOfSight,
}

/// A store with the write lock: only this value can write.
pub(crate) type Locked<'a> = crate::disk::Locked<'a, Layout>;

/// The verb of a reader, which records nothing.
const READER: &str = "read";

impl Store {
    pub(crate) fn at(layout: Layout) -> Self {
        Self { layout, out_of_sight: OutOfSight::default() }
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn config(&self) -> Result<Config> {
        let path = self.layout.config();
        match files::read_text(&path)? {
            Some(text) => Config::parse(&text, &path),
            None => Ok(Config::default()),
        }
    }

    pub(crate) fn catalog(&self) -> Result<Catalog> {
        self.refuse_left_out()?;
        let folder = self.layout.schemas();
        let mut schemas = Vec::new();
        for name in files::list(&folder)?.into_iter().filter(|name| name.ends_with(".toml")) {
            let path = folder.join(name);
            schemas.extend(files::read_text(&path)?.map(|text| (path.to_path_buf(), text)));
        }
        Catalog::parse(schemas.iter().map(|(path, text)| (path.as_path(), text.as_str())))
    }

    /// Takes the write lock within `wait`, and finishes the change of a process that died.
    ///
    /// `verb` is the command that writes; `holder` is shown to the processes that wait.
    pub(crate) fn lock<'a>(
        &'a self,
        wait: Duration,
        verb: &'a str,
        holder: &str,
    ) -> Result<Locked<'a>> {
        self.layout.journal_key().refuse_missing(self.layout.store())?;
        self.refuse_submodules()?;
        Locked::acquire(&self.layout, Turn::Awaited, wait, (verb, holder))
    }

    /// Tells whether this store is locked first when both are.
    pub(crate) fn is_locked_before(&self, other: &Self) -> bool {
        let number = |store: &Self| {
            store.layout.inside("").look().ok().map(|seen| (seen.device, seen.inode))
        };
        number(self) < number(other)
    }

    /// Makes sure that a reader finds no change half visible.
    pub(crate) fn settle(&self, wait: Duration) -> Result<Vec<String>> {
        // Without a key nothing can be verified, so nothing is carried out; nor is a journal of another file type.
        if !self.layout.journal_key().is_known()
            || foreign::is_no_file(&self.layout.journal())
            || Journal::is_settled(&self.layout)?
        {
            return Ok(Vec::new());
        }
        let holder = "a reader that finishes an earlier change";
        Ok(Locked::acquire(&self.layout, Turn::Skipped, wait, (READER, holder))?.take_warnings())
    }

    /// Removes the temp files of a process that died before its change was recorded, unless a process is writing.
    pub(crate) fn clear_leftovers(&self) -> Result<Vec<String>> {
        let is_empty = files::list(&self.layout.temporary()).is_ok_and(|names| names.is_empty());
        // Without a key, our own files would count as foreign.
        if is_empty || !self.layout.journal_key().is_known() {
            return Ok(Vec::new());
        }
        let holder = "a reader that removes what others left";
        // Taking the lock removes them.
        match Locked::acquire(&self.layout, Turn::Skipped, Duration::ZERO, (READER, holder)) {
            Ok(mut locked) => Ok(locked.take_warnings()),
            Err(error) if error.warnings().is_empty() => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Makes sure that each file is whole after a power cut; a change of several may be half visible.
    pub(crate) fn settle_files(&self, wait: Duration) -> Result<Vec<String>> {
        match Journal::is_of_this_run(&self.layout) {
            true => Ok(Vec::new()),
            false => self.settle(wait),
        }
    }

    /// Reads files; under the lock they stay so.
    pub(crate) fn snapshot(&self, paths: &BTreeSet<MemoryPath>) -> Result<Snapshot> {
        let mut snapshot = Snapshot::default();
        let mut names = Names::new(&self.layout);
        for path in paths {
            let state = match names.other_spelling_of(path) {
                None => self.read(path)?,
                Some(other) => FileState::Unusable(format!(
                    "`{}` is the same name on some disks",
                    visible(&other)
                )),
            };
            snapshot.files.insert(path.clone(), state);
        }
        snapshot.rejections = rejections::read(&self.layout)?;
        Ok(snapshot)
    }

    /// Reads a file by any path below the store.
    pub(crate) fn read_any(&self, relative: &str) -> Result<FileState> {
        files::read_memory(&self.layout.inside(relative))
    }

    pub(crate) fn bytes_of(&self, paths: &[String]) -> u64 {
        paths.iter().map(|path| files::length(&self.layout.inside(path))).sum()
    }

    pub(crate) fn read(&self, path: &MemoryPath) -> Result<FileState> {
        self.read_any(path.as_str())
    }
}

impl Locked<'_> {
    pub(crate) fn layout(&self) -> &Layout {
        self.store()
    }
}

/// Tells whether a path is in a folder, also through links.
fn lies_in(path: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.ancestors().find_map(outside::real_path);
    path.starts_with(folder) || real(path).zip(real(folder)).is_some_and(|(p, f)| p.starts_with(f))
}

/// Tells whether two paths exist and are the same.
pub(crate) fn is_same(one: &Path, other: impl AsRef<Path>) -> bool {
    let real = outside::real_path(one);
    real.is_some() && real == outside::real_path(other.as_ref())
}

pub(crate) fn read_request(file: Option<&Path>, limit: usize) -> Result<Vec<u8>> {
    outside::read_up_to(file, limit as u64)
}

pub(crate) fn read_outside(path: &Path) -> Result<String> {
    let missing = || Error::new(ErrorKind::Io, "there is no file").at(path);
    outside::read_text(path)?.ok_or_else(missing)
}

/// Opens a folder outside of the store; links are followed.
pub(crate) fn open_outside(path: &Path) -> Result<Folder> {
    let real = outside::real_path(path).filter(|real| real.is_dir());
    let folder = real.map(|real| Folder::open(&real)).transpose()?.flatten();
    folder.ok_or_else(|| {
        Error::new(ErrorKind::Usage, "there is no folder").at(path).hint("give a folder of notes")
    })
}
