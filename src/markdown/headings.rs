//! Finds the headings of a text: line by line where that is enough, with a parser where it is not.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

use super::{nesting, scan};

/// Returns level and place of the headings, as CommonMark sees them, outside of quotes and lists.
pub(super) fn headings(text: &str) -> Vec<(u8, Range<usize>)> {
    scan::headings(text).unwrap_or_else(|| parsed(text))
}

fn parsed(text: &str) -> Vec<(u8, Range<usize>)> {
    let text = nesting::bound(text);
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for (event, bytes) in Parser::new_ext(&text, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                if depth == 0 {
                    found.push((level_number(level), bytes));
                }
                depth += 1;
            }
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    found
}

fn level_number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Pieces of lines, apart by `·`, that mean something to a parser, alone or together.
    const PIECES: &str = concat!(
        "·· ·  ·   ·    ·     ·\t·> ·>·- ·-·* ·*·+ ·1. ·2) ·10. ·1.·01. ·-   ·-     ·-\t·",
        "# a·## b·#·#c·#######·```·````·~~~·`·``` a·``` `·<!--·-->·<!-->·<!-- a -->·<div>·</div>·",
        "<pre>·</pre>·<a>·<https://a.b>·<?·?>·<!A·===·=·---·--·- - -·***·___·",
        "<!-·<![CDATA[·]]>·</script>·<script·<DIV·<div·<a ·>>·* a·0)·9999999999.·\t\t·     # d·",
        "a·b c·[a]: /b·[a]:·[a·]: /b·\"c·'c'·\\·|·&·é·\u{feff}·\u{b}·\u{c}·\r·\0·\u{a0}·\u{85}·\u{2028}",
    );

    fn text() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(PIECES.split('·').collect::<Vec<_>>());
        let line = prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat());
        let end = prop::sample::select(&["\n", "\n", "\n", "\n\n", "\r\n"][..]);
        let line = (line, end).prop_map(|(line, end)| line + end);
        prop::collection::vec(line, 0..12).prop_map(|lines| lines.concat())
    }

    /// The headings by the numbers of their lines.
    fn numbered(text: &str, found: Vec<(u8, Range<usize>)>) -> Vec<(u8, usize, usize)> {
        let line = |at: usize| text[..at].matches('\n').count();
        found.iter().map(|(level, at)| (*level, line(at.start), line(at.end - 1))).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_found_line_by_line_is_what_the_parser_finds(text in text()) {
            if let Some(found) = scan::headings(&text) {
                prop_assert_eq!(numbered(&text, found), numbered(&text, parsed(&text)), "{:?}", text);
            }
        }
    }
}
