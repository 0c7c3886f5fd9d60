//! A folder that is held open, and the paths in it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind as IoKind};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::access::{Access, Manner};
use super::metadata::{FileKind, PathMetadata};
#[cfg(not(unix))]
use super::plain::{Handle, metadata_of, touch};
#[cfg(unix)]
use super::unix::{Handle, metadata_of, touch};
use super::way::{leads_out, parents};
use crate::error::{Error, ErrorKind, Result, Strange};

/// The folder of a store, or one in it; a clone is the same folder.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    handle: Arc<Handle>,
    path: PathBuf,
}

/// A path in a store; there may be a file, a folder, something else or nothing.
#[derive(Debug, Clone)]
pub(crate) struct StorePath {
    folder: Folder,
    relative: PathBuf,
    /// The path that a person sees.
    path: PathBuf,
}

/// Tells whether the error is about the file type, and not about permissions.
pub(crate) fn is_strange(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Strange>())
}

impl PathMetadata {
    /// Reads the metadata of an open file, even if its name is now another file's.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        metadata_of(file)
    }

    /// Sets the modification time to now, then reads the metadata.
    pub(crate) fn touched(file: &File) -> io::Result<Self> {
        touch(file)?;
        metadata_of(file)
    }
}

impl Folder {
    /// Opens a folder; `None` if there is none. A link is refused: its target would be outside of the repository.
    pub(crate) fn open(path: &Path) -> Result<Option<Self>> {
        match Handle::open(path) {
            Ok(handle) => Ok(Some(Self { handle: Arc::new(handle), path: path.to_path_buf() })),
            Err(_) if path.is_symlink() => Err(Error::new(
                ErrorKind::StoreDamaged,
                "the folder of the store is a symbolic link:",
            )
            .at(path)
            .hint("put the folder itself there, or name the one that it leads to with `--root`")),
            Err(error) if matches!(error.kind(), IoKind::NotFound | IoKind::NotADirectory) => {
                Ok(None)
            }
            Err(error) => Err(Error::io("open", path, error)),
        }
    }

