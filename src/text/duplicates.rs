//! Recognises sections that say the same in the same words.
//!
//! One more word or sign can change the fact, in any language: `not`, the `#` of `C#`. Therefore two texts count as
//! equal only if they differ in nothing but formatting and the article `the`.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Shorter texts are never duplicates: words such as `Done.` repeat with another meaning.
const MIN_BYTES: usize = 48;

/// Longer texts are compared byte for byte.
const MAX_NORMALISED_BYTES: usize = 8 * 1024;

/// The marks of an item of a list, of which any may stand for another.
const BULLETS: [&str; 3] = ["- ", "* ", "+ "];

/// Articles that are ignored. `a` is not among them: it can be a name, or a word of another language.
const ARTICLES: [&str; 2] = ["the", "The"];

/// Returns a number that sections of the same heading share if their texts are the same but for the ends of lines, bold
/// type, the kind of bullets, a full stop and `the`; nothing for a short text.
pub(crate) fn duplicate_key(heading: &str, text: &str) -> Option<u64> {
    if text.len() < MIN_BYTES {
        return None;
    }
    let holds_code = ["```", "~~~", "\n    ", "\t"].iter().any(|mark| text.contains(mark));
    let is_exact = holds_code || text.len() > MAX_NORMALISED_BYTES;
    let text = if is_exact { Cow::Borrowed(text) } else { Cow::Owned(plain(text)) };
    let mut hasher = DefaultHasher::new();
    (plain(heading), &text).hash(&mut hasher);
    Some(hasher.finish())
}

/// Normalises a text: drops bold marks, extra space, final full stops and `the`, and writes one line for each paragraph
/// or list item.
fn plain(text: &str) -> String {
    // A text with a backtick may hold code, where each sign counts.
    let is_prose = !text.contains('`');
    let text = if is_prose && is_bold(text) {
        Cow::Owned(text.replace("**", ""))
    } else {
        Cow::Borrowed(text)
    };
    let bullet_of = |line: &str| BULLETS.into_iter().find(|it| line.trim_start().starts_with(it));
    // If a text mixes bullets, each may have a meaning, as `+` and `-` in a diff: keep them.
    let mut bullets: Vec<&str> = text.lines().filter_map(bullet_of).collect();
    bullets.dedup();
    let mut plain = String::with_capacity(text.len() + 1);
    for line in text.lines() {
        let indented = line.trim_end();
        let line = indented.trim_start();
        let bullet = bullet_of(line);
        if line.is_empty() || bullet.is_some() {
            end_line(&mut plain);
        }
        if let Some(bullet) = bullet {
            plain.push_str(&indented[..indented.len() - line.len()]);
            plain.push_str(if bullets.len() > 1 { bullet } else { BULLETS[0] });
        }
        for word in line[bullet.map_or(0, str::len)..].split_whitespace() {
            if !is_prose || !ARTICLES.contains(&word) {
                plain.push_str(word);
                plain.push(' ');
            }
        }
    }
    end_line(&mut plain);
    plain
}

/// Tells whether each `**` opens or closes bold words, rather than being a power or a pattern.
fn is_bold(text: &str) -> bool {
    let words = text.split_whitespace();
    let is_opened = |word: &&str| {
        word.strip_prefix("**").is_some_and(|bold| bold.starts_with(char::is_alphanumeric))
    };
    let opened = words.clone().filter(is_opened).count();
    let end = |word: &&str| word.trim_end_matches(['.', ',', ';', ':', '!', '?']).ends_with("**");
    let closed = words.filter(end).count();
    opened == closed && opened + closed == text.matches("**").count()
}

