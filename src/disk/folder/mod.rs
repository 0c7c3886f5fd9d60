//! The folder of a store, held open: everything in it is reached through it, and never through a link.
//!
//! On Unix a path is taken apart by the kernel at the moment of use, from the folder that is held, and a
//! link in any part of it is an error: whoever swaps a folder for a link between a look and a write gets
//! an error, or a write into the folder that was there. On other systems every part is looked at before
//! the path is used, so that a link that stands there is refused, but one that is put there at the same
//! moment is followed.

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

/// The folder of a store, or one in it; a copy is the same folder.
#[derive(Debug, Clone)]
pub struct Folder {
    handle: Arc<Handle>,
    path: PathBuf,
}

/// A place in a store; there may be a file, a folder, something else or nothing.
#[derive(Debug, Clone)]
pub struct Spot {
    folder: Folder,
    relative: PathBuf,
    /// Where a person finds it.
    path: PathBuf,
}

/// What is to be done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// It is read.
    Read,
    /// It is read and written, and made if there is none.
    Write,
    /// It is made; whatever is there is an error.
    Make,
    /// It, or a folder, is made durable.
    Sync,
}

/// What becomes of what stands where something is moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It goes.
    Over,
    /// It stays: nothing may stand there.
    Beside,
    /// It comes to where the other was, in the same moment; something must stand there.
    Exchange,
}

/// What the file system says of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) kind: Kind,
    pub(crate) size: u64,
    /// Nanoseconds since 1970.
    pub(crate) modified: i64,
    /// When anything about it changed, which nobody can set back; 0 where it is not known.
    pub(crate) changed: i64,
    /// Its number, which changes when it is replaced; 0 where it is not known.
    pub(crate) inode: i64,
    /// The number of its file system; 0 where it is not known.
    pub(crate) device: u64,
    /// Whether it has another name, perhaps elsewhere.
    pub(crate) is_linked: bool,
    /// Who may do what with it, as Unix writes it; all for everybody where it is not known.
    pub(crate) mode: u32,
}

/// What can stand at a place.
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
    /// Returns how a person calls it.
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

/// Tells whether a place cannot be used for what stands there, rather than for want of a permission.
pub(crate) fn is_strange(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Strange>())
}

impl Seen {
    /// Looks at a file that is open, whatever has its name by now.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        look_at(file)
    }

    /// Does the same to a file that is given the time that it is, and nothing else.
    pub(crate) fn touched(file: &File) -> io::Result<Self> {
        touch(file)?;
        look_at(file)
    }
}

