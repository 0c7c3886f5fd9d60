//! Writes letters of any script in Latin ones, so that names can be made of them.

use std::borrow::Cow;

use any_ascii::any_ascii_char;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Writes each letter and digit in ASCII, the case kept. What is neither becomes a blank, but an apostrophe stays.
///
/// Two Unicode forms of a text give the same. Ideographs are read as Chinese ones, each a word: which language a text
/// is in is not known.
pub(super) fn romanised(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut written = Romanised::default();
    text.nfkc().for_each(|character| written.push(character));
    Cow::Owned(written.text)
}

/// Returns what stands for a letter of the Latin script that is none of ASCII, such as a small capital; nothing for other
/// characters.
pub(super) fn plain_latin(character: char) -> Option<&'static str> {
    let is_latin = matches!(
        character,
        '\u{c0}'..='\u{d6}'
            | '\u{d8}'..='\u{f6}'
            | '\u{f8}'..='\u{2af}'
            | '\u{1d00}'..='\u{1dbf}'
            | '\u{1e00}'..='\u{1eff}'
            | '\u{2c60}'..='\u{2c7f}'
            | '\u{a720}'..='\u{a7ff}'
            | '\u{ab30}'..='\u{ab6f}'
            | '\u{1f130}'..='\u{1f189}'
            | '\u{1f1e6}'..='\u{1f1ff}'
    );
    // `any_ascii` transliterates by sound; these two look like other letters.
    match character {
        'ĸ' => Some("k"),
        'ʍ' => Some("m"),
        _ if is_latin => Some(any_ascii_char(character)).filter(|letters| !letters.is_empty()),
        _ => None,
    }
}

#[derive(Default)]
struct Romanised {
    text: String,
    /// The kind of the last letter; nothing behind a blank.
    kind: Option<LetterKind>,
    /// Whether the next kana begins with a double consonant.
    is_doubled: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LetterKind {
    Kana,
    Ideographs,
    Other,
}

impl Romanised {
    fn push(&mut self, character: char) {
        let letters = any_ascii_char(character);
        if is_combining_mark(character) {
            // A vowel sign is written, an accent has no letter.
            self.text.extend(letters.chars().filter(char::is_ascii_alphanumeric));
            return;
        }
        if !character.is_alphanumeric() {
            self.text.push(if matches!(character, '\'' | '’') { '\'' } else { ' ' });
            (self.kind, self.is_doubled) = (None, false);
            return;
        }
        let kind = kind_of(character);
        let is_new = self.kind != Some(kind);
        if is_new || kind == LetterKind::Ideographs {
            self.text.push_str(if self.kind.is_some() { " " } else { "" });
            self.is_doubled = false;
        }
        self.kind = Some(kind);
        match kind {
            LetterKind::Kana => self.push_kana(character, letters, is_new),
            LetterKind::Ideographs | LetterKind::Other => {
                self.text.extend(letters.chars().filter(char::is_ascii_alphanumeric));
            }
        }
    }

    /// Writes a kana by Hepburn's rules: the small ones change the sound before or behind them.
    fn push_kana(&mut self, kana: char, letters: &str, is_first: bool) {
        let before = if is_first { "" } else { self.text.as_str() };
        match kana {
            'っ' | 'ッ' => self.is_doubled = true,
            'ゃ' | 'ゅ' | 'ょ' | 'ャ' | 'ュ' | 'ョ' if before.ends_with('i') => {
                let is_soft = ["shi", "chi", "ji"].iter().any(|end| before.ends_with(end));
                self.text.pop();
                self.text.push_str(if is_soft { &letters[1..] } else { letters });
            }
            'ぁ' | 'ぃ' | 'ぅ' | 'ぇ' | 'ぉ' | 'ァ' | 'ィ' | 'ゥ' | 'ェ' | 'ォ'
                if before.ends_with(['a', 'i', 'u', 'e', 'o']) =>
            {
                self.text.pop();
                // `fu` and a small `a` are `fa`, `u` and a small `e` are `we`.
                let is_alone = !self.text.ends_with(|c: char| c.is_ascii_alphabetic());
                self.text.push_str(if is_alone { "w" } else { "" });
                self.text.push_str(letters);
            }
            _ => {
                let consonant = letters.chars().next().filter(|first| !"aiueon".contains(*first));
                let double = consonant.map(|first| if first == 'c' { 't' } else { first });
                self.text.extend(double.filter(|_| self.is_doubled));
                self.text.extend(letters.chars().filter(char::is_ascii_alphanumeric));
                self.is_doubled = false;
            }
        }
    }
}

fn kind_of(letter: char) -> LetterKind {
    match letter {
        '\u{3041}'..='\u{309f}' | '\u{30a1}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => {
            LetterKind::Kana
        }
        '\u{3005}'..='\u{3007}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => LetterKind::Ideographs,
        _ => LetterKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(romanised(text).to_lowercase(), expected, "{text}");
        let taken_apart: String = text.nfd().collect();
        assert_eq!(romanised(&taken_apart).to_lowercase(), expected, "{text}, taken apart");
    }

    #[test]
    fn letters_that_unicode_does_not_take_apart_are_written_out() {
        check("Straße Ærø Łódź Đorđe Þór İzmir", "strasse aero lodz dorde thor izmir");
    }

    #[test]
    fn other_alphabets_are_read_by_their_sounds() {
        check("Привет, мир", "privet  mir");
        check("Ёлка й объект", "elka y obekt");
        check("Αθήνα", "athina");
        check("한국어", "hangugeo");
        check("हिन्दी", "hindi");
    }

    #[test]
    fn kana_are_written_as_they_are_spoken() {
        check("ひらがな", "hiragana");
        check("キャッシュ", "kyasshu");
        check("じゅんび ちょっと マッチ", "junbi chotto matchi");
        check("ファイル ウェブ", "fairu webu");
        check("データベース", "detabesu");
    }

    #[test]
    fn each_ideograph_is_a_word() {
        check("設計", "she ji");
        check("UX設計の方針", "ux she ji no fang zhen");
    }

    #[test]
    fn what_is_no_letter_is_a_blank() {
        check("🚀 Launch – €5", "  launch    5");
        check("l’été", "l'ete");
    }
}
