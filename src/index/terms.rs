//! Cuts texts into the terms of the index: words by their stems, scripts without blanks in pairs of characters. The
//! database only splits what is written here at its blanks.

use std::ops::Range;

use super::characters::{fold, is_mixed, is_number, is_of_word, is_unsegmented, runs};
use super::forms::stem;

/// Returns the places of the words of a text: runs of letters and digits, with the marks on them. The `v` of `v1.2` is no
/// part of one, so that a version is found with it and without.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    runs(text, char::is_alphanumeric, is_of_word).map(|word| {
        let number = text[word.clone()].strip_prefix(['v', 'V']).filter(|rest| is_number(rest));
        let behind = text[word.end..].strip_prefix('.').filter(|_| number.is_some());
        let is_version = behind.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        word.start + usize::from(is_version)..word.end
    })
}

/// Returns the terms of a text in their order, with a blank between them.
pub(crate) fn terms(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    for word in words(text) {
        for term in script_runs(&fold(&text[word])).iter().flat_map(ScriptRun::terms) {
            if !found.is_empty() {
                found.push(' ');
            }
            found.push_str(&term);
        }
    }
    found
}

/// A run of characters of one sort in a word that is folded.
#[derive(Debug)]
pub(super) enum ScriptRun {
    /// Of a script with blanks.
    Spaced(String),
    /// Of a script without blanks.
    Unspaced(Vec<char>),
}

impl ScriptRun {
    /// Returns the terms in a row. A run ends with its last character alone: so every character begins a term, and the
    /// pairs of two runs are no row.
    pub(super) fn terms(&self) -> Vec<String> {
        match self {
            Self::Spaced(word) => vec![stem(word)],
            Self::Unspaced(run) => {
                let pairs = run.windows(2).map(|pair| pair.iter().collect());
                pairs.chain(run.last().map(|last| last.to_string())).collect()
            }
        }
    }
}

pub(super) fn script_runs(folded: &str) -> Vec<ScriptRun> {
    if !is_mixed(folded) {
        return vec![ScriptRun::Spaced(folded.to_owned())];
    }
    let characters: Vec<char> = folded.chars().collect();
    let runs = characters.chunk_by(|one, next| is_unsegmented(*one) == is_unsegmented(*next));
    let typed = |run: &[char]| match is_unsegmented(run[0]) {
        true => ScriptRun::Unspaced(run.to_vec()),
        false => ScriptRun::Spaced(run.iter().collect()),
    };
    runs.map(typed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_terms_that_a_question_looks_for() {
        assert_eq!(terms("She went; we Bought it."), "she go we bui it");
        assert_eq!(terms("Le café, ΟΔΟΣ"), "le cafe οδοσ");
        assert_eq!(terms("JWT認証 plain"), "jwt 認証 証 plain");
        assert_eq!(terms("since v1.2.3, v2.0, v2"), "sinc 1 2 3 2 0 v2");
    }
}
