//! Changes the database, one change after the other, and makes those durable together that came while the disk was busy.
//!
//! One thread changes. It takes every change that is pending, carries each out on its own (one that fails takes back
//! nothing of the others), and commits them with one sync. Only then each is answered.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

use rusqlite::Connection;

use super::connection::open;
use super::log_limit::LogLimit;
use crate::error::{Error, ErrorKind, Result};

/// Changes of one commit at most: the first is answered only after the last has run.
const CHANGES_PER_SYNC: usize = 256;

#[derive(Debug)]
pub(super) struct Writer {
    changes: Mutex<Option<Sender<WriterTask>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// What the thread that changes is asked to do.
enum WriterTask {
    Change(Box<dyn QueuedChange>),
    /// To copy the write-ahead log into the file and to empty it; the answer tells whether it is empty.
    EmptyLog(SyncSender<bool>),
}

/// A change of the database that is pending.
trait QueuedChange: Send {
    /// Carries it out; tells whether it is to stay.
    fn carry_out(&mut self, connection: &Connection) -> bool;
    /// Answers it, when it is durable or has failed.
    fn answer(self: Box<Self>, committed: std::result::Result<(), &str>);
}

struct PendingChange<T, F> {
    work: Option<F>,
    /// Tells whether an answer is one after which the change stays.
    stays: fn(&T) -> bool,
    result: Option<Result<T>>,
    reply: SyncSender<Result<T>>,
}

impl<T, F> QueuedChange for PendingChange<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<T> + Send,
{
    fn carry_out(&mut self, connection: &Connection) -> bool {
        let Some(work) = self.work.take() else { return false };
        let done = catch_unwind(AssertUnwindSafe(|| work(connection)));
        let result = done.unwrap_or_else(|_| Err(bug()));
        let stays = result.as_ref().is_ok_and(self.stays);
        self.result = Some(result);
        stays
    }

    fn answer(self: Box<Self>, committed: std::result::Result<(), &str>) {
        let failed = |why: &str| Error::new(ErrorKind::DatabaseFailed, why).hint(NOT_WRITTEN);
        let result = match (self.result, committed) {
            (Some(Err(error)), _) => Err(error),
            (Some(Ok(answer)), Ok(())) => Ok(answer),
            (Some(Ok(_)) | None, Err(why)) => Err(failed(why)),
            (None, Ok(())) => Err(bug()),
        };
        // The caller may have gone.
        let _ = self.reply.send(result);
    }
}

const NOT_WRITTEN: &str = "nothing was written; free some space if the disk is full, and try again";

fn bug() -> Error {
    Error::new(ErrorKind::Bug, "a bug in agent-memory; nothing half done is visible")
}

impl Writer {
    pub(super) fn start(path: &Path) -> Result<Self> {
        let (connection, log) = (open(path)?, LogLimit::new(path));
        let (changes, pending) = channel();
        let thread = Builder::new().name("database".to_owned());
        let run = move || carry_out_all(&connection, log, &pending);
        let thread = thread.spawn(run).map_err(|cause| {
            Error::new(ErrorKind::Io, "could not start a thread").because(cause)
        })?;
        Ok(Self { changes: Mutex::new(Some(changes)), thread: Mutex::new(Some(thread)) })
    }

    /// Makes a change, and returns when it is durable; one whose answer does not `stay` is taken back.
    pub(super) fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
        stays: fn(&T) -> bool,
    ) -> Result<T> {
        let (reply, answer) = sync_channel(1);
        let change = PendingChange { work: Some(work), stays, result: None, reply };
        self.ask(WriterTask::Change(Box::new(change)))?;
        answer.recv().map_err(|_| bug())?
    }

    /// Empties the write-ahead log behind all changes that are pending; tells whether it is empty.
    pub(super) fn empty_log(&self) -> Result<bool> {
        let (reply, answer) = sync_channel(1);
        self.ask(WriterTask::EmptyLog(reply))?;
        answer.recv().map_err(|_| bug())
    }

    fn ask(&self, task: WriterTask) -> Result<()> {
        let changes = self.changes.lock().map_err(|_| bug())?;
        changes.as_ref().ok_or_else(bug)?.send(task).map_err(|_| bug())
    }
}

impl Drop for Writer {
    /// Waits for the changes that are pending.
    fn drop(&mut self) {
        if let Ok(changes) = self.changes.get_mut() {
            drop(changes.take());
        }
        let thread = self.thread.get_mut().ok().and_then(Option::take);
        let _ = thread.map(JoinHandle::join);
    }
}

fn carry_out_all(connection: &Connection, mut log: LogLimit, pending: &Receiver<WriterTask>) {
    while let Ok(first) = pending.recv() {
        let (mut changes, mut emptied) = (Vec::new(), Vec::new());
        let more = pending.try_iter().take(CHANGES_PER_SYNC - 1);
        for task in std::iter::once(first).chain(more) {
            match task {
                WriterTask::Change(change) => changes.push(change),
                WriterTask::EmptyLog(reply) => emptied.push(reply),
            }
        }
        if !changes.is_empty() {
            let committed = carry_out(connection, &mut changes);
            let told = committed.as_ref().copied().map_err(String::as_str);
            changes.into_iter().for_each(|change| change.answer(told));
        }
        if emptied.is_empty() {
            log.keep(connection);
            continue;
        }
        let is_empty = log.empty(connection);
        // A caller may have gone.
        for reply in emptied {
            let _ = reply.send(is_empty);
        }
    }
}

/// Carries out some changes, and commits those that do not fail; says why, if none is written.
fn carry_out(
    connection: &Connection,
    changes: &mut [Box<dyn QueuedChange>],
) -> std::result::Result<(), String> {
    let told = |cause: rusqlite::Error| Error::from(cause).to_string();
    connection.execute_batch("BEGIN IMMEDIATE").map_err(told)?;
    let run = || -> rusqlite::Result<()> {
        let mut savepoint = connection.prepare_cached("SAVEPOINT one")?;
        let mut keep = connection.prepare_cached("RELEASE one")?;
        let mut take_back = connection.prepare_cached("ROLLBACK TO one")?;
        for change in changes {
            savepoint.execute([])?;
            if !change.carry_out(connection) {
                take_back.execute([])?;
            }
            keep.execute([])?;
        }
        connection.execute_batch("COMMIT")
    };
    run().map_err(|cause| {
        // After a full disk SQLite may have rolled back by itself.
        if !connection.is_autocommit() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        told(cause)
    })
}
