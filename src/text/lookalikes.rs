//! Writes characters as the plain ones that they look like.

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

use super::accents::is_accent;
use super::invisible::is_invisible;
use super::romanise::plain_latin;

/// Writes a text in small letters, each character as the plain one that a reader takes it for, without accents. What can
/// be taken for each other is one then, as `1`, `I`, `i` and `l` are: it is to compare texts, not to be read.
pub(super) fn looks(text: &str) -> String {
    let visible: String =
        text.nfkd().filter(|c| !is_invisible(*c)).map(plain_punctuation).collect();
    // Lower-casing can give a letter that has a skeleton of its own.
    plain(&plain(&visible)).replace('i', "l")
}

fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in skeleton(text).filter(|character| !is_accent(*character)) {
        match plain_latin(character) {
            Some(letters) => plain.push_str(letters),
            None => plain.push(character),
        }
    }
    plain.to_lowercase()
}

/// Unicode maps dashes to a katakana letter and keeps some quotes apart; here each is its ASCII character.
pub(super) fn plain_punctuation(character: char) -> char {
    match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{201a}' | '\u{201b}' => '\'',
        '\u{201e}' | '\u{201f}' => '"',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(plain: &str, dressed: &[&str]) {
        for text in dressed {
            assert_eq!(looks(text), looks(plain), "{text}");
        }
    }

    #[test]
    fn letters_that_look_alike_are_one() {
        check("again", &["ɑgɑin", "aɡain", "аgaіn", "ᴀɢᴀɪɴ", "𝐚𝓰ａⓘո", "ΑGAΙΝ", "🅰gain"]);
        check("hybrid", &["հуbrіd", "ʜʏʙʀɪᴅ", "hүbrid", "НYBRID"]);
        check("make", &["ｍaкe", "ᴍᴀᴋᴇ", "mаκе"]);
        check("cafe", &["café", "cafe\u{301}", "CAFÉ", "c\u{20dd}a\u{336}fe"]);
        check("Illinois", &["lllinois", "1llinois", "illinois", "|llinois"]);
        check("\"a\" - it's", &["“a” — it’s", "„a‟ – it‛s", "''a'' \u{2212} it`s"]);
    }

    #[test]
    fn what_looks_different_stays_apart() {
        for (one, other) in [("retry", "retries"), ("か", "が"), ("設計", "設定"), ("a<b", "a>b")]
        {
            assert_ne!(looks(one), looks(other));
        }
    }
}
