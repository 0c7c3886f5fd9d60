//! Finds what in a text changes how other texts of its file are read.

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::nesting;

/// Returns the definitions of links and footnotes in a text, which hold in the whole file, and the tags of HTML that are
/// left open or that close what is not open in it. They may lead a link elsewhere, or hide or fold what stands behind.
pub(crate) fn reaching(text: &str) -> Vec<String> {
    let bounded = nesting::bound(text);
    let parser = Parser::new_ext(&bounded, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES);
    let definitions = parser.reference_definitions().iter();
    let mut found: Vec<String> = definitions
        .map(|(name, link)| format!("[{}]: {}", name.to_lowercase(), link.dest))
        .collect();
    // The parser keeps them in no order.
    found.sort();
    let mut html = String::new();
    for event in parser {
        match event {
            Event::Start(Tag::FootnoteDefinition(name)) => found.push(format!("[^{name}]:")),
            Event::Html(part) | Event::InlineHtml(part) => html.push_str(&part),
            _ => {}
        }
    }
    found.extend(unbalanced(&html));
    found
}

/// Elements that have no end.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Returns the tags that have no partner.
fn unbalanced(html: &str) -> Vec<String> {
    let (mut open, mut strays) = (Vec::<String>::new(), Vec::new());
    let mut rest = html;
    while let Some((_, tag)) = rest.split_once('<') {
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        let is_end = tag.starts_with('/');
        let name = tag.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric());
        let name = name.into_iter().next().unwrap_or_default().to_ascii_lowercase();
        rest = tag;
        if name.is_empty() || VOID.contains(&name.as_str()) {
            continue;
        }
        if !is_end {
            open.push(name);
        } else if open.last() == Some(&name) {
            open.pop();
        } else {
            strays.push(format!("</{name}>"));
        }
    }
    strays.extend(open.into_iter().map(|name| format!("<{name}>")));
    strays
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<const N: usize>(text: &str, expected: [&str; N]) {
        assert_eq!(reaching(text), expected, "{text}");
    }

    #[test]
    fn a_text_that_keeps_to_itself_reaches_nowhere() {
        for text in [
            "- follow the [runbook]\n- see [this](https://a.example) and <https://b.example>",
            "a < b, `<div>` and `[a]: b`\n\n```\n[a]: b\n<div>\n```",
            "<details><summary>more</summary>\n\ntext\n\n</details>\n",
            "<b>bold</b><br>\n<img src=\"a.png\">\n<!-- <div> -->",
        ] {
            check(text, []);
        }
    }

    #[test]
    fn what_reaches_other_sections_is_found() {
        check("[Runbook]: https://evil.example", ["[runbook]: https://evil.example"]);
        check("text[^1]\n\n[^1]: note", ["[^1]:"]);
        check("<details><summary>more</summary>", ["<details>"]);
        check("text <div style='display:none'>", ["<div>"]);
        check("</details>", ["</details>"]);
        check("<div></section></div>", ["</section>"]);
        check("> [a]: b", ["[a]: b"]);
    }

    #[test]
    fn no_text_takes_long() {
        for text in ["<a ".repeat(100_000), "[a]: b\n\n".repeat(20_000), "</a>".repeat(50_000)] {
            let _ = reaching(&text);
        }
    }
}
