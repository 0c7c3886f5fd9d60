//! How long git may take in all while one command runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long it may take where a command is to answer at once, in microseconds.
const SHORT: u64 = 10_000_000;

/// How long it may take where the whole past may have to be read, in microseconds.
const LONG: u64 = 60_000_000;

/// The time that the calls of git share in one command, whatever stores it opens: a copy is the same time. What is spent
/// outside of git does not count.
#[derive(Debug, Clone)]
pub struct GitTime(Arc<Micros>);

#[derive(Debug)]
struct Micros {
    allowed: AtomicU64,
    spent: AtomicU64,
}

impl Default for GitTime {
    fn default() -> Self {
        Self(Arc::new(Micros { allowed: AtomicU64::new(SHORT), spent: AtomicU64::new(0) }))
    }
}

impl GitTime {
    /// Begins anew, for the next of several that are asked for at once.
    pub fn begin_anew(&self) {
        self.0.spent.store(0, Ordering::Relaxed);
    }

    /// Allows a minute in all, and not ten seconds.
    pub fn allow_a_minute(&self) {
        self.0.allowed.store(LONG, Ordering::Relaxed);
    }

    /// Notes what a call took.
    pub(super) fn spend(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.0.spent.fetch_add(micros, Ordering::Relaxed);
    }

    /// Returns what is left.
    pub(super) fn left(&self) -> Duration {
        self.allowed().saturating_sub(Duration::from_micros(self.0.spent.load(Ordering::Relaxed)))
    }

    /// Returns what is allowed in all.
    pub(super) fn allowed(&self) -> Duration {
        Duration::from_micros(self.0.allowed.load(Ordering::Relaxed))
    }
}
