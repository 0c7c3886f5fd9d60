//! Finds the targets of links: inline, reference, HTML and wiki.

use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use super::link_html::html_targets;
use super::outline::Outline;
use super::ranges::{are_around, ranges_of};
use crate::text::Fences;

/// Where a link names its target.
#[derive(Debug, Clone)]
pub(crate) struct LinkTarget {
    pub bytes: Range<usize>,
    /// Whether it is of the form `[[target]]`, else of `[words](target)`, `[label]: target` or `<a href="target">`.
    pub is_wiki: bool,
    /// From 1.
    pub line: usize,
}

/// Finds what stands where a link names its target, outside of code and comments, in its order.
pub(crate) fn link_targets(outline: &Outline<'_>) -> Vec<LinkTarget> {
    let text = outline.text();
    let (mut fences, mut in_comment, mut end) = (Fences::default(), false, 0);
    let mut paragraph = OpenParagraph::default();
    let mut found = in_html(text);
    for (whole, number) in text.split_inclusive('\n').zip(1..) {
        let start = end;
        end += whole.len();
        let line = whole.lines().next().unwrap_or_default();
        let is_code = fences.covers(line);
        if is_code || line.trim().is_empty() {
            paragraph = OpenParagraph::default();
        }
        let is_read = in_comment || paragraph.awaits_target || line.contains(['[', ']', '<']);
        if is_code || !is_read {
            continue;
        }
        let plain = without_comments(&without_code(line), text[end..].lines(), &mut in_comment);
        let plain = plain.replace("\\[", "  ").replace("\\]", "  ");
        found.extend(paragraph.targets(&plain, start, number));
    }
    found.sort_by_key(|target| target.bytes.start);
    found
}

/// Returns the targets of HTML.
fn in_html(text: &str) -> Vec<LinkTarget> {
    let (mut line, mut counted) = (1, 0);
    let targets = html_targets(text).into_iter().map(|target| {
        let start = target.as_ptr().addr() - text.as_ptr().addr();
        line += text[counted..start].matches('\n').count();
        counted = start;
        LinkTarget { bytes: start..start + target.len(), is_wiki: false, line }
    });
    targets.collect()
}

/// What a paragraph leaves open at the end of a line.
#[derive(Default)]
struct OpenParagraph {
    /// Open brackets, as the words of a link may begin on the line before.
    brackets: usize,
    /// Whether the line was `[label]:`, whose target follows.
    awaits_target: bool,
}

impl OpenParagraph {
    /// Returns the targets in a line.
    fn targets(&mut self, plain: &str, start: usize, line: usize) -> Vec<LinkTarget> {
        let target = |bytes: Range<usize>, is_wiki: bool| LinkTarget {
            bytes: start + bytes.start..start + bytes.end,
            is_wiki,
            line,
        };
        let wiki = wiki_links(plain).into_iter().map(|(at, inner)| {
            let length = inner.find('|').unwrap_or(inner.len());
            target(at..at + length, true)
        });
        let mut found: Vec<_> = wiki.collect();
        let awaited = Some((0, plain)).filter(|_| self.awaits_target && !is_text(plain));
        self.awaits_target = definition(plain).is_some_and(|(_, rest)| rest.trim().is_empty());
        let inline = inline_links(plain, &mut self.brackets).into_iter();
        for (at, inner) in inline.chain(definition(plain)).chain(awaited) {
            let Some((bytes, behind)) = destination(inner) else { continue };
            found.extend(is_title(behind).then(|| target(at + bytes.start..at + bytes.end, false)));
        }
        found
    }
}

/// Returns the text with new targets of links, where `new` gives one for a target, and how many those are; every other
/// byte stays.
pub(crate) fn with_new_targets(
    outline: &Outline<'_>,
    mut new: impl FnMut(&LinkTarget, &str) -> Option<String>,
) -> (String, usize) {
    let text = outline.text();
    let targets = link_targets(outline);
    let code = if targets.is_empty() { Vec::new() } else { code(text) };
    let (mut written, mut copied, mut count) = (String::with_capacity(text.len()), 0, 0);
    for target in targets {
        let bytes = target.bytes.clone();
        // A wiki link in the brackets of another link is that link alone.
        if bytes.is_empty() || bytes.start < copied || are_around(&code, bytes.start) {
            continue;
        }
        let Some(new) = new(&target, &text[bytes.clone()]) else { continue };
        written += &text[copied..bytes.start];
        written += &new;
        (copied, count) = (bytes.end, count + 1);
    }
    (written + &text[copied..], count)
}

/// Returns where code is: spans, also those over several lines, and blocks, also those that are indented.
fn code(text: &str) -> Vec<Range<usize>> {
    ranges_of(text, |event| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_))))
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
    let (mut found, mut end) = (Vec::new(), 0);
    for (at, mark) in text.match_indices(['[', ']']) {
        if at < end {
            // A title may hold what looks like a link.
        } else if mark == "[" {
            *open += 1;
        } else if *open > 0 {
            *open -= 1;
            let inner = text[at..].strip_prefix("](").and_then(inside);
            end = inner.map_or(end, |inner| at + "](".len() + inner.len());
            found.extend(inner.map(|inner| (at + "](".len(), inner)));
        }
    }
    found
}

