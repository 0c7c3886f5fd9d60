//! Brings the forms of an English word together: those that an ending makes, and the irregular ones.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::porter::without_ending;
use super::words::words;
use crate::text::without_accents;

/// Words whose forms no rule brings together; the first of each line stands for all of them. The tokenizer makes
/// `deploi` of `deploy`, and of `deployment` it does not.
const IRREGULAR: &[&str] = &[
    "analysis analyses",
    "become became",
    "begin began begun",
    "bend bent",
    "betray betrayal betrayals",
    "bite bit bitten",
    "break broke broken",
    "bring brought",
    "build built",
    "buy bought",
    "catch caught",
    "child children",
    "choose chose chosen",
    "come came",
    "criterion criteria",
    "deploy deployment deployments deployer deployers deployable",
    "destroy destroyer destroyers",
    "dig dug",
    "draw drew drawn",
    "drink drank drunk",
    "drive drove driven",
    "eat ate eaten",
    "employ employment employments employer employers",
    "enjoy enjoyment enjoyments enjoyable",
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
    "half halves",
    "hear heard",
    "hide hid hidden",
    "hold held",
    "index indices",
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
    "matrix matrices",
    "mean meant",
    "meet met",
    "mouse mice",
    "pay paid payment payments",
    "person people",
    "prepay prepaid prepayment prepayments",
    "rebuild rebuilt",
    "redeploy redeployment redeployments",
    "repay repaid repayment repayments",
    "rewrite rewrote rewritten",
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
    "sweep swept",
    "swim swam swum",
    "take took taken",
    "teach taught",
    "tear tore torn",
    "tell told",
    "think thought",
    "throw threw thrown",
    "tooth teeth",
    "understand understood",
    "vertex vertices",
    "wake woke woken",
    "wear wore worn",
    "wife wives",
    "win won",
    "woman women",
    "write wrote written",
];

/// Bytes of a form, at most.
const LONGEST: usize = 15;

/// A form and its base.
type Form = (&'static str, &'static str);

/// The forms that begin with each letter, by their length: every word of a text is looked up.
static BASES: LazyLock<[[Vec<Form>; LONGEST + 1]; 26]> = LazyLock::new(|| {
    let mut bases = [const { [const { Vec::new() }; LONGEST + 1] }; 26];
    for line in IRREGULAR {
        let mut words = line.split(' ');
        let base = words.next().unwrap_or_default();
        for form in words {
            bases[usize::from(form.as_bytes()[0] - b'a')][form.len()].push((form, base));
        }
    }
    bases
});

/// Writes a text with the base of each irregular form, so that `went` and `go` are one word, and without accents.
pub(super) fn with_bases(text: &str) -> Cow<'_, str> {
    let mut changed = String::new();
    let mut copied = 0;
    for word in words(text) {
        let here = &text[word.clone()];
        let form = match base_of(here) {
            Some(base) => Cow::Borrowed(base),
            None if here.is_ascii() => continue,
            None => without_accents(here),
        };
        changed.push_str(&text[copied..word.start]);
        changed.push_str(&form);
        copied = word.end;
    }
    if copied == 0 { Cow::Borrowed(text) } else { Cow::Owned(changed + &text[copied..]) }
}

/// Returns a word as the index has it: without case, accents and ending, and with its base for an irregular form.
pub(super) fn stem(word: &str) -> String {
    let word = base_of(word).unwrap_or(word);
    match word.is_ascii() {
        true => without_ending(word.to_ascii_lowercase()),
        false => without_ending(without_accents(word).to_lowercase().replace('ς', "σ")),
    }
}

/// Returns the irregular forms of the words with a stem, which is `deploi` for `deploy`.
fn irregular_forms(wanted: &str) -> impl Iterator<Item = &'static str> {
    let lines = IRREGULAR.iter().filter_map(|line| line.split_once(' '));
    let is_near = move |base: &str| base.as_bytes().first() == wanted.as_bytes().first();
    lines
        .filter(move |(base, _)| is_near(base) && stem(base) == wanted)
        .flat_map(|(_, forms)| forms.split(' '))
}

/// Returns the irregular forms that a word may become once it is written to its end.
pub(super) fn irregular_from(beginning: &str) -> impl Iterator<Item = &'static str> {
    let forms = IRREGULAR.iter().flat_map(|line| line.split(' ').skip(1));
    forms.filter(move |form| form.starts_with(beginning))
}

fn base_of(word: &str) -> Option<&'static str> {
    let letter = word.bytes().next()?.to_ascii_lowercase().checked_sub(b'a')?;
    let forms = BASES.get(usize::from(letter))?.get(word.len())?;
    forms.iter().find(|(form, _)| form.eq_ignore_ascii_case(word)).map(|(_, base)| *base)
}

/// How words with some stems may begin, in any form: most others are told from them by two letters.
#[derive(Debug)]
pub(super) struct Beginnings {
    first: [bool; 256],
    second: [bool; 256],
}

impl Beginnings {
    pub(super) fn of<'a>(stems: impl Iterator<Item = &'a str>) -> Self {
        let mut all = Self { first: [false; 256], second: [false; 256] };
        for stem in stems {
            all.add(stem);
            irregular_forms(stem).for_each(|form| all.add(form));
        }
        // Accents and other scripts are folded before they are compared.
        all.first[128..].fill(true);
        all.second[128..].fill(true);
        all
    }

    fn add(&mut self, form: &str) {
        let mut bytes = form.bytes();
        let mut next = || bytes.next().map(usize::from);
        self.first[next().unwrap_or_default()] = true;
        match next() {
            Some(second) => self.second[second] = true,
            // More may have been taken off than the second letter.
            None => self.second.fill(true),
        }
    }

    /// Tells whether a word may have one of the stems.
    pub(super) fn may_begin(&self, word: &str) -> bool {
        let mut bytes = word.bytes().map(|byte| byte.to_ascii_lowercase());
        let mut next = || usize::from(bytes.next().unwrap_or_default());
        self.first[next()] && self.second[next()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn irregular_forms_are_written_as_their_base() {
        assert_eq!(with_bases("She went; we Bought it."), "She go; we buy it.");
        assert_eq!(with_bases("plain words, café"), "plain words, cafe");
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

    #[test]
    fn every_form_of_a_word_may_begin_as_it_does() {
        for line in IRREGULAR {
            let base = line.split(' ').next().expect("a word");
            let beginnings = Beginnings::of([stem(base).as_str()].into_iter());
            for form in line.split(' ') {
                assert!(beginnings.may_begin(form), "{base} {form}");
                assert!(beginnings.may_begin(&form.to_uppercase()), "{form}");
            }
        }
    }
}
