//! Reads what a person sees of a text: its words, without the marks that only shape them.

use std::collections::HashSet;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::nesting;

/// Returns the paragraphs, items, headings, rows and code blocks of a text as they are shown: references and escapes are
/// resolved; tags, comments and the titles of links are not there. The target of a link is a block of its own, behind
/// that of its words.
pub fn rendered(text: &str) -> Vec<String> {
    let mut shown = ShownText::default();
    shown.read(text);
    // What a block of HTML shows; a tag that appears only now is not one for a browser either.
    let html = std::mem::take(&mut shown.html);
    shown.read(&without_tags(&html));
    shown.blocks.retain(|block| !block.trim().is_empty());
    shown.blocks
}

#[derive(Default)]
struct ShownText {
    blocks: Vec<String>,
    /// Where the links of the last block go, and its pictures are.
    targets: Vec<String>,
    /// The blocks of HTML, in small letters.
    html: String,
}

impl ShownText {
    fn read(&mut self, text: &str) {
        let options =
            Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        self.begin();
        for event in Parser::new_ext(&nesting::bound(text), options) {
            match event {
                Event::Start(tag) => self.open(tag),
                Event::Html(html) => self.html.push_str(&html.to_ascii_lowercase()),
                Event::Text(text) | Event::Code(text) => self.show(&text),
                Event::InlineHtml(tag) => self.show_tag(&tag[1..]),
                Event::SoftBreak | Event::HardBreak => self.show(" "),
                Event::End(
                    TagEnd::Link
                    | TagEnd::Image
                    | TagEnd::TableCell
                    | TagEnd::Emphasis
                    | TagEnd::Strong
                    | TagEnd::Strikethrough,
                ) => {}
                Event::End(_) | Event::Rule => self.begin(),
                _ => {}
            }
        }
        self.begin();
    }

    fn open(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.targets.push(dest_url.into_string());
            }
            Tag::HtmlBlock => self.html.push_str("\n\n"),
            Tag::TableCell => self.show(" "),
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => {}
            _ => self.begin(),
        }
    }

    /// Ends the last block, with the targets behind it that its words do not show, and begins the next one.
    fn begin(&mut self) {
        let block = self.blocks.last().map_or("", String::as_str);
        let marks = ['(', ')', '<', '>', '.', ',', ';', ':', '!', '?', '"', '\''];
        let words: HashSet<&str> =
            block.split_whitespace().map(|word| word.trim_matches(marks)).collect();
        self.targets.retain(|target| {
            let is_here = target.is_empty() || target.starts_with('#');
            !is_here && !words.contains(target.trim_start_matches("mailto:").trim_matches(marks))
        });
        self.blocks.append(&mut self.targets);
        if self.blocks.last().is_none_or(|block| !block.is_empty()) {
            self.blocks.push(String::new());
        }
    }

    fn show(&mut self, text: &str) {
        self.blocks.last_mut().expect("there is always one").push_str(text);
    }

    /// Shows what stands for a tag inside of words; `tag` begins behind its `<`.
    fn show_tag(&mut self, tag: &str) {
        if breaks_line(&name_of(tag)) {
            self.show(" ");
        }
        self.targets.extend(target_of(tag).map(str::to_owned));
    }
}

/// Elements of which a page shows no text.
const UNSEEN: [&str; 4] = ["script", "style", "template", "title"];

/// Elements that begin a line.
const BLOCKS: [&str; 36] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
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
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "td",
    "th",
    "tr",
];

fn breaks_line(name: &str) -> bool {
    BLOCKS.contains(&name)
}

/// Returns the name of a tag in small letters; `tag` begins behind its `<`.
fn name_of(tag: &str) -> String {
    let name = tag.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next();
    name.unwrap_or_default().to_ascii_lowercase()
}

/// Returns where a link of HTML goes, or its picture is.
fn target_of(tag: &str) -> Option<&str> {
    let tag = tag.split_once('>').map_or(tag, |(inside, _)| inside);
    let (_, value) = tag.split_once("href=").or_else(|| tag.split_once("src="))?;
    match value.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
        Some(quote) => value[1..].split(quote).next(),
        None => value.split_whitespace().next(),
    }
}

