//! Reads, writes and lists files; every error names its path.
#![allow(clippy::disallowed_methods, reason = "this is the floor that touches files")]

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind as IoKind, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::pipeline::FileState;

/// Largest file that is read as memory, in bytes.
const FILE_BYTES: u64 = 16_777_216;

/// Reads a file; nothing if it is not there.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::metadata(path) {
        // Opening a pipe would wait for a writer that never comes.
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

/// Reads at most so many bytes of a file, or of stdin.
pub(crate) fn read_up_to(path: Option<&Path>, limit: u64) -> Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let (name, result) = match path {
        None => (Path::new("stdin"), std::io::stdin().lock().take(limit).read_to_end(&mut bytes)),
        Some(path) => {
            let read = File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes));
            (path, read)
        }
    };
    result.map(|_| bytes).map_err(|error| Error::io("read", name, error))
}

/// Reads a text file; nothing if it is not there.
pub(crate) fn read_text(path: &Path) -> Result<Option<String>> {
    let Some(bytes) = read(path)? else { return Ok(None) };
    String::from_utf8(bytes).map(Some).map_err(|error| {
        Error::new(crate::error::ErrorKind::StoreDamaged, "not UTF-8:").at(path).because(error)
    })
}

/// Reads a memory file without following a link anywhere below `root`.
///
/// A link could lead out of the store, and a pipe would keep the process waiting for ever.
pub(crate) fn read_memory(root: &Path, relative: &str) -> Result<FileState> {
    let mut path = root.to_path_buf();
    let parts: Vec<&str> = relative.split('/').collect();
    for (number, part) in parts.iter().enumerate() {
        path.push(part);
        let last = number + 1 == parts.len();
        let metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if is_absent(&error) => return Ok(FileState::Absent),
            Err(error) => return Err(Error::io("look at", &path, error)),
        };
        let why = if metadata.is_symlink() {
            "it is a symbolic link"
        } else if !last && !metadata.is_dir() {
            "its folder is a file"
        } else if last && !metadata.is_file() {
            "it is not a file"
        } else if last && metadata.len() > FILE_BYTES {
            "it is larger than 16 MiB"
        } else {
            continue;
        };
        return Ok(FileState::Unusable(format!("{why}: `{}`", parts[..=number].join("/"))));
    }
    let Some(bytes) = read(&path)? else { return Ok(FileState::Absent) };
    Ok(match String::from_utf8(bytes) {
        Ok(text) => FileState::Text(text),
        Err(error) => FileState::Unusable(format!(
            "it is not UTF-8 at byte {}",
            error.utf8_error().valid_up_to()
        )),
    })
}

/// Writes a new file with its folders, without making it durable.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    make_folder(path.parent().unwrap_or(Path::new("")))?;
    fs::write(path, bytes).map_err(|error| Error::io("write", path, error))
}

/// Puts one path in the place of another, with the folders that takes.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<()> {
    make_folder(to.parent().unwrap_or(Path::new("")))?;
    fs::rename(from, to).map_err(|error| Error::io("rename to", to, error))
}

/// Tells whether a rename from one place to another stays on one file system, as far as that can be told.
pub(crate) fn is_one_file_system(from: &Path, to: &Path) -> bool {
    let device = |path: &Path| path.ancestors().skip(1).find_map(device);
    device(from) == device(to)
}

#[cfg(unix)]
fn device(folder: &Path) -> Option<u64> {
    fs::metadata(folder).ok().map(|metadata| std::os::unix::fs::MetadataExt::dev(&metadata))
}

#[cfg(not(unix))]
fn device(_: &Path) -> Option<u64> {
    None
}

/// Makes a folder with those above it.
pub(crate) fn make_folder(path: &Path) -> Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(path).map_err(|error| Error::io("make the folder", path, error))
}

