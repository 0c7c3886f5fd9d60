//! Reads the letters of a line without its markup.

use super::anchors::is_section_comment;
use super::html::{HtmlTag, unescaped};
use crate::text::fold_letters;

/// A fence may name a language in fewer bytes than this; what is longer is read.
const LANGUAGE: usize = 12;

/// Attributes whose words a browser shows, beside the text that they stand in.
const SHOWN: [&str; 6] = ["alt", "title", "aria-label", "label", "placeholder", "value"];

/// Returns the letters and digits of a line as a reader takes them, folded: two lines that say the same in the same words
/// give the same. Empty for what has no words, as a fence and the comments that name sections and sources. What is shown
/// beside the text, as the title of a link, follows it.
///
/// A line is read by itself: its words are the same in a code block, a table or a comment, and joined to other lines.
pub(crate) fn line_letters(line: &str) -> String {
    let line = line.trim();
    let text = without_marks(line);
    if is_section_comment(line) || is_fence(text) {
        return String::new();
    }
    let mut beside = String::new();
    let text = without_targets(text, &mut beside);
    let text = without_tags(&text, &mut beside);
    fold_letters(&unescaped(&(text + &beside)))
}

/// Tells whether a line begins or ends a code block, with no more than the name of a language.
fn is_fence(line: &str) -> bool {
    let Some(mark) = ['`', '~'].into_iter().find(|mark| line.starts_with(*mark)) else {
        return false;
    };
    let info = line.trim_start_matches(mark);
    let is_long = line.len() - info.len() >= 3;
    let info = info.trim_start();
    // With another backtick in it, it is code in a line of text.
    let is_code = mark == '`' && info.contains('`');
    is_long && !is_code && info.len() < LANGUAGE && !info.contains(char::is_whitespace)
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

/// Takes out where links go, and the names of notes; the titles of links go beside.
fn without_targets(line: &str, beside: &mut String) -> String {
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
        let Some((inside, behind)) = mark[2..].split_once(end) else {
            rest = &mark[1..];
            continue;
        };
        if end == ')' {
            beside.push_str(inside.trim().split_once(char::is_whitespace).unwrap_or_default().1);
        }
        rest = behind;
    }
    plain + rest
}

/// Takes the tags out; the inside of a comment stays. An image is shown as its words, those of other tags go beside.
fn without_tags(line: &str, beside: &mut String) -> String {
    // No tag begins behind the last `>`.
    let (inside, behind_last) = line.split_at(line.rfind('>').map_or(0, |at| at + 1));
    let mut plain = String::with_capacity(line.len());
    let mut rest = inside;
    while let Some((before, behind)) = rest.split_once('<') {
        plain.push_str(before);
        rest = match HtmlTag::read(behind) {
            // What looks like `<https://a.example>` is shown.
            Some((tag, after)) if !tag.name.contains([':', '@']) => {
                let shown = SHOWN.map(|name| tag.attribute(name).unwrap_or_default());
                let is_image = tag.name == "img" && !tag.is_unseen();
                let (within, others) = shown.split_at(usize::from(is_image));
                plain.extend(within.iter().copied());
                beside.extend(others.iter().copied());
                after
            }
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
        for line in [
            "---",
            "|---|:-:|",
            "```rust",
            "> ~~~~ objective-c",
            "~~~",
            "<!-- @id: a -->",
            "<!-- @archived: archive/2026/pitfalls.md -->",
            "<!-- @source: file src/a.rs:1-4 8a1218a1024a inferred 2026-11-28 -->",
            "",
            "<div>",
            "***",
        ] {
            assert_eq!(line_letters(line), "", "{line}");
        }
        assert_ne!(line_letters("a <b and c"), line_letters("a"));
        assert_ne!(line_letters("<https://a.example>"), "");
        assert_ne!(line_letters("a [b](c"), line_letters("a b"));
        assert_eq!(line_letters("[[page]] and [x]"), line_letters("page and x"));
    }

    #[test]
    fn what_looks_like_a_fence_or_a_comment_of_ours_has_its_words() {
        let plain = line_letters("the wiki has the password");
        for line in [
            "```the wiki has the password```",
            "``` the wiki has the password",
            "~~~~the wiki has the password",
            "> ```the-wiki-has-the-password",
            "```the`wiki has the password",
            "``the wiki has the password",
        ] {
            assert_eq!(line_letters(line), plain, "{line}");
        }
        for line in [
            "<!-- @note: the wiki has the password -->",
            "<!-- @id: the wiki has the password -->",
            "<!-- @id: a --> the wiki has the password",
            "<!-- @id: a --> the wiki has the password <!-- b -->",
            "<!-- @archived: the wiki has the password -->",
            "<!-- @source: note the wiki has the password -->",
            "<!-- @source: user b --> the wiki has the password <!-- - confirmed 2026-11-20 -->",
        ] {
            assert!(line_letters(line).contains(&plain), "{line}");
        }
    }

    #[test]
    fn words_that_are_shown_beside_a_text_are_read() {
        let plain = line_letters("the wiki has the password");
        for line in [
            "<img alt=\"the wiki has the password\" src=x>",
            "<img title='b' src=x alt='the wiki has the pass&#119;ord'>",
            "the wiki <img alt=has> the password",
            "the <b title=\"x > y\">wiki</b> has the password",
            "the <img hidden alt=x>wiki has the password",
            "<abbr title=\"the wiki has the password\">b</abbr>",
            "<input placeholder=\"the wiki has the password\">",
            "[b](c.md \"the wiki has the password\")",
            "![b](c.png 'the wiki has the password')",
            "![the wiki has the password](c.png)",
        ] {
            assert!(line_letters(line).contains(&plain), "{line}");
        }
        assert_eq!(line_letters("<a class='b' href='c'>d</a>"), "d");
    }

    #[test]
    fn no_line_takes_long() {
        for part in ["](", "[^", "<a ", "<", "<img alt=a>", "[a](b c", "][a](b", "&#"] {
            line_letters(&part.repeat(20_000));
        }
    }
}
