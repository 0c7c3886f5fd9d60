//! What of a text a person has seen: as much as the screen holds, and the rest when they ask for it.
//!
//! No pager opens unasked: it would take the key that was meant for the question.

use super::programs;
use super::terminal::{self, Key};
use crate::cli::columns::wrap;
use crate::cli::output::{CARE, Output};
use crate::error::Result;
use crate::text::count;

/// Rows of the screen that the question needs, with what stands around it.
const AROUND: usize = 5;

/// A text that was shown as far as the screen holds it.
#[must_use = "lines of it may be hidden; `confirm` or `may_land` asks before they land"]
pub(in crate::cli) struct Page {
    text: String,
    hidden: usize,
    output: Output,
}

impl Page {
    /// Prints the beginning of a text, and how many lines of it are left.
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

    /// Shows all of it, in the pager if it is long.
    pub(in crate::cli) fn open(&mut self) {
        programs::page(&self.text, self.output);
        self.hidden = 0;
    }

    /// Returns how many lines nobody has seen yet.
    pub(in crate::cli) fn hidden(&self) -> usize {
        self.hidden
    }

    /// Prints a remark below it, in as many lines as the screen needs.
    pub(super) fn remark(&self, text: &str) {
        self.output.data(&say(text));
    }

    /// Asks for a yes to what was shown; `d` shows first what the screen did not hold.
    pub(in crate::cli) fn confirm(mut self, question: &str) -> Result<bool> {
        loop {
            let keys = if self.hidden > 0 { "y,n,d" } else { "y,n" };
            match terminal::key(&format!("{question} [{keys}]"))? {
                Key::Char('y') => match (self.may_land()?, self.hidden) {
                    (true, _) => return Ok(true),
                    // Seen by now: what was asked before is asked again.
                    (false, 0) => {}
                    (false, _) => return Ok(false),
                },
                Key::Char('d') => self.open(),
                Key::Char('?') => self.remark("y does it, n goes back, d shows all of it"),
                Key::Char(_)
                | Key::Enter
                | Key::Erase
                | Key::Escape
                | Key::Interrupt
                | Key::Other => return Ok(false),
            }
        }
    }

    /// Asks again if a person said yes to lines that they have not seen.
    pub(super) fn may_land(&mut self) -> Result<bool> {
        if self.hidden == 0 {
            return Ok(true);
        }
        let unseen = count(self.hidden, "line");
        // Another key than the one that was just pressed: twice the same is a slip of the finger.
        let question = format!(
            "{unseen} not on the screen: l lands them unread, d shows all, n goes back [l,d,n]"
        );
        match terminal::key(&question)? {
            Key::Char('l') => return Ok(true),
            Key::Char('d') => self.open(),
            Key::Char(_) | Key::Enter | Key::Erase | Key::Escape | Key::Interrupt | Key::Other => {}
        }
        Ok(false)
    }
}

/// Wraps a remark to the screen.
pub(super) fn say(text: &str) -> String {
    let (columns, _) = terminal::size();
    wrap(text, columns) + "\n"
}

/// Returns as many lines as there is room for, and how many are left.
fn cut(text: &str, room: usize) -> (&str, usize) {
    let lines = text.lines().count();
    if lines <= room {
        return (text, 0);
    }
    // The line that says so needs room too.
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
