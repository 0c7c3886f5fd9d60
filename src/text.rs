//! Answers small questions about text: what hides in it, what it looks like, what it resembles.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A character that a person would not see, or that would change what they see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hidden {
    /// Line in the text, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The character itself.
    pub character: char,
}

impl Hidden {
    /// Returns the code point as `U+202E`.
    pub fn code_point(self) -> String {
        format!("U+{:04X}", u32::from(self.character))
    }
}

/// Finds the first hidden character, if there is one.
///
/// Tabs, line feeds and carriage returns before a line feed are ordinary text. Joiners (U+200C,
/// U+200D) and emoji presentation selectors are ordinary after a character that can need one:
/// several scripts and most emoji cannot be written without them.
pub fn find_hidden(text: &str) -> Option<Hidden> {
    // Plain ASCII is by far the most common text, and one pass over bytes clears it.
    if text.bytes().all(|byte| matches!(byte, b'\n' | b'\t' | 0x20..=0x7e)) {
        return None;
    }
    let (mut line, mut column) = (1, 0);
    let mut previous = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        column += 1;
        if is_hidden(previous, character, characters.peek().copied()) {
            return Some(Hidden { line, column, character });
        }
        if character == '\n' {
            (line, column) = (line + 1, 0);
        }
        previous = Some(character);
    }
    None
}

fn is_hidden(previous: Option<char>, character: char, next: Option<char>) -> bool {
    match character {
        '\n' | '\t' => false,
        '\r' => next != Some('\n'),
        '\u{200c}' | '\u{200d}' => {
            !(previous.is_some_and(takes_joiner) && next.is_some_and(takes_joiner))
        }
        '\u{fe0e}' | '\u{fe0f}' => !previous.is_some_and(takes_presentation),
        _ => character.is_control() || is_invisible(character),
    }
}

fn takes_joiner(character: char) -> bool {
    !is_invisible(character) && (character >= '\u{0600}') && !character.is_whitespace()
}

fn takes_presentation(character: char) -> bool {
    matches!(character, '0'..='9' | '#' | '*' | '©' | '®')
        || (character >= '\u{2000}' && !is_invisible(character))
}

/// Bidirectional controls, zero-width and tag characters, line separators, fillers.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{00ad}'
            | '\u{034f}'
            | '\u{061c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{2800}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Shows hidden characters as `<U+202E>`, so that text from a file cannot steer a terminal.
pub fn visible(text: &str) -> Cow<'_, str> {
    if find_hidden(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut previous = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if is_hidden(previous, character, characters.peek().copied()) {
            shown.push_str(&format!("<U+{:04X}>", u32::from(character)));
        } else {
            shown.push(character);
        }
        previous = Some(character);
    }
    Cow::Owned(shown)
}

