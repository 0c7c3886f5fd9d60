//! Reads and writes the lines of a journal.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use memchr::memchr2;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::record::{DoneMark, JournalRecord, OpenRecord};
use crate::disk::folder::StorePath;
use crate::disk::key::{Key, Purpose};
use crate::disk::step::{Step, is_inside};
use crate::error::{Error, ErrorKind, Result};

/// The format of the lines; a journal of another format is left alone.
pub(super) const VERSION: u32 = 1;

/// Bytes of free space to add at once. Syncing overwritten bytes takes ext4 and XFS less than half the time of a new
/// length.
pub(super) const ROOM: usize = 65_536;

const LEADS_OUT: &str = "it leads out of the store";

/// Bytes at the end that contain the last mark.
const TAIL: u64 = 256;

/// Below this size, reading is faster than a further search step.
const PIECE: u64 = 4_096;

/// The part of a record that every version can read.
#[derive(Deserialize)]
struct RecordVersion {
    version: u32,
}

/// Where a record writes. Reading its texts too takes four times as long.
#[derive(Deserialize)]
struct RecordPaths {
    version: u32,
    steps: Vec<StepPaths>,
}

#[derive(Deserialize)]
struct StepPaths {
    path: Option<String>,
    files: Option<Vec<(String, IgnoredAny)>>,
    from: Option<String>,
    to: Option<String>,
}

/// The paths in records.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::disk) struct NamedPaths {
    /// Written or moved away.
    pub(in crate::disk) paths: BTreeSet<String>,
    /// The targets of moves.
    pub(in crate::disk) moved: BTreeSet<String>,
}

/// A journal whose last change was carried out in this boot.
pub(super) struct Settled {
    /// The number of that change; 0 if there is none.
    pub(super) last: u64,
    /// The time in its mark.
    pub(super) at: Option<i64>,
    /// Bytes of whole lines.
    pub(super) length: u64,
}

/// Returns `Some` if a journal is empty, or ends with the mark of a change of this boot.
pub(super) fn settled(file: &mut File, size: u64, boot: &str, key: &Key) -> Option<Settled> {
    if size == 0 {
        return Some(Settled { last: 0, at: None, length: 0 });
    }
    let (begin, behind) = find_end(file, size).ok()?;
    let begin = begin.saturating_sub(TAIL);
    // One byte more avoids a second, small read.
    let mut end = Vec::with_capacity(usize::try_from(behind - begin).ok()? + 1);
    file.seek(SeekFrom::Start(begin)).ok()?;
    file.take(behind - begin).read_to_end(&mut end).ok()?;
    let room = end.split_off(end.partition_point(|byte| *byte != 0));
    if room.iter().any(|byte| *byte != 0) {
        return None;
    }
    let end = end.strip_suffix(b"\n")?;
    let line = &end[end.iter().rposition(|byte| *byte == b'\n')? + 1..];
    let done: DoneMark = serde_json::from_str(body(std::str::from_utf8(line).ok()?, key)?).ok()?;
    let is_of_this_run = done.boot == boot && !boot.is_empty();
    let length = begin + end.len() as u64 + 1;
    is_of_this_run.then_some(Settled { last: done.done, at: Some(done.at), length })
}

/// Finds a range that contains the end of the lines: they hold no zeros, and the free space only zeros. A power cut may
/// leave bytes after zeros, but no mark of this boot.
fn find_end(file: &mut File, size: u64) -> io::Result<(u64, u64)> {
    let (mut lines, mut room) = (size.saturating_sub(ROOM as u64), size);
    while room - lines > PIECE {
        let middle = lines.midpoint(room);
        let mut byte = [0];
        file.seek(SeekFrom::Start(middle))?;
        file.read_exact(&mut byte)?;
        match byte {
            [0] => room = middle,
            _ => lines = middle,
        }
    }
    Ok((lines, room))
}

/// The whole lines of a journal.
pub(super) struct Lines {
    /// The records that recovery has to check, oldest first.
    pub(super) open: Vec<OpenRecord>,
    /// Bytes of all lines.
    pub(super) length: u64,
    /// The number of the last record; 0 if there is none.
    pub(super) last: u64,
    /// Whether a record, or the mark of one before the last, is missing.
    pub(super) has_gap: bool,
    /// The number of the next record.
    pub(super) next: u64,
}

/// Returns the paths in all records.
pub(super) fn read_named(
    file: &mut (impl Read + Seek),
    path: &StorePath,
    key: &Key,
) -> Result<NamedPaths> {
    let (mut lines, mut named) = (LineReader::begin(file, path)?, NamedPaths::default());
    while let Some(line) = lines.next()? {
        let Some(json) = whole(line, key) else { break };
        let is_understood = match serde_json::from_str::<RecordPaths>(json) {
            Ok(record) if record.version == VERSION => {
                record.steps.into_iter().all(|step| named.add(step))
            }
            Ok(_) | Err(_) => false,
        };
        if is_understood {
            continue;
        }
        if let JournalLine::Record(_) = read(json).map_err(|error| damaged(path, error))? {
            return Err(damaged(path, io::Error::other("it does not say where it writes")));
        }
    }
    let mut paths = named.paths.iter().chain(&named.moved);
    match paths.all(|path| is_inside(path)) {
        true => Ok(named),
        false => Err(damaged(path, io::Error::other(LEADS_OUT))),
    }
}

impl NamedPaths {
    /// Adds the paths of a step; tells whether it had any.
    fn add(&mut self, step: StepPaths) -> bool {
        let StepPaths { path, files, from, to } = step;
        let is_said = path.is_some() || (from.is_some() && to.is_some());
        let inner = files.unwrap_or_default().into_iter().zip(path.iter().cycle());
        self.paths.extend(inner.map(|((name, _), folder)| format!("{folder}/{name}")));
        self.paths.extend(path.into_iter().chain(from));
        self.moved.extend(to);
        is_said
    }
}

