//! Links of every form, between notes that got other names.

use super::*;

/// Checks the links of the last note.
fn check(notes: &[(&str, &str, &str)], expected: &str) {
    let notes: Vec<_> = notes.iter().map(|(from, to, text)| MovedNote { from, to, text }).collect();
    let rewriter = LinkRewriter::of(&notes);
    let last = notes.last().expect("a note");
    let (text, count) = rewriter.apply(last);
    assert_eq!(text, expected);
    assert_eq!(count > 0, text != last.text);
    let again = MovedNote { from: last.to, text: &text, ..*last };
    let settled: Vec<_> = notes.iter().map(|note| MovedNote { from: note.to, ..*note }).collect();
    assert_eq!(LinkRewriter::of(&settled).apply(&again).0, text, "a second time");
}

const ALPHA: (&str, &str, &str) = (
    "team/Alpha Plan.md",
    "modules/team-alpha-plan.md",
    "# Alpha\n\n## Next steps\n<!-- @id: next-steps-2 -->\n\n## Größe!\n<!-- @id: grosse -->\n",
);

#[test]
fn every_form_of_a_link_follows_a_file() {
    for (before, after) in [
        ("[a](../team/Alpha%20Plan.md)", "[a](team-alpha-plan.md)"),
        ("[a](<Alpha Plan.md> \"t\")", "[a](<team-alpha-plan.md> \"t\")"),
        ("[a](/team/Alpha%20Plan.md)", "[a](team-alpha-plan.md)"),
        ("[a]: Alpha%20Plan.md 't'", "[a]: team-alpha-plan.md 't'"),
        ("<a href=\"Alpha%20Plan.md\">a</a>", "<a href=\"team-alpha-plan.md\">a</a>"),
        ("![[Alpha Plan]]", "![[team-alpha-plan|Alpha Plan]]"),
        ("[[Alpha Plan|words]]", "[[team-alpha-plan|words]]"),
        ("[[team/Alpha Plan]]", "[[team-alpha-plan|team/Alpha Plan]]"),
    ] {
        let text = format!("# B\n\n{before}\n");
        check(&[ALPHA, ("team/b.md", "modules/b.md", &text)], &format!("# B\n\n{after}\n"));
    }
}

#[test]
fn a_heading_behind_a_link_is_its_id() {
    for (before, after) in [
        ("[a](Alpha%20Plan.md#next-steps)", "[a](team-alpha-plan.md#next-steps-2)"),
        ("[a](Alpha%20Plan.md#gr%C3%B6%C3%9Fe)", "[a](team-alpha-plan.md#grosse)"),
        ("[a](Alpha%20Plan.md#größe)", "[a](team-alpha-plan.md#grosse)"),
        ("[a](Alpha%20Plan.md#no-such)", "[a](team-alpha-plan.md#no-such)"),
        ("[[Alpha Plan#Next steps]]", "[[team-alpha-plan#next-steps-2|Alpha Plan#Next steps]]"),
    ] {
        let text = format!("{before}\n");
        check(&[ALPHA, ("team/b.md", "modules/b.md", &text)], &format!("{after}\n"));
    }
}

#[test]
fn a_link_that_leads_on_keeps_its_bytes() {
    let other = ("team/c.md", "modules/c.md", "# C\n\n## D\n<!-- @id: d -->\n");
    for text in [
        "[c](./c.md#d) [c](c.md) [[c]] [[C#D]] [[d]]\n",
        "[x](https://x.org/c.md) [x](mailto:c.md) [x](gone.md) [x](#d) `[c](../team/c.md)`\n",
        "[x](../../c.md) [x](logo.png) [[none]] [[]] []()\n",
    ] {
        check(&[other, ("team/b.md", "modules/b.md", text)], text);
    }
}

#[test]
fn names_are_the_same_in_either_unicode_form() {
    let note = ("u\u{308}ber.md", "modules/uber.md", "# U\n");
    let text = "[a](\u{fc}ber.md) [b](u%CC%88ber.md) [c](%C3%BCber.md)\n";
    check(&[note, ("b.md", "modules/b.md", text)], "[a](uber.md) [b](uber.md) [c](uber.md)\n");
}

#[test]
fn a_name_that_several_notes_have_is_left_alone() {
    let notes = [("a/x.md", "modules/a-x.md", "# X\n"), ("b/x.md", "modules/b-x.md", "# X\n")];
    check(&[notes[0], notes[1], ("c.md", "modules/c.md", "[[x]]\n")], "[[x]]\n");
    let beside = ("a/c.md", "modules/a-c.md", "[[x]]\n");
    check(&[notes[0], notes[1], beside], "[[a-x|x]]\n");
}

#[test]
fn a_note_of_very_many_links_takes_no_time() {
    let text = "[a](<Alpha Plan.md>) [[Alpha Plan]] ".repeat(20_000);
    let notes = [("Alpha Plan.md", "modules/alpha-2.md", "# A\n"), ("b.md", "modules/b.md", &text)];
    let notes = notes.map(|(from, to, text)| MovedNote { from, to, text });
    assert_eq!(LinkRewriter::of(&notes).apply(&notes[1]).1, 40_000);
}
