//! Takes a proposal apart: operation by operation, or the one operation piece by piece.

use std::collections::{BTreeMap, BTreeSet};

use super::queue::Stores;
use super::session::{Session, Turn};
use super::terminal::{self, Key};
use super::{programs, screen};
use crate::cli::show::asked;
use crate::diff::{pieces, with_pieces};
use crate::error::Result;
use crate::ops::{Selection, ShownProposal, show_from};

/// Asks about each part; what is taken is checked as a whole and shown before it lands.
pub(super) fn split(session: &Session<'_>, stores: &Stores, shown: &ShownProposal) -> Result<Turn> {
    let operations = shown.operations.as_array().map_or(0, Vec::len);
    let taken = match operations {
        0 | 1 => by_pieces(session, shown)?,
        _ => by_operations(session, stores, shown, operations)?,
    };
    Ok(taken.map_or(Turn::Ask, Turn::Offer))
}

fn by_operations(
    session: &Session<'_>,
    stores: &Stores,
    shown: &ShownProposal,
    count: usize,
) -> Result<Option<Selection>> {
    let (columns, _) = terminal::size();
    let mut wanted = BTreeSet::new();
    for number in 0..count {
        let operation = &shown.operations[number];
        let alone = Selection::Operations(BTreeSet::from([number]));
        let mut text = format!(
            "\n{} {}\n",
            number + 1,
            crate::text::visible(&screen::operation_name(operation))
        );
        match show_from(&stores.here, stores.home(), &session.wanted(), &alone)? {
            Ok(part) => {
                part.diffs.iter().for_each(|file| text += &screen::file_text(file, columns))
            }
            // It builds on one before it: what it asks for is all that can be shown.
            Err(_) => text += &asked(&serde_json::json!([operation])),
        }
        programs::page(&text, session.context.output);
        match take(&format!("Take operation {} of {count}? [y,n,q] ", number + 1))? {
            Some(true) => drop(wanted.insert(number)),
            Some(false) => {}
            None => return Ok(None),
        }
    }
    Ok(match wanted.len() {
        0 => nothing(session),
        all if all == count => Some(Selection::All),
        _ => Some(Selection::Operations(wanted)),
    })
}

fn by_pieces(session: &Session<'_>, shown: &ShownProposal) -> Result<Option<Selection>> {
    let output = session.context.output;
    let (columns, _) = terminal::size();
    let mut texts = BTreeMap::new();
    let mut answers = Vec::new();
    for file in &shown.diffs {
        if file.is_masked {
            output.talk(&format!(
                "`{}` holds what looks like a secret; it cannot be split here",
                file.path
            ));
            return Ok(None);
        }
        let before = file.before.as_deref().unwrap_or_default();
        let all = pieces(before, &file.after);
        let mut wanted = Vec::new();
        for (number, piece) in all.iter().enumerate() {
            output.data(&screen::piece_text(&file.path, "", piece, columns));
            match take(&format!("Take part {} of {}? [y,n,q] ", number + 1, all.len()))? {
                Some(answer) => wanted.push(answer),
                None => return Ok(None),
            }
        }
        texts.insert(file.memory_path.clone(), with_pieces(before, &file.after, &wanted));
        answers.extend(wanted);
    }
    Ok(match (answers.contains(&true), answers.contains(&false)) {
        (false, _) => nothing(session),
        (true, false) => Some(Selection::All),
        (true, true) => Some(Selection::Amended(texts)),
    })
}

fn nothing(session: &Session<'_>) -> Option<Selection> {
    session.context.output.talk("nothing was taken; r rejects it");
    None
}

/// Asks until the answer is yes or no; nothing if the person wants to leave.
fn take(question: &str) -> Result<Option<bool>> {
    loop {
        match terminal::key(question)? {
            Key::Char('y') => return Ok(Some(true)),
            Key::Char('n') => return Ok(Some(false)),
            Key::Char('q') | Key::Escape | Key::Interrupt => return Ok(None),
            Key::Char(_) | Key::Enter | Key::Erase | Key::Other => {}
        }
    }
}
