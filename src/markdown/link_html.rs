//! Finds the targets of `<a href=…>` and `<img src=…>` in lines, also where a tag goes on in the next line.

use std::ops::Range;

/// The tags of a paragraph, read line by line.
#[derive(Default)]
pub(super) struct HtmlTags {
    /// What the open tag leads to: it is a tag only if it ends.
    open: Option<Vec<TagTarget>>,
}

/// A target with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TagTarget {
    pub(super) bytes: Range<usize>,
    pub(super) line: usize,
}

impl HtmlTags {
    /// Tells whether a tag goes on in the next line.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Reads a line that begins at a byte of the text; returns the targets of the tags that end in it.
    // Each part is read once, also where thousands of marks stand on one line and none is closed.
    pub(super) fn read(&mut self, line: &str, start: usize, number: usize) -> Vec<TagTarget> {
        let (mut found, mut at) = (Vec::new(), 0);
        while at < line.len() {
            let rest = &line[at..];
            let Some(targets) = &mut self.open else {
                let Some(mark) = rest.find('<') else { break };
                at += mark + "<".len();
                let name = tag_name(&line[at..]);
                self.open = name.map(|_| Vec::new());
                at += name.unwrap_or_default();
                continue;
            };
            match rest.as_bytes()[0] {
                b'>' => found.extend(self.open.take().into_iter().flatten()),
                b'<' => {
                    self.open = None;
                    continue;
                }
                first if first.is_ascii_whitespace() || b"/=\"'".contains(&first) => {}
                _ => {
                    let attribute = Attribute::read(rest);
                    targets.extend(attribute.target.map(|target| TagTarget {
                        bytes: start + at + target.start..start + at + target.end,
                        line: number,
                    }));
                    at += attribute.length;
                    continue;
                }
            }
            at += 1;
        }
        found
    }
}

/// Returns the length of the name that a tag begins with; none where no tag begins, as in `<https://x.org>`.
fn tag_name(text: &str) -> Option<usize> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let length = text.find(|c| !is_of_name(c)).unwrap_or(text.len());
    let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let ends = text[length..].chars().next().is_none_or(|c| c.is_whitespace() || "/>".contains(c));
    (is_name && ends).then_some(length)
}

/// An attribute at the beginning of a text.
struct Attribute {
    length: usize,
    target: Option<Range<usize>>,
}

impl Attribute {
    fn read(text: &str) -> Self {
        let end_of = |text: &str, ends: &str| {
            text.find(|c: char| c.is_whitespace() || ends.contains(c)).unwrap_or(text.len())
        };
        let skipped = |at: usize| text.len() - text[at..].trim_start().len();
        let name = end_of(text, "=/><");
        let sign = skipped(name);
        if !text[sign..].starts_with('=') {
            return Self { length: name, target: None };
        }
        let value = skipped(sign + "=".len());
        let (value, end, length) = match text[value..].chars().next() {
            Some(quote @ ('"' | '\'')) => match text[value + 1..].find(quote) {
                Some(length) => (value + 1, value + 1 + length, value + length + 2),
                // It goes on in the next line, as no link does.
                None => return Self { length: value + 1, target: None },
            },
            _ => {
                let end = value + end_of(&text[value..], "><");
                (value, end, end)
            }
        };
        let is_link = ["href", "src"].iter().any(|it| text[..name].eq_ignore_ascii_case(it));
        Self { length, target: is_link.then_some(value..end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let (mut tags, mut found, mut start) = (HtmlTags::default(), Vec::new(), 0);
        for line in text.split_inclusive('\n') {
            found.extend(tags.read(line.trim_end_matches('\n'), start, 1));
            start += line.len();
        }
        let found: Vec<&str> = found.into_iter().map(|target| &text[target.bytes]).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn a_value_may_stand_without_quotes_or_apart_from_its_name() {
        check("<a href=x.md>x</a> <img src=y.png/>", &["x.md", "y.png/"]);
        check("<IMG\tSRC = 'y z.png' width=300 ><a href= \"x.md\">", &["y z.png", "x.md"]);
        check("<img alt=\"a > b src=no\" src=ü.png>", &["ü.png"]);
    }

    #[test]
    fn a_tag_may_go_on_in_the_next_line() {
        check("<img\n  src=\"x.png\"\n  width=300\n>", &["x.png"]);
        check("<a class=b\nhref=x.md>", &["x.md"]);
    }

    #[test]
    fn what_does_not_end_or_is_no_tag_leads_nowhere() {
        check("a <b href=x.md", &[]);
        check("a < b href=x.md > c", &[]);
        check("<https://x.org/href=a.md> </a href=x.md> <a data-src=x.png xhref=y.md>", &[]);
        check("<a href=\"x.md>", &[]);
        check("<a href=x.md <b src=y.png>", &["y.png"]);
    }
}
