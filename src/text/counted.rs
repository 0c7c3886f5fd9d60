//! Folds texts to what counts when they are compared: letters, digits and signs.

use super::fold::{is_mark, taken_apart};
use super::invisible::is_invisible;
use super::lookalikes::{looks, plain_punctuation};
use super::romanise::plain_latin;

/// Folds some blocks to what counts in them, in an order of their own. Blanks and the punctuation of prose do not count,
/// nor do case, accents and which of several characters that look alike stands there.
pub(crate) fn fold(blocks: &[String]) -> String {
    let folded = blocks.iter().map(|block| counted(block));
    let mut folded: Vec<String> = folded.filter(|block| !block.is_empty()).collect();
    folded.sort_unstable();
    folded.join("\n")
}

/// Folds some blocks as [`fold`] does, in their order: where a block ends is not seen.
pub(crate) fn fold_words(blocks: &[String]) -> String {
    counted(&blocks.join(" "))
}

/// Returns the letters, digits and signs of a text, with the punctuation that belongs to a number or a sign.
fn counted(text: &str) -> String {
    let (mut counted, mut between) = (String::with_capacity(text.len()), String::new());
    for character in taken_apart(&with_powers(text)).map(plain_punctuation) {
        let last = counted.chars().next_back();
        if is_mark(character) {
            match last {
                // A stroke makes another sign of a sign, but no other letter of a letter.
                Some(sign) if is_sign(sign) => counted.insert(counted.len() - sign.len_utf8(), '!'),
                _ => counted.push(character),
            }
        } else if character.is_alphanumeric()
            || is_sign(character)
            || plain_latin(character).is_some()
        {
            let is_number = character.is_numeric();
            if is_number && last.is_some_and(char::is_numeric) {
                counted.push_str(&between);
            } else if is_number || is_sign(character) {
                counted.push_str(&between[between.trim_end_matches(belongs_to_next).len()..]);
            }
            counted.push(character);
            between.clear();
        } else if !character.is_whitespace() {
            between.push(character);
        } else if !between.ends_with(' ') {
            between.push(' ');
        }
    }
    looks(&counted)
}

/// Writes `10²` as `10^2`, which is not 102, and leaves out what is not seen.
fn with_powers(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for character in text.chars().filter(|character| !is_invisible(*character)) {
        let is_power = matches!(
            character,
            '²' | '³' | '¹' | '¼'..='¾' | '\u{2070}'..='\u{207f}' | '\u{2150}'..='\u{215f}'
        );
        if is_power && written.ends_with(char::is_alphanumeric) {
            written.push('^');
        }
        written.push(character);
    }
    written
}

/// Punctuation that makes another one of a number or a sign behind it: `-1`, `.5`, `10^2`, `!=`, `./`.
fn belongs_to_next(character: char) -> bool {
    matches!(character, '-' | '.' | '^' | '!')
}

