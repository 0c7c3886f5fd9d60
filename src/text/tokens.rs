//! Estimates how many tokens a language model makes of a text.
//!
//! A character of Japanese costs as much as a short word of English. So the estimate follows how tokenizers cut a text:
//! into words, digits, punctuation and blanks. It is fitted to `o200k_base`, and for ordinary text it is a fifth to a half
//! above its count: a pack that is too long is worse than one that is a little shorter.

/// In hundredths of a token.
type Cost = usize;

const TOKEN: Cost = 100;

/// Estimates the tokens of a text. Only a text of unusual words has more.
pub fn tokens(text: &str) -> usize {
    text.split_inclusive('\n').map(cost_of_line).sum::<Cost>().div_ceil(TOKEN)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CharacterKind {
    /// A letter of the Latin script, also with a diacritic.
    Latin,
    Digit,
    Blank,
    /// ASCII punctuation, and control characters.
    Punctuation,
    /// Anything else; each character counts by itself.
    Other,
}

impl CharacterKind {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' | 'A'..='Z' => Self::Latin,
            '0'..='9' => Self::Digit,
            ' ' | '\t' | '\r' | '\n' => Self::Blank,
            '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Self::Latin,
            _ if c.is_ascii() => Self::Punctuation,
            _ => Self::Other,
        }
    }
}

fn cost_of_line(line: &str) -> Cost {
    let is_frequent = is_of_frequent_language(line);
    let (mut cost, mut at, mut before) = (0, 0, '\n');
    while let Some(first) = line[at..].chars().next() {
        let kind = CharacterKind::of(first);
        let run = &line[at..at + length_of_run(&line[at..], kind)];
        at += run.len();
        cost += match kind {
            CharacterKind::Latin => {
                let is_short = is_frequent || joins(before) || line[at..].starts_with(joins);
                cost_of_word(run, is_short)
            }
            // Three digits are one token, and a blank before them is one more.
            CharacterKind::Digit => (run.len().div_ceil(3) + usize::from(before == ' ')) * TOKEN,
            CharacterKind::Blank => cost_of_blank(run, line),
            CharacterKind::Punctuation => cost_of_punctuation(run),
            CharacterKind::Other => cost_of_character(first),
        };
        before = run.chars().next_back().unwrap_or(first);
    }
    cost
}

/// Returns the bytes of a run: a word ends where a capital letter follows a small one.
fn length_of_run(text: &str, kind: CharacterKind) -> usize {
    let (mut length, mut before) = (0, ' ');
    for c in text.chars() {
        let ends = match kind {
            CharacterKind::Other => length > 0,
            CharacterKind::Latin => length > 0 && c.is_uppercase() && !before.is_uppercase(),
            CharacterKind::Digit | CharacterKind::Blank | CharacterKind::Punctuation => false,
        };
        if ends || CharacterKind::of(c) != kind {
            break;
        }
        (length, before) = (length + c.len_utf8(), c);
    }
    length
}

/// Tells whether a character beside a word shows that it is a part of a name or of code.
fn joins(c: char) -> bool {
    CharacterKind::of(c) == CharacterKind::Latin || "_/\\:(){}[]<>=`#@$&|*\"".contains(c)
}

/// What a letter costs on average, where the language is not known.
const LETTER: Cost = 39;

/// What it costs in code and in the languages of which tokenizers know most words.
const SHORT_LETTER: Cost = 27;

/// What a letter with a diacritic costs besides.
const MARKED: Cost = 10;

/// What each consonant costs besides that stands behind three others: such a text is no language.
const CONSONANT: Cost = 50;

/// What a letter costs in a word without a vowel, as there are in keys and hashes.
const SPELLED: Cost = 70;

/// What a capital costs besides, where a word has several.
const CAPITAL: Cost = 12;

fn cost_of_word(word: &str, is_short: bool) -> Cost {
    let letters = word.chars().count();
    let marked = word.chars().filter(|c| !c.is_ascii()).count();
    let capitals = word.chars().filter(|c| c.is_uppercase()).count();
    let is_vowel = |c: char| !c.is_ascii() || "aeiouyAEIOUY".contains(c);
    let crowded: usize = word.split(is_vowel).map(|part| part.len().saturating_sub(3)).sum();
    let letter = if is_short { SHORT_LETTER } else { LETTER };
    let known = letters * letter + marked * MARKED + crowded * CONSONANT;
    let spelled = if letters < 3 || word.contains(is_vowel) { 0 } else { letters * SPELLED };
    let shouted = if capitals > 1 { capitals * CAPITAL } else { 0 };
    known.max(spelled).max(TOKEN) + shouted
}

