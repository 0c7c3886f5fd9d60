//! The folder of a store, held open: every file in it is reached through this handle, and never through a link.
//!
//! On Unix the kernel resolves a path at the moment of use, relative to the held folder, and a link in any part of it
//! is an error. A process that swaps a folder for a link between a check and a write causes an error, or a write into
//! the original folder. On other systems every part is checked before the path is used: a link is refused, but one that
//! is put there at the same moment is followed.

#[cfg(any(not(unix), test))]
mod plain;
#[cfg(unix)]
mod unix;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind as IoKind};
use std::ops::Deref;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

#[cfg(not(unix))]
use plain::{Handle, look_at, touch};
#[cfg(unix)]
use unix::{Handle, look_at, touch};

use crate::error::{Error, ErrorKind, Result, Strange};

/// The folder of a store, or one in it; a clone is the same folder.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    handle: Arc<Handle>,
    path: PathBuf,
}

/// A path in a store; there may be a file, a folder, something else or nothing.
#[derive(Debug, Clone)]
pub(crate) struct Spot {
    folder: Folder,
    relative: PathBuf,
    /// The path that a person sees.
    path: PathBuf,
}

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    /// For reading and writing; a missing file is made.
    Write,
    /// A new file; an existing one is an error.
    Make,
    /// To make it, or a folder, durable.
    Sync,
}

/// What a rename does with an existing target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Replaces it.
    Over,
    /// Fails if there is one.
    Beside,
    /// Exchanges the two in one step; fails if there is none.
    Exchange,
}

/// The metadata of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) kind: Kind,
    pub(crate) size: u64,
    /// Nanoseconds since 1970.
    pub(crate) modified: i64,
    /// The last change of content or metadata, which no user can set back; 0 where unknown.
    pub(crate) changed: i64,
    /// Changes when the file is replaced; 0 where unknown.
    pub(crate) inode: i64,
    /// The file system; 0 where unknown.
    pub(crate) device: u64,
    /// Whether it has a second name.
    pub(crate) is_linked: bool,
    /// The permissions as on Unix; all where unknown.
    pub(crate) mode: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    Pipe,
    Socket,
    Device,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Folder => "a folder",
            Self::Link => "a symbolic link",
            Self::Pipe => "a pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
        }
    }
}

/// Tells whether the error is about the file type, and not about permissions.
pub(crate) fn is_strange(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Strange>())
}

impl Seen {
    /// Reads the metadata of an open file, even if its name is now another file's.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        look_at(file)
    }

    /// Sets the modification time to now, then reads the metadata.
    pub(crate) fn touched(file: &File) -> io::Result<Self> {
        touch(file)?;
        look_at(file)
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

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path without links, for libraries that take only paths.
    pub(crate) fn real_path(&self) -> io::Result<PathBuf> {
        self.handle.real_path(&self.path)
    }

    pub(crate) fn spot(&self, relative: impl AsRef<Path>) -> Spot {
        let relative = relative.as_ref();
        // Joining an empty path would add a `/`.
        let path =
            if relative == Path::new("") { self.path.clone() } else { self.path.join(relative) };
        Spot { folder: self.clone(), relative: relative.to_path_buf(), path }
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
            match self.handle.look(part) {
                Ok(seen) if seen.kind == Kind::Folder => {}
                Ok(seen) => return strange("its folder is", seen.kind, part),
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

/// Tells whether a path has other parts than names, such as `..`.
pub(crate) fn leads_out(relative: &Path) -> bool {
    relative.components().any(|part| !matches!(part, Component::Normal(_)))
}

fn stays_inside(relative: &Path) -> io::Result<()> {
    if leads_out(relative) {
        let why = format!("it leads out of the store: `{}`", relative.display());
        return Err(io::Error::other(Strange(why)));
    }
    Ok(())
}

fn strange(why: &str, kind: Kind, part: &Path) -> io::Error {
    io::Error::other(Strange(format!("{why} {}: `{}`", kind.name(), part.display())))
}

/// Returns a path after all its parents, from the top.
fn parents(relative: &Path) -> impl Iterator<Item = &Path> {
    let mut all: Vec<&Path> = relative.ancestors().filter(|part| *part != Path::new("")).collect();
    all.reverse();
    all.into_iter()
}

impl Spot {
    pub(crate) fn join(&self, name: impl AsRef<Path>) -> Self {
        self.folder.spot(self.relative.join(name))
    }

    pub(crate) fn with_suffix(&self, suffix: &str) -> Self {
        let mut name = self.relative.as_os_str().to_owned();
        name.push(suffix);
        self.folder.spot(PathBuf::from(name))
    }

    /// Returns the path itself, then its parents up to the store.
    pub(crate) fn ancestors(&self) -> impl Iterator<Item = Self> {
        self.relative.ancestors().map(|part| self.folder.spot(part))
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(crate) fn relative(&self) -> &Path {
        &self.relative
    }

    /// Opens a file without blocking, and returns its metadata.
    pub(crate) fn open(&self, access: Access) -> io::Result<(File, Seen)> {
        let opened = self.act(|handle, path| handle.file(path, access));
        let (file, seen) = opened.map_err(|error| self.explain(error, Kind::File))?;
        match (seen.kind, access) {
            (Kind::File, _) | (Kind::Folder, Access::Sync) => Ok((file, seen)),
            (kind, _) => Err(strange("it is", kind, &self.relative)),
        }
    }

    /// Reads the metadata; a link is not followed.
    pub(crate) fn look(&self) -> io::Result<Seen> {
        self.act(Handle::look)
    }

    /// Tells why names in this folder cannot be changed, if so.
    pub(crate) fn is_for_writing(&self) -> io::Result<()> {
        // The permissions of a link are those of its target.
        match self.look()?.kind {
            Kind::Folder => self.act(Handle::is_for_writing),
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
        let handle = entered.map_err(|error| self.explain(error, Kind::Folder))?;
        Ok(Folder { handle: Arc::new(handle), path: self.path.clone() })
    }

    pub(crate) fn names(&self) -> io::Result<Vec<(OsString, Kind)>> {
        self.act(Handle::names).map_err(|error| self.explain(error, Kind::Folder))
    }

    /// Makes a folder; its parent must exist.
    pub(crate) fn make_folder(&self) -> io::Result<()> {
        self.act(Handle::make_folder)
    }

    /// Removes a file or an empty folder.
    pub(crate) fn remove(&self, kind: Kind) -> io::Result<()> {
        self.act(|handle, path| handle.remove(path, kind == Kind::Folder))
    }

    /// Where only replacing is supported, the other manners are [`IoKind::Unsupported`].
    pub(crate) fn rename(&self, to: &Self, manner: Manner) -> io::Result<()> {
        stays_inside(&to.relative)?;
        let target = (&*to.folder.handle, to.relative.as_path());
        let renamed = self.act(|handle, path| handle.rename(path, target, manner));
        renamed.map_err(|error| to.folder.explain(&to.relative, error))
    }

    /// Replaces an error by its reason, if there is another file type.
    fn explain(&self, error: io::Error, expected: Kind) -> io::Error {
        if is_plain_enough(&error) {
            return error;
        }
        match self.look() {
            Ok(seen) if seen.kind != expected => strange("it is", seen.kind, &self.relative),
            Ok(_) | Err(_) => error,
        }
    }

    fn act<T>(&self, act: impl FnOnce(&Handle, &Path) -> io::Result<T>) -> io::Result<T> {
        self.folder.act(&self.relative, |handle| act(handle, &self.relative))
    }
}

impl Deref for Spot {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

#[cfg(all(test, unix))]
mod tests;
