//! Decides whether a call may change a memory, in the order of the rules. Pure: the store reads the facts in the same
//! transaction in which it writes.

mod content;
mod create;
mod rules;
mod target;
#[cfg(test)]
mod tests;
mod update;

pub(crate) use content::content_to_store;
pub(crate) use create::decide_create;
pub(crate) use rules::VerdictRules;
pub(crate) use update::{AllowedChange, decide_update};
