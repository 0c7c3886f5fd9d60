//! Moves the headings of a text to other levels.

use std::ops::RangeInclusive;

use super::outline::Outline;
use super::section::HeadingStyle;

const LEVELS: RangeInclusive<i8> = 1..=6;

/// Returns a text with each heading some levels deeper, or higher where that is negative. One that would leave the levels 1
/// to 6 stays, and so does an underlined one; every other byte stays too.
pub(crate) fn shifted(text: &str, by: i8) -> String {
    let outline = Outline::read(text);
    let (mut shifted, mut copied) = (String::with_capacity(text.len()), 0);
    for section in outline.sections() {
        let level = i8::try_from(section.heading.level).unwrap_or(i8::MAX).saturating_add(by);
        if section.heading.style != HeadingStyle::Atx || !LEVELS.contains(&level) {
            continue;
        }
        let start = section.heading_bytes.start;
        let Some(marks) = text[start..].find('#').map(|blanks| start + blanks) else { continue };
        shifted += &text[copied..marks];
        shifted += &"#".repeat(level.unsigned_abs().into());
        copied = marks + usize::from(section.heading.level);
    }
    shifted + &text[copied..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, by: i8, expected: &str) {
        assert_eq!(shifted(text, by), expected);
    }

    #[test]
    fn every_heading_moves_and_nothing_else() {
        check("## A\n\n```\n## b\n```\n\n### C ##\n", -1, "# A\n\n```\n## b\n```\n\n## C ##\n");
        check(" ## A\r\n# text\r\n", 1, " ### A\r\n## text\r\n");
    }

    #[test]
    fn a_heading_without_room_stays() {
        check("# A\n\nB\n---\n", -1, "# A\n\nB\n---\n");
        check("###### A\n", 1, "###### A\n");
    }
}
