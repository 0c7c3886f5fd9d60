//! Notices which files changed since they were indexed, and indexes these anew.

mod writing;

use std::collections::HashMap;
use std::sync::mpsc;
use std::thread;

use rusqlite::{Connection, Transaction};

use super::drafts::{Drafts, File, KnownSections, draft};
use super::failure::is_busy;
use super::gate::Gate;
use super::listing::{Contents, Listing, Stamp, is_memory, list, read};
use super::records::{self, Record, Writer};
use super::sections;
use super::{Index, Source};
use crate::error::Result;
use crate::markdown::Outline;
use writing::{Writing, version_of};

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

/// While these are written, the next ones are understood.
const FILES_AT_A_TIME: usize = 64;

/// So much text, and one more file, is in hand at a time, three times over: what was read, what is being understood, what
/// is being written. Writing takes longer than understanding, so one thread beside it does.
const BYTES_AT_A_TIME: i64 = 32 * 1024;

/// So much text is committed at once: with each commit the database sorts what is new into what it has. Others may
/// write in between, so that nobody waits for a whole store.
const BYTES_OF_A_COMMIT: i64 = 4 * 1024 * 1024;

/// Brings the index up to date with all files.
pub(super) fn refresh(index: &Index, source: &Source<'_>) -> Result<Refreshed> {
    let listing = list(source.root)?;
    let known = records::load_all(&index.connection).map_err(|cause| index.failed(cause))?;
    let (suspects, warnings) = Comparison { listing, known }.suspects();
    let refreshed = Refreshed { warnings, ..Refreshed::default() };
    catch_up(index, source, (&suspects, refreshed))
}

/// Brings the index up to date with some files.
pub(super) fn refresh_files(
    index: &Index,
    source: &Source<'_>,
    paths: &[String],
) -> Result<Refreshed> {
    catch_up(index, source, (&memories(paths), Refreshed::default()))
}

fn memories(paths: &[String]) -> Vec<String> {
    let mut memories: Vec<String> = paths.iter().filter(|path| is_memory(path)).cloned().collect();
    memories.sort_unstable();
    memories.dedup();
    memories
}

/// Looks at files that may hold another text than the index knows.
fn catch_up(
    index: &Index,
    source: &Source<'_>,
    (suspects, mut refreshed): (&[String], Refreshed),
) -> Result<Refreshed> {
    if suspects.is_empty() {
        return Ok(refreshed);
    }
    // Taken before any file is read: a change in the same tick is suspected again next time.
    let now = index.gate.as_ref().map(Gate::unseal).transpose()?.unwrap_or_default();
    index.narrow(source, suspects)?;
    match (Run { source, now }).index_all(index, suspects, &mut refreshed) {
        Err(cause) if !is_busy(&cause) => Err(index.failed(cause)),
        Ok(()) | Err(_) => Ok(refreshed),
    }
}

/// What there is, beside what the database knows.
struct Comparison {
    listing: Listing,
    known: HashMap<String, Record>,
}

impl Comparison {
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
struct Step<'a> {
    file: &'a str,
    change: Change,
}

impl Step<'_> {
    /// Tells whether the database has to be made anew once this is written.
    fn is_regretted(&self) -> bool {
        matches!(&self.change, Change::Store(_, _, drafts) if drafts.is_regretted)
    }
}

enum Change {
    /// With the number of the file, if it has one.
    Store(Option<i64>, Contents, Drafts),
    Touch(i64, Stamp),
    Remove(i64),
}

