//! Merges in which one side deleted words, and the other put them elsewhere or writes them itself.

use super::*;

/// Merges both ways round; there must be a conflict, and a line must not stand outside of it.
#[track_caller]
fn check_for_a_person(base: &str, ours: &str, theirs: &str, line: &str) {
    for (one, other) in [(ours, theirs), (theirs, ours)] {
        let found = merged(base, one, other);
        assert!(!found.conflicts.is_empty(), "{}", found.text);
        let mut outside = true;
        for each in found.text.lines() {
            outside = (outside && !each.starts_with("<<<<<<<")) || each.starts_with(">>>>>>>");
            assert!(!(outside && each.contains(line)), "{}", found.text);
        }
    }
}

const OLD: &str = "## Old\n<!-- @id: old -->\n\n- the wiki has the password\n";

#[test]
fn a_section_that_one_side_deleted_and_the_other_put_elsewhere_is_for_a_person() {
    let deleted = file(&[A, B]);
    let base = file(&[A, OLD, B]);
    let words = "- the wiki has the password\n";
    for moved in [
        file(&[A, &format!("```\n{OLD}```\n"), B]),
        file(&[&format!("{A}{words}"), B]),
        file(&[A, &format!("{B}\n> {words}")]),
        file(&[A, B, &format!("## New\n<!-- @id: new -->\n\n1. {}", &words[2..])]),
        format!("{words}\n{deleted}"),
        file(&[A, &OLD.replace("## Old\n<!-- @id: old -->", "**Old**"), B]),
    ] {
        check_for_a_person(&base, &deleted, &moved, "the wiki");
    }
}

#[test]
fn a_line_that_one_side_deleted_and_the_other_put_elsewhere_is_for_a_person() {
    let top = "- the wiki has the password\n";
    let base = format!("# T\n\n{top}- two\n\n{A}\n{B}");
    let deleted = base.replace(top, "");
    for moved in [
        base.replace(top, &format!("## H\n<!-- @id: h -->\n\n{top}")),
        deleted.replace("- three\n", &format!("- three\n{top}")),
        deleted.replace("- two\n\n##", &format!("- two\n\n  {top}\n##")),
        deleted.replace("text of b\n", &format!("text of b\n\n```\n{top}```\n")),
    ] {
        check_for_a_person(&base, &deleted, &moved, "the wiki");
    }
}

#[test]
fn words_that_one_side_deleted_do_not_come_back_written_in_another_way() {
    let deleted = file(&[A, B]);
    let base = file(&[A, OLD, B]);
    for written in [
        "- the wiki has\n  the password\n",
        "- the wiki has the **password**\n",
        "- [ ] the wiki has the password\n",
        "- The wiki has the password.\n",
        "| the wiki | has the password |\n|---|---|\n",
        "<!-- the wiki has the password -->\n",
        "> the wiki\n> has the password\n",
        "- four; the wiki has the password\n",
        "- see [the wiki](https://a.example): *has* the `password`\n",
        "#### The wiki has the password\n",
        "the wiki has the <b>pass&#119;ord</b>, they say\n",
        "```the wiki has the password```\n",
        "```the wiki has the password\nx\n```\n",
        "~~~ the wiki has the password\nx\n~~~\n",
        "<!-- @note: the wiki has the password -->\n",
        "<!-- @id: a --> the wiki has the password\n",
        "<!-- @archived: the wiki has the password -->\n",
        "<img alt=\"the wiki has the password\" src=x>\n",
        "<abbr title='the wiki has the password'>x</abbr>\n",
        "- [x](x.md \"the wiki has the password\")\n",
    ] {
        check_written(&base, &deleted, written, "the wiki");
    }
}

/// A side deletes what the other deleted also, and writes it in another section; there must be a conflict.
#[track_caller]
fn check_written(base: &str, deleted: &str, written: &str, line: &str) {
    let without_end = deleted.trim_end();
    let [first, last] = [A, B].map(|section| {
        let section = section.trim_end();
        without_end.replace(section, &format!("{section}\n\n{}", written.trim_end())) + "\n"
    });
    let beside = deleted.replace("- three\n", &format!("- three\n{written}"));
    for moved in [first, last, beside] {
        for ending in ["\n", "\r\n"] {
            let [base, deleted, moved] =
                [base, deleted, &moved].map(|text| text.replace('\n', ending));
            check_for_a_person(&base, &deleted, &moved, line);
        }
    }
}

