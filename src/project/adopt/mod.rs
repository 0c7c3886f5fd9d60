//! Makes a store out of the notes of another tool: texts in, files of a store out, and what was not understood.

mod anchors;
mod fields;
mod link_paths;
mod links;
mod origins;
mod other_tool;
mod place;
mod renames;
mod settings;

pub(crate) use fields::{GivenFields, MissingField, missing_fields, with_fields};
pub(crate) use links::{LinkRewriter, MovedNote};
pub(crate) use origins::{ORIGINS, Origins, with_origins};
pub(crate) use other_tool::{MANIFEST, SCHEMA};
pub(crate) use place::{Newcomer, NotePlaces, SHARED_THERE};
pub(crate) use renames::{IdRenames, RenamedId};
pub(crate) use settings::{Translated, Understood, translate};
