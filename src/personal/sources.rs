//! How other tools name and keep what they know of a person.

mod claude;
mod describe;
mod gemini;
mod names;

pub(crate) use claude::{LONGEST_SLUG, project_slug};
pub(crate) use describe::short_description;
pub(crate) use gemini::{AddedMemory, added_memories};
pub(crate) use names::EntryNames;
