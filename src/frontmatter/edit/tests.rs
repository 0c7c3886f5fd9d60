//! Lines of front matter before and after an edit.

use super::*;

const A: KeyPath<'_> = KeyPath::Top("a");
const M_A: KeyPath<'_> = KeyPath::In("m", "a");

/// Sets a key in the lines between the dashes; the lines behind stay in any case.
fn check(key: KeyPath<'_>, value: &str, before: &str, expected: &str) {
    check_spelled(Spelling::Safe, key, value, before, expected);
}

fn check_spelled(how: Spelling, key: KeyPath<'_>, value: &str, before: &str, expected: &str) {
    let whole = |front: &str| {
        let ending = LineEnding::of(front).apply("\n");
        format!("---{ending}{front}---{ending}{ending}a: body{ending}---{ending}")
    };
    assert_eq!(set(&whole(before), key, value, how), Ok(whole(expected)), "{before:?}");
}

fn refused(key: KeyPath<'_>, before: &str) {
    let text = format!("---\n{before}---\n");
    set(&text, key, "x", Spelling::Safe).expect_err("it cannot be edited");
}

#[test]
fn a_value_on_one_line_is_replaced_and_nothing_else() {
    check(
        A,
        "x",
        "# one\nb:  2\na:   'y'  # two\n\nc: [3]\n",
        "# one\nb:  2\na:   x  # two\n\nc: [3]\n",
    );
    check(A, "x: y", "a: \"z\"\n", "a: \"x: y\"\n");
    check(A, "x", "\"a\" : y\n", "\"a\" : x\n");
    check(A, "x", "  a: y\n  b: z\n", "  a: x\n  b: z\n");
    check(A, "日本", "é: 語 # 語\na: 語\nb: 1\n", "é: 語 # 語\na: 日本\nb: 1\n");
}

#[test]
fn a_value_on_several_lines_is_replaced_whole() {
    check(A, "x", "a: >-\n  y\n\n  z\nb: 1\n", "a: x\nb: 1\n");
    check(A, "x", "a: |+ # c\n  y\n    z\n\n# d\nb: 1\n", "a: x\n\n# d\nb: 1\n");
    check(A, "x", "a: |\nb: 1\n", "a: x\nb: 1\n");
    check(A, "x", "a: >\n  y\n", "a: x\n");
    check(A, "x", "a: \"y\n  z\"\nb: 1\n", "a: x\nb: 1\n");
    check(A, "x", "a: 'y\n\n  z' # c\nb: 1\n", "a: x # c\nb: 1\n");
    check(A, "x", "a: y\n  z\n  w\nb: 1\n", "a: x\nb: 1\n");
    check(A, "x", "a:\n  # c\n  y\n  z\nb: 1\n", "a:\n  # c\n  x\nb: 1\n");
    check(A, "x", "a:\n  |\n  y\nb: 1\n", "a: x\nb: 1\n");
}

#[test]
fn an_empty_value_is_filled() {
    check(A, "x", "a:\nb: 1\n", "a: x\nb: 1\n");
    check(A, "x", "a: # c\nb: 1\n", "a: x # c\nb: 1\n");
    check(A, "x", "a: ~\n", "a: x\n");
    check(A, "x", "a: ''\n", "a: x\n");
    check(A, "", "a: x\n", "a: \"\"\n");
    check(M_A, "x", "m:\n  a:\n  b: 1\n", "m:\n  a: x\n  b: 1\n");
}

#[test]
fn an_anchor_or_a_tag_goes_with_its_value() {
    check(A, "x", "a: !!int 5 # c\n", "a: x # c\n");
    check(A, "x", "a: &b c\nd: 1\n", "a: x\nd: 1\n");
    check(A, "x", "a: !!str\nd: 1\n", "a: x\nd: 1\n");
}

#[test]
fn a_key_below_another_is_set_in_its_place() {
    check(
        M_A,
        "x",
        "a: 1\nm:\n    b: 2\n    a: y # c\nd: 3\n",
        "a: 1\nm:\n    b: 2\n    a: x # c\nd: 3\n",
    );
    check(M_A, "x", "m:\n  a: >-\n    y\n    z\n  b: 1\n", "m:\n  a: x\n  b: 1\n");
}

