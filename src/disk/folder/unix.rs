//! A folder on Unix: an open handle, with paths relative to it.
//!
//! Linux resolves a whole path in one call, `openat2`. Where that is missing (before 5.6, in some sandboxes and on
//! other systems) the folders are opened one by one, with the same result.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{
    self, AtFlags, Dir, FileType, Mode, OFlags, Stat, Timespec, Timestamps, UTIME_NOW,
};
use rustix::io::{Errno, Result};

use super::access::{Access, Manner};
use super::metadata::{FileKind, PathMetadata};

#[derive(Debug)]
pub(super) struct Handle {
    folder: OwnedFd,
    /// The permissions that new files and folders in it may have.
    allowed: Mode,
}

/// Flags of every open: a link is an error, a pipe does not block, a terminal does not become ours.
const ALWAYS: OFlags =
    OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

const PERMISSIONS: u32 = 0o777;

/// All permissions of group and others.
const OTHERS: u32 = 0o077;

impl Handle {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let folder = fs::openat(fs::CWD, path, FOLDER | ALWAYS, Mode::empty())?;
        Ok(Self { folder, allowed: Mode::RWXU | Mode::RWXG | Mode::RWXO })
    }

    /// Lets only the owner read what is made in it from now on.
    pub(super) fn make_private(&mut self) {
        self.allowed = Mode::RWXU;
    }

    /// Tells whether it belongs to the user of this process.
    pub(super) fn is_own(&self) -> io::Result<bool> {
        Ok(fs::fstat(&self.folder)?.st_uid == rustix::process::geteuid().as_raw())
    }

    pub(super) fn real_path(&self, path: &Path) -> io::Result<PathBuf> {
        let own = PathBuf::from(format!("/proc/self/fd/{}", self.folder.as_raw_fd()));
        std::fs::read_link(own).or_else(|_| path.canonicalize())
    }

    pub(super) fn file(&self, path: &Path, access: Access) -> io::Result<(File, PathMetadata)> {
        let flags = match access {
            Access::Read | Access::Sync => OFlags::RDONLY,
            Access::Write => OFlags::RDWR | OFlags::CREATE,
            Access::Make => OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL,
            Access::Append => OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND,
        };
        let path = if path == Path::new("") { Path::new(".") } else { path };
        let file = self.descend(path, flags | ALWAYS)?;
        let file = File::from(file);
        let metadata = metadata_of(&file)?;
        Ok((file, metadata))
    }

    pub(super) fn metadata(&self, path: &Path) -> io::Result<PathMetadata> {
        if path == Path::new("") {
            return Ok(converted(&fs::fstat(&self.folder)?));
        }
        Ok(converted(&self.stat(path)?))
    }

    pub(super) fn is_for_writing(&self, path: &Path) -> io::Result<()> {
        let path = if path == Path::new("") { Path::new(".") } else { path };
        let wanted = fs::Access::WRITE_OK | fs::Access::EXEC_OK;
        let ask =
            |folder: &OwnedFd, name: &OsStr| fs::accessat(folder, name, wanted, AtFlags::EACCESS);
        Ok(match path == Path::new(".") {
            true => ask(&self.folder, path.as_os_str()),
            false => self.in_parent(path, ask),
        }?)
    }

    pub(super) fn copy_mode(&self, path: &Path, to: &File) -> io::Result<()> {
        let stat = match self.stat(path) {
            Err(Errno::NOENT) => return Ok(()),
            stat => stat?,
        };
        // What a hand opened to others is closed again where the folder is private.
        let wanted = stat.st_mode & (self.allowed.as_raw_mode() | !PERMISSIONS);
        // Setting equal permissions would cost as much as setting others.
        match fs::fstat(to)?.st_mode == wanted {
            true => Ok(()),
            false => Ok(fs::fchmod(to, Mode::from_raw_mode(wanted))?),
        }
    }

    pub(super) fn narrow(&self, path: &Path, mode: u32) -> io::Result<()> {
        let (file, _) = self.file(path, Access::Read)?;
        let now = fs::fstat(&file)?.st_mode;
        match now & (mode | !OTHERS) {
            narrower if narrower == now => Ok(()),
            narrower => Ok(fs::fchmod(&file, Mode::from_raw_mode(narrower))?),
        }
    }

    pub(super) fn enter(&self, path: &Path) -> io::Result<Self> {
        Ok(Self { folder: self.descend(path, FOLDER | ALWAYS)?, allowed: self.allowed })
    }

    pub(super) fn names(&self, path: &Path) -> io::Result<Vec<(OsString, FileKind)>> {
        let path = if path == Path::new("") { Path::new(".") } else { path };
        let folder = self.descend(path, FOLDER | ALWAYS)?;
        let mut names = Vec::new();
        for entry in Dir::new(folder)? {
            let entry = entry?;
            let name = OsString::from_vec(entry.file_name().to_bytes().to_vec());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not tell the type.
                FileType::Unknown => match self.metadata(&path.join(&name)) {
                    Ok(metadata) => metadata.kind,
                    Err(_) => continue,
                },
                known => kind(known),
            };
            names.push((name, kind));
        }
        Ok(names)
    }

    pub(super) fn make_folder(&self, path: &Path) -> io::Result<()> {
        Ok(self.in_parent(path, |folder, name| fs::mkdirat(folder, name, self.allowed))?)
    }

    pub(super) fn remove(&self, path: &Path, is_folder: bool) -> io::Result<()> {
        let flags = if is_folder { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        Ok(self.in_parent(path, |folder, name| fs::unlinkat(folder, name, flags))?)
    }

    pub(super) fn rename(
        &self,
        from: &Path,
        other: &Self,
        to: &Path,
        manner: Manner,
    ) -> io::Result<()> {
        let renamed = self.in_parent(from, |folder, name| {
            other.in_parent(to, |target, new| rename(folder, name, target, new, manner))
        });
        match renamed {
            // Returned by kernels, file systems and sandboxes that can only replace.
            Err(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP | Errno::PERM)
                if manner != Manner::Over =>
            {
                Err(io::ErrorKind::Unsupported.into())
            }
            renamed => Ok(renamed?),
        }
    }

    fn stat(&self, path: &Path) -> Result<Stat> {
        self.in_parent(path, |folder, name| fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW))
    }

    /// Calls `act` with the folder that holds a path, and the name in it.
    fn in_parent<T>(
        &self,
        path: &Path,
        act: impl FnOnce(&OwnedFd, &OsStr) -> Result<T>,
    ) -> Result<T> {
        let name = path.file_name().ok_or(Errno::INVAL)?;
        match path.parent().filter(|parent| *parent != Path::new("")) {
            None => act(&self.folder, name),
            Some(parent) => act(&self.descend(parent, FOLDER | ALWAYS)?, name),
        }
    }

    /// Opens a path without following a link in any part of it.
    fn descend(&self, path: &Path, flags: OFlags) -> Result<OwnedFd> {
        let is_new = flags.contains(OFlags::CREATE);
        let mode = if is_new { Mode::from_raw_mode(0o666) & self.allowed } else { Mode::empty() };
        if path.parent().is_none_or(|parent| parent == Path::new("")) {
            return fs::openat(&self.folder, path, flags, mode);
        }
        #[cfg(any(target_os = "linux", target_os = "android"))]
        match fs::openat2(&self.folder, path, flags, mode, RESOLVE) {
            // Old sandboxes report an unknown system call as not permitted.
            Err(Errno::NOSYS | Errno::PERM) => {}
            answer => return answer,
        }
        self.open_parts(path, flags, mode)
    }

    fn open_parts(&self, path: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
        let mut held: Option<OwnedFd> = None;
        let mut parts = path.iter().peekable();
        while let Some(part) = parts.next() {
            let last = parts.peek().is_none();
            let (flags, mode) = if last { (flags, mode) } else { (FOLDER | ALWAYS, Mode::empty()) };
            let from = held.as_ref().unwrap_or(&self.folder);
            held = Some(fs::openat(from.as_fd(), part, flags, mode)?);
        }
        held.ok_or(Errno::INVAL)
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
const RESOLVE: fs::ResolveFlags = fs::ResolveFlags::BENEATH.union(fs::ResolveFlags::NO_SYMLINKS);

fn rename(
    folder: &OwnedFd,
    name: &OsStr,
    target: &OwnedFd,
    new: &OsStr,
    manner: Manner,
) -> Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let flags = match manner {
        Manner::Over => return fs::renameat(folder, name, target, new),
        Manner::Beside => fs::RenameFlags::NOREPLACE,
        Manner::Exchange => fs::RenameFlags::EXCHANGE,
    };
    #[cfg(any(target_os = "linux", target_os = "android"))]
    return fs::renameat_with(folder, name, target, new, flags);
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    match manner {
        Manner::Over => fs::renameat(folder, name, target, new),
        Manner::Beside | Manner::Exchange => Err(Errno::NOSYS),
    }
}

