//! Finds what in a text changes how other texts of its file are read.

use std::borrow::Cow;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::nesting;

/// Returns what of a text may lead the links of other texts elsewhere, or hide or fold them: the definitions of links and
/// footnotes, which hold in the whole file, headings in quotes and items, which a forge counts when it names anchors, and
/// HTML that is not plain.
pub(crate) fn reaching(text: &str) -> Vec<String> {
    let bounded = nesting::bound(text);
    let parser = Parser::new_ext(&bounded, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES);
    let definitions = parser.reference_definitions().iter();
    let mut found: Vec<String> = definitions
        .map(|(name, link)| format!("[{}]: {}", name.to_lowercase(), link.dest))
        .collect();
    // The parser keeps them in no order.
    found.sort();
    let tasks = text.lines().filter_map(behind_task).filter(|task| is_definition(task));
    found.extend(tasks.map(str::to_owned));
    let (mut html, mut depth) = (String::new(), 0_usize);
    for (event, bytes) in parser.into_offset_iter() {
        match event {
            Event::Start(Tag::FootnoteDefinition(_)) => {
                found.push(bounded[bytes].trim().to_owned());
            }
            Event::Start(Tag::BlockQuote(_) | Tag::Item) => depth += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::Item) => depth -= 1,
            Event::Start(Tag::Heading { .. }) if depth > 0 => {
                found.push(bounded[bytes].trim().to_owned());
            }
            Event::Html(part) | Event::InlineHtml(part) => html.push_str(&part),
            _ => {}
        }
    }
    found.extend(not_plain(&html));
    // Another reader may find a definition in quotes that lie so deep.
    found.extend(matches!(bounded, Cow::Owned(_)).then(|| "a deeply nested line".to_owned()));
    found
}

/// Returns what stands behind the mark of a task: some readers find a definition there.
fn behind_task(line: &str) -> Option<&str> {
    ["[ ]", "[x]", "[X]"].iter().find_map(|mark| Some(line.split_once(mark)?.1.trim()))
}

fn is_definition(text: &str) -> bool {
    text.starts_with('[') && text.contains("]:")
}

/// Elements that change only what is inside of them.
const PLAIN: [&str; 23] = [
    "b",
    "blockquote",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "i",
    "ins",
    "kbd",
    "mark",
    "p",
    "pre",
    "q",
    "s",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
];

/// Returns the tags that have attributes, no partner, or a name that is not plain, and the comments that do not end or that
/// readers end at different places. Attributes are not read: what is quoted in them may look like a tag.
fn not_plain(html: &str) -> Vec<String> {
    let (mut open, mut found) = (Vec::<String>::new(), Vec::new());
    let mut rest = html;
    while let Some((_, tag)) = rest.split_once('<') {
        if let Some(comment) = tag.strip_prefix("!--") {
            let (inside, behind) = comment.split_once("-->").unwrap_or((comment, ""));
            let is_whole = inside.len() < comment.len();
            let ends_early = inside.starts_with(['>', '-']) || inside.contains("--!>");
            if !is_whole || ends_early {
                found.push(format!("<!--{inside}"));
            }
            rest = behind;
            continue;
        }
        let (inside, behind) = tag.split_once('>').unwrap_or((tag, ""));
        rest = behind;
        let name = inside.trim_start_matches('/').trim_end().to_ascii_lowercase();
        let is_end = inside.starts_with('/');
        if matches!(name.trim_end_matches('/').trim_end(), "br" | "hr" | "wbr") {
            continue;
        }
        if !PLAIN.contains(&name.as_str()) {
            found.push(format!("<{inside}>"));
        } else if !is_end {
            open.push(name);
        } else if open.last() == Some(&name) {
            open.pop();
        } else {
            found.push(format!("</{name}>"));
        }
    }
    found.extend(open.into_iter().map(|name| format!("<{name}>")));
    found
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
            "## A\n\n- [ ] see [a] and [b](c)\n\n> quoted",
            "<details><summary>more</summary>\n\ntext\n\n</details>\n",
            "<b>bold</b><br/>\n<!-- <div> -->\n<kbd>Ctrl</kbd>",
        ] {
            check(text, []);
        }
    }

    #[test]
    fn what_reaches_other_sections_is_found() {
        check("[Runbook]: https://evil.example", ["[runbook]: https://evil.example"]);
        check("text[^1]\n\n[^1]: note", ["[^1]: note"]);
        check("<details><summary>more</summary>", ["<details>"]);
        check("text <div style='display:none'>", ["<div style='display:none'>"]);
        check("<p title=\"</p>\">", ["<p title=\"</p>"]);
        check("</details>", ["</details>"]);
        check("<div></section></div>", ["</section>"]);
        check("<!--><details><!-- -->", ["<!--><details><!-- "]);
        check("- <!-- x", ["<!-- x"]);
        check("> <![CDATA[ x", ["<![CDATA[ x>"]);
        check("<style>h2 { display: none }</style>", ["<style>", "</style>"]);
        check("<base href=\"https://evil.example/\">", ["<base href=\"https://evil.example/\">"]);
        check("> [a]: b", ["[a]: b"]);
        check("1. [x] [a]: b", ["[a]: b"]);
        check("> ## A", ["## A"]);
        check("- a\n\n  A\n  ===", ["A\n  ==="]);
        check(&(">".repeat(101) + "[a]: b"), ["a deeply nested line"]);
    }

    #[test]
    fn no_text_takes_long() {
        for text in ["<a ".repeat(100_000), "[a]: b\n\n".repeat(20_000), "</a>".repeat(50_000)] {
            let _ = reaching(&text);
        }
    }
}
