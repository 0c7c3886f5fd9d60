//! Invisible characters that what stands around them explains: without them an emoji, a letter or a line in a script from right
//! to left cannot be written. They are those of Unicode's emoji sequences (UTS #51), variation sequences and bidirectional
//! algorithm (UAX #9).

use super::invisible::is_invisible;

/// The regions whose flags are written with tags: England, Scotland, Wales. Unicode recommends no others, and any other run of
/// tags could say anything unseen.
const TAGGED_FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

/// The flag that tags follow.
const BLACK_FLAG: char = '\u{1f3f4}';

const EMOJI_SELECTOR: char = '\u{fe0f}';

/// Characters of a line that are looked at on each side: more would take too long where many marks stand in one line.
const NEAR: usize = 400;

/// Tells whether an invisible character is explained by what stands before and after it.
pub(super) fn is_explained(before: &str, character: char, after: &str) -> bool {
    let (previous, next) = (before.chars().next_back(), after.chars().next());
    match character {
        // It keeps the shape of the letter before it, also at the end of a word.
        '\u{200d}' if previous.is_some_and(is_virama) => true,
        '\u{200b}' => previous.zip(next).is_some_and(|(before, after)| {
            is_of_script_without_blanks(before) && is_of_script_without_blanks(after)
        }),
        '\u{200c}' | '\u{200d}' => {
            // An emoji may have a selector, or a colour, before its joiner.
            let joined = before.strip_suffix(EMOJI_SELECTOR).unwrap_or(before).chars().next_back();
            joined.is_some_and(takes_joiner) && next.is_some_and(takes_joiner)
        }
        '\u{fe0e}' | EMOJI_SELECTOR => previous.is_some_and(takes_presentation),
        '\u{fe00}'..='\u{fe0d}' | '\u{e0100}'..='\u{e01ef}' => previous.is_some_and(is_ideograph),
        '\u{180b}'..='\u{180f}' => previous.is_some_and(is_mongolian),
        '\u{e0020}'..='\u{e007f}' => is_in_tagged_flag(before, character, after),
        '\u{061c}' | '\u{200e}' | '\u{200f}' => is_beside_right_to_left(before, after),
        '\u{2066}'..='\u{2069}' => is_in_closed_isolate(before, character, after),
        _ => false,
    }
}

fn takes_joiner(character: char) -> bool {
    !is_invisible(character) && (character >= '\u{0600}') && !character.is_whitespace()
}

/// The signs of the scripts of India and Sri Lanka that join two consonants.
fn is_virama(character: char) -> bool {
    matches!(
        u32::from(character),
        0x094d | 0x09cd | 0x0a4d | 0x0acd | 0x0b4d | 0x0bcd | 0x0c4d | 0x0ccd | 0x0d4d | 0x0dca
    )
}

