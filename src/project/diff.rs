//! Shows what a change does to a file: as a patch, or piece by piece for a person who decides.

mod followed;
mod pieces;
mod taken;

use similar::TextDiff;

pub(crate) use followed::followed;
pub(crate) use pieces::{DiffLine, DiffPiece, LineKind, hunks, pieces};
pub(crate) use taken::{PieceChoice, with_taken};

/// Returns a unified diff with three lines of context; empty if the texts are the same.
///
/// `None` stands for a file that is not there.
pub fn unified(path: &str, before: Option<&str>, after: &str) -> String {
    let old_name = before.map_or("/dev/null".to_owned(), |_| format!("a/{path}"));
    let before = before.unwrap_or_default();
    if before == after {
        return String::new();
    }
    TextDiff::from_lines(before, after)
        .unified_diff()
        .context_radius(3)
        .header(&old_name, &format!("b/{path}"))
        .to_string()
}

/// Returns a diff of two pieces of text under names of their own, without line numbers; `…` stands for equal lines.
pub(crate) fn compared((old_name, new_name): (&str, &str), before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut text = format!("--- {old_name}\n+++ {new_name}\n");
    for (number, hunk) in diff.unified_diff().context_radius(3).iter_hunks().enumerate() {
        text += if number > 0 { " …\n" } else { "" };
        for change in hunk.iter_changes() {
            text += &format!("{}{}", change.tag(), change.value());
            text += if change.missing_newline() { "\n" } else { "" };
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_line_is_shown_with_its_context() {
        let diff = unified("x.md", Some("a\nb\nc\n"), "a\nB\nc\n");
        assert_eq!(diff, "--- a/x.md\n+++ b/x.md\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
    }

    #[test]
    fn pieces_are_compared_under_their_names() {
        let told = compared(("x:2-3", "x:3"), "a\nb", "b\n");
        assert_eq!(told, "--- x:2-3\n+++ x:3\n-a\n-b\n+b\n");
    }

    #[test]
    fn a_new_file_comes_from_nowhere() {
        assert!(unified("x.md", None, "a\n").starts_with("--- /dev/null\n+++ b/x.md\n"));
    }

    #[test]
    fn the_same_text_has_no_diff() {
        assert_eq!(unified("x.md", Some("a"), "a"), "");
    }
}
