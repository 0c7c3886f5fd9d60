//! Reads what a diff adds or takes out without the marks of its lines.

use std::ops::Range;

use crate::secrets::views::view::{RuleChoice, TextView};

/// Two lines and more that stand below one another and have the same mark.
pub(super) fn undiffed(text: &str) -> TextView {
    let mut view = TextView::new(RuleChoice::All);
    let mut before: Option<(u8, Range<usize>)> = None;
    let (mut start, mut is_copied) = (0, false);
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let marked = mark_of(line).map(|mark| (mark, start + 1..end));
        let goes_on = marked.as_ref().map(|it| it.0) == before.as_ref().map(|it| it.0);
        if let Some((_, inside)) = marked.clone().filter(|_| goes_on) {
            for range in before.map(|it| it.1).filter(|_| !is_copied).into_iter().chain([inside]) {
                view.copy(text, range);
            }
            is_copied = true;
        } else {
            is_copied = false;
        }
        before = marked;
        start = end;
    }
    view
}

/// The mark of a line of a diff. A dash with a blank behind it begins an item of a list.
fn mark_of(line: &str) -> Option<u8> {
    let mut bytes = line.bytes();
    let (mark, next) = (bytes.next()?, bytes.next()?);
    let is_head = line.starts_with("+++ ") || line.starts_with("--");
    (!is_head && (mark == b'+' || (mark == b'-' && !b" \t".contains(&next)))).then_some(mark)
}

#[cfg(test)]
mod tests {
    use super::undiffed;

    fn check(text: &str, expected: &str) {
        assert_eq!(undiffed(text).text(), expected, "{text}");
    }

    #[test]
    fn lines_of_a_diff_stand_without_their_marks() {
        check("@@ -1 +1,2 @@\n a\n-b\n-c\n+d\n+  e\n f\n", "b\nc\nd\n  e\n");
    }

    #[test]
    fn items_of_a_list_and_single_lines_are_no_diff() {
        check("- a\n- b\n\n+ c\n\n---\n--x\n", "");
    }
}
