//! Texts and JSON documents as people and clients really send them.

use std::borrow::Cow;

/// What a warning says of a text in which half of a character stood.
pub(crate) const HALF_CHARACTER: &str =
    "half of a character was cut off, and U+FFFD stands in its place; send the text whole";

/// The text of a document that can be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ClientText<'a> {
    /// Without a byte order mark and without half characters.
    pub(crate) text: Cow<'a, str>,
    /// Whether half a character was replaced: a surrogate alone, as of a client that cuts an emoji.
    pub(crate) is_mended: bool,
}

/// Takes the bytes of a JSON document as a text; says what they are where they are no UTF-8.
pub(crate) fn client_text(bytes: &[u8]) -> Result<ClientText<'_>, String> {
    let text = with_whole_characters(utf8_text(bytes)?);
    Ok(ClientText { is_mended: matches!(text, Cow::Owned(_)), text })
}

/// Takes bytes as a text, without a byte order mark; says what they are where they are no UTF-8.
pub(crate) fn utf8_text(bytes: &[u8]) -> Result<&str, String> {
    let bytes = without_mark(bytes)?;
    std::str::from_utf8(bytes)
        .map_err(|fault| format!("is not UTF-8 at byte {}", fault.valid_up_to()))
}

/// Takes off a byte order mark, as editors of Windows write one; says so where the bytes are UTF-16.
pub(crate) fn without_mark(bytes: &[u8]) -> Result<&[u8], &'static str> {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => Ok(rest),
        // Without a mark, two characters of ASCII.
        [0xff, 0xfe, ..]
        | [0xfe, 0xff, ..]
        | [0, 1..=255, 0, 1..=255, ..]
        | [1..=255, 0, 1..=255, 0, ..] => Err("is UTF-16; send it as UTF-8"),
        _ => Ok(bytes),
    }
}

/// Replaces each surrogate that stands alone, which no reader of JSON takes.
fn with_whole_characters(text: &str) -> Cow<'_, str> {
    let (mut mended, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = text[at..].find('\\') {
        at += found;
        let (length, is_half) = match (surrogate_at(text, at), surrogate_at(text, at + ESCAPE)) {
            (None, _) => (2, false),
            (Some(Half::First), Some(Half::Second)) => (2 * ESCAPE, false),
            (Some(_), _) => (ESCAPE, true),
        };
        if is_half {
            mended += &text[copied..at];
            mended += "\\ufffd";
            copied = at + ESCAPE;
        }
        // The character behind a backslash may be long, and stands in no escape then.
        at = (at + length).min(text.len());
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    if copied == 0 { Cow::Borrowed(text) } else { Cow::Owned(mended + &text[copied..]) }
}

/// Bytes of `\uXXXX`.
const ESCAPE: usize = 6;

/// One of the two escapes of a character beyond U+FFFF.
#[derive(Clone, Copy)]
enum Half {
    First,
    Second,
}

fn surrogate_at(text: &str, at: usize) -> Option<Half> {
    let digits = text.get(at..at + ESCAPE)?.strip_prefix("\\u")?;
    match u32::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::First),
        0xdc00..=0xdfff => Some(Half::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::client_text;

    #[track_caller]
    fn check(sent: &str, expected: &str) {
        let read = client_text(sent.as_bytes()).expect("it is text");
        assert_eq!(
            (&*read.text, read.is_mended),
            (expected, sent.contains("\\ud8") && sent != expected)
        );
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_document() {
        check("\u{feff}{}", "{}");
        check("{}", "{}");
    }

    #[test]
    fn half_a_character_is_replaced_and_a_whole_one_stays() {
        check(r#""cut \ud83d""#, r#""cut \ufffd""#);
        check(r#""\ud83d\ude00""#, r#""\ud83d\ude00""#);
        check(r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#);
        check(r#""\\ud83d""#, r#""\\ud83d""#);
        check(r#""\ud83dé\é\n""#, r#""\ufffdé\é\n""#);
        check(r#""\ud83"#, r#""\ud83"#);
        let read = client_text(br#""\ude00 \uDE00""#).expect("it is text");
        assert_eq!((&*read.text, read.is_mended), (r#""\ufffd \ufffd""#, true));
    }

    #[test]
    fn what_is_no_utf_8_is_named() {
        for (bytes, expected) in [
            (&b"\xff\xfe{\0}\0"[..], "is UTF-16"),
            (b"\xfe\xff\0{\0}", "is UTF-16"),
            (b"{\0}\0", "is UTF-16"),
            (b"{\xff}", "is not UTF-8 at byte 1"),
        ] {
            assert!(client_text(bytes).expect_err("it is no UTF-8").contains(expected));
        }
        assert!(client_text(b"\0{}").is_ok(), "a stray NUL is left to the reader of JSON");
    }
}
