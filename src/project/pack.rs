//! Packs pieces of memory for an agent to read: whole ones, each once, within a budget, with a receipt.

mod fence;
mod piece;
mod receipt;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::contract::ContentHash;
use crate::markdown::SourceNote;
use crate::project::provenance::Freshness;
use crate::project::standing::told_outdated;
use crate::secrets::shown_name;
use crate::text::{duplicate_key, tokens, visible_lines};

pub(crate) use fence::fence;
pub(crate) use piece::{PackPiece, PackShare, piece_at, pieces, section_place};
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
/// Pieces are taken in turn until one does not fit, and shown as they stand. The turns are the same for each budget, so that
/// a larger one shows what a smaller one does, and more; only pieces of other stores may go again.
///
/// `nothing` is said where there is no piece at all.
pub(crate) fn pack(
    pieces: Vec<PackPiece>,
    left_out: Vec<LeftOut>,
    budget: usize,
    nothing: &str,
) -> Pack {
    let mut choice = Choice::of(left_out, budget / 3);
    // The fence and the receipt need room too.
    let mut room = budget.saturating_sub(tokens(&fenced("", &choice.receipt("", budget), 0)));
    for (place, piece) in in_turn(pieces) {
        room = choice.offer(place, piece, room);
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
                Some(last) => {
                    choice.leave_out(last.place, &last.piece, Why::Budget);
                    choice.kept.extend(last.replaced);
                }
                None => return Pack { text: text(0), receipt },
            },
        }
    }
}

/// Puts pieces in the order in which they are taken, each with its place: in their order, but a long one gives way to those
/// behind it that together are shorter, and each kind to others that have less of their share.
fn in_turn(pieces: Vec<PackPiece>) -> Vec<(usize, PackPiece)> {
    let mut sums: BTreeMap<PackShare, usize> = BTreeMap::new();
    let mut known: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut all: Vec<(usize, PackPiece)> = Vec::new();
    for piece in pieces {
        let same = known.entry(piece.path.clone()).or_default();
        if same.iter().any(|at| all[*at].1.is(&piece)) {
            continue;
        }
        same.push(all.len());
        let (own, parts) = (tokens(&piece.text), piece.share.parts());
        let before = sums.entry(piece.share).or_default();
        let turn = *before * PackShare::Rest.parts() / parts + 2 * own;
        *before += own;
        all.push((turn, piece));
    }
    let mut turns: Vec<(usize, (usize, PackPiece))> =
        all.into_iter().enumerate().map(|(place, (turn, piece))| (turn, (place, piece))).collect();
    turns.sort_by_key(|(turn, _)| *turn);
    turns.into_iter().map(|(_, piece)| piece).collect()
}

struct Choice {
    /// In the order in which they were taken.
    kept: Vec<KeptPiece>,
    left_out: Vec<LeftOut>,
    /// Pieces that were left out, by their places.
    pieces_left_out: BTreeMap<usize, (PackPiece, Why)>,
    /// Tokens that the pieces of other stores may take.
    most_of_others: usize,
    /// Whether a piece did not fit; no other is taken after it.
    is_full: bool,
    /// Whether one of another store did not fit into their part.
    is_full_of_others: bool,
}

struct KeptPiece {
    place: usize,
    piece: PackPiece,
    shown: String,
    tokens: usize,
    duplicate_key: Option<u64>,
    /// What stood in its place before: its parts, and what says the same.
    replaced: Vec<KeptPiece>,
}

impl Choice {
    fn of(left_out: Vec<LeftOut>, most_of_others: usize) -> Self {
        Self {
            kept: Vec::new(),
            left_out,
            pieces_left_out: BTreeMap::new(),
            most_of_others,
            is_full: false,
            is_full_of_others: false,
        }
    }

    fn leave_out(&mut self, place: usize, piece: &PackPiece, why: Why) {
        self.pieces_left_out.insert(place, (piece.clone(), why));
    }

    /// Takes a piece if there is room for it; returns the room that is left.
    fn offer(&mut self, place: usize, piece: PackPiece, room: usize) -> usize {
        if self.kept.iter().any(|other| other.piece.holds(&piece)) {
            return room;
        }
        // First what costs little: most pieces of a large memory find no room. What is a part of the piece
        // goes for it.
        let (parts, others): (Vec<&KeptPiece>, Vec<&KeptPiece>) =
            self.kept.iter().partition(|other| piece.holds(&other.piece));
        let room_for_it = room + parts.iter().map(|part| part.tokens).sum::<usize>();
        let duplicate_key = duplicate_key(&piece.heading, piece.body());
        let is_same =
            |it: &&&KeptPiece| duplicate_key.is_some() && it.duplicate_key == duplicate_key;
        let mut freed = 0;
        match others.iter().find(is_same) {
            Some(same) if same.piece.precedence() < piece.precedence() => freed = same.tokens,
            Some(_) => {
                self.leave_out(place, &piece, Why::Duplicate);
                return room;
            }
            None => {}
        }
        let shown = shown(&piece);
        let tokens = tokens(&shown);
        self.is_full_of_others |= piece.is_other && tokens > self.room_of_others();
        let is_closed = piece.is_other && self.is_full_of_others;
        self.is_full |= !is_closed && tokens > room_for_it + freed;
        if is_closed || self.is_full {
            self.leave_out(place, &piece, Why::Budget);
            return room;
        }
        let same = |kept: &mut KeptPiece| freed > 0 && kept.duplicate_key == duplicate_key;
        let mut replaced: Vec<KeptPiece> = self.kept.extract_if(.., same).collect();
        replaced.iter().for_each(|kept| self.leave_out(kept.place, &kept.piece, Why::Duplicate));
        replaced.extend(self.kept.extract_if(.., |other| piece.holds(&other.piece)));
        self.kept.push(KeptPiece { place, piece, shown, tokens, duplicate_key, replaced });
        room_for_it + freed - tokens
    }

    fn room_of_others(&self) -> usize {
        let others = self.kept.iter().filter(|kept| kept.piece.is_other);
        self.most_of_others.saturating_sub(others.map(|kept| kept.tokens).sum())
    }

    fn as_they_stand(&self) -> impl Iterator<Item = &KeptPiece> {
        let mut kept: Vec<&KeptPiece> = self.kept.iter().collect();
        kept.sort_by_key(|kept| kept.place);
        kept.into_iter()
    }

    fn body(&self, nothing: &str) -> String {
        let texts: Vec<&str> = self.as_they_stand().map(|kept| kept.shown.as_str()).collect();
        let is_all = self.left_out.is_empty() && self.pieces_left_out.is_empty();
        match (texts.is_empty(), is_all) {
            (true, true) => nothing.to_owned(),
            (true, false) => "Nothing that is recorded fits; see what was left out.\n".to_owned(),
            (false, _) => texts.join("\n"),
        }
    }

    fn receipt(&self, body: &str, budget: usize) -> Receipt {
        let included = self.as_they_stand().map(|kept| kept.piece.included(kept.tokens));
        let is_in = |piece: &PackPiece| self.kept.iter().any(|kept| kept.piece.holds(piece));
        let left_out = self.pieces_left_out.values().filter(|(piece, _)| !is_in(piece));
        let left_out = left_out.map(|(piece, why)| piece.left_out(*why));
        Receipt {
            included: included.collect(),
            left_out: self.left_out.iter().cloned().chain(left_out).collect(),
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
