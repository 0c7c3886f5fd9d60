//! Reads the words of a line, whatever marks it wears.

use super::html::{HtmlTag, decoded};
use crate::text::fold_letters;

/// Returns the letters and digits of a line as a reader takes them, folded: two lines that say the same in the same words
/// give the same. Empty for what has no words, as a fence and the comments that name sections and sources.
///
/// A line is read by itself: its words are the same in a code block, a table or a comment, and joined to other lines.
pub(crate) fn line_letters(line: &str) -> String {
    let line = line.trim();
    if ["<!-- @", "```", "~~~"].iter().any(|mark| line.starts_with(mark)) {
        return String::new();
    }
    fold_letters(&decoded(&without_tags(&without_targets(without_marks(line)))))
}

/// Takes the marks of quotes, lists, tasks and headings off.
fn without_marks(line: &str) -> &str {
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '>' | '-' | '*' | '+' | '#' | '|');
    let line = line.trim_start_matches(is_mark);
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let line = match number.strip_prefix(". ").or(number.strip_prefix(") ")) {
        Some(text) if number.len() < line.len() => text.trim_start_matches(is_mark),
        _ => line,
    };
    ["[ ] ", "[x] ", "[X] "].iter().find_map(|task| line.strip_prefix(task)).unwrap_or(line)
}

/// Takes out where links go, and the names of notes.
fn without_targets(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['[', ']']) {
        let (before, mark) = rest.split_at(at);
        plain.push_str(before);
        let end = match mark.get(..2) {
            Some("](") => ')',
            Some("][" | "[^") => ']',
            _ => {
                rest = &mark[1..];
                continue;
            }
        };
        rest = mark[2..].split_once(end).map_or(&mark[1..], |(_, behind)| behind);
    }
    plain + rest
}

/// Takes the tags out; the inside of a comment stays.
fn without_tags(line: &str) -> String {
    // No tag begins behind the last `>`.
    let (inside, behind_last) = line.split_at(line.rfind('>').map_or(0, |at| at + 1));
    let mut plain = String::with_capacity(line.len());
    let mut rest = inside;
    while let Some((before, behind)) = rest.split_once('<') {
        plain.push_str(before);
        rest = match HtmlTag::read(behind) {
            // What looks like `<https://a.example>` is shown.
            Some((tag, after)) if !tag.name.contains([':', '@']) => after,
            Some(_) | None => behind,
        };
    }
    plain + rest + behind_last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_the_same_whatever_marks_it_wears() {
        let plain = line_letters("the wiki has the password");
        for line in [
            "- the wiki has the **password**",
            "  1) [x] The wiki has the password.",
            "> ## the `wiki` has the pass*word*",
            "| the wiki | has the password |",
            "<!-- the wiki has the password -->",
            "the <b class='x'>wiki</b> has the pass&#119;ord[^1]",
            "- [the wiki](https://a.example/b) has [the password][1]!",
        ] {
            assert_eq!(line_letters(line), plain, "{line}");
        }
        for line in ["---", "|---|:-:|", "```rust", "~~~", "<!-- @id: a -->", "", "<div>", "***"] {
            assert_eq!(line_letters(line), "", "{line}");
        }
        assert_ne!(line_letters("a <b and c"), line_letters("a"));
        assert_ne!(line_letters("<https://a.example>"), "");
        assert_ne!(line_letters("a [b](c"), line_letters("a b"));
        assert_eq!(line_letters("[[page]] and [x]"), line_letters("page and x"));
    }

    #[test]
    fn no_line_takes_long() {
        for part in ["](", "[^", "<a ", "<", "][a](b", "&#"] {
            line_letters(&part.repeat(20_000));
        }
    }
}
