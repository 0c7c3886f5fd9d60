//! How long git may take in all, while one command runs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long it may take where a command is to answer at once.
const SHORT: u64 = 10_000;

/// The time that the calls of one command share. Only time that is spent in git counts.
#[derive(Debug)]
pub(super) struct Budget {
    allowed: AtomicU64,
    spent: AtomicU64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { allowed: AtomicU64::new(SHORT), spent: AtomicU64::new(0) }
    }
}

impl Budget {
    /// Allows another time in all.
    pub(super) fn allow(&self, time: Duration) {
        self.allowed.store(milliseconds(time), Ordering::Relaxed);
    }

    /// Notes what a call took.
    pub(super) fn spend(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.spent.fetch_add(micros, Ordering::Relaxed);
    }

    /// Returns what is left.
    pub(super) fn left(&self) -> Duration {
        self.allowed().saturating_sub(Duration::from_micros(self.spent.load(Ordering::Relaxed)))
    }

    /// Returns what is allowed in all.
    pub(super) fn allowed(&self) -> Duration {
        Duration::from_millis(self.allowed.load(Ordering::Relaxed))
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
