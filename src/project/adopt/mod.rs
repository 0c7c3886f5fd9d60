//! Makes a store out of the notes of another tool: texts in, files of a store out, and what was not understood.

mod place;
mod renames;
mod settings;
mod yaml;

pub(crate) use place::{Places, SHARED_THERE};
pub(crate) use renames::RenamedId;
pub(crate) use renames::Renames;
pub(crate) use settings::{Translated, Understood, translate};

/// The folder in which another tool keeps its settings.
const META: &str = "meta/";

/// Where another tool keeps how its store decides, relative to its store.
pub(crate) const MANIFEST: &str = "meta/manifest.yaml";

/// Where another tool keeps what its files look like, relative to its store.
pub(crate) const SCHEMA: &str = "meta/schema.yaml";
