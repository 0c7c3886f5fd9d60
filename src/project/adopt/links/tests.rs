//! Links of every form, between notes that got other names.

use std::sync::LazyLock;

use super::*;
use crate::project::adopt::{BrokenReason, FileNames};

static NO_FILES: LazyLock<FileNames> = LazyLock::new(FileNames::default);

/// Folders of a repository without other files.
fn folders() -> LinkFolders<'static> {
    LinkFolders {
        notes: "repo/notes/",
        store: "repo/.agent-memory/",
        repository: "repo/",
        exists: &|_| false,
        stored: const { &BTreeSet::new() },
        files: &NO_FILES,
    }
}

/// Checks the links of the last note.
fn check(notes: &[(&str, &str, &str)], expected: &str) {
    let notes: Vec<_> = notes.iter().map(|(from, to, text)| MovedNote { from, to, text }).collect();
    let rewriter = LinkRewriter::of(&notes);
    let last = notes.last().expect("a note");
    let LinkedNote { text, links, .. } = rewriter.apply(last, &folders());
    assert_eq!(text, expected);
    assert_eq!(links > 0, text != last.text);
    let again = MovedNote { from: last.to, text: &text, ..*last };
    let settled: Vec<_> = notes.iter().map(|note| MovedNote { from: note.to, ..*note }).collect();
    assert_eq!(LinkRewriter::of(&settled).apply(&again, &folders()).text, text, "a second time");
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
        ("[a](Alpha%20Plan.md?plain=1)", "[a](team-alpha-plan.md?plain=1)"),
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
fn a_heading_is_known_by_its_title_as_obsidian_writes_it() {
    let note = "## 2026-05-06 - Use Postgres\n<!-- @id: pg -->\n\n## Slow disk ^slow\n<!-- @id: disk -->\n\n\
                ## Deploy: how?\n<!-- @id: how -->\n\n## 2026-05-07: Plan\n<!-- @id: dated -->\n\n## Plan\n<!-- @id: plan-2 -->\n";
    for (before, after) in [
        ("[[d#Use Postgres]]", "[[d#pg|d#Use Postgres]]"),
        ("[[d#Slow disk|w]]", "[[d#disk|w]]"),
        ("[[d#slow DISK|w]] [x](d.md#slow-disk)", "[[d#disk|w]] [x](d.md#disk)"),
        ("[[d#Deploy how|w]]", "[[d#how|w]]"),
        ("[[d#Slow disk ^slow#Deploy how|w]]", "[[d#how|w]]"),
        ("[[d#Plan|w]]", "[[d#plan-2|w]]"),
        ("[[d#Postgres]] [[d#^slow]]", "[[d#Postgres]] [[d#^slow]]"),
    ] {
        let text = format!("{before}\n");
        let expected = format!("{after}\n");
        check(&[("d.md", "modules/d.md", note), ("b.md", "modules/b.md", &text)], &expected);
    }
}

#[test]
fn a_heading_of_the_same_note_is_its_id_too() {
    let note =
        "## H\n<!-- @id: h -->\n\n## H\n<!-- @id: h-2 -->\n\n## Größe!\n<!-- @id: grosse -->\n\n";
    for (before, after) in [
        ("[a](#h-1) [b](#h) [c](#h-2)", "[a](#h-2) [b](#h) [c](#h-2)"),
        ("[a](#gr%C3%B6%C3%9Fe 't') [a](#no-such)", "[a](#grosse 't') [a](#no-such)"),
        ("[r]: #h-1", "[r]: #h-2"),
        ("<a href='#h-1'>x</a> <a href=#größe>y</a>", "<a href='#h-2'>x</a> <a href=#grosse>y</a>"),
        ("[[#Größe!]] [[#H]] [[#h-1|words]]", "[[#Größe!]] [[#H]] [[#h-2|words]]"),
        ("[a](b.md#h-1) [x](#)", "[a](b.md#h-2) [x](#)"),
    ] {
        let text = format!("{note}{before}\n");
        let expected = format!("{note}{after}\n");
        check(&[ALPHA, ("team/b.md", "modules/b.md", &text)], &expected);
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
    assert_eq!(LinkRewriter::of(&notes).apply(&notes[1], &folders()).links, 40_000);
}

/// Checks the links of a note of `repo/docs/notes/`, in a repository with a few files.
fn check_files(text: &str, expected: &str, broken: &[(&str, BrokenReason)]) {
    const FILES: [&str; 7] = [
        "",
        "README.md",
        "docs",
        "docs/notes/img/x y.png",
        "docs/notes/img/x(1).png",
        "docs/notes/gr\u{fc}n.rs",
        "src/a.rs",
    ];
    let files = FILES.iter().filter_map(|path| path.strip_prefix("docs/notes/"));
    let folders = LinkFolders {
        notes: "home/repo/docs/notes/",
        store: "home/repo/.agent-memory/",
        repository: "home/repo/",
        exists: &|path| FILES.contains(&path),
        stored: &BTreeSet::new(),
        files: &FileNames::of(files),
    };
    let note = MovedNote { from: "sub/n.md", to: "modules/sub-n.md", text };
    let linked = LinkRewriter::of(&[note]).apply(&note, &folders);
    assert_eq!(linked.text, expected);
    let found: Vec<_> = linked.broken.iter().map(|it| (it.target.as_str(), it.reason)).collect();
    assert_eq!(found, broken, "{text}");
}

#[test]
fn every_form_of_a_link_to_a_file_leads_where_it_led() {
    for (before, after) in [
        ("[a](../../../src/a.rs)", "[a](../../src/a.rs)"),
        ("[a](../../../src/a.rs#L10 \"t\")", "[a](../../src/a.rs#L10 \"t\")"),
        ("[a](../../../README.md?plain=1#x)", "[a](../../README.md?plain=1#x)"),
        ("![a](../img/x%20y.png)", "![a](../../docs/notes/img/x%20y.png)"),
        ("![a](<../img/x y.png> 't')", "![a](<../../docs/notes/img/x y.png> 't')"),
        (
            "[![a](.././img/x(1).png)](../../)",
            "[![a](../../docs/notes/img/x%281%29.png)](../../docs/)",
        ),
        ("[r]: ../gr%C3%BCn.rs", "[r]: ../../docs/notes/gr\u{fc}n.rs"),
        ("<img src='../img/x%20y.png'>", "<img src='../../docs/notes/img/x%20y.png'>"),
        ("<a href=../../../src/a.rs>a</a>", "<a href=../../src/a.rs>a</a>"),
        ("<img\n  src=../img/x%20y.png>", "<img\n  src=../../docs/notes/img/x%20y.png>"),
        ("[r]:\n  ../../../src/a.rs", "[r]:\n  ../../src/a.rs"),
        ("[t](../../../src/a.rs \"x](y)\")", "[t](../../src/a.rs \"x](y)\")"),
        ("<a href=\"../../..\">top</a>", "<a href=\"../../\">top</a>"),
    ] {
        check_files(&format!("{before}\n"), &format!("{after}\n"), &[]);
    }
}

#[test]
fn a_link_to_what_the_repository_does_not_have_stays_and_is_named() {
    let text = "[a](../gone.rs) [b](../../../../other/a.rs)\n\n![c](gru\u{308}n.rs#x)\n";
    let (missing, outside) = (BrokenReason::Missing, BrokenReason::Outside);
    let forms = "<a href=gone.md>\n[a]:\n  ../gone.rs\n\n[t](gone.rs \"x](y)\")\n";
    check_files(
        forms,
        forms,
        &[("gone.md", missing), ("../gone.rs", missing), ("gone.rs", missing)],
    );
    let broken = [
        ("../gone.rs", missing),
        ("../../../../other/a.rs", outside),
        ("gru\u{308}n.rs#x", missing),
    ];
    check_files(text, text, &broken);
}

#[test]
fn a_picture_in_the_form_of_a_wiki_leads_where_it_led() {
    for (before, after) in [
        ("![[x y.png]]", "![[../../docs/notes/img/x y.png]]"),
        ("![[img/X y.png|300]]", "![[../../docs/notes/img/x y.png|300]]"),
        ("![[../img/x(1).png]]", "![[../../docs/notes/img/x(1).png]]"),
        ("[[gru\u{308}n.rs#L1|words]]", "[[../../docs/notes/gr\u{fc}n.rs#L1|words]]"),
        ("![[../../../README.md]]", "![[../../README.md]]"),
        ("![[sub/n]] [[n]] [[v1.2]] [[gone]]", "![[sub-n|sub/n]] [[sub-n|n]] [[v1.2]] [[gone]]"),
    ] {
        check_files(&format!("{before}\n"), &format!("{after}\n"), &[]);
    }
    let text = "![[gone.png|alt]] [[img/gone.pdf]] ![[gone]]\n";
    let missing = |name| (name, BrokenReason::Missing);
    let broken = [missing("gone.png"), missing("img/gone.pdf"), missing("gone")];
    check_files(text, text, &broken);
}

#[test]
fn what_is_no_relative_link_is_neither_changed_nor_named() {
    for text in [
        "`[a](../../../src/a.rs)` <!-- [a](../../../src/a.rs) -->\n",
        "```\n[a](../../../src/a.rs)\n```\n",
        "[a](https://x.org/a.rs) [b](//x.org/a.rs) [c](/src/a.rs) [d](#n) [e](mailto:a@x.org)\n",
        "rows[i](../../../src/a.rs of it) [[../gone]] []()\n",
    ] {
        check_files(text, text, &[]);
    }
}