impl Folder {
    /// Takes hold of a folder; nothing if there is none. A link is refused, as what is behind it
    /// would not be in the repository.
    pub fn open(path: &Path) -> Result<Option<Self>> {
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

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns where it is once no link is left in the way; for those that take paths only.
    pub(crate) fn real_path(&self) -> io::Result<PathBuf> {
        self.handle.real_path(&self.path)
    }

    /// Returns a place in it.
    pub fn spot(&self, relative: impl AsRef<Path>) -> Spot {
        let relative = relative.as_ref();
        // Joining nothing would leave a `/` at the end.
        let path =
            if relative == Path::new("") { self.path.clone() } else { self.path.join(relative) };
        Spot { folder: self.clone(), relative: relative.to_path_buf(), path }
    }

    fn act<T>(&self, relative: &Path, act: impl FnOnce(&Handle) -> io::Result<T>) -> io::Result<T> {
        stays_inside(relative)?;
        act(&self.handle).map_err(|error| self.explain(relative, error))
    }

    /// Says what is in the way to a place, where that is why something cannot be done.
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

/// Tells whether an error says all there is to say.
fn is_plain_enough(error: &io::Error) -> bool {
    matches!(error.kind(), IoKind::NotFound | IoKind::AlreadyExists) || is_strange(error)
}

/// Tells whether a path is more than names, one below the other.
pub fn leads_out(relative: &Path) -> bool {
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

/// Returns a path with all that is above it, from the top.
fn parents(relative: &Path) -> impl Iterator<Item = &Path> {
    let mut all: Vec<&Path> = relative.ancestors().filter(|part| *part != Path::new("")).collect();
    all.reverse();
    all.into_iter()
}

impl Spot {
    /// Returns a place in the folder at this one.
    pub(crate) fn join(&self, name: impl AsRef<Path>) -> Self {
        self.folder.spot(self.relative.join(name))
    }

    /// Returns the place whose name is longer by this.
    pub(crate) fn with_suffix(&self, suffix: &str) -> Self {
        let mut name = self.relative.as_os_str().to_owned();
        name.push(suffix);
        self.folder.spot(PathBuf::from(name))
    }

    /// Returns the place, then the folders above it up to that of the store.
    pub(crate) fn ancestors(&self) -> impl Iterator<Item = Self> {
        self.relative.ancestors().map(|part| self.folder.spot(part))
    }

    /// Returns the folder of the store.
    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Returns where it is in the store.
    pub(crate) fn relative(&self) -> &Path {
        &self.relative
    }

    /// Opens a file, and says what the file system says of it; waits for nobody.
    pub(crate) fn open(&self, access: Access) -> io::Result<(File, Seen)> {
        let opened = self.act(|handle, path| handle.file(path, access));
        let (file, seen) = opened.map_err(|error| self.explain(error, Kind::File))?;
        match (seen.kind, access) {
            (Kind::File, _) | (Kind::Folder, Access::Sync) => Ok((file, seen)),
            (kind, _) => Err(strange("it is", kind, &self.relative)),
        }
    }

    /// Looks at what is there, itself and not what it may lead to.
    pub(crate) fn look(&self) -> io::Result<Seen> {
        self.act(Handle::look)
    }

    /// Tells whether names in this folder may be changed, and if not, why.
    pub(crate) fn is_for_writing(&self) -> io::Result<()> {
        // Permissions are those of what a link leads to.
        match self.look()?.kind {
            Kind::Folder => self.act(Handle::is_for_writing),
            kind => Err(strange("its folder is", kind, &self.relative)),
        }
    }

    /// Gives a file the permissions of what is there.
    pub(crate) fn copy_mode(&self, to: &File) -> io::Result<()> {
        self.act(|handle, path| handle.copy_mode(path, to))
    }

    /// Takes from a file what who may read this one may not do with it.
    pub(crate) fn narrow(&self, mode: u32) -> io::Result<()> {
        self.act(|handle, path| handle.narrow(path, mode))
    }

    /// Takes hold of a folder in the store.
    pub(crate) fn enter(&self) -> io::Result<Folder> {
        let entered = self.act(Handle::enter);
        let handle = entered.map_err(|error| self.explain(error, Kind::Folder))?;
        Ok(Folder { handle: Arc::new(handle), path: self.path.clone() })
    }

    /// Returns the names in a folder.
    pub(crate) fn names(&self) -> io::Result<Vec<(OsString, Kind)>> {
        self.act(Handle::names).map_err(|error| self.explain(error, Kind::Folder))
    }

    /// Makes a folder in one that is there.
    pub(crate) fn make_folder(&self) -> io::Result<()> {
        self.act(Handle::make_folder)
    }

    /// Removes a file, or an empty folder.
    pub(crate) fn remove(&self, kind: Kind) -> io::Result<()> {
        self.act(|handle, path| handle.remove(path, kind == Kind::Folder))
    }

    /// Gives what is there another place. Where the file system can only move over what stands there, the
    /// other manners are [`IoKind::Unsupported`].
    pub(crate) fn rename(&self, to: &Self, manner: Manner) -> io::Result<()> {
        stays_inside(&to.relative)?;
        let target = (&*to.folder.handle, to.relative.as_path());
        let renamed = self.act(|handle, path| handle.rename(path, target, manner));
        renamed.map_err(|error| to.folder.explain(&to.relative, error))
    }

    /// Says that something else is there, where that is why something cannot be done.
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
