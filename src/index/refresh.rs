//! Finds the files that changed since they were indexed, and indexes these again.

use std::collections::BTreeSet;

use super::database::Database;
use super::document::{DocumentDraft, KnownDocument};
use super::documents;
use super::files::{self, FileRecord};
use super::listing::{Contents, Listing, Stamp};
use super::source::DocumentSource;

/// What a refresh did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Refreshed {
    pub(crate) files_changed: usize,
    pub(crate) files_removed: usize,
    /// Changed files that are not indexed yet, as another process keeps writing to the index.
    pub(crate) files_postponed: usize,
    pub(crate) warnings: Vec<String>,
    /// Whether a secret is found in what may have been written before it was one, as where a mark that allowed it went.
    pub(super) holds_secret: bool,
}

/// A change within this time of the last read may have left no trace in the times of the file, as
/// these tick slowly (2 s on FAT). Git calls such a file racily clean.
const SLOWEST_TICK: i64 = 2_000_000_000;

/// How much text is committed at once: with each commit the database sorts what is new into what it has. Other processes
/// may write in between, so that none waits for a whole store.
const BYTES_OF_A_COMMIT: i64 = 4 * 1024 * 1024;

/// Returns the files that may hold another text than the index knows; warns of others.
pub(super) fn find_suspects(
    database: &Database,
    source: &dyn DocumentSource,
    listing: Listing,
    warnings: &mut Vec<String>,
) -> rusqlite::Result<BTreeSet<String>> {
    let mut known = files::load_all(&database.connection)?;
    let mut suspects = BTreeSet::new();
    warnings.extend(listing.warnings);
    for (file, stamp) in listing.files {
        match known.remove(&file).filter(|record| is_surely_same(record, stamp)) {
            Some(FileRecord { problem, .. }) => {
                warnings.extend(problem.map(|problem| warning(&source.shown(&file), &problem)));
            }
            None => {
                suspects.insert(file);
            }
        }
    }
    suspects.extend(known.into_keys());
    Ok(suspects)
}

fn is_surely_same(record: &FileRecord, stamp: Stamp) -> bool {
    record.stamp == stamp && is_settled(stamp, record.seen)
}

/// Tells whether a change since a time would have given a file another stamp.
fn is_settled(stamp: Stamp, seen: i64) -> bool {
    stamp.modified.max(stamp.changed) < seen.saturating_sub(SLOWEST_TICK)
}

fn warning(file: &str, problem: &str) -> String {
    format!("`{file}` is not indexed: {problem}")
}

/// Indexes files, as of a time of the file system before the first one is read.
pub(super) struct Refresh<'a> {
    pub(super) database: &'a Database,
    pub(super) source: &'a dyn DocumentSource,
    pub(super) now: i64,
}

enum FileChange {
    /// A new text; with the number of the file, if it has one.
    Store(Option<i64>, Contents),
    /// Another stamp.
    Touch(i64, FileRecord),
    Remove(i64),
}

impl Refresh<'_> {
    /// Indexes files; what cannot be written, as another process keeps writing, is left to the next call.
    pub(super) fn index_all(
        &self,
        mut files: BTreeSet<String>,
        refreshed: &mut Refreshed,
    ) -> rusqlite::Result<()> {
        let mut changed = Vec::new();
        refreshed.files_postponed = files.len();
        while let Some(file) = files.pop_first() {
            if self.compare(&file, &mut refreshed.warnings)?.is_some() {
                changed.push(file);
            }
        }
        let mut left = changed.iter();
        refreshed.files_postponed = left.len();
        while left.len() > 0 {
            let transaction = self.database.begin()?;
            let mut bytes = 0;
            while bytes < BYTES_OF_A_COMMIT
                && let Some(file) = left.next()
            {
                // Another process may have written these very documents before the database was locked.
                if let Some(change) = self.compare(file, &mut Vec::new())? {
                    bytes += self.write(file, change, refreshed)?;
                }
            }
            transaction.commit()?;
            refreshed.files_postponed = left.len();
        }
        Ok(())
    }

    fn compare(
        &self,
        file: &str,
        warnings: &mut Vec<String>,
    ) -> rusqlite::Result<Option<FileChange>> {
        let known = files::load(&self.database.connection, file)?;
        let Some(contents) = self.source.read(file) else {
            if known.is_none() {
                warnings.push(warning(&self.source.shown(file), "it cannot be read"));
            }
            return Ok(known.map(|(id, _)| FileChange::Remove(id)));
        };
        if let Err(problem) = &contents.text {
            warnings.push(warning(&self.source.shown(file), problem));
        }
        let stamp = contents.stamp;
        Ok(match known {
            Some((id, record)) if record.hash == contents.hash => {
                let is_news = record.stamp != stamp || is_settled(stamp, self.now);
                is_news.then_some(FileChange::Touch(id, FileRecord { stamp, ..record }))
            }
            known => Some(FileChange::Store(known.map(|(id, _)| id), contents)),
        })
    }

    /// Returns how many bytes are new.
    fn write(&self, file: &str, change: FileChange, done: &mut Refreshed) -> rusqlite::Result<i64> {
        let connection = &self.database.connection;
        let (id, contents) = match change {
            FileChange::Remove(id) => {
                done.files_removed += 1;
                return files::remove(connection, id).map(|()| 0);
            }
            FileChange::Touch(id, record) => {
                let record = FileRecord { seen: self.now, ..record };
                return files::save(connection, Some(id), file, None, &record).map(|_| 0);
            }
            FileChange::Store(id, contents) => (id, contents),
        };
        done.files_changed += 1;
        let mut known =
            id.map(|id| documents::known(connection, id)).transpose()?.unwrap_or_default();
        let Contents { stamp, hash, text } = contents;
        let (text, problem) = match text {
            Ok(text) => (text, None),
            Err(problem) => (String::new(), Some(problem.into_owned())),
        };
        let drafts = self.source.documents(file, &text, &mut known);
        let gone = known.into_gone();
        let record = FileRecord { stamp, seen: self.now, hash, problem };
        let id = files::save(connection, id, file, self.source.kind(file), &record)?;
        documents::store(connection, id, &drafts, &gone)?;
        if has_new_secret(&drafts, &gone) {
            done.holds_secret = true;
            self.database.outdate()?;
        }
        Ok(stamp.size)
    }
}

/// Tells whether more is withheld than was, and something went that may have held it.
fn has_new_secret(drafts: &[DocumentDraft], gone: &[KnownDocument]) -> bool {
    let is_withheld = |draft: &&DocumentDraft| matches!(draft, DocumentDraft::Withheld { .. });
    let withheld = drafts.iter().filter(is_withheld).count();
    let were = gone.iter().filter(|known| known.withheld).count();
    withheld > were && were < gone.len()
}
