//! Takes the files out of an archive, compressed or not, and finds the form of each.

use std::cell::Cell;
use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::lines::read_lines;
use super::saved_memories::SavedMemories;
use super::server_file::{ServerFile, saved_of};
use crate::contract::Timestamp;
use crate::error::{Error, ErrorKind, Result};
use crate::text::without_mark;

/// Reads a backup: the archive of the observed server, one of its two files, or JSON Lines. `limit` is the most bytes that
/// it may unpack, so that a small file cannot fill the memory.
pub(crate) fn read_backup(bytes: &[u8], limit: u64, now: Timestamp) -> Result<SavedMemories> {
    let room = UnpackRoom { left: Cell::new(limit), limit };
    let unpacked = room.unpacked(bytes)?;
    let bytes = unpacked.as_deref().unwrap_or(bytes);
    if !is_archive(bytes) {
        let bytes = without_mark(bytes).map_err(|what| no_backup(&format!("it {what}")))?;
        return match form_of(bytes) {
            FileForm::Lines => Ok(read_lines(bytes, now)),
            FileForm::Server => Ok(saved_of(vec![server_file(bytes)?], now)),
        };
    }
    let mut files = Vec::new();
    let mut archive = tar::Archive::new(bytes);
    for entry in archive.entries().map_err(|cause| no_backup(&cause))? {
        let entry = entry.map_err(|cause| no_backup(&cause))?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let is_wanted = [".json", ".json.gz"].iter().any(|ending| name.ends_with(ending));
        if !entry.header().entry_type().is_file() || !is_wanted {
            continue;
        }
        let bytes = room.read(entry)?;
        let unpacked = room.unpacked(&bytes)?;
        files.push(server_file(unpacked.as_deref().unwrap_or(&bytes))?);
    }
    if files.is_empty() {
        return Err(no_backup(&"the archive has no `.json` file"));
    }
    Ok(saved_of(files, now))
}

/// How many bytes may still be unpacked.
struct UnpackRoom {
    left: Cell<u64>,
    limit: u64,
}

impl UnpackRoom {
    /// Unpacks what is compressed; nothing where it is not.
    fn unpacked(&self, bytes: &[u8]) -> Result<Option<Vec<u8>>> {
        let is_compressed = bytes.starts_with(&[0x1f, 0x8b]);
        is_compressed.then(|| self.read(MultiGzDecoder::new(bytes))).transpose()
    }

    fn read(&self, source: impl Read) -> Result<Vec<u8>> {
        let (mut bytes, left) = (Vec::new(), self.left.get());
        let read = source.take(left.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|cause: io::Error| no_backup(&cause))?;
        let left = left.checked_sub(bytes.len() as u64).ok_or_else(|| {
            let message = format!("the backup holds more than {} bytes", self.limit);
            Error::new(ErrorKind::Usage, message).hint("import its files one by one")
        })?;
        self.left.set(left);
        Ok(bytes)
    }
}

fn is_archive(bytes: &[u8]) -> bool {
    /// Where the header of a tar archive has its name.
    const MAGIC: usize = 257;
    bytes.get(MAGIC..).is_some_and(|rest| rest.starts_with(b"ustar"))
}

/// The forms of a file that is no archive.
enum FileForm {
    /// One object a line.
    Lines,
    /// A file of the observed server's backup.
    Server,
}

/// The keys by which a file of the observed server is told from a line with a memory.
#[derive(Deserialize)]
struct FirstObject {
    nodes: Option<IgnoredAny>,
    points: Option<IgnoredAny>,
}

fn form_of(bytes: &[u8]) -> FileForm {
    let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut filled = lines.filter(|line| !line.is_empty());
    let Some(first) = filled.next() else { return FileForm::Lines };
    match serde_json::from_slice::<FirstObject>(first) {
        Ok(FirstObject { nodes: None, points: None }) => FileForm::Lines,
        Ok(_) => FileForm::Server,
        // A file of the server begins with a line that is no object yet; a bad line is one among others.
        Err(_) if first == b"{" => FileForm::Server,
        Err(_) if first.starts_with(b"{") || filled.next().is_some() => FileForm::Lines,
        Err(_) => FileForm::Server,
    }
}

fn server_file(bytes: &[u8]) -> Result<ServerFile> {
    let file: ServerFile = serde_json::from_slice(bytes).map_err(|cause| no_backup(&cause))?;
    match file.is_backup() {
        true => Ok(file),
        false => Err(no_backup(&"it has neither `nodes` nor `points`")),
    }
}

fn no_backup(cause: &dyn std::fmt::Display) -> Error {
    let hint = "give the archive that `/backup` returns, one of its two files, or JSON Lines as `agent-memory service export` writes them";
    Error::new(ErrorKind::Usage, format!("this is no backup of the service: {cause}")).hint(hint)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).expect("memory takes every byte");
        encoder.finish().expect("memory takes every byte")
    }

    fn read(bytes: &[u8], limit: u64) -> Result<SavedMemories> {
        read_backup(bytes, limit, Timestamp::from_microseconds(0))
    }

    #[test]
    fn lines_are_read_plain_and_packed() {
        let lines = b"{\"content\": \"one\"}\n{\"content\": \"two\"}\n";
        for bytes in [lines.to_vec(), packed(lines)] {
            assert_eq!(read(&bytes, 1_000).expect("lines").memories.len(), 2);
        }
        assert_eq!(read(b"", 1_000).expect("no line").memories.len(), 0);
    }

    #[test]
    fn a_byte_order_mark_is_taken_off() {
        let lines = "\u{feff}{\"content\": \"one\"}\n";
        let read = read(lines.as_bytes(), 1_000).expect("lines");
        assert_eq!((read.memories.len(), read.refused.len()), (1, 0));
    }

    #[test]
    fn what_unpacks_to_more_than_the_limit_is_an_error() {
        let bomb = packed(&vec![b' '; 1_000_000]);
        assert!(bomb.len() < 10_000);
        let error = read(&bomb, 100_000).expect_err("too large");
        assert!(error.to_string().contains("more than 100000 bytes"), "{error}");
        let twice = packed(&packed(&vec![b' '; 1_000_000]));
        assert!(read(&twice, 100_000).is_err());
    }

    #[test]
    fn what_is_no_backup_is_an_error() {
        for text in ["[1, 2]", "{\n}", "no JSON"] {
            let error = read(text.as_bytes(), 1_000).expect_err(text);
            assert!(error.to_string().starts_with("this is no backup"), "{error}");
        }
    }
}
