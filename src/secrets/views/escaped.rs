//! Reads escapes as what they stand for, and literals that are put together as one.

use crate::secrets::views::literals::{LONGEST_COMMENT, blanks, literal_joint};
use crate::secrets::views::view::{ByteSet, RuleChoice, TextView};
use crate::text::is_invisible;

/// The lines in which something is escaped or put together, as they read without. To `Tokens` it also leaves out what
/// Markdown and a shell would.
pub(super) fn unescaped(text: &str, rules: RuleChoice) -> TextView {
    let mut view = TextView::new(rules);
    let mut start = 0;
    while start < text.len() {
        start = add_line(&mut view, text, start);
    }
    view
}

fn line_end(text: &str, start: usize) -> usize {
    text[start..].find('\n').map_or(text.len(), |at| start + at + 1)
}

/// What may begin something that reads in another way.
static MARKS: ByteSet = ByteSet::new(b"\\%&=\"'`*^<\xc2\xcd\xd8\xe1\xe2\xe3\xef\xf0\xf3");

/// Adds a line if it reads in another way, with the lines that belong to it, and returns where the next one begins.
fn add_line(view: &mut TextView, text: &str, start: usize) -> usize {
    let mut end = line_end(text, start);
    let (mut at, mut copied) = (start, start);
    while let Some(skipped) = text.as_bytes()[at..end].iter().position(|byte| MARKS.has(*byte)) {
        at += skipped;
        let Some((decoded, passed)) = unit(text, at, view.rules) else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        };
        view.copy(text, copied..at);
        // What stands in front of a token in another literal is no part of it.
        if passed > 1 && is_quote(text.as_bytes()[at]) && ends_a_template(&text[start..at]) {
            view.write(" ", at..at);
        }
        view.write(decoded.encode_utf8(&mut [0; 4]).trim_matches('\0'), at..at + passed);
        at += passed;
        copied = at;
        if at >= end {
            end = line_end(text, at);
        }
    }
    if copied > start {
        view.copy(text, copied..end);
        view.end_line();
    }
    end
}

fn is_quote(byte: u8) -> bool {
    b"\"'`".contains(&byte)
}

/// True for a literal with blanks or `%`, as in `printf "%s%s" "ghp_" …`.
fn ends_a_template(before: &str) -> bool {
    const FAR: usize = 40;
    let literal = before.bytes().rev().take(FAR).take_while(|byte| !is_quote(*byte));
    literal.clone().any(|byte| b" %".contains(&byte))
}

/// What stands at a place for something else, and its length: a zero stands for nothing at all.
fn unit(text: &str, at: usize, rules: RuleChoice) -> Option<(char, usize)> {
    let rest = &text[at..];
    let bytes = rest.as_bytes();
    let is_loose = rules == RuleChoice::Tokens;
    let nothing = |length: usize| Some((NOTHING, length)).filter(|_| length > 0);
    match bytes[0] {
        b'%' => number(rest.get(1..3)?, 16).map(|decoded| (decoded, 3)),
        b'&' => entity(rest),
        b'=' => quoted_printable(text, at, is_loose),
        b'\\' => backslash(rest, is_loose),
        b'"' | b'\'' | b'`' => nothing(literal_joint(bytes, is_loose)),
        mark @ (b'*' | b'^') if is_loose => nothing(inside_a_word(text, at, bytes, mark)),
        b'<' if is_loose => nothing(tag(text, at, rest)),
        _ => {
            let first = rest.chars().next().filter(|first| is_invisible(*first))?;
            Some((NOTHING, first.len_utf8()))
        }
    }
}

/// Stands for nothing.
const NOTHING: char = '\0';

/// One readable character by its number, or one that is not seen.
fn number(digits: &str, radix: u32) -> Option<char> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let decoded = char::from_u32(u32::from_str_radix(digits, radix).ok().filter(|_| is_number)?)?;
    match decoded {
        ' ' | '\n' | '\t' | '!'..='~' => Some(decoded),
        _ => is_invisible(decoded).then_some(NOTHING),
    }
}

