//! Recognises sections of the same heading that say the same in nearly the same words.

use std::cell::OnceCell;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::forms::stem;
use super::words::{head, is_unsegmented, runs, words};
use crate::text::fold;

/// Below so many words, or characters of a script without blanks, texts are too short to tell.
const FEWEST_WORDS: usize = 8;
const FEWEST_CHARACTERS: usize = 20;

/// Words that make another fact of the same text, as figures do, in the languages that are written most.
const NEGATIONS: &str = "no not never none nor neither without cannot nothing nobody unless except hardly barely rarely \
    seldom refuse refuses refused nicht kein keine keinen keinem keiner keines nie niemals kaum ohne weder nichts ne pas \
    sans jamais aucun aucune rien ni nunca jamás sin ningún ninguna nada não nem sem nenhum non mai senza nessun nessuna \
    niet geen nooit zonder nie nigdy bez brak inte aldrig utan ikke aldri uten uden ei не ни нет без никогда \
    không chưa değil yok لا ليس لم لن بدون";

/// Signs that do so wherever they stand; others only set a text.
const SIGNS: &str = "=<%$€£¥+^&@/";

/// The same, and figures, within a clause of a script without blanks; where one is a part of another word, no harm is
/// done.
const DECISIVE_PARTS: &str = "不 没 沒 無 无 非 未 否 勿 别 別 ない なく なか せん 안 않 못 없 ไม่ อย่า ບໍ່ មិន ဘူး \
    零 一 二 两 兩 三 四 五 六 七 八 九 十 百 千 万 萬 亿 億";

/// Bytes of a text that are compared.
const LOOKED_AT: usize = 8 * 1024;

/// A section, as it is compared with others.
#[derive(Debug)]
pub(super) struct Likeness {
    heading: String,
    text: String,
    /// Read once another section has the same heading, as few have.
    words: OnceCell<Words>,
}

/// The words of a text as they follow one another.
#[derive(Debug, Default)]
struct Words {
    all: Vec<u64>,
    /// How many of them are a character of a script without blanks.
    characters: usize,
    /// Figures and negations, each as often as it stands there, sorted.
    decisive: Vec<u64>,
}

impl Likeness {
    pub(super) fn of(heading: &str, text: String) -> Self {
        Self { heading: fold(heading), text, words: OnceCell::new() }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    fn words(&self) -> &Words {
        self.words.get_or_init(|| self.read_words())
    }

    fn read_words(&self) -> Words {
        let text = head(&self.text, LOOKED_AT);
        let mut found = Words::default();
        for word in words(text).map(|word| &text[word]) {
            if word.is_ascii() {
                found.add(word);
                continue;
            }
            for run in runs(word, is_unsegmented) {
                found.add_clause(&word[run]);
            }
            runs(word, |c| !is_unsegmented(c)).for_each(|run| found.add(&word[run]));
        }
        let signs = text
            .char_indices()
            .filter(|(at, sign)| is_decisive(&text[..*at], *sign, &text[at + sign.len_utf8()..]));
        let mut bytes = [0; 4];
        found.decisive.extend(signs.map(|(_, sign)| number(sign.encode_utf8(&mut bytes))));
        found.decisive.sort_unstable();
        found
    }

    /// Tells whether the heading is the same, and one says what the other does with a word of ten more: another
    /// heading may be all that tells two answers apart, and another word in the place of one makes another fact, as
    /// does another order (`from a to b`).
    pub(super) fn resembles(&self, other: &Self) -> bool {
        if self.heading != other.heading {
            return false;
        }
        let (one, other) = (self.words(), other.words());
        if one.decisive != other.decisive {
            return false;
        }
        let (less, more) =
            if one.all.len() < other.all.len() { (one, other) } else { (other, one) };
        if less.are_few() || less.all.len() * 10 < more.all.len() * 9 {
            return false;
        }
        let mut more = more.all.iter();
        less.all.iter().all(|word| more.any(|other| other == word))
    }
}

impl Words {
    fn are_few(&self) -> bool {
        let words = self.all.len() - self.characters;
        words * FEWEST_CHARACTERS + self.characters * FEWEST_WORDS
            < FEWEST_WORDS * FEWEST_CHARACTERS
    }

