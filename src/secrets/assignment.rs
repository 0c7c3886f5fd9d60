//! Reads `name = value` around a keyword, in code, settings, tables and prose.
//!
//! Written by hand: one pattern for all of these ways to write would be slow where `token` and `key` stand in every
//! line, and here each byte is looked at only as far as it can still become an assignment.

use std::ops::Range;

use crate::secrets::redacted::Redacted;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `=`, `:`, `=>` and their like.
    Equals,
    /// A comma after a quoted name, as in a call.
    Comma,
    /// A dash, a bar, or the word `is`.
    Dash,
    /// Nothing but blanks.
    Blank,
    /// A dash without blanks: name and value are one word.
    Glued,
}

#[derive(Clone, Debug)]
pub struct Assignment<'a> {
    text: Redacted<'a>,
    name: Range<usize>,
    value: Range<usize>,
    pub sign: Sign,
    pub quoted: bool,
}

impl<'a> Assignment<'a> {
    /// Returns the identifier around the keyword.
    pub(crate) fn name(&self) -> &'a str {
        &self.text.expose()[self.name.clone()]
    }

    /// Returns the text that would be withheld.
    pub(crate) fn value(&self) -> &'a str {
        &self.text.expose()[self.value.clone()]
    }

    /// Returns the line before the name, cut to its last bytes.
    pub(crate) fn before(&self) -> &'a str {
        line_before(self.text.expose(), self.name.start)
    }

    /// Returns the line behind the value, cut to its first bytes.
    pub(crate) fn after(&self) -> &'a str {
        line_after(self.text.expose(), self.value.end)
    }

    pub(crate) fn range(&self) -> Range<usize> {
        self.value.clone()
    }
}

/// Longest part of a name on either side of its keyword.
const NAME: usize = 40;
/// Most of a value that is looked at.
const VALUE: usize = 384;
/// How much of a line is seen on either side.
const CONTEXT: usize = 96;
const SHORTEST: usize = 8;

/// Returns every way to read an assignment around a keyword, likeliest first.
pub(super) fn assignments<'a>(
    text: &'a str,
    keyword: &Range<usize>,
) -> impl Iterator<Item = Assignment<'a>> {
    let bytes = text.as_bytes();
    // A keyword such as `pass =` has its sign with it.
    let letters = bytes[keyword.clone()].iter().rposition(|byte| is_name(*byte));
    let keyword = keyword.start..keyword.start + letters.map_or(0, |last| last + 1);
    let name = name_around(bytes, &keyword);
    let element =
        element_value(bytes, name.end).map(|value| (name.clone(), Sign::Equals, true, value));
    let assigned = sign_after(bytes, name.end).map(|(sign, opening, start)| {
        let end = match opening {
            Some(quote) => quoted_end(bytes, start, quote),
            None => value_end(bytes, start),
        };
        (name.clone(), sign, opening.is_some(), start..end)
    });
    let glued =
        glued(bytes, &keyword, &name).map(|(name, value)| (name, Sign::Glued, false, value));
    // Documentation cuts a value short: `ya29.a0AfH6…`.
    let is_cut = move |value: &Range<usize>| {
        text.get(value.clone()).is_some_and(|text| text.ends_with("...") || text.ends_with('…'))
    };
    let readings = [element, assigned, glued].into_iter().flatten();
    readings.filter(move |(.., value)| !is_cut(value)).filter_map(
        move |(name, sign, quoted, value)| {
            let trimmed = trimmed(text.get(value.clone())?);
            let value = value.start..value.start + trimmed.len();
            text.get(name.clone())?;
            let text = Redacted::new(text);
            (value.len() >= SHORTEST).then_some(Assignment { text, name, value, sign, quoted })
        },
    )
}

/// Leaves out what a sentence, or the next parameter of an address, adds to a value.
fn trimmed(value: &str) -> &str {
    let first = match value.split_once('&') {
        Some((first, rest)) if names_a_parameter(rest) => first,
        _ => value,
    };
    first.trim_end_matches(['.', ':', ')', ' '])
}

fn names_a_parameter(rest: &str) -> bool {
    rest.split_once('=').is_some_and(|(name, value)| {
        name.len() <= 24 && !value.is_empty() && name.bytes().all(is_name)
    })
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$')
}

fn name_around(bytes: &[u8], keyword: &Range<usize>) -> Range<usize> {
    let before = bytes[..keyword.start].iter().rev().take(NAME);
    let start = keyword.start - before.take_while(|byte| is_name(**byte)).count();
    let after = bytes[keyword.end..].iter().take(NAME);
    let end = keyword.end + after.take_while(|byte| is_name(**byte)).count();
    start..end
}

