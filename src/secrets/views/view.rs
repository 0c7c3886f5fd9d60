//! A text as it reads once something is decoded or joined, with the way back to the original.

use std::ops::Range;

/// Which rules read a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::secrets) enum RuleChoice {
    /// Every rule.
    All,
    /// The rules that know a token by itself: beside values that were joined, names mean nothing.
    Tokens,
}

/// Which bytes belong to a kind: most text is passed over by one look at this table for each byte.
pub(in crate::secrets) struct ByteSet([bool; 256]);

impl ByteSet {
    pub(in crate::secrets) const fn new(belongs: &[u8]) -> Self {
        let mut table = [false; 256];
        let mut at = 0;
        while at < belongs.len() {
            table[belongs[at] as usize] = true;
            at += 1;
        }
        Self(table)
    }

    pub(in crate::secrets) fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }
}

pub(in crate::secrets) struct TextView {
    pub(in crate::secrets) rules: RuleChoice,
    text: String,
    pieces: Vec<ViewPiece>,
}

/// A stretch of the view and where it comes from.
struct ViewPiece {
    start: usize,
    origin: Range<usize>,
    /// Byte for byte the same as the original.
    is_copy: bool,
}

impl TextView {
    pub(in crate::secrets) fn new(rules: RuleChoice) -> Self {
        Self { rules, text: String::new(), pieces: Vec::new() }
    }

    pub(in crate::secrets) fn text(&self) -> &str {
        &self.text
    }

    pub(in crate::secrets) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Adds a stretch of the original as it is.
    pub(in crate::secrets) fn copy(&mut self, original: &str, range: Range<usize>) {
        match self.pieces.last_mut() {
            Some(last) if last.is_copy && last.origin.end == range.start => {
                last.origin.end = range.end;
            }
            _ => self.pieces.push(ViewPiece {
                start: self.text.len(),
                origin: range.clone(),
                is_copy: true,
            }),
        }
        self.text.push_str(&original[range]);
    }

    /// Adds what a stretch of the original stands for.
    pub(in crate::secrets) fn write(&mut self, decoded: &str, origin: Range<usize>) {
        if !decoded.is_empty() {
            self.pieces.push(ViewPiece { start: self.text.len(), origin, is_copy: false });
            self.text.push_str(decoded);
        }
    }

    /// Keeps what was added before from what is added next.
    pub(in crate::secrets) fn end_line(&mut self) {
        let at = self.pieces.last().map_or(0, |piece| piece.origin.end);
        self.write("\n", at..at);
    }

    /// Takes back what was added since the view had this length.
    pub(in crate::secrets) fn truncate(&mut self, length: usize) {
        self.text.truncate(length);
        self.pieces.retain(|piece| piece.start < length);
    }

    /// The stretch of the original behind a stretch of the view. Of what was decoded only the whole can be named.
    pub(in crate::secrets) fn origin(&self, range: &Range<usize>) -> Range<usize> {
        let piece_at = |at: usize| {
            &self.pieces[self.pieces.partition_point(|piece| piece.start <= at).saturating_sub(1)]
        };
        let (first, last) = (piece_at(range.start), piece_at(range.end.saturating_sub(1)));
        let start = match first.is_copy {
            true => first.origin.start + (range.start - first.start),
            false => first.origin.start,
        };
        let end = match last.is_copy {
            true => last.origin.start + (range.end - last.start),
            false => last.origin.end,
        };
        start.min(end)..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::{RuleChoice, TextView};

    #[test]
    fn what_is_copied_and_what_is_decoded_leads_back() {
        let original = "a%5Fbc";
        let mut view = TextView::new(RuleChoice::All);
        view.copy(original, 0..1);
        view.write("_", 1..4);
        view.copy(original, 4..6);
        assert_eq!(view.text(), "a_bc");
        assert_eq!(view.origin(&(0..4)), 0..6);
        assert_eq!(view.origin(&(1..3)), 1..5);
        assert_eq!(view.origin(&(2..4)), 4..6);
    }

    #[test]
    fn of_decoded_text_the_whole_origin_is_named() {
        let mut view = TextView::new(RuleChoice::All);
        view.write("decoded", 10..40);
        assert_eq!(view.origin(&(2..4)), 10..40);
    }
}
