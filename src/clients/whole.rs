//! Keeps a file that is all ours: known by a mark in it, which has the hash of all the rest.

use super::block::free_lines;
use super::fault::{Fault, FaultCode};
use crate::contract::ContentHash;

/// How the line begins that says that a file is ours, before the hash.
const MARK: &str = "<!-- written by `agent-memory install agents`, anew for a new version: ";

/// Returns the file that is made of a template, in the place of an older one of ours.
pub(super) fn put(text: Option<&str>, template: &str) -> Result<String, Fault> {
    let whole = sealed(template).expect("a template has the mark");
    match text {
        // Git may have given the lines other ends.
        Some(text) if with_plain_ends(text) == whole => Ok(text.to_owned()),
        Some(text) if !is_ours(text)? => Err(Fault::new(
            FaultCode::ForeignEntry,
            "somebody else wrote a file of this name",
            "rename it or take it away, then try again; it was left as it is",
        )),
        Some(_) | None => Ok(whole),
    }
}

/// Tells whether a file is one of ours; a fault if it was one before somebody edited it.
pub(super) fn is_ours(text: &str) -> Result<bool, Fault> {
    let text = with_plain_ends(text);
    match sealed(&text) {
        None => Ok(false),
        Some(whole) if whole == text => Ok(true),
        Some(_) => Err(Fault::new(
            FaultCode::ForeignEntry,
            "somebody edited it since it was written",
            "keep the edit in another file and remove this one, then try again; it was left as it is",
        )),
    }
}

/// Returns a text with the hash in its mark that belongs there; nothing if it has no mark.
fn sealed(text: &str) -> Option<String> {
    let (at, line) = free_lines(text).find(|(_, line)| line.starts_with(MARK))?;
    let (before, after) = (&text[..at], &text[at + line.len()..]);
    let hash = ContentHash::of_section(&format!("{before}{after}"));
    Some(format!("{before}{MARK}{hash} -->{after}"))
}

fn with_plain_ends(text: &str) -> String {
    text.replace("\r\n", "\n")
}