    /// Lets only the owner read what is made in it from now on; another user's folder is refused.
    pub(crate) fn into_private(self) -> Result<Self> {
        let Self { handle, path } = self;
        let mut handle = Arc::into_inner(handle).expect("it was opened just now");
        match handle.is_own() {
            Ok(true) => handle.make_private(),
            Ok(false) => {
                return Err(Error::new(ErrorKind::StoreDamaged, "it belongs to another user:")
                    .at(&path)
                    .hint("personal memory is read and written by its owner alone"));
            }
            Err(error) => return Err(Error::io("look at", &path, error)),
        }
        Ok(Self { handle: Arc::new(handle), path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path without links, for libraries that take only paths.
    pub(crate) fn real_path(&self) -> io::Result<PathBuf> {
        self.handle.real_path(&self.path)
    }

    pub(crate) fn inside(&self, relative: impl AsRef<Path>) -> StorePath {
        let relative = relative.as_ref();
        // Joining an empty path would add a `/`.
        let path =
            if relative == Path::new("") { self.path.clone() } else { self.path.join(relative) };
        StorePath { folder: self.clone(), relative: relative.to_path_buf(), path }
    }

    fn act<T>(&self, relative: &Path, act: impl FnOnce(&Handle) -> io::Result<T>) -> io::Result<T> {
        stays_inside(relative)?;
        act(&self.handle).map_err(|error| self.explain(relative, error))
    }

    /// Replaces an error by its reason, if a part of the path is no folder.
    fn explain(&self, relative: &Path, error: io::Error) -> io::Error {
        if is_plain_enough(&error) {
            return error;
        }
        let way = relative.parent().map(parents).into_iter().flatten();
        for part in way {
            match self.handle.metadata(part) {
                Ok(metadata) if metadata.kind == FileKind::Folder => {}
                Ok(metadata) => return strange("its folder is", metadata.kind, part),
                Err(_) => break,
            }
        }
        error
    }
}

/// Tells whether an error needs no further reason.
fn is_plain_enough(error: &io::Error) -> bool {
    matches!(error.kind(), IoKind::NotFound | IoKind::AlreadyExists) || is_strange(error)
}

fn stays_inside(relative: &Path) -> io::Result<()> {
    if leads_out(relative) {
        let why = format!("it leads out of the store: `{}`", relative.display());
        return Err(io::Error::other(Strange(why)));
    }
    Ok(())
}

fn strange(why: &str, kind: FileKind, part: &Path) -> io::Error {
    io::Error::other(Strange(format!("{why} {}: `{}`", kind.name(), part.display())))
}

impl StorePath {
    pub(crate) fn join(&self, name: impl AsRef<Path>) -> Self {
        self.folder.inside(self.relative.join(name))
    }

    pub(crate) fn with_suffix(&self, suffix: &str) -> Self {
        let mut name = self.relative.as_os_str().to_owned();
        name.push(suffix);
        self.folder.inside(PathBuf::from(name))
    }

    /// Returns the path itself, then its parents up to the store.
    pub(crate) fn ancestors(&self) -> impl Iterator<Item = Self> {
        self.relative.ancestors().map(|part| self.folder.inside(part))
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(crate) fn relative(&self) -> &Path {
        &self.relative
    }

    /// Opens a file without blocking, and returns its metadata.
    pub(crate) fn open(&self, access: Access) -> io::Result<(File, PathMetadata)> {
        let opened = self.act(|handle, path| handle.file(path, access));
        let (file, metadata) = opened.map_err(|error| self.explain(error, FileKind::File))?;
        match (metadata.kind, access) {
            (FileKind::File, _) | (FileKind::Folder, Access::Sync) => Ok((file, metadata)),
            (kind, _) => Err(strange("it is", kind, &self.relative)),
        }
    }

    /// Reads the metadata; a link is not followed.
    pub(crate) fn metadata(&self) -> io::Result<PathMetadata> {
        self.act(Handle::metadata)
    }

    /// Tells why names in this folder cannot be changed, if so.
    pub(crate) fn is_for_writing(&self) -> io::Result<()> {
        // The permissions of a link are those of its target.
        match self.metadata()?.kind {
            FileKind::Folder => self.act(Handle::is_for_writing),
            kind => Err(strange("its folder is", kind, &self.relative)),
        }
    }

    pub(crate) fn copy_mode(&self, to: &File) -> io::Result<()> {
        self.act(|handle, path| handle.copy_mode(path, to))
    }

    /// Removes the permissions of group and others that `mode` does not have.
    pub(crate) fn narrow(&self, mode: u32) -> io::Result<()> {
        self.act(|handle, path| handle.narrow(path, mode))
    }

    pub(crate) fn enter(&self) -> io::Result<Folder> {
        let entered = self.act(Handle::enter);
        let handle = entered.map_err(|error| self.explain(error, FileKind::Folder))?;
        Ok(Folder { handle: Arc::new(handle), path: self.path.clone() })
    }

    pub(crate) fn names(&self) -> io::Result<Vec<(OsString, FileKind)>> {
        self.act(Handle::names).map_err(|error| self.explain(error, FileKind::Folder))
    }

    /// Makes a folder; its parent must exist.
    pub(crate) fn make_folder(&self) -> io::Result<()> {
        self.act(Handle::make_folder)
    }

    /// Removes a file or an empty folder.
    pub(crate) fn remove(&self, kind: FileKind) -> io::Result<()> {
        self.act(|handle, path| handle.remove(path, kind == FileKind::Folder))
    }

    /// Where only replacing is supported, the other manners are [`IoKind::Unsupported`].
    pub(crate) fn rename(&self, to: &Self, manner: Manner) -> io::Result<()> {
        stays_inside(&to.relative)?;
        let target = &to.folder.handle;
        let renamed = self.act(|handle, path| handle.rename(path, target, &to.relative, manner));
        renamed.map_err(|error| to.folder.explain(&to.relative, error))
    }

    /// Replaces an error by its reason, if there is another file type.
    fn explain(&self, error: io::Error, expected: FileKind) -> io::Error {
        if is_plain_enough(&error) {
            return error;
        }
        match self.metadata() {
            Ok(metadata) if metadata.kind != expected => {
                strange("it is", metadata.kind, &self.relative)
            }
            Ok(_) | Err(_) => error,
        }
    }

    fn act<T>(&self, act: impl FnOnce(&Handle, &Path) -> io::Result<T>) -> io::Result<T> {
        self.folder.act(&self.relative, |handle| act(handle, &self.relative))
    }
}

impl Deref for StorePath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}
