//! Packs pieces of memory for an agent to read: whole ones, each once, within a budget, with a receipt.

mod fence;
mod piece;
mod receipt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::contract::ContentHash;
use crate::markdown::SourceNote;
use crate::project::provenance::Freshness;
use crate::project::standing::told_outdated;
use crate::secrets::shown_name;
use crate::text::{duplicate_key, tokens, visible_lines};

pub(crate) use fence::fence;
pub(crate) use piece::{PackPiece, piece_at, pieces, section_place};
pub(crate) use receipt::{LeftOut, Receipt, Why};

/// What an agent reads before it works.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Pack {
    /// The recalled sections inside a fence, and the receipt in words.
    pub text: String,
    /// What is in it, what is not, and why.
    pub receipt: Receipt,
}

impl Pack {
    /// Tells whether there is nothing that could be read.
    pub(crate) fn is_empty(&self) -> bool {
        self.receipt.included.is_empty() && self.receipt.left_out.is_empty()
    }
}

/// Lines about left-out sections below the fence at most; the rest are counted.
const NAMED: usize = 8;

/// Packs the first pieces that fit, in their order; the whole text takes no more than the budget, as long
/// as that is enough for an empty pack. What is left out is named where there is room for it.
///
/// `nothing` is said where there is no piece at all.
pub(crate) fn pack(
    pieces: Vec<PackPiece>,
    left_out: Vec<LeftOut>,
    budget: usize,
    nothing: &str,
) -> Pack {
    let mut choice = Choice { kept: Vec::new(), left_out, most_of_others: budget / 3 };
    // The fence and the receipt need room too.
    let mut room = budget.saturating_sub(tokens(&fenced("", &choice.receipt("", budget), 0)));
    for piece in pieces {
        room = choice.offer(piece, room);
    }
    loop {
        let body = choice.body(nothing);
        let receipt = choice.receipt(&body, budget);
        let text = |named| fenced(&body, &receipt, named);
        let fits = |text: &String| tokens(text) <= budget;
        match (0..=NAMED).rev().map(text).find(fits) {
            Some(text) => return Pack { text, receipt },
            // Numbers with more digits than those of an empty pack.
            None => match choice.kept.pop() {
                Some(last) => choice.left_out.push(last.piece.left_out(Why::Budget)),
                None => return Pack { text: text(0), receipt },
            },
        }
    }
}

struct Choice {
    kept: Vec<KeptPiece>,
    left_out: Vec<LeftOut>,
    /// Tokens that the pieces of other stores may take.
    most_of_others: usize,
}

struct KeptPiece {
    piece: PackPiece,
    shown: String,
    tokens: usize,
    duplicate_key: Option<u64>,
}

impl Choice {
    /// Takes a piece if there is room for it; returns the room that is left.
    fn offer(&mut self, piece: PackPiece, room: usize) -> usize {
        if self.kept.iter().any(|other| other.piece.holds(&piece)) {
            return room;
        }
        // First what costs little: most pieces of a large memory find no room. What is a part of the piece
        // goes for it.
        let (parts, others): (Vec<&KeptPiece>, Vec<&KeptPiece>) =
            self.kept.iter().partition(|other| piece.holds(&other.piece));
        let room_for_it = room + parts.iter().map(|part| part.tokens).sum::<usize>();
        let shown = shown(&piece);
        let tokens = tokens(&shown);
        if tokens > room_for_it || (piece.is_other && tokens > self.room_of_others()) {
            self.left_out.push(piece.left_out(Why::Budget));
            return room;
        }
        let duplicate_key = duplicate_key(&piece.heading, piece.body());
        let is_same =
            |it: &&&KeptPiece| duplicate_key.is_some() && it.duplicate_key == duplicate_key;
        let mut freed = 0;
        match others.iter().find(is_same) {
            Some(same) if same.piece.precedence() < piece.precedence() => freed = same.tokens,
            Some(_) => {
                self.left_out.push(piece.left_out(Why::Duplicate));
                return room;
            }
            None => {}
        }
        if freed > 0 {
            let is_same = |kept: &mut KeptPiece| kept.duplicate_key == duplicate_key;
            let same = self.kept.extract_if(.., is_same);
            self.left_out.extend(same.map(|kept| kept.piece.left_out(Why::Duplicate)));
        }
        self.kept.retain(|other| !piece.holds(&other.piece));
        self.kept.push(KeptPiece { piece, shown, tokens, duplicate_key });
        room_for_it + freed - tokens
    }

