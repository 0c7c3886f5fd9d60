//! Decodes what stands in a text as base64 or as a row of bytes.

use std::ops::Range;

use crate::secrets::base64::decode;
use crate::secrets::entropy::{is_a_mix_of_letters, kinds_of_characters, looks_random};
use crate::secrets::views::view::{ByteSet, RuleChoice, TextView};

/// A shorter word holds no token.
const SHORTEST: usize = 16;
/// A line of wrapped base64 is at least as long as this.
const WRAPPED: usize = 40;
/// Fewer bytes in a row are numbers.
const FEWEST_BYTES: usize = 12;

/// Adds every stretch that decodes to text, each on lines of its own.
pub(super) fn decoded(text: &str) -> TextView {
    let mut view = TextView::new(RuleChoice::All);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = bytes[at..].iter().position(|byte| is_digit(*byte)).map(|n| at + n) {
        let end = word_end(bytes, start);
        at = end;
        if end - start >= SHORTEST {
            at = wrapped_end(bytes, start, end);
            add_word(&mut view, text, start..at);
        } else if could_be_a_byte(&bytes[start..end]) {
            at = add_row(&mut view, bytes, start).unwrap_or(end);
        }
    }
    view
}

static DIGITS: ByteSet =
    ByteSet::new(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-");

fn is_digit(byte: u8) -> bool {
    DIGITS.has(byte)
}

/// True for a word that could be one of a row of bytes.
fn could_be_a_byte(word: &[u8]) -> bool {
    match word.len() {
        2 => word.iter().all(u8::is_ascii_hexdigit),
        3 => word.iter().all(u8::is_ascii_digit),
        4 => word.starts_with(b"0x"),
        _ => false,
    }
}

fn word_end(bytes: &[u8], start: usize) -> usize {
    bytes[start..].iter().position(|byte| !is_digit(*byte)).map_or(bytes.len(), |n| start + n)
}

const LINE_ENDS: [&[u8]; 4] = [b"\r\n", b"\n", b"\\n", b"\\\n"];

/// Goes on over line ends, where a word fills its line as wrapped base64 does.
fn wrapped_end(bytes: &[u8], start: usize, mut end: usize) -> usize {
    let mut line = end - start;
    while line >= WRAPPED {
        let rest = &bytes[end..];
        let line_end = LINE_ENDS.iter().find(|line_end| rest.starts_with(line_end));
        let Some(line_end) = line_end else { break };
        let begin = end + line_end.len();
        let indent = bytes[begin..].iter().take(40).take_while(|b| b" \t>".contains(b)).count();
        let next = word_end(bytes, begin + indent);
        if next == begin + indent {
            break;
        }
        (line, end) = (next - begin - indent, next);
    }
    end
}

/// Decodes a word as hexadecimal digits or as base64: the whole of it, or the parts between its signs.
fn add_word(view: &mut TextView, text: &str, range: Range<usize>) {
    let word = &text[range.clone()];
    if let Some(decoded) = text_of(word) {
        return add(view, &decoded, range);
    }
    let mut start = range.start;
    for part in word.split(['/', '_', '-', '+']) {
        if part.len() >= SHORTEST
            && part.len() < word.len()
            && let Some(decoded) = text_of(part)
        {
            add(view, &decoded, start..start + part.len());
        }
        start += part.len() + 1;
    }
}

fn text_of(word: &str) -> Option<String> {
    let digits: Vec<u8> = word.bytes().filter(|b| is_digit(*b)).collect();
    let compact = std::str::from_utf8(&digits).ok()?;
    let hexadecimal = compact.strip_prefix("0x").unwrap_or(compact);
    if hexadecimal.len().is_multiple_of(2) && hexadecimal.bytes().all(|b| b.is_ascii_hexdigit()) {
        let pairs = hexadecimal.as_bytes().chunks(2);
        return readable(pairs.map(|pair| nibble(pair[0]) << 4 | nibble(pair[1])).collect());
    }
    // A line end that is written `\n` leaves its letter behind.
    let escaped = word.contains("\\n").then(|| word.replace("\\n", ""));
    let compact = escaped.as_deref().map_or(compact.to_owned(), |word| {
        word.chars().filter(|c| c.is_ascii() && is_digit(*c as u8)).collect()
    });
    // Most words end here: of 12 random bytes hardly ever all can be read.
    readable(decode(compact.get(..12)?)?)?;
    readable(decode(&compact)?)
}

pub(super) fn nibble(digit: u8) -> u8 {
    u8::try_from(char::from(digit).to_digit(16).unwrap_or(0)).expect("a digit is below 16")
}

/// The bytes as text, if a person could read it. Windows has two bytes for each letter.
fn readable(mut bytes: Vec<u8>) -> Option<String> {
    let is_wide =
        |bytes: &[u8]| bytes.chunks(2).all(|pair| pair[0] != 0 && pair.get(1) == Some(&0));
    if bytes.len() >= 4 && is_wide(&bytes[..bytes.len() & !1]) {
        bytes = bytes.into_iter().step_by(2).collect();
    }
    let text = String::from_utf8(bytes).ok()?;
    let is_read = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\0');
    text.chars().all(is_read).then_some(text)
}

fn add(view: &mut TextView, decoded: &str, range: Range<usize>) {
    view.write(decoded, range.clone());
    view.end_line();
    if let Some((user, password)) = credentials(decoded) {
        view.write(&format!("basic://{user}:{password}@host"), range);
        view.end_line();
    }
}

/// `user:password`, or both behind zero bytes as mail servers want it.
fn credentials(decoded: &str) -> Option<(&str, &str)> {
    let (user, password) = match decoded.strip_prefix('\0') {
        Some(rest) => rest.split_once('\0')?,
        None => decoded.trim_end().split_once(':')?,
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._@-".contains(c);
    let is_word = |c: char| c.is_ascii_graphic() && !"/?#\"'`<>@\\:{}".contains(c);
    let is_pair = user.chars().all(is_name) && password.chars().all(is_word);
    // The identifier of a record is a pair too: `User:1234567`.
    let is_chosen = looks_random(password)
        || is_a_mix_of_letters(password)
        || kinds_of_characters(password) >= 3;
    (is_pair && password.len() >= 6 && is_chosen).then_some((user, password))
}

/// Adds what can be read in a row of bytes, `67 68 70 5f` or `0x67, 0x68` or `103, 104`, and returns where the row ends. The
/// whole row is passed, so that no byte is read twice however long it is.
fn add_row(view: &mut TextView, bytes: &[u8], start: usize) -> Option<usize> {
    let mut passed = None;
    for read in [hexadecimal_byte as fn(&[u8]) -> Option<(u8, usize)>, decimal_byte] {
        let (row, end) = row_of(bytes, start, read);
        let is_read = |byte: &u8| byte.is_ascii_graphic() || b" \n\t".contains(byte);
        for part in row.split(|byte| !is_read(byte)).filter(|part| part.len() >= FEWEST_BYTES) {
            add(view, &String::from_utf8_lossy(part), start..end);
        }
        passed = passed.max((row.len() >= 2).then_some(end));
    }
    passed
}

fn row_of(bytes: &[u8], start: usize, read: fn(&[u8]) -> Option<(u8, usize)>) -> (Vec<u8>, usize) {
    let (mut row, mut at, mut end) = (Vec::new(), start, start);
    while let Some((byte, length)) = read(&bytes[at..]) {
        row.push(byte);
        end = at + length;
        let apart = bytes[end..].iter().take(8).take_while(|b| b" ,:;\t\r\n-".contains(b)).count();
        at = end + apart;
        if apart == 0 {
            break;
        }
    }
    (row, end)
}

fn hexadecimal_byte(rest: &[u8]) -> Option<(u8, usize)> {
    let prefix = if rest.starts_with(b"0x") { 2 } else { 0 };
    let digits = rest.get(prefix..prefix + 2)?;
    let is_alone = rest.get(prefix + 2).is_none_or(|byte| !is_digit(*byte) || *byte == b'-');
    (digits.iter().all(u8::is_ascii_hexdigit) && is_alone)
        .then(|| (nibble(digits[0]) << 4 | nibble(digits[1]), prefix + 2))
}

fn decimal_byte(rest: &[u8]) -> Option<(u8, usize)> {
    let length = rest.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    let is_alone = rest.get(length).is_none_or(|byte| !is_digit(*byte));
    let number = std::str::from_utf8(&rest[..length]).ok()?.parse().ok()?;
    (length >= 2 && is_alone).then_some((number, length))
}

#[cfg(test)]
mod tests {
    use super::decoded;

    fn check(text: &str, expected: &[&str]) {
        let view = decoded(text);
        assert_eq!(view.text().lines().collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn base64_of_text_is_decoded_in_an_address_too() {
        check("a: aGVsbG8gd29ybGQu, b", &["hello world."]);
        check("/v1/aGVsbG8gd29ybGQu", &["hello world."]);
    }

    #[test]
    fn wrapped_base64_is_one_text() {
        let line = "YSBsaW5lIG9mIGEgdGV4dCB0aGF0IGlzIHdyYXBwZWQg";
        check(&format!("{line}\n  aGVyZQ==\n"), &["a line of a text that is wrapped here"]);
    }

    #[test]
    fn bytes_in_a_row_are_decoded() {
        check("68656c6c6f20776f726c6421", &["hello world!"]);
        check("68 65 6c 6c 6f 20 77 6f 72 6c 64 21", &["hello world!"]);
        check("[104, 101, 108, 108, 111, 32, 119, 111, 114, 108, 100, 33]", &["hello world!"]);
    }

    #[test]
    fn two_bytes_for_each_letter_are_read() {
        check("aABlAGwAbABvACAAdwBvAHIAbABkAA==", &["hello world"]);
    }

    #[test]
    fn words_and_hashes_are_not_decoded() {
        check("internationalization of get_user_token_from_request", &[]);
        check("9f86d081884c7d659a2feaa0c55ad015 in 2024 on 10 of 12", &[]);
    }

    #[test]
    fn credentials_are_shown_as_those_of_an_address() {
        check("YWRhOlhxN0xyMFprOVR3NA==", &["ada:Xq7Lr0Zk9Tw4", "basic://ada:Xq7Lr0Zk9Tw4@host"]);
        check("VXNlcjoxMjM0NTY3ODkw", &["User:1234567890"]);
    }
}
