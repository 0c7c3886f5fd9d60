//! Reads, writes and lists files of the store; every error names its path.

mod lines;
mod missing;
mod modes;

use std::fs::File;
use std::io::{self, ErrorKind as IoKind, Read, Seek, SeekFrom, Write};

use super::folder::{Access, FileKind, Folder, Manner, PathMetadata, StorePath, is_strange};
use super::random;
use crate::contract::{FileState, LARGEST_FILE, hex};
use crate::error::{Error, ErrorKind, Result};
use missing::if_there;

pub(crate) use lines::{
    has_line_at, lengths, read_between, read_last_line, read_line_at, torn_length, whole_length,
};
pub(crate) use modes::{copy_mode, mode, narrow};

pub(crate) fn read(path: &StorePath) -> Result<Option<Vec<u8>>> {
    read_up_to(path, u64::MAX)
}

/// Reads a short file, and refuses one above 16 MiB, which would fill the memory.
pub(crate) fn read_short(path: &StorePath) -> Result<Option<Vec<u8>>> {
    let bytes = read_up_to(path, LARGEST_FILE + 1)?;
    if bytes.as_ref().is_some_and(|bytes| bytes.len() as u64 > LARGEST_FILE) {
        let cause = io::Error::other("it is larger than 16 MiB");
        let hint = "look at what is in it, then shorten it or move it away";
        return Err(Error::io("read", path, cause).hint(hint));
    }
    Ok(bytes)
}

fn read_up_to(path: &StorePath, limit: u64) -> Result<Option<Vec<u8>>> {
    Ok(read_with_metadata(path, limit)?.map(|(bytes, _)| bytes))
}

/// Reads at most `limit` bytes of a file, with its metadata from before the read.
pub(crate) fn read_with_metadata(
    path: &StorePath,
    limit: u64,
) -> Result<Option<(Vec<u8>, PathMetadata)>> {
    try_to_read(path, limit).map_err(|error| Error::io("read", path, error))
}

fn try_to_read(path: &StorePath, limit: u64) -> io::Result<Option<(Vec<u8>, PathMetadata)>> {
    tracing::trace!(path = %path.relative().display(), "read");
    let opened = path.open(Access::Read);
    if_there(opened.and_then(|(file, metadata)| Ok((read_open(file, metadata, limit)?, metadata))))
}

pub(crate) fn read_text(path: &StorePath) -> Result<Option<String>> {
    let Some(bytes) = read_short(path)? else { return Ok(None) };
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|error| Error::new(ErrorKind::StoreDamaged, "not UTF-8:").at(path).because(error))
}

/// Reads a memory file; a wrong file type or content is a value, not an error.
pub(crate) fn read_memory(path: &StorePath) -> Result<FileState> {
    let bytes = match try_to_read(path, LARGEST_FILE + 1) {
        Ok(Some((bytes, _))) => bytes,
        Ok(None) => return Ok(FileState::Absent),
        Err(error) if is_strange(&error) => return Ok(FileState::Unusable(error.to_string())),
        Err(error) => return Err(Error::io("read", path, error)),
    };
    if bytes.len() as u64 > LARGEST_FILE {
        let relative = path.relative().display();
        return Ok(FileState::Unusable(format!("it is larger than 16 MiB: `{relative}`")));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => FileState::Text(text),
        Err(error) => FileState::Unusable(format!(
            "it is not UTF-8 at byte {}",
            error.utf8_error().valid_up_to()
        )),
    })
}

