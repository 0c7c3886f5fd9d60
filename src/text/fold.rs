//! Brings texts to plainer forms, to name them and to know them again.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::accents::is_accent;
use super::invisible::is_invisible;
use super::lookalikes::looks;
use super::romanise::romanised;

/// Makes a lower-case kebab-case word of at most `limit` bytes, the letters of other scripts written in Latin ones;
/// empty when there is no letter.
pub(crate) fn slug(text: &str, limit: usize) -> String {
    let mut slug = String::new();
    let mut gap = false;
    for character in romanised(text).chars() {
        if !character.is_ascii_alphanumeric() {
            // An apostrophe joins (`don't` is `dont`), anything else separates.
            gap |= character != '\'';
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

/// Returns a text in the one form in which two spellings of the same letters are equal (NFC).
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        IsNormalized::No | IsNormalized::Maybe => Cow::Owned(text.nfc().collect()),
    }
}

/// Returns a word without its accents, in its plainest form: `ёлка` as `елка`, `Straße` as `Strasse`. Marks without
/// which a letter is another one, as in kana and Thai, stay.
pub(crate) fn without_accents(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let plain = word.nfkd().filter(|character| !is_accent(*character)).nfc();
    let mut text = String::with_capacity(word.len());
    for character in plain {
        match character {
            'ß' | 'ẞ' => text.push_str("ss"),
            'ς' => text.push('σ'),
            other => match plain_letter(other) {
                Some(letters) => text.push_str(letters),
                None => text.push(other),
            },
        }
    }
    Cow::Owned(text)
}

/// Returns what stands for a Latin letter that Unicode does not take apart where a keyboard has none of it.
fn plain_letter(letter: char) -> Option<&'static str> {
    Some(match letter {
        'Æ' | 'æ' => "ae",
        'Œ' | 'œ' => "oe",
        'Ø' | 'ø' => "o",
        'Đ' | 'đ' | 'Ð' | 'ð' => "d",
        'Þ' | 'þ' => "th",
        'Ł' | 'ł' => "l",
        'Ħ' | 'ħ' => "h",
        'ı' => "i",
        _ => return None,
    })
}

/// Returns the characters of a text in their plainest forms, letters and their marks one by one.
pub(super) fn taken_apart(text: &str) -> impl Iterator<Item = char> {
    text.nfkd()
}

/// Tells whether a character is a mark on the one before it, such as an accent or a vowel of Thai.
pub(crate) fn is_mark(character: char) -> bool {
    is_combining_mark(character) && !is_invisible(character)
}

/// Folds away what some file system does not keep apart in a name: case, the form of letters, invisible
/// characters, dots and blanks at the end.
pub(crate) fn fold_name(name: &str) -> String {
    let plain = name.nfd().filter(|character| !is_invisible(*character));
    // In capitals `ſ` is an `s`, and the Kelvin sign is a `k` in small letters.
    let folded: String = plain.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    folded.trim_end_matches(['.', ' ']).to_owned()
}

/// Returns the letters and digits of a text alone, in small letters, those that look alike as one, without accents.
pub(crate) fn fold_letters(text: &str) -> String {
    let is_letter = |character: &char| character.is_alphanumeric() || is_mark(*character);
    looks(&text.chars().filter(is_letter).collect::<String>())
}

/// Folds line ends and runs of blanks into one blank each; none stands at either end.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_kebab_case_ascii() {
        assert_eq!(slug("Token Rotation: don't reuse!", 80), "token-rotation-dont-reuse");
        assert_eq!(slug("Überprüfung & Café", 80), "uberprufung-cafe");
        assert_eq!(slug("Straße 設計", 80), "strasse-she-ji");
        assert_eq!(slug("🚀", 80), "");
        assert_eq!(slug("one two three", 7), "one-two");
        assert_eq!(slug("one two three", 9), "one-two");
        assert_eq!(slug("one two", 7), "one-two");
        assert_eq!(slug("incomprehensibilities", 7), "incompr");
    }

    #[test]
    fn two_spellings_of_the_same_letters_are_one() {
        assert_eq!(composed("U\u{308}ber か\u{3099}"), "\u{dc}ber が");
        assert!(matches!(composed("Über"), Cow::Borrowed(_)));
    }

    #[test]
    fn names_that_some_disk_cannot_tell_apart_are_one() {
        for duplicate in ["Auth.md", "AUTH.MD", "auth.md.", "auth.md ", "au\u{200d}th.md"] {
            assert_eq!(fold_name(duplicate), "auth.md", "{duplicate:?}");
        }
        assert_eq!(fold_name("ta\u{17f}\u{212a}.md"), "task.md");
        assert_eq!(fold_name("\u{fc}.md"), fold_name("U\u{308}.md"));
        assert_ne!(fold_name("\u{fc}.md"), fold_name("u.md"));
    }

    #[test]
    fn letters_and_digits_are_the_same_in_any_marks() {
        assert_eq!(fold_letters("**Ke**ep, `a`\n b 10"), fold_letters("keep ab lO"));
        assert_ne!(fold_letters("keep a"), fold_letters("keep b"));
    }
}
