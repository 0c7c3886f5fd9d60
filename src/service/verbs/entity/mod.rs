//! Tells what memories name, and makes one entity of two.
//!
//! - `listing`: which entities there are
//! - `merging`: which may be the same, and which are from now on
//! - `audit`: what is doubtful about them

mod audit;
mod listing;
mod merging;

pub use audit::entity_audit;
pub use listing::{entities, entity};
pub use merging::{merge_candidates, merge_entity};