/// Returns what stands before the `)` of a link: up to the next `](`, which only a title may hold.
fn inside(rest: &str) -> Option<&str> {
    let near = rest.split("](").next()?;
    if let Some(end) = end_of_link(near) {
        return Some(&near[..end]);
    }
    let behind = destination(near)?.1;
    let title = near.len() - behind.trim_start().len();
    let quote = behind.trim_start().chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let end = title + rest[title + 1..].find(quote)? + 2;
    rest[end..].trim_start().starts_with(')').then(|| &rest[..end])
}

/// Returns what stands behind the label in `[label]: target "title"`, and where; the target may follow in the next line.
/// A footnote is no link, nor is what goes on as a sentence does, or is indented as code.
fn definition(line: &str) -> Option<(usize, &str)> {
    let (label, behind) = line.trim_start_matches(' ').strip_prefix('[')?.split_once("]:")?;
    let indent = line.len() - line.trim_start().len();
    let is_target = destination(behind).is_none_or(|(_, title)| is_title(title));
    let is_label = !label.starts_with('^') && !label.contains(['[', ']']);
    (indent < 4 && is_label && is_target && !is_text(behind))
        .then_some((line.len() - behind.len(), behind))
}

/// Tells whether a label is followed by text, not by a target.
fn is_text(behind: &str) -> bool {
    behind.trim_start().starts_with(['[', '!'])
}

/// Tells whether what follows a target is nothing, or its title.
fn is_title(behind: &str) -> bool {
    let title = behind.trim();
    title.is_empty() || title.starts_with(['"', '\'', '('])
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

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let outline = Outline::read(text);
        let found: Vec<&str> =
            link_targets(&outline).into_iter().map(|link| &text[link.bytes]).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn a_target_may_hold_blanks_and_brackets_and_stand_in_html() {
        check("[x](<a b.md> \"t\") [y](a_(b).md) [z](c.md (d))", &["a b.md", "a_(b).md", "c.md"]);
        check("[x](<a)b.md>) ([y](c.md))", &["a)b.md", "c.md"]);
        check("[w]: <a b.md> \"t\"\n", &["a b.md"]);
        check("rows[i](src of it) [x](a.md 't') [y](b.md(c))", &["a.md", "b.md(c)"]);
        check("<a class='x' href=\"a%20b.md\">b</a> <IMG SRC='I.png'>", &["a%20b.md", "I.png"]);
        check("<a href=a.md>b</a>\n<img\n  src=i.png\n/>\n\n<a\n\nhref=c.md>", &["a.md", "i.png"]);
        check("`<a href=\"a.md\">` <!-- <a href=\"b.md\"> --> href=\"c.md\"", &[]);
    }

    #[test]
    fn targets_come_in_order_with_their_lines() {
        let text =
            "w <a href=x.md> [a](b.md)\n\n<div>\n<img\n src=y.png><img src=z.png>\n\n[[c]]\n";
        let found = link_targets(&Outline::read(text)).into_iter();
        let found: Vec<_> = found.map(|target| (&text[target.bytes], target.line)).collect();
        let expected = [("x.md", 1), ("b.md", 1), ("y.png", 5), ("z.png", 5), ("c", 7)];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_title_may_hold_what_looks_like_a_link() {
        check("[t](a.rs \"x](y)\") [u](b.md)", &["a.rs", "b.md"]);
        check("[[see] [t](<a b.rs> 'x](y) [z](w)')]", &["a b.rs"]);
        check("[t](a.rs \"x [u](b.md) c", &["b.md"]);
        check("[t](a.rs \"x](y)\" z)", &[]);
    }

    #[test]
    fn very_many_marks_take_no_time() {
        for marks in ["[t](a \"", "[t](a 'x](", "<a href=", "<a href='", "<a b= ", "[a]:", "[a]:\n"]
        {
            link_targets(&Outline::read(&marks.repeat(50_000)));
        }
    }

    #[test]
    fn the_target_of_a_definition_may_stand_in_the_next_line() {
        check("[a]:\n  x.md\n[b]:\n<y z.md> 't'\n", &["x.md", "y z.md"]);
        check("[a]:\n\nx.md\n", &[]);
        check("[a]:\nwords that go on\n[^1]:\nx.md\n    [c]:\nx.md\n", &[]);
        check("[a]:\n[b]: x.md\n", &["x.md"]);
    }

    #[test]
    fn what_is_code_to_a_parser_keeps_its_targets() {
        let text =
            "a `b\n[x](a.md)` [y](b.md)\n\n    [x](c.md)\n\n- [z](d.md)\n\n      [x](e.md)\n";
        let (written, count) = with_new_targets(&Outline::read(text), |_, _| Some("new".into()));
        assert_eq!(written, text.replace("b.md", "new").replace("d.md", "new"));
        assert_eq!(count, 2);
    }
}
