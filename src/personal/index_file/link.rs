//! Finds the first link of a line of Markdown, and what it leads to.

use std::collections::BTreeMap;

/// Parentheses within each other that a target may have, as CommonMark has it.
const NESTING: usize = 32;

/// A link, and the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FirstLink<'a> {
    before: &'a str,
    pub(super) label: &'a str,
    target: &'a str,
    after: &'a str,
}

/// Finds the first link; code, comments and images are none.
pub(super) fn first_link(text: &str) -> Option<FirstLink<'_>> {
    let bytes = text.as_bytes();
    let last_comment_end = text.rfind("-->").unwrap_or(0);
    let last_runs = last_runs(text);
    let mut brackets: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += match byte {
            b'\\' => 2,
            b'`' => code_length(&text[at..], |run| last_runs.get(&run) > Some(&at)),
            b'<' if is_address(&text[at..]) => return None,
            b'<' if last_comment_end > at => comment_length(&text[at..]),
            b'[' => {
                brackets.push(at);
                1
            }
            b']' => {
                let target = text[at + 1..].strip_prefix('(').and_then(target);
                match (brackets.pop(), target) {
                    (Some(open), Some((target, after))) => {
                        let is_image = text[..open].ends_with('!');
                        if !is_image {
                            let (before, label) = (&text[..open], &text[open + 1..at]);
                            return Some(FirstLink { before, label, target, after });
                        }
                        text.len() - after.len() - at
                    }
                    _ => 1,
                }
            }
            _ => 1,
        };
    }
    None
}

impl FirstLink<'_> {
    /// Returns `N` of a link to `N.md` in the same folder.
    pub(super) fn name(&self) -> Option<String> {
        let path = self.target.split('#').next().unwrap_or_default();
        let path = percent_decoded(&without_escapes(path));
        let name = path.trim_start_matches("./").strip_suffix(".md")?;
        (!name.is_empty() && !name.contains(['/', '\\'])).then(|| name.to_owned())
    }

    /// Returns the text behind the link without the dash or colon in between.
    pub(super) fn hook(&self) -> &str {
        const EMPHASIS: [char; 3] = ['*', '_', '~'];
        let after = match self.before.ends_with(EMPHASIS) {
            true => self.after.trim_start_matches(EMPHASIS),
            false => self.after,
        };
        let after = after.trim();
        let marked = after.strip_prefix(['—', '–', ':', '：']);
        marked.unwrap_or(after.trim_start_matches('-')).trim_start()
    }
}

/// Splits the text behind `(` into the target of a link and what follows its `)`.
fn target(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let (target, rest) = match text.strip_prefix('<') {
        Some(inside) => {
            let end = find_unescaped(inside, ['<', '>'])?;
            (&inside[..end], inside[end..].strip_prefix('>')?)
        }
        None => text.split_at(plain_target_length(text)?),
    };
    let title = rest.trim_start();
    if let Some(after) = title.strip_prefix(')') {
        return Some((target, after));
    }
    let close = match title.chars().next().filter(|_| title.len() < rest.len())? {
        '"' => ['"', '"'],
        '\'' => ['\'', '\''],
        '(' => ['(', ')'],
        _ => return None,
    };
    let end = find_unescaped(&title[1..], close)? + 1;
    let after = title[end..].strip_prefix(close[1])?.trim_start().strip_prefix(')')?;
    Some((target, after))
}

/// Returns the length of a target without angle brackets: up to a blank, or to the `)` of the link.
fn plain_target_length(text: &str) -> Option<usize> {
    let mut nesting = 0;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if c.is_whitespace() => return (nesting == 0).then_some(at),
            _ if is_escaped => {}
            '(' if nesting == NESTING => return None,
            '(' => nesting += 1,
            ')' if nesting == 0 => return Some(at),
            ')' => nesting -= 1,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

fn find_unescaped(text: &str, wanted: [char; 2]) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if !is_escaped && wanted.contains(&c) {
            return Some(at);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

/// Returns for each length of a run of backticks where the last such run begins.
///
/// With it, runs that nothing closes are not each looked for in all of the text.
fn last_runs(text: &str) -> BTreeMap<usize, usize> {
    let mut last = BTreeMap::new();
    let mut at = 0;
    while let Some(next) = text[at..].find('`') {
        let length = run_length(&text[at + next..]);
        last.insert(length, at + next);
        at += next + length;
    }
    last
}

fn run_length(text: &str) -> usize {
    text.len() - text.trim_start_matches('`').len()
}

/// Returns the length of inline code, or of the backticks if nothing closes them.
fn code_length(text: &str, is_closed: impl Fn(usize) -> bool) -> usize {
    let length = run_length(text);
    if !is_closed(length) {
        return length;
    }
    let mut at = length;
    while let Some(next) = text[at..].find('`') {
        let closing = run_length(&text[at + next..]);
        at += next + closing;
        if closing == length {
            return at;
        }
    }
    length
}

fn comment_length(text: &str) -> usize {
    let end = text.strip_prefix("<!--").and_then(|inside| inside.find("-->"));
    end.map_or(1, |end| "<!---->".len() + end)
}

/// Tells whether a text begins with an address in angle brackets, which is a link.
fn is_address(text: &str) -> bool {
    let inside = &text[1..];
    let end = inside.find(['<', '>', ' ', '\t']).filter(|end| inside[*end..].starts_with('>'));
    let scheme = end.and_then(|end| inside[..end].split_once(':'));
    scheme.is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && (2..=32).contains(&scheme.len())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c))
    })
}

fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let escaped = rest.next_if(|next| c == '\\' && next.is_ascii_punctuation());
        plain.push(escaped.unwrap_or(c));
    }
    plain
}

/// Replaces `%20` and the like; a text that would not be UTF-8 stays as it is.
fn percent_decoded(text: &str) -> String {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut decoded: Vec<u8> = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let pair = match rest {
            [b'%', high, low, ..] => digit(*high).zip(digit(*low)),
            [_, ..] | [] => None,
        };
        let byte = pair.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        decoded.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(decoded).unwrap_or_else(|_| text.to_owned())
}
