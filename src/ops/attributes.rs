//! `.gitattributes` of a store: line ends, merging and diffs by section.

use crate::error::Result;
use crate::pipeline::FileState;
use crate::store::{Step, Store};

/// Where it is, relative to the store.
pub(super) const PATH: &str = ".gitattributes";

/// Line ends stay the same on every machine, so that hashes do; diffs name the section.
pub(super) const DEFAULT: &str = "*.md text eol=lf diff=agent-memory merge=agent-memory\nrejections/*.toml text eol=lf merge=agent-memory\nschemas/*.toml text eol=lf\n";

/// What lines of ours ended in before diffs had a name of their own.
const FORMER: &str = "diff=markdown merge=agent-memory";

const NOW: &str = "diff=agent-memory merge=agent-memory";

/// The line about rejections before they merged.
const FORMER_REJECTIONS: &str = "rejections/*.toml text eol=lf";

/// Returns the step that brings the attributes of a store up to date that was made by an earlier version.
pub(super) fn renewal(store: &Store) -> Result<Option<Step>> {
    let FileState::Text(text) = store.read_any(PATH)? else { return Ok(None) };
    let renew = |line: &str| match line.trim_end() {
        FORMER_REJECTIONS => {
            let now = format!("{FORMER_REJECTIONS} merge=agent-memory");
            line.replace(FORMER_REJECTIONS, &now)
        }
        _ => line.replace(FORMER, NOW),
    };
    let renewed: String = text.split_inclusive('\n').map(renew).collect();
    Ok((renewed != text).then(|| Step::write(PATH, Some(&text), renewed)))
}
