//! Checks the files of a store by rules with stable codes: bytes in, findings out.
//!
//! `look` reads one file and knows nothing of the others, so that files can be looked at side by side;
//! `across` compares what it kept of all of them with each other and with the repository;
//! `settle` gives each finding its level and the name by which it is known again.

mod across;
mod file;
mod finding;
pub mod format;
mod links;
mod reach;
mod rule;
mod sections;
mod settings;
mod text;

use crate::contract::is_aside;
pub(crate) use across::{Change, Ground, across};
pub(crate) use file::{Content, Depth, Looked, Note, look};
pub(crate) use finding::{Finding, Remark, brought_in, settle};
pub(crate) use links::{LinkTarget, link_targets};
pub(crate) use reach::Reach;
pub use rule::Rule;
pub(crate) use rule::{Level, Levels};
pub(crate) use settings::{Rulebook, is_setting, rulebook};

/// Tells whether a file of the store is Markdown that people and agents keep knowledge in.
fn is_memory(path: &str) -> bool {
    path.ends_with(".md") && !is_hidden(path) && !is_aside(path)
}

fn is_hidden(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with('.'))
}
