//! Cuts a question into the words that the observed server counts.

/// Words that say nothing about what is asked.
const STOP_WORDS: [&str; 25] = [
    "the", "and", "for", "with", "that", "this", "from", "into", "using", "have", "will", "your",
    "about", "after", "before", "when", "then", "than", "also", "just", "very", "more", "less",
    "over", "under",
];

/// Words that ask for what is newest.
const NEWEST: [&str; 14] = [
    "latest",
    "most recent",
    "recently",
    "current",
    "currently",
    "now",
    "nowadays",
    "today",
    "changed",
    "updated",
    "last time",
    "newest",
    "these days",
    "anymore",
];

/// Returns the words of a question in small letters, each once, without short ones and stop words.
pub(crate) fn tokens(question: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    for word in question.split(|c| !is_of_word(c)) {
        let word = word.trim_matches(['_', '-']).to_lowercase();
        let fits = word.chars().count() >= 3 && !STOP_WORDS.contains(&word.as_str());
        if fits && !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

/// Tells whether a question asks for what is newest.
pub(crate) fn asks_for_newest(question: &str) -> bool {
    let words = question.to_lowercase();
    let words: Vec<&str> = words.split(|c: char| !c.is_alphanumeric()).collect();
    NEWEST.iter().any(|phrase| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        words.windows(phrase.len()).any(|window| window == phrase)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_and_stop_words_are_left_out() {
        assert_eq!(tokens("The PostgreSQL db, with ACID_ acid"), ["postgresql", "acid"]);
        assert!(tokens("a x of").is_empty());
    }

    #[test]
    fn a_question_for_the_newest_is_known_by_its_words() {
        assert!(asks_for_newest("what is the most recent decision?"));
        assert!(!asks_for_newest("what do we know"));
    }
}
