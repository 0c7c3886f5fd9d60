//! Takes the ending off an English word: by M. F. Porter, "An algorithm for suffix stripping" (1980), with `log` for `logi`.

/// Others stay as they are.
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=64;

type Rule = (&'static str, &'static str);

const SECOND: &[Rule] = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("logi", "log"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
];

const THIRD: &[Rule] = &[
    ("ical", "ic"),
    ("ness", ""),
    ("icate", "ic"),
    ("iciti", "ic"),
    ("ful", ""),
    ("ative", ""),
    ("alize", "al"),
];

const FOURTH: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
];

pub(super) fn without_ending(mut word: String) -> String {
    if !word.is_ascii() || !LENGTHS.contains(&word.len()) {
        return word;
    }
    take_plural_off(&mut word);
    take_tense_off(&mut word);
    if word.strip_suffix('y').is_some_and(has_vowel) {
        replace_end(&mut word, 1, "i");
    }
    for rules in [SECOND, THIRD] {
        let rule = rules.iter().find(|(ending, _)| ends(&word, ending));
        if let Some((ending, other)) = rule.filter(|(ending, _)| measure(stem(&word, ending)) > 0) {
            replace_end(&mut word, ending.len(), other);
        }
    }
    if let Some(ending) = FOURTH.iter().find(|ending| ends(&word, ending)) {
        let stem = stem(&word, ending);
        if measure(stem) > 1 && (*ending != "ion" || stem.ends_with(['s', 't'])) {
            replace_end(&mut word, ending.len(), "");
        }
    }
    let is_silent = |stem| measure(stem) > 1 || (measure(stem) == 1 && !is_short(stem));
    if word.strip_suffix('e').is_some_and(is_silent) {
        replace_end(&mut word, 1, "");
    }
    if word.ends_with("ll") && measure(&word[..word.len() - 1]) > 1 {
        replace_end(&mut word, 1, "");
    }
    word
}

fn take_plural_off(word: &mut String) {
    let (ies, sses) = (ends(word, "ies"), ends(word, "sses"));
    if ies || sses {
        replace_end(word, 2, "");
    } else if word.ends_with('s') && !word.ends_with("ss") {
        replace_end(word, 1, "");
    }
}

fn take_tense_off(word: &mut String) {
    if ends(word, "eed") {
        if measure(stem(word, "eed")) > 0 {
            replace_end(word, 1, "");
        }
        return;
    }
    let Some(ending) = ["ed", "ing"].into_iter().find(|ending| ends(word, ending)) else { return };
    if !has_vowel(stem(word, ending)) {
        return;
    }
    replace_end(word, ending.len(), "");
    if ["at", "bl", "iz"].iter().any(|ending| ends(word, ending)) {
        word.push('e');
        return;
    }
    let bytes = word.as_bytes();
    let is_doubled = matches!(bytes, [.., one, other] if one == other);
    if is_doubled && !word.ends_with(['a', 'e', 'i', 'o', 'u', 'l', 's', 'z']) {
        replace_end(word, 1, "");
    } else if measure(word) == 1 && is_short(word) {
        word.push('e');
    }
}

fn ends(word: &str, ending: &str) -> bool {
    word.len() > ending.len() && word.ends_with(ending)
}

fn stem<'w>(word: &'w str, ending: &str) -> &'w str {
    &word[..word.len() - ending.len()]
}

fn replace_end(word: &mut String, bytes: usize, other: &str) {
    word.truncate(word.len() - bytes);
    word.push_str(other);
}

/// Tells of each letter whether it is a vowel; a `y` is one behind a consonant.
fn vowels(word: &str) -> impl Iterator<Item = bool> {
    let mut was_consonant = false;
    word.bytes().map(move |byte| {
        let is_vowel = b"aeiou".contains(&byte) || (was_consonant && byte == b'y');
        was_consonant = !is_vowel;
        is_vowel
    })
}

/// Counts how often a consonant comes behind a vowel.
fn measure(word: &str) -> usize {
    let mut was_vowel = false;
    vowels(word)
        .filter(|is_vowel| std::mem::replace(&mut was_vowel, *is_vowel) && !is_vowel)
        .count()
}

fn has_vowel(word: &str) -> bool {
    let is_vowel = |(at, byte): (usize, u8)| b"aeiou".contains(&byte) || (at > 0 && byte == b'y');
    word.bytes().enumerate().any(is_vowel)
}

/// Tells whether a word ends with a vowel between consonants, as `hop` does.
fn is_short(word: &str) -> bool {
    let last = word.len().saturating_sub(3);
    vowels(word).skip(last).eq([false, true, false]) && !word.ends_with(['w', 'x', 'y'])
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDED: &str = "retries retri, queries queri, policy polici, stopping stop, committed commit, removal remov,
        hoping hope, hopping hop, agreed agre, feed feed, plastered plaster, bled bled, sing sing, conflated conflat,
        troubled troubl, sized size, falling fall, hissing hiss, fizzed fizz, failing fail, filing file, happy happi,
        sky sky, relational relat, conditional condit, rational ration, digitizer digit, operator oper,
        decisiveness decis, callousness callous, triplicate triplic, formative form, electrical electr, goodness good,
        inference infer, adjustable adjust, replacement replac, adoption adopt, communism commun, effective effect,
        rate rate, cease ceas, controll control, roll roll, caresses caress, ties ti, cats cat, is is, as as, yes ye,
        say sai, dying dy, apology apolog, ions ion, eed e, aaa aaa, boxed box, owed ow, go go";

    #[test]
    fn a_word_loses_its_ending() {
        for pair in ENDED.split(',') {
            let (word, expected) = pair.trim().split_once(' ').expect("a word and its stem");
            assert_eq!(without_ending(word.to_owned()), expected, "{word}");
        }
    }
}
