//! The questions of a review, and the help about its keys.

use super::terminal;
use crate::cli::columns::wrap;
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

/// The question about a proposal; `reason` is why it cannot be applied.
pub(super) fn decision(reason: Option<Reason>) -> String {
    let (words, keys) = match reason {
        Some(Reason::TargetDrift) => {
            ("b merges, f overwrites, r rejects, ? explains ", "b,f,r,s,e")
        }
        Some(Reason::StagingExpired) => {
            ("f applies it all the same, r rejects, ? explains ", "f,r,s,e")
        }
        _ => ("a applies, r rejects, k skips, q quits, ? explains ", "a,r,s,e"),
    };
    let words = if terminal::size().0 < 80 { "" } else { words };
    format!("{words}[{keys},d,t,w,A,R,u,k,q,?]")
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
