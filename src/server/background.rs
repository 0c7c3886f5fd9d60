//! Works behind the answers of the memory service: enriches memories, notes what was read, empties the trash.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::service::verbs::{ServiceSessions, sweep, work};

/// Pause between two looks for due jobs.
const PAUSE: Duration = Duration::from_secs(1);

/// After how many pauses the trash is looked through: an hour.
const PAUSES_UNTIL_SWEEP: u32 = 3_600;

/// How long shutdown may spend on due jobs; the next process does the rest.
const AT_END: Duration = Duration::from_secs(1);

/// The thread that works while a server runs.
pub(super) struct Background {
    sessions: ServiceSessions,
    /// Dropped with this value, which ends the thread.
    _running: Sender<()>,
    /// Held while the last work is done, so that it is done once at a time.
    last: Mutex<()>,
}

impl Background {
    pub(super) fn start(sessions: ServiceSessions) -> Self {
        let (running, ends) = channel::<()>();
        let own = ServiceSessions::clone(&sessions);
        thread::spawn(move || {
            let mut pauses = 0_u32;
            loop {
                if pauses.is_multiple_of(PAUSES_UNTIL_SWEEP) {
                    // A failure is that of the database, and the next call tells it.
                    let _ = own().and_then(|session| sweep(&session.store, session.now));
                }
                pauses = pauses.wrapping_add(1);
                let Err(RecvTimeoutError::Timeout) = ends.recv_timeout(PAUSE) else { return };
                work_all(&own, Duration::MAX);
            }
        });
        Self { sessions, _running: running, last: Mutex::default() }
    }

    /// Does what is still due, once more.
    pub(super) fn finish(&self) {
        let _one = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        work_all(&self.sessions, AT_END);
    }
}

/// Works until nothing is due, or the time is over.
fn work_all(sessions: &ServiceSessions, time: Duration) {
    let begun = Instant::now();
    let once = || sessions().and_then(|session| work(&session.store, session.now));
    while begun.elapsed() < time && once().is_ok_and(|count| count > 0) {}
}
