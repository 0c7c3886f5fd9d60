//! Limits the time that git may take in one command.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Microseconds for a command that should answer at once.
const SHORT: u64 = 10_000_000;

/// Microseconds for a command that may read the whole history.
const LONG: u64 = 60_000_000;

/// Microseconds for a fetch over a slow network.
const LONGEST: u64 = 600_000_000;

/// The time that all git calls of one command share; a clone is the same time. Time outside of git does not count.
#[derive(Debug, Clone)]
pub struct GitTime {
    allowed: Arc<AtomicU64>,
    spent: Arc<AtomicU64>,
}

impl Default for GitTime {
    fn default() -> Self {
        Self { allowed: Arc::new(AtomicU64::new(SHORT)), spent: Arc::default() }
    }
}

impl GitTime {
    /// Resets the time, for the next of several requests.
    pub(crate) fn begin_anew(&self) {
        self.spent.store(0, Ordering::Relaxed);
    }

    /// Allows 60 seconds instead of 10.
    pub(crate) fn allow_a_minute(&self) {
        self.allowed.store(LONG, Ordering::Relaxed);
    }

    pub(super) fn allow_ten_minutes(&self) {
        self.allowed.store(LONGEST, Ordering::Relaxed);
    }

    pub(super) fn spend(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.spent.fetch_add(micros, Ordering::Relaxed);
    }

    pub(super) fn left(&self) -> Duration {
        self.allowed().saturating_sub(Duration::from_micros(self.spent.load(Ordering::Relaxed)))
    }

    pub(super) fn allowed(&self) -> Duration {
        Duration::from_micros(self.allowed.load(Ordering::Relaxed))
    }
}