    fn add(&mut self, word: &str) {
        let number = number(&stem(word));
        let lower = word.to_lowercase();
        let is_negation = NEGATIONS.split(' ').any(|negation| negation == lower);
        let is_decisive = is_negation || word.contains(char::is_numeric);
        self.decisive.extend(is_decisive.then_some(number));
        self.all.push(number);
    }

    /// Adds what stands between the blanks of a script that has none between its words: each character for itself, as
    /// a word more takes no pair of characters apart then.
    fn add_clause(&mut self, clause: &str) {
        let mut bytes = [0; 4];
        let before = self.all.len();
        self.all.extend(clause.chars().map(|character| number(character.encode_utf8(&mut bytes))));
        self.characters += self.all.len() - before;
        self.decisive
            .extend(runs(clause, char::is_numeric).map(|figures| number(&clause[figures])));
        for part in DECISIVE_PARTS.split(' ') {
            self.decisive.extend(clause.matches(part).map(number));
        }
    }
}

/// Tells whether a sign makes another fact of a text: an operator, a unit, a minus before a figure, or a picture, but
/// no mark of a sentence or of Markdown.
fn is_decisive(before: &str, sign: char, behind: &str) -> bool {
    match sign {
        '-' | '−' => {
            behind.starts_with(char::is_numeric) && !before.ends_with(char::is_alphanumeric)
        }
        // `Retry!` says no more than `Retry`; `!strict` does.
        '!' => behind.starts_with(|next: char| next == '=' || next.is_alphanumeric()),
        // A quotation.
        '>' => !before.is_empty() && !before.ends_with('\n'),
        sign if sign.is_ascii() => SIGNS.contains(sign),
        sign => SIGNS.contains(sign) || is_picture(sign),
    }
}

/// Tells whether a character is an arrow, an operator, a tick, a cross or an emoji (Unicode blocks from Arrows to
/// Miscellaneous Symbols and Arrows, and the pictographs of plane 1).
fn is_picture(sign: char) -> bool {
    matches!(sign, '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
}

fn number(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(one: &str, other: &str, expected: bool) {
        let likeness = |text: &str| Likeness::of("Rotation", text.to_owned());
        assert_eq!(likeness(one).resembles(&likeness(other)), expected, "{one} {other}");
    }

    #[test]
    fn nearly_the_same_words_are_a_duplicate() {
        let text = "Tokens rotate every day and the old ones stay valid for an hour.";
        check(text, text, true);
        check(text, "tokens rotated every day, and the old ones stay valid for an hour", true);
        check(&text.replace('T', "Retry: t"), &text.replace('T', "Retries: t"), true);
        check(text, "Tokens rotate every week and old ones are valid for a day.", false);
        check(text, &format!("{text} Really."), true);
        check(text, &text.replace("hour", "week"), false);
        check(text, &text.replace("stay", "never stay"), false);
        let moved = "We moved the server from Berlin to Madrid in one night.";
        check(moved, "We moved the server from Madrid to Berlin in one night.", false);
        check(&format!("{text} Since 2.1."), &format!("{text} Since 2.2."), false);
        check(text, &format!("{text} {text}"), false);
        check("Thanks a lot!", "Thanks a lot!", false);
        check(text, &text.replace(" the ", " **the** ").replace('.', "!"), true);
        check("", "", false);
        let likeness = |heading| Likeness::of(heading, text.to_owned());
        assert!(!likeness("a").resembles(&likeness("b")));
    }

    #[test]
    fn a_sign_or_a_negation_makes_another_fact() {
        for (one, other) in [
            ("to 5", "to -5"),
            ("if it is < 5", "if it is > 5"),
            ("where n == 5", "where n != 5"),
            ("by 5", "by 5 %"),
            ("for 5 $", "for 5 €"),
            ("as ✅", "as ❌"),
            ("verify = strict", "verify = !strict"),
            ("und das gilt", "und das gilt nicht"),
            ("et cela va", "et cela ne va pas"),
            ("это верно", "это не верно"),
        ] {
            let text = |end: &str| {
                format!("The value of the worker is set before the pool is made and begins, {end}.")
            };
            check(&text(one), &text(other), false);
            check(&text(one), &text(one), true);
        }
    }

    #[test]
    fn scripts_without_blanks_have_duplicates_as_others_have() {
        for (text, more, other) in [
            ("我们的服务每天都会轮换一次登录令牌，旧的令牌在一小时之内仍然有效。", "都", "不"),
            ("トークンは毎日更新され、古いものはその後も一時間だけ有効です。", "まだ", "二"),
            ("ระบบเปลี่ยนรหัสผ่านทุกวันและรหัสเก่ายังใช้ได้อีกหนึ่งชั่วโมง", "นี้", "ไม่"),
            ("토큰은매일바뀌고이전토큰은한시간동안계속유효하게남아있습니다", "더", "안"),
        ] {
            let middle = text.char_indices().nth(text.chars().count() / 2).expect("one").0;
            let with = |more: &str| format!("{}{more}{}", &text[..middle], &text[middle..]);
            check(text, text, true);
            check(text, &with(more), true);
            check(text, &with(other), false);
            check(&with("7"), &with("8"), false);
            check(&with("７"), &with("８"), false);
            check(text, &with(&text[..middle]), false);
        }
        check("旧的令牌在一小时之内仍然有效", "旧的令牌在一小时之内已经失效", false);
        check("谢谢大家", "谢谢大家", false);
        check("服务器从北京迁移到上海", "服务器从北京迁移到上海了", false);
        let moved = "我们在一个晚上之内把所有服务器从北京迁移到上海";
        check(moved, &format!("{moved}了"), true);
        check(moved, "我们在一个晚上之内把所有服务器从上海迁移到北京", false);
    }

    #[test]
    fn figures_of_each_script_make_another_fact() {
        for (text, figures) in [
            ("ระบบเปลี่ยนรหัสผ่านทุกวันและรหัสเก่ายังใช้ได้อีก#ชั่วโมง", ["๕", "๕๒", "๒๕"]),
            ("ລະບົບປ່ຽນລະຫັດຜ່ານທຸກມື້ແລະລະຫັດເກົ່າຍັງໃຊ້ໄດ້ອີກ#ຊົ່ວໂມງ", ["໕", "໕໒", "໒໕"]),
            ("ប្រព័ន្ធប្តូរពាក្យសម្ងាត់រៀងរាល់ថ្ងៃហើយពាក្យចាស់នៅប្រើបាន#ម៉ោង", ["៥", "៥២", "២៥"]),
            ("စနစ်သည်စကားဝှက်ကိုနေ့စဉ်ပြောင်းပြီးအဟောင်းကို#နာရီသုံးနိုင်သည်", ["၅", "၅၂", "၂၅"]),
            (
                "我们的服务每天都会轮换一次登录令牌旧的令牌在#小时之内仍然有效",
                ["二〇", "二〇〇", "二零"],
            ),
            (
                "我们的服务每天都会轮换一次登录令牌旧的令牌在#小时之内仍然有效",
                ["两", "两万", "两亿"],
            ),
        ] {
            let with = |figures: &str| text.replace('#', figures);
            check(&with(figures[0]), &with(figures[0]), true);
            check(&with(figures[0]), &with(figures[1]), false);
            check(&with(figures[0]), &with(figures[2]), false);
            check(&with(figures[1]), &with(figures[2]), false);
        }
    }
}