    fn room_of_others(&self) -> usize {
        let others = self.kept.iter().filter(|kept| kept.piece.is_other);
        self.most_of_others.saturating_sub(others.map(|kept| kept.tokens).sum())
    }

    fn body(&self, nothing: &str) -> String {
        let texts: Vec<&str> = self.kept.iter().map(|kept| kept.shown.as_str()).collect();
        match (texts.is_empty(), self.left_out.is_empty()) {
            (true, true) => nothing.to_owned(),
            (true, false) => "Nothing that is recorded fits; see what was left out.\n".to_owned(),
            (false, _) => texts.join("\n"),
        }
    }

    fn receipt(&self, body: &str, budget: usize) -> Receipt {
        let included = self.kept.iter().map(|kept| kept.piece.included(kept.tokens));
        Receipt {
            included: included.collect(),
            left_out: self.left_out.clone(),
            budget,
            tokens: tokens(body),
            bytes: body.len(),
            digest: ContentHash::of(body.as_bytes()).to_string(),
            warnings: Vec::new(),
        }
    }
}

/// Says that a note is of another branch.
pub(crate) fn told_branch(name: &str) -> String {
    format!("of branch {}", shown_name(name))
}

/// Writes a piece below a line that says where it stands and what to think of it.
fn shown(piece: &PackPiece) -> String {
    let freshness = piece.freshness.map(Freshness::name);
    let outdated = piece.outdated.map(|word| told_outdated(word, piece.superseded_by.as_deref()));
    let marks = freshness.into_iter().chain(piece.archived.then_some("archived"));
    let branch = piece.branch.as_deref().map(told_branch);
    let marks = marks.map(str::to_owned).chain(outdated).chain(branch);
    let marks: String = marks.map(|mark| format!(" {mark}")).collect();
    let hash = piece.hash.as_ref().map(|hash| format!(" hash={}", &hash[..hash.len().min(16)]));
    let place = shown_name(&piece.place()).into_owned();
    let sources = told_sources(piece);
    let text = visible_lines(&piece.text_below_head());
    format!("[{place}{}{marks}{sources}]\n{text}\n", hash.unwrap_or_default())
}

/// Sources that a head names; the rest are counted.
const SOURCES: usize = 3;

/// Says what a section rests on, how sure its author was, and since when.
fn told_sources(PackPiece { sources, moved, .. }: &PackPiece) -> String {
    let moved = moved.iter().map(Option::as_deref).chain(std::iter::repeat(None));
    let told = sources.iter().zip(moved).take(SOURCES).map(|(source, moved)| {
        let SourceNote { kind, reference, confidence, date, .. } = source;
        let moved = moved.map(|lines| format!(" now {}", shown_name(lines))).unwrap_or_default();
        format!("{kind} {}{moved} {confidence} {date}", shown_name(reference))
    });
    let more = sources.len().saturating_sub(SOURCES);
    let told =
        told.chain((more > 0).then(|| format!("{more} more"))).collect::<Vec<_>>().join(", ");
    if told.is_empty() { told } else { format!(" from {told}") }
}

/// Puts a fence around the recalled text, and below it so many lines about what was left out.
fn fenced(body: &str, receipt: &Receipt, lines: usize) -> String {
    let mut text = fence(body);
    text += &format!(
        "receipt: {} in, {} left out, {} tokens, {} bytes, digest {}\n",
        receipt.included.len(),
        receipt.left_out.len(),
        receipt.tokens,
        receipt.bytes,
        receipt.digest,
    );
    // Sections without an id cannot be told apart, so they are counted.
    let mut named = 0;
    for same in receipt.left_out.chunk_by(PartialEq::eq).take(lines) {
        let LeftOut { path, id, why } = &same[0];
        let id = id.as_ref().map(|id| format!("#{id}")).unwrap_or_default();
        let number = match same.len() {
            1 => String::new(),
            many => format!(", {many} sections"),
        };
        let place = format!("{path}{id}");
        text += &format!("left out: {}{number} ({why})\n", shown_name(&place));
        named += same.len();
    }
    match receipt.left_out.len() - named {
        0 => text,
        more => text + &format!("left out: {more} more\n"),
    }
}

#[cfg(test)]
mod tests;
