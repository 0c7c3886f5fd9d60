//! Keeps words that a reader has to decode out of comments and messages.

use regex::Regex;

use crate::docs::OUT;
use crate::tidy::production;

/// In code these are standard words, unless they are said of a file.
const ONLY_IN_DOCUMENTS: [&str; 3] = ["anew", "aside", "landing"];

#[test]
fn comments_and_messages_are_in_plain_words() {
    let mut words = vec!["made anew", "put aside"];
    words.extend(OUT.iter().filter(|word| !ONLY_IN_DOCUMENTS.contains(word)));
    let words = Regex::new(&format!(r"(?i)\b({})\b", words.join("|"))).expect("it is a pattern");
    let mut found = Vec::new();
    for source in production() {
        for (number, line) in
            source.text.lines().enumerate().filter(|(_, line)| words.is_match(line))
        {
            found.push(format!("{}:{}: {}", source.path, number + 1, line.trim()));
        }
    }
    assert!(found.is_empty(), "say it in plain words:\n{}", found.join("\n"));
}
