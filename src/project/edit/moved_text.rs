//! Rewrites the links of a text that moves to another file of the store, so that they lead where they led.

use std::collections::BTreeSet;

use crate::markdown::{
    LinkTarget, Outline, decoded, heading_anchor, link_to, relative, resolved, split_target, stem,
    with_new_targets,
};

/// Returns sections of one file as they stand in another; both paths are relative to the store.
pub(crate) fn moved_text(text: &str, from: &str, to: &str) -> String {
    let outline = Outline::read(text);
    let ids = outline.sections().iter().filter_map(|section| section.id.as_ref());
    let headings = outline.sections().iter().map(|section| heading_anchor(&section.heading.text));
    let moved: BTreeSet<String> = ids.map(ToString::to_string).chain(headings).collect();
    let move_target = |target: &LinkTarget, former: &str| {
        let (raw, rest) = split_target(former);
        let is_moved = rest.strip_prefix('#').is_some_and(|anchor| {
            let anchor = decoded(anchor);
            anchor.is_empty() || moved.contains(&anchor) || moved.contains(&heading_anchor(&anchor))
        });
        if target.is_wiki {
            // A name of a file or a section is looked up in the whole store, an anchor alone in its file.
            let is_left_behind = former.starts_with('#') && !is_moved;
            return is_left_behind.then(|| stem(from).to_owned() + former);
        }
        if raw.is_empty() {
            let is_left_behind = rest.starts_with('#') && !is_moved;
            return is_left_behind.then(|| relative(to, from) + rest);
        }
        let before = resolved(from, raw)?;
        if before == from && is_moved {
            return Some(rest.to_owned());
        }
        let leads_on = resolved(to, raw).is_some_and(|now| now == before);
        (!leads_on).then(|| link_to(to, &before, raw) + rest)
    };
    with_new_targets(&outline, move_target).0
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECTION: &str = "## Old Way\n<!-- @id: old -->\n\n### Inner\n<!-- @id: inner -->\n\n";

    #[track_caller]
    fn check(from: &str, link: &str, expected: &str) {
        let text = format!("{SECTION}{link}\n");
        assert_eq!(moved_text(&text, from, "archive/x.md"), format!("{SECTION}{expected}\n"));
    }

    #[test]
    fn a_relative_link_leads_where_it_led() {
        check("decisions.md", "[a](../src/a.rs#L1 't')", "[a](../../src/a.rs#L1 't')");
        check("decisions.md", "![a](<img/x y.png>)", "![a](<../img/x y.png>)");
        check("decisions.md", "[b](modules/b.md#c)", "[b](../modules/b.md#c)");
        check("modules/a.md", "[b](b.md?x=1#c)", "[b](../modules/b.md?x=1#c)");
        check("modules/a.md", "[b]: ./b.md 't'", "[b]: ../modules/b.md 't'");
        check("modules/a.md", "<img src=\"i%20j.png\">", "<img src=\"../modules/i%20j.png\">");
        check("sub/deep/a.md", "[a](../../../src/a.rs)", "[a](../../src/a.rs)");
    }

    #[test]
    fn an_anchor_leads_back_to_its_file_unless_it_moved_too() {
        check(
            "decisions.md",
            "[n](#next) [[#next]]",
            "[n](../decisions.md#next) [[decisions#next]]",
        );
        check("modules/a.md", "[n](#next) [[#Next]]", "[n](../modules/a.md#next) [[a#Next]]");
        let moved = "[i](#inner) [o](#old) [w](#old-way) [[#Old Way]] [[#inner]]";
        check("decisions.md", moved, moved);
        check("decisions.md", "[i](decisions.md#inner)", "[i](#inner)");
        check("decisions.md", "[n](decisions.md#next)", "[n](../decisions.md#next)");
    }

    #[test]
    fn every_other_byte_stays() {
        for text in [
            "`[a](../src/a.rs)` <!-- [a](../src/a.rs) --> [[b]] [[b#c|d]] []()",
            "[a](https://x.org/a) [b](/src/a.rs) [c](mailto:a@x.org) [d](//x.org) [e](#)",
            "```\n[a](../src/a.rs)\n```",
        ] {
            check("decisions.md", text, text);
        }
        check("modules/a.md", "[a](../../src/a.rs)\r\n", "[a](../../src/a.rs)\r\n");
    }
}
