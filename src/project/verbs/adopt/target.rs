//! What the caller wants of an adoption, and where it happens.

use crate::project::store::{Repository, Store};

/// What the caller wants of an adoption.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::project::verbs) struct AdoptionTarget<'a> {
    pub(in crate::project::verbs) store: Option<&'a Store>,
    /// `NAME=VALUE` for required fields that entries lack.
    pub(in crate::project::verbs) fields: &'a [String],
    /// `NAME=CATEGORY` for files of the folder.
    pub(in crate::project::verbs) categories: &'a [String],
    /// The repository around the folder that the store is in.
    pub(in crate::project::verbs) repository: Option<&'a Repository>,
    pub(in crate::project::verbs) today: &'a str,
}
