//! Keeps words that a reader has to decode out of comments and messages.

use regex::Regex;

use crate::tidy::all_sources;

/// Each has a plain word in `CONTRIBUTING.md` or in any dictionary. Documents have a longer list (`docs.rs`).
const OUT: [&str; 18] = [
    "by then",
    "desk",
    "essence",
    "landed",
    "lands",
    "made anew",
    "meanwhile",
    "nobody",
    "precedents",
    "put aside",
    "so often",
    "somebody",
    "stranger",
    "takes the place of",
    "twin",
    "waits no more",
    "whoever",
    "youngest",
];

#[test]
fn comments_and_messages_are_in_plain_words() {
    let words = Regex::new(&format!(r"(?i)\b({})\b", OUT.join("|"))).expect("it is a pattern");
    let is_production = |path: &str| !path.contains("/tests/") && !path.ends_with("tests.rs");
    let mut found = Vec::new();
    for source in all_sources().into_iter().filter(|source| is_production(&source.path)) {
        let text = source.text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| words.is_match(line)) {
            found.push(format!("{}:{}: {}", source.path, number + 1, line.trim()));
        }
    }
    assert!(found.is_empty(), "say it in plain words:\n{}", found.join("\n"));
}