/// Reads the next line, with its end if it has one; `false` at the free space.
pub(super) fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    loop {
        let read = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        let found = memchr2(b'\n', 0, read);
        let end = found.map_or(read.len(), |at| at + usize::from(read[at] == b'\n'));
        line.extend_from_slice(&read[..end]);
        let is_over = found.is_some() || read.is_empty();
        reader.consume(end);
        if is_over {
            return Ok(!line.is_empty());
        }
    }
}

/// Reads a journal line by line: the whole file would not fit into the processor cache, and another user may have made
/// the free space huge.
struct LineReader<'f, F> {
    reader: BufReader<&'f mut F>,
    path: &'f StorePath,
    line: Vec<u8>,
}

impl<'f, F: Read + Seek> LineReader<'f, F> {
    fn begin(file: &'f mut F, path: &'f StorePath) -> Result<Self> {
        file.rewind().map_err(|error| Error::io("read", path, error))?;
        Ok(Self { reader: BufReader::with_capacity(ROOM, file), path, line: Vec::new() })
    }

    fn next(&mut self) -> Result<Option<&[u8]>> {
        let is_there = next_line(&mut self.reader, &mut self.line)
            .map_err(|error| Error::io("read", self.path, error))?;
        Ok(is_there.then_some(&*self.line))
    }
}

pub(super) fn read_all(file: &mut File, path: &StorePath, boot: &str, key: &Key) -> Result<Lines> {
    let mut lines = LineReader::begin(file, path)?;
    let (mut open, mut length, mut next) = (Vec::<Option<OpenRecord>>::new(), 0, 1_u64);
    let (mut last, mut is_marked, mut has_gap) = (0_u64, true, false);
    // Searching all of them for each mark would take quadratic time.
    let mut positions = HashMap::new();
    while let Some(line) = lines.next()? {
        let Some(json) = whole(line, key) else { break };
        length += line.len() as u64;
        let record = match read(json).map_err(|error| damaged(path, error))? {
            JournalLine::Record(record) => record,
            JournalLine::Done(done) => {
                next = next.max(done.done.saturating_add(1));
                is_marked |= done.done == last;
                let Some(slot) = positions.get(&done.done).map(|at: &usize| &mut open[*at]) else {
                    continue;
                };
                match (slot, done.boot == boot && !boot.is_empty()) {
                    (slot, true) => *slot = None,
                    (Some(each), false) => each.done = Some(done),
                    (None, false) => {}
                }
                continue;
            }
        };
        if let Some(refused) = record.steps.iter().find_map(Step::leads_out) {
            return Err(damaged(path, io::Error::other(refused)));
        }
        next = next.max(record.number.saturating_add(1));
        let follows = open.is_empty() || record.number == last.saturating_add(1);
        has_gap |= !follows || !is_marked;
        (last, is_marked) = (record.number, false);
        positions.insert(record.number, open.len());
        open.push(Some(OpenRecord { record, done: None }));
    }
    Ok(Lines { open: open.into_iter().flatten().collect(), length, last, has_gap, next })
}

enum JournalLine {
    Record(JournalRecord),
    Done(DoneMark),
}

fn read(json: &str) -> io::Result<JournalLine> {
    // Records are long, so they are tried first.
    let strange = match serde_json::from_str::<JournalRecord>(json) {
        Ok(record) => {
            return refuse_unknown(record.version).map(|()| JournalLine::Record(record));
        }
        Err(error) => error,
    };
    if let Ok(done) = serde_json::from_str(json) {
        return Ok(JournalLine::Done(done));
    }
    let RecordVersion { version } = serde_json::from_str(json)?;
    refuse_unknown(version)?;
    Err(strange.into())
}

fn refuse_unknown(version: u32) -> io::Result<()> {
    match version {
        VERSION => Ok(()),
        _ => Err(io::Error::other(format!("it is of form {version}, known is {VERSION}"))),
    }
}

pub(super) fn line(value: &impl Serialize, key: &Key) -> String {
    let json = serde_json::to_string(value).expect("records hold only text, numbers and lists");
    format!("{} {json}\n", key.sign(Purpose::JOURNAL, json.as_bytes()))
}

/// Tells whether a journal begins with a whole line that was not signed with this key. A torn line has no end, or zeros
/// in it.
pub(super) fn is_foreign(file: &mut File, path: &StorePath, key: &Key) -> Result<bool> {
    let mut lines = LineReader::begin(file, path)?;
    let first = lines.next()?;
    Ok(first.is_some_and(|line| line.ends_with(b"\n") && whole(line, key).is_none()))
}

/// Returns the JSON of a signed line with its end.
fn whole<'l>(line: &'l [u8], key: &Key) -> Option<&'l str> {
    body(std::str::from_utf8(line).ok()?.strip_suffix('\n')?, key)
}

/// Returns the JSON of a signed line without its end.
fn body<'l>(line: &'l str, key: &Key) -> Option<&'l str> {
    let (code, json) = line.split_once(' ')?;
    key.verifies(Purpose::JOURNAL, json.as_bytes(), code).then_some(json)
}

pub(in crate::disk) fn damaged(
    path: &StorePath,
    error: impl std::error::Error + Send + Sync + 'static,
) -> Error {
    Error::new(ErrorKind::StoreDamaged, "cannot understand the journal").at(path).because(error).hint(
        "finish with the version of agent-memory that wrote it; move the file away only if you accept that its last change may be half visible",
    )
}
