//! The only floor that touches files, locks and SQLite.
//!
//! [`Store`] reads; [`Locked`] is the only value that can write. Taking the lock finishes the change of a process that
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
mod journal;
mod key;
mod layout;
mod lock;
pub(crate) mod log;
mod material;
mod names;
mod out_of_sight;
mod past;
mod recent;
mod recovery;
mod rejections;
mod reminded;
mod renames;
mod replace;
mod repository;
mod scratch;
mod seat;
pub(crate) mod staging;
mod strangers;
mod transaction;
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
use crate::disk::{Folder, files, outside};
use crate::error::{Error, ErrorKind, Result};
use crate::project::config::Config;
use crate::project::pipeline::Snapshot;
use crate::project::schema::Catalog;
use crate::text::visible;
use foreign::is_no_file;
use names::Names;
use out_of_sight::OutOfSight;

pub(crate) use crate::disk::files::exists;
pub(crate) use crate::disk::outside::{files_at, write as write_outside};
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
pub use lock::WAIT;
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
pub(crate) use transaction::{EditedMeanwhile, Former, Step, Trace};
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
#[derive(Debug)]
#[must_use = "the lock is let go when this value goes"]
pub struct Locked<'a> {
    layout: &'a Layout,
    /// The command that writes.
    verb: &'a str,
    journal: journal::Journal,
    warnings: Vec<String>,
    lock: lock::WriteLock,
}

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
        self.layout.work_tree_key().refuse_missing(self.layout.store())?;
        self.refuse_submodules()?;
        self.lock_at(lock::Turn::Awaited, wait, (verb, holder))
    }

    fn lock_at<'a>(
        &'a self,
        turn: lock::Turn,
        wait: Duration,
        (verb, holder): (&'a str, &str),
    ) -> Result<Locked<'a>> {
        let layout = &self.layout;
        let lock = lock::WriteLock::acquire(layout, turn, wait, holder)?;
        hide_from_git(layout);
        let apart = foreign::set_apart(layout, &lock)?;
        let progress = journal::Progress::of(layout);
        let opened = journal::Journal::open(
            &layout.journal(),
            layout.work_tree_key(),
            progress,
            lock.taken(),
        );
        let (journal, open) = opened.map_err(|error| error.warn(apart.iter().cloned()))?;
        let mut locked = Locked { layout, verb, journal, warnings: Vec::new(), lock };
        let said = locked.recover(open, turn);
        let said = said.map_err(|error| error.warn(apart.iter().cloned()))?;
        locked.warnings = [apart, said].concat();
        Ok(locked)
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
        if !self.layout.work_tree_key().is_known()
            || foreign::is_no_file(&self.layout.journal())
            || journal::Journal::is_settled(&self.layout.journal(), self.layout.work_tree_key())?
        {
            return Ok(Vec::new());
        }
        let holder = "a reader that finishes an earlier change";
        Ok(self.lock_at(lock::Turn::Skipped, wait, (READER, holder))?.warnings)
    }

    /// Removes the temp files of a process that died before its change was recorded, unless a process is writing.
    pub(crate) fn clear_leftovers(&self) -> Result<Vec<String>> {
        let is_empty = files::list(&self.layout.temporary()).is_ok_and(|names| names.is_empty());
        // Without a key, our own files would count as foreign.
        if is_empty || !self.layout.work_tree_key().is_known() {
            return Ok(Vec::new());
        }
        let holder = "a reader that removes what others left";
        // Taking the lock removes them.
        match self.lock_at(lock::Turn::Skipped, Duration::ZERO, (READER, holder)) {
            Ok(locked) => Ok(locked.warnings),
            Err(error) if error.warnings().is_empty() => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Makes sure that each file is whole after a power cut; a change of several may be half visible.
    pub(crate) fn settle_files(&self, wait: Duration) -> Result<Vec<String>> {
        match journal::Journal::is_of_this_run(&self.layout.journal()) {
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
        self.layout
    }

    /// Returns the warnings from taking the lock.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}

/// Writes a `.gitignore` into `state/`: on a commit from before the store nothing else keeps signed files out of `git
/// add -A`. If that fails, `doctor` reports that git tracks them.
fn hide_from_git(layout: &Layout) {
    const ALL: &[u8] = b"*\n";
    let place = layout.state().join(".gitignore");
    let is_ours =
        !is_no_file(&place) && files::read_short(&place).is_ok_and(|it| it.as_deref() == Some(ALL));
    if !is_ours && layout::make_room(&place).is_ok() {
        let _ = files::write(&place, ALL);
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
