//! Divides a text into what a reader sees of it, its code, and what stands in its HTML.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::nesting;

/// A text, divided by who sees what.
pub(crate) struct Readable<'a> {
    /// Paragraphs, headings, cells and list items without code, each with its line.
    pub(crate) prose: Vec<PlacedText>,
    /// HTML, each block whole.
    pub(crate) html: Vec<PlacedText>,
    /// Addresses of links and images.
    pub(crate) addresses: Vec<LinkAddress>,
    /// Titles of links and images.
    pub(crate) titles: Vec<PlacedText>,
    /// The text without its code, of as many lines.
    pub(crate) without_code: String,
    pub(crate) text: &'a str,
}

pub(crate) struct PlacedText {
    /// The line on which it begins, from 1.
    pub(crate) line: usize,
    pub(crate) text: String,
}

pub(crate) struct LinkAddress {
    pub(crate) line: usize,
    pub(crate) url: String,
    /// An image is asked for without a click.
    pub(crate) is_image: bool,
}

/// Stands for code and for a quotation, so that what is around them is no sentence of its own.
pub(crate) const EXAMPLE: char = '\u{fffc}';

impl<'a> Readable<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let mut readable = Self {
            prose: Vec::new(),
            html: Vec::new(),
            addresses: Vec::new(),
            titles: Vec::new(),
            without_code: String::new(),
            text,
        };
        let code = readable.read();
        readable.without_code = without(text, &code);
        readable
    }

    /// Reads all but the text without code; returns where code stands.
    fn read(&mut self) -> Vec<Range<usize>> {
        let lines = LineStarts::of(self.text);
        let mut code = Vec::new();
        let (mut open, mut in_code): (Option<PlacedText>, bool) = (None, false);
        let bounded = nesting::bound(self.text);
        let events = Parser::new_ext(&bounded, Options::ENABLE_TABLES).into_offset_iter();
        for (event, range) in events {
            let line = lines.at(range.start);
            let add = |open: &mut Option<PlacedText>, text: &str| {
                open.get_or_insert_with(|| PlacedText { line, text: String::new() })
                    .text
                    .push_str(text);
            };
            match event {
                Event::Start(tag) => {
                    if matches!(tag, Tag::CodeBlock(_)) {
                        code.push(range);
                        in_code = true;
                    }
                    self.link(line, &tag);
                    self.prose.extend(open.take_if(|_| !is_inline(&tag)));
                }
                Event::End(tag) => {
                    in_code &= tag != TagEnd::CodeBlock;
                    self.prose.extend(open.take_if(|_| !is_inline_end(tag)));
                }
                Event::Text(text) if !in_code => add(&mut open, &text),
                Event::Code(_) => {
                    code.push(range);
                    add(&mut open, &EXAMPLE.to_string());
                }
                Event::SoftBreak | Event::HardBreak => add(&mut open, "\n"),
                Event::Html(html) | Event::InlineHtml(html) => {
                    self.html.push(PlacedText { line, text: html.into_string() });
                }
                _ => {}
            }
        }
        self.prose.extend(open);
        self.join_html();
        code
    }

    fn link(&mut self, line: usize, tag: &Tag<'_>) {
        let (url, title, is_image) = match tag {
            // Their address is their text.
            Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. } => return,
            Tag::Link { dest_url, title, .. } => (dest_url, title, false),
            Tag::Image { dest_url, title, .. } => (dest_url, title, true),
            _ => return,
        };
        self.addresses.push(LinkAddress { line, url: url.to_string(), is_image });
        if !title.is_empty() {
            self.titles.push(PlacedText { line, text: title.to_string() });
        }
    }

    /// Joins the lines of a block of HTML: a comment may have several.
    fn join_html(&mut self) {
        let mut joined: Vec<PlacedText> = Vec::new();
        for piece in std::mem::take(&mut self.html) {
            match joined.last_mut() {
                Some(last) if last.line + last.text.matches('\n').count() == piece.line => {
                    last.text.push_str(&piece.text);
                }
                _ => joined.push(piece),
            }
        }
        self.html = joined;
    }
}

/// Returns a text in which a mark and the line ends stand for its code.
fn without(text: &str, code: &[Range<usize>]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut end = 0;
    for code in code {
        let start = code.start.max(end);
        kept.push_str(&text[end..start]);
        kept.push(EXAMPLE);
        kept.extend(text[start..code.end.max(start)].chars().filter(|c| *c == '\n'));
        end = code.end.max(end);
    }
    kept + &text[end..]
}

fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
    )
}

fn is_inline_end(tag: TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image
    )
}

/// Where the lines of a text begin.
pub(crate) struct LineStarts(Vec<usize>);

impl LineStarts {
    pub(crate) fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at + 1).collect())
    }

    /// Returns the line that holds a byte, from 1.
    pub(crate) fn at(&self, byte: usize) -> usize {
        self.0.partition_point(|start| *start <= byte) + 1
    }
}
