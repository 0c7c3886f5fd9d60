//! Splits a proposal: asks about each operation, and about each piece of it.

use std::collections::BTreeSet;

use super::page::ShownPage;
use super::queue::Stores;
use super::screen;
use super::state::PersonWords;
use super::state::{Review, ReviewTurn};
use super::steps::{SplitStep, before, merge_choices, piece_count, steps};
use super::terminal::{self, PressedKey};
use crate::cli::show::asked;
use crate::error::Result;
use crate::project::verbs::{Selection, ShownProposal, pieces};
use crate::secrets::shown_name;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SplitChoice {
    All,
    Nothing,
    /// Asks about each piece.
    ByPiece,
}

/// Which pieces of a step the person chose.
struct ChosenPieces {
    is_any_chosen: bool,
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
    let mut chosen = Vec::new();
    for step in &steps {
        match ask(session, shown, step)? {
            Some(answer) => chosen.push(answer),
            None => return Ok(ReviewTurn::Ask),
        }
    }
    let chosen = selection(session, shown, &steps, chosen);
    Ok(chosen.map_or(ReviewTurn::Ask, |chosen| ReviewTurn::Offer(chosen, PersonWords::None)))
}

/// Returns nothing if the person goes back.
fn ask(
    session: &Review<'_>,
    shown: &ShownProposal,
    step: &SplitStep,
) -> Result<Option<ChosenPieces>> {
    let count = count(shown);
    let masked_file = step.files.iter().find(|file| file.is_masked);
    let number = step.pieces();
    let can_be_split = number > 1 && masked_file.is_none();
    let choice = match (count, masked_file) {
        (1, Some(file)) => {
            let path = shown_name(&file.path);
            let why = "holds what looks like a secret; it cannot be split here";
            session.talk(&format!("`{path}` {why}"));
            return Ok(None);
        }
        // The key `a` takes a single operation as a whole.
        (1, None) if number > 0 => Some(SplitChoice::ByPiece),
        _ => {
            let page = show(session, shown, step);
            let numbers: Vec<String> =
                step.operations.iter().map(|number| (number + 1).to_string()).collect();
            let (s, numbers) = (if numbers.len() > 1 { "s" } else { "" }, numbers.join(", "));
            ask_choice(page, &format!("Include operation{s} {numbers} of {count}?"), can_be_split)?
        }
    };
    let whole = |answer: bool| ChosenPieces {
        is_any_chosen: answer,
        pieces: step.files.iter().map(|file| vec![answer; piece_count(file)]).collect(),
    };
    Ok(match choice {
        None => None,
        Some(SplitChoice::All) => Some(whole(true)),
        Some(SplitChoice::Nothing) => Some(whole(false)),
        Some(SplitChoice::ByPiece) => ask_pieces(session, step, number)?,
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

fn ask_pieces(session: &Review<'_>, step: &SplitStep, of: usize) -> Result<Option<ChosenPieces>> {
    let (columns, _) = terminal::size();
    let mut number = 0;
    let mut chosen = ChosenPieces { is_any_chosen: false, pieces: Vec::new() };
    for file in &step.files {
        let mut answers = Vec::new();
        for piece in pieces(before(file), &file.after) {
            number += 1;
            let text = screen::piece_text(&file.path, "", &piece, columns);
            let page = ShownPage::show(text, session.context.output);
            let question = format!("Include part {number} of {of}?");
            let Some(answer) = ask_choice(page, &question, false)? else { return Ok(None) };
            answers.push(answer == SplitChoice::All);
            chosen.is_any_chosen |= answer == SplitChoice::All;
        }
        chosen.pieces.push(answers);
    }
    Ok(Some(chosen))
}

fn selection(
    session: &Review<'_>,
    shown: &ShownProposal,
    steps: &[SplitStep],
    chosen: Vec<ChosenPieces>,
) -> Option<Selection> {
    let of_steps = steps.iter().zip(&chosen).filter(|(_, chosen)| chosen.is_any_chosen);
    let operations: BTreeSet<usize> =
        of_steps.flat_map(|(step, _)| step.operations.iter().copied()).collect();
    if operations.is_empty() {
        session.talk("no part was chosen; r rejects the proposal");
        return None;
    }
    let is_whole = |chosen: &ChosenPieces| {
        !chosen.is_any_chosen || chosen.pieces.iter().flatten().all(|piece| *piece)
    };
    let takes_all = operations.len() == count(shown);
    if chosen.iter().all(is_whole) {
        return Some(if takes_all { Selection::All } else { Selection::Operations(operations) });
    }
    let pieces: Vec<Vec<Vec<bool>>> = chosen.into_iter().map(|chosen| chosen.pieces).collect();
    match merge_choices(steps, &pieces) {
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
fn ask_choice(
    mut page: ShownPage,
    question: &str,
    can_be_split: bool,
) -> Result<Option<SplitChoice>> {
    loop {
        let mut keys = vec!["y", "n"];
        keys.extend(can_be_split.then_some("p"));
        keys.extend((page.hidden() > 0).then_some("d"));
        keys.push("q");
        match terminal::key(&format!("{question} [{}]", keys.join(",")))? {
            PressedKey::Char('y') => return Ok(Some(SplitChoice::All)),
            PressedKey::Char('n') => return Ok(Some(SplitChoice::Nothing)),
            PressedKey::Char('p') if can_be_split => return Ok(Some(SplitChoice::ByPiece)),
            PressedKey::Char('d') if page.hidden() > 0 => page.open(),
            PressedKey::Char('q') | PressedKey::Interrupt => return Ok(None),
            PressedKey::Char(_)
            | PressedKey::Enter
            | PressedKey::Escape
            | PressedKey::Erase
            | PressedKey::Other => {
                let parts = if can_be_split { "p asks part by part, " } else { "" };
                let all = if page.hidden() > 0 { "d shows all of it, " } else { "" };
                let help =
                    format!("y includes it, n leaves it out, {parts}{all}q cancels the split");
                page.remark(&help);
            }
        }
    }
}
