//! Finds links from memory to memory.

use crate::markdown::Outline;
use crate::text::{Fences, contains};

/// A link to memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// What it names, as it is written.
    pub(super) target: String,
    /// Whether it is of the form `[[target]]`, which may name a section alone.
    pub(super) is_wiki: bool,
    pub(super) line: usize,
    pub(super) section: Option<String>,
}

impl Link {
    /// Returns the files that it may lead to, as seen from the file it stands in.
    pub(super) fn files(&self, from: &str) -> Vec<String> {
        let file = self.target.split('#').next().unwrap_or_default();
        if file.is_empty() {
            return vec![from.to_owned()];
        }
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let name = if file.ends_with(".md") { file.to_owned() } else { format!("{file}.md") };
        vec![format!("{folder}/{name}").trim_start_matches('/').to_owned(), name]
    }
}

/// Finds the links of a file, outside of code and comments.
pub(super) fn links(outline: &Outline<'_>) -> Vec<Link> {
    let text = outline.text();
    if !contains(text, "[[") && !contains(text, ".md#") {
        return Vec::new();
    }
    let (mut fences, mut in_comment) = (Fences::default(), false);
    let mut found = Vec::new();
    let mut sections = outline.sections().iter().peekable();
    let mut section = None;
    let mut rest = text;
    for (line, number) in text.lines().zip(1..) {
        rest = rest.split_once('\n').map_or("", |(_, behind)| behind);
        while let Some(next) = sections.next_if(|next| next.line <= number) {
            section = Some(next);
        }
        if fences.covers(line) || !(in_comment || line.contains(['[', '<'])) {
            continue;
        }
        let plain = without_comments(&without_code(line), rest, &mut in_comment);
        let wiki = between(&plain, "[[", "]]").into_iter().filter_map(wiki_target);
        let inline = between(&plain, "](", ")").into_iter().filter_map(inline_target);
        let all = wiki.map(|target| (target, true)).chain(inline.map(|target| (target, false)));
        found.extend(all.map(|(target, is_wiki)| Link {
            target: target.to_owned(),
            is_wiki,
            line: number,
            section: section.map(|section| section.title()),
        }));
    }
    found
}

/// Returns what `[[target|words]]` names; `[[ -f x ]]` and `[[1, 2]]` are no links.
fn wiki_target(inner: &str) -> Option<&str> {
    let target = inner.split('|').next().unwrap_or(inner);
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_./#".contains(c);
    let named = target.chars().any(|c| c.is_ascii_lowercase());
    (named && target.chars().all(fits)).then_some(target)
}

/// Returns what `[words](file.md#id "title")` names, if it is a file of the store and an id.
fn inline_target(inner: &str) -> Option<&str> {
    let target = inner.split_whitespace().next()?;
    let (file, id) = target.split_once('#')?;
    let inside = file.ends_with(".md") && !file.contains(':') && !file.starts_with(['/', '.']);
    (inside && !id.is_empty()).then_some(target)
}

/// Returns what stands between two marks, unless the first is escaped.
fn between<'t>(text: &'t str, open: &str, close: &str) -> Vec<&'t str> {
    let starts = text.match_indices(open);
    let starts = starts.filter(|(at, _)| !text[..*at].ends_with('\\') && !is_escaped(&text[..*at]));
    let behind = starts.map(|(at, _)| &text[at + open.len()..]);
    behind.filter_map(|rest| rest.split_once(close).map(|(inner, _)| inner)).collect()
}

/// Tells whether the words before a `](` begin with an escaped mark, so that they are no link.
fn is_escaped(before: &str) -> bool {
    before.rfind('[').is_some_and(|at| before[..at].ends_with('\\'))
}

/// Takes out what stands in HTML comments, one of which may be open from a line before; one that begins within a line
/// ends in the same paragraph, in what follows, or is none.
fn without_comments(line: &str, following: &str, is_open: &mut bool) -> String {
    let (mut rest, mut plain) = (line, String::with_capacity(line.len()));
    loop {
        let mark = if *is_open { "-->" } else { "<!--" };
        let Some((before, behind)) = rest.split_once(mark) else { break };
        plain.push_str(if *is_open { "" } else { before });
        let ends = behind.contains("-->") || ends_a_comment(following);
        let is_text = before.ends_with('\\') || !(ends || line.trim_start().starts_with(mark));
        (*is_open, rest) = (!*is_open && !is_text, behind);
    }
    plain + if *is_open { "" } else { rest }
}

/// Bytes in which the end of a comment is looked for; each line may ask.
const NEAR: usize = 4_096;

/// Tells whether a comment that is open ends in the rest of a paragraph.
fn ends_a_comment(following: &str) -> bool {
    let near = &following.as_bytes()[..following.len().min(NEAR)];
    let end = near.windows(3).position(|bytes| bytes == b"-->");
    let blank = near.windows(2).position(|bytes| bytes == b"\n\n");
    end.is_some_and(|end| blank.is_none_or(|blank| end < blank))
}

/// Takes out what stands between back-ticks.
fn without_code(line: &str) -> String {
    let mut rest = line;
    let mut plain = String::with_capacity(line.len());
    while let Some(start) = rest.find('`') {
        let marks = rest[start..].chars().take_while(|c| *c == '`').count();
        let (mark, behind) = (&rest[start..start + marks], start + marks);
        plain.push_str(&rest[..start]);
        let end = rest[behind..].find(mark).map_or(behind, |at| behind + at + marks);
        rest = &rest[end..];
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>(text: &str, expected: [&str; N]) {
        let found: Vec<String> =
            links(&Outline::read(text)).into_iter().map(|link| link.target).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn links_are_found_outside_of_code() {
        check("See [[token-rotation]] and [[a.md#b|the words]].\n", ["token-rotation", "a.md#b"]);
        check("[x](decisions.md#b) [y](https://x.org/a.md#b) [z](../a.md#b)", ["decisions.md#b"]);
        check("`[[a]]` ``x ` [[b]]`` [[c]]\n```\n[[d]]\n```\n", ["c"]);
    }

    #[test]
    fn what_is_no_link_to_a_reader_is_none() {
        check("\\[[a]] <!-- [[b]] --> [[c]] <!-- [[d]]\n[[e]]\n--> [[f]]\n", ["c", "f"]);
        check("[x](a.md#b \"the title\") \\[y](c.md#d)", ["a.md#b"]);
        check("write \\<!-- and [[a]]\n[[b]]\n", ["a", "b"]);
        check("write <!-- and [[a]]\n[[b]]\n", ["a", "b"]);
    }

    #[test]
    fn what_shells_and_lists_write_is_no_link() {
        check("if [[ -f x ]]; then [[1, 2], [3]] [[]] [[A B]]\n", []);
    }

    #[test]
    fn a_link_knows_its_line_and_section() {
        let text = "# A\n\n## B\n<!-- @id: b -->\n\n[[c]]\n";
        let found = links(&Outline::read(text));
        assert_eq!((found[0].line, found[0].section.as_deref()), (6, Some("b")));
    }
}
