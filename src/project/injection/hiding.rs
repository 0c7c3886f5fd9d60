//! Finds orders in text that a person does not see: comments, elements that are not shown, references that nothing uses.

use std::sync::LazyLock;

use regex::Regex;

use super::orders::in_unseen;
use super::pattern::pattern;
use super::sign::{Injection, InjectionKind};
use crate::markdown::{LineStarts, Readable};
use crate::text::within_bytes;

static COMMENT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?is)<!--(?P<inside>.*?)(?:-->|$)"));

/// An element that asks for not being seen.
static UNSHOWN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?is)<(?P<name>\w+)\b[^>]*(?:(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?:\.0\d*)?\s*[;"']|color\s*[:=]\s*["']?(?:white|#fff|transparent|rgba?\(\s*255\s*,\s*255\s*,\s*255)|height\s*:\s*0|width\s*:\s*0|(?:left|top|text-indent)\s*:\s*-\d{3,})[^>]*|\shidden(?:[\s=/][^>]*)?)>"#,
    )
});

/// An element whose text is never shown.
static NEVER_SHOWN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?is)<(?:script|noscript|template|style)\b[^>]*>(?P<inside>.*?)(?:</|$)")
});

static TAG: LazyLock<Regex> = LazyLock::new(|| pattern("(?is)<[^>]*>"));

/// Words of an element that a reader sees only when pointing at it.
static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?is)\s(?:alt|title|aria-label|data-[\w-]+|content|value|placeholder)\s*=\s*(?:"(?P<a>[^"]*)"|'(?P<b>[^']*)')"#,
    )
});

/// `[//]: # (text)`: a reference that nothing uses is a comment.
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?m)^ {0,3}\[[^\]\n]+\]:\s*\S+\s+(?:"(?P<a>.*)"|'(?P<b>.*)'|\((?P<c>.*)\))\s*$"#)
});

pub(super) fn find(readable: &Readable<'_>) -> Vec<Injection> {
    let mut found = Vec::new();
    for block in readable.html.iter().filter(|block| !is_own(&block.text)) {
        let lines = LineStarts::of(&block.text);
        let line_of = |at: usize| block.line + lines.at(at) - 1;
        let unseen =
            COMMENT.captures_iter(&block.text).chain(NEVER_SHOWN.captures_iter(&block.text));
        for comment in unseen {
            let inside = comment.name("inside").expect("the pattern has it");
            found.extend(in_unseen(inside.as_str()).map(|text| {
                let start = inside.start() + inside.as_str().find(text.trim()).unwrap_or(0);
                Injection::new(line_of(start), InjectionKind::HiddenText, &text)
            }));
        }
        for attribute in ATTRIBUTE.captures_iter(&block.text) {
            let words = attribute.name("a").or(attribute.name("b")).expect("the pattern has it");
            found.extend(in_unseen(words.as_str()).map(|text| {
                Injection::new(line_of(words.start()), InjectionKind::HiddenText, &text)
            }));
        }
    }
    if readable.html.iter().any(|block| block.text.contains('<') && !is_comment(&block.text)) {
        found.extend(unshown(&readable.without_code));
    }
    if readable.text.contains("]: ") {
        found.extend(references(readable.text));
    }
    found
}

/// Tells whether a block is a mark of ours, such as `<!-- @id: errors -->`: nearly every section has one.
fn is_own(block: &str) -> bool {
    let mut lines = block.trim().lines();
    lines.all(|line| line.trim_start().starts_with("<!-- @") && line.trim_end().ends_with("-->"))
}

fn is_comment(block: &str) -> bool {
    let block = block.trim();
    block.starts_with("<!--") && block.matches('<').count() == block.matches("<!--").count()
}

/// Bytes that an element is looked into: many may stand in one file, each without an end.
const INSIDE: usize = 2 * 1024;

/// Finds elements that are not shown, and what they hold.
fn unshown(text: &str) -> Vec<Injection> {
    let lines = LineStarts::of(text);
    let mut found = Vec::new();
    for tag in UNSHOWN.captures_iter(text) {
        let whole = tag.get(0).expect("a match has a text");
        let end = format!("</{}", &tag["name"]);
        let inside = within_bytes(&text[whole.end()..], INSIDE);
        let inside = inside.split(&end).next().unwrap_or_default();
        let words = TAG.replace_all(inside, " ");
        if words.split_whitespace().count() > 2 {
            let line = lines.at(whole.start());
            found.push(Injection::new(line, InjectionKind::HiddenText, whole.as_str()));
        }
    }
    found
}

fn references(text: &str) -> Vec<Injection> {
    let lines = LineStarts::of(text);
    let unseen = REFERENCE.captures_iter(text).filter_map(|found| {
        let words = ["a", "b", "c"].iter().find_map(|name| found.name(name))?;
        let line = lines.at(words.start());
        in_unseen(words.as_str()).map(|text| Injection::new(line, InjectionKind::HiddenText, &text))
    });
    unseen.collect()
}
