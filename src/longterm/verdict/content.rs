//! What a content may be.

use crate::longterm::placeholders::sanitized;
use crate::longterm::request::{Denial, FailedStatus};
use crate::secrets::Scanner;
use crate::text::find_hidden;

/// UTF-16 units of a content at most.
const LONGEST: usize = 1_000;

/// Bytes of a text that may still be short enough once its braces are gone.
const WORTH_SANITISING: usize = 8 * LONGEST;

/// Returns a content as it is stored; an empty one where nothing is left.
pub(super) fn settled(given: &str) -> String {
    let given = given.trim();
    if given.len() > WORTH_SANITISING { given.to_owned() } else { sanitized(given) }
}

/// Returns a content as it is stored, unless it is empty, too long, or must not stay.
pub(crate) fn content_to_store(given: &str, scanner: &Scanner) -> Result<String, Denial> {
    let content = settled(given);
    if content.is_empty() {
        let message = "the content is empty; write what is to be remembered";
        return Err(Denial::new(FailedStatus::InvalidContent, message).because("empty"));
    }
    check(&content, scanner)?;
    Ok(content)
}

/// Refuses what is too long, or must not stay.
pub(super) fn check(content: &str, scanner: &Scanner) -> Result<(), Denial> {
    let denied =
        |reason, message| Err(Denial::new(FailedStatus::InvalidContent, message).because(reason));
    let length = content.encode_utf16().count();
    if length > LONGEST {
        let message =
            format!("the content has {length} characters, allowed are {LONGEST}; shorten it");
        return denied("too_large", message);
    }
    if let Some(hidden) = find_hidden(content) {
        let message =
            format!("{}; write only what a person can see", hidden.told_in("the content"));
        return denied("hidden_characters", message);
    }
    if let Some(found) = scanner.scan(content).first() {
        let message =
            format!("the content has what looks like a secret (`{}`); leave it out", found.rule);
        return denied("secret_detected", message);
    }
    Ok(())
}