/// Reads at most `limit` bytes of an open file. A read that ends at the size in `metadata` is the file as of that time.
pub(crate) fn read_open(
    file: impl Read,
    metadata: PathMetadata,
    limit: u64,
) -> io::Result<Vec<u8>> {
    let mut file = file.take(limit);
    // One byte more: a read that returns exactly the expected size has met the end.
    let expected = usize::try_from(metadata.size.min(limit)).unwrap_or_default() + 1;
    let mut bytes = vec![0; expected];
    let count = loop {
        match file.read(&mut bytes) {
            Err(error) if error.kind() == IoKind::Interrupted => {}
            read => break read?,
        }
    };
    bytes.truncate(count);
    if count as u64 != metadata.size {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Writes a new file and its folders, without making it durable.
///
/// The old file is never reused: it may have another name elsewhere, or be a link.
pub(crate) fn write(path: &StorePath, bytes: &[u8]) -> Result<File> {
    tracing::trace!(path = %path.relative().display(), bytes = bytes.len(), "write");
    let make = || path.open(Access::Make).map(|(file, _)| file);
    let made = match with_folders(path, make) {
        Err(error) if error.kind() == IoKind::AlreadyExists => {
            discard(path)?;
            make()
        }
        made => made,
    };
    let write = |mut file: File| file.write_all(bytes).map(|()| file);
    made.and_then(write).map_err(|error| Error::io("write", path, error))
}

/// Renames over what is there, and makes missing folders.
pub(crate) fn rename(from: &StorePath, to: &StorePath) -> Result<()> {
    let renamed = with_folders(to, || from.rename(to, Manner::Over));
    renamed.map_err(|error| Error::io("rename to", to, error))
}

/// Renames to a free name, and makes missing folders; an existing target stays.
pub(crate) fn rename_beside(from: &StorePath, to: &StorePath) -> Result<()> {
    match with_folders(to, || from.rename(to, Manner::Beside)) {
        Err(error) if error.kind() == IoKind::AlreadyExists => Ok(()),
        Err(error) if error.kind() == IoKind::Unsupported => match is_there(to)? {
            true => Ok(()),
            false => rename(from, to),
        },
        renamed => renamed.map_err(|error| Error::io("rename to", to, error)),
    }
}

/// Makes a file that only this user may read, atomically. The file of a faster process stays.
pub(crate) fn make_once(path: &StorePath, bytes: &[u8]) -> Result<()> {
    let temp = path.with_suffix(&format!(".{}", hex(&random::<4>()?)));
    let file = write(&temp, bytes)?;
    narrow(&temp, 0o600)?;
    file.sync_all().map_err(|error| Error::io("sync", &temp, error))?;
    rename_beside(&temp, path)?;
    // It is still there if another process was faster.
    discard(&temp)
}

/// What was at the target before an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stood {
    Nothing,
    /// It is now where the new file came from.
    Something,
}

/// Exchanges two paths in one step, or moves one to a free name; `None` where the file system cannot. The likely case
/// is tried first.
pub(crate) fn exchange(
    from: &StorePath,
    to: &StorePath,
    is_likely_there: bool,
) -> Result<Option<Stood>> {
    let mut stood = if is_likely_there { Stood::Something } else { Stood::Nothing };
    // Each further round means that another process made or removed the file at this moment.
    loop {
        let (tried, wrong, otherwise) = match stood {
            Stood::Something => {
                (from.rename(to, Manner::Exchange), IoKind::NotFound, Stood::Nothing)
            }
            Stood::Nothing => (
                with_folders(to, || from.rename(to, Manner::Beside)),
                IoKind::AlreadyExists,
                Stood::Something,
            ),
        };
        match tried {
            Ok(()) => return Ok(Some(stood)),
            Err(error) if error.kind() == wrong => stood = otherwise,
            Err(error) if error.kind() == IoKind::Unsupported => return Ok(None),
            Err(error) => return Err(Error::io("rename to", to, error)),
        }
    }
}

pub(crate) fn enter(folder: &StorePath) -> Result<Folder> {
    folder.enter().map_err(|error| Error::io("open", folder, error))
}

/// Repeats `act` after making the missing folders of a path.
fn with_folders<T>(path: &StorePath, act: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match act() {
        Err(error) if error.kind() == IoKind::NotFound => {
            let folders: Vec<StorePath> = path.ancestors().skip(1).collect();
            let missing = folders.iter().take_while(|folder| folder.metadata().is_err()).count();
            for folder in folders[..missing].iter().rev() {
                match folder.make_folder() {
                    Err(error) if error.kind() != IoKind::AlreadyExists => return Err(error),
                    Ok(()) | Err(_) => {}
                }
            }
            act()
        }
        answer => answer,
    }
}

/// Removes a file or folder of ours with all that is in it; it may be gone already.
pub(crate) fn discard(path: &StorePath) -> Result<()> {
    let removed = path.metadata().and_then(|metadata| {
        if metadata.kind == FileKind::Folder {
            for (name, _) in path.names()? {
                discard(&path.join(name)).map_err(io::Error::other)?;
            }
        }
        path.remove(metadata.kind)
    });
    if_there(removed).map(drop).map_err(|error| Error::io("remove", path, error))
}

/// Removes a derived file, or a link or pipe in its place. A folder may be a person's work and is an error.
pub(crate) fn remove_plain(path: &StorePath) -> Result<()> {
    let removed = if_there(path.remove(FileKind::File));
    removed.map(drop).map_err(|error| Error::io("remove", path, error))
}

pub(crate) fn empty(folder: &StorePath) -> Result<()> {
    list(folder)?.iter().try_for_each(|name| discard(&folder.join(name)))
}

/// Lists the UTF-8 names in a folder, sorted; none if it is not there.
pub(crate) fn list(folder: &StorePath) -> Result<Vec<String>> {
    let found = if_there(folder.names()).map_err(|error| Error::io("list", folder, error))?;
    let found = found.into_iter().flatten();
    let mut names: Vec<String> = found.filter_map(|(name, _)| name.into_string().ok()).collect();
    names.sort();
    Ok(names)
}

/// Returns all files and folders below a folder; none if there is no folder.
pub(crate) fn all_below(folder: &StorePath) -> Vec<StorePath> {
    let mut found = Vec::new();
    for (name, kind) in folder.names().unwrap_or_default() {
        let path = folder.join(name);
        let inner = if kind == FileKind::Folder { all_below(&path) } else { Vec::new() };
        found.push(path);
        found.extend(inner);
    }
    found
}

/// Tells whether a rename stays on one file system, as far as that is known.
pub(crate) fn is_one_file_system(from: &StorePath, to: &StorePath) -> bool {
    let device = |path: &StorePath| {
        let mut folders = path.ancestors().skip(1);
        folders.find_map(|folder| folder.metadata().ok().map(|metadata| metadata.device))
    };
    device(from) == device(to)
}

/// Refuses a path in a folder whose names this user may not change.
pub(crate) fn refuse_closed(path: &StorePath) -> Result<()> {
    // A missing folder will be made in the one above.
    let mut folders = path.ancestors().skip(1);
    let answer = folders.find_map(|folder| if_there(folder.is_for_writing()).transpose());
    answer.unwrap_or(Ok(())).map_err(|cause| Error::io("write to", path, cause))
}

/// Refuses to move a folder that this user may not write to: its `..` entry changes.
pub(crate) fn refuse_fixed(path: &StorePath) -> Result<()> {
    match path.metadata() {
        Ok(metadata) if metadata.kind == FileKind::Folder => {
            path.is_for_writing().map_err(|cause| Error::io("write to", path, cause))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

pub(crate) fn exists(path: &StorePath) -> bool {
    path.metadata().is_ok()
}

/// Like [`exists`], but a link on the way is an error.
pub(crate) fn is_there(path: &StorePath) -> Result<bool> {
    let looked = if_there(path.metadata()).map_err(|error| Error::io("look at", path, error))?;
    Ok(looked.is_some())
}

pub(crate) fn is_plain(path: &StorePath) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.kind == FileKind::File)
}

/// In nanoseconds since 1970.
pub(crate) fn modified(path: &StorePath) -> Option<i64> {
    path.metadata().ok().map(|metadata| metadata.modified)
}

pub(crate) fn length(path: &StorePath) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.size)
}

