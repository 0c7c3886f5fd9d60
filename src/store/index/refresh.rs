//! Notices which files changed since they were indexed, and indexes these anew.

use std::collections::HashMap;

use rusqlite::{Connection, TransactionBehavior};

use super::Source;
use super::database::{failed, file_system_now, is_busy};
use super::listing::{Contents, Listing, Stamp, list, look_at, read};
use super::records::{self, Record, Writer};
use crate::error::Result;
use crate::store::Spot;

/// What a refresh did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// Files that are new or hold another text.
    pub files_changed: usize,
    /// Files that are not there any more.
    pub files_removed: usize,
    /// Changed files that wait, as another process keeps writing to the index.
    pub files_postponed: usize,
    /// Files that are not indexed, and why.
    pub warnings: Vec<String>,
}

/// A change within this time of the last look may have left no trace in the times of the file, as
/// these tick slowly (2 s on FAT). Git calls such a file racily clean.
const SLOWEST_TICK: i64 = 2_000_000_000;

/// Others may write in between, so that nobody waits for a whole store.
const FILES_AT_A_TIME: usize = 64;

/// The most that is held in memory, but for one more file.
const BYTES_AT_A_TIME: i64 = 16 * 1024 * 1024;

/// Brings the index up to date with all files.
pub(super) fn refresh(
    connection: &mut Connection,
    path: &Spot,
    source: &Source<'_>,
) -> Result<Refreshed> {
    let listing = list(source.root)?;
    let known = records::load_all(connection).map_err(|cause| failed(path, cause))?;
    Comparison { listing, known }.catch_up(connection, path, source)
}

/// Brings the index up to date with some files.
pub(super) fn refresh_files(
    connection: &mut Connection,
    path: &Spot,
    source: &Source<'_>,
    paths: &[String],
) -> Result<Refreshed> {
    let listing = look_at(source.root, paths);
    let mut known = HashMap::new();
    for file in paths {
        let record = records::load(connection, file).map_err(|cause| failed(path, cause))?;
        known.extend(record.map(|record| (file.clone(), record)));
    }
    Comparison { listing, known }.catch_up(connection, path, source)
}

/// What there is, beside what the database knows.
struct Comparison {
    listing: Listing,
    known: HashMap<String, Record>,
}

impl Comparison {
    fn catch_up(
        self,
        connection: &mut Connection,
        path: &Spot,
        source: &Source<'_>,
    ) -> Result<Refreshed> {
        let (suspects, warnings) = self.suspects();
        let mut refreshed = Refreshed { warnings, ..Refreshed::default() };
        if suspects.is_empty() {
            return Ok(refreshed);
        }
        // Taken before any file is read: a change in the same tick is suspected again next time.
        let now = file_system_now(path)?;
        let run = Run { source, now };
        let mut waiting = suspects.as_slice();
        while !waiting.is_empty() {
            match run.index_some(connection, waiting, &mut refreshed) {
                Ok(done) => waiting = &waiting[done..],
                Err(cause) if is_busy(&cause) => {
                    refreshed.files_postponed = waiting.len();
                    break;
                }
                Err(cause) => return Err(failed(path, cause)),
            }
        }
        Ok(refreshed)
    }

    /// Returns the files that may hold another text than the index knows, and what to tell of others.
    fn suspects(mut self) -> (Vec<String>, Vec<String>) {
        let mut warnings = self.listing.warnings;
        let mut suspects = Vec::new();
        for (file, stamp) in self.listing.files {
            match self.known.remove(&file).filter(|record| is_surely_same(record, stamp)) {
                Some(Record { problem: Some(problem), .. }) => {
                    warnings.push(warning(&file, &problem));
                }
                Some(Record { problem: None, .. }) => {}
                None => suspects.push(file),
            }
        }
        suspects.extend(self.known.into_keys());
        suspects.sort_unstable();
        (suspects, warnings)
    }
}

fn is_surely_same(record: &Record, stamp: Stamp) -> bool {
    record.stamp == stamp && stamp.latest() < record.seen.saturating_sub(SLOWEST_TICK)
}

fn warning(file: &str, problem: &str) -> String {
    format!("`{file}` is not indexed: {problem}")
}

struct Run<'a> {
    source: &'a Source<'a>,
    now: i64,
}

/// What has to be written about a file.
enum Step<'a> {
    Store(&'a str, Contents),
    Touch(i64, Stamp),
    Remove(i64),
}

impl Run<'_> {
    /// Indexes the first of the files, and says how many: reads them first, and takes the write lock
    /// only if there is something to write.
    fn index_some(
        &self,
        connection: &mut Connection,
        files: &[String],
        refreshed: &mut Refreshed,
    ) -> rusqlite::Result<usize> {
        let mut steps = Vec::new();
        let (mut done, mut bytes) = (0, 0);
        for file in files.iter().take(FILES_AT_A_TIME) {
            let step = self.look(connection, file, refreshed)?;
            if let Some(Step::Store(_, contents)) = &step {
                bytes += contents.stamp.size;
            }
            steps.extend(step);
            done += 1;
            if bytes > BYTES_AT_A_TIME {
                break;
            }
        }
        if !steps.is_empty() {
            self.write(connection, &steps, refreshed)?;
        }
        Ok(done)
    }

    fn look<'f>(
        &self,
        connection: &Connection,
        file: &'f str,
        refreshed: &mut Refreshed,
    ) -> rusqlite::Result<Option<Step<'f>>> {
        let record = records::load(connection, file)?;
        let Some(contents) = read(self.source.root, file) else {
            if record.is_none() {
                refreshed.warnings.push(warning(file, "it cannot be read"));
            }
            return Ok(record.map(|record| Step::Remove(record.id)));
        };
        if let Err(problem) = &contents.text {
            refreshed.warnings.push(warning(file, problem));
        }
        let Some(record) = record.filter(|record| record.hash == contents.hash) else {
            return Ok(Some(Step::Store(file, contents)));
        };
        let is_settled = contents.stamp.latest() < self.now.saturating_sub(SLOWEST_TICK);
        let is_news = record.stamp != contents.stamp || is_settled;
        Ok(is_news.then_some(Step::Touch(record.id, contents.stamp)))
    }

    fn write(
        &self,
        connection: &mut Connection,
        steps: &[Step<'_>],
        refreshed: &mut Refreshed,
    ) -> rusqlite::Result<()> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let writer = Writer { connection: &transaction, source: self.source, seen: self.now };
        for step in steps {
            match step {
                Step::Store(file, contents) => writer.store(file, contents)?,
                Step::Touch(file, stamp) => writer.touch(*file, *stamp)?,
                Step::Remove(file) => writer.remove(*file)?,
            }
        }
        transaction.commit()?;
        let count = |is_kind: fn(&Step<'_>) -> bool| steps.iter().filter(|s| is_kind(s)).count();
        refreshed.files_changed += count(|step| matches!(step, Step::Store(..)));
        refreshed.files_removed += count(|step| matches!(step, Step::Remove(_)));
        Ok(())
    }
}
