//! Tells when memories are consolidated.

use crate::service::request::{ConsolidateStatus, NextRuns};

/// Seconds between two looks for due jobs of enrichment.
const TICK: u64 = 1;

/// Answers `GET /consolidate/status`. Relevance is computed in each answer, and all else is done when it is asked for: so
/// no step has a time, and no run is kept.
pub fn consolidate_status() -> ConsolidateStatus {
    ConsolidateStatus {
        status: "success",
        next_runs: NextRuns {
            decay: "Always: computed in each answer",
            creative: "On request",
            cluster: "On request",
            forget: "Disabled",
            identity: "Disabled",
        },
        history: Vec::new(),
        thread_alive: true,
        tick_seconds: TICK,
    }
}
