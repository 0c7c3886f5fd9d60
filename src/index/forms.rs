//! Brings the forms of an English word together: those that an ending makes, and the irregular ones.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::porter::without_ending;

/// Words whose forms no rule brings together; the first of each group is used for all of them. The stemmer makes
/// `deploi` of `deploy`, and not of `deployment`.
const IRREGULAR: &str = "analysis analyses, become became, begin began begun, bend bent, betray betrayal betrayals, \
    bite bit bitten, break broke broken, bring brought, build built, buy bought, catch caught, \
    child children, choose chose chosen, come came, criterion criteria, deploy deployment \
    deployments deployer deployers deployable, destroy destroyer destroyers, dig dug, draw \
    drew drawn, drink drank drunk, drive drove driven, eat ate eaten, employ employment \
    employments employer employers, enjoy enjoyment enjoyments enjoyable, fall fell fallen, \
    feed fed, feel felt, fight fought, find found, fly flew flown, foot feet, forget forgot \
    forgotten, freeze froze frozen, get got gotten, give gave given, go went gone, grow grew \
    grown, hang hung, half halves, hear heard, hide hid hidden, hold held, index indices, keep \
    kept, know knew known, lead led, learn learnt, leave left, lend lent, light lit, lose \
    lost, make made, man men, matrix matrices, mean meant, meet met, mouse mice, pay paid \
    payment payments, person people, prepay prepaid prepayment prepayments, rebuild rebuilt, \
    redeploy redeployment redeployments, repay repaid repayment repayments, rewrite rewrote \
    rewritten, ride rode ridden, rise rose risen, run ran, say said, see saw seen, seek \
    sought, sell sold, send sent, shake shook shaken, shoot shot, show shown, sing sang sung, \
    sink sank sunk, sit sat, sleep slept, speak spoke spoken, spend spent, stand stood, steal \
    stole stolen, stick stuck, strike struck, swear swore sworn, sweep swept, swim swam swum, \
    take took taken, teach taught, tear tore torn, tell told, think thought, throw threw \
    thrown, tooth teeth, understand understood, vertex vertices, wake woke woken, wear wore \
    worn, wife wives, win won, woman women, write wrote written";

static BASES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let groups = IRREGULAR.split(", ").filter_map(|group| group.split_once(' '));
    groups.flat_map(|(base, forms)| forms.split(' ').map(move |form| (form, base))).collect()
});

/// Returns the stem of a word in small letters and without accents; all its forms have the same.
pub(super) fn stem(word: &str) -> String {
    without_ending(BASES.get(word).copied().unwrap_or(word).to_owned())
}

/// Returns the irregular forms that begin with an unfinished word.
pub(super) fn irregular_from(beginning: &str) -> impl Iterator<Item = &'static str> {
    let forms = IRREGULAR.split(", ").flat_map(|group| group.split(' ').skip(1));
    forms.filter(move |form| form.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (one, other) in
            [("tokens", "token"), ("rotation", "rotates"), ("taken", "taking"), ("went", "go")]
        {
            assert_eq!(stem(one), stem(other), "{one} {other}");
        }
    }

    #[test]
    fn a_base_is_no_form_of_another_word() {
        for group in IRREGULAR.split(", ") {
            let base = group.split(' ').next().expect("a word");
            assert_eq!(BASES.get(base), None, "{base}");
        }
    }
}
