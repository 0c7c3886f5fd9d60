//! The questions of a review, and the help about its keys.

use super::terminal::{self, PressedKey};
use crate::cli::columns::wrap;
use crate::error::Result;
use crate::project::request::Reason;

const KEYS: [(char, &str); 14] = [
    ('a', "apply what is shown"),
    ('r', "reject it, with a reason"),
    ('s', "split: take only a part"),
    ('e', "edit the text before it is applied"),
    ('d', "all of the difference, in the pager"),
    ('t', "the whole text as it would be, in the pager"),
    ('w', "why: the lines that are cited"),
    ('A', "apply all with these files or this intent"),
    ('R', "reject all with these files or this intent"),
    ('u', "undo the last decision"),
    ('f', "apply although it expired or the text changed"),
    ('b', "bring it up to today's text"),
    ('k', "keep it for later"),
    ('q', "quit; what was decided stays so"),
];

/// What the keys of one proposal are, and what the first of them do.
struct Offered {
    words: &'static str,
    /// The keys that decide; all others work at every proposal.
    keys: &'static str,
}

/// Finds the keys that work; `reason` is why the proposal cannot be applied.
fn offered(reason: Option<Reason>) -> Offered {
    let (words, keys) = match reason {
        Some(Reason::TargetDrift) => ("b merges, f overwrites, r rejects ", "b,f,r,s,e"),
        Some(Reason::StagingExpired) => ("f applies it all the same, r rejects ", "f,r,s,e"),
        // Another section or file has the name by now.
        Some(Reason::DuplicateSectionId | Reason::FileExists) => {
            ("b merges, r rejects, k skips ", "b,r,s,e")
        }
        _ => ("a applies, r rejects, k skips ", "a,r,s,e"),
    };
    Offered { words, keys }
}

/// Asks about a proposal; `reason` is why it cannot be applied. A key that applies or merges is named by the question, or
/// is none. Where `a` cannot apply it, that says why.
pub(super) fn ask_decision(reason: Option<Reason>) -> Result<PressedKey> {
    let Offered { words, keys } = offered(reason);
    let words = if terminal::size().0 < 80 { "" } else { words };
    let key = terminal::key(&format!("{words}[{keys},d,t,w,A,R,u,k,q,Enter,?]"))?;
    Ok(match key {
        PressedKey::Char(letter @ ('b' | 'f')) if !keys.contains(letter) => PressedKey::Other,
        key => key,
    })
}

/// The question for the reason of a decision.
pub(super) fn why(question: &str) -> String {
    format!("Enter alone gives no reason, Esc goes back. {question}")
}

pub(super) const AT_THE_END: &str =
    "That was the last one: u undoes the last decision, Enter or q ends [u,q]";

pub(super) fn help() -> String {
    let (columns, _) = terminal::size();
    let line = |(key, words): (char, &str)| {
        let words = wrap(words, columns.saturating_sub(5)).replace('\n', "\n   ");
        format!("  {key}  {words}\n")
    };
    let keys: String = KEYS.into_iter().map(line).collect();
    keys + "  Enter shows the proposal again\n"
}
