//! Reads and writes files outside of the store: a request, cited files, the user's own settings.
#![expect(clippy::disallowed_methods, reason = "the store is the floor that touches files")]

use std::fs::{self, DirEntry, File};
use std::io::{ErrorKind as IoKind, Read, Write};
use std::path::{Path, PathBuf};

use super::folder::Folder;
use crate::error::{Error, ErrorKind, Result};

pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    tracing::trace!(path = %path.display(), "read");
    match fs::metadata(path) {
        // Opening a pipe would block for ever.
        Ok(metadata) if !metadata.is_file() => {
            let cause = std::io::Error::other("it is not a file");
            return Err(Error::io("read", path, cause));
        }
        Ok(_) | Err(_) => {}
    }
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(Error::io("read", path, error)),
    }
}

pub(crate) fn read_text(path: &Path) -> Result<Option<String>> {
    let Some(bytes) = read(path)? else { return Ok(None) };
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|error| Error::new(ErrorKind::StoreDamaged, "not UTF-8:").at(path).because(error))
}

/// Reads the path on the only line of a file; `None` if there is no file.
pub(crate) fn read_path(path: &Path) -> Result<Option<PathBuf>> {
    #[cfg(unix)]
    let to_path = |bytes: &[u8]| {
        use std::os::unix::ffi::OsStrExt;
        PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
    };
    #[cfg(not(unix))]
    let to_path = |bytes: &[u8]| PathBuf::from(String::from_utf8_lossy(bytes).into_owned());
    Ok(read(path)?.map(|bytes| to_path(bytes.trim_ascii_end())))
}

pub(crate) fn folders_in(path: &Path) -> Result<Vec<PathBuf>> {
    let fail = |cause| Error::io("list", path, cause);
    let entries = match fs::read_dir(path) {
        Err(cause) if is_absent(&cause) => return Ok(Vec::new()),
        listed => listed.map_err(fail)?,
    };
    let mut folders = Vec::new();
    for entry in entries {
        let folder = entry.map_err(fail)?.path();
        folders.extend(Some(folder).filter(|folder| folder.is_dir()));
    }
    Ok(folders)
}

/// Resolves a path; returns each link on the way, then the real path.
pub(crate) fn way_to(path: &Path) -> Vec<PathBuf> {
    /// As many as Linux follows.
    const LINKS: usize = 40;
    let parts = |path: &Path| -> Vec<PathBuf> {
        path.components().rev().map(|part| Path::new(part.as_os_str()).to_owned()).collect()
    };
    let (mut at, mut way, mut to_do) = (PathBuf::new(), Vec::new(), parts(path));
    while let Some(part) = to_do.pop() {
        if part == Path::new("..") {
            at.pop();
            continue;
        }
        // A part that is the root starts there again.
        let next = at.join(part);
        match next.read_link() {
            Ok(target) if way.len() < LINKS => {
                to_do.extend(parts(&target));
                way.push(next);
            }
            Ok(_) | Err(_) => at = next,
        }
    }
    way.push(at);
    way
}

/// Reads at most `limit` bytes of a file, or of stdin.
pub(crate) fn read_up_to(path: Option<&Path>, limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let (name, result) = match path {
        None => (Path::new("stdin"), std::io::stdin().lock().take(limit).read_to_end(&mut bytes)),
        Some(path) => {
            tracing::trace!(path = %path.display(), "read");
            let read = File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes));
            (path, read)
        }
    };
    result.map(|_| bytes).map_err(|error| Error::io("read", name, error))
}

