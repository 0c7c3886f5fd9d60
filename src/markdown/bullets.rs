//! Adds bullets to a list without saying the same thing twice.

use std::collections::BTreeSet;

use crate::text::Fences;

/// Returns the text without the bullets that `body` holds already, as a reader sees them, and the first line of each of those.
pub(crate) fn without_repeats(text: &str, body: &str) -> (String, Vec<String>) {
    let items_of_body = items(body);
    let bullets = items_of_body.iter().filter(|item| is_bullet(item));
    let known: BTreeSet<String> = bullets.map(|item| as_rendered(item)).collect();
    let is_known = |item: &String| is_bullet(item) && known.contains(&as_rendered(item));
    let (skipped, kept): (Vec<String>, Vec<String>) = items(text).into_iter().partition(is_known);
    let first_lines = skipped.iter().filter_map(|item| item.lines().next());
    (kept.join("\n"), first_lines.map(str::to_owned).collect())
}

/// Tells whether a text stands in a body as it is, between blank lines and outside of code.
pub(crate) fn stands_in(text: &str, body: &str) -> bool {
    let lines: Vec<&str> = text.trim_matches('\n').lines().map(str::trim_end).collect();
    if lines.iter().all(|line| line.is_empty()) {
        return false;
    }
    let mut fences = Fences::default();
    let body: Vec<(&str, bool)> =
        body.lines().map(|line| (line.trim_end(), fences.covers(line))).collect();
    let is_blank = |number: usize| body.get(number).is_none_or(|(line, _)| line.is_empty());
    (0..body.len()).any(|start| {
        let is_begun = start == 0 || (is_blank(start - 1) && !body[start - 1].1);
        is_begun
            && is_blank(start + lines.len())
            && body[start..]
                .iter()
                .map(|(line, _)| *line)
                .take(lines.len())
                .eq(lines.iter().copied())
    })
}

pub(crate) fn is_list(text: &str) -> bool {
    let items = items(text);
    !items.is_empty() && items.iter().all(|item| is_bullet(item))
}

/// Returns what goes between a body and a text behind it: bullets continue a list, anything else begins
/// a paragraph.
pub(crate) fn gap(body: &str, text: &str) -> &'static str {
    let continues = items(body).last().is_some_and(|item| is_bullet(item)) && is_bullet(text);
    if continues { "\n" } else { "\n\n" }
}

/// Splits a text into bullets with all that is indented below them, and single lines of anything else.
fn items(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut fences = Fences::default();
    let mut blanks = String::new();
    for line in text.lines() {
        let inside = fences.covers(line);
        if line.trim().is_empty() && !inside {
            blanks.push('\n');
            continue;
        }
        let indented = line.starts_with([' ', '\t']);
        match items.last_mut().filter(|last| is_bullet(last) && (indented || inside)) {
            Some(last) => *last += &format!("{blanks}\n{line}"),
            None => {
                items.extend(blanks.chars().map(|_| String::new()));
                items.push(line.to_owned());
            }
        }
        blanks.clear();
    }
    items
}

fn is_bullet(line: &str) -> bool {
    behind_marker(line).is_some()
}

/// Returns what stands behind the marker of a bullet.
fn behind_marker(line: &str) -> Option<&str> {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let marks: &[&str] = match digits {
        0 => &["- ", "* ", "+ "],
        1..=9 => &[". ", ") "],
        _ => return None,
    };
    marks.iter().find_map(|mark| line[digits..].strip_prefix(mark))
}

/// Writes a bullet without what a reader does not see, or takes for no difference: its marker, the number of blanks, and the
/// case of its first letter. In code each blank counts.
fn as_rendered(item: &str) -> String {
    let text = behind_marker(item).unwrap_or(item).trim();
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_lowercase).collect();
    let text = first + letters.as_str();
    if text.contains("```") || text.contains("~~~") {
        return text;
    }
    let folded = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    folded.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, body: &str, kept: &str, skipped: usize) {
        let (found, left_out) = without_repeats(text, body);
        assert_eq!((found.as_str(), left_out.len()), (kept, skipped), "{text:?}");
    }

    #[test]
    fn a_bullet_that_is_there_is_left_out() {
        check("- a\n- b", "- a\n- c", "- b", 1);
        check("- a", "text\n- a", "", 1);
    }

    #[test]
    fn a_bullet_is_compared_as_a_reader_sees_it() {
        check("* A  plain   rule ", "- a plain rule", "", 1);
        check("2. Run it", "1. run it", "", 1);
        check("- run It", "- run it", "- run It", 0);
        check(
            "- a\n  ```\n  x  y\n  ```",
            "- a\n  ```\n  x y\n  ```",
            "- a\n  ```\n  x  y\n  ```",
            0,
        );
    }

    #[test]
    fn a_bullet_with_other_details_is_another_bullet() {
        check("- a\n  more", "- a", "- a\n  more", 0);
    }

    #[test]
    fn a_bullet_goes_with_all_that_belongs_to_it() {
        check("- a\n\n  detail\n- b", "- a\n\n  detail", "- b", 1);
        check("- a\n\n  detail\n- b", "- a", "- a\n\n  detail\n- b", 0);
    }

    #[test]
    fn code_is_never_taken_for_a_bullet() {
        let code = "~~~\n```\n- a\n~~~";
        check(code, "- a", code, 0);
    }

    #[test]
    fn a_text_that_stands_there_as_a_whole_is_known() {
        for body in ["a\nb", "x\n\na\nb\n\ny", "- x\n\na\nb"] {
            assert!(stands_in("a\nb\n", body), "{body:?}");
        }
        for body in
            ["", "a", "a\nb\nc", "x\na\nb", "a\n\nb", "```\nx\n\na\nb\n```", "```\n\na\nb\n\n```"]
        {
            assert!(!stands_in("a\nb\n", body), "{body:?}");
        }
        assert!(!stands_in("\n", "a\n\nb"));
        assert!(stands_in("a\n\nb", "x\n\na\n\nb"));
        assert!(!stands_in("a\n\nb", "a\n\nc\n\nb"));
        assert!(stands_in("```\na\n```", "x\n\n```\na\n```"));
    }

    #[test]
    fn bullets_continue_a_list_and_paragraphs_stand_apart() {
        assert_eq!(gap("- a", "- b"), "\n");
        assert_eq!(gap("- a\n  more", "- b"), "\n");
        assert_eq!(gap("text", "- b"), "\n\n");
    }
}
