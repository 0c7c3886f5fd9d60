//! Reads `name = value` around a keyword, in code, settings, tables and prose.
//!
//! Written by hand: one pattern for all of these ways to write would be slow where `token` and `key` stand in every
//! line, and here each byte is looked at only as far as it can still become an assignment.

use std::ops::Range;

use crate::secrets::names::is_harmless;
use crate::secrets::redacted::Redacted;
use crate::secrets::separator::{Separator, beginning, quote_at, separator_after};
use crate::secrets::views::ByteSet;

#[derive(Clone, Debug)]
pub struct Assignment<'a> {
    text: Redacted<'a>,
    name: Range<usize>,
    value: Range<usize>,
    pub separator: Separator,
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

    /// Returns what stands between the name and the value that is behind it.
    pub(crate) fn between(&self) -> &'a str {
        self.text.expose().get(self.name.end..self.value.start).unwrap_or_default()
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
const VALUE: usize = 256;
/// How much of a line is seen on either side.
const CONTEXT: usize = 96;
const SHORTEST: usize = 8;

/// Returns every way to read an assignment around a keyword, likeliest first.
pub(super) fn assignments<'a>(
    text: &'a str,
    keyword: &Range<usize>,
) -> impl Iterator<Item = Assignment<'a>> {
    let bytes = text.as_bytes();
    // A keyword such as `pass =` has its operator with it.
    let letters = bytes[keyword.clone()].iter().rposition(|byte| is_letter(*byte));
    let keyword = keyword.start..keyword.start + letters.map_or(0, |last| last + 1);
    let name = name_around(bytes, &keyword);
    let element =
        element_value(bytes, name.end).map(|value| (name.clone(), Separator::Equals, true, value));
    let assigned = separator_after(bytes, name.end).map(|(separator, opening, start)| {
        let end = match opening {
            Some(quote) => quoted_end(bytes, start, quote),
            None => value_end(bytes, start),
        };
        (name.clone(), separator, opening.is_some(), start..end)
    });
    let glued =
        glued(bytes, &keyword, &name).map(|(name, value)| (name, Separator::Glued, false, value));
    let second = assigned.as_ref().and_then(|(name, separator, _, value)| {
        Some((name.clone(), *separator, false, second_of_pair(bytes, value)?))
    });
    let reversed =
        value_before(text, &name).map(|value| (name.clone(), Separator::Reversed, false, value));
    let inside = value_inside(bytes, name.end);
    let inside = inside.map(|value| (name.clone(), Separator::Equals, true, value));
    // Documentation cuts a value short: `ya29.a0AfH6…`.
    let is_cut = move |value: &Range<usize>| {
        text.get(value.clone()).is_some_and(|text| text.ends_with("...") || text.ends_with('…'))
    };
    let readings = [element, assigned, second, glued, inside, reversed].into_iter().flatten();
    readings.filter(move |(.., value)| !is_cut(value)).filter_map(
        move |(name, separator, quoted, value)| {
            let trimmed = trimmed(text.get(value.clone())?);
            let value = value.start..value.start + trimmed.len();
            text.get(name.clone())?;
            let text = Redacted::new(text);
            (value.len() >= SHORTEST).then_some(Assignment { text, name, value, separator, quoted })
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

/// A keyword of another language has letters of its own, and may have a blank.
fn is_letter(byte: u8) -> bool {
    is_name(byte) || !byte.is_ascii()
}

fn name_around(bytes: &[u8], keyword: &Range<usize>) -> Range<usize> {
    let before = bytes[..keyword.start].iter().rev().take(NAME);
    let start = keyword.start - before.take_while(|byte| is_name(**byte)).count();
    let after = bytes[keyword.end..].iter().take(NAME);
    let end = keyword.end + after.take_while(|byte| is_name(**byte)).count();
    start..end
}

fn quoted_end(bytes: &[u8], start: usize, quote: u8) -> usize {
    let window = &bytes[start..bytes.len().min(start + VALUE)];
    let length = window.iter().position(|byte| *byte == quote || b"\r\n".contains(byte));
    let inside = &window[..length.unwrap_or(window.len())];
    // The quote of a string in a string is escaped.
    start + inside.len() - inside.iter().rev().take_while(|byte| **byte == b'\\').count()
}

/// What ends a value that has no quotes.
static VALUE_ENDS: ByteSet = ByteSet::new(b" \t\n\r\x0c\"'`,;<>(){}[]\\");

fn value_end(bytes: &[u8], start: usize) -> usize {
    let window = &bytes[start..bytes.len().min(start + VALUE)];
    let is_end = |byte: &u8| VALUE_ENDS.has(*byte);
    start + window.iter().position(is_end).unwrap_or(window.len())
}

/// The password in `ada / VALUE`, where the name is that of both.
fn second_of_pair(bytes: &[u8], first: &Range<usize>) -> Option<Range<usize>> {
    let rest = &bytes[first.end..];
    let is_pair = first.len() < 30 && rest.starts_with(b" / ");
    let start = first.end + b" / ".len();
    is_pair.then(|| start..value_end(bytes, start))
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

/// The value in front of its name: `VALUE is the admin password`, `VALUE as our token`, `VALUE  # api key`.
fn value_before(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    const CONNECTORS: [&str; 13] =
        ["is", "was", "as", "=", "(", "#", "//", "/*", "--", "<-", "←", "<!--", "—"];
    const WORDS: usize = 5;
    let before = line_before(text, name.start);
    let start = name.start - before.len();
    let mut words = before.rsplit([' ', '\t']).filter(|word| !word.is_empty()).take(WORDS);
    let opens = |word: &str| CONNECTORS.contains(&word) || word.starts_with(['(', '[']);
    let value = std::iter::from_fn(|| {
        words.find(|word| opens(word))?;
        words.clone().next()
    });
    let marks = ['"', '\'', '`', '*', ',', ';', ':', '.', '('];
    let value =
        value.map(|value| value.trim_matches(marks)).find(|value| value.len() >= SHORTEST)?;
    let at = start + (value.as_ptr() as usize - before.as_ptr() as usize);
    (!says_more(text, name.end)).then_some(at..at + value.len())
}

/// The value in `"password": {"type": "string", "default": "VALUE"}`.
fn value_inside(bytes: &[u8], name_end: usize) -> Option<Range<usize>> {
    const KEYS: [&[u8]; 4] = [b"\"default\"", b"\"value\"", b"'default'", b"'value'"];
    const BLOCK: usize = 200;
    let window = &bytes[name_end..bytes.len().min(name_end + BLOCK)];
    let opened = window.iter().take(8).position(|byte| *byte == b'{')?;
    let block = &window[opened..];
    let block = &block[..block.iter().position(|byte| *byte == b'}').unwrap_or(block.len())];
    let (at, key) = (0..block.len()).find_map(|at| Some((at, beginning(&block[at..], &KEYS)?)))?;
    let behind = &block[at + key.len()..];
    let apart = behind.iter().take(8).take_while(|byte| b": \t".contains(byte)).count();
    let start = name_end + opened + at + key.len() + apart;
    let (quote, length) = quote_at(bytes, start)?;
    Some(start + length..quoted_end(bytes, start + length, quote))
}

/// True where the name goes on in another word that makes it harmless: "the password hash".
fn says_more(text: &str, name_end: usize) -> bool {
    let after = line_after(text, name_end);
    let word = after.strip_prefix([' ', '-', '_']).unwrap_or_default();
    let word = word.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    !word.is_empty() && is_harmless(word)
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

/// The line behind a place, cut to its first bytes.
pub(super) fn line_after(text: &str, start: usize) -> &str {
    let end = floor(text, text.len().min(start + CONTEXT));
    let context = &text[start..end];
    context.split('\n').next().unwrap_or(context)
}

/// The last place at or before an offset where a character begins.
pub(super) fn floor(text: &str, offset: usize) -> usize {
    (0..=offset).rfind(|index| text.is_char_boundary(*index)).unwrap_or(0)
}
