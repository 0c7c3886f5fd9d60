//! Reads, writes and lists files of the store; every error names its path.

mod lines;
mod modes;

use std::fs::File;
use std::io::{self, ErrorKind as IoKind, Read, Seek, SeekFrom, Write};

use super::folder::{Access, Folder, Kind, Manner, Seen, Spot, is_strange};
use super::random;
use crate::contract::FileState;
use crate::contract::LARGEST;
use crate::contract::hex;
use crate::error::{Error, ErrorKind, Result};

pub(crate) use lines::{
    has_line_at, lengths, read_between, read_last_line, read_line_at, torn_length, whole_length,
};
pub(crate) use modes::{copy_mode, mode, narrow};

/// Reads a file, however long it is; nothing if it is not there.
pub(crate) fn read(spot: &Spot) -> Result<Option<Vec<u8>>> {
    read_up_to(spot, u64::MAX)
}

/// Reads a file that is short if it is ours, and refuses one that would fill the memory; nothing if it is not there.
pub(crate) fn read_short(spot: &Spot) -> Result<Option<Vec<u8>>> {
    let bytes = read_up_to(spot, LARGEST + 1)?;
    if bytes.as_ref().is_some_and(|bytes| bytes.len() as u64 > LARGEST) {
        let cause = io::Error::other("it is larger than 16 MiB");
        let hint = "look at what is in it, then shorten it or move it away";
        return Err(Error::io("read", spot, cause).hint(hint));
    }
    Ok(bytes)
}

fn read_up_to(spot: &Spot, limit: u64) -> Result<Option<Vec<u8>>> {
    Ok(read_seen(spot, limit)?.map(|(bytes, _)| bytes))
}

/// Reads no more than so many bytes of a file, and says what the file system said of it before; nothing if it is not
/// there.
pub(crate) fn read_seen(spot: &Spot, limit: u64) -> Result<Option<(Vec<u8>, Seen)>> {
    try_to_read(spot, limit).map_err(|error| Error::io("read", spot, error))
}

fn try_to_read(spot: &Spot, limit: u64) -> io::Result<Option<(Vec<u8>, Seen)>> {
    let opened = spot.open(Access::Read);
    if_there(opened.and_then(|(file, seen)| Ok((read_open(file, seen, limit)?, seen))))
}

/// Reads a text that is short if it is ours; nothing if it is not there.
pub(crate) fn read_text(spot: &Spot) -> Result<Option<String>> {
    let Some(bytes) = read_short(spot)? else { return Ok(None) };
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|error| Error::new(ErrorKind::StoreDamaged, "not UTF-8:").at(spot).because(error))
}

/// Reads a memory file; what stands there and is none is told, not passed on as an error.
pub(crate) fn read_memory(spot: &Spot) -> Result<FileState> {
    let bytes = match try_to_read(spot, LARGEST + 1) {
        Ok(Some((bytes, _))) => bytes,
        Ok(None) => return Ok(FileState::Absent),
        Err(error) if is_strange(&error) => return Ok(FileState::Unusable(error.to_string())),
        Err(error) => return Err(Error::io("read", spot, error)),
    };
    if bytes.len() as u64 > LARGEST {
        let path = spot.relative().display();
        return Ok(FileState::Unusable(format!("it is larger than 16 MiB: `{path}`")));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => FileState::Text(text),
        Err(error) => FileState::Unusable(format!(
            "it is not UTF-8 at byte {}",
            error.utf8_error().valid_up_to()
        )),
    })
}

