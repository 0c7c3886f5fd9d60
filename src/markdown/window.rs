//! Reads only the sections around a change again, where all others have to read as before.
//!
//! A heading at the start of a line, outside of quotes and lists, ends whatever is open above it, and one that is
//! underlined ends with its line of `=` or `-`. So what stands up to its end decides whether it is one, as the parser
//! reads no further ahead, and nothing before it decides how the text behind it reads.

use std::borrow::Cow;
use std::ops::Range;

use super::outline::{BYTE_ORDER_MARK, Outline, find_headings, front_matter_end};
use super::section::{Section, close, count_lines, read_sections};

/// A heading behind a text, which is one only if the text leaves nothing open.
pub(super) const PROBE: &str = "\n\n# probe\n";

/// Where the heading of the probe begins.
pub(super) const PROBE_START: usize = 2;

/// Bytes that gave way to others.
#[derive(Debug, Clone)]
pub(super) struct Splice {
    /// Where they stood.
    pub(super) bytes: Range<usize>,
    /// How many came instead.
    pub(super) length: usize,
}

/// The sections around a change, as they are afterwards.
#[derive(Debug)]
pub(super) struct Window {
    /// Numbers of the sections before that were read again.
    former: Range<usize>,
    sections: Vec<Section>,
    splice: Splice,
}

impl Splice {
    /// Says where a place behind the splice is afterwards.
    fn moved(&self, place: usize) -> usize {
        place - self.bytes.len() + self.length
    }
}

impl Window {
    /// Reads the section before some sections and all up to the one behind them; nothing where a splice
    /// reaches further, or may have changed how the rest reads.
    pub(super) fn read(
        before: &Outline<'_>,
        after: &str,
        splice: &Splice,
        changed: Range<usize>,
    ) -> Option<Self> {
        let first = changed.start.checked_sub(1)?;
        let head = before.sections().get(first)?;
        let behind = before.sections().get(changed.end);
        if !stands_between(splice, head, behind, before.text()) {
            return None;
        }
        let start = head.heading_bytes.start;
        let behind = behind.map(|Section { heading, heading_bytes: bytes, .. }| {
            (heading.level, splice.moved(bytes.start)..splice.moved(bytes.end))
        });
        let headings = headings_between(after, (head.heading.level, &head.heading_bytes), behind)?;
        let sections = read_sections(after, headings.into_iter(), (head.line, start));
        Some(Self { former: first..changed.end, sections, splice: splice.clone() })
    }

    /// Puts the window in the place of the sections as they were.
    pub(super) fn put_into(self, mut sections: Vec<Section>, text: &str) -> Vec<Section> {
        let (kept, behind) = sections.split_at_mut(self.former.end);
        if let (head, Some(next)) = (&kept[self.former.start], behind.first()) {
            let start = self.splice.moved(next.heading_bytes.start);
            let is = head.line + count_lines(&text[head.heading_bytes.start..start]);
            let was = next.line;
            for section in behind {
                section.line = section.line - was + is;
                section.move_bytes(|place| self.splice.moved(place));
            }
        }
        sections.splice(self.former, self.sections);
        close(&mut sections, text.len());
        sections
    }
}

/// Tells whether a splice stands between two headings, and can change neither them nor what is around them.
fn stands_between(splice: &Splice, head: &Section, behind: Option<&Section>, text: &str) -> bool {
    // Where front matter was opened and not closed, a line far below may still do so.
    let is_open = text.trim_start_matches(BYTE_ORDER_MARK).starts_with(['-', '+'])
        && front_matter_end(text) <= BYTE_ORDER_MARK.len();
    // Without a line end, what comes behind the heading would belong to it.
    let is_ended = text[..head.heading_bytes.end].ends_with('\n');
    let is_behind_head = is_ended && splice.bytes.start >= head.heading_bytes.end;
    let is_before = |behind: &Section| splice.bytes.end <= behind.heading_bytes.start;
    !is_open && is_behind_head && behind.is_none_or(is_before)
}

