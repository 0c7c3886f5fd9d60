//! Finds links from memory to memory.

use crate::markdown::{Outline, file_name, joined, link_targets};
use crate::text::{contains, slug};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MemoryLink {
    pub(super) target: String,
    /// Whether it is of the form `[[target]]`, which may name a section alone.
    pub(super) is_wiki: bool,
    pub(super) line: usize,
    pub(super) section: Option<String>,
}

impl MemoryLink {
    /// Returns the link in the form of ids and file names, as a person may write a title: `[[Deep Note]]`.
    pub(super) fn in_plain_form(&self) -> Self {
        let plain = |name: &str| slug(name.strip_suffix(".md").unwrap_or(name), usize::MAX);
        let parts = self.target.split('#');
        let parts = parts.map(|part| part.split('/').map(plain).collect::<Vec<_>>().join("/"));
        Self { target: parts.collect::<Vec<_>>().join("#"), ..self.clone() }
    }

    /// Returns the files that it may lead to, as seen from the file it stands in.
    pub(super) fn files(&self, from: &str) -> Vec<String> {
        let file = self.target.split('#').next().unwrap_or_default();
        if file.is_empty() {
            return vec![from.to_owned()];
        }
        let name = if file.ends_with(".md") { file.to_owned() } else { format!("{file}.md") };
        joined(from, &name).into_iter().chain([name]).collect()
    }

    /// Tells whether it names a file of the repository outside of the store, as `init --from` writes it: that is not known
    /// here, as for a link of the other form. A name without an ending is that of a note.
    pub(super) fn leads_out(&self, from: &str) -> bool {
        let file = self.target.split('#').next().unwrap_or_default();
        let name = file_name(file);
        self.is_wiki && name.contains('.') && joined(from, file).is_none()
    }
}

pub(super) fn links(outline: &Outline<'_>) -> Vec<MemoryLink> {
    if !contains(outline.text(), "[[") && !contains(outline.text(), ".md#") {
        return Vec::new();
    }
    let mut sections = outline.sections().iter().peekable();
    let mut section = None;
    let mut found = Vec::new();
    for target in link_targets(outline) {
        while let Some(next) = sections.next_if(|next| next.line <= target.line) {
            section = Some(next);
        }
        let words = &outline.text()[target.bytes];
        let fits = if target.is_wiki { is_wiki_target(words) } else { is_inline_target(words) };
        found.extend(fits.then(|| MemoryLink {
            target: words.to_owned(),
            is_wiki: target.is_wiki,
            line: target.line,
            section: section.map(|section| section.title().to_owned()),
        }));
    }
    found
}

/// Tells what `[[target|words]]` names from `[[ -f x ]]` and `[[1, 2]]`, which are no links.
fn is_wiki_target(target: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || " -_./#".contains(c);
    let named = target.trim() == target && target.chars().any(char::is_lowercase);
    named && target.chars().all(fits)
}

/// Tells whether what `[words](file.md#id "title")` names is a file of the store and an id.
fn is_inline_target(target: &str) -> bool {
    target.split_once('#').is_some_and(|(file, id)| {
        let inside = file.ends_with(".md") && !file.contains(':') && !file.starts_with(['/', '.']);
        inside && !id.is_empty()
    })
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
        check("[[Deep Note|words]] [[Ünï#Two words]]\n", ["Deep Note", "Ünï#Two words"]);
        check("[x](decisions.md#b) [y](https://x.org/a.md#b) [z](../a.md#b)", ["decisions.md#b"]);
        check("![[../../docs/q.png|300]] [[../b]]", ["../../docs/q.png", "../b"]);
        check("`[[a]]` ``x ` [[b]]`` [[c]]\n```\n[[d]]\n```\n", ["c"]);
    }

    #[test]
    fn a_file_outside_of_the_store_is_known_by_the_way_to_it() {
        let check = |target: &str, from: &str, expected: bool| {
            let text = format!("[[{target}]]");
            let found = links(&Outline::read(&text));
            assert_eq!(found[0].leads_out(from), expected, "{target} of {from}");
        };
        check("../../docs/q.png", "modules/a.md", true);
        check("../../a.rs#L1", "modules/a.md", true);
        check("../README.md", "pitfalls.md", true);
        check("../gone.md", "modules/a.md", false);
        check("../modules/gone.md#x", "modules/a.md", false);
        check("../gone", "pitfalls.md", false);
        check("q.png", "pitfalls.md", false);
    }

    #[test]
    fn a_link_may_have_its_target_in_a_line_of_its_own() {
        check("[a][x]\n\n[x]: a.md#b\n  [Long name]: b.md#c \"title\"\n", ["a.md#b", "b.md#c"]);
        check("[x]: https://x.org/a.md#b\n[^1]: a.md#b\n[x] : a.md#b\n\\[x]: a.md#b\n[x]:\n", []);
        check("[w]: <a.md#b>\n[x](<b.md#c>)\n", ["a.md#b", "b.md#c"]);
        check("[x]: a.md#b is empty\n    [x]: a.md#b\n", []);
        check("[a]: [see](b.md#c).\n[a]: [[d#e]]\n", ["b.md#c", "d#e"]);
        check("`[x]: a.md#b` <!-- [x]: a.md#b -->\n```\n[x]: a.md#b\n```\nso [x]: a.md#b\n", []);
    }

    #[test]
    fn what_is_no_link_to_a_reader_is_none() {
        check("\\[[a]] <!-- [[b]] --> [[c]] <!-- [[d]]\n[[e]]\n--> [[f]]\n", ["c", "f"]);
        check("[x](a.md#b \"the title\") \\[y](c.md#d)", ["a.md#b"]);
        check(
            "\\[x] and [[a]], \\[y] and [z](b.md#c) [![i](d.md#e)](f.md#g)",
            ["a", "b.md#c", "d.md#e", "f.md#g"],
        );
        check("[a\\](b.md#c) [\\[[a]] [a]\\[(b.md#c)\n", []);
        check("See [a long\nname](b.md#c) and [d](e.md#f) g](h.md#i)\n", ["b.md#c", "e.md#f"]);
        check("See [a\n\nname](b.md#c)\n", []);
        check("write \\<!-- and [[a]]\n[[b]]\n", ["a", "b"]);
        check("write <!-- and [[a]]\n[[b]]\n", ["a", "b"]);
    }

    #[test]
    fn a_line_of_very_many_marks_takes_no_time() {
        for marks in ["[[", "](", "x <!-- ", "\\[[", "](<", "](((", "<a href=\""] {
            let line = marks.repeat(50_000);
            check(&format!("[[a]]\n\n[ a.md# {line}\n"), ["a"]);
            check(&format!("[[a]]\n\n{}", line.replace(marks, &format!("{marks}\n"))), ["a"]);
        }
    }

    #[test]
    fn what_shells_and_lists_write_is_no_link() {
        check("if [[ -f x ]]; then [[1, 2], [3]] [[]] [[A B]] [[a, b]]\n", []);
    }

    #[test]
    fn a_link_knows_its_line_and_section() {
        let text = "# A\n\n## B\n<!-- @id: b -->\n\n[[c]]\n";
        let found = links(&Outline::read(text));
        assert_eq!((found[0].line, found[0].section.as_deref()), (6, Some("b")));
    }
}
