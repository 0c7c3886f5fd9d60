//! Finds the targets of `<a href=…>` and `<img src=…>`.

use pulldown_cmark::{Event, Tag};

use super::html::HtmlTag;
use super::ranges::ranges_of;

/// Returns the parts of a text that are targets of tags, in order; none of code and comments.
pub(super) fn html_targets(text: &str) -> Vec<&str> {
    let begins_tag = |(at, _)| text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic());
    // Most texts have none, and need no parser.
    if !text.match_indices('<').any(begins_tag) {
        return Vec::new();
    }
    let html = ranges_of(text, |event| {
        matches!(event, Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock))
    });
    html.into_iter().flat_map(|bytes| targets_in(&text[bytes])).collect()
}

/// Returns the targets of the tags in a piece of HTML, in their order.
fn targets_in(html: &str) -> Vec<&str> {
    let (mut found, mut rest) = (Vec::new(), html);
    while let Some((_, markup)) = rest.split_once('<') {
        if let Some(comment) = markup.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        let Some((tag, behind)) = HtmlTag::read(markup) else {
            rest = markup;
            continue;
        };
        rest = behind;
        if tag.is_whole && !tag.is_end {
            let mut targets: Vec<_> =
                ["href", "src"].into_iter().filter_map(|name| tag.attribute(name)).collect();
            targets.retain(|target| !target.is_empty() && !target.contains('\n'));
            targets.sort_by_key(|target| target.as_ptr());
            found.append(&mut targets);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(html_targets(text), expected, "{text:?}");
    }

    #[test]
    fn a_value_may_stand_without_quotes_or_apart_from_its_name() {
        check("<a href=x.md>x</a> <img src=y.png/>", &["x.md", "y.png/"]);
        check("<IMG\tSRC = 'y z.png' width=300 ><a href= \"x.md\">", &["y z.png", "x.md"]);
        check("<img alt=\"a > b src=no\" src=ü.png>", &["ü.png"]);
        check("<x src=a href=b>", &["a", "b"]);
    }

    #[test]
    fn a_tag_may_go_on_in_the_next_line() {
        check("<img\n  src=\"x.png\"\n  width=300\n/>", &["x.png"]);
        check("<p>\n<img\n  src=x.png\n>\n</p>", &["x.png"]);
        // Such a line begins a quote, so this is no tag.
        check("<img\n  src=x.png\n>", &[]);
        check("<a class=b\nhref=x.md>", &["x.md"]);
        check("> - <img\r\n    src=x.png>\r\n", &["x.png"]);
    }

    #[test]
    fn what_is_quoted_in_a_tag_is_no_target() {
        check("<img alt=\"see\n href=gone.md in words\" src=y.png>", &["y.png"]);
        check("w <img alt='see\n href=gone.md\nsrc=no' src=y.png>", &["y.png"]);
        check("<div>\n<a title=\"<a href=no.md>\"\n href=x.md>", &["x.md"]);
        check("w <a title=\"`b`\nd <!-- c\" href=x.md> <img src=y.png>", &["x.md", "y.png"]);
    }

    #[test]
    fn code_and_comments_hold_no_target() {
        check("`<a href=x.md>` `a\n<a href=x.md>`\n\n    <a href=x.md>\n", &[]);
        check("```\n<a href=x.md>\n```\n<!-- <a href=x.md> -->\n\n\\<a href=x.md>", &[]);
        check("<div>\n<!-- <a href=x.md>\n<b> --> <a href=y.md>\n</div>", &["y.md"]);
    }

    #[test]
    fn what_does_not_end_or_is_no_tag_leads_nowhere() {
        check("a <b href=x.md", &[]);
        check("a < b href=x.md > c", &[]);
        check("<https://x.org/href=a.md> </a href=x.md> <a data-src=x.png xhref=y.md>", &[]);
        check("<a href=\"x.md>", &[]);
        check("<div>\n<a href=\"x.md>\n", &[]);
        check("<div>\n<a href=\"x.md>", &[]);
        check("<a href=x.md <b src=y.png>", &["y.png"]);
        check("<a href='' src='x\ny'>", &[]);
    }
}