/// Returns the headings from one up to another, or to the end of the text; nothing if one of the two is not
/// seen, or if the text leaves something open.
fn headings_between(
    text: &str,
    (level, head): (u8, &Range<usize>),
    behind: Option<(u8, Range<usize>)>,
) -> Option<Vec<(u8, Range<usize>)>> {
    let start = head.start;
    let end = behind.as_ref().map_or(text.len(), |(_, bytes)| bytes.end);
    let part = &text[start..end];
    // The parser sees a line end there, we do not.
    let part = (!holds_lone_return(part)).then_some(part)?;
    let (part, last_level, last_start) = match behind {
        Some((level, bytes)) => (Cow::Borrowed(part), level, bytes.start - start),
        None => (Cow::Owned([part, PROBE].concat()), 1, part.len() + PROBE_START),
    };
    // At the start of a file it is no text, as which it would hide the heading.
    let skipped = match start == 0 && part.starts_with(BYTE_ORDER_MARK) {
        true => BYTE_ORDER_MARK.len(),
        false => 0,
    };
    let mut headings = find_headings(&part, skipped);
    let last = (last_level, last_start..part.len());
    // Behind a definition of a link the parser takes four blanks for no code: alone, that is another heading.
    if headings.pop() != Some(last) || headings.first() != Some(&(level, 0..head.len())) {
        return None;
    }
    // The last one of a text may have its line end from the probe.
    let bytes = |(level, bytes): (u8, Range<usize>)| {
        (level, bytes.start + start..(bytes.end + start).min(end))
    };
    Some(headings.into_iter().map(bytes).collect())
}