/// `=3D` in a mail, which escapes signs alone, and the line end that it puts into a word: in a list of settings such a
/// line is a name without a value, so that only tokens may go on.
fn quoted_printable(text: &str, at: usize, is_loose: bool) -> Option<(char, usize)> {
    let rest = &text[at + 1..];
    let is_word =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if let Some(line_end) = ["\n", "\r\n"].into_iter().find(|line_end| rest.starts_with(line_end)) {
        let is_inside =
            is_word(text.as_bytes()[..at].last()) && is_word(rest.as_bytes().get(line_end.len()));
        return Some((NOTHING, 1 + line_end.len())).filter(|_| is_loose && is_inside);
    }
    let digits =
        rest.get(..2).filter(|digits| !digits.bytes().any(|byte| byte.is_ascii_lowercase()))?;
    let sign = number(digits, 16).filter(|sign| !sign.is_ascii_alphanumeric())?;
    Some((sign, 1 + digits.len()))
}

const ENTITIES: [(&str, char); 35] = [
    ("lowbar", '_'),
    ("UnderBar", '_'),
    ("hyphen", '-'),
    ("dash", '-'),
    ("minus", '-'),
    ("period", '.'),
    ("colon", ':'),
    ("sol", '/'),
    ("equals", '='),
    ("plus", '+'),
    ("quot", '"'),
    ("apos", '\''),
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("nbsp", ' '),
    ("commat", '@'),
    ("dollar", '$'),
    ("num", '#'),
    ("excl", '!'),
    ("quest", '?'),
    ("percnt", '%'),
    ("lpar", '('),
    ("rpar", ')'),
    ("ast", '*'),
    ("semi", ';'),
    ("comma", ','),
    ("bsol", '\\'),
    ("shy", '\0'),
    ("zwj", '\0'),
    ("zwnj", '\0'),
    ("ZeroWidthSpace", '\0'),
    ("NoBreak", '\0'),
    ("lrm", '\0'),
    ("rlm", '\0'),
];

fn entity(rest: &str) -> Option<(char, usize)> {
    const LONGEST: usize = 16;
    let end = rest.bytes().take(LONGEST).position(|byte| byte == b';')?;
    let name = &rest[1..end];
    let decoded =
        match name.strip_prefix('#').map(|digits| digits.strip_prefix(['x', 'X']).ok_or(digits)) {
            Some(Ok(digits)) => number(digits, 16)?,
            Some(Err(digits)) => number(digits, 10)?,
            None => ENTITIES.iter().find(|(known, _)| *known == name)?.1,
        };
    Some((decoded, end + 1))
}

fn backslash(rest: &str, is_loose: bool) -> Option<(char, usize)> {
    let bytes = rest.as_bytes();
    let digits = |from: usize, count: usize, radix: u32| {
        number(rest.get(from..from + count)?, radix).map(|decoded| (decoded, from + count))
    };
    let next = *bytes.get(1)?;
    let decoded = match next {
        b'\n' | b'\r' => Some(('\0', 1 + blanks(bytes, 1))),
        b'x' => digits(2, 2, 16),
        b'u' if bytes.get(2) == Some(&b'{') => {
            let end = rest.bytes().take(12).position(|byte| byte == b'}')?;
            number(&rest[3..end], 16).map(|decoded| (decoded, end + 1))
        }
        b'u' => digits(2, 4, 16),
        b'U' => digits(2, 8, 16),
        b'0'..=b'7' => digits(1, 3, 8).or_else(|| digits(1, 4, 8)),
        b'n' | b'r' => Some(('\n', 2)),
        b't' => Some(('\t', 2)),
        b'/' => Some(('\0', 1)),
        _ => None,
    };
    // `\_` in Markdown, `\p` in a shell.
    let is_escaped = next.is_ascii_punctuation() || next.is_ascii_alphabetic();
    decoded.or(Some(('\0', 1)).filter(|_| is_loose && is_escaped))
}

/// The length of marks of emphasis with a letter on either side.
fn inside_a_word(text: &str, at: usize, bytes: &[u8], mark: u8) -> usize {
    let length = bytes.iter().take(3).take_while(|byte| **byte == mark).count();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let before = at.checked_sub(1).is_some_and(|before| is_word(&text.as_bytes()[before]));
    if before && bytes.get(length).is_some_and(is_word) { length } else { 0 }
}

