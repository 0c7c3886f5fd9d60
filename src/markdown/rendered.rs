//! Reads what a person sees of a text: its words, without the marks that only shape them.

use std::borrow::Cow;
use std::collections::HashSet;

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::nesting;
use super::page::{ShownText, Unseen};

/// What a text shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// What a browser shows.
    pub seen: ShownText,
    /// What a reader shows that takes attributes out, or reads the source: also what asks for not being shown, and the
    /// insides of comments.
    pub all: ShownText,
}

/// Returns what a text shows: references, escapes and entities are resolved; tags and the titles of links are not there.
pub fn rendered(text: &str) -> Rendered {
    let page = page_of(text);
    let [seen, all] = [Unseen::LeftOut, Unseen::Shown].map(|unseen| ShownText::of(&page, unseen));
    Rendered { seen, all }
}

/// Writes a text as a page of HTML, the HTML in it as it is.
fn page_of(text: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let bounded = nesting::bound(text);
    let events: Vec<Event<'_>> = Parser::new_ext(&bounded, options).collect();
    let noted: HashSet<&str> = events
        .iter()
        .filter_map(|event| match event {
            Event::FootnoteReference(name) => Some(&**name),
            _ => None,
        })
        .collect();
    let (mut page, mut open) = (String::with_capacity(text.len()), Vec::new());
    for event in &events {
        match event {
            Event::Start(tag) => {
                let (start, end) = element(tag, &noted);
                page.push_str(&start);
                open.push(end);
            }
            Event::End(_) => page.push_str(open.pop().expect("each end has a start")),
            Event::Html(html) | Event::InlineHtml(html) => page.push_str(html),
            Event::Text(text) | Event::Code(text) => page.push_str(&escaped(text)),
            Event::SoftBreak => page.push('\n'),
            Event::HardBreak => page.push_str("<br>"),
            Event::Rule => page.push_str("<hr>"),
            // What is shown of them is no word.
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
            Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }
    page
}

/// Returns what stands around the inside of an element.
fn element(tag: &Tag<'_>, noted: &HashSet<&str>) -> (Cow<'static, str>, &'static str) {
    let (start, end) = match tag {
        Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
            let start = format!("<a href=\"{}\">", escaped(dest_url).replace('"', "&quot;"));
            return (Cow::Owned(start), "</a>");
        }
        Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::HtmlBlock => ("", ""),
        Tag::TableCell => ("<td>", "</td>"),
        Tag::Paragraph => ("<p>", "</p>"),
        Tag::Item => ("<li>", "</li>"),
        Tag::List(None) => ("<ul>", "</ul>"),
        Tag::List(Some(_)) => ("<ol>", "</ol>"),
        Tag::BlockQuote(_) => ("<blockquote>", "</blockquote>"),
        Tag::CodeBlock(_) => ("<pre>", "</pre>"),
        Tag::Heading { .. } => ("<h2>", "</h2>"),
        Tag::Table(_) => ("<table>", "</table>"),
        Tag::TableHead | Tag::TableRow => ("<tr>", "</tr>"),
        // A note to which nothing refers is left out.
        Tag::FootnoteDefinition(name) if !noted.contains(&**name) => ("<div hidden>", "</div>"),
        _ => ("<div>", "</div>"),
    };
    (Cow::Borrowed(start), end)
}

