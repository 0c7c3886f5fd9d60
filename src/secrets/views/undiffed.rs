//! Reads what a diff adds or takes out without the marks of its lines.

use crate::secrets::views::view::{RuleChoice, TextView};

/// Two lines and more that stand below one another and have the same mark.
pub(super) fn undiffed(text: &str) -> TextView {
    let mut view = TextView::new(RuleChoice::All);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut start = 0;
    for run in lines.chunk_by(|one, next| mark_of(one) == mark_of(next)) {
        let is_diff = run.len() > 1 && mark_of(run[0]).is_some();
        for line in run {
            let end = start + line.len();
            if is_diff {
                view.copy(text, start + 1..end);
            }
            start = end;
        }
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
