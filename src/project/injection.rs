//! Finds text that gives orders to the agent that reads it (prompt injection). What is found is told, and never refused: a
//! note may well be about such text.
//!
//! Orders are looked for in what a reader sees, without code and quotations, as these are examples. Marks of roles and
//! calls are looked for where they are no code; what hides or carries data out, wherever it would do so.

mod calls;
mod clauses;
mod data_out;
mod hiding;
mod order_table;
mod orders;
mod pattern;
mod sign;

pub(crate) use sign::Injection;

use crate::markdown::Readable;

/// Returns what speaks to the agent in a text of Markdown, by its lines.
pub(crate) fn find_injections(text: &str) -> Vec<Injection> {
    let readable = Readable::of(text);
    let mut found = orders::find(&readable);
    found.extend(calls::find(&readable));
    found.extend(hiding::find(&readable));
    found.extend(data_out::find(&readable));
    found.sort_by_key(|injection| (injection.line, injection.kind));
    found.dedup_by_key(|injection| (injection.line, injection.kind));
    found
}

#[cfg(test)]
mod tests;
