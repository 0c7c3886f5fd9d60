//! Puts the name in front of a value that stands below it: under the head of a column, or in the block of a key.

use std::ops::Range;

use crate::secrets::names::promises;
use crate::secrets::views::blocks::{add_blocks, indent_of};
use crate::secrets::views::columns::{Columns, html_cells};
use crate::secrets::views::view::{RuleChoice, TextView};

/// A longer line is no name.
const LABEL: usize = 80;
/// How many lines below its name a value may begin.
const BELOW: usize = 5;
/// A shorter value is found nowhere.
const SHORTEST: usize = 8;
/// Keys that say nothing: the block's own key names the value.
const PLAIN_KEYS: [&str; 13] = [
    "value",
    "default",
    "data",
    "text",
    "content",
    "val",
    "plain",
    "plaintext",
    "string",
    "raw",
    "current",
    "literal",
    "result",
];

const LISTS: [&str; 4] = ["tokens", "secrets", "passwords", "keys"];

pub(super) fn labelled(text: &str) -> TextView {
    let mut view = TextView::new(RuleChoice::All);
    for (name, value) in html_cells(text) {
        add(&mut view, text, name, value);
    }
    add_blocks(&mut view, text);
    let mut columns = Columns::default();
    let mut start = 0;
    while start < text.len() {
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        for (name, value) in columns.values_of(text, start..end) {
            add(&mut view, text, name, value);
        }
        if let Some(name) = label_of(text, start..end)
            && let Some(value) = value_below(text, end + 1, indent_of(&text[start..end]))
        {
            add(&mut view, text, name, value);
        }
        start = end + 1;
    }
    view
}

fn add(view: &mut TextView, text: &str, name: Range<usize>, value: Range<usize>) {
    let at = name.start..name.start;
    for word in text[name].split_whitespace() {
        view.write(word, at.clone());
        view.write("_", at.clone());
    }
    view.write(" = \"", at.clone());
    view.copy(text, value);
    view.write("\"\n", at);
}

/// The name in a line that has no value of its own: a key that opens a block, a heading, an item, a line in bold.
fn label_of(text: &str, line: Range<usize>) -> Option<Range<usize>> {
    let whole = &text[line.clone()];
    if whole.len() > LABEL || whole.len() < 3 {
        return None;
    }
    let inside = whole.trim_end();
    let opened = without_opening(inside);
    let is_marked = opened.len() < inside.len()
        || inside.trim_start().starts_with(['#', '-', '*', '[', '<'])
        || inside.ends_with(['*', '_', ']']);
    let marks = |c: char| c.is_whitespace() || "#-*>\"'`[](){}_:=<$.".contains(c);
    let name = opened.trim_end_matches(marks).trim_start_matches(marks);
    // `variable "db_password" {` has its name in quotes.
    let name = match name.rsplit_once(['"', '\'']) {
        Some((_, quoted)) if opened.trim_end().ends_with(['"', '\'']) => quoted,
        _ => name,
    };
    let is_name = |c: char| c.is_alphanumeric() || " _-./'’".contains(c);
    // A list of tokens names each of them.
    let name = match LISTS.iter().any(|list| name.to_ascii_lowercase().ends_with(list)) {
        true => &name[..name.len() - 1],
        false => name,
    };
    let is_label = is_marked
        && name.chars().all(is_name)
        && name.split_whitespace().count() <= 6
        && promises(name);
    let start = line.start + (name.as_ptr() as usize - whole.as_ptr() as usize);
    is_label.then_some(start..start + name.len())
}

/// Takes off what opens a block at the end of a line.
fn without_opening(line: &str) -> &str {
    const OPENINGS: [&str; 15] = [
        "|", ">", "|-", ">-", "|+", ">+", "{", "[", ":", "!!str", "!!binary", "<<EOF", "<<-EOF",
        "$(cat", "(cat",
    ];
    let mut rest = line;
    while let Some(shorter) = OPENINGS.iter().rev().find_map(|opening| rest.strip_suffix(opening)) {
        rest = shorter.trim_end();
    }
    rest
}

/// The single word in the first line below that holds anything, or the value of a plain key there.
fn value_below(text: &str, start: usize, indent: usize) -> Option<Range<usize>> {
    let mut at = start;
    for _ in 0..BELOW {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let line = rest.split('\n').next().unwrap_or(rest);
        let inside = line.trim();
        let is_border = inside.starts_with("```") || inside.starts_with("~~~");
        if !inside.is_empty() && !is_border {
            let value = value_in(line).map(|value| at + value.start..at + value.end);
            // In a block the value may stand behind what is said about it.
            let is_key = inside.contains([':', '=']) && indent_of(line) > indent;
            if value.is_some() || !is_key {
                return value;
            }
        }
        at += line.len() + 1;
    }
    None
}

fn value_in(line: &str) -> Option<Range<usize>> {
    let ends = |c: char| c.is_whitespace() || "\"'`,;*".contains(c);
    let bullets = |c: char| c.is_whitespace() || "\"'`*>".contains(c);
    let inside =
        line.trim_start_matches(bullets).trim_start_matches("- ").trim_start_matches(bullets);
    let inside = inside.trim_end_matches(ends);
    let (key, value) = match inside.find([':', '=']) {
        Some(at) => (inside[..at].trim_end_matches(ends), &inside[at + 1..]),
        None => ("", inside),
    };
    let is_plain = PLAIN_KEYS.contains(&key.to_ascii_lowercase().as_str());
    let value = if is_plain { value.trim_start_matches(ends) } else { inside };
    let is_value = value.len() >= SHORTEST && !value.contains(char::is_whitespace);
    let start = value.as_ptr() as usize - line.as_ptr() as usize;
    is_value.then_some(start..start + value.len())
}

#[cfg(test)]
mod tests {
    use super::labelled;

    fn check(text: &str, expected: &str) {
        assert_eq!(labelled(text).text().trim_end(), expected, "{text}");
    }

    #[test]
    fn a_block_has_the_name_of_its_key() {
        let expected = "password_ = \"abcd1234\"";
        check("password: |\n  abcd1234\n", expected);
        check("db:\n  password:\n    about: a word\n    value: abcd1234\n", expected);
        check("### password\n\n```\nabcd1234\n```\n", expected);
        check("variable \"password\" {\n  default = \"abcd1234\"\n}\n", expected);
    }

    #[test]
    fn a_column_has_the_name_of_its_head() {
        let expected = "password_ = \"abcd1234\"";
        check("| user | password |\n|---|---|\n| ada | abcd1234 |\n", expected);
        check("user,password\nada,abcd1234\n", expected);
        check(
            "<tr><th>user</th><th>password</th></tr><tr><td>ada</td><td>abcd1234</td></tr>",
            expected,
        );
    }

    #[test]
    fn other_heads_and_keys_name_nothing() {
        check("| user | mail |\n|---|---|\n| ada | abcd1234 |\n", "");
        check("a token:\n  it is drawn by the server\n", "");
        check("password:\n  type: string\nother:\n  value: abcd1234\n", "");
    }
}