/// Makes a file or folder durable; a missing one, or another file type, is skipped.
pub(crate) fn sync(path: &StorePath) -> Result<()> {
    match path.open(Access::Sync).and_then(|(file, _)| file.sync_all()) {
        Err(error) if is_strange(&error) || error.kind() == IoKind::Unsupported => Ok(()),
        synced => if_there(synced).map(drop).map_err(|error| Error::io("sync", path, error)),
    }
}

/// Opens a file for reading and writing, and makes it if it is missing.
///
/// A file with a second name is copied first: what is written here must not appear elsewhere, such as in a backup made
/// of hard links.
pub(crate) fn open(path: &StorePath) -> Result<(File, PathMetadata)> {
    let (file, metadata) = open_shared(path)?;
    if !metadata.is_linked {
        return Ok((file, metadata));
    }
    let fail = |error| Error::io("copy", path, error);
    let folder = path.ancestors().nth(1).unwrap_or_else(|| path.clone());
    let temp = folder.join("tmp/own");
    let copy = write(&temp, &read_open(file, metadata, u64::MAX).map_err(fail)?)?;
    copy_mode(path, &copy)?;
    // A power cut must not replace the journal by an empty file.
    copy.sync_all().map_err(fail)?;
    rename(&temp, path)?;
    sync(&folder)?;
    open_shared(path)
}

