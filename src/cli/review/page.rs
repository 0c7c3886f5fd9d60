//! Shows as much of a text as the screen holds, and knows how much of it the person has not seen.
//!
//! No pager opens by itself: it would take the key that answers the question.

use super::programs;
use super::terminal::{self, PressedKey};
use crate::cli::columns::wrap;
use crate::cli::output::{CARE, Output};
use crate::error::Result;
use crate::text::count;

/// Rows that the question needs.
const AROUND: usize = 5;

#[must_use = "lines of it may be hidden; `confirm` or `may_apply` asks before they are applied"]
pub(in crate::cli) struct ShownPage {
    text: String,
    hidden: usize,
    output: Output,
}

impl ShownPage {
    pub(in crate::cli) fn show(text: String, output: Output) -> Self {
        let (columns, rows) = terminal::size();
        let (seen, hidden) = cut(&text, rows.saturating_sub(AROUND));
        output.data(seen);
        if hidden > 0 {
            let left = format!("… {}: d shows all of it", count(hidden, "more line"));
            output.data(&format!("{CARE}{}{CARE:#}\n", wrap(&left, columns)));
        }
        Self { text, hidden, output }
    }

    pub(in crate::cli) fn open(&mut self) {
        programs::page(&self.text, self.output);
        self.hidden = 0;
    }

    pub(in crate::cli) fn hidden(&self) -> usize {
        self.hidden
    }

    pub(super) fn remark(&self, text: &str) {
        self.output.data(&wrapped(text));
    }

    pub(in crate::cli) fn confirm(mut self, question: &str) -> Result<bool> {
        loop {
            let keys = if self.hidden > 0 { "y,n,d" } else { "y,n" };
            match terminal::key(&format!("{question} [{keys}]"))? {
                PressedKey::Char('y') => match (self.may_apply()?, self.hidden) {
                    (true, _) => return Ok(true),
                    // All of it is shown now, so the question is asked again.
                    (false, 0) => {}
                    (false, _) => return Ok(false),
                },
                PressedKey::Char('d') if self.hidden > 0 => self.open(),
                PressedKey::Char(_)
                | PressedKey::Enter
                | PressedKey::Erase
                | PressedKey::Escape
                | PressedKey::Interrupt
                | PressedKey::Other => return Ok(false),
            }
        }
    }

    /// Asks again if the person accepts lines that they have not seen.
    pub(super) fn may_apply(&mut self) -> Result<bool> {
        if self.hidden == 0 {
            return Ok(true);
        }
        let unseen = count(self.hidden, "line");
        // The key differs from the first one, so that a key pressed twice applies nothing.
        let question = format!(
            "{unseen} not on the screen: l applies them unread, d shows all, n goes back [l,d,n]"
        );
        match terminal::key(&question)? {
            PressedKey::Char('l') => return Ok(true),
            PressedKey::Char('d') => self.open(),
            PressedKey::Char(_)
            | PressedKey::Enter
            | PressedKey::Erase
            | PressedKey::Escape
            | PressedKey::Interrupt
            | PressedKey::Other => {}
        }
        Ok(false)
    }
}

pub(super) fn wrapped(text: &str) -> String {
    let (columns, _) = terminal::size();
    wrap(text, columns) + "\n"
}

/// Returns as many lines as fit, and how many are left.
fn cut(text: &str, room: usize) -> (&str, usize) {
    let lines = text.lines().count();
    if lines <= room {
        return (text, 0);
    }
    // The line that tells the number needs a row too.
    let kept = room.saturating_sub(1);
    let end: usize = text.split_inclusive('\n').take(kept).map(str::len).sum();
    (&text[..end], lines - kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_only_if_it_is_taller_than_the_room() {
        assert_eq!(cut("a\nb\nc\n", 3), ("a\nb\nc\n", 0));
        assert_eq!(cut("a\nb\nc\nd\n", 3), ("a\nb\n", 2));
        assert_eq!(cut("a\nb\nc\n", 0), ("", 3));
    }
}
