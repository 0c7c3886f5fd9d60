//! Consolidates memories: tells how relevant they are, what they have in common, and what belongs together. What was said
//! stays as it is; only relations that machines find are kept.
//!
//! - `steps`: does the steps of a mode
//! - `decay`: how relevant memories are now
//! - `creative`: pairs that have something in common
//! - `cluster`: groups
//! - `status`: when each step is done

mod cluster;
mod creative;
mod decay;
mod status;
mod steps;

pub use status::consolidate_status;
pub use steps::consolidate;
