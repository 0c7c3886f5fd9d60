//! Reads what a page of HTML shows.

use std::collections::HashSet;

use super::html::{HtmlTag, unescaped, unescaped_in_page};
use super::open_elements::{CLOSES_PARAGRAPH, OpenElements};

/// The text of a page, as a person reads it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ShownText {
    /// The paragraphs, items, headings, rows and code blocks; a numbered list is one.
    pub blocks: Vec<String>,
    /// Targets of links and images that have a visible text, unless that text is the target.
    pub targets: Vec<String>,
}

/// What to do with comments and hidden elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unseen {
    LeftOut,
    Shown,
}

impl ShownText {
    pub(super) fn of(page: &str, unseen: Unseen) -> Self {
        let mut reader = PageReader {
            shown: Self { blocks: vec![String::new()], targets: Vec::new() },
            unseen,
            open: OpenElements::default(),
            links: Vec::new(),
            block_targets: Vec::new(),
            letters: 0,
            in_comment: false,
        };
        let mut rest = page;
        while let Some((before, markup)) = rest.split_once('<') {
            reader.show(before);
            rest = reader.read_markup(markup);
        }
        reader.show(rest);
        while !reader.links.is_empty() {
            reader.close_link();
        }
        reader.begin_block();
        reader.shown.blocks.retain(|block| !block.trim().is_empty());
        reader.shown
    }
}

struct PageReader<'t> {
    shown: ShownText,
    unseen: Unseen,
    open: OpenElements,
    links: Vec<OpenLink<'t>>,
    /// The targets of the last block.
    block_targets: Vec<String>,
    /// How many letters are shown so far.
    letters: usize,
    /// Whether a comment is open whose text is shown.
    in_comment: bool,
}

/// A link whose end is not read yet.
struct OpenLink<'t> {
    target: &'t str,
    /// How many letters were shown before it.
    letters: usize,
}

/// Elements of which a page shows no text; their inside is no HTML to it.
const UNSEEN: [&str; 8] =
    ["iframe", "noembed", "noframes", "noscript", "script", "style", "template", "title"];

impl<'t> PageReader<'t> {
    /// Reads what begins behind a `<`, and returns what follows it.
    fn read_markup(&mut self, markup: &'t str) -> &'t str {
        if let Some(comment) = markup.strip_prefix("!--") {
            return match self.unseen {
                Unseen::LeftOut => behind_comment(comment),
                Unseen::Shown => {
                    self.in_comment = true;
                    comment
                }
            };
        }
        // Readers differ in where these end: at their own mark, or at the first `>`.
        for (start, end) in [("?", "?>"), ("![CDATA[", "]]>"), ("!", ">")] {
            if markup.starts_with(start) {
                let own = markup.split_once(end).filter(|_| self.unseen == Unseen::LeftOut);
                return own.map_or_else(|| behind(markup, ">"), |(_, behind)| behind);
            }
        }
        let Some((tag, rest)) = HtmlTag::read(markup) else {
            if markup.starts_with('/') {
                return behind(markup, ">");
            }
            self.show("<");
            return markup;
        };
        self.read_tag(&tag);
        match self.unseen {
            Unseen::LeftOut if !tag.is_end && UNSEEN.contains(&tag.name.as_str()) => {
                behind_element(rest, &tag.name)
            }
            Unseen::LeftOut | Unseen::Shown => rest,
        }
    }

    fn read_tag(&mut self, tag: &HtmlTag<'t>) {
        let was_in_steps = self.open.has("ol");
        self.open.read(tag, self.unseen == Unseen::LeftOut && tag.is_unseen());
        match tag.name.as_str() {
            "br" | "td" | "th" => self.show(" "),
            // What is raised behind a number is its power.
            "sup" if !tag.is_end && self.block().ends_with(char::is_alphanumeric) => self.show("^"),
            "a" if tag.is_end => self.close_link(),
            "a" => {
                let target = tag.attribute("href").unwrap_or_default();
                self.links.push(OpenLink { target, letters: self.letters });
            }
            "img" => {
                let target = tag.attribute("src").unwrap_or_default();
                self.links.push(OpenLink { target, letters: self.letters });
                self.show(tag.attribute("alt").unwrap_or_default());
                self.close_link();
            }
            // The order of steps counts: all of them are one block.
            name if begins_line(name) && was_in_steps && self.open.has("ol") => self.show(" "),
            name if begins_line(name) => self.begin_block(),
            _ => {}
        }
    }

    /// Shows text in which entities stand for characters.
    fn show(&mut self, text: &str) {
        if self.in_comment
            && let Some((inside, behind)) = text.split_once("-->")
        {
            self.in_comment = false;
            self.show(inside);
            self.begin_block();
            return self.show(behind);
        }
        if self.open.is_unseen() {
            return;
        }
        let text = unescaped_in_page(text);
        self.letters += text.chars().filter(|character| character.is_alphanumeric()).count();
        self.block().push_str(&text);
    }

    fn block(&mut self) -> &mut String {
        self.shown.blocks.last_mut().expect("there is always one")
    }

    /// Keeps the target of a link of which something is shown.
    fn close_link(&mut self) {
        let Some(OpenLink { target, letters }) = self.links.pop() else { return };
        let target = unescaped(target);
        if letters < self.letters && !target.is_empty() {
            self.block_targets.push(target.into_owned());
        }
    }

    /// Ends the last block, with the targets that its words do not show, and begins the next one.
    fn begin_block(&mut self) {
        let block = self.shown.blocks.last().expect("there is always one");
        let marks = ['(', ')', '<', '>', '.', ',', ';', ':', '!', '?', '"', '\''];
        let words: HashSet<&str> =
            block.split_whitespace().map(|word| word.trim_matches(marks)).collect();
        let mut targets = std::mem::take(&mut self.block_targets);
        targets.retain(|target| {
            !words.contains(target.trim_start_matches("mailto:").trim_matches(marks))
        });
        self.shown.targets.append(&mut targets);
        if !block.is_empty() {
            self.shown.blocks.push(String::new());
        }
    }
}

/// Further elements that begin a line.
const LINES: [&str; 7] = ["caption", "dd", "dt", "legend", "li", "option", "tr"];

fn begins_line(name: &str) -> bool {
    CLOSES_PARAGRAPH.contains(&name) || LINES.contains(&name)
}

/// Returns what follows a comment, of which `text` is the inside.
fn behind_comment(text: &str) -> &str {
    if let Some(behind) = text.strip_prefix('>').or(text.strip_prefix("->")) {
        return behind;
    }
    let ends = ["-->", "--!>"].map(|end| text.find(end).map(|at| at + end.len()));
    ends.into_iter().flatten().min().map_or("", |end| &text[end..])
}

/// Returns what follows the end of an element whose inside is no HTML.
fn behind_element<'t>(text: &'t str, name: &str) -> &'t str {
    let mut ends = text.match_indices("</").map(|(at, _)| &text[at + "</".len()..]);
    let is_own =
        |end: &&str| end.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    ends.find(is_own).map_or("", |end| behind(end, ">"))
}

fn behind<'t>(text: &'t str, mark: &str) -> &'t str {
    text.split_once(mark).map_or("", |(_, behind)| behind)
}