/// Lists the plain files below a folder, sorted, and the folders that cannot be listed. A path that is no folder stands
/// for itself. Links below it and `.git` are skipped.
pub(crate) fn files_at(path: &Path) -> (Vec<PathBuf>, Vec<Error>) {
    // A pipe that a shell opens for us comes to an end.
    let is_open = ["/dev/fd", "/dev/stdin", "/dev/null"].iter().any(|ours| path.starts_with(ours));
    if is_special(path) && !is_open {
        let cause = std::io::Error::other("it is not a file, and `-` reads what is piped in");
        return (Vec::new(), vec![Error::io("read", path, cause)]);
    }
    if !path.is_dir() {
        return (vec![path.to_owned()], Vec::new());
    }
    let (mut files, mut failures) = (Vec::new(), Vec::new());
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut take = |entry: DirEntry| {
            let kind = entry.file_type()?;
            if kind.is_file() {
                files.push(entry.path());
            } else if kind.is_dir() && entry.file_name() != ".git" {
                folders.push(entry.path());
            }
            Ok(())
        };
        let listed = fs::read_dir(&folder);
        if let Err(cause) = listed.and_then(|mut entries| entries.try_for_each(|each| take(each?)))
        {
            failures.push(Error::io("list", &folder, cause));
        }
    }
    files.sort_unstable();
    (files, failures)
}

/// Does not follow a link.
pub(crate) fn is_plain(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// Tells whether a path is a pipe, a socket or a device.
pub(crate) fn is_special(path: &Path) -> bool {
    let kind = fs::symlink_metadata(path).map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| !kind.is_file() && !kind.is_dir() && !kind.is_symlink())
}

pub(crate) fn link_target(path: &Path) -> Option<PathBuf> {
    fs::read_link(path).ok()
}

pub(crate) fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Removes a temp file, if possible.
pub(crate) fn remove(path: &Path) {
    let _ = fs::remove_file(path);
}

/// Lets all run a file who may read it. Windows knows no such permission.
pub(crate) fn make_executable(path: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let fail = |error| Error::io("make executable", path, error);
        let mode = fs::metadata(path).map_err(fail)?.permissions().mode();
        let wanted = fs::Permissions::from_mode(mode | ((mode & 0o444) >> 2));
        fs::set_permissions(path, wanted).map_err(fail)?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Follows links.
pub(crate) fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// Tells whether there is nothing at a path, or an empty folder.
pub(crate) fn is_new_or_empty(path: &Path) -> Result<bool> {
    match fs::read_dir(path) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        // A link that leads nowhere is there.
        Err(error) if is_absent(&error) => Ok(error.kind() == IoKind::NotFound && !exists(path)),
        Err(error) => Err(Error::io("list", path, error)),
    }
}

pub(crate) fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

pub(crate) fn real_path(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

pub(crate) fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|error| Error::io("make the folder", path, error))
}

/// Makes a folder and those above it that are missing, which only this user may enter. They last: each is durable
/// before another is made in it.
pub(crate) fn make_private_folders(path: &Path) -> Result<()> {
    let path = std::path::absolute(path).map_err(|error| Error::io("find", path, error))?;
    let missing = path.ancestors().take_while(|folder| !folder.is_dir()).count();
    // A process that died may have made the nearest one that is there.
    let folders: Vec<&Path> = path.ancestors().take(missing + 1).collect();
    for folder in folders.into_iter().rev() {
        match make_private(folder) {
            Err(error) if !folder.is_dir() => {
                return Err(Error::io("make the folder", folder, error));
            }
            Ok(()) | Err(_) => {}
        }
        match folder.parent().map_or(Ok(()), sync) {
            // In a folder that this user may not list, none was made.
            Err(error) if error.is_forbidden() => {}
            synced => synced?,
        }
    }
    Ok(())
}

