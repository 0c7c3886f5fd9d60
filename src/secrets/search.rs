//! Scans a text once for keywords, then looks closely only where one was seen.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::bytes::Regex;

use crate::secrets::assignment::{assignments, floor, line_before};
use crate::secrets::checks::Candidate;
use crate::secrets::redacted::Redacted;
use crate::secrets::rule::{AssignmentTest, Shape};
use crate::secrets::rules::RULES;

/// A value that a rule accepts.
pub(super) struct RuleMatch {
    /// The row of the rule in the table.
    pub(super) row: usize,
    pub(super) range: Range<usize>,
}

/// Returns every value that a chosen rule accepts. Values of several rules may overlap.
pub(super) fn find(text: &str, is_chosen: fn(usize) -> bool) -> Vec<RuleMatch> {
    let mut found = Vec::new();
    for (row, windows) in windows(text, is_chosen, &mut found) {
        for window in windows {
            if has_room(RULES[row].shape, &text.as_bytes()[window.clone()]) {
                search(text, window, row, |range| found.push(RuleMatch { row, range }));
            }
        }
    }
    found
}

type Keyword = (usize, &'static str);

/// Finds the first letters of all keywords: with whole ones a command would take twice as long to build it.
static BEGINNINGS: LazyLock<(AhoCorasick, Vec<Keyword>)> = LazyLock::new(|| {
    let rows = RULES.iter().enumerate();
    let keywords: Vec<Keyword> =
        rows.flat_map(|(row, rule)| rule.keywords.iter().map(move |word| (row, *word))).collect();
    let automaton = AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::DFA))
        .dense_depth(1)
        .prefilter(false)
        .build(keywords.iter().map(|(_, word)| &word.as_bytes()[..word.len().min(4)]))
        .expect("the keywords are few and short");
    (automaton, keywords)
});

/// Returns each keyword in either case, with the row of its rule, by ascending start. No keyword has a line end, so that
/// only those of one line have to be sorted.
fn keywords(text: &str) -> impl Iterator<Item = (usize, Range<usize>)> {
    let (automaton, keywords) = &*BEGINNINGS;
    let mut line_start = 0;
    text.split_inclusive('\n').flat_map(move |line| {
        let start = line_start;
        line_start += line.len();
        let lower = line.to_ascii_lowercase();
        let beginnings = automaton.find_overlapping_iter(&lower);
        let whole = beginnings.filter_map(|it| {
            let (row, word) = keywords[it.pattern()];
            let is_whole = lower.as_bytes()[it.start()..].starts_with(word.as_bytes());
            is_whole.then(|| (row, start + it.start()..start + it.start() + word.len()))
        });
        let mut found: Vec<_> = whole.collect();
        found.sort_unstable_by_key(|(row, keyword)| (keyword.start, *row));
        found
    })
}

static PATTERNS: [OnceLock<Regex>; RULES.len()] = [const { OnceLock::new() }; RULES.len()];

/// The stretches of text that each rule has to look at. Those of one rule do not overlap, so that no
/// byte is searched twice for it, however often its keywords are repeated.
fn windows(
    text: &str,
    is_chosen: fn(usize) -> bool,
    found: &mut Vec<RuleMatch>,
) -> BTreeMap<usize, Vec<Range<usize>>> {
    let mut windows: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
    let mut settled = 0;
    for (row, keyword) in keywords(text).filter(|(row, _)| is_chosen(*row)) {
        let shape = RULES[row].shape;
        if let Shape::Assignment(judge) = shape {
            if settled <= keyword.start
                && let Some(value) = assigned(text, &keyword, judge)
            {
                settled = value.end;
                found.push(RuleMatch { row, range: value });
            }
            continue;
        }
        if is_too_short(shape, text, &keyword) {
            continue;
        }
        let start = keyword.start.saturating_sub(shape.reach_before());
        let end = text.len().min(keyword.end + shape.reach_after());
        let known = windows.entry(row).or_default();
        match known.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => known.push(start..end),
        }
    }
    windows
}

/// Returns where the value stands that a keyword promises, if it is a secret.
fn assigned(text: &str, keyword: &Range<usize>, judge: AssignmentTest) -> Option<Range<usize>> {
    let value = assignments(text, keyword).find(judge)?.range();
    Some(value.start..end_of_word(text, value.end))
}

/// True when no match can stand here: the shortest token has 20 characters, and none has a space.
/// Saves compiling a pattern for `task` and `key-value`.
fn is_too_short(shape: Shape, text: &str, keyword: &Range<usize>) -> bool {
    const SHORTEST: usize = 20;
    let run = |bytes: &mut dyn Iterator<Item = &u8>| {
        bytes.take(SHORTEST).take_while(|byte| !byte.is_ascii_whitespace()).count()
    };
    match shape {
        Shape::Token => {
            let before = run(&mut text.as_bytes()[..keyword.start].iter().rev());
            before + run(&mut text.as_bytes()[keyword.start..].iter()) < SHORTEST
        }
        Shape::Named | Shape::NamedKey | Shape::Passage | Shape::Assignment(_) => false,
    }
}