/// Returns the sign, the opening quote, and where the value begins.
fn sign_after(bytes: &[u8], name_end: usize) -> Option<(Sign, Option<u8>, usize)> {
    let mut at = name_end;
    let closing = skip(bytes, &mut at, b"\"'`)]\\*", 4);
    at += declared_size(&bytes[at..]);
    let blanks = skip(bytes, &mut at, b" \t", 40);
    at += number(&bytes[at..]);
    at += wrapped_sign(&bytes[at..]);
    at += purpose(&bytes[at..]);
    at += declared_type(&bytes[at..], blanks > 0);
    let rest = &bytes[at..];
    let apart = rest.iter().take(40).take_while(|byte| b", \t\r\n".contains(byte)).count();
    if let label @ 1.. = value_label(&rest[apart..]) {
        return Some(opened(bytes, Sign::Equals, at + apart + label));
    }
    let operator = rest.iter().take(4).take_while(|byte| b"=:!?.|>~-+".contains(byte)).count();
    let (sign, length) = match &rest[..operator] {
        b"=" | b":" | b":=" | b"::=" | b":::=" | b"=>" | b"==" | b"===" | b"!=" | b"!=="
        | b"?=" | b".=" | b"||=" | b"||" | b"??" | b"=:" | b">" | b"->" | b"::" | b"+=" | b"~>" => {
            (Sign::Equals, operator)
        }
        b"-" | b"--" | b"---" | b"----" | b"|"
            if blanks > 0 && rest.get(operator) == Some(&b' ') =>
        {
            (Sign::Dash, operator)
        }
        b"" if rest.first() == Some(&b',') && closing > 0 => (Sign::Comma, 1),
        b"" if rest.first() == Some(&b'(') && quote_at(rest, 1).is_some() => (Sign::Equals, 1),
        b"" if opens_a_block(rest) => (Sign::Equals, 1),
        b"" if rest.starts_with(b"is ") || rest.starts_with(b"is:") => (Sign::Dash, 3),
        b"" if blanks > 0 => (Sign::Blank, 0),
        _ => return None,
    };
    at += length;
    skip(bytes, &mut at, b" \t", 40);
    // In prose the line below a colon is another sentence, unless it is quoted.
    let below = bytes[at..].iter().take(40).take_while(|byte| byte.is_ascii_whitespace()).count();
    let is_code = operator > 0 && rest[..operator] != *b":";
    if sign == Sign::Equals && (is_code || quote_at(bytes, at + below).is_some()) {
        at += below;
    }
    // XML may name the place of the value once more.
    Some(opened(bytes, sign, at + value_label(&bytes[at..])))
}

/// Goes past the opening quote, if there is one.
fn opened(bytes: &[u8], sign: Sign, mut at: usize) -> (Sign, Option<u8>, usize) {
    let is_prefix = bytes.get(at).is_some_and(|byte| b"@bruLf$".contains(byte));
    let prefix = usize::from(is_prefix && quote_at(bytes, at + 1).is_some());
    let Some((quote, length)) = quote_at(bytes, at + prefix) else {
        return (sign, None, at);
    };
    at += prefix + length;
    skip(bytes, &mut at, b" ", 1);
    (sign, Some(quote), at)
}

fn skip(bytes: &[u8], at: &mut usize, of: &[u8], most: usize) -> usize {
    let count = bytes[*at..].iter().take(most).take_while(|byte| of.contains(byte)).count();
    *at += count;
    count
}

/// The first of some words that a text begins with. Hardly ever does one get past its first letter.
fn beginning<'w>(rest: &[u8], words: &[&'w [u8]]) -> Option<&'w [u8]> {
    let first = rest.first();
    words.iter().find(|word| word.first() == first && rest.starts_with(word)).copied()
}

/// The length of `[25]` or `[]`.
fn declared_size(rest: &[u8]) -> usize {
    let digits = rest.iter().skip(1).take(6).take_while(|byte| byte.is_ascii_digit()).count();
    let sized = rest.first() == Some(&b'[') && rest.get(digits + 1) == Some(&b']');
    if sized { digits + 2 } else { 0 }
}

/// True for the brace of `key{"…"}`, with a line break or not.
fn opens_a_block(rest: &[u8]) -> bool {
    let blanks = rest.iter().skip(1).take(40).take_while(|byte| byte.is_ascii_whitespace()).count();
    rest.first() == Some(&b'{') && quote_at(rest, blanks + 1).is_some()
}

/// The length of `2` in "key 2: …".
fn number(rest: &[u8]) -> usize {
    let digits = rest.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 && rest.get(digits) == Some(&b':') { digits } else { 0 }
}

/// The length of "for the old box" in "the token for the old box: …".
fn purpose(rest: &[u8]) -> usize {
    const BEGINNINGS: [&[u8]; 6] = [b"for ", b"of ", b"on ", b"in ", b"at ", b"to "];
    if beginning(rest, &BEGINNINGS).is_none() {
        return 0;
    }
    let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || b" _-".contains(byte);
    let words = rest.iter().take(40).take_while(belongs).count();
    if rest.get(words) == Some(&b':') { words } else { 0 }
}