/// One blank belongs to the word behind it; a line end is a token, and the empty line behind it the same one.
fn cost_of_blank(run: &str, line: &str) -> Cost {
    match run {
        " " => 0,
        "\n" | "\r\n" if run.len() == line.len() => TOKEN / 10,
        _ => TOKEN + run.len() / 16 * TOKEN,
    }
}

/// Punctuation side by side is often one token, the more so where it repeats.
fn cost_of_punctuation(run: &str) -> Cost {
    let repeated = run.as_bytes().windows(2).filter(|pair| pair[0] == pair[1]).count();
    TOKEN + (run.len() - 1 - repeated) * 40 + repeated * 10
}

/// Returns what a character of another script costs. Scripts of which tokenizers know few words cost nearly their bytes.
fn cost_of_character(c: char) -> Cost {
    match u32::from(c) {
        // Greek.
        0x370..=0x3ff | 0x1f00..=0x1fff => 47,
        // Cyrillic, Armenian and Georgian.
        0x400..=0x58f | 0x10a0..=0x10ff => 44,
        // Hebrew.
        0x590..=0x5ff => 50,
        // Arabic and its neighbours.
        0x600..=0x7ff => 45,
        // Gurmukhi, Sinhala, and the other scripts of India.
        0xa00..=0xa7f => 62,
        0xd80..=0xdff => 72,
        0x900..=0xd7f => 46,
        // Thai, Burmese, Khmer.
        0xe00..=0xe7f => 50,
        0x1000..=0x109f => 75,
        0x1780..=0x17ff => 80,
        // Hangul, kana, ideographs and their punctuation.
        0x1100..=0x11ff | 0xac00..=0xd7ff => 82,
        0x3040..=0x30ff => 80,
        0x3000..=0x303f | 0x3400..=0x9fff | 0xff00..=0xffef => 100,
        // Dashes and quotation marks; arrows, boxes, symbols.
        0x2000..=0x206f => 110,
        0x2070..=0x2bff => 160,
        0..=0x7ff => 100,
        0x800..=0xffff => 220,
        // Emoji.
        0x1f000..=0x1ffff => 200,
        _ => 400,
    }
}

/// The most frequent words of English, German, French, Spanish, Portuguese, Dutch, Italian and Indonesian, which no other
/// language has in such numbers.
const FREQUENT: [&str; 81] = [
    "the", "of", "and", "is", "in", "that", "it", "not", "for", "with", "by", "der", "die", "das",
    "und", "ein", "eine", "den", "dem", "zu", "von", "mit", "auf", "wir", "le", "la", "les", "et",
    "des", "est", "une", "un", "que", "qui", "dans", "pas", "du", "el", "los", "las", "en", "por",
    "una", "con", "de", "os", "da", "em", "um", "uma", "não", "é", "quem", "het", "een", "van",
    "wij", "we", "dat", "niet", "wordt", "il", "che", "non", "per", "è", "di", "del", "ai", "yang",
    "dan", "dari", "ke", "itu", "ini", "untuk", "tidak", "kali", "lagi", "jika", "pada",
];

/// Tells whether a sixth of the words of a line are such words.
fn is_of_frequent_language(line: &str) -> bool {
    let words = line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let (mut all, mut frequent) = (0, 0);
    for word in words {
        all += 1;
        frequent += usize::from(FREQUENT.iter().any(|known| known.eq_ignore_ascii_case(word)));
    }
    frequent * 6 >= all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_costs_what_its_script_costs() {
        let per_hundred = |text: &str| tokens(&text.repeat(100));
        assert!((70..=100).contains(&per_hundred("再")));
        assert!((70..=85).contains(&per_hundred("재")));
        assert!((40..=50).contains(&per_hundred("ф")));
        assert!((200..=240).contains(&per_hundred("\u{1230}")));
        assert!((25..=45).contains(&per_hundred("a")));
    }

    #[test]
    fn frequent_words_make_the_words_of_a_line_cheap() {
        let (english, other) =
            ("The window of the session is opened by it.\n", "Lango kikao hufunguliwa.\n");
        assert!(is_of_frequent_language(english) && !is_of_frequent_language(other));
        assert!(tokens(english) <= 14, "{}", tokens(english));
    }

    #[test]
    fn digits_blanks_and_punctuation_are_cut_as_tokenizers_cut_them() {
        assert_eq!(tokens("123456"), 2);
        assert_eq!(tokens("a b c"), 3);
        assert_eq!(tokens("----"), 2);
        assert_eq!(tokens(""), 0);
        assert!(tokens(&" ".repeat(1_000)) > 10);
    }
}
