//! Reports what `check` finds in a merged file, before CI does.

use std::collections::BTreeSet;

use crate::project::check::{
    Content, Depth, Level, Levels, Rule, Rulebook, check_file, rulebook, settle,
};
use crate::project::merge::Sides;
use crate::project::store::{Layout, read_settings};

/// The largest number of lines for all files.
const MOST: usize = 10;

pub(super) struct MergeCheck {
    rulebook: Rulebook,
    told: usize,
}

impl MergeCheck {
    /// Reads the settings of a store; where those are in conflict, the defaults apply.
    pub(super) fn at(layout: &Layout) -> Self {
        Self::by(rulebook(&read_settings(layout.folder())).0)
    }

    pub(super) fn by(rulebook: Rulebook) -> Self {
        Self { rulebook, told: 0 }
    }

    /// Returns a line for each error that no side had before; `path` is relative to the store.
    pub(super) fn brought_in(&mut self, path: &str, merged: &str, sides: Sides<'_>) -> Vec<String> {
        if self.told == MOST {
            return Vec::new();
        }
        let mut found = self.errors(path, merged);
        if !found.is_empty() {
            for side in [sides.base, sides.ours, sides.theirs] {
                let known = self.errors(path, side);
                found.retain(|error| !known.contains(error));
            }
        }
        let lines = found.into_iter().take(MOST - self.told);
        let lines: Vec<String> = lines
            .map(|message| format!("`{path}` is merged, and `check` will fail: {message}"))
            .collect();
        self.told += lines.len();
        lines
    }

    fn errors(&self, path: &str, text: &str) -> BTreeSet<String> {
        let content = Content::Bytes(text.as_bytes().to_vec());
        let mut remarks = check_file(path, &content, &self.rulebook, Depth::Rules).remarks;
        // Conflicts are reported already.
        remarks.retain(|remark| remark.rule() != Rule::ConflictMarker);
        let findings = settle(remarks, "".into(), &Levels::default(), &self.rulebook.scanner);
        let errors = findings.into_iter().filter(|finding| finding.level == Level::Error);
        errors.map(|finding| finding.message).collect()
    }
}
