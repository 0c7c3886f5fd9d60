//! `.gitattributes` of a store: line ends, merging and diffs by section.

use crate::error::Result;
use crate::pipeline::FileState;
use crate::store::{Step, Store};

/// Where it is, relative to the store.
pub(super) const PATH: &str = ".gitattributes";

/// Line ends stay the same on every machine, so that hashes do; diffs name the section; GitHub and GitLab fold what
/// is generated.
pub(super) const DEFAULT: &str = "\
*.md text eol=lf diff=agent-memory merge=agent-memory
index.md linguist-generated gitlab-generated
rejections/*.toml text eol=lf
schemas/*.toml text eol=lf
";

/// What lines of ours ended in before diffs had a name of their own.
const FORMER: &str = "diff=markdown merge=agent-memory";

const NOW: &str = "diff=agent-memory merge=agent-memory";

/// Returns the step that gives diffs their name in a store that was made before they had one.
pub(super) fn renewal(store: &Store) -> Result<Option<Step>> {
    let FileState::Text(text) = store.read_any(PATH)? else { return Ok(None) };
    let renewed = text.replace(FORMER, NOW);
    Ok((renewed != text).then(|| Step::write(PATH, Some(&text), renewed)))
}
