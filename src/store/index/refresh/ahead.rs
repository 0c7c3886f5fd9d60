//! Writes what files are about to hold while they are written, so that little is left to do once they are.
//!
//! It stands in a transaction that is open, where nobody sees it, and ends with a refresh like any other: what the
//! files hold by then is what counts, whatever was expected.

use std::time::Duration;

use rusqlite::Transaction;

use super::{Refreshed, Run, index_all, memories};
use crate::contract::ContentHash;
use crate::error::Result;
use crate::markdown::Outline;
use crate::store::index::database::PATIENCE;
use crate::store::index::failure::is_busy;
use crate::store::index::gate::Held;
use crate::store::index::listing::{Contents, is_memory};
use crate::store::index::{Index, Source, records};

/// What the index has written of files before anybody knows that they were; dropped, it is taken back. Until then no
/// other process writes to the index.
#[derive(Debug)]
#[must_use = "call `arrive` once the files are written"]
pub struct Ahead<'i> {
    index: &'i Index,
    transaction: Option<Transaction<'i>>,
    /// The file system's time before any of the files was read.
    now: i64,
    /// Whether nothing went wrong with the database.
    is_sound: bool,
    _held: Held<'i>,
}

impl Index {
    /// Writes what files are about to hold, each a path, its sections and the hash of its text; nothing where somebody
    /// would have to be waited for, or where something is wrong, of which whoever asks next is told.
    pub fn get_ahead<'t>(
        &self,
        source: &Source<'_>,
        texts: impl Iterator<Item = (&'t str, (Outline<'t>, &'t ContentHash))>,
    ) -> Option<Ahead<'_>> {
        let gate = self.gate.as_ref().filter(|_| self.digest == source.digest())?;
        let _held = gate.share_now().filter(|_| self.is_in_place())?;
        let now = gate.unseal().ok()?;
        let mut ahead = Ahead { index: self, transaction: None, now, is_sound: true, _held };
        match ahead.write(source, texts) {
            Ok(is_written) => is_written.then_some(ahead),
            Err(cause) => {
                ahead.is_sound = is_busy(&cause);
                None
            }
        }
    }
}

impl Ahead<'_> {
    /// Tells whether it was written; not where the database is to be made anew for it.
    fn write<'t>(
        &mut self,
        source: &Source<'_>,
        texts: impl Iterator<Item = (&'t str, (Outline<'t>, &'t ContentHash))>,
    ) -> rusqlite::Result<bool> {
        let connection = &self.index.connection;
        connection.busy_timeout(Duration::ZERO)?;
        let begun = self.index.begin();
        connection.busy_timeout(PATIENCE)?;
        let transaction = self.transaction.insert(begun?);
        let run = Run { source, now: self.now };
        for (path, (outline, hash)) in texts.filter(|(path, _)| is_memory(path)) {
            let record = records::load(transaction, path)?;
            if let Some(look) =
                run.compare(transaction, path, record, Contents::of(outline.text(), hash))?
            {
                let step = run.step(look, Some(&outline));
                if step.is_regretted() {
                    return Ok(false);
                }
                run.write_step(transaction, &step)?;
            }
        }
        // What is sorted into the words by now need not be when it is committed.
        let flush = "INSERT INTO words(words) VALUES('flush')";
        transaction.prepare_cached(flush)?.execute([]).map(|_| true)
    }

    /// Brings the index up to date with files, among them those that were expected.
    pub fn arrive(mut self, source: &Source<'_>, paths: &[String]) -> Result<Refreshed> {
        let run = Run { source, now: self.now };
        let open = self.transaction.take();
        let refreshed =
            index_all(&run, (self.index, open), (&memories(paths), Refreshed::default()));
        self.is_sound = refreshed.is_ok();
        refreshed
    }
}

impl Drop for Ahead<'_> {
    fn drop(&mut self) {
        drop(self.transaction.take());
        // Otherwise the next one reads it through.
        if self.is_sound {
            self.index.seal();
        }
    }
}
