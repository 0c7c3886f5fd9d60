//! Writes a text as a YAML scalar that every YAML reader, old or new, reads as the same text.

use std::fmt::Write as _;

/// Words that some version of YAML reads as no text, in any case; the last two are operators of 1.1.
const WORDS: [&str; 10] = ["true", "false", "yes", "no", "on", "off", "null", "~", "=", "<<"];

/// Characters that begin something else than a plain scalar.
const INDICATORS: &str = "-?:,[]{}#&*!|>'\"%@`";

/// Writes a text without quotes where it can stand without, and in double quotes where it cannot.
pub(crate) fn scalar(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// Writes a text in double quotes, with the escapes that JSON and YAML share.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            _ if is_escaped(character) => {
                write!(quoted, "\\u{:04x}", u32::from(character)).expect("a string takes all");
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

fn is_plain(text: &str) -> bool {
    const BLANKS: [char; 2] = [' ', '\t'];
    let begins_wrong =
        text.starts_with(|first| BLANKS.contains(&first) || INDICATORS.contains(first));
    let ends_wrong = text.ends_with([':', ' ', '\t']);
    let ends_early = text.contains(": ") || text.contains(" #") || text.contains(is_escaped);
    let is_word = WORDS.iter().any(|word| word.eq_ignore_ascii_case(text));
    let is_other = is_word || is_number(text) || is_date(text);
    !(text.is_empty() || begins_wrong || ends_wrong || ends_early || is_other)
}

/// Tells whether YAML allows a character, or keeps it as it is, in double quotes only as an escape.
fn is_escaped(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Tells whether YAML 1.1 or 1.2 reads a number: with `_` between digits, or as `1:30`, in 1.1 alone.
fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text).to_ascii_lowercase();
    let is_in_base = |prefix: &str, base: u32| {
        unsigned.strip_prefix(prefix).is_some_and(|digits| are_digits(digits, base))
    };
    let is_special = [".inf", ".nan"].contains(&unsigned.as_str());
    let is_other_base = is_in_base("0x", 16) || is_in_base("0o", 8) || is_in_base("0b", 2);
    is_special || is_other_base || is_decimal(&unsigned) || is_sexagesimal(&unsigned)
}

fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_part = |part: &str| part.is_empty() || are_digits(part, 10);
    let has_digits = !(whole.is_empty() && fraction.is_empty());
    has_digits && is_part(whole) && is_part(fraction) && are_digits(exponent, 10)
}

fn is_sexagesimal(text: &str) -> bool {
    let (text, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let Some((first, rest)) = text.split_once(':') else { return false };
    let is_sixtieth = |part: &str| part.len() <= 2 && are_digits(part, 10);
    are_digits(first, 10)
        && rest.split(':').all(is_sixtieth)
        && (fraction.is_empty() || are_digits(fraction, 10))
}

/// Tells whether YAML 1.1 reads a date, alone or with a time behind it.
///
/// The day need not be in the calendar: some readers fail on one that is not.
fn is_date(text: &str) -> bool {
    let day_length = text.find(['T', 't', ' ']).unwrap_or(text.len());
    let (day, time) = text.split_at(day_length);
    let parts: Vec<&str> = day.split('-').collect();
    let is_day = match parts[..] {
        [year, month, day] => {
            let is_short = |part: &str| part.len() <= 2 && are_digits(part, 10);
            year.len() == 4 && are_digits(year, 10) && is_short(month) && is_short(day)
        }
        _ => false,
    };
    let is_of_time = |c: char| c.is_ascii_digit() || "Tt Zz:.+-".contains(c);
    is_day && time.chars().all(is_of_time)
}

fn are_digits(text: &str, base: u32) -> bool {
    text.starts_with(|first: char| first.is_digit(base))
        && text.chars().all(|c| c == '_' || c.is_digit(base))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontmatter::yaml;
    use serde_json::json;

    fn plain(text: &str) {
        assert_eq!(scalar(text), text);
    }

    fn in_quotes(text: &str) {
        assert_eq!(scalar(text), format!("\"{text}\""));
    }

    #[test]
    fn ordinary_words_stay_plain() {
        let words = "a it's a-b a:b a#b a]b truely north nullable a~ a=b 1.2.3 10.0.0.1 v1 1a 0xg e5 1e \
            2026-11 _1 . ... .info 日本語 é C:\\x 1:x";
        words.split_whitespace().for_each(plain);
        let several =
            ["a b", "a, b", "say \"hi\"", "on call", "20 of 30", "2026-11-20 was the day"];
        several.into_iter().for_each(plain);
    }

    #[test]
    fn what_another_reader_takes_for_no_text_is_quoted() {
        let words = "true False YES no On oFF null NULL ~ = << 1 -1 +1 1.5 1e3 1.5E-3 1. .5 0x1f 0X1F 0o17 \
            0b1 017 1_000 .inf -.INF .NaN 1:30 12:30:45.5 2026-11-20 2026-1-2 2026-13-45 \
            2026-11-20T10:11:12Z";
        words.split_whitespace().for_each(in_quotes);
        in_quotes("2026-11-20 10:11:12.5 +01:00");
    }

    #[test]
    fn what_begins_or_ends_or_breaks_a_scalar_is_quoted() {
        in_quotes("");
        for first in INDICATORS.chars().filter(|first| *first != '"') {
            in_quotes(&format!("{first}a"));
        }
        for text in [" a", "a ", "a: b", "a #b", "a:", "- a", "---", "Style: tabs # not spaces"] {
            in_quotes(text);
        }
        for (text, expected) in [
            ("\"a\"", r#""\"a\"""#),
            (": \\", r#"": \\""#),
            ("\ta", r#""\ta""#),
            ("a\nb\r", r#""a\nb\r""#),
            (
                "a\u{0}\u{1b}\u{7f}\u{85}\u{2028}\u{feff}",
                r#""a\u0000\u001b\u007f\u0085\u2028\ufeff""#,
            ),
        ] {
            assert_eq!(scalar(text), expected);
        }
    }

    /// Makes the same texts in each run: xorshift needs no package.
    fn texts(count: usize) -> impl Iterator<Item = String> {
        const ALPHABET: &str = "abzAZ019 -?:,[]{}#&*!|>'\"%@`~\\/._+=<^$();eExT\t é日\u{a0}\u{7f}\u{85}\u{2028}\u{1f600}";
        let alphabet: Vec<char> = ALPHABET.chars().chain([' ', ':', '#', '-', '0', '.']).collect();
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state >> 33).expect("31 bits") % below
        };
        std::iter::repeat_with(move || {
            let length = next(12);
            (0..length).map(|_| alphabet[next(alphabet.len())]).collect()
        })
        .take(count)
    }

    #[test]
    fn a_scalar_is_read_as_the_text_that_was_written() {
        for text in texts(2_000) {
            let written = scalar(&text);
            let mapping = format!("a: {written}\n");
            assert_eq!(yaml::read(&mapping), Ok(json!({ "a": text })), "{written}");
            let list = format!("a: [{}]\n", quoted(&text));
            assert_eq!(yaml::read(&list), Ok(json!({ "a": [text] })), "{list}");
        }
    }
}
