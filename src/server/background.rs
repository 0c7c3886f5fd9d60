//! Works behind the answers of the memory service: enriches memories, notes what was read, empties the trash.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::repeated::{Repeated, SWEEP};
use crate::service::verbs::{ServiceSessions, sweep, work};

/// Pause before due jobs are looked for again.
const PAUSE: Duration = Duration::from_secs(1);

/// How long shutdown may spend on due jobs; the next process does the rest.
const AT_END: Duration = Duration::from_secs(1);

/// The threads that work while a server runs; they end when this value is dropped.
pub(super) struct Background {
    sessions: ServiceSessions,
    _works: Repeated,
    _sweeps: Repeated,
    /// Held while the last work is done, so that it is done once at a time.
    last: Mutex<()>,
}

impl Background {
    pub(super) fn start(sessions: ServiceSessions) -> Self {
        let own = ServiceSessions::clone(&sessions);
        let works = Repeated::start(PAUSE, move || work_all(&own, Duration::MAX));
        let own = ServiceSessions::clone(&sessions);
        let sweeps = Repeated::start(SWEEP, move || {
            // A failure is that of the database, and the next call tells it.
            let _ = own().and_then(|session| sweep(&session.store, session.now));
        });
        Self { sessions, _works: works, _sweeps: sweeps, last: Mutex::default() }
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