/// Writes hidden characters of a JSON document as `\\u202e`: the same document, but fit for a terminal.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    let hidden = |c: char| c != '\n' && (c.is_control() || is_invisible(c));
    if !json.contains(hidden) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if hidden(character) {
            let units = character.encode_utf16(&mut [0; 2]).to_vec();
            units.iter().for_each(|unit| escaped.push_str(&format!("\\u{unit:04x}")));
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

/// Characters of an input that a message repeats; of a longer one nothing, as a secret that is cut in
/// two is not recognised any more.
const EXCERPT: usize = 60;

/// Repeats a short input in a message; says of a long one only how long it is.
pub fn excerpt(text: &str) -> String {
    match text.chars().count() {
        0..=EXCERPT => visible(text).into_owned(),
        count => format!("… {count} characters"),
    }
}

/// Finds the line of the first git conflict marker, from 1.
pub fn find_conflict_marker(text: &str) -> Option<usize> {
    let is_marker = |line: &str| {
        ["<<<<<<<", ">>>>>>>", "|||||||"].iter().any(|mark| {
            line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
    };
    text.lines().position(is_marker).map(|number| number + 1)
}

/// Follows code fences line by line.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fences {
    open: Option<Fence>,
}

/// A fence that is open.
#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    indent: usize,
}

impl Fences {
    /// Tells whether a text leaves a fence open, so that what is added behind it would be code.
    pub fn left_open(text: &str) -> bool {
        let mut fences = Self::default();
        for line in text.lines() {
            fences.covers(line);
        }
        fences.open.is_some_and(|open| open.indent < 2)
    }

    /// Takes the next line; true if it is code or a fence.
    pub fn covers(&mut self, line: &str) -> bool {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        // A fence that stands in a list ends with its item, closed or not.
        self.open =
            self.open.filter(|open| text.is_empty() || open.indent < 2 || indent >= open.indent);
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'));
        let length = mark.map_or(0, |mark| text.chars().take_while(|c| *c == mark).count());
        match (self.open, mark) {
            // ``` a`b is inline code.
            (None, Some(mark)) if length >= 3 && (mark == '~' || !text[length..].contains('`')) => {
                self.open = Some(Fence { mark, length, indent });
                true
            }
            (Some(open), Some(mark)) if open.mark == mark && length >= open.length => {
                let closes = text[length..].trim().is_empty();
                self.open = self.open.filter(|_| !closes);
                true
            }
            (open, _) => open.is_some(),
        }
    }
}

/// Makes a lower-case kebab-case word of at most `limit` bytes; empty when no letter survives.
pub fn slug(text: &str, limit: usize) -> String {
    let mut slug = String::new();
    let mut gap = false;
    for character in text.nfkd().filter(|character| !is_combining_mark(*character)) {
        if !character.is_ascii_alphanumeric() {
            // An apostrophe joins (`don't` is `dont`), anything else separates.
            gap |= !matches!(character, '\'' | '’');
            continue;
        }
        if gap && !slug.is_empty() {
            slug.push('-');
        }
        gap = false;
        slug.push(character.to_ascii_lowercase());
        if slug.len() > limit {
            // Half a word says less than none.
            slug.truncate(slug[..=limit].rfind('-').unwrap_or(limit));
            break;
        }
    }
    slug
}

/// Returns a word in lower case, without accents and in its plainest form.
pub fn without_accents(word: &str) -> String {
    word.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

/// Folds away what does not change the meaning of a text: case, white space, compatibility forms,
/// invisible characters, emphasis, comments, the marks of lists and quotes, and the order of lines.
pub fn fold(text: &str) -> String {
    let mut blocks: Vec<String> = vec![String::new()];
    for line in text.lines() {
        let line = line.trim();
        let begins = line.is_empty() || starts_item(line) || line.starts_with("<!--");
        if begins {
            blocks.push(String::new());
        }
        let block = blocks.last_mut().expect("there is always one");
        *block = format!("{block} {line}");
    }
    let mut folded: Vec<String> =
        blocks.iter().map(|block| fold_line(block)).filter(|block| !block.is_empty()).collect();
    folded.sort_unstable();
    folded.join("\n")
}

/// Tells whether a line begins a list item or a heading; other lines may be wrapped anywhere.
fn starts_item(line: &str) -> bool {
    let rest = line.trim_start_matches(['>', ' ']).trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ ", ". ", ") ", "#"].iter().any(|mark| rest.starts_with(mark))
}

fn fold_line(line: &str) -> String {
    let plain: String = line
        .nfkc()
        .filter(|character| {
            !is_invisible(*character) && !matches!(character, '*' | '_' | '`' | '~')
        })
        .flat_map(char::to_lowercase)
        .collect();
    if plain.trim_start().starts_with("<!--") {
        return String::new();
    }
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = words.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = if text.starts_with(['.', ')']) { text } else { &words };
    let marks = ['-', '+', '>', '#', '.', ')', ' '];
    let text = text.trim_start_matches(marks);
    let text = ["[ ]", "[x]"].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    text.trim_start_matches(marks).trim_end_matches(['.', ' ', '!']).to_owned()
}

/// Longer words than this are no slips of the finger, and comparing them would take long.
const WORD: usize = 80;

/// Returns the candidate that was probably meant, if one is close enough to say so.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > WORD {
        return None;
    }
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= WORD)
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= candidate.len().max(3) / 3 + 1)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_hidden(text: &str, expected: Option<&str>) {
        assert_eq!(find_hidden(text).map(Hidden::code_point).as_deref(), expected, "{text:?}");
    }

    #[test]
    fn bidirectional_controls_and_escapes_are_hidden() {
        check_hidden("a\u{202e}b", Some("U+202E"));
        check_hidden("a\u{1b}[31m", Some("U+001B"));
        check_hidden("zero\u{200b}width", Some("U+200B"));
        check_hidden("tag\u{e0041}", Some("U+E0041"));
        check_hidden("lone\rreturn", Some("U+000D"));
    }

    #[test]
    fn a_joiner_between_plain_letters_is_hidden() {
        check_hidden("ad\u{200d}min", Some("U+200D"));
    }

    #[test]
    fn ordinary_text_of_any_script_hides_nothing() {
        check_hidden("tabs\tand\r\nlines\n", None);
        check_hidden("👩\u{200d}💻 ❤\u{fe0f} 1\u{fe0f}\u{20e3}", None);
        check_hidden("می\u{200c}خواهم 日本語 naïve", None);
    }

    #[test]
    fn hidden_characters_are_named_by_line_and_column() {
        let found = find_hidden("one\ntw\u{202e}o").expect("there is one");
        assert_eq!((found.line, found.column), (2, 3));
    }

    #[test]
    fn hidden_characters_are_shown_by_code_point() {
        assert_eq!(visible("a\u{202e}b"), "a<U+202E>b");
        assert!(matches!(visible("plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_json_document_cannot_steer_the_terminal() {
        let json = serde_json::json!({"a": "x\u{202e}\u{9b}y\u{e0041}"}).to_string();
        let escaped = escape_json(&json);
        assert_eq!(find_hidden(&escaped), None);
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&escaped).expect("JSON")["a"],
            "x\u{202e}\u{9b}y\u{e0041}"
        );
    }

    #[test]
    fn a_long_input_is_not_repeated_in_part() {
        assert_eq!(excerpt("short"), "short");
        assert_eq!(excerpt(&"x".repeat(61)), "… 61 characters");
    }

    #[test]
    fn a_fence_is_closed_by_its_own_kind_only() {
        let mut fences = Fences::default();
        let covered: Vec<bool> =
            ["a", "~~~", "```", "b", "~~~~", "c"].iter().map(|line| fences.covers(line)).collect();
        assert_eq!(covered, [false, true, true, true, true, false]);
        let mut fences = Fences::default();
        let covered: Vec<bool> =
            ["- a", "  ~~~", "  b", "- c"].iter().map(|l| fences.covers(l)).collect();
        assert_eq!(covered, [false, true, true, false]);
    }

    #[test]
    fn slugs_are_kebab_case_ascii() {
        assert_eq!(slug("Token Rotation: don't reuse!", 80), "token-rotation-dont-reuse");
        assert_eq!(slug("Überprüfung & Café", 80), "uberprufung-cafe");
        assert_eq!(slug("日本語", 80), "");
        assert_eq!(slug("one two three", 7), "one-two");
        assert_eq!(slug("one two three", 9), "one-two");
        assert_eq!(slug("one two", 7), "one-two");
        assert_eq!(slug("incomprehensibilities", 7), "incompr");
    }

    #[test]
    fn folding_ignores_case_blanks_and_the_order_of_bullets() {
        assert_eq!(fold("- Use  B\n- use a."), fold("* USE A\n\n* use\u{200b} b"));
        assert_eq!(fold("use a"), fold("<!-- hi -->\n1. **Use** a"));
        assert_eq!(fold("use a"), fold("> - [ ] `use` a"));
        assert_eq!(fold("use a\nevery day"), fold("use\na every day\n"));
        assert_ne!(fold("use a"), fold("never use a"));
    }

    #[test]
    fn a_slip_of_the_finger_finds_its_word() {
        assert_eq!(nearest("sction_id", ["heading", "section_id"]), Some("section_id"));
        assert_eq!(nearest("zzzzzz", ["heading", "section_id"]), None);
    }
}