fn holds_lone_return(text: &str) -> bool {
    memchr::memchr_iter(b'\r', text.as_bytes())
        .any(|at| text.as_bytes().get(at + 1) != Some(&b'\n'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, Strategy, any, proptest};
    use proptest::sample::{Index, select};

    use super::*;

    /// Lines that open, close, or only look as if they did.
    const LINES: [&str; 46] = [
        "# a",
        "## b",
        "### c ###",
        "   ## d",
        "    # e",
        "#",
        "",
        "",
        "text",
        "===",
        "---",
        "```",
        "~~~~",
        "<!-- @id: x -->",
        "<!--",
        "-->",
        "<div>",
        "</div>",
        "<script>",
        "> # f",
        "- # g",
        "  # h",
        "1. i",
        "[j]: /k \"l",
        "m\"",
        "[n",
        "o]: /p",
        "\tq",
        "# r\r# s",
        "\\",
        "\u{feff}# t",
        "+++",
        "-",
        "   - u",
        "  ```",
        "<a>",
        "<?",
        "<!-- @source: file v - confirmed 2026-11-20 -->",
        "# \u{e9}\u{a0}",
        "w\u{b}\0",
        "- [x",
        "       ",
        "y]: /z",
        "#a",
        "'t",
        "t'",
    ];

    fn text(most: usize) -> impl Strategy<Value = String> {
        let lines = proptest::collection::vec(select(&LINES[..]), 0..most);
        (lines, select(&["\n", "\r\n"][..]), any::<bool>()).prop_map(|(lines, end, ends)| {
            let text = lines.join(end);
            if ends { text + end } else { text }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn a_window_reads_as_the_whole_does(
            before in text(24), new in text(6), at in any::<[Index; 4]>(), removed in 0..3_usize,
        ) {
            let outline = Outline::read(&before);
            let count = outline.sections().len();
            let first = at[0].index(count + 1);
            let behind = (first + removed).min(count);
            let [one, other] = [at[1], at[2]].map(|at| {
                let at = at.index(before.len() + 1);
                (0..=at).rfind(|at| before.is_char_boundary(*at)).unwrap_or_default()
            });
            let end = outline.sections().get(behind).map_or(before.len(), |it| it.heading_bytes.start);
            // Half of them as an edit has them, the others anywhere.
            let bytes = match at[3].index(2) {
                0 => one.min(end)..end,
                _ => one.min(other)..one.max(other),
            };
            let after = [&before[..bytes.start], &new, &before[bytes.end..]].concat();
            let splice = Splice { bytes, length: new.len() };
            if let Some(window) = Window::read(&outline, &after, &splice, first..behind) {
                let sections = window.put_into(outline.clone().into_sections(), &after);
                let whole = Outline::read(&after).into_sections();
                proptest::prop_assert_eq!(sections, whole);
            }
        }
    }

    #[test]
    fn what_reaches_further_is_left_to_the_whole() {
        let before = "# a\n\ntext\n\n## b\n\ntext\n\n## c\n";
        let outline = Outline::read(before);
        let is_read = |bytes: Range<usize>, new: &str, changed: Range<usize>| {
            let after = [&before[..bytes.start], new, &before[bytes.end..]].concat();
            let splice = Splice { bytes, length: new.len() };
            Window::read(&outline, &after, &splice, changed).is_some()
        };
        assert!(is_read(17..21, "other", 1..2), "the text of `b`");
        assert!(is_read(11..23, "", 1..2), "all of `b`");
        assert!(!is_read(17..21, "```", 1..2), "`c` is code then");
        assert!(!is_read(0..3, "# d", 1..2), "the heading of `a`");
        assert!(is_read(28..28, "\ntext\n", 3..3), "behind all");
        assert!(!is_read(28..28, "\n<!--\n", 3..3), "left open");
    }

    #[test]
    fn an_underlined_heading_stays_one_whatever_follows_it() {
        let check = |before: &str, (place, new): (&str, &str), is_expected| {
            let outline = Outline::read(before);
            let at = before.find(place).expect("it is there");
            let number = outline.sections().iter().filter(|it| it.heading_bytes.start < at).count();
            let after = [&before[..at], new, &before[at..]].concat();
            let splice = Splice { bytes: at..at, length: new.len() };
            let window = Window::read(&outline, &after, &splice, number - 1..number);
            assert_eq!(window.is_some(), is_expected, "{before:?}");
            if let Some(window) = window {
                let sections = window.put_into(outline.into_sections(), &after);
                assert_eq!(sections, Outline::read(&after).into_sections(), "{before:?}");
            }
        };
        check("a\n-\nb\n-\n\n## c\n\nd\n", ("d", "e\n"), true);
        check("a\n-\nb\n-\n## c\n\nd\n", ("d", "e\n"), true);
        check("# a\n\nb\n=\n\nd\n\nc\n-\n", ("d", "e\n"), true);
        check("a\n-\nb\n-\nc\n-\n", ("c", "`d`\n\n"), true);
        check("a\n-\n\n- [b\n\nc\n-\n\nd\n", ("d", "]: /e\n"), true);
        check("a\n-\n[b]: /c \"\nd\n-\n\ne\n", ("e", "\"\n"), true);
        // Alone it would be code.
        check("[b]: /c\n    a\n-\n\n## d\n\ne\n", ("e", "f\n"), false);
        // What is underlined now begins earlier.
        check("a\n-\nb\n-\nc\n-\n", ("c", "d\n"), false);
    }

    #[test]
    fn a_byte_order_mark_does_not_make_a_heading_text() {
        let (before, after) = ("\u{feff}# a\n-\n\n## b\n", "\u{feff}# a\n-\n\n## b\ntext\n");
        let outline = Outline::read(before);
        let splice = Splice { bytes: before.len()..before.len(), length: "text\n".len() };
        let window = Window::read(&outline, after, &splice, 1..2).expect("it is read");
        let sections = window.put_into(outline.into_sections(), after);
        assert_eq!(sections, Outline::read(after).into_sections());
    }
}
