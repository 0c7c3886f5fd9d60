//! Reads what Gemini CLI was asked to remember: a list under one heading of `GEMINI.md`.

use crate::text::Fences;

/// The heading that Gemini CLI writes.
const HEADING: &str = "## Gemini Added Memories";

/// A bullet of the list, with all that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AddedMemory {
    /// The number of its first line, from 1.
    pub(crate) line: usize,
    /// Without the marker, and without the indentation below it.
    pub(crate) text: String,
}

/// Returns the bullets under the heading; other text under it is skipped.
pub(crate) fn added_memories(text: &str) -> Vec<AddedMemory> {
    let text = text.trim_start_matches('\u{feff}');
    let mut list = MemoryList::default();
    let mut fences = Fences::default();
    let mut is_below = false;
    for (number, line) in text.lines().enumerate() {
        let is_code = fences.covers(line);
        let is_heading = !is_code && (line.starts_with("# ") || line.starts_with("## "));
        if is_heading {
            is_below = line.trim_end() == HEADING;
            list.is_open = false;
        } else if is_below {
            list.take(line, number + 1, is_code);
        }
    }
    let mut found = list.found;
    found.iter_mut().for_each(|memory| memory.text = memory.text.trim().to_owned());
    found.retain(|memory| !memory.text.is_empty());
    found
}

#[derive(Default)]
struct MemoryList {
    found: Vec<AddedMemory>,
    /// Whether a next line can belong to the last bullet.
    is_open: bool,
    /// Whether the last line was blank: behind it only an indented line belongs to a bullet.
    is_blank: bool,
}

impl MemoryList {
    fn take(&mut self, line: &str, number: usize, is_code: bool) {
        let bullet = ["- ", "* ", "+ "].iter().find_map(|marker| line.strip_prefix(marker));
        if let Some(first) = bullet.filter(|_| !is_code) {
            self.found.push(AddedMemory { line: number, text: first.trim().to_owned() });
            (self.is_open, self.is_blank) = (true, first.trim().is_empty());
            return;
        }
        let is_blank = line.trim().is_empty();
        let is_indented = line.starts_with([' ', '\t']);
        self.is_open &= is_blank || is_indented || is_code || !self.is_blank;
        if let Some(last) = self.found.last_mut().filter(|_| self.is_open) {
            last.text.push('\n');
            last.text.push_str(without_indent(line));
        }
        self.is_blank = is_blank;
    }
}

fn without_indent(line: &str) -> &str {
    let line = line.trim_end();
    ["\t", "  ", " "].iter().find_map(|indent| line.strip_prefix(indent)).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(usize, &str)]) {
        let found = added_memories(text);
        let found: Vec<(usize, &str)> =
            found.iter().map(|it| (it.line, it.text.as_str())).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn the_bullets_under_the_heading_are_the_list() {
        check(
            "# Mine\n\n- not this\n\n## Gemini Added Memories\n- One.\n* Two.\n+ Three.\n",
            &[(6, "One."), (7, "Two."), (8, "Three.")],
        );
        check(
            "\u{feff}## Gemini Added Memories  \r\n\r\n- One.\r\n\r\n## Other\r\n- no\r\n",
            &[(3, "One.")],
        );
        check(
            "## Gemini Added Memories\n- a\n# Other\n- no\n## Gemini Added Memories\n- b\n",
            &[(2, "a"), (6, "b")],
        );
        check("- no\n", &[]);
        check("## Gemini Added Memories\n-\n- \nprose\n", &[]);
    }

    #[test]
    fn a_bullet_keeps_what_belongs_to_it() {
        check(
            "## Gemini Added Memories\n- One\n  goes on\n  - with more\n\n  and a paragraph\n\nnot this\n- Two\n",
            &[(2, "One\ngoes on\n- with more\n\nand a paragraph"), (9, "Two")],
        );
        check(
            "## Gemini Added Memories\n- One\nis lazy\n\n    code\n",
            &[(2, "One\nis lazy\n\n  code")],
        );
        check(
            "## Gemini Added Memories\n- Run\n  ```sh\n  # not a heading\n  ```\n- Two\n",
            &[(2, "Run\n```sh\n# not a heading\n```"), (6, "Two")],
        );
        check("```\n## Gemini Added Memories\n- no\n```\n", &[]);
    }
}
