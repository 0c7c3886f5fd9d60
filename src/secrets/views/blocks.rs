//! Puts the name of a block of secrets in front of the keys in it: below `secrets:` a key may be called anything.

use std::ops::Range;

use crate::secrets::names::{promises, words};
use crate::secrets::views::view::TextView;

/// What a block is called that holds nothing but secrets.
const BLOCKS: [&str; 5] = ["secrets", "credentials", "creds", "passwords", "tokens"];
/// Last words of keys whose value stands beside a secret and is none.
const PUBLIC: [&str; 7] = ["user", "username", "login", "email", "account", "region", "salt"];
/// A longer line is no head.
const HEAD: usize = 80;

/// A block that is being read.
struct Block {
    indent: usize,
    /// What is put in front of its keys.
    name: &'static str,
    /// `[secrets]` holds all that stands before the next such line.
    is_section: bool,
}

impl Block {
    fn holds(&self, line: &str) -> bool {
        match self.is_section {
            true => !line.starts_with('['),
            false => indent_of(line) > self.indent,
        }
    }
}

/// Adds the lines of all blocks with `secret_` or `password_` in front of their keys.
pub(super) fn add_blocks(view: &mut TextView, text: &str) {
    let mut block: Option<Block> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            match block.as_ref().filter(|block| block.holds(line)) {
                Some(open) => add_line(view, text, start..start + line.len(), open.name),
                None => block = block_of(line),
            }
        }
        start += line.len();
    }
}

fn add_line(view: &mut TextView, text: &str, line: Range<usize>, name: &str) {
    let Some(key) = key_of(&text[line.clone()]) else { return };
    let key = line.start + key;
    view.copy(text, line.start..key);
    view.write(name, key..key);
    view.copy(text, key..line.end);
    view.end_line();
}

pub(super) fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The block that a line opens: `secrets:`, `"credentials": {`, `[app.secrets]`.
fn block_of(line: &str) -> Option<Block> {
    let inside = line.trim();
    let is_section = inside.starts_with('[') && inside.ends_with(']');
    let is_head = line.len() <= HEAD && (is_section || inside.ends_with([':', '{']));
    let marks = |c: char| c.is_whitespace() || "[]{}:=\"'-".contains(c);
    let name = inside.trim_matches(marks);
    let is_block = |part: &str| {
        let words = words(part);
        words.last().is_some_and(|last| BLOCKS.contains(&last.as_str()))
            || words.ends_with(&["api".into(), "keys".into()])
    };
    let prefix = if name.ends_with("passwords") { "password_" } else { "secret_" };
    (is_head && name.split('.').any(is_block)).then(|| Block {
        indent: indent_of(line),
        name: prefix,
        is_section,
    })
}

/// Where the key of a line begins. A key that promises a secret by itself has been read already.
fn key_of(line: &str) -> Option<usize> {
    let end = line.find([':', '='])?;
    let key = line[..end].trim_matches(|c: char| c.is_whitespace() || "\"'-".contains(c));
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let is_public = words(key).last().is_none_or(|last| PUBLIC.contains(&last.as_str()));
    let is_read = !key.is_empty() && key.len() <= 40 && key.chars().all(is_name);
    (is_read && !is_public && !promises(key))
        .then(|| key.as_ptr() as usize - line.as_ptr() as usize)
}

#[cfg(test)]
mod tests {
    use super::add_blocks;
    use crate::secrets::views::{RuleChoice, TextView};

    fn check(text: &str, expected: &str) {
        let mut view = TextView::new(RuleChoice::All);
        add_blocks(&mut view, text);
        assert_eq!(view.text().split_whitespace().collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn keys_in_a_block_of_secrets_have_its_name() {
        check(
            "secrets:\n  a: b1\n\n  c:\n    d: e2\nf: g\n",
            "secret_a: b1 secret_c: secret_d: e2",
        );
        check(
            "{\n \"credentials\": {\n  \"a\": \"b1\",\n },\n \"c\": 1\n}",
            "\"secret_a\": \"b1\",",
        );
        check("passwords:\n  a: b1\n", "password_a: b1");
        check("[app.secrets]\na = \"b1\"\n[other]\nc = 1\n", "secret_a = \"b1\"");
    }

    #[test]
    fn what_stands_beside_a_secret_and_other_blocks_have_not() {
        check("credentials:\n  user: ada\n  password: b1\n", "");
        check("[secrets]\nsalt = \"b1\"\n", "");
        check("service:\n  a: b1\nthe secrets: are many\n  a: b1\n", "");
    }
}