#[test]
fn words_that_one_side_deleted_and_the_other_moved_and_doubled_are_for_a_person() {
    let (base, deleted) = (file(&[A, OLD, B]), file(&[A, B]));
    for written in [
        "- the wiki has the password\n- so: the wiki has the password\n",
        "- the wiki has the password, the wiki has the password\n",
        "- the wiki has the password\n> the wiki has\n> the password\n",
    ] {
        check_written(&base, &deleted, written, "the wiki");
    }
    // A section of the same heading, or one that has only some of them, is not the one that had them.
    let twice = OLD.replace("password\n", "password\n- more: the wiki has the password\n");
    let again = "- the wiki has the password\n".repeat(2);
    let fewer = file(&[&format!("{A}{again}"), OLD, B]);
    check_for_a_person(&file(&[A, &twice, B]), &deleted, &fewer, "the wiki");
    let other = OLD.replace("id: old", "id: other");
    let renamed = file(&[&format!("{A}{again}"), &other, B]);
    check_for_a_person(&base, &deleted, &renamed, "the wiki");
}

#[test]
fn short_lines_of_one_paragraph_do_not_come_back_joined() {
    let deleted = file(&[A, B]);
    for (short, written) in [
        ("The wiki\nhas the\npassword\nof Bob\n", "- The wiki has the password of Bob\n"),
        ("The wiki\nhas the\npassword\nof Bob\n", "- So: the wiki has the password\n"),
        ("- Bob\n- wiki\n- hunter2\n- admin\n", "Bob, wiki, hunter2: admin\n"),
        ("> wiki\n> Bob is\n> admin\n", "| wiki | Bob is admin |\n|---|---|\n"),
        ("```\nwiki\nhunter2\nBob\n```\n", "`wiki hunter2 Bob`\n"),
    ] {
        let old = format!("## Old\n<!-- @id: old -->\n\n{short}");
        check_written(&file(&[A, &old, B]), &deleted, written, "iki");
    }
    // Where the lines are not next to each other, each is short and counts as a line alone.
    let old = "## Old\n<!-- @id: old -->\n\nThe wiki\n\nhas a page\n";
    let written = file(&[&format!("{A}- the wiki has a page\n"), B]);
    check(&file(&[A, old, B]), &deleted, &written, &written);
}

#[test]
fn a_line_that_one_side_deleted_and_the_other_changed_is_for_a_person() {
    let deleted = file(&[A, B]);
    let base = file(&[A, OLD, B]);
    let changed = "- the wiki has no password\n";
    check_for_a_person(&base, &deleted, &file(&[&format!("{A}{changed}"), B]), "the wiki");
    let renamed = OLD.replace("Old", "New").replace("old", "new").replace("the password", "it");
    check_for_a_person(&base, &deleted, &file(&[A, &renamed, B]), "the wiki");
    let short = base.replace("the wiki has the password", "hunter2");
    let joined = file(&[&A.replace("- three\n", "- three; hunter2\n"), B]);
    check_for_a_person(&short, &deleted, &joined, "hunter2");
}

#[test]
fn words_that_a_side_wrote_itself_are_no_deleted_ones() {
    let base = file(&[A, OLD, B, C]);
    let without = file(&[A, B, C]);
    // Both delete it, and one writes of something else.
    let added = without.replace("text of c", "text of c\n\nThe wiki moved.");
    check(&base, &without, &added, &added);
    // It stands there once more than before.
    let again = base.replace("text of c", "text of c\n\n- the wiki has the password");
    check(&base, &without, &again, &again.replace(&format!("{OLD}\n"), ""));
    let both = [B, C].map(|section| {
        let text = section.lines().last().expect("a text");
        base.replace(text, &format!("{text}\n\n- the same words on both sides"))
    });
    let expected = both[0].replace("text of c", "text of c\n\n- the same words on both sides");
    check(&base, &both[0], &both[1], &expected);
}

#[test]
fn a_short_line_may_go_in_one_section_and_stay_or_come_in_others() {
    let yes = |text: &str| text.replace("text of", "- yes\n\ntext of");
    let base = file(&[A, &yes(B), &yes(C), D]);
    let ours = file(&[A, B, &yes(C), D]);
    let theirs = file(&[A, &yes(B), &yes(C), &yes(D)]);
    check(&base, &ours, &theirs, &file(&[A, B, &yes(C), &yes(D)]));
    let base = file(&[A, &yes(B), C]);
    let said = C.replace("text of c", "Oh yes, text of c");
    check(&base, &file(&[A, B, C]), &file(&[A, &yes(B), &said]), &file(&[A, B, &said]));
    check(&base, &file(&[A, B, C]), &file(&[A, B, &said]), &file(&[A, B, &said]));
}

