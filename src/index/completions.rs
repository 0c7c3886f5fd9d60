//! Ends words that are not written to their end.

use super::forms::{irregular_from, stem};

/// Returns words that an unfinished one may become with an ending, of which a part stands there already: the
/// database keeps them without it, and so with less than what stands there. One word of each stem.
pub(super) fn completions(word: &str) -> Vec<String> {
    const ENDINGS: &str = "ability able al alities ality alize ally ance ancies ancy ant ate ation \
        ative ator ed ement ence encies ency ent ently er ful fulness ibility ible ical ication \
        icity ing ion ional ism ities ity ive iveness ivity ization ize ly ment ness ous ously \
        ousness";
    const SHORTEST: usize = 2;
    let mut found: Vec<String> = Vec::new();
    let mut stems: Vec<String> = Vec::new();
    let cuts = word.char_indices().map(|(at, _)| at).skip(SHORTEST);
    let ended = cuts.chain([word.len()]).flat_map(|at| {
        let (stump, begun) = word.split_at(at);
        // Where none has begun there may be one letter twice, as in `committ`.
        let begun = if begun.is_empty() { "ing" } else { begun };
        let endings = ENDINGS.split(' ').filter(move |ending| ending.starts_with(begun));
        endings.map(move |ending| format!("{stump}{ending}"))
    });
    for whole in irregular_from(word).map(str::to_owned).chain(ended) {
        let stem = stem(&whole);
        if !stems.contains(&stem) {
            stems.push(stem);
            found.push(whole);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_word_may_end_within_an_ending() {
        for (word, whole) in [
            ("performan", "performance"),
            ("securit", "security"),
            ("deploym", "deployment"),
            ("responsib", "responsible"),
            ("responsibil", "responsibilities"),
            ("usef", "useful"),
            ("usefuln", "usefulness"),
            ("happine", "happiness"),
            ("authentica", "authentication"),
            ("configurab", "configurable"),
            ("committi", "committing"),
            ("applicati", "application"),
            ("organiza", "organization"),
            ("dependenc", "dependencies"),
            ("effectivel", "effectively"),
            ("electrici", "electricity"),
        ] {
            let all = completions(word);
            assert!(all.iter().any(|known| stem(known) == stem(whole)), "{word}: {all:?}");
            assert!(all.len() < 32, "{word}: {all:?}");
        }
    }
}
