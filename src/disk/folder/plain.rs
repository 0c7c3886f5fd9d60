//! A folder on systems without folder handles: every part of a path is checked before use.
#![expect(clippy::disallowed_methods, reason = "the store is the floor that touches files")]
#![cfg_attr(unix, expect(dead_code, reason = "on Unix only the tests use it"))]

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::access::{Access, Manner};
use super::metadata::{FileKind, PathMetadata};
use super::way::parents;

#[derive(Debug)]
pub(super) struct Handle(PathBuf);

impl Handle {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        match fs::symlink_metadata(path)?.is_dir() {
            true => Ok(Self(path.to_path_buf())),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Other systems keep a user's folders private by themselves.
    pub(super) fn make_private(&mut self) {}

    pub(super) fn is_own(&self) -> io::Result<bool> {
        Ok(true)
    }

    pub(super) fn real_path(&self, path: &Path) -> io::Result<PathBuf> {
        path.canonicalize()
    }

    pub(super) fn file(&self, path: &Path, access: Access) -> io::Result<(File, PathMetadata)> {
        let full_path = self.checked(path)?;
        let mut options = File::options();
        match access {
            Access::Read => options.read(true),
            Access::Write => options.read(true).write(true).create(true).truncate(false),
            Access::Make => options.write(true).create_new(true),
            Access::Append => options.append(true).create(true),
            // A sync needs write access here; folders are not synced.
            Access::Sync => options.read(true).write(true),
        };
        match fs::symlink_metadata(&full_path).map(|metadata| kind(&metadata)) {
            Ok(FileKind::File) | Err(_) => {}
            // No way is known to make the names in a folder durable here.
            Ok(FileKind::Folder) if access == Access::Sync => {
                return Err(io::ErrorKind::Unsupported.into());
            }
            Ok(_) => return Err(io::ErrorKind::InvalidInput.into()),
        }
        let file = options.open(full_path)?;
        let metadata = metadata_of(&file)?;
        Ok((file, metadata))
    }

    pub(super) fn metadata(&self, path: &Path) -> io::Result<PathMetadata> {
        Ok(converted(&fs::symlink_metadata(self.checked(path)?)?))
    }

    pub(super) fn is_for_writing(&self, path: &Path) -> io::Result<()> {
        // The metadata of a folder does not tell on every system; the rename will.
        self.checked(path).map(drop)
    }

    pub(super) fn copy_mode(&self, path: &Path, to: &File) -> io::Result<()> {
        match fs::symlink_metadata(self.checked(path)?) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            Ok(metadata) => to.set_permissions(metadata.permissions()),
        }
    }

    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as on Unix")]
    pub(super) fn narrow(&self, _: &Path, _: u32) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn enter(&self, path: &Path) -> io::Result<Self> {
        Self::open(&self.checked(path)?)
    }

    pub(super) fn names(&self, path: &Path) -> io::Result<Vec<(OsString, FileKind)>> {
        let folder = Self::open(&self.checked(path)?)?;
        let entries = fs::read_dir(folder.0)?;
        let name = |entry: io::Result<fs::DirEntry>| {
            let entry = entry?;
            Ok((entry.file_name(), kind(&entry.metadata()?)))
        };
        entries.map(name).collect()
    }

    pub(super) fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(self.checked(path)?)
    }

    pub(super) fn remove(&self, path: &Path, is_folder: bool) -> io::Result<()> {
        let full_path = self.checked(path)?;
        if is_folder { fs::remove_dir(full_path) } else { fs::remove_file(full_path) }
    }

    pub(super) fn rename(
        &self,
        from: &Path,
        other: &Self,
        to: &Path,
        manner: Manner,
    ) -> io::Result<()> {
        match manner {
            Manner::Over => fs::rename(self.checked(from)?, other.checked(to)?),
            Manner::Beside | Manner::Exchange => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Checks every folder on the way: a link is refused.
    fn checked(&self, path: &Path) -> io::Result<PathBuf> {
        // `a:b` is a part of the file `a` on Windows.
        if cfg!(windows) && path.iter().any(|part| part.to_string_lossy().contains(':')) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let folders = path.parent().map(parents).into_iter().flatten();
        for folder in folders {
            if !fs::symlink_metadata(self.0.join(folder))?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
        }
        Ok(self.0.join(path))
    }
}

pub(super) fn metadata_of(file: &File) -> io::Result<PathMetadata> {
    Ok(converted(&file.metadata()?))
}

pub(super) fn touch(file: &File) -> io::Result<()> {
    file.set_modified(SystemTime::now())
}

fn converted(metadata: &Metadata) -> PathMetadata {
    let modified = metadata.modified().ok().and_then(|time| {
        let since = time.duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(since.as_nanos()).ok()
    });
    PathMetadata {
        kind: kind(metadata),
        size: metadata.len(),
        modified: modified.unwrap_or_default(),
        changed: 0,
        inode: 0,
        device: 0,
        is_linked: false,
        mode: 0o777,
    }
}

fn kind(metadata: &Metadata) -> FileKind {
    if metadata.is_symlink() {
        FileKind::Link
    } else if metadata.is_dir() {
        FileKind::Folder
    } else if metadata.is_file() {
        FileKind::File
    } else {
        FileKind::Device
    }
}
