//! Finds what a person would not see, and shows it.

use std::borrow::Cow;

use super::explained::is_explained;
use super::invisible::is_invisible;

/// A character that a person would not see, or that would change what they see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hidden {
    pub line: usize,
    pub column: usize,
    pub character: char,
}

impl Hidden {
    /// Says where it stands; `place` is the field, or the file.
    pub(crate) fn told_in(self, place: &str) -> String {
        let (code, Self { line, column, .. }) = (self.code_point(), self);
        format!("{place} holds the hidden character {code} on line {line}, column {column}")
    }

    /// Returns the code point as `U+202E`.
    pub(crate) fn code_point(self) -> String {
        format!("U+{:04X}", u32::from(self.character))
    }
}

/// Finds the first hidden character, if there is one.
///
/// Tabs, line feeds and carriage returns before a line feed are ordinary text, and so are joiners, selectors, tags and marks of
/// direction that what is around them explains.
pub(crate) fn find_hidden(text: &str) -> Option<Hidden> {
    let mut at = 0;
    while let Some(start) = next_not_plain(text.as_bytes(), at) {
        let character = text[start..].chars().next()?;
        at = start + character.len_utf8();
        if is_hidden(&text[..start], character, &text[at..]) {
            return Some(placed(text, start, character));
        }
    }
    None
}

/// Finds the next byte that is not printable ASCII, tab or line feed.
fn next_not_plain(bytes: &[u8], from: usize) -> Option<usize> {
    const BLOCK: usize = 64;
    let is_plain = |byte: &u8| matches!(byte, b'\n' | b'\t' | 0x20..=0x7e);
    let rest = &bytes[from..];
    // It tests the whole block: that is faster than to stop.
    let all_plain = |block: &&[u8]| block.iter().fold(true, |all, byte| all & is_plain(byte));
    let plain = rest.chunks_exact(BLOCK).take_while(all_plain).count() * BLOCK;
    rest[plain..].iter().position(|byte| !is_plain(byte)).map(|length| from + plain + length)
}

fn placed(text: &str, start: usize, character: char) -> Hidden {
    let before = &text[..start];
    let line = before.rfind('\n').map_or(before, |newline| &before[newline + 1..]);
    Hidden { line: before.matches('\n').count() + 1, column: line.chars().count() + 1, character }
}

/// Finds the first hidden character of a file that had none before; a byte order mark at its start is none.
pub(crate) fn find_newly_hidden(before: &str, after: &str) -> Option<Hidden> {
    let find = |text: &str| find_hidden(text.trim_start_matches('\u{feff}'));
    find(after).filter(|_| find(before).is_none())
}

fn is_hidden(before: &str, character: char, after: &str) -> bool {
    match character {
        '\n' | '\t' => false,
        '\r' => !after.starts_with('\n'),
        _ if character.is_control() => true,
        _ => is_invisible(character) && !is_explained(before, character, after),
    }
}

/// Shows hidden characters as `<U+202E>`, so that text from a file cannot steer a terminal.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if find_hidden(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for (at, character) in text.char_indices() {
        let after = &text[at + character.len_utf8()..];
        if is_hidden(&text[..at], character, after) {
            shown.push_str(&format!("<U+{:04X}>", u32::from(character)));
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// Shows a text of several lines in the same way; a carriage return before a line feed is cut.
pub(crate) fn visible_lines(text: &str) -> String {
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}

/// Shows a name on one line: its line ends are hidden characters too.
pub(crate) fn visible_name(name: &str) -> String {
    visible(name).replace('\n', "<U+000A>").replace('\r', "<U+000D>")
}

/// Writes hidden characters of a JSON document as `\u202e`: the same document, but fit for a terminal.
pub(crate) fn escape_json(json: &str) -> Cow<'_, str> {
    let hidden = |c: char| c != '\n' && (c.is_control() || is_invisible(c));
    if !json.contains(hidden) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if hidden(character) {
            let units = character.encode_utf16(&mut [0; 2]).to_vec();
            units.iter().for_each(|unit| escaped.push_str(&format!("\\u{unit:04x}")));
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_hidden(text: &str, expected: Option<&str>) {
        assert_eq!(find_hidden(text).map(Hidden::code_point).as_deref(), expected, "{text:?}");
    }

    #[test]
    fn bidirectional_controls_and_escapes_are_hidden() {
        check_hidden("a\u{202e}b", Some("U+202E"));
        check_hidden("a\u{1b}[31m", Some("U+001B"));
        check_hidden("zero\u{200b}width", Some("U+200B"));
        check_hidden("tag\u{e0041}", Some("U+E0041"));
        check_hidden("lone\rreturn", Some("U+000D"));
    }

    #[test]
    fn a_joiner_between_plain_letters_is_hidden() {
        check_hidden("ad\u{200d}min", Some("U+200D"));
    }

    #[test]
    fn ordinary_text_of_any_script_hides_nothing() {
        check_hidden("tabs\tand\r\nlines\n", None);
        check_hidden("👩\u{200d}💻 ❤\u{fe0f} 1\u{fe0f}\u{20e3}", None);
        check_hidden("می\u{200c}خواهم 日本語 naïve", None);
    }

    #[test]
    fn hidden_characters_are_named_by_line_and_column() {
        let found = find_hidden("one\ntw\u{202e}o").expect("there is one");
        assert_eq!((found.line, found.column), (2, 3));
    }

    #[test]
    fn only_what_a_file_did_not_hide_before_is_new() {
        let check = |before, after, expected: Option<&str>| {
            let found = find_newly_hidden(before, after).map(Hidden::code_point);
            assert_eq!(found.as_deref(), expected, "{before:?} {after:?}");
        };
        check("a", "a\u{202e}b", Some("U+202E"));
        check("a\u{200b}b", "a\u{202e}b", None);
        check("a\u{202e}b", "ab", None);
        check("a", "\u{feff}a", None);
        check("\u{feff}a", "\u{feff}a\u{202e}", Some("U+202E"));
    }

    #[test]
    fn hidden_characters_are_shown_by_code_point() {
        assert_eq!(visible("a\u{202e}b"), "a<U+202E>b");
        assert!(matches!(visible("plain"), Cow::Borrowed(_)));
        assert_eq!(visible_lines("a\r\n\u{202e}b\n"), "a\n<U+202E>b");
    }

    #[test]
    fn a_json_document_cannot_steer_the_terminal() {
        let json = serde_json::json!({"a": "x\u{202e}\u{9b}y\u{e0041}"}).to_string();
        let escaped = escape_json(&json);
        assert_eq!(find_hidden(&escaped), None);
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&escaped).expect("JSON")["a"],
            "x\u{202e}\u{9b}y\u{e0041}"
        );
    }
}