/// A file that was looked at.
enum Look<'a> {
    /// It holds a text that the database does not know.
    News(&'a str, Option<i64>, Contents, KnownSections),
    Settled(Step<'a>),
}

/// Some files that were looked at.
struct Batch<T> {
    each: Vec<T>,
    /// How many files were looked at.
    count: usize,
    bytes: i64,
    /// Changes when another process writes to the database.
    version: i64,
}

impl Run<'_> {
    /// Indexes files a few at a time: while some are written, the next ones are understood. Who is kept from
    /// writing leaves the rest to the next one who asks.
    fn index_all(
        &self,
        index: &Index,
        files: &[String],
        refreshed: &mut Refreshed,
    ) -> rusqlite::Result<()> {
        refreshed.files_postponed = files.len();
        let mut writing = Writing::new(self, index);
        let (first, waiting) = self.look_at_some(&index.connection, files, refreshed)?;
        match waiting.is_empty() {
            true => self.index_in_turn(&mut writing, first, waiting, refreshed)?,
            false => self.index_side_by_side(&mut writing, first, waiting, refreshed)?,
        }
        writing.commit(refreshed)
    }

    /// Looks at files and writes them, while another thread understands what lies between.
    fn index_side_by_side<'f>(
        &self,
        writing: &mut Writing<'_>,
        first: Batch<Look<'f>>,
        mut waiting: &'f [String],
        refreshed: &mut Refreshed,
    ) -> rusqlite::Result<()> {
        thread::scope(|scope| {
            let (looks, looked_at) = mpsc::channel();
            let (steps, understood) = mpsc::channel();
            let understand = move || {
                // Without a listener, writing has failed.
                looked_at.into_iter().try_for_each(|batch| steps.send(self.understand(batch)))
            };
            if thread::Builder::new().spawn_scoped(scope, understand).is_err() {
                return self.index_in_turn(writing, first, waiting, refreshed);
            }
            let give = |batch| looks.send(batch).expect("text of any kind is understood");
            give(first);
            let mut are_more = true;
            while are_more {
                are_more = !waiting.is_empty();
                let look = || self.look_at_some(&writing.index.connection, waiting, refreshed);
                let next = are_more.then(look).transpose()?;
                let ready = understood.recv().expect("text of any kind is understood");
                if let Some((batch, rest)) = next {
                    waiting = rest;
                    give(batch);
                }
                writing.write(&ready)?;
                if writing.bytes >= BYTES_OF_A_COMMIT {
                    writing.commit(refreshed)?;
                }
            }
            Ok(())
        })
    }

    /// Does one after the other, where there are few files or the system gives no thread.
    fn index_in_turn(
        &self,
        writing: &mut Writing<'_>,
        first: Batch<Look<'_>>,
        mut waiting: &[String],
        refreshed: &mut Refreshed,
    ) -> rusqlite::Result<()> {
        writing.write(&self.understand(first))?;
        while !waiting.is_empty() {
            let (batch, rest) = self.look_at_some(&writing.index.connection, waiting, refreshed)?;
            waiting = rest;
            writing.write(&self.understand(batch))?;
            if writing.bytes >= BYTES_OF_A_COMMIT {
                writing.commit(refreshed)?;
            }
        }
        Ok(())
    }

    /// Looks at the first of the files; returns what was seen, and the files behind.
    fn look_at_some<'f>(
        &self,
        connection: &Connection,
        files: &'f [String],
        refreshed: &mut Refreshed,
    ) -> rusqlite::Result<(Batch<Look<'f>>, &'f [String])> {
        // One lock for all that is asked of the database; who has begun to write has it anyway.
        let is_free = connection.is_autocommit();
        let _view = is_free.then(|| connection.unchecked_transaction()).transpose()?;
        let version = version_of(connection)?;
        let mut batch = Batch { each: Vec::new(), count: 0, bytes: 0, version };
        for file in files.iter().take(FILES_AT_A_TIME) {
            let look = self.look(connection, file, refreshed)?;
            if let Some(Look::News(_, _, contents, _)) = &look {
                batch.bytes += contents.stamp.size;
            }
            batch.each.extend(look);
            batch.count += 1;
            if batch.bytes > BYTES_AT_A_TIME {
                break;
            }
        }
        let rest = &files[batch.count..];
        Ok((batch, rest))
    }

    fn look<'f>(
        &self,
        connection: &Connection,
        file: &'f str,
        refreshed: &mut Refreshed,
    ) -> rusqlite::Result<Option<Look<'f>>> {
        let record = records::load(connection, file)?;
        let Some(contents) = read(self.source.root, file) else {
            if record.is_none() {
                refreshed.warnings.push(warning(file, "it cannot be read"));
            }
            let gone = |record: Record| Step { file, change: Change::Remove(record.id) };
            return Ok(record.map(|record| Look::Settled(gone(record))));
        };
        if let Err(problem) = &contents.text {
            refreshed.warnings.push(warning(file, problem));
        }
        self.compare(connection, file, record, contents)
    }

    fn compare<'f>(
        &self,
        connection: &Connection,
        file: &'f str,
        record: Option<Record>,
        contents: Contents,
    ) -> rusqlite::Result<Option<Look<'f>>> {
        match record {
            Some(record) if record.hash == contents.hash => {
                let is_settled = contents.stamp.latest() < self.now.saturating_sub(SLOWEST_TICK);
                let is_news = record.stamp != contents.stamp || is_settled;
                let change = Change::Touch(record.id, contents.stamp);
                Ok(is_news.then_some(Look::Settled(Step { file, change })))
            }
            Some(record) => {
                let known = sections::known(connection, record.id)?;
                Ok(Some(Look::News(file, Some(record.id), contents, known)))
            }
            None => Ok(Some(Look::News(file, None, contents, KnownSections::new()))),
        }
    }

    /// Works out what is to be written.
    fn understand<'f>(&self, batch: Batch<Look<'f>>) -> Batch<Step<'f>> {
        let Batch { each, count, bytes, version } = batch;
        let each = each.into_iter().map(|look| self.step(look)).collect();
        Batch { each, count, bytes, version }
    }

    /// Works out what is to be written of a file.
    fn step<'f>(&self, look: Look<'f>) -> Step<'f> {
        match look {
            Look::Settled(step) => step,
            Look::News(file, number, contents, known) => {
                let text = contents.text.as_deref().unwrap_or_default();
                let drafts = self.draft(file, &Outline::read(text), known);
                Step { file, change: Change::Store(number, contents, drafts) }
            }
        }
    }

    fn draft(&self, path: &str, outline: &Outline<'_>, known: KnownSections) -> Drafts {
        let is_log = self.source.catalog.owner_of(path).is_some_and(|each| each.log);
        draft(self.source.scanner, &File { path, outline, is_log }, known)
    }

    /// Writes a step; tells whether the database has to be made anew for it.
    fn write_step(&self, transaction: &Transaction<'_>, step: &Step<'_>) -> rusqlite::Result<bool> {
        let writer = Writer { connection: transaction, source: self.source, seen: self.now };
        match &step.change {
            Change::Store(None, contents, drafts) => writer.add(step.file, contents, drafts),
            Change::Store(Some(id), contents, drafts) => writer.renew(*id, contents, drafts),
            Change::Touch(id, stamp) => writer.touch(*id, *stamp),
            Change::Remove(id) => writer.remove(*id),
        }?;
        Ok(step.is_regretted())
    }

    /// Writes what a file holds now: another process may have written these very sections meanwhile, from a
    /// younger text than the one that was looked at before.
    fn write_anew(&self, transaction: &Transaction<'_>, file: &str) -> rusqlite::Result<bool> {
        // Told of at the first look.
        let mut unheard = Refreshed::default();
        match self.look(transaction, file, &mut unheard)? {
            Some(look) => self.write_step(transaction, &self.step(look)),
            None => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests;
