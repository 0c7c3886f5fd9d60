//! The questions of a review, and what its keys mean.

use super::terminal;
use crate::cli::columns::wrap;

/// Every key that decides, with what it does.
const KEYS: [(char, &str); 14] = [
    ('a', "apply what is shown"),
    ('r', "reject it, with a reason"),
    ('s', "split: take only a part"),
    ('e', "edit the text before it lands"),
    ('d', "all of the difference, in the pager"),
    ('t', "the whole text as it would be, in the pager"),
    ('w', "why: the lines that are cited"),
    ('A', "apply all the rest of this file or intent"),
    ('R', "reject all the rest of this file or intent"),
    ('u', "undo the last decision"),
    ('f', "apply although it expired or the text changed"),
    ('b', "bring it up to today's text"),
    ('k', "keep it for later"),
    ('q', "quit; what was decided stays so"),
];

/// The question about a proposal.
pub(super) fn decision() -> String {
    let words = match terminal::size() {
        (80.., _) => "a applies, r rejects, k skips, q quits, ? explains ",
        (_, _) => "",
    };
    format!("{words}[a,r,s,e,d,t,w,A,R,u,k,q,?]")
}

/// The question behind the last proposal.
pub(super) const AT_THE_END: &str =
    "That was the last one: u undoes the last decision, Enter or q ends [u,q]";

/// Explains the keys.
pub(super) fn help() -> String {
    let (columns, _) = terminal::size();
    let line = |(key, words): (char, &str)| {
        let words = wrap(words, columns.saturating_sub(5)).replace('\n', "\n   ");
        format!("  {key}  {words}\n")
    };
    let keys: String = KEYS.into_iter().map(line).collect();
    keys + "  Enter shows the proposal again\n"
}