/// Reads a file that is open, but no more than so many bytes. Where a read stops at the size that was seen, though there
/// is more by now, it is the file as it was when it was looked at.
pub(crate) fn read_open(file: impl Read, seen: Seen, limit: u64) -> io::Result<Vec<u8>> {
    let mut file = file.take(limit);
    // One byte more: who asks for it and gets as many as there were has met the end.
    let expected = usize::try_from(seen.size.min(limit)).unwrap_or_default() + 1;
    let mut bytes = vec![0; expected];
    let count = loop {
        match file.read(&mut bytes) {
            Err(error) if error.kind() == IoKind::Interrupted => {}
            read => break read?,
        }
    };
    bytes.truncate(count);
    if count as u64 != seen.size {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Writes a new file with its folders, without making it durable; what stood there goes.
///
/// The file is always a new one: what stood there may have another name elsewhere, or be a link.
pub(crate) fn write(spot: &Spot, bytes: &[u8]) -> Result<File> {
    let make = || spot.open(Access::Make).map(|(file, _)| file);
    let made = match with_folders(spot, make) {
        Err(error) if error.kind() == IoKind::AlreadyExists => {
            discard(spot)?;
            make()
        }
        made => made,
    };
    let write = |mut file: File| file.write_all(bytes).map(|()| file);
    made.and_then(write).map_err(|error| Error::io("write", spot, error))
}

/// Puts one path in the place of another, with the folders that takes.
pub(crate) fn rename(from: &Spot, to: &Spot) -> Result<()> {
    let renamed = with_folders(to, || from.rename(to, Manner::Over));
    renamed.map_err(|error| Error::io("rename to", to, error))
}

/// Puts one path where nothing is, with the folders that takes; what stands there stays.
pub(crate) fn rename_beside(from: &Spot, to: &Spot) -> Result<()> {
    match with_folders(to, || from.rename(to, Manner::Beside)) {
        Err(error) if error.kind() == IoKind::AlreadyExists => Ok(()),
        Err(error) if error.kind() == IoKind::Unsupported => match is_there(to)? {
            true => Ok(()),
            false => rename(from, to),
        },
        renamed => renamed.map_err(|error| Error::io("rename to", to, error)),
    }
}

/// Makes a file that only this user may read, whole or not at all; where another process was sooner, its file stays.
pub(crate) fn make_once(spot: &Spot, bytes: &[u8]) -> Result<()> {
    let temp = spot.with_suffix(&format!(".{}", hex(&random::<4>()?)));
    let file = write(&temp, bytes)?;
    narrow(&temp, 0o600)?;
    file.sync_all().map_err(|error| Error::io("sync", &temp, error))?;
    rename_beside(&temp, spot)?;
    // Where it came second it still lies there.
    discard(&temp)
}

/// What stood in a place before something else came there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stood {
    /// Nothing.
    Nothing,
    /// Something; it is now where the other came from.
    Something,
}

/// Puts one path in the place of another, and what stood there in the place of the first, in one step;
/// nothing is done where the file system cannot. What is likely is tried first.
pub(crate) fn exchange(from: &Spot, to: &Spot, is_likely_there: bool) -> Result<Option<Stood>> {
    let mut stood = if is_likely_there { Stood::Something } else { Stood::Nothing };
    // Each further round is an act of somebody who makes the file or removes it at this moment.
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

/// Takes hold of a folder in the store.
pub(crate) fn enter(folder: &Spot) -> Result<Folder> {
    folder.enter().map_err(|error| Error::io("open", folder, error))
}

/// Does something that takes the folder of a place; makes it if that is what was missing.
fn with_folders<T>(spot: &Spot, act: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match act() {
        Err(error) if error.kind() == IoKind::NotFound => {
            let folders: Vec<Spot> = spot.ancestors().skip(1).collect();
            let missing = folders.iter().take_while(|folder| folder.look().is_err()).count();
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

/// Removes a file or a folder of ours that nobody needs; it may be gone already.
pub(crate) fn discard(spot: &Spot) -> Result<()> {
    let removed = spot.look().and_then(|seen| {
        if seen.kind == Kind::Folder {
            for (name, _) in spot.names()? {
                discard(&spot.join(name)).map_err(io::Error::other)?;
            }
        }
        spot.remove(seen.kind)
    });
    if_there(removed).map(drop).map_err(|error| Error::io("remove", spot, error))
}

/// Removes a derived file, or whatever keeps it from being made anew; a folder is somebody's work.
pub(crate) fn remove_plain(spot: &Spot) -> Result<()> {
    let removed = if_there(spot.remove(Kind::File));
    removed.map(drop).map_err(|error| Error::io("remove", spot, error))
}

/// Removes everything of ours in a folder, and leaves the folder for the next who needs it.
pub(crate) fn empty(folder: &Spot) -> Result<()> {
    list(folder)?.iter().try_for_each(|name| discard(&folder.join(name)))
}

/// Lists the names in a folder, in order; none if it is not there.
pub(crate) fn list(folder: &Spot) -> Result<Vec<String>> {
    let found = if_there(folder.names()).map_err(|error| Error::io("list", folder, error))?;
    let found = found.into_iter().flatten();
    let mut names: Vec<String> = found.filter_map(|(name, _)| name.into_string().ok()).collect();
    names.sort();
    Ok(names)
}

/// Returns all files and folders in a folder, at any depth; none if it is not there, or no folder.
pub(crate) fn walk(folder: &Spot) -> Vec<Spot> {
    let mut found = Vec::new();
    for (name, kind) in folder.names().unwrap_or_default() {
        let spot = folder.join(name);
        let inner = if kind == Kind::Folder { walk(&spot) } else { Vec::new() };
        found.push(spot);
        found.extend(inner);
    }
    found
}

/// Tells whether a rename from one place to another stays on one file system, as far as that can be told.
pub(crate) fn is_one_file_system(from: &Spot, to: &Spot) -> bool {
    let device = |spot: &Spot| {
        let mut folders = spot.ancestors().skip(1);
        folders.find_map(|folder| folder.look().ok().map(|seen| seen.device))
    };
    device(from) == device(to)
}

/// Refuses a place in a folder whose names this user may not change.
pub(crate) fn refuse_closed(spot: &Spot) -> Result<()> {
    // What is not there yet is made in the folder above.
    let mut folders = spot.ancestors().skip(1);
    let answer = folders.find_map(|folder| if_there(folder.is_for_writing()).transpose());
    answer.unwrap_or(Ok(())).map_err(|cause| Error::io("write to", spot, cause))
}

/// Refuses to take a folder elsewhere that this user may not write to: its `..` becomes another.
pub(crate) fn refuse_fixed(spot: &Spot) -> Result<()> {
    match spot.look() {
        Ok(seen) if seen.kind == Kind::Folder => {
            spot.is_for_writing().map_err(|cause| Error::io("write to", spot, cause))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Tells whether something is at a place.
pub(crate) fn exists(spot: &Spot) -> bool {
    spot.look().is_ok()
}

/// Tells whether something is at a place, and does not take a link on the way for nothing.
pub(crate) fn is_there(spot: &Spot) -> Result<bool> {
    let looked = if_there(spot.look()).map_err(|error| Error::io("look at", spot, error))?;
    Ok(looked.is_some())
}

/// Tells whether a plain file is at a place.
pub(crate) fn is_plain(spot: &Spot) -> bool {
    spot.look().is_ok_and(|seen| seen.kind == Kind::File)
}

/// Returns when a file was last written, in nanoseconds since 1970; nothing if it is not there.
pub(crate) fn modified(spot: &Spot) -> Option<i64> {
    spot.look().ok().map(|seen| seen.modified)
}

/// Returns the bytes of a file; 0 if it is not there.
pub(crate) fn length(spot: &Spot) -> u64 {
    spot.look().map_or(0, |seen| seen.size)
}

/// Makes a file or folder durable; what is not there, or none of ours, needs nothing.
pub(crate) fn sync(spot: &Spot) -> Result<()> {
    match spot.open(Access::Sync).and_then(|(file, _)| file.sync_all()) {
        Err(error) if is_strange(&error) || error.kind() == IoKind::Unsupported => Ok(()),
        synced => if_there(synced).map(drop).map_err(|error| Error::io("sync", spot, error)),
    }
}

/// Opens a file for reading and writing at any place; makes it if it is not there.
///
/// A file that has another name is copied first: what is written here must not be seen elsewhere, in a
/// copy that was made with links or in a file that never was ours.
pub(crate) fn open(spot: &Spot) -> Result<(File, Seen)> {
    let (file, seen) = open_shared(spot)?;
    if !seen.is_linked {
        return Ok((file, seen));
    }
    let fail = |error| Error::io("copy", spot, error);
    let folder = spot.ancestors().nth(1).unwrap_or_else(|| spot.clone());
    let place = folder.join("tmp/own");
    let copy = write(&place, &read_open(file, seen, u64::MAX).map_err(fail)?)?;
    copy_mode(spot, &copy)?;
    // A journal that loses its name to an empty file in a power cut is lost.
    copy.sync_all().map_err(fail)?;
    rename(&place, spot)?;
    sync(&folder)?;
    open_shared(spot)
}

/// Opens a file that other processes may have open and hold a lock on, so that none takes its place.
pub(crate) fn open_shared(spot: &Spot) -> Result<(File, Seen)> {
    let opened = with_folders(spot, || spot.open(Access::Write));
    opened.map_err(|error| Error::io("open", spot, error))
}

/// Writes a line at an offset of a file and cuts what stood behind.
pub(crate) fn write_at(spot: &Spot, offset: u64, line: &[u8]) -> Result<()> {
    let (file, seen) = open(spot)?;
    if seen.size < offset {
        // Somebody cut it since it was looked at: zeros in between are no line, and two in one are none either.
        let (whole, all) = lengths(spot)?;
        let end = if all > whole { "\n" } else { "" };
        return write_into(file, spot, all, &[end.as_bytes(), line].concat());
    }
    cut(&file, seen.size, offset).map_err(|error| Error::io("append to", spot, error))?;
    write_into(file, spot, offset, line)
}

/// Writes a line over what stands at an offset of a file; what stands behind stays.
pub(crate) fn write_over(spot: &Spot, offset: u64, line: &[u8]) -> Result<()> {
    write_into(open(spot)?.0, spot, offset, line)
}

fn write_into(mut file: File, spot: &Spot, offset: u64, line: &[u8]) -> Result<()> {
    let mut act = || {
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(line)
    };
    act().map_err(|error| Error::io("append to", spot, error))
}

/// Cuts what stands behind an offset, such as a line that a crash has torn, in a file that had this size when it was
/// opened; where nothing does, cutting would make the file system work all the same.
pub(crate) fn cut(file: &File, size: u64, offset: u64) -> io::Result<()> {
    if size == offset { Ok(()) } else { file.set_len(offset) }
}

/// Cuts a file to a length.
pub(crate) fn cut_at(spot: &Spot, length: u64) -> Result<()> {
    let (file, seen) = open(spot)?;
    cut(&file, seen.size, length).map_err(|error| Error::io("cut", spot, error))
}

/// Gives a small file another text in one write, unless the one before should stay; of a longer one, the rest is cut.
pub(crate) fn renew(spot: &Spot, stays: impl FnOnce(&[u8]) -> bool, text: &str) -> Result<()> {
    let (mut file, seen) = open(spot)?;
    let act = || {
        if stays(&read_open(&file, seen, LARGEST)?) {
            return Ok(());
        }
        file.rewind()?;
        file.write_all(text.as_bytes())?;
        cut(&file, seen.size.max(text.len() as u64), text.len() as u64)
    };
    act().map_err(|error| Error::io("write", spot, error))
}

/// Takes what is not there for an answer.
fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == IoKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