/// Opens a file that is never replaced, as other processes may hold a lock on it.
pub(crate) fn open_shared(path: &StorePath) -> Result<(File, PathMetadata)> {
    let opened = with_folders(path, || path.open(Access::Write));
    opened.map_err(|error| Error::io("open", path, error))
}

/// Writes a line at an offset and cuts the rest.
pub(crate) fn write_at(path: &StorePath, offset: u64, line: &[u8]) -> Result<()> {
    let (file, metadata) = open(path)?;
    if metadata.size < offset {
        // Another process cut the file: no zeros may stand in between, and no torn line before this one.
        let (whole, all) = lengths(path)?;
        let end = if all > whole { "\n" } else { "" };
        return write_into(file, path, all, &[end.as_bytes(), line].concat());
    }
    cut(&file, metadata.size, offset).map_err(|error| Error::io("append to", path, error))?;
    write_into(file, path, offset, line)
}

/// Writes a line at an offset; what follows it stays.
pub(crate) fn write_over(path: &StorePath, offset: u64, line: &[u8]) -> Result<()> {
    write_into(open(path)?.0, path, offset, line)
}

fn write_into(mut file: File, path: &StorePath, offset: u64, line: &[u8]) -> Result<()> {
    let mut act = || {
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(line)
    };
    act().map_err(|error| Error::io("append to", path, error))
}

/// Cuts what follows an offset, such as a torn line. Cutting nothing would cost a write all the same.
pub(crate) fn cut(file: &File, size: u64, offset: u64) -> io::Result<()> {
    if size == offset { Ok(()) } else { file.set_len(offset) }
}

pub(crate) fn cut_at(path: &StorePath, length: u64) -> Result<()> {
    let (file, metadata) = open(path)?;
    cut(&file, metadata.size, length).map_err(|error| Error::io("cut", path, error))
}

/// Gives a small file another text in one write, unless the current one should stay.
pub(crate) fn renew(path: &StorePath, stays: impl FnOnce(&[u8]) -> bool, text: &str) -> Result<()> {
    let (mut file, metadata) = open(path)?;
    let act = || {
        if stays(&read_open(&file, metadata, LARGEST_FILE)?) {
            return Ok(());
        }
        file.rewind()?;
        file.write_all(text.as_bytes())?;
        cut(&file, metadata.size.max(text.len() as u64), text.len() as u64)
    };
    act().map_err(|error| Error::io("write", path, error))
}

#[cfg(test)]
mod tests;