/// The length of a line break with its blanks, where the next line begins with `=`.
fn wrapped_sign(rest: &[u8]) -> usize {
    let blanks = rest.iter().take(40).take_while(|byte| byte.is_ascii_whitespace()).count();
    if rest.get(blanks) == Some(&b'=') { blanks } else { 0 }
}

/// The length of `: &str`, `string` and their like, in front of a sign.
fn declared_type(rest: &[u8], apart: bool) -> usize {
    const TYPES: [&[u8]; 6] = [b"&'static str", b"&str", b"String", b"string", b"str", b"text"];
    let colon = rest.iter().take(3).take_while(|byte| b": ".contains(byte)).count();
    if colon == 0 && !apart {
        return 0;
    }
    let after = &rest[colon..];
    let Some(kind) = beginning(after, &TYPES) else { return 0 };
    let behind = &after[kind.len()..];
    let blanks = behind.iter().take(4).take_while(|byte| b" \t".contains(byte)).count();
    if behind.get(blanks) == Some(&b'=') { colon + kind.len() + blanks } else { 0 }
}

/// The length of `value=`, `"value": ` and `<string>`.
fn value_label(rest: &[u8]) -> usize {
    const LABELS: [&[u8]; 9] = [
        b"value=",
        b"value =",
        b"\"value\":",
        b"'value':",
        b"Value=",
        b"\"Value\":",
        b"value:",
        b"<string>",
        b"<value>",
    ];
    let Some(label) = beginning(rest, &LABELS) else { return 0 };
    let blanks =
        rest[label.len()..].iter().take(8).take_while(|byte| b" \t".contains(byte)).count();
    label.len() + blanks
}

/// A quote, and how many bytes it has with the backslashes before it.
fn quote_at(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    let slashes = bytes.get(at..)?.iter().take(3).take_while(|byte| **byte == b'\\').count();
    let quote = *bytes.get(at + slashes)?;
    b"\"'`".contains(&quote).then_some((quote, slashes + 1))
}

fn quoted_end(bytes: &[u8], start: usize, quote: u8) -> usize {
    let window = &bytes[start..bytes.len().min(start + VALUE)];
    let length = window.iter().position(|byte| *byte == quote || b"\r\n".contains(byte));
    let inside = &window[..length.unwrap_or(window.len())];
    // The quote of a string in a string is escaped.
    start + inside.len() - inside.iter().rev().take_while(|byte| **byte == b'\\').count()
}

fn value_end(bytes: &[u8], start: usize) -> usize {
    let window = &bytes[start..bytes.len().min(start + VALUE)];
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`,;<>(){}[]\\".contains(byte);
    start + window.iter().position(is_end).unwrap_or(window.len())
}

/// The longest word between `<secret>` and `</secret>`.
fn element_value(bytes: &[u8], name_end: usize) -> Option<Range<usize>> {
    let start = name_end + 1;
    let window = bytes.get(start..bytes.len().min(start + VALUE))?;
    if bytes[name_end] != b'>' {
        return None;
    }
    let inside = &window[..window.windows(2).position(|pair| pair == b"</")?];
    let is_border = |byte: &u8| byte.is_ascii_whitespace() || b"{}".contains(byte);
    let mut at = start;
    let words = inside.split(is_border).map(|word| {
        let begin = at;
        at += word.len() + 1;
        begin..begin + word.len()
    });
    words.max_by_key(ExactSizeIterator::len)
}

/// Splits one word into a name and a value: `service-key-9f2c…`.
fn glued(
    bytes: &[u8],
    keyword: &Range<usize>,
    name: &Range<usize>,
) -> Option<(Range<usize>, Range<usize>)> {
    let rest = &bytes[keyword.end..name.end];
    let letters = rest.iter().take(6).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let joint = rest[letters..].iter().take(2).take_while(|byte| b"-.:".contains(byte)).count();
    let start = keyword.end + letters + joint;
    let end = value_end(bytes, start);
    (joint > 0 && start < end).then_some((name.start..keyword.end + letters, start..end))
}

/// The line before a place, cut to its last bytes.
pub(super) fn line_before(text: &str, end: usize) -> &str {
    let start = floor(text, end.saturating_sub(CONTEXT));
    let context = &text[start..end];
    context.rsplit('\n').next().unwrap_or(context)
}

fn line_after(text: &str, start: usize) -> &str {
    let end = floor(text, text.len().min(start + CONTEXT));
    let context = &text[start..end];
    context.split('\n').next().unwrap_or(context)
}

/// The last place at or before an offset where a character begins.
pub(super) fn floor(text: &str, offset: usize) -> usize {
    (0..=offset).rfind(|index| text.is_char_boundary(*index)).unwrap_or(0)
}
