//! Reads single lines of append-only files, which may be longer than memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use super::missing::if_there;
use crate::disk::folder::{Access, PathMetadata, StorePath};
use crate::error::{Error, Result};

/// Returns the length up to the end of the last whole line.
pub(crate) fn whole_length(path: &StorePath) -> Result<u64> {
    lengths(path).map(|(whole, _)| whole)
}

/// Returns the number of bytes after the last whole line.
pub(crate) fn torn_length(path: &StorePath) -> Result<u64> {
    lengths(path).map(|(whole, all)| all - whole)
}

/// Returns the length up to the end of the last whole line, and the whole length; 0 if there is no file.
pub(crate) fn lengths(path: &StorePath) -> Result<(u64, u64)> {
    let measure = |(mut file, metadata): (File, PathMetadata)| {
        if metadata.size == 0 {
            return Ok((0, 0));
        }
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        // Only a torn last line requires to read more than the last byte.
        if last == *b"\n" {
            return Ok((metadata.size, metadata.size));
        }
        Ok((end_of_last_line(&mut file, metadata.size)?, metadata.size))
    };
    let measured = if_there(path.open(Access::Read).and_then(measure));
    measured.map(Option::unwrap_or_default).map_err(|error| Error::io("read", path, error))
}

/// Searches backwards: a log may be longer than memory.
fn end_of_last_line(file: &mut File, size: u64) -> io::Result<u64> {
    const BLOCK: u64 = 65_536;
    let mut block = Vec::new();
    let mut end = size;
    while end > 0 {
        let begin = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(begin))?;
        block.clear();
        file.take(end - begin).read_to_end(&mut block)?;
        if let Some(at) = block.iter().rposition(|byte| *byte == b'\n') {
            return Ok(begin + at as u64 + 1);
        }
        end = begin;
    }
    Ok(0)
}

/// Reads the last whole line, without its line end; empty if there is none.
pub(crate) fn read_last_line(path: &StorePath) -> Result<Vec<u8>> {
    let begin = |(mut file, metadata): (File, PathMetadata)| {
        let whole = end_of_last_line(&mut file, metadata.size)?;
        Ok((end_of_last_line(&mut file, whole.saturating_sub(1))?, whole))
    };
    let range = if_there(path.open(Access::Read).and_then(begin));
    let (begin, whole) = range.map_err(|error| Error::io("read", path, error))?.unwrap_or_default();
    read_between(path, begin, whole.saturating_sub(1))
}

/// Reads the line at an offset, without its line end; empty if there is none.
pub(crate) fn read_line_at(path: &StorePath, offset: u64) -> Result<Vec<u8>> {
    let mut line = Vec::new();
    let read = path.open(Access::Read).and_then(|(mut file, metadata)| {
        // Another user may have written the offset: a seek that far may fail.
        if offset >= metadata.size {
            return Ok(0);
        }
        file.seek(SeekFrom::Start(offset))?;
        BufReader::new(file).read_until(b'\n', &mut line)
    });
    if_there(read).map_err(|error| Error::io("read", path, error))?;
    line.pop_if(|last| *last == b'\n');
    Ok(line)
}

/// Reads a byte range, as far as the file goes.
pub(crate) fn read_between(path: &StorePath, begin: u64, end: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = path.open(Access::Read).and_then(|(mut file, metadata)| {
        // Another user may have written the offset: a seek that far may fail.
        if begin >= end.min(metadata.size) {
            return Ok(0);
        }
        file.seek(SeekFrom::Start(begin))?;
        let length = end.min(metadata.size) - begin;
        // One byte more avoids a second, small read.
        bytes.reserve(usize::try_from(length).unwrap_or_default().saturating_add(1));
        file.take(end - begin).read_to_end(&mut bytes)
    });
    if_there(read).map_err(|error| Error::io("read", path, error))?;
    Ok(bytes)
}

pub(crate) fn has_line_at(path: &StorePath, offset: u64, line: &str) -> Result<bool> {
    let end = offset.saturating_add(line.len() as u64);
    read_between(path, offset, end).map(|found| found == line.as_bytes())
}
