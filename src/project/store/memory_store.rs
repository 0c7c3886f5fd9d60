//! A store on disk: its settings, its memory files, and the way to its lock.

use std::collections::BTreeSet;
use std::time::Duration;

use super::conflict_markers::conflict_in;
use super::foreign::is_no_file;
use super::layout::Layout;
use super::names::Names;
use super::out_of_sight::{OutOfSight, may_be_sparse};
use super::rejections;
use crate::contract::FileState;
use crate::disk::files;
use crate::disk::journal::Journal;
use crate::disk::lock::Turn;
use crate::error::{Error, ErrorKind, Result};
use crate::project::config::{Config, NewerFormat, newer_format};
use crate::project::pipeline::Snapshot;
use crate::project::request::MemoryPath;
use crate::project::schema::Catalog;
use crate::text::{visible, visible_name};

/// A store with the write lock: only this value can write.
pub(crate) type Locked<'a> = crate::disk::Locked<'a, Layout>;

/// A store on disk, for reading.
#[derive(Debug, Clone)]
pub struct Store {
    layout: Layout,
    out_of_sight: OutOfSight,
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

    /// Returns the version of the store, if a newer program made it.
    pub(crate) fn newer(&self) -> Option<NewerFormat> {
        // What cannot be read is told by all that needs it.
        files::read_text(&self.layout.config()).ok().flatten().as_deref().and_then(newer_format)
    }

    /// Refuses to write to a store of a newer version.
    pub(crate) fn refuse_newer(&self) -> Result<()> {
        let Some(newer) = self.newer() else { return Ok(()) };
        let hint = "update agent-memory and do it again; this version reads the store and does not write to it";
        Err(Error::new(ErrorKind::StoreNewer, format!("the store was {newer}:"))
            .at(self.layout.store())
            .hint(hint))
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
        self.refuse_newer()?;
        self.layout.journal_key().refuse_missing(self.layout.store())?;
        self.refuse_submodules()?;
        Locked::acquire(&self.layout, Turn::Awaited, wait, verb, holder)
    }

    /// Tells whether this store is locked first when both are.
    pub(crate) fn is_locked_before(&self, other: &Self) -> bool {
        let number = |store: &Self| {
            store.layout.inside("").metadata().ok().map(|seen| (seen.device, seen.inode))
        };
        number(self) < number(other)
    }

    /// Makes sure that a reader finds no change half visible.
    pub(crate) fn settle(&self, wait: Duration) -> Result<Vec<String>> {
        // Without a key nothing can be verified, so nothing is carried out; nor is a journal of another file type.
        if !self.layout.journal_key().is_known()
            || is_no_file(&self.layout.journal())
            || Journal::is_settled(&self.layout)?
            || self.newer().is_some()
        {
            return Ok(Vec::new());
        }
        let holder = "a reader that finishes an earlier change";
        Ok(Locked::acquire(&self.layout, Turn::Skipped, wait, READER, holder)?.take_warnings())
    }

    /// Removes the temp files of a process that died before its change was recorded, unless a process is writing.
    pub(crate) fn clear_leftovers(&self) -> Result<Vec<String>> {
        let is_empty = files::list(&self.layout.temporary()).is_ok_and(|names| names.is_empty());
        // Without a key, our own files would count as foreign.
        if is_empty || !self.layout.journal_key().is_known() || self.newer().is_some() {
            return Ok(Vec::new());
        }
        let holder = "a reader that removes what others left";
        // Taking the lock removes them.
        match Locked::acquire(&self.layout, Turn::Skipped, Duration::ZERO, READER, holder) {
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
            if let FileState::Text(text) = &state {
                let line = conflict_in(&self.layout, path.as_str(), text)?;
                snapshot.conflicts.extend(line.map(|line| (path.clone(), line)));
            }
            snapshot.files.insert(path.clone(), state);
        }
        snapshot.rejections = rejections::read(&self.layout)?;
        snapshot.restorable = rejections::restorable(&self.layout, &snapshot.rejections)?;
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

impl Store {
    /// Refuses a store with files that a sparse checkout leaves out: a denied or rejected text would be applied, and a
    /// new file would replace the missing one.
    pub(crate) fn refuse_left_out(&self) -> Result<()> {
        let git = self.layout.git();
        if may_be_sparse(git) {
            git.find()?;
        }
        let left_out = self.out_of_sight.left_out(git);
        let Some(path) = left_out.first() else { return Ok(()) };
        let message = format!("a sparse checkout leaves out `{path}` of the store");
        let hint = "`git sparse-checkout disable`, or `git sparse-checkout add .agent-memory`";
        Err(Error::new(ErrorKind::ConfigInvalid, message).at(self.layout.store()).hint(hint))
    }

    /// Refuses to write to a store with a submodule in it: the change would be in no commit of the repository.
    pub(super) fn refuse_submodules(&self) -> Result<()> {
        let git = self.layout.git();
        let Some(path) = self.out_of_sight.submodules(git).first() else { return Ok(()) };
        let path = visible_name(path);
        let message =
            format!("memory in a repository of its own is not supported, as in `{path}` of");
        let hint =
            format!("take the submodule out: `git rm` of `{path}` in the store, and a commit");
        Err(Error::new(ErrorKind::StoreDamaged, message).at(self.layout.store()).hint(hint))
    }
}