/// The length of a tag or a comment that begins inside of a word.
fn tag(text: &str, at: usize, rest: &str) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_->".contains(byte);
    let before = at.checked_sub(1).is_some_and(|before| is_word(&text.as_bytes()[before]));
    let end = rest.bytes().take(40).position(|byte| byte == b'>').unwrap_or(0);
    let name = rest[1..end.max(1)].trim_start_matches(['/', '!', '-']);
    if before && rest.starts_with("<!--") {
        let mut borders = rest.as_bytes().windows(3).take(LONGEST_COMMENT);
        return borders.position(|border| border == b"-->").map_or(0, |end| end + 3);
    }
    let is_tag = name.is_empty() || name.starts_with(|c: char| c.is_ascii_alphabetic());
    if before && end > 0 && is_tag { end + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{MARKS, unescaped};
    use crate::secrets::views::RuleChoice;
    use crate::text::is_invisible;

    fn check(rules: RuleChoice, text: &str, expected: &str) {
        assert_eq!(unescaped(text, rules).text().trim_end(), expected, "{text}");
    }

    #[test]
    fn every_invisible_character_is_left_out() {
        for character in ('\u{80}'..=char::MAX).filter(|it| is_invisible(*it)) {
            assert!(MARKS.has(character.to_string().as_bytes()[0]), "{character:?}");
        }
        for hidden in ['\u{200b}', '\u{202e}', '\u{180e}', '\u{34f}', '\u{3164}', '\u{e0041}'] {
            check(RuleChoice::All, &format!("a{hidden}b"), "ab");
        }
    }

    #[test]
    fn escapes_are_read_in_every_spelling() {
        for text in
            ["a%5Fb", "a&#95;b", "a&#x5f;b", "a&lowbar;b", r"a\x5fb", r"a\u005fb", r"a\137b"]
        {
            check(RuleChoice::All, text, "a_b");
        }
    }

    #[test]
    fn quoted_printable_escapes_signs_and_cuts_words() {
        check(RuleChoice::All, "a=3D=22b=5F1=22 c=41", "a=\"b_1\" c=41");
        check(RuleChoice::Tokens, "ab=\r\ncd", "abcd");
        check(RuleChoice::All, "A_TOKEN=\nBUILD=9f86d081\n", "");
    }

    #[test]
    fn a_line_that_goes_on_is_one() {
        check(RuleChoice::All, "ab\\\n   cd", "abcd");
        check(RuleChoice::All, "ab\\\ncd", "abcd");
    }

    #[test]
    fn literals_with_an_operator_are_one() {
        for text in ["\"a\" + \"b\"", "\"a\" . \"b\"", "\"a\" ||\n  \"b\"", "\"a\" .. \"b\""] {
            check(RuleChoice::All, text, "\"ab\"");
        }
    }

    #[test]
    fn comments_between_literals_are_passed() {
        for text in [
            "\"a\" /* x */ + \"b\"",
            "\"a\" + // x\n  \"b\"",
            "\"a\" # x\n  # y\n  + \"b\"",
            "\"a\" || -- x\n \"b\"",
        ] {
            check(RuleChoice::All, text, "\"ab\"");
        }
        check(RuleChoice::All, "\"a\" /* x */, \"b\"", "");
    }

    #[test]
    fn literals_side_by_side_are_one_to_forms_alone() {
        let text = "[\"a\", \"b\"]";
        check(RuleChoice::All, text, "");
        check(RuleChoice::Tokens, text, "[\"ab\"]");
    }

    #[test]
    fn marks_inside_of_a_word_are_left_out_to_forms() {
        for text in [
            r"a\_b",
            "a_<wbr>b",
            "a_<!-- not seen -->b",
            "a_**b",
            "a_&shy;b",
            "a_&#8203;b",
            "a_&#xfeff;b",
            "a_\u{200b}b",
        ] {
            check(RuleChoice::Tokens, text, "a_b");
        }
    }

    #[test]
    fn plain_lines_are_not_shown_again() {
        check(RuleChoice::Tokens, "it's 100 % \"plain\" text, `code` & more\n", "");
    }
}