/// Signs of mathematics, money and code, and ticks.
fn is_sign(character: char) -> bool {
    matches!(
        character,
        '#' | '$' | '%' | '&' | '*' | '+' | '/' | '<' | '=' | '>' | '@' | '\\' | '_' | '|' | '~'
            | '¢'..='¥'
            | '¬'
            | '±'
            | '×'
            | '÷'
            | '‰'
            | '\u{20a0}'..='\u{20cf}'
            | '\u{2190}'..='\u{22ff}'
            | '\u{2610}'..='\u{2612}'
            | '\u{2705}'
            | '\u{2713}'..='\u{2718}'
            | '\u{274c}'
            | '\u{274e}'
            | '\u{27c0}'..='\u{27ff}'
            | '\u{2900}'..='\u{2aff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded<const N: usize>(blocks: [&str; N]) -> [String; 2] {
        let blocks = blocks.map(str::to_owned);
        [fold(&blocks), fold_words(&blocks)]
    }

    #[track_caller]
    fn check(text: &str, same: &[&str], other: &[&str]) {
        for same in same {
            assert_eq!(folded([text]), folded([same]), "{text:?} and {same:?}");
        }
        for other in other {
            let ([a, b], [c, d]) = (folded([text]), folded([other]));
            assert!(a != c && b != d, "{text:?} and {other:?}");
        }
    }

    #[test]
    fn blocks_stand_in_any_order_and_words_in_theirs() {
        assert_eq!(folded(["Use  B", "use a."])[0], folded(["USE A", "", "use\u{200b} b"])[0]);
        let words = folded(["use a.", "keep", "b c"])[1].clone();
        assert_eq!(folded(["Use A. Keep b", "c!"])[1], words);
        assert_ne!(folded(["use a", "not b"])[1], folded(["use b", "not a"])[1]);
        assert_ne!(folded(["wait 1", "0 is"])[1], folded(["wait 10", "is"])[1]);
    }

    #[test]
    fn what_a_reader_hardly_sees_does_not_count() {
        check(
            "use a",
            &["USE  A!", "\u{2022} use a", "us\u{e9}\u{a0}a", "\u{26a0}\u{fe0f} use a"],
            &[],
        );
        check("caf\u{e9} \u{fb01}le", &["cafe\u{301}\u{a0}file"], &[]);
        check(
            "keep the cache",
            &["\u{43a}eep the \u{441}\u{430}\u{441}he", "kee\u{336}p the cache"],
            &[],
        );
        check("don't \"ask\" - go", &["don\u{2019}t \u{201c}ask\u{201d} \u{2014} go"], &[]);
        check("\u{251}g\u{578}ore", &["agnore"], &["ignore"]);
        check("1 or 5 of 10", &["\u{2460} or \u{ff15} of l\u{1d7d8}"], &[]);
    }

    #[test]
    fn punctuation_of_prose_does_not_count() {
        let text = "retry each request, then back off";
        for mark in
            [",", ":", ";", "?", "!", ".", "\u{2026}", " -", " \u{2014}", ")", "\"", "\u{3002}"]
        {
            check(text, &[&text.replace(',', mark), &format!("{text}{mark}")], &[]);
        }
        check(
            text,
            &[
                "(retry) \"each\" [request] then back-off",
                "retry\u{2014}each\u{2014}request\u{2014}then back\u{2014}off",
            ],
            &[],
        );
        check(text, &["\u{1f6a8} retry each request: then back off \u{1f642}"], &[]);
    }

    #[test]
    fn the_punctuation_of_numbers_counts() {
        check("1.4.2 breaks", &[], &["2.4.2 breaks", "142 breaks", "1.42 breaks"]);
        check(
            "1.5 replicas",
            &["1.5 replicas."],
            &["5 replicas", "1,5 replicas", "1 5 replicas", "15 replicas"],
        );
        check("-1 means none", &["\u{2212}1 means none", "(-1) means none"], &["1 means none"]);
        check("wait .5 s", &["wait (.5 s)"], &["wait 5 s"]);
        check("10\u{b2} rows", &["10^2 rows"], &["102 rows", "10 2 rows", "10\u{207b}\u{b2} rows"]);
        check("2\u{bd} hours", &[], &["21/2 hours"]);
        check("5-6 hosts", &["5\u{2013}6 hosts"], &["56 hosts"]);
    }

    #[test]
    fn signs_count() {
        check("a < b", &["a < b."], &["a > b", "a b"]);
        check("a \u{2260} b", &["a != b"], &["a = b"]);
        check("a \u{2209} b", &[], &["a \u{2208} b"]);
        check("a \u{219b} b", &[], &["a \u{2192} b"]);
        check("a -> b", &[], &["a > b"]);
        check("5 % of C#", &["5% of C#."], &["5 of C#", "5 % of C", "\u{20ac}5 of C#"]);
        check("remove ./build", &[], &["remove /build", "remove build"]);
        check("uploads \u{2705}", &[], &["uploads \u{274c}"]);
    }
}
