//! Makes a store out of the notes of another tool: texts in, files of a store out, and what was not understood.

mod other_tool;
mod place;
mod renames;
mod settings;

pub(crate) use other_tool::{MANIFEST, SCHEMA};
pub(crate) use place::{NotePlaces, SHARED_THERE};
pub(crate) use renames::{IdRenames, RenamedId};
pub(crate) use settings::{Translated, Understood, translate};