#[test]
fn lines_without_words_are_merged_as_they_stand() {
    let ruled = |text: &str| text.replace("text of", "---\n\n| a | b |\n|---|---|\n\ntext of");
    let fenced = |text: &str| text.replace("text of", "```sh\nls\n```\n\ntext of");
    let base = file(&[A, &ruled(B), C, D]);
    let ours = file(&[A, B, C, D]);
    let table = base.replace("text of d", "| c | d |\n|---|---|\n\n---\n\ntext of d");
    check(&base, &ours, &table, &table.replace(&ruled(B), B));
    let base = file(&[A, &fenced(B), C, D]);
    let [ours, theirs] =
        [file(&[A, B, C, D]), base.replace("text of d", "```sh\npwd\n```\n\ntext of d")];
    check(&base, &ours, &theirs, &theirs.replace(&fenced(B), B));
    // The block moves to another section, and the other side edits a third one.
    let moved = file(&[A, B, &fenced(C), D]);
    let edited = base.replace("text of d", "words of d");
    check(&base, &moved, &edited, &moved.replace("text of d", "words of d"));
}

#[test]
fn a_line_that_both_put_elsewhere_does_not_come_twice() {
    let base = file(&[A, B, C]).replace("- two\n", "- two\n- the one that moves\n");
    let [to_b, to_c] = ["b", "c"].map(|to| {
        let there = format!("text of {to}\n");
        file(&[A, B, C]).replace(&there, &format!("{there}\n- the one that moves\n"))
    });
    check_for_a_person(&base, &to_b, &to_c, "the one that moves");
    check(
        &base,
        &to_b,
        &to_b.replace("text of c", "words of c"),
        &to_b.replace("text of c", "words of c"),
    );
}

#[test]
fn a_line_of_many_sections_may_go_in_one_and_come_in_another() {
    let decision = |id: &str, status: &str| {
        format!("## {id}\n<!-- @id: {id} -->\n\n- **Status:** {status}\n\nOf {id} it says so.\n")
    };
    let [one, two] = ["one", "two"].map(|id| decision(id, "active"));
    let old = decision("one", "superseded");
    check(&file(&[&one]), &file(&[&old]), &file(&[&one, &two]), &file(&[&old, &two]));
    let three = decision("zwei", "active");
    check(
        &file(&[&one, &two]),
        &file(&[&old, &two]),
        &file(&[&one, &three]),
        &file(&[&old, &three]),
    );
}

/// The lists of both are as short as the next ones, and each side changes another line of them.
/// As after a squash merge or a cherry-pick.
#[test]
fn a_field_that_both_changed_alike_may_come_in_a_new_section() {
    for (field, before, after) in [("Status", "active", "superseded"), ("Impact", "high", "low")] {
        let section = |id: &str, value: &str| {
            format!("## {id}\n<!-- @id: {id} -->\n\n- **{field}:** {value}\n\ntext of {id}\n")
        };
        let (old, changed) = (section("old", before), section("old", after));
        let new = section("new", before);
        let both = file(&[&changed, &new]);
        check(&file(&[&old]), &both, &file(&[&changed]), &both);
    }
}

#[test]
fn short_lines_next_to_each_other_are_merged_as_they_stand() {
    let list = |text: &str, items: &[&str]| {
        text.replace("text of", &format!("- {}\n\ntext of", items.join("\n- ")))
    };
    let base = file(&[A, &list(B, &["node", "rust", "go"]), &list(C, &["node", "perl"]), D]);
    let ours = file(&[A, &list(B, &["node", "go"]), &list(C, &["node", "perl"]), D]);
    let theirs =
        file(&[A, &list(B, &["node", "rust", "go"]), &list(C, &["node", "rust", "perl"]), D]);
    let both = file(&[A, &list(B, &["node", "go"]), &list(C, &["node", "rust", "perl"]), D]);
    check(&base, &ours, &theirs, &both);
    let copied =
        file(&[A, &list(B, &["node", "rust", "go"]), C, &list(D, &["node", "rust", "go"])]);
    let base = file(&[A, &list(B, &["node", "rust", "go"]), C, D]);
    check(
        &base,
        &file(&[A, B, C, D]),
        &copied,
        &copied.replace("- node\n- rust\n- go\n\ntext of b", "text of b"),
    );
}