fn escaped(text: &str) -> Cow<'_, str> {
    match text.contains(['&', '<']) {
        true => Cow::Owned(text.replace('&', "&amp;").replace('<', "&lt;")),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<const N: usize>(text: &str, expected: [&str; N]) {
        assert_eq!(shown(rendered(text).seen), expected, "{text:?}");
    }

    /// Returns the blocks, then the targets.
    fn shown(ShownText { blocks, targets }: ShownText) -> Vec<String> {
        let blocks = blocks.iter().chain(&targets);
        blocks.map(|block| block.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
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
        check("1. a\n   - b\n2. c\n\nd", ["a b c", "d"]);
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
        check("- [a](b)\n- [c](d) [e](#e)", ["a", "c e", "b", "d", "#e"]);
    }

    #[test]
    fn a_block_of_html_shows_its_text() {
        check("<div>\nKeep <b>n</b>o logs\n</div>", ["Keep no logs"]);
        check("<p>a &amp; b</p><P CLASS=x>c<br/>d", ["a & b", "c d"]);
        check("<!-- not seen -->\nseen", ["seen"]);
        check("<style>x { }</style>\n<script>\nx < 1\n</script>\n\nseen", ["seen"]);
        check("<div>1 < 2 <b\n\nx", ["1 \u{3c} 2 x"]);
    }

    #[test]
    fn what_a_page_does_not_show_is_not_there() {
        for text in [
            "Keep no [](https://a.example)logs",
            "Keep no logs <a href='b'></a><a href='c'>&nbsp;</a>",
            "Keep no logs ![](data:,) [ ](b)<img src=c>",
            "Keep no <b data-href='b'>logs</b>",
            "Keep no <span hidden> or all </span>logs",
            "Keep no <b style='display : none'>or <b>all</b></b>logs",
            "<div hidden>\n\nnot **this**\n\n</div>\n\nKeep no logs",
            "<div title=\"a > b\">Keep no logs</div>",
            "<!DOCTYPE html>\n\nKeep no logs",
            "Keep no logs\n\n<?php echo \"a > b\"; ?>",
            "Keep <?a?>no <![CDATA[a]]>logs",
            "<p>Keep no logs</ a></p>",
            "Keep no logs[^1]\n\n[^1]: &nbsp;",
            "Keep no logs\n\n[^1]: All of them.",
            "Keep no logs\n\n[a]: https://a.example",
            "<!--> Keep no logs <!-- a -->",
            "<area href=q>Keep no logs<area href=r>",
            "<p>Keep no logs<iframe>a</iframe><audio>b</audio><dialog>c</dialog>",
            "<p>Keep no <span style='color:red; opacity: 0.00'>or all </span>logs",
        ] {
            check(text, ["Keep no logs"]);
        }
    }

    #[test]
    fn an_element_that_is_not_shown_ends_where_it_ends_in_a_browser() {
        check("a <span hidden> b\n\nc", ["a", "c"]);
        check("a <b hidden> b\n\nc</b> d", ["a", "d"]);
        check("- <span hidden>a\n- b", ["b"]);
        check("<ul>\n<li hidden>a\n<li>b\n</ul>", ["b"]);
        check("<p hidden>a\n\nb", ["b"]);
        check("<p><img hidden>a</p>", ["a"]);
        check("<p hidden>a<section>b</section>", ["b"]);
        check("<p hidden>a<figcaption>b</figcaption>", ["b"]);
        check("<select><option hidden>a<option>b</select>", ["b"]);
        check("<p>a<b style='opacity:0.9'>b</b>", ["ab"]);
    }

    #[test]
    fn what_asks_for_not_being_shown_is_all_the_same_in_the_source() {
        for text in [
            "<div hidden>Keep no logs</div>",
            "<!-- Keep **no** logs -->".replace("**", "").as_str(),
            "<div><!--\n\nKeep *no* logs\n\n-->",
            "<style>Keep no logs</style>",
        ] {
            assert_eq!(shown(rendered(text).all), ["Keep no logs"], "{text}");
            check(text, []);
        }
    }

    #[test]
    fn no_text_takes_long() {
        for text in [
            "<style></style>",
            "<div><!--",
            "[a](b",
            "[",
            "*a ",
            "> ",
            "<a ",
            "&#",
            "&copy;",
            "&copyist",
            "<ol><li>",
            "10<sup>2",
            "<b hidden><p>",
            "<li><ul><b>",
            "</p></b>",
            "<a href=b>",
        ] {
            rendered(&text.repeat(20_000));
            rendered(&format!("<p>{}", text.repeat(20_000)));
        }
    }
}