pub(super) fn metadata_of(file: &File) -> io::Result<PathMetadata> {
    Ok(converted(&fs::fstat(file)?))
}

/// Sets the time by the clock of the file system.
pub(super) fn touch(file: &File) -> io::Result<()> {
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    let times = Timestamps { last_access: now, last_modification: now };
    Ok(fs::futimens(file, &times)?)
}

#[allow(clippy::useless_conversion, reason = "numbers have another type on each system")]
fn converted(stat: &Stat) -> PathMetadata {
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000) + rest;
    PathMetadata {
        kind: kind(FileType::from_raw_mode(stat.st_mode)),
        size: stat.st_size.cast_unsigned(),
        modified: nanoseconds(stat.st_mtime, stat.st_mtime_nsec.try_into().unwrap_or_default()),
        changed: nanoseconds(stat.st_ctime, stat.st_ctime_nsec.try_into().unwrap_or_default()),
        inode: stat.st_ino.cast_signed(),
        device: stat.st_dev.try_into().unwrap_or_default(),
        is_linked: stat.st_nlink > 1,
        mode: stat.st_mode & 0o777,
    }
}

fn kind(of: FileType) -> FileKind {
    match of {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Folder,
        FileType::Symlink => FileKind::Link,
        FileType::Fifo => FileKind::Pipe,
        FileType::Socket => FileKind::Socket,
        FileType::CharacterDevice | FileType::BlockDevice | FileType::Unknown => FileKind::Device,
    }
}