/// Takes the comments and tags out of some HTML in small letters.
fn without_tags(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = behind(comment, "-->");
            continue;
        }
        if !tag.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) {
            text.push_str("\\<");
            rest = tag;
            continue;
        }
        let name = name_of(tag);
        if let Some(target) = target_of(tag) {
            text.push_str(&format!("[](<{target}>)"));
        }
        rest = behind(tag, ">");
        if UNSEEN.contains(&name.as_str()) && !tag.starts_with('/') {
            rest = behind(behind(rest, &format!("</{name}")), ">");
        }
        if breaks_line(&name) {
            text.push_str("\n\n");
        }
    }
    text + rest
}

fn behind<'t>(text: &'t str, mark: &str) -> &'t str {
    text.split_once(mark).map_or("", |(_, behind)| behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<const N: usize>(text: &str, expected: [&str; N]) {
        let blocks: Vec<String> = rendered(text)
            .iter()
            .map(|block| block.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(blocks, expected, "{text:?}");
    }

    #[test]
    fn marks_that_only_shape_a_text_are_not_shown() {
        for text in [
            "Keep no logs",
            "**Keep** _no_ `logs`",
            "Keep\nno  \nlogs",
            "Keep\\\nno logs",
            "K&#101;ep&#32;no l&#x6f;gs",
            "Keep no logs <!-- at all -->",
            "Ke<!-- a -->ep <b>no</b><br>logs",
            "Keep ~~no~~ [logs]()",
            "# Keep no logs",
            "Keep no logs\n---",
            "> Keep no logs",
            "1) Keep no logs",
            "- [x] Keep no logs",
            "```\nKeep no logs\n```",
            "    Keep no logs",
            "| Keep | no | logs |\n|--|--|--|",
        ] {
            check(text, ["Keep no logs"]);
        }
        check("a \\_b\\_ \\* 5 &lt; 6 &amp; &copy;", ["a _b_ * 5 < 6 & \u{a9}"]);
        check("- a\n- b\n\n  c\n\n1. d\n***\ne", ["a", "b", "c", "d", "e"]);
        check("", []);
    }

    #[test]
    fn a_link_is_shown_with_its_target_however_it_is_written() {
        let shown = ["see the guide", "https://a.example/b"];
        check("see [the guide](https://a.example/b)", shown);
        check("see [the guide](<https://a.example/b> 'of old')", shown);
        check("see [the guide][1]\n\n[1]: https://a.example/b", shown);
        check("see [the guide]\n\n[The Guide]: <https://a.example/b> \"of old\"", shown);
        check("see ![the guide](https://a.example/b)", shown);
        check("see <a href='https://a.example/b'>the guide</a>", shown);
        check("<p class=x>see <a title=x href=\"https://a.example/b\">the guide</a>", shown);
        for bare in ["https://a.example/b", "<https://a.example/b>"] {
            check(bare, ["https://a.example/b"]);
        }
        check("[https://a.example/b](https://a.example/b)", ["https://a.example/b"]);
        check("- [a](b)\n- [c](d) [e](#e)", ["a", "b", "c e", "d"]);
    }

    #[test]
    fn a_block_of_html_shows_its_text() {
        check("<div>\nKeep <b>n</b>o logs\n</div>", ["keep no logs"]);
        check("<p>a &amp; b</p><P CLASS=x>c<br/>d", ["a & b", "c", "d"]);
        check("<!-- not seen -->\nseen", ["seen"]);
        check("<style>x { }</style>\n<script>\nx < 1\n</script>\n\nseen", ["seen"]);
        check("<div>1 < 2 <b\n\nx", ["x", "1 \u{3c} 2"]);
    }

    #[test]
    fn no_text_takes_long() {
        for text in ["<style></style>", "<div><!--", "[a](b", "[", "*a ", "> ", "<a ", "&#"] {
            rendered(&text.repeat(50_000));
            rendered(&format!("<p>{}", text.repeat(50_000)));
        }
    }
}
