//! Writes a file that is all ours: a mark in it holds the hash of the rest.

use super::block::free_lines;
use super::fault::{Fault, FaultCode};
use crate::contract::ContentHash;

/// The line with the hash begins so.
const MARK: &str = "<!-- written by `agent-memory install agents`, anew for a new version: ";

/// Returns the new file, or a fault if the old one is not ours.
pub(super) fn insert(text: Option<&str>, template: &str) -> Result<String, Fault> {
    let whole = with_hash(template).expect("a template has the mark");
    match text {
        // Git may have changed the line ends.
        Some(text) if with_plain_ends(text) == whole => Ok(text.to_owned()),
        Some(text) if !is_ours(text)? => Err(Fault::new(
            FaultCode::ForeignEntry,
            "another program wrote a file of this name",
            "rename it or take it away, then try again; it was left as it is",
        )),
        Some(_) | None => Ok(whole),
    }
}

/// Returns a fault if the file was ours and has been edited.
pub(super) fn is_ours(text: &str) -> Result<bool, Fault> {
    let text = with_plain_ends(text);
    match with_hash(&text) {
        None => Ok(false),
        Some(whole) if whole == text => Ok(true),
        Some(_) => Err(Fault::new(
            FaultCode::ForeignEntry,
            "it was edited since it was written",
            "keep the edit in another file and remove this one, then try again; it was left as it is",
        )),
    }
}

/// Writes the right hash into the mark; nothing if the text has no mark.
fn with_hash(text: &str) -> Option<String> {
    let (at, line) = free_lines(text).find(|(_, line)| line.starts_with(MARK))?;
    let (before, after) = (&text[..at], &text[at + line.len()..]);
    let hash = ContentHash::of_section(&format!("{before}{after}"));
    Some(format!("{before}{MARK}{hash} -->{after}"))
}

fn with_plain_ends(text: &str) -> String {
    text.replace("\r\n", "\n")
}
