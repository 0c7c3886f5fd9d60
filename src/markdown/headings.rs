//! Finds the headings of a text with the parser.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::nesting;

/// Returns level and bytes of the headings, as CommonMark sees them, outside of quotes and lists.
pub(super) fn headings(text: &str) -> Vec<(u8, Range<usize>)> {
    let text = nesting::bound(text);
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for (event, bytes) in Parser::new_ext(&text, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                if depth == 0 {
                    found.push((level as u8, bytes));
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
