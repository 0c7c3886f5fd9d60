//! Brings the forms of an English word together: those that an ending makes, and the irregular ones.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::words;
use crate::text::without_accents;

/// Words whose forms no rule brings together; the first of each line stands for all of them.
const IRREGULAR: &[&str] = &[
    "become became",
    "begin began begun",
    "bend bent",
    "bite bit bitten",
    "break broke broken",
    "bring brought",
    "build built",
    "buy bought",
    "catch caught",
    "child children",
    "choose chose chosen",
    "come came",
    "dig dug",
    "draw drew drawn",
    "drink drank drunk",
    "drive drove driven",
    "eat ate eaten",
    "fall fell fallen",
    "feed fed",
    "feel felt",
    "fight fought",
    "find found",
    "fly flew flown",
    "foot feet",
    "forget forgot forgotten",
    "freeze froze frozen",
    "get got gotten",
    "give gave given",
    "go went gone",
    "grow grew grown",
    "hang hung",
    "hear heard",
    "hide hid hidden",
    "hold held",
    "keep kept",
    "know knew known",
    "lead led",
    "learn learnt",
    "leave left",
    "lend lent",
    "light lit",
    "lose lost",
    "make made",
    "man men",
    "mean meant",
    "meet met",
    "mouse mice",
    "pay paid",
    "person people",
    "ride rode ridden",
    "rise rose risen",
    "run ran",
    "say said",
    "see saw seen",
    "seek sought",
    "sell sold",
    "send sent",
    "shake shook shaken",
    "shoot shot",
    "show shown",
    "sing sang sung",
    "sink sank sunk",
    "sit sat",
    "sleep slept",
    "speak spoke spoken",
    "spend spent",
    "stand stood",
    "steal stole stolen",
    "stick stuck",
    "strike struck",
    "swear swore sworn",
    "swim swam swum",
    "take took taken",
    "teach taught",
    "tear tore torn",
    "tell told",
    "think thought",
    "throw threw thrown",
    "understand understood",
    "wake woke woken",
    "wear wore worn",
    "wife wives",
    "win won",
    "woman women",
    "write wrote written",
];

/// No form in the table is longer.
const LONGEST_FORM: usize = 10;

/// Endings that do not change what a word is about, longest first.
const ENDINGS: [&str; 14] = [
    "ations", "ation", "ings", "ions", "ates", "ated", "ing", "ion", "ate", "ies", "ed", "es", "s",
    "e",
];

static BASES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let forms = |line: &'static str| {
        let mut words = line.split(' ');
        let base = words.next().unwrap_or_default();
        words.map(move |form| (form, base))
    };
    IRREGULAR.iter().copied().flat_map(forms).collect()
});

/// Writes a text with the base of each irregular form, so that `went` and `go` are one word.
pub(super) fn with_bases(text: &str) -> Cow<'_, str> {
    let mut changed = String::new();
    let mut copied = 0;
    for word in words(text) {
        if let Some(base) = base_of(&text[word.clone()]) {
            changed.push_str(&text[copied..word.start]);
            changed.push_str(base);
            copied = word.end;
        }
    }
    if copied == 0 { Cow::Borrowed(text) } else { Cow::Owned(changed + &text[copied..]) }
}

/// Folds case, accents and forms away and takes the ending off; rougher than the index.
pub(super) fn stem(word: &str) -> String {
    if let Some(base) = base_of(word) {
        return stem(base);
    }
    let mut folded =
        if word.is_ascii() { word.to_ascii_lowercase() } else { without_accents(word) };
    let ending = ENDINGS
        .iter()
        .find(|ending| folded.len() >= ending.len() + 3 && folded.ends_with(**ending))
        .map_or(0, |ending| ending.len());
    folded.truncate(folded.len() - ending);
    folded
}

/// Returns the first letters of the irregular forms of a base.
pub(super) fn first_letters(base: &str) -> impl Iterator<Item = u8> {
    let forms = IRREGULAR.iter().find_map(|line| line.strip_prefix(base)?.strip_prefix(' '));
    forms.unwrap_or_default().split(' ').filter_map(|form| form.bytes().next())
}

fn base_of(word: &str) -> Option<&'static str> {
    if word.len() > LONGEST_FORM || !word.is_ascii() {
        return None;
    }
    match word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => BASES.get(word.to_ascii_lowercase().as_str()).copied(),
        false => BASES.get(word).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn irregular_forms_are_written_as_their_base() {
        assert_eq!(with_bases("She went; we Bought it."), "She go; we buy it.");
        assert_eq!(with_bases("plain words, café"), "plain words, café");
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (one, other) in
            [("tokens", "token"), ("rotation", "rotates"), ("taken", "taking"), ("Café", "cafe")]
        {
            assert_eq!(stem(one), stem(other), "{one} {other}");
        }
    }

    #[test]
    fn a_base_is_no_form_of_another_word() {
        for line in IRREGULAR {
            let base = line.split(' ').next().expect("a word");
            assert_eq!(base_of(base), None, "{base}");
        }
    }
}
