//! Finds links from memory to memory.

use std::ops::Range;

use crate::markdown::Outline;
use crate::text::{Fences, contains, slug};

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
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let name = if file.ends_with(".md") { file.to_owned() } else { format!("{file}.md") };
        vec![format!("{folder}/{name}").trim_start_matches('/').to_owned(), name]
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

/// Where something names what may be memory.
#[derive(Debug, Clone)]
pub(crate) struct LinkTarget {
    pub bytes: Range<usize>,
    /// Whether it is of the form `[[target]]`, else of `[words](target)`, `[label]: target` or `<a href="target">`.
    pub is_wiki: bool,
    line: usize,
}

/// Finds what stands where a link names its target, outside of code and comments.
pub(crate) fn link_targets(outline: &Outline<'_>) -> Vec<LinkTarget> {
    let text = outline.text();
    // Brackets that are open, as the words of a link may begin on the line before.
    let (mut fences, mut in_comment, mut open, mut end) = (Fences::default(), false, 0, 0);
    let mut found = Vec::new();
    for (whole, number) in text.split_inclusive('\n').zip(1..) {
        let start = end;
        end += whole.len();
        let line = whole.lines().next().unwrap_or_default();
        if line.trim().is_empty() {
            open = 0;
        }
        if fences.covers(line) || !(in_comment || line.contains(['[', ']', '<'])) {
            continue;
        }
        let plain = without_comments(&without_code(line), text[end..].lines(), &mut in_comment);
        let plain = plain.replace("\\[", "  ").replace("\\]", "  ");
        let wiki = wiki_links(&plain)
            .into_iter()
            .map(|(at, inner)| (at, inner.split('|').next().unwrap_or(inner), true));
        let inline = inline_links(&plain, &mut open).into_iter();
        let inline = inline.chain(definition(&plain)).filter_map(|(at, inner)| {
            let (bytes, _) = destination(inner)?;
            Some((at + bytes.start, &inner[bytes], false))
        });
        let html = html_links(&plain).into_iter().map(|(at, target)| (at, target, false));
        found.extend(wiki.chain(inline).chain(html).map(|(at, target, is_wiki)| LinkTarget {
            bytes: start + at..start + at + target.len(),
            is_wiki,
            line: number,
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

// Each part is looked at once, also where thousands of marks stand on one line and none is closed.

/// Returns what stands in `[[…]]`, and where.
fn wiki_links(text: &str) -> Vec<(usize, &str)> {
    let mut end = 0;
    let parts = text.split("[[").map(|part| {
        let start = end;
        end += part.len() + "[[".len();
        (start, part)
    });
    let closed = |(at, part): (usize, &'_ str)| Some((at, part.find("]]")?));
    parts.skip(1).filter_map(closed).map(|(at, length)| (at, &text[at..at + length])).collect()
}

/// Returns what stands in the brackets of `[words](…)`, and where; `open` are the marks that the words may begin with.
fn inline_links<'t>(text: &'t str, open: &mut usize) -> Vec<(usize, &'t str)> {
    let mut found = Vec::new();
    for (at, mark) in text.match_indices(['[', ']']) {
        if mark == "[" {
            *open += 1;
        } else if *open > 0 {
            *open -= 1;
            let inner = text[at..].strip_prefix("](").and_then(|rest| rest.split("](").next());
            let inner = inner.and_then(|inner| Some(&inner[..end_of_link(inner)?]));
            found.extend(inner.map(|inner| (at + "](".len(), inner)));
        }
    }
    found
}

/// Returns what stands behind the label in `[label]: target "title"`, and where. A footnote is no link, nor is what goes
/// on as a sentence does, or is indented as code.
fn definition(line: &str) -> Option<(usize, &str)> {
    let (label, behind) = line.trim_start_matches(' ').strip_prefix('[')?.split_once("]:")?;
    let indent = line.len() - line.trim_start().len();
    let title = destination(behind)?.1.trim();
    let is_label = !label.starts_with('^') && !label.contains(['[', ']']);
    let is_title = title.is_empty() || title.starts_with(['"', '\'', '(']);
    let is_text = behind.trim_start().starts_with(['[', '!']);
    (indent < 4 && is_label && is_title && !is_text).then_some((line.len() - behind.len(), behind))
}

/// Returns where the `)` of a link is: a target may hold brackets in pairs, and between `<` and `>` any.
fn end_of_link(inner: &str) -> Option<usize> {
    let blank = inner.len() - inner.trim_start().len();
    let skipped = match inner[blank..].strip_prefix('<') {
        Some(bare) => blank + "<".len() + bare.find('>')?,
        None => 0,
    };
    let mut open = 0_usize;
    for (at, mark) in inner[skipped..].match_indices(['(', ')']) {
        match (mark, open) {
            ("(", _) => open += 1,
            (_, 0) => return Some(skipped + at),
            (_, _) => open -= 1,
        }
    }
    // No pairs: the first one ends it.
    inner.find(')')
}

/// Returns where in `target "title"` or `<target> "title"` the target is, and what follows it.
fn destination(inner: &str) -> Option<(Range<usize>, &str)> {
    let start = inner.len() - inner.trim_start().len();
    let rest = &inner[start..];
    if let Some((bare, behind)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        let start = start + "<".len();
        return Some((start..start + bare.len(), behind));
    }
    let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
    (length > 0).then(|| (start..start + length, &rest[length..]))
}

/// Returns the targets of `<a href="…">` and `<img src="…">`, and where they are.
fn html_links(text: &str) -> Vec<(usize, &str)> {
    let mut end = 0;
    let mut found = Vec::new();
    for part in text.split('<') {
        let start = end;
        end += part.len() + "<".len();
        let tag = &part[..part.find('>').unwrap_or(part.len())];
        for name in [" href=", " src="].iter().filter(|_| start > 0) {
            let Some(at) = tag.find(name).map(|at| at + name.len()) else { continue };
            let Some(quote) = tag[at..].chars().next().filter(|c| matches!(c, '"' | '\'')) else {
                continue;
            };
            let value = &tag[at + 1..];
            found.extend(value.find(quote).map(|length| (start + at + 1, &value[..length])));
        }
    }
    found
}

/// Blanks out what stands in HTML comments, one of which may be open from a line before; one that begins within a line
/// ends in the same paragraph, in the lines that follow, or is none.
fn without_comments<'t>(
    line: &str,
    following: impl Iterator<Item = &'t str>,
    is_open: &mut bool,
) -> String {
    let runs_on = line.contains("<!--")
        && (line.trim_start().starts_with("<!--") || ends_a_comment(following));
    let last_end = line.rfind("-->");
    let (mut rest, mut plain) = (line, String::with_capacity(line.len()));
    while let Some((before, behind)) = rest.split_once(if *is_open { "-->" } else { "<!--" }) {
        if *is_open {
            *is_open = false;
            blank_out(&mut plain, before.len() + "-->".len());
        } else {
            plain.push_str(before);
            blank_out(&mut plain, "<!--".len());
            let ends = last_end.is_some_and(|end| end >= line.len() - behind.len());
            // Behind a backslash, or where nothing ends it, it is text.
            *is_open = !before.ends_with('\\') && (ends || runs_on);
        }
        rest = behind;
    }
    plain + if *is_open { "" } else { rest }
}

/// Lines in which the end of a comment is looked for; each line before them may ask.
const NEAR: usize = 64;

fn ends_a_comment<'t>(following: impl Iterator<Item = &'t str>) -> bool {
    let mut paragraph = following.take(NEAR).take_while(|line| !line.trim().is_empty());
    paragraph.any(|line| line.contains("-->"))
}

fn without_code(line: &str) -> String {
    let mut rest = line;
    let mut plain = String::with_capacity(line.len());
    while let Some(start) = rest.find('`') {
        let marks = rest[start..].chars().take_while(|c| *c == '`').count();
        let (mark, behind) = (&rest[start..start + marks], start + marks);
        plain.push_str(&rest[..start]);
        let end = rest[behind..].find(mark).map_or(behind, |at| behind + at + marks);
        blank_out(&mut plain, end - start);
        rest = &rest[end..];
    }
    plain + rest
}

/// Writes blanks for so many bytes: what stands behind them stays where it is.
fn blank_out(plain: &mut String, bytes: usize) {
    plain.extend(std::iter::repeat_n(' ', bytes));
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
        check("`[[a]]` ``x ` [[b]]`` [[c]]\n```\n[[d]]\n```\n", ["c"]);
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
    fn a_target_may_hold_blanks_and_brackets_and_stand_in_html() {
        let check = |text: &str, expected: &[&str]| {
            let outline = Outline::read(text);
            let found: Vec<&str> =
                link_targets(&outline).into_iter().map(|link| &text[link.bytes]).collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("[x](<a b.md> \"t\") [y](a_(b).md) [z](c.md (d))", &["a b.md", "a_(b).md", "c.md"]);
        check("[x](<a)b.md>) ([y](c.md))", &["a)b.md", "c.md"]);
        check("[w]: <a b.md> \"t\"\n", &["a b.md"]);
        check("<a class='x' href=\"a%20b.md\">b</a> <img src='i.png'>", &["a%20b.md", "i.png"]);
        check("`<a href=\"a.md\">` <!-- <a href=\"b.md\"> --> href=\"c.md\"", &[]);
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