fn end_line(plain: &mut String) {
    plain.truncate(plain.trim_end_matches([' ', '.', '。']).len());
    if !plain.is_empty() && !plain.ends_with('\n') {
        plain.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Tokens rotate every day and the old ones stay valid for an hour.";

    #[track_caller]
    fn check(one: &str, other: &str, expected: bool) {
        let [first, second] = [one, other].map(|text| duplicate_key("Rotation", text));
        assert_eq!(first.is_some() && first == second, expected, "{one} / {other}");
    }

    #[test]
    fn texts_that_differ_only_in_formatting_are_duplicates() {
        check(TEXT, TEXT, true);
        for (from, to) in [
            (" the ", " **the** "),
            (".", ""),
            (" and ", "\n  and  "),
            (".", ".\r\n\n"),
            (" the ", " "),
        ] {
            check(TEXT, &TEXT.replace(from, to), true);
        }
        let list = format!("{TEXT}\n\n- one\n  - not two\n- three");
        check(&list, &list.replace("- ", "* "), true);
        check(&list, &list.replace("  -", "-"), false);
        check(&list, &list.replace("- one\n", "- one.\n"), true);
        check(&format!("{TEXT}\n\nNo.\n\nRetry"), &format!("{TEXT}\n\nNo retry"), false);
        let chinese = "我们的服务每天都会轮换一次登录令牌，旧的令牌在一小时之内仍然有效。";
        check(chinese, chinese.trim_end_matches('。'), true);
        check(chinese, &chinese.replace("仍然", "不再"), false);
    }

    #[test]
    fn a_word_or_a_sign_makes_another_fact() {
        for (one, other) in [
            ("is kept", "is not kept"),
            ("can be kept", "can't be kept"),
            ("can be kept", "can’t be kept"),
            ("is written in C", "is written in C#"),
            ("from a to b", "from b to a"),
            ("is kept", "was kept"),
            ("`branch -d`", "`branch -D`"),
            ("`sed -n a,`", "`sed -n a`"),
            ("`a` `the b`", "`a` `b`"),
            ("1,000", "1000"),
            ("no, deploy", "no deploy"),
            ("a, b and c", "b and c"),
            ("of 2**10", "of 210"),
            ("src/** and docs/**", "src/ and docs/"),
            ("lint **/*.rs and src/**", "lint /*.rs and src/"),
            ("n!", "n"),
            ("kept:\n\n- one\n+ two", "kept:\n\n+ one\n- two"),
            ("to 5", "to -5"),
            ("2 × 3", "2 ÷ 3"),
            ("5", "5 ‰"),
            ("5 ₹", "5 ₽"),
            ("3 ± 1", "3 1"),
            ("2.1", "2.2"),
            ("n == 5", "n != 5"),
            ("strict", "!strict"),
            ("✅", "❌"),
            ("kept. Really", "kept"),
            ("`src/**` and `docs/**`", "`src/` and `docs/`"),
            ("est valable", "n’est plus valable"),
            ("это верно", "это не верно"),
            ("いる", "いない"),
            ("๕๒", "๒๕"),
        ] {
            let text = |end: &str| format!("The value of the worker is set before the pool: {end}");
            check(&text(one), &text(other), false);
            check(&text(one), &text(one), true);
        }
        let task = format!("- [ ] {TEXT}");
        check(&task, &task.replace("[ ]", "[x]"), false);
        check(TEXT, &format!("~~{TEXT}~~"), false);
    }

    #[test]
    fn code_and_long_texts_are_compared_byte_for_byte() {
        let code = format!("{TEXT}\n\n```\nif a:\n  b\n  c\n```\n");
        check(&code, &code, true);
        check(&code, &code.replace("\n  c", "\nc"), false);
        let long = TEXT.repeat(200);
        check(&long, &long, true);
        check(&format!("{long} It is so."), &format!("{long} It is not so."), false);
    }

    #[test]
    fn short_texts_and_other_headings_are_not_duplicates() {
        check("Thanks a lot!", "Thanks a lot!", false);
        check("谢谢大家", "谢谢大家", false);
        check("", "", false);
        assert_ne!(duplicate_key("a", TEXT), duplicate_key("b", TEXT));
        assert_ne!(duplicate_key("C", TEXT), duplicate_key("C#", TEXT));
    }
}
