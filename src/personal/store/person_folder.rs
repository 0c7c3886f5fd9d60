//! The folder of a person, below the folder of all data.

use std::ops::Deref;
use std::path::Path;
use std::time::Duration;

use crate::disk::folder::StorePath;
use crate::disk::journal::Journal;
use crate::disk::key::Key;
use crate::disk::key_file::own_key;
use crate::disk::lock::{Turn, WriteLock};
use crate::disk::{Folder, Locked, OwnedStore, SignedLog, StoreFolder, UndoList};
use crate::disk::{files, outside};
use crate::error::{Error, ErrorKind, Result};
use crate::personal::request::UserId;
use crate::personal::settings::PersonalSettings;

/// The folder of a person, with the key that signs its log.
#[derive(Debug, Clone)]
pub(crate) struct PersonFolder {
    files: StoreFolder,
    key: Key,
}

/// The folder with the write lock.
pub(crate) type LockedPerson<'a> = Locked<'a, PersonFolder>;

/// How many times a reader tries to find the files at rest.
const ATTEMPTS: usize = 10;

const NEW_KEY: &str = "restore it from a backup, or delete it: the next change makes a new one, the entries stay, and earlier \
    changes can no longer be verified or undone";

const CORRECT: &str = "correct the file, then run `agent-memory doctor --user`";

const NO_KEY: &str = "let this user write to `state/` there, and look whether the disk is full";

impl Deref for PersonFolder {
    type Target = StoreFolder;

    fn deref(&self) -> &StoreFolder {
        &self.files
    }
}

impl PersonFolder {
    /// Finds the folder of a person; `None` if nothing was ever written there.
    pub(crate) fn find(data: &Path, user: &UserId) -> Result<Option<Self>> {
        // The person chose where the data is, also through links; below it none is followed.
        let Some(data) = outside::real_path(data) else { return Ok(None) };
        let Some(all) = Folder::open(&data)? else { return Ok(None) };
        let place = all.inside(format!("users/{}", user.key()));
        match files::is_there(&place)? {
            true => Self::over(files::enter(&place)?.into_private()?).map(Some),
            false => Ok(None),
        }
    }

    /// Makes the folder of a person, unless another process was faster.
    pub(crate) fn make(data: &Path, user: &UserId) -> Result<Self> {
        outside::make_private_folders(&data.join("users"))?;
        let all = outside::open_folder(data)?.into_private()?;
        let place = all.inside(format!("users/{}", user.key()));
        match place.make_folder() {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(Error::io("make the folder", &place, error));
            }
            Ok(()) | Err(_) => {}
        }
        let made = Self::find(data, user)?;
        made.ok_or_else(|| Error::new(ErrorKind::StoreNotFound, "it is gone again:").at(data))
    }

    fn over(folder: Folder) -> Result<Self> {
        let key = own_key(&folder).map_err(|error| match error.kind() {
            ErrorKind::StoreDamaged => error.hint(NEW_KEY),
            _ => error,
        })?;
        Ok(Self { files: StoreFolder::new(folder, key.clone(), None), key })
    }

    pub(crate) fn settings(&self) -> Result<PersonalSettings> {
        let path = self.inside("config.toml");
        match files::read_text(&path)? {
            Some(text) => {
                PersonalSettings::parse(&text, &path).map_err(|error| error.hint(CORRECT))
            }
            None => Ok(PersonalSettings::default()),
        }
    }

    pub(crate) fn signed_log(&self) -> SignedLog<'_> {
        SignedLog::new(&self.files, &self.key)
    }

    pub(crate) fn undo_list(&self) -> UndoList<'_> {
        UndoList::new(&self.files, &self.key)
    }

    /// The trash: what was deleted, and nothing removes but its owner.
    pub(crate) fn deleted(&self) -> StorePath {
        self.inside("trash")
    }

    /// Where files are set apart that were edited while a change was written.
    pub(crate) fn set_apart(&self) -> StorePath {
        self.files.trash()
    }

    /// Takes the write lock within `wait`, and finishes the change of a process that died.
    pub(crate) fn lock<'a>(&'a self, wait: Duration, verb: &'a str) -> Result<LockedPerson<'a>> {
        self.key.refuse_missing(self.store()).map_err(|error| error.hint(NO_KEY))?;
        self.make_private()?;
        let holder = format!("`agent-memory user {verb}`");
        Locked::acquire(self, Turn::Awaited, wait, verb, &holder)
    }

    /// Closes the folders to all others, as where a copy or a hand opened them.
    fn make_private(&self) -> Result<()> {
        let folders = ["", "memory", "state"];
        folders.iter().try_for_each(|folder| files::narrow(&self.inside(folder), 0o700))
    }

    /// Makes sure that a reader finds no change half visible; returns warnings.
    pub(crate) fn settle(&self, wait: Duration) -> Result<Vec<String>> {
        if !self.key.is_known() || Journal::is_settled(self)? {
            return Ok(Vec::new());
        }
        let holder = "a reader that finishes an earlier change";
        Ok(Locked::acquire(self, Turn::Skipped, wait, "read", holder)?.take_warnings())
    }

    /// Reads several files without the lock, anew where a change came in between; returns warnings too.
    pub(crate) fn read_at_rest<T>(
        &self,
        wait: Duration,
        read: impl Fn() -> Result<T>,
    ) -> Result<(T, Vec<String>)> {
        let mut warnings = Vec::new();
        for _ in 1..ATTEMPTS {
            warnings.extend(self.settle(wait)?);
            let before = self.signed_log().length()?;
            let found = read()?;
            if Journal::is_settled(self)? && self.signed_log().length()? == before {
                return Ok((found, warnings));
            }
        }
        // Under steady changes, what was read last is better than no answer.
        Ok((read()?, warnings))
    }
}

impl OwnedStore for PersonFolder {
    /// Records are signed; this protects the settings against a leaked key.
    fn refuse(&self, verb: &str, path: &str) -> Option<String> {
        let parts: Vec<&str> = path.split('/').collect();
        let is_ours = match parts[..] {
            ["memory" | "trash", name] => name.ends_with(".md"),
            ["state", ..] => true,
            _ => false,
        };
        (!is_ours).then(|| format!("`{verb}` does not write `{path}`"))
    }

    fn copied_from<'p>(&self, _: &'p str) -> Option<&'p str> {
        // Everything here is the owner's alone.
        None
    }

    fn signed_log(&self) -> SignedLog<'_> {
        Self::signed_log(self)
    }

    fn set_foreign_apart(&self, _: &WriteLock) -> Result<Vec<String>> {
        // No commit writes here: what is not signed is not read.
        Ok(Vec::new())
    }
}
