//! `path`: where a person's memory lies.

use schemars::JsonSchema;
use serde::Serialize;

use super::session::{EntryAnswer, PersonalSession};
use super::stop::answered;

/// The folder of a person's memory.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct PersonalPath {
    /// The whole path; the folder is made by the first entry.
    pub(crate) path: String,
}

/// Names the person's folder, which may be missing.
pub(crate) fn path(session: &PersonalSession) -> EntryAnswer<PersonalPath> {
    answered(|| {
        let path = session.path(session.user()?);
        Ok(PersonalPath { path: path.display().to_string() })
    })
}