/// Only this user may enter the folder: copies must not be more readable than their originals.
fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes `agent-memory/` in git's folder and the folders in it; git's own must exist.
pub(crate) fn make_ours(path: &Path) -> Result<()> {
    let above = path.ancestors().position(|folder| folder.ends_with("agent-memory"));
    let folders: Vec<&Path> = path.ancestors().take(above.unwrap_or_default() + 1).collect();
    for folder in folders.into_iter().rev() {
        match make_private(folder) {
            Err(error) if error.kind() != IoKind::AlreadyExists => {
                return Err(Error::io("make the folder", folder, error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// Overwrites or makes a file below `agent-memory/` in git's folder. All texts of one file must have the same length:
/// nothing is cut.
pub(crate) fn overwrite(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let open = || options.open(path);
    let opened = match open() {
        Err(error) if is_absent(&error) => {
            make_ours(path.parent().unwrap_or(path))?;
            open()
        }
        opened => opened,
    };
    let written = opened.and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| Error::io("write", path, error))
}

/// Makes an empty file that only this user may read or write, and its folder; an existing one stays.
pub(crate) fn make_private_file(path: &Path) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    make_private_folders(folder)?;
    let mut options = File::options();
    // A new one alone: a link that leads nowhere would make the file elsewhere.
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            return Err(Error::io("make", path, error));
        }
        Ok(_) | Err(_) => {}
    }
    sync(folder)
}

pub(crate) fn open_to_lock(path: &Path) -> Result<File> {
    let opened = File::options().read(true).write(true).open(path);
    opened.map_err(|error| Error::io("open", path, error))
}

/// Writes a text that only this user may read; it lasts.
pub(crate) fn make_private_text(path: &Path, text: &str) -> Result<()> {
    make_private_file(path)?;
    let mut file = open_to_lock(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|error| Error::io("write", path, error))
}

/// The suffix of a temp file with new bytes.
pub(crate) const ASIDE: &str = ".agent-memory-new";

/// Replaces a file atomically, and makes missing folders.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    tracing::trace!(path = %path.display(), bytes = bytes.len(), "write");
    make_folder(path.parent().unwrap_or(Path::new("")))?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(ASIDE);
    let beside = Path::new(&beside);
    remove(beside);
    let written = File::create_new(beside)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(beside, path));
    written.map_err(|error| {
        remove(beside);
        Error::io("write", path, error)
    })
}

/// Makes a file that only this user may read, atomically; an existing one stays.
pub(crate) fn make_secret(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    make_ours(folder)?;
    let fail = |error| Error::io("write", path, error);
    // A process that dies here leaves a temp file, and never a part of a key under its name.
    let mut made = tempfile::Builder::new().prefix(".key-").tempfile_in(folder).map_err(fail)?;
    made.write_all(bytes).and_then(|()| made.as_file().sync_all()).map_err(fail)?;
    match made.persist_noclobber(path) {
        Err(error) if error.error.kind() != IoKind::AlreadyExists => Err(fail(error.error)),
        // The folder may be as new as the file.
        Ok(_) | Err(_) => folder.ancestors().take(2).try_for_each(sync),
    }
}

pub(crate) fn sync(path: &Path) -> Result<()> {
    match File::open(path).and_then(|file| file.sync_all()) {
        Err(error) if !is_absent(&error) => Err(Error::io("sync", path, error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), IoKind::NotFound | IoKind::NotADirectory)
}

/// Tells whether a path is in a folder, also through links, and where parts of it are still to be made.
pub(crate) fn lies_in(path: &Path, folder: &Path) -> bool {
    // A link may lead to where nothing is yet.
    let real = |path: &Path| {
        let end = way_to(&std::path::absolute(path).ok()?).pop()?;
        end.ancestors().find_map(real_path)
    };
    path.starts_with(folder) || real(path).zip(real(folder)).is_some_and(|(p, f)| p.starts_with(f))
}

/// Tells whether two paths exist and are the same.
pub(crate) fn is_same(one: &Path, other: impl AsRef<Path>) -> bool {
    let real = real_path(one);
    real.is_some() && real == real_path(other.as_ref())
}

/// Opens the folder of a file, and returns it with the name of the file; none if there is no file. A link that a person named is
/// followed.
pub(crate) fn open_around(path: &Path) -> Result<Option<(Folder, String)>> {
    let Some(real) = real_path(path).filter(|real| real.is_file()) else { return Ok(None) };
    let name = real.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    let folder = real.parent().map(Folder::open).transpose()?.flatten();
    match (folder, name) {
        (Some(folder), Some(name)) => Ok(Some((folder, name))),
        _ => Err(Error::new(ErrorKind::Usage, "its name is not UTF-8:").at(path)),
    }
}

/// Opens a folder outside of the store; links are followed.
pub(crate) fn open_folder(path: &Path) -> Result<Folder> {
    let real = real_path(path).filter(|real| real.is_dir());
    let folder = real.map(|real| Folder::open(&real)).transpose()?.flatten();
    folder.ok_or_else(|| {
        let hint = "give a folder of notes, or a file such as `CLAUDE.md`";
        Error::new(ErrorKind::Usage, "there is no file or folder").at(path).hint(hint)
    })
}
