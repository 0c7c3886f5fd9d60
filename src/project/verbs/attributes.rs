//! `.gitattributes` of a store: line ends, merging and diffs by section.

use crate::contract::FileState;
use crate::error::Result;
use crate::project::store::{Step, Store};
use crate::project::upgrade::{ATTRIBUTES, renewed_attributes};

pub(super) const PATH: &str = ATTRIBUTES;

/// Equal line ends on every machine keep hashes equal; diffs name the section. What was adopted is one line a note, of
/// which two branches may add some each.
pub(super) const DEFAULT: &str = "\
*.md text eol=lf diff=agent-memory merge=agent-memory
adopted.jsonl text eol=lf merge=union
rejections/*.toml text eol=lf
schemas/*.toml text eol=lf
";

/// Returns the step that updates the file of an earlier version.
pub(super) fn renewal(store: &Store) -> Result<Option<Step>> {
    let FileState::Text(text) = store.read_any(PATH)? else { return Ok(None) };
    Ok(renewed_attributes(&text).map(|renewed| Step::write(PATH, Some(&text), renewed)))
}
