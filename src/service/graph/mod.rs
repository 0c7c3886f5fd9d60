//! How memories and relations are drawn as a graph.
//!
//! - `colors_table`: the colours
//! - `drawing`: nodes and edges

mod colors_table;
mod drawing;

pub(crate) use colors_table::{listed_types, relation_colors, type_color, type_colors};
pub(crate) use drawing::{edge, node};