/// Tells whether a stretch holds a word as long as a match needs one. In prose hardly any does, and a pattern
/// would look at each of its symbols.
fn has_room(shape: Shape, stretch: &[u8]) -> bool {
    const LONG: usize = 32;
    match shape {
        Shape::NamedKey => {
            let mut start = 0;
            while let Some(word) = stretch.get(start..start + LONG) {
                match word.iter().rposition(u8::is_ascii_whitespace) {
                    Some(blank) => start += blank + 1,
                    None => return true,
                }
            }
            false
        }
        Shape::Token | Shape::Named | Shape::Passage | Shape::Assignment(_) => true,
    }
}

fn search(text: &str, window: Range<usize>, row: usize, mut found: impl FnMut(Range<usize>)) {
    let rule = &RULES[row];
    let pattern = PATTERNS[row].get_or_init(|| rule.compile());
    let bytes = &text.as_bytes()[..window.end];
    let mut start = window.start;
    let mut refused_until = 0;
    while start < window.end {
        let Some(captures) = pattern.captures_at(bytes, start) else {
            return;
        };
        let whole = captures.get(0).expect("a match has a whole").range();
        let value = captures.iter().flatten().last().expect("a match has a whole").range();
        let value = floor(text, value.start)..ceiling(text, value.end);
        let candidate = Candidate {
            value: Redacted::new(&text[value.clone()]),
            lead: Redacted::new(&text[floor(text, whole.start)..value.start]),
            before: Redacted::new(line_before(text, floor(text, whole.start))),
        };
        if (rule.check)(&candidate) {
            let value = value.start..end_of_word(text, value.end);
            start = value.end.max(start + 1);
            found(value);
        } else {
            start = resume(rule.shape, &whole, &value, &mut refused_until);
        }
    }
}

/// Patterns are bounded, secrets are not: what follows without a break belongs to the secret.
fn end_of_word(text: &str, end: usize) -> usize {
    let belongs = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_-".contains(byte);
    let rest = &text.as_bytes()[end..];
    end + rest.iter().take_while(|byte| belongs(byte)).count()
}

/// Where to go on after a refusal. A refused value may hold the name of the next assignment, as in
/// `token: password = …`, so it is entered, but only once: hostile text could nest names without end,
/// and going through one value again and again would cost the square of its length.
fn resume(
    shape: Shape,
    whole: &Range<usize>,
    value: &Range<usize>,
    refused_until: &mut usize,
) -> usize {
    const SHORT: usize = 32;
    let is_new = whole.start >= *refused_until;
    *refused_until = value.end.max(*refused_until);
    match shape {
        Shape::Named | Shape::NamedKey if is_new || value.len() <= SHORT => {
            value.start.max(whole.start + 1)
        }
        Shape::Named | Shape::NamedKey | Shape::Token | Shape::Passage | Shape::Assignment(_) => {
            value.end.max(whole.start + 1)
        }
    }
}

/// Patterns match bytes, so a match may begin or end inside a character.
fn ceiling(text: &str, offset: usize) -> usize {
    (offset..text.len()).find(|index| text.is_char_boundary(*index)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::find;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = find(text, |_| true).into_iter().map(|it| &text[it.range]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_secret_longer_than_its_pattern_is_found_whole() {
        let value = "k8Jq2mXw7TzP4vRb9LsD".repeat(40);
        check(&format!("token={value} and more"), &[&value]);
    }

    #[test]
    fn a_keyword_without_a_value_is_nothing() {
        check(&"token = key: secret ".repeat(50), &[]);
    }

    #[test]
    fn a_secret_behind_names_glued_to_names_is_found() {
        let value = "k8Jq2mXw7TzP4vRb";
        let glued = format!("{}{value}", "secret-token:".repeat(99));
        let text = format!("{glued} and {glued}");
        let ends: Vec<usize> = find(&text, |_| true).into_iter().map(|it| it.range.end).collect();
        assert_eq!(ends, [glued.len(), text.len()]);
    }

    #[test]
    fn a_keyword_in_any_case_is_seen() {
        check("ToKeN=k8Jq2mXw7TzP4vRb", &["k8Jq2mXw7TzP4vRb"]);
    }

    #[test]
    fn a_token_may_fill_the_whole_text() {
        check("AKIACATZNONPCM2WKDLD", &["AKIACATZNONPCM2WKDLD"]);
        check("AKIACATZNONPCM2WKDL D", &[]);
    }

    #[test]
    fn letters_beyond_ascii_do_not_break_a_window() {
        let value = "k8Jq2mXw7TzP4vRb";
        let text = format!("{}token={value}{}", "é".repeat(99), "é".repeat(999));
        check(&text, &[]);
        check(&format!("{}token={value} {}", "é".repeat(99), "é".repeat(999)), &[value]);
    }
}
