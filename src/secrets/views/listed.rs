//! Reads the numbered words of a recovery phrase as one line.

use std::ops::Range;

use crate::secrets::views::view::{RuleChoice, TextView};

/// What is said in front of a list about what it is.
const SIGNS: [&str; 4] = ["seed", "mnemonic", "recovery", "backup"];
/// How far in front of the list that may be.
const BEFORE: usize = 160;

/// The words of each list `1. … 2. …`, in lines, in a row or in a table, that follows the name of a recovery phrase.
pub(super) fn listed(text: &str) -> TextView {
    let mut view = TextView::new(RuleChoice::All);
    for (start, _) in text.match_indices('1') {
        let words = words_from(text, start);
        let is_phrase = matches!(words.len(), 12 | 15 | 18 | 21 | 24);
        if is_phrase && is_called_one(&text.as_bytes()[start.saturating_sub(BEFORE)..start]) {
            view.write("seed phrase: ", start..start);
            for word in words {
                view.copy(text, word.clone());
                view.write(" ", word.end..word.end);
            }
            view.truncate(view.text().len() - 1);
            view.end_line();
        }
    }
    view
}

fn is_called_one(before: &[u8]) -> bool {
    let before = String::from_utf8_lossy(before).to_ascii_lowercase();
    SIGNS.iter().any(|sign| before.contains(sign))
}

/// The words behind 1, 2 and so on.
fn words_from(text: &str, start: usize) -> Vec<Range<usize>> {
    const MOST: usize = 25;
    let mut words = Vec::new();
    let mut rest = &text[start..];
    while words.len() < MOST
        && let Some(behind) = rest.strip_prefix((words.len() + 1).to_string().as_str())
    {
        let word = behind.trim_start_matches(|c: char| " \t.):|`*-".contains(c));
        let length = word.bytes().take_while(u8::is_ascii_lowercase).count();
        if word.len() == behind.len() || !(3..=8).contains(&length) {
            break;
        }
        let at = text.len() - word.len();
        words.push(at..at + length);
        rest =
            word[length..].trim_start_matches(|c: char| c.is_whitespace() || ",|`*->".contains(c));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::listed;

    const WORDS: [&str; 12] = [
        "witch", "collapse", "practice", "feed", "shame", "open", "despair", "creek", "road",
        "again", "ice", "least",
    ];

    fn check(head: &str, item: fn((usize, &str)) -> String, expected: bool) {
        let list: String =
            WORDS.iter().enumerate().map(|(index, word)| item((index + 1, word))).collect();
        let found = match expected {
            true => format!("seed phrase: {}\n", WORDS.join(" ")),
            false => String::new(),
        };
        assert_eq!(listed(&format!("{head}{list}")).text(), found, "{list}");
    }

    #[test]
    fn numbered_words_are_read_as_one_line() {
        check("Ledger seed\n\n", |(number, word)| format!("{number}. {word}\n"), true);
        check("Recovery words: ", |(number, word)| format!("{number}) {word}, "), true);
        check("# Mnemonic\n|-|-|\n", |(number, word)| format!("| {number} | `{word}` |\n"), true);
    }

    #[test]
    fn other_lists_are_not() {
        check("Rooms\n\n", |(number, word)| format!("{number}. {word}\n"), false);
        check("Seed data\n\n", |(number, word)| format!("{number}. {word} and more\n"), false);
    }
}