/// Thai, Lao, Burmese and Khmer: only a break that is not seen tells where a line may end.
fn is_of_script_without_blanks(character: char) -> bool {
    matches!(character, '\u{0e01}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

fn takes_presentation(character: char) -> bool {
    matches!(character, '0'..='9' | '#' | '*' | '©' | '®')
        || (character >= '\u{2000}' && !is_invisible(character))
}

fn is_ideograph(character: char) -> bool {
    matches!(character,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

fn is_mongolian(character: char) -> bool {
    matches!(character, '\u{1820}'..='\u{18aa}')
}

/// Tells whether a tag is one of those of a flag that Unicode recommends, whole.
fn is_in_tagged_flag(before: &str, character: char, after: &str) -> bool {
    let is_tag = |c: char| ('\u{e0020}'..='\u{e007f}').contains(&c);
    let begun = before.trim_end_matches(is_tag);
    let rest = after.len() - after.trim_start_matches(is_tag).len();
    let run = before[begun.len()..].chars().chain([character]).chain(after[..rest].chars());
    // A tag stands for the ASCII character that is so much smaller; the last one, U+E007F, ends the run.
    let letters = run.map(|tag| char::from_u32(u32::from(tag) - 0xe0000).unwrap_or('\u{fffd}'));
    let letters: String = letters.take(TAGGED_FLAGS[0].len() + 2).collect();
    begun.ends_with(BLACK_FLAG)
        && letters.strip_suffix('\u{7f}').is_some_and(|flag| TAGGED_FLAGS.contains(&flag))
}

/// Tells whether an isolate is closed in its line, and stands beside text from right to left.
fn is_in_closed_isolate(before: &str, character: char, after: &str) -> bool {
    let is_closed = match character {
        '\u{2069}' => closes(line_before(before), is_isolate_end, is_isolate_start),
        _ => closes(line_after(after), is_isolate_start, is_isolate_end),
    };
    is_closed && is_beside_right_to_left(before, after)
}

fn is_isolate_start(character: char) -> bool {
    matches!(character, '\u{2066}'..='\u{2068}')
}

fn is_isolate_end(character: char) -> bool {
    character == '\u{2069}'
}

/// Tells whether a `closing` character comes that no `opening` one has taken.
fn closes(
    characters: impl Iterator<Item = char>,
    opening: fn(char) -> bool,
    closing: fn(char) -> bool,
) -> bool {
    let mut depth = 0_usize;
    for character in characters {
        if opening(character) {
            depth += 1;
        } else if closing(character) {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return true,
            }
        }
    }
    false
}

fn is_beside_right_to_left(before: &str, after: &str) -> bool {
    let is_right_to_left = |character: char| {
        character.is_alphabetic()
            && matches!(character,
                '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
                | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    };
    line_before(before).chain(line_after(after)).any(is_right_to_left)
}

/// Returns the characters of the line that a text ends in, backwards.
fn line_before(text: &str) -> impl Iterator<Item = char> {
    text.chars().rev().take(NEAR).take_while(|character| *character != '\n')
}

/// Returns the characters of the line that a text begins in.
fn line_after(text: &str) -> impl Iterator<Item = char> {
    text.chars().take(NEAR).take_while(|character| *character != '\n')
}

#[cfg(test)]
mod tests {
    use crate::text::find_hidden;

    fn passes(text: &str) {
        assert_eq!(find_hidden(text), None, "{text:?}");
    }

    fn hides(text: &str) {
        assert!(find_hidden(text).is_some(), "{text:?}");
    }

    #[test]
    fn a_break_between_letters_of_a_script_without_blanks_hides_nothing() {
        for text in ["ខ្ញុំ\u{200b}ចង់", "ใช้\u{200b}ได้", "ເຈົ້າ\u{200b}ຢູ່", "မြန်\u{200b}မာ"]
        {
            passes(text);
        }
        for text in ["ខ្ញុំ\u{200b}\u{200b}ចង់", "a\u{200b}b", "ใช้\u{200b} ", "\u{200b}ចង់"]
        {
            hides(text);
        }
    }

    #[test]
    fn a_joiner_behind_a_virama_hides_nothing_at_the_end_of_a_word() {
        passes("\u{0d05}\u{0d35}\u{0d28}\u{0d4d}\u{200d} \u{0d35}");
        hides("\u{0d05}\u{200d} \u{0d35}");
        hides("\u{0d4d}\u{200d}\u{200d}");
    }

    #[test]
    fn emoji_of_several_characters_hide_nothing() {
        for emoji in [
            "👩\u{200d}💻",
            "❤\u{fe0f}\u{200d}🔥",
            "🏳\u{fe0f}\u{200d}🌈",
            "🏋\u{fe0f}\u{200d}♀\u{fe0f}",
            "🏋🏽\u{200d}♀\u{fe0f}",
            "👨\u{200d}👩\u{200d}👧\u{200d}👦",
            "🧑🏿\u{200d}🤝\u{200d}🧑🏻",
            "👁\u{fe0f}\u{200d}🗨\u{fe0f}",
            "🏴\u{200d}☠\u{fe0f}",
            "1\u{fe0f}\u{20e3}",
            "#\u{fe0f}\u{20e3}",
            "☎\u{fe0e}",
            "🇩🇪",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}!",
        ] {
            passes(emoji);
            passes(&format!("- shipped {emoji} today"));
        }
    }

    #[test]
    fn tags_that_are_no_known_flag_are_hidden() {
        hides("🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}");
        hides("🏴\u{e0061}\u{e0062}\u{e007f}");
        hides("🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e0061}\u{e007f}");
        hides("a\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}");
        hides("🏴\u{e007f}");
    }

    #[test]
    fn selectors_stand_after_what_has_variants() {
        passes("葛\u{e0100}飾区と葛\u{e0101}城市");
        passes("神\u{fe00}");
        passes("ᠠ\u{180b}ᠮ");
        hides("a\u{e0100}");
        hides("葛\u{e0100}\u{e0101}");
        hides("a\u{fe00}");
        hides("a\u{180b}");
    }

    #[test]
    fn direction_marks_and_closed_isolates_stand_beside_text_from_right_to_left() {
        passes("הגרסה 1.2\u{200f} יצאה");
        passes("C++\u{200e} היא שפה");
        passes("السعر 5\u{061c}%");
        passes("הקובץ \u{2066}src/lib.rs\u{2069} השתנה");
        passes("\u{2067}שלום \u{2066}abc\u{2069}\u{2069} end");
        hides("if (a\u{200f} == b)");
        hides("הקובץ \u{2066}src/lib.rs השתנה");
        hides("הקובץ src/lib.rs\u{2069} השתנה");
        hides("הקובץ \u{2066}src\n/lib.rs\u{2069} השתנה");
        hides("\u{2066}abc\u{2069}");
        hides("שלום \u{202e}abc\u{202c}");
    }

    #[test]
    fn joiners_stand_between_letters_that_join() {
        passes("می\u{200c}خواهم");
        hides("ad\u{200d}min");
        hides("❤\u{fe0f}\u{200d}");
        hides("❤\u{fe0f}\u{200d} 🔥");
        hides("a\u{fe0f}\u{200d}🔥");
    }
}
