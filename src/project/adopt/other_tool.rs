//! Where another tool keeps its settings, relative to its store.

pub(super) const META: &str = "meta/";

/// How its store decides.
pub(crate) const MANIFEST: &str = "meta/manifest.yaml";

/// What its files look like.
pub(crate) const SCHEMA: &str = "meta/schema.yaml";
