//! Reads the request of a decided proposal, which `decided/` keeps, and compares it with the files.

use crate::project::pipeline::Submission;
use crate::project::request::{Intent, Operation, ProposalId, Request};
use crate::project::schema::Catalog;

/// Reads a kept proposal; none where it cannot be read: git may bring anything.
pub(super) fn kept_request(text: &str, id: &ProposalId) -> Option<Request> {
    let kept: serde_json::Value = serde_json::from_str(text).ok()?;
    let request = kept["request"].to_string().into_bytes();
    // The day names files of a day alone, which no decision is about.
    let read = Submission::new(request, id.submitted_at()?, String::new()).parse().ok()?;
    Some(read.request().clone())
}

/// Tells whether what an operation wrote may stand in a file now: `doctor --split` gives entries files of their own.
pub(super) fn may_hold(
    catalog: &Catalog,
    intent: Intent,
    operation: &Operation,
    path: &str,
) -> bool {
    let owner = catalog.owner_of(path).filter(|owner| !owner.write_once);
    match operation.path.as_ref().map(|path| path.as_str()) {
        Some(named) if named == path => true,
        Some(named) => owner.is_some_and(|owner| {
            let was_shared = owner.paths.shared_files().any(|shared| shared == named);
            was_shared && owner.paths.is_record(path)
        }),
        None => owner.is_some_and(|owner| owner.intents.contains(&intent)),
    }
}

/// Returns the lines that are compared: the levels of headings and the comments below them change as a text is written.
pub(super) fn compared_lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(|line| line.trim().trim_start_matches('#').trim_start());
    lines.filter(|line| !line.is_empty() && !line.starts_with("<!-- @"))
}
