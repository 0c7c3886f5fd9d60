//! Knows which elements of HTML are open, to tell what stands in one that is not shown.

use std::collections::HashMap;

use super::html::HtmlTag;

#[derive(Default)]
pub(super) struct OpenElements {
    /// Outermost first.
    open: Vec<OpenElement>,
    /// How many of each name are open.
    counts: HashMap<String, usize>,
    unseen: usize,
}

struct OpenElement {
    name: String,
    is_unseen: bool,
}

/// Elements that have no inside.
const EMPTY: [&str; 13] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];

/// Elements that go on where the paragraph around them ends.
const FORMATTING: [&str; 14] = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// The next one of these closes the one before, unless a list or table began in that.
const ITEMS: [&str; 7] = ["dd", "dt", "li", "option", "td", "th", "tr"];

/// Elements that begin a line and close the paragraph that is open.
pub(super) const CLOSES_PARAGRAPH: [&str; 38] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "listing",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "plaintext",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "ul",
    "xmp",
];

/// Elements among which an item that is open is looked for.
const NEAR: usize = 64;

impl OpenElements {
    pub(super) fn is_unseen(&self) -> bool {
        self.unseen > 0
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.counts.get(name).is_some_and(|count| *count > 0)
    }

    /// Reads a tag; `is_unseen` tells of one that begins an element whether that is not shown.
    pub(super) fn read(&mut self, tag: &HtmlTag<'_>, is_unseen: bool) {
        let name = tag.name.as_str();
        if tag.is_end {
            return self.close(name);
        }
        if CLOSES_PARAGRAPH.contains(&name) {
            self.close("p");
        }
        if ITEMS.contains(&name) {
            let near = self.open.iter().rev().take(NEAR);
            let is_list = |it: &&OpenElement| {
                matches!(it.name.as_str(), "ul" | "ol" | "menu" | "dl" | "table")
            };
            if near.take_while(|it| !is_list(it)).any(|it| it.name == name) {
                self.close(name);
            }
        }
        if !EMPTY.contains(&name) {
            self.push(OpenElement { name: name.to_owned(), is_unseen });
        }
    }

    fn push(&mut self, element: OpenElement) {
        *self.counts.entry(element.name.clone()).or_default() += 1;
        self.unseen += usize::from(element.is_unseen);
        self.open.push(element);
    }

    /// Closes the last element of a name, and those in it.
    fn close(&mut self, name: &str) {
        if !self.has(name) {
            return;
        }
        let mut again = Vec::new();
        while let Some(element) = self.open.pop() {
            *self.counts.get_mut(&element.name).expect("it was counted when it was opened") -= 1;
            self.unseen -= usize::from(element.is_unseen);
            if element.name == name {
                break;
            }
            if element.is_unseen && FORMATTING.contains(&element.name.as_str()) {
                again.push(element);
            }
        }
        again.into_iter().rev().for_each(|element| self.push(element));
    }
}