#[test]
fn a_mapping_in_braces_is_edited_by_its_own_rules() {
    check(M_A, "x", "m: {a: y, b: 1}\n", "m: {a: x, b: 1}\n");
    check(M_A, "x, z", "m: {b: 1, a: y}\n", "m: {b: 1, a: \"x, z\"}\n");
    check(M_A, "x", "m: {\"a\":\"y\",\"b\":1}\n", "m: {\"a\":\"x\",\"b\":1}\n");
    check(M_A, "x", "m: {\n  a: y,\n  b: 1 }\n", "m: {\n  a: x,\n  b: 1 }\n");
    check(M_A, "x", "m: {a: , b: 1}\n", "m: {a: x , b: 1}\n");
    check(A, "x", "{a: y, b: [1, 2]}\n", "{a: x, b: [1, 2]}\n");
}

#[test]
fn a_missing_key_goes_last() {
    check(A, "x", "b: 1\n", "b: 1\na: x\n");
    check(A, "x", "", "a: x\n");
    check(A, "x", "# c\n", "# c\na: x\n");
    check(A, "x", "  b: 1\n", "  b: 1\n  a: x\n");
    check(A, "x", "b: |+\n  y\n\n", "b: |+\n  y\n\na: x\n");
    check(A, "x", "m:\n  a: 1\n", "m:\n  a: 1\na: x\n");
}

#[test]
fn lines_keep_their_ends() {
    check(A, "x", "b: 1\r\na: >-\r\n  y\r\n  z\r\nc: 2\r\n", "b: 1\r\na: x\r\nc: 2\r\n");
    check(A, "x", "b: 1\r\n", "b: 1\r\na: x\r\n");
    check(M_A, "x", "m:\r\n  a: y\r\n", "m:\r\n  a: x\r\n");
    let empty = set("\u{feff}---\r\n---", A, "x", Spelling::Safe);
    assert_eq!(empty, Ok("\u{feff}---\r\na: x\r\n---".to_owned()));
}

#[test]
fn a_value_that_is_right_keeps_its_spelling() {
    for front in ["a: 'x'\n", "a: \"x\"\n", "a: >-\n  x\n", "a: !!str x\n", "a:\n  x\n"] {
        check(A, "x", front, front);
    }
}

#[test]
fn a_date_can_keep_its_quotes_or_its_lack_of_them() {
    let moment = "2026-11-20T10:11:12Z";
    for quote in ["", "'", "\""] {
        let front =
            |date: &str| format!("a: {quote}{date}{quote}\nm: {{a: {quote}{date}{quote}}}\n");
        let between = front(moment).replacen(moment, "2026-01-01", 1);
        check_spelled(Spelling::AsBefore, A, moment, &between, &front(moment));
    }
    check_spelled(Spelling::AsBefore, A, moment, "a:\n", &format!("a: {moment}\n"));
    check_spelled(Spelling::Safe, A, moment, "a: b\n", &format!("a: \"{moment}\"\n"));
}

#[test]
fn what_cannot_be_edited_is_refused() {
    refused(A, "a: [y]\n");
    refused(A, "a:\n  b: y\n");
    refused(A, "- a\n");
    refused(A, "a: y\na: z\n");
    refused(A, "{b: 1}\n");
    refused(A, "{a, b: 1}\n");
    refused(A, "b: 1\n...\n");
    refused(M_A, "m:\n  b: 1\n");
    refused(M_A, "m: y\n");
    refused(M_A, "b: 1\n");
    set("a: 1\n", A, "x", Spelling::Safe).expect_err("it has no front matter");
    set("---\na: 1\n", A, "x", Spelling::Safe).expect_err("it has no end");
}

/// Parts of lines, right and wrong, that are put together in any order.
const PARTS: &str =
    "a: ¦b: ¦m:\n¦  a: ¦  ¦x¦'y'¦\"z\"¦|\n¦>-\n¦\n¦\r\n¦{a: y}¦[¦}¦, ¦# é\n¦!!str ¦&x ¦? ¦: ¦'¦😀";

/// Makes the same numbers in each run: xorshift needs no package.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).expect("31 bits") % below
    }
}

#[test]
fn lines_in_any_order_are_edited_or_refused() {
    let parts: Vec<&str> = PARTS.split('¦').collect();
    let mut next = numbers();
    let mut edited = 0;
    for _ in 0..5_000 {
        let length = next(10);
        let front: String = (0..length).map(|_| parts[next(parts.len())]).collect();
        let text = format!("---\n{front}\n---\nbody\n");
        for (key, how) in [(A, Spelling::Safe), (M_A, Spelling::Safe), (A, Spelling::AsBefore)] {
            let Ok(changed) = set(&text, key, "new: é", how) else { continue };
            edited += 1;
            assert!(changed.ends_with("\n---\nbody\n"), "{text:?} {changed:?}");
            assert_eq!(set(&changed, key, "new: é", how), Ok(changed), "{text:?}");
        }
    }
    assert!(edited > 500, "{edited}");
}
