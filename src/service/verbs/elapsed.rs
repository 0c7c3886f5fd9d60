//! Tells how long a verb took.

use std::time::Instant;

/// Returns the milliseconds since a verb began, with two digits behind the point.
pub(super) fn milliseconds(begun: Instant) -> f64 {
    (begun.elapsed().as_secs_f64() * 100_000.0).round() / 100.0
}
