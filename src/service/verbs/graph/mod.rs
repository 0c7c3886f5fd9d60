//! Shows memories as a graph.
//!
//! - `snapshot`: the most important memories, and the relations among them
//! - `neighbors`: what is around one memory
//! - `totals`: numbers, types and colours

mod neighbors;
mod snapshot;
mod totals;

pub use neighbors::graph_neighbors;
pub use snapshot::graph_snapshot;
pub use totals::{graph_relations, graph_stats, graph_types};
