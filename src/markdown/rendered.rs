//! Reads what a person sees of a text: its words, without the marks that only shape them.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use super::nesting;

/// Returns the paragraphs, items, headings, rows and code blocks of a text as they are shown: references and escapes are
/// resolved; tags, comments and the titles of links are not there. The target of a link is shown behind its words.
pub(crate) fn rendered(text: &str) -> Vec<String> {
    let mut page = Page::default();
    page.read(text);
    let html = std::mem::take(&mut page.html);
    // What a block of HTML shows is Markdown to its reader; tags inside of tags are left as they are.
    html.iter().for_each(|html| page.read(&without_tags(html)));
    page.blocks.retain(|block| !block.trim().is_empty());
    page.blocks
}

#[derive(Default)]
struct Page {
    blocks: Vec<String>,
    html: Vec<String>,
    in_html: bool,
    links: Vec<Link>,
}

/// A link or picture that is being read.
struct Link {
    target: String,
    /// Where its words begin in the block.
    start: usize,
}

impl Page {
    fn read(&mut self, text: &str) {
        let options =
            Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        self.begin();
        for event in Parser::new_ext(&nesting::bound(text), options) {
            match event {
                Event::Start(tag) => self.open(tag),
                Event::End(tag) => self.close(tag),
                Event::Html(html) => self.html.last_mut().expect("a block is open").push_str(&html),
                // A text of a block of HTML comes with it.
                Event::Text(text) if self.in_html => {
                    self.html.last_mut().expect("a block is open").push_str(&text);
                }
                Event::Text(text) | Event::Code(text) => self.show(&text),
                Event::InlineHtml(tag) => self.break_line(&tag),
                Event::SoftBreak | Event::HardBreak => self.show(" "),
                Event::Rule => self.begin(),
                _ => {}
            }
        }
    }

    fn begin(&mut self) {
        self.blocks.push(String::new());
        self.links.clear();
    }

    fn block(&mut self) -> &mut String {
        self.blocks.last_mut().expect("there is always one")
    }

    fn show(&mut self, text: &str) {
        self.block().push_str(text);
    }

    /// Shows a tag that begins a line; any other shows nothing.
    fn break_line(&mut self, tag: &CowStr<'_>) {
        let name = tag.trim_start_matches(['<', '/']).trim_start().get(..2);
        if name.is_some_and(|name| name.eq_ignore_ascii_case("br")) {
            self.show(" ");
        }
    }

    fn open(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                let start = self.block().len();
                self.links.push(Link { target: dest_url.into_string(), start });
            }
            Tag::HtmlBlock => {
                self.in_html = true;
                self.html.push(String::new());
            }
            Tag::TableCell => self.show(" "),
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => {}
            _ => self.begin(),
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Link | TagEnd::Image => self.show_target(),
            TagEnd::HtmlBlock => self.in_html = false,
            TagEnd::TableCell | TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {}
            _ => self.begin(),
        }
    }

    /// Shows where a link goes, if its words do not say it already.
    fn show_target(&mut self) {
        let Some(Link { target, start }) = self.links.pop() else { return };
        let is_here = target.is_empty() || target.starts_with('#');
        let words = self.block().get(start..).unwrap_or_default();
        if !is_here && words.trim() != target.trim_start_matches("mailto:") {
            self.show(&format!(" ({target})"));
        }
    }
}

/// Elements of which a page shows no text.
const UNSEEN: [&str; 4] = ["script", "style", "template", "title"];

/// Takes the comments and tags out of a block of HTML.
fn without_tags(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        if !tag.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) {
            text.push('<');
            rest = tag;
            continue;
        }
        let (inside, behind) = tag.split_once('>').unwrap_or((tag, ""));
        let name = inside.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        text.push('\n');
        rest = match UNSEEN.into_iter().find(|unseen| unseen.eq_ignore_ascii_case(name)) {
            Some(name) => behind_end(behind, name),
            None => behind,
        };
    }
    text + rest
}

/// Returns what stands behind the end tag of an element.
fn behind_end<'t>(text: &'t str, name: &str) -> &'t str {
    let end = format!("</{name}");
    let at = text.to_ascii_lowercase().find(&end).map_or(text.len(), |at| at + end.len());
    text[at..].split_once('>').map_or("", |(_, behind)| behind)
}
