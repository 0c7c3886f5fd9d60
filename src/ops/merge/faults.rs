//! Says what `check` has against a merged file: who is about to commit it should not learn it from CI.

use crate::check::{Content, Depth, Level, Levels, Rule, look, rulebook, settle};
use crate::store::{Layout, read_settings};

/// At most so many are told of one file; `check` lists all.
const MOST: usize = 3;

/// Returns a line for each error that the file alone shows; `path` is relative to the store. Settings that are in
/// conflict themselves count as the defaults.
pub(super) fn faults(layout: &Layout, path: &str, text: &str) -> Vec<String> {
    let (rulebook, _) = rulebook(&read_settings(layout.folder()));
    let merged = Content::Bytes(text.as_bytes().to_vec());
    let mut remarks = look(path, &merged, &rulebook, Depth::Rules).remarks;
    // Whoever merges is told of these already.
    remarks.retain(|remark| remark.rule() != Rule::ConflictMarker);
    let findings = settle(remarks, "", &Levels::default(), &rulebook.scanner);
    let errors = findings.into_iter().filter(|finding| finding.level == Level::Error);
    errors
        .take(MOST)
        .map(|finding| format!("`{path}` is merged, and `check` will fail: {}", finding.message))
        .collect()
}
