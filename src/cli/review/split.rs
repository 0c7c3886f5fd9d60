//! Splits a proposal: asks about each operation, and about each piece of it.

use std::collections::BTreeSet;

use super::page::ShownPage;
use super::queue::Stores;
use super::screen;
use super::state::PersonWords;
use super::state::{Review, ReviewTurn};
use super::steps::{SplitStep, before, piece_count, put_together, steps};
use super::terminal::{self, PressedKey};
use crate::cli::show::asked;
use crate::error::Result;
use crate::project::verbs::{Selection, ShownProposal, pieces};
use crate::secrets::shown_name;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Take {
    All,
    Nothing,
    /// Asks about each piece.
    Pieces,
}

/// What was taken of a step.
struct TakenParts {
    any: bool,
    pieces: Vec<Vec<bool>>,
}

pub(super) fn split(
    session: &Review<'_>,
    stores: &Stores,
    shown: &ShownProposal,
) -> Result<ReviewTurn> {
    let steps = steps(session, stores, shown)?;
    if let [only] = steps.as_slice()
        && only.pieces() < 2
        && !only.is_masked()
    {
        session.talk("it has only one part: a applies it, r rejects it, e edits it");
        return Ok(ReviewTurn::Ask);
    }
    let mut taken = Vec::new();
    for step in &steps {
        match ask(session, shown, step)? {
            Some(answer) => taken.push(answer),
            None => return Ok(ReviewTurn::Ask),
        }
    }
    let taken = selection(session, shown, &steps, taken);
    Ok(taken.map_or(ReviewTurn::Ask, |taken| ReviewTurn::Offer(taken, PersonWords::None)))
}

/// Returns nothing if the person goes back.
fn ask(
    session: &Review<'_>,
    shown: &ShownProposal,
    step: &SplitStep,
) -> Result<Option<TakenParts>> {
    let count = count(shown);
    let is_masked = step.files.iter().find(|file| file.is_masked);
    let number = step.pieces();
    let can_be_split = number > 1 && is_masked.is_none();
    let wanted = match (count, is_masked) {
        (1, Some(file)) => {
            let path = shown_name(&file.path);
            let why = "holds what looks like a secret; it cannot be split here";
            session.talk(&format!("`{path}` {why}"));
            return Ok(None);
        }
        // The key `a` takes a single operation as a whole.
        (1, None) if number > 0 => Some(Take::Pieces),
        _ => {
            let page = show(session, shown, step);
            let numbers: Vec<String> =
                step.operations.iter().map(|number| (number + 1).to_string()).collect();
            let (s, numbers) = (if numbers.len() > 1 { "s" } else { "" }, numbers.join(", "));
            ask_take(page, &format!("Include operation{s} {numbers} of {count}?"), can_be_split)?
        }
    };
    let whole = |answer: bool| TakenParts {
        any: answer,
        pieces: step.files.iter().map(|file| vec![answer; piece_count(file)]).collect(),
    };
    Ok(match wanted {
        None => None,
        Some(Take::All) => Some(whole(true)),
        Some(Take::Nothing) => Some(whole(false)),
        Some(Take::Pieces) => ask_pieces(session, step, number)?,
    })
}

fn show(session: &Review<'_>, shown: &ShownProposal, step: &SplitStep) -> ShownPage {
    let (columns, _) = terminal::size();
    let mut text = String::new();
    for &number in &step.operations {
        let operation = &shown.operations[number];
        text += &format!("\n{} {}\n", number + 1, shown_name(&screen::operation_name(operation)));
        if step.files.is_empty() {
            text += &asked(&serde_json::json!([operation]));
        }
    }
    step.files.iter().for_each(|file| text += &screen::file_text(file, columns));
    ShownPage::show(text, session.context.output)
}

fn ask_pieces(session: &Review<'_>, step: &SplitStep, of: usize) -> Result<Option<TakenParts>> {
    let (columns, _) = terminal::size();
    let mut number = 0;
    let mut taken = TakenParts { any: false, pieces: Vec::new() };
    for file in &step.files {
        let mut answers = Vec::new();
        for piece in pieces(before(file), &file.after) {
            number += 1;
            let text = screen::piece_text(&file.path, "", &piece, columns);
            let page = ShownPage::show(text, session.context.output);
            let question = format!("Include part {number} of {of}?");
            let Some(answer) = ask_take(page, &question, false)? else { return Ok(None) };
            answers.push(answer == Take::All);
            taken.any |= answer == Take::All;
        }
        taken.pieces.push(answers);
    }
    Ok(Some(taken))
}

fn selection(
    session: &Review<'_>,
    shown: &ShownProposal,
    steps: &[SplitStep],
    taken: Vec<TakenParts>,
) -> Option<Selection> {
    let of_steps = steps.iter().zip(&taken).filter(|(_, taken)| taken.any);
    let operations: BTreeSet<usize> =
        of_steps.flat_map(|(step, _)| step.operations.iter().copied()).collect();
    if operations.is_empty() {
        session.talk("no part was chosen; r rejects the proposal");
        return None;
    }
    let is_whole =
        |taken: &TakenParts| !taken.any || taken.pieces.iter().flatten().all(|piece| *piece);
    let takes_all = operations.len() == count(shown);
    if taken.iter().all(is_whole) {
        return Some(if takes_all { Selection::All } else { Selection::Operations(operations) });
    }
    let pieces: Vec<Vec<Vec<bool>>> = taken.into_iter().map(|taken| taken.pieces).collect();
    match put_together(steps, &pieces) {
        Ok(texts) if takes_all => Some(Selection::Amended(texts)),
        Ok(texts) => Some(Selection::Pieces { operations, texts }),
        Err(numbers) => {
            let first = numbers.first().map_or(0, |number| number + 1);
            session.talk(&format!(
                "the chosen part of operation {first} depends on an earlier part that was left out; include both or neither"
            ));
            None
        }
    }
}

fn count(shown: &ShownProposal) -> usize {
    shown.operations.as_array().map_or(0, Vec::len)
}

/// Asks until the key is valid; nothing if the person goes back.
fn ask_take(mut page: ShownPage, question: &str, can_be_split: bool) -> Result<Option<Take>> {
    loop {
        let mut keys = vec!["y", "n"];
        keys.extend(can_be_split.then_some("p"));
        keys.extend((page.hidden() > 0).then_some("d"));
        keys.push("q");
        match terminal::key(&format!("{question} [{}]", keys.join(",")))? {
            PressedKey::Char('y') => return Ok(Some(Take::All)),
            PressedKey::Char('n') => return Ok(Some(Take::Nothing)),
            PressedKey::Char('p') if can_be_split => return Ok(Some(Take::Pieces)),
            PressedKey::Char('d') => page.open(),
            PressedKey::Char('q') | PressedKey::Escape | PressedKey::Interrupt => return Ok(None),
            PressedKey::Char(_) | PressedKey::Enter | PressedKey::Erase | PressedKey::Other => {
                let parts = if can_be_split { "p asks part by part, " } else { "" };
                let all = if page.hidden() > 0 { "d shows all of it, " } else { "" };
                let help =
                    format!("y includes it, n leaves it out, {parts}{all}q cancels the split");
                page.remark(&help);
            }
        }
    }
}
