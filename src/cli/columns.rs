//! Fits text into the columns of a terminal, in which a character may take none, one or two.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Cuts a line to so many columns; a cut line ends with `…`.
pub(super) fn cut(line: &str, columns: usize) -> Cow<'_, str> {
    if line.width() <= columns {
        return Cow::Borrowed(line);
    }
    let end = fitting(line, columns.saturating_sub(1));
    Cow::Owned(format!("{}…", &line[..end]))
}

/// Breaks a text at blanks into lines of so many columns; all but the first are indented by two. A word that is
///
/// longer than a line is broken too.
pub(super) fn wrap(text: &str, columns: usize) -> String {
    const INDENT: &str = "  ";
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word = word;
        loop {
            let line = lines.last_mut().expect("there is a first line");
            let is_bare = line.trim().is_empty();
            let room = columns.saturating_sub(line.width() + usize::from(!is_bare));
            if word.width() <= room {
                line.push_str(if is_bare { "" } else { " " });
                line.push_str(word);
                break;
            }
            if is_bare {
                let end = fitting(word, room.max(2));
                line.push_str(&word[..end]);
                word = &word[end..];
            }
            lines.push(INDENT.to_owned());
        }
    }
    lines.join("\n")
}

pub(super) fn text_width(text: &str) -> usize {
    text.width()
}

/// Fills a text up with blanks to so many columns.
pub(super) fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}

pub(super) fn width(letter: char) -> usize {
    letter.width().unwrap_or(0)
}

/// Returns how many bytes of a text fit into so many columns.
pub(super) fn fitting(text: &str, columns: usize) -> usize {
    let mut used = 0;
    let beyond = text.char_indices().find(|(_, character)| {
        used += character.width().unwrap_or(0);
        used > columns
    });
    beyond.map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_by_what_it_takes_on_the_screen() {
        assert_eq!(cut("retry", 5), "retry");
        assert_eq!(cut("retries", 5), "retr…");
        assert_eq!(cut("再試行の予算", 12), "再試行の予算");
        assert_eq!(cut("再試行の予算", 6), "再試…");
        assert_eq!(cut("e\u{301}e\u{301}e\u{301}", 3), "e\u{301}e\u{301}e\u{301}");
    }

    #[test]
    fn a_text_is_broken_at_blanks() {
        assert_eq!(wrap("one two three four", 9), "one two\n  three\n  four");
        assert_eq!(wrap("再試行 の 予算", 9), "再試行 の\n  予算");
        assert_eq!(wrap("", 9), "");
    }

    #[test]
    fn a_word_that_no_line_holds_is_broken() {
        assert_eq!(wrap("a 0123456789", 6), "a\n  0123\n  4567\n  89");
    }

    #[test]
    fn no_line_is_too_long_and_no_character_is_lost() {
        let text = "a rather long text with 再試行の予算 and overlongwordsthatnolineholds in it";
        for columns in 4..80 {
            let wrapped = wrap(text, columns);
            assert!(wrapped.lines().all(|line| line.width() <= columns), "{columns}: {wrapped}");
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(bare(&wrapped), bare(text), "{columns}");
        }
    }
}
