//! What each fuzz target does with its bytes, and what must hold afterwards.
//!
//! The first four ask engines, which take bytes and give values. The others need a store: staged
//! folders, log, journal and index are read behind [`agent_memory::project::verbs`] only, so a small store in a
//! temporary folder is asked the way a command asks it.

mod corridor;
mod engines;
mod service;
mod stage;
mod store;

pub use corridor::request;
pub use engines::{config, markdown, schema};
pub use service::{service_body, service_query};
pub use store::{git_config, journal, log, proposal, query, state};

/// Reads a text; what is not UTF-8 is refused before any of these sees it.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}
