//! Erases what was deleted long ago, while a server runs.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::longterm::verbs::LongtermHost;

/// How often the trash is looked through.
const SWEEP: Duration = Duration::from_secs(3_600);

/// The thread that empties the trash while a server runs; it ends when this value is dropped.
pub(super) struct Sweeper {
    _running: Sender<()>,
}

impl Sweeper {
    pub(super) fn start(longterm: Arc<LongtermHost>) -> Self {
        let (running, ends) = channel::<()>();
        thread::spawn(move || {
            loop {
                // A failure is that of the database, and the next call tells it.
                let _ = longterm.sweep();
                let Err(RecvTimeoutError::Timeout) = ends.recv_timeout(SWEEP) else { return };
            }
        });
        Self { _running: running }
    }
}
