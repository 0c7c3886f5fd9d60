//! Puts together a word that a line end has cut in two.

use std::ops::Range;

use crate::secrets::views::view::{RuleChoice, TextView};

/// The shortest token has this many characters.
const SHORTEST: usize = 20;
/// Most lines over which one word may go.
const LINES: usize = 4;
/// Longest part of a word that is looked at.
const PART: usize = 200;

/// What is done with a hyphen at the end of a line: it may be a part of the token, or say that the token goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hyphens {
    Kept,
    LeftOut,
}

/// Adds the last word of each line with the first of the next, where both could be parts of a token.
pub(super) fn joined(text: &str) -> TextView {
    let mut view = TextView::new(RuleChoice::Tokens);
    let mut start = 0;
    while let Some(end) = text[start..].find('\n').map(|at| start + at) {
        let tail = tail_of(text, start..end);
        if could_begin(&text[tail.clone()]) {
            add(&mut view, text, start..end, Hyphens::Kept);
            if text[tail].ends_with('-') {
                add(&mut view, text, start..end, Hyphens::LeftOut);
            }
        }
        start = end + 1;
    }
    view
}

/// Adds the word that ends a line, with its parts in the lines below.
fn add(view: &mut TextView, text: &str, line: Range<usize>, hyphens: Hyphens) {
    let length = view.text().len();
    let part = |word: Range<usize>| match hyphens {
        Hyphens::LeftOut => word.start..word.start + text[word].trim_end_matches('-').len(),
        Hyphens::Kept => word,
    };
    view.copy(text, part(tail_of(text, line.clone())));
    let (mut start, mut parts) = (line.end + 1, 0);
    while parts < LINES && start < text.len() {
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let head = head_of(text, start..end);
        if !could_go_on(&text[head.clone()]) {
            break;
        }
        view.copy(text, part(head.clone()));
        parts += 1;
        start = end + 1;
        if !text[head.end..end].trim().is_empty() {
            break;
        }
    }
    if parts == 0 || view.text().len() - length < SHORTEST {
        return view.truncate(length);
    }
    view.end_line();
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.+/=~:".contains(&byte)
}

/// The word that ends a line.
fn tail_of(text: &str, line: Range<usize>) -> Range<usize> {
    let end = line.start + text[line.clone()].trim_end_matches([' ', '\t', '\r', '\\']).len();
    let bytes = &text.as_bytes()[line.start..end];
    let length = bytes.iter().rev().take(PART).take_while(|byte| is_part(**byte)).count();
    end - length..end
}

/// The word that begins a line, behind what marks a quote, a comment or a list.
fn head_of(text: &str, line: Range<usize>) -> Range<usize> {
    let bytes = &text.as_bytes()[line.clone()];
    let before =
        bytes.iter().take(40).take_while(|byte| b" \t>#*|/+-;%!\"'".contains(byte)).count();
    let is_apart = before == 0 || b" \t>\"'".contains(&bytes[before - 1]);
    let start = line.start + if is_apart { before } else { 0 };
    let rest = &text.as_bytes()[start..line.end];
    start..start + rest.iter().take(PART).take_while(|byte| is_part(**byte)).count()
}

/// Prose ends its lines with words of small letters; a token has punctuation, a capital or a digit in its beginning.
fn could_begin(tail: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || b".:".contains(&byte);
    tail.len() >= 3 && !tail.bytes().skip(1).all(is_word)
}

fn could_go_on(head: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || b".,:".contains(&byte);
    head.len() >= 4 && !head.bytes().skip(1).all(is_word)
}

#[cfg(test)]
mod tests {
    use super::joined;

    fn check(text: &str, expected: &str) {
        assert_eq!(joined(text).text().trim_end(), expected, "{text}");
    }

    #[test]
    fn a_word_goes_on_behind_what_marks_a_line() {
        check("use xy_Ab12Cd\n> 56Gh78 here", "");
        check("use xy_Ab12Cd34Ef56\n> 56Gh78Ij90 here", "xy_Ab12Cd34Ef5656Gh78Ij90");
        check("# xy_Ab12Cd34Ef56\n# 56Gh78Ij90\n", "xy_Ab12Cd34Ef5656Gh78Ij90");
    }

    #[test]
    fn a_hyphen_at_the_end_of_a_line_may_be_a_part_or_not() {
        let expected = "xy_Ab12Cd34Ef56-56Gh78Ij90\nxy_Ab12Cd34Ef5656Gh78Ij90";
        check("use xy_Ab12Cd34Ef56-\n56Gh78Ij90 here", expected);
    }

    #[test]
    fn words_of_prose_are_not_put_together() {
        check("a sentence that is wrapped\ngoes on in the next line", "");
    }
}