/// Removes a file or a folder of ours that nobody needs; it may be gone already.
pub(crate) fn discard(path: &Path) -> Result<()> {
    let result = match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    match result {
        Err(error) if !is_absent(&error) => Err(Error::io("remove", path, error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Removes everything of ours in a folder, and leaves the folder for the next who needs it.
pub(crate) fn empty(folder: &Path) -> Result<()> {
    list(folder)?.iter().try_for_each(|name| discard(&folder.join(name)))
}

/// Lists the names in a folder, in order; none if it is not there.
pub(crate) fn list(folder: &Path) -> Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => return Ok(Vec::new()),
        Err(error) => return Err(Error::io("list", folder, error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| Error::io("list", folder, error))?;
        names.extend(entry.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

/// Returns all files and folders in a folder, at any depth; none if it is not there, or no folder.
pub(crate) fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let found = entries.map(|entry| entry.path());
    found.flat_map(|path| std::iter::once(path.clone()).chain(walk(&path))).collect()
}

/// Tells whether something is at a path, without following a link.
pub(crate) fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Tells whether a link stands between a folder and something below it; `state/` may be one.
pub(crate) fn is_linked(root: &Path, path: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    let own = [Path::new(""), Path::new("state")];
    let mut folders = below.ancestors().skip(1).filter(|folder| !own.contains(folder));
    folders.any(|folder| root.join(folder).is_symlink())
}

/// Tells whether a plain file is at a path, without following a link.
pub(crate) fn is_plain(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// Gives one file the permissions of another, if that is there.
pub(crate) fn copy_mode(from: &Path, to: &Path) -> Result<()> {
    match fs::metadata(from) {
        Err(_) => Ok(()),
        Ok(metadata) => fs::set_permissions(to, metadata.permissions())
            .map_err(|error| Error::io("set the permissions of", to, error)),
    }
}

/// Returns when a file was last written, in nanoseconds since 1970; nothing if it is not there.
pub(crate) fn modified(path: &Path) -> Option<i64> {
    let time = fs::metadata(path).ok()?.modified().ok()?;
    let since = time.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok()
}

/// Returns the bytes of a file; 0 if it is not there.
pub(crate) fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Returns the last byte of a file; nothing if it is empty or not there.
pub(crate) fn last_byte(path: &Path) -> Result<Option<u8>> {
    use std::io::{Read, Seek, SeekFrom};
    if length(path) == 0 {
        return Ok(None);
    }
    let mut byte = [0];
    let read = File::open(path).and_then(|mut file| {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut byte)
    });
    read.map(|()| Some(byte[0])).map_err(|error| Error::io("read", path, error))
}

/// Returns the bytes of a file up to the end of its last whole line; 0 if it is not there.
pub(crate) fn whole_length(path: &Path) -> Result<u64> {
    // Only a torn last line makes it necessary to look further back than the last byte.
    match last_byte(path)? {
        None | Some(b'\n') => Ok(length(path)),
        Some(_) => {
            let bytes = read(path)?.unwrap_or_default();
            Ok(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at as u64 + 1))
        }
    }
}

/// Reads the line that begins at an offset of a file, without its end; nothing if there is none.
pub(crate) fn read_line_at(path: &Path, offset: u64) -> Result<Vec<u8>> {
    use std::io::{BufRead, BufReader, Seek, SeekFrom};
    let mut line = Vec::new();
    let read = File::open(path).and_then(|mut file| {
        file.seek(SeekFrom::Start(offset))?;
        BufReader::new(file).read_until(b'\n', &mut line)
    });
    match read {
        Err(error) if !is_absent(&error) => Err(Error::io("read", path, error)),
        Ok(_) | Err(_) => Ok(line.strip_suffix(b"\n").map(<[u8]>::to_vec).unwrap_or_default()),
    }
}

/// Makes a file or folder durable; what is not there needs nothing.
pub(crate) fn sync(path: &Path) -> Result<()> {
    match File::open(path).and_then(|file| file.sync_all()) {
        Err(error) if !is_absent(&error) => Err(Error::io("sync", path, error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Opens a file for reading and writing at any place; makes it if it is not there.
pub(crate) fn open(path: &Path) -> Result<File> {
    make_folder(path.parent().unwrap_or(Path::new("")))?;
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|error| Error::io("open", path, error))
}

/// Writes a line at an offset of a file and cuts what stood behind.
pub(crate) fn write_at(path: &Path, offset: u64, line: &str) -> Result<()> {
    let file = open(path)?;
    cut(&file, offset).map_err(|error| Error::io("append to", path, error))?;
    write_into(file, path, offset, line)
}

/// Writes a line over what stands at an offset of a file; what stands behind stays.
pub(crate) fn write_over(path: &Path, offset: u64, line: &str) -> Result<()> {
    write_into(open(path)?, path, offset, line)
}

fn write_into(mut file: File, path: &Path, offset: u64, line: &str) -> Result<()> {
    use std::io::{Seek, SeekFrom};
    let mut act = || {
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(line.as_bytes())
    };
    act().map_err(|error| Error::io("append to", path, error))
}

/// Cuts what stands behind an offset of a file, such as a line that a crash has torn; where nothing
/// does, cutting would make the file system work all the same.
pub(crate) fn cut(file: &File, offset: u64) -> std::io::Result<()> {
    if file.metadata()?.len() == offset { Ok(()) } else { file.set_len(offset) }
}

/// Cuts a file to a length.
pub(crate) fn cut_at(path: &Path, length: u64) -> Result<()> {
    let file = OpenOptions::new().write(true).open(path);
    file.and_then(|file| cut(&file, length)).map_err(|error| Error::io("cut", path, error))
}

/// Gives a small file a text that is as long as the one before, in one write.
pub(crate) fn overwrite(path: &Path, text: &str) -> Result<()> {
    let act = || {
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        file.write_all(text.as_bytes())?;
        cut(&file, text.len() as u64)
    };
    act().map_err(|error| Error::io("write", path, error))
}

/// Returns the real path of something that is there.
pub(crate) fn real_path(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), IoKind::NotFound | IoKind::NotADirectory)
}
