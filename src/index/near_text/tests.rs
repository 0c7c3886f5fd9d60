use serde::Deserialize;

use super::*;

const RULE: &str =
    "Wrap each error with the full path of the file that it reports, before logging.";

#[track_caller]
fn check(one: &str, other: &str, expected: bool) {
    let [first, second] = [one, other].map(NearText::read);
    let (Some(first), Some(second)) = (first, second) else {
        return assert!(!expected, "not read: {one} / {other}");
    };
    assert_eq!(first.says_almost(&second), expected, "{one} / {other}");
    assert_eq!(second.says_almost(&first), expected, "{other} / {one}");
}

#[test]
fn order_markup_endings_slips_and_filling_words_do_not_count() {
    check(RULE, RULE, true);
    check(
        RULE,
        "**Always** wrap an `error` with the full path of the file it reports, before logging!",
        true,
    );
    check(
        RULE,
        "Before logging, an error that reports a file is wrapped with the full path.\n\n- Use it",
        true,
    );
    check(
        RULE,
        "Wrap each eror with the full path of the file that it reprots, before logging.",
        true,
    );
    check(RULE, &format!("{RULE} The hint comes on a line below."), true);
    check(
        "Farben der Organisation normalisieren wir immer beim Import in Größe",
        "Größe und Farben der Organisation normalisiren wir beim Import",
        true,
    );
}

#[test]
fn another_word_number_name_or_negation_makes_another_text() {
    check(RULE, &RULE.replace("full", "short"), false);
    check(RULE, &RULE.replace("Wrap", "Do not wrap"), false);
    check(RULE, &RULE.replace(".", ", except in tests."), false);
    check(RULE, &RULE.replace(".", ", without tests."), false);
    let port = "The admin panel listens on port 8443 behind the proxy of `main.rs`.";
    check(port, port, true);
    check(port, &port.replace("8443", "9443"), false);
    check(port, &port.replace("main.rs", "lib.rs"), false);
    let phases = "Boss phase two starts when the generator of the shield is destroyed.";
    check(phases, &phases.replace("two", "three"), false);
    check(
        "Jede Datei wird beim Start geladen und danach im Speicher gehalten.",
        "Jede Datei wird beim Start geladen und danach nicht im Speicher gehalten.",
        false,
    );
}

#[test]
fn a_text_that_says_much_more_is_another_one() {
    let more = "Hints stand on lines below, name commands, show examples, avoid blame, stay short.";
    check(RULE, &format!("{RULE} {more}"), false);
}

#[test]
fn texts_without_blanks_are_compared_by_pairs_of_characters() {
    let japanese = "設定ファイルは起動時に一度だけ読み込まれます。";
    check(japanese, japanese, true);
    check(japanese, &japanese.replace("ます", "ません"), false);
    check("我们的服务每天都会轮换一次登录令牌", "我们的服务每天都不会轮换一次登录令牌", false);
}

#[test]
fn what_is_too_short_or_too_long_is_the_same_only_if_a_reader_sees_the_same() {
    let many: String = (0..1_001)
        .map(|number| format!("w{} ", char::from_u32(0x4e00 + number).unwrap()))
        .collect();
    for text in [
        "Use tabs here.",
        "one two three four five six",
        "キーは短い",
        &"same ".repeat(10_000),
        &format!("x y {}", "z".repeat(200_000)),
        &many,
    ] {
        check(text, text, true);
        check(text, &format!("{text} more"), false);
    }
    check("Use tabs here.", "- use   **tabs** here.", true);
    check("Use tabs here.", "Use Tabs here.", false);
    check("Use tabs here.", "Never use tabs here.", false);
    for text in ["", "Done.", "TBD", "To do", "---"] {
        assert_eq!(NearText::read(text), None, "{text}");
    }
}

/// A pair of texts, written without a look at the rule.
#[derive(Deserialize)]
struct Pair {
    id: String,
    same: bool,
    a: String,
    b: String,
}

const PAIRS: &str = include_str!("../../../fixtures/near_duplicates/pairs.json");

/// Returns how many pairs are told rightly, told wrongly, and the same.
fn count(pairs: &[&Pair]) -> [usize; 3] {
    let is_told = |pair: &Pair| {
        let (a, b) = (NearText::read(&pair.a), NearText::read(&pair.b));
        a.zip(b).is_some_and(|(a, b)| a.says_almost(&b))
    };
    let told: Vec<&&Pair> = pairs.iter().filter(|pair| is_told(pair)).collect();
    let right = told.iter().filter(|pair| pair.same).count();
    let wrong: Vec<&str> =
        told.iter().filter(|pair| !pair.same).map(|pair| pair.id.as_str()).collect();
    println!("wrongly told: {wrong:?}");
    [right, wrong.len(), pairs.iter().filter(|pair| pair.same).count()]
}

/// The rule was found with the pairs of odd ids; those of even ids were looked at after it.
#[test]
fn nine_of_ten_pairs_that_are_told_say_the_same() {
    let pairs: Vec<Pair> = serde_json::from_str(PAIRS).expect("pairs");
    assert_eq!(pairs.len(), 200);
    let half = |first: usize| pairs.iter().skip(first).step_by(2).collect::<Vec<_>>();
    for (name, pairs) in
        [("found with", half(0)), ("unseen", half(1)), ("all", pairs.iter().collect())]
    {
        let [right, wrong, same] = count(&pairs);
        println!(
            "{name}: {right} of {same} found, {wrong} wrong; precision {right}/{}",
            right + wrong
        );
        if name == "all" {
            assert!(right >= 9 * wrong, "{right} right, {wrong} wrong");
        }
    }
}
