//! Merges that need nobody, and those that need a person.

mod deleted;
mod moves;
mod words;

use proptest::prelude::*;

use super::*;

const A: &str = "## A\n<!-- @id: a -->\n\n- one\n- two\n- three\n";
const B: &str = "## B\n<!-- @id: b -->\n\ntext of b\n";
const C: &str = "## C\n<!-- @id: c -->\n\ntext of c\n";
const D: &str = "## D\n<!-- @id: d -->\n\ntext of d\n";

const MARKS: Marks<'static> = Marks { ours: "today", theirs: "proposed", length: 7 };

fn file(sections: &[&str]) -> String {
    format!("# T\n\n{}", sections.join("\n"))
}

fn merged(base: &str, ours: &str, theirs: &str) -> Merged {
    merge(Sides { base, ours, theirs }, &MARKS)
}

/// Merges both ways round; there must be no conflict.
fn check(base: &str, ours: &str, theirs: &str, expected: &str) {
    for (one, other) in [(ours, theirs), (theirs, ours)] {
        let merged = merged(base, one, other);
        assert_eq!(merged, Merged { text: expected.to_owned(), conflicts: Vec::new() });
    }
}

#[test]
fn who_changed_decides() {
    let changed = A.replace("two", "2");
    check(&file(&[A, B]), &file(&[&changed, B]), &file(&[A, B]), &file(&[&changed, B]));
    let other = B.replace("text", "words");
    check(&file(&[A, B]), &file(&[&changed, B]), &file(&[A, &other]), &file(&[&changed, &other]));
}

#[test]
fn both_may_append() {
    check(&file(&[A]), &file(&[A, B]), &file(&[A, C]), &file(&[A, B, C]));
    check(&file(&[]), &file(&[D]), &file(&[A, C]), &file(&[A, C, D]));
}

#[test]
fn a_heading_in_another_unicode_form_is_the_same() {
    let note = |heading: &str, last: &str| file(&[&format!("## {heading}\n\nlimits\n\n{last}\n")]);
    for (composed, apart) in [("Größe", "Gro\u{308}ße"), ("ガイド", "カ\u{3099}イド")] {
        check(&note(composed, "a"), &note(apart, "a"), &note(composed, "b"), &note(apart, "b"));
    }
}

#[test]
fn a_part_of_a_section_stays_with_it() {
    let deeper = "### Deeper\n<!-- @id: z -->\n\nmore of a\n";
    check(&file(&[A]), &file(&[A, B]), &file(&[A, deeper]), &file(&[A, deeper, B]));
    check(&file(&[A]), &file(&[A, deeper, B]), &file(&[A, C]), &file(&[A, deeper, B, C]));
}

#[test]
fn what_one_side_removed_goes() {
    check(&file(&[A, B, C]), &file(&[A, C]), &file(&[A, B, C, D]), &file(&[A, C, D]));
    check(&file(&[A, B]), &file(&[B]), &file(&[A, B.trim_end()]), file(&[B]).trim_end());
}

#[test]
fn what_moved_keeps_its_new_words() {
    let changed = A.replace("two", "2");
    check(&file(&[A, B, C]), &file(&[B, C, A]), &file(&[&changed, B, C]), &file(&[B, C, &changed]));
}

#[test]
fn lines_of_one_section_are_merged() {
    let (first, last) = (A.replace("one", "1"), A.replace("three", "3"));
    check(&file(&[A]), &file(&[&first]), &file(&[&last]), &file(&[&first.replace("three", "3")]));
}

#[test]
fn bullets_at_the_same_place_are_taken_from_both() {
    let add = |bullets: &str| format!("{A}{bullets}");
    let both = add("- five\n- four\n- six\n");
    check(
        &file(&[A, B]),
        &file(&[&add("- four\n- six\n"), B]),
        &file(&[&add("- five\n"), B]),
        &file(&[&both, B]),
    );
}

#[test]
fn a_conflict_stays_inside_its_section() {
    let (ours, theirs) = (B.replace("text", "our"), B.replace("text", "their"));
    let found = merged(&file(&[A, B, C]), &file(&[A, &ours, C]), &file(&[A, &theirs, C, D]));
    let section =
        "## B\n<!-- @id: b -->\n\n<<<<<<< today\nour of b\n=======\ntheir of b\n>>>>>>> proposed\n";
    assert_eq!(found.text, file(&[A, section, C, D]));
    assert_eq!(found.conflicts, ["b"]);
}

#[test]
fn what_one_changed_and_the_other_removed_is_a_conflict() {
    let changed = B.replace("text", "words");
    let found = merged(&file(&[A, B]), &file(&[A]), &file(&[A, &changed]));
    assert_eq!(found.conflicts, ["b"]);
    let marked = format!("<<<<<<< today: deleted\n=======\n{changed}>>>>>>> proposed: changed\n");
    assert_eq!(found.text, file(&[A, &marked]));
    let found = merged(&file(&[A, B]), &file(&[A, &changed]), &file(&[A]));
    let marked = format!("<<<<<<< today: changed\n{changed}=======\n>>>>>>> proposed: deleted\n");
    assert_eq!(found.text, file(&[A, &marked]));
}

#[test]
fn bytes_are_kept() {
    let dos = |text: &str| text.replace('\n', "\r\n");
    check(&dos(&file(&[A])), &dos(&file(&[A, B])), &dos(&file(&[A, C])), &dos(&file(&[A, B, C])));
    let dense = "# T\n## A\nx\n## B\ny";
    check(dense, &dense.replace('x', "1"), &dense.replace('y', "2"), "# T\n## A\n1\n## B\n2");
    let conflict = merged(
        &dos(&file(&[B])),
        &dos(&file(&[B])).replace("text", "1"),
        &dos(&file(&[B])).replace("text", "2"),
    );
    assert!(!conflict.text.replace("\r\n", "").contains('\n'), "{:?}", conflict.text);
}

#[test]
fn a_section_that_an_open_fence_swallows_is_a_conflict() {
    let base = "# T\n\n## A\n\nx\n\n## B\n\ny\n";
    let ours = base.replace("x\n", "x\n```\n");
    let theirs = base.replace("y\n", "y\n\n## C\n\nz\n");
    let [our, their] = [&ours, &theirs].map(|text| text.trim_start_matches("# T\n\n"));
    let marked = format!("# T\n\n<<<<<<< today\n{our}=======\n{their}>>>>>>> proposed\n");
    assert_eq!(merged(base, &ours, &theirs).text, marked);
}

fn text() -> impl Strategy<Value = String> {
    let section = ("[a-h]", 2..4_usize, "[xyz]{0,2}").prop_map(|(id, level, body)| {
        let text = format!("{} {id}\n<!-- @id: {id} -->\n\n- {body}\n\n", "#".repeat(level));
        (id, text)
    });
    // Where an id is not unique, which of the two is meant is anybody's guess.
    let is_unique = |all: &Vec<(String, String)>| {
        let ids: std::collections::BTreeSet<&String> = all.iter().map(|(id, _)| id).collect();
        ids.len() == all.len()
    };
    proptest::collection::vec(section, 0..5)
        .prop_filter("an id names one section", is_unique)
        .prop_map(|all| all.into_iter().map(|(_, text)| text).collect())
}

proptest! {
    #[test]
    fn who_changed_nothing_is_not_heard(base in text(), ours in text()) {
        prop_assert_eq!(merged(&base, &ours, &base).text, ours.clone());
        prop_assert_eq!(merged(&base, &base, &ours).text, ours.clone());
        prop_assert_eq!(merged(&base, &ours, &ours).text, ours);
    }

    #[test]
    fn no_section_is_lost_or_doubled(base in text(), ours in text(), theirs in text()) {
        let found = merged(&base, &ours, &theirs);
        if found.conflicts.is_empty() {
            let keys = |text: &str| -> std::collections::BTreeSet<String> {
                parts(&Outline::read(text)).into_iter().map(|part| part.key).collect()
            };
            let (b, o, t, m) = (keys(&base), keys(&ours), keys(&theirs), keys(&found.text));
            for key in o.union(&t) {
                let removed = b.contains(key) && !(o.contains(key) && t.contains(key));
                prop_assert!(m.contains(key) || removed, "{key:?} of {ours:?} and {theirs:?} is not in {:?}", found.text);
            }
        }
    }
}

#[test]
fn a_repeated_heading_is_told_by_the_section_that_it_stands_in() {
    let notes = |of: &str| format!("### Notes\n\nOf {of}.\n");
    let [of_a, of_b, edited] = ["a", "b", "all"].map(notes);
    let base = file(&[A, &of_a, B, &of_b, C]);
    let (first, second) = (file(&[A, B, &of_b, C]), file(&[A, &of_a, B, C]));
    check(&base, &first, &second, &file(&[A, B, C]));
    check(&base, &first, &file(&[A, &of_a, B, &edited, C]), &file(&[A, B, &edited, C]));
    check(&base, &file(&[B, &of_b, C]), &file(&[A, &of_a, C]), &file(&[C]));
    let (top, end) =
        (file(&[D, &edited, A, &of_a, B, &of_b, C]), file(&[A, &of_a, B, &of_b, C, &edited]));
    check(&base, &top, &end, &file(&[D, &edited, A, &of_a, B, &of_b, C, &edited]));
}

/// Line by line, the edit would end up in the section that stands where the edited one stood.
#[test]
fn what_one_side_moved_and_the_other_put_into_another_section_keeps_its_words() {
    let steps = "```\none\ntwo\nthree\n```\n";
    let [first, second] =
        ["a", "b"].map(|name| format!("### To {name}\n<!-- @id: to-{name} -->\n\n{steps}\n"));
    let (edited, beside) = (first.replace("two", "2"), A.replace("## A", "### A"));
    check(
        &[&beside, "\n", &first, &second].concat(),
        &[A, "\n", &edited, &second].concat(),
        &[&beside, "\n", &second, &first].concat(),
        &[A, "\n", &second, &edited].concat(),
    );
}

/// Each part would have to stand in another one than on either side; line by line, the edit would go to what looks alike.
#[test]
fn an_edit_that_lines_alone_would_give_to_another_section_is_for_a_person() {
    let same = "First 5.\n\n```\nRest 1.\n```\n\n";
    let (first, edited) =
        (format!("### P\n\n{same}"), format!("### P\n\n{same}").replace('5', "8"));
    let second = format!("### Q\n<!-- @id: q -->\n\n{same}");
    let third = "### R\n<!-- @id: r -->\n\nFirst 2.\n";
    let added = "## N\n<!-- @id: n -->\n\nNew.\n\n";
    let file = |parts: &[&str]| format!("# T\n\n{}", parts.concat());
    let base = file(&[&first, &second, third]);
    let (ours, theirs) = (file(&[&second, &first, third]), file(&[&edited, &second, added, third]));
    for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
        let found = merged(&base, one, other);
        assert!(!found.conflicts.is_empty() || found.text.contains(&second), "{}", found.text);
    }
}

#[test]
fn of_sections_that_look_alike_the_lines_tell_which_is_gone() {
    let a = format!("{A}\n");
    let example = |text: &str| format!("### Example\n\n{text}\n\n");
    let [one, two, three] =
        ["curl without a limit", "a queue that refills", "two timers"].map(example);
    let file = |examples: &[&str]| format!("# T\n\n{a}{}{B}", examples.concat());
    let base = file(&[&one, &two, &three]);
    check(&base, &file(&[&two, &three]), &file(&[&one, &two]), &file(&[&two]));
    let changed = example("two timers, and a third");
    check(&base, &file(&[&two, &three]), &file(&[&one, &two, &changed]), &file(&[&two, &changed]));
    let [four, five] = ["no timer", "one timer too many"].map(example);
    let longer = [file(&[&four, &one, &two, &three]), file(&[&one, &two, &three, &five])];
    check(&base, &longer[0], &longer[1], &file(&[&four, &one, &two, &three, &five]));
}

#[test]
fn sections_that_look_alike_on_one_side_alone_are_as_that_side_has_them() {
    let twice = format!("{B}\n### Example\n\none\n\n### Example\n\ntwo\n");
    check(&file(&[A]), &file(&[A, &twice]), &file(&[A, C]), &file(&[A, &twice, C]));
    check(&file(&[A, &twice]), &file(&[A]), &file(&[A, &twice, C]), &file(&[A, C]));
    let [a, b] = ["A", "B"].map(|name| format!("## {name}\n\n### Notes\n\nOf {name}.\n"));
    let c = "## C\n\nOf C.\n";
    check(&file(&[&a]), &file(&[&a, &b]), &file(&[&a, c]), &file(&[&a, &b, c]));
}

/// By their numbers, the second example would move to the place of the first.
#[test]
fn sections_that_look_alike_stay_where_they_stood_when_an_earlier_one_goes() {
    let [one, two, three] =
        ["one", "two", "three"].map(|text| format!("## Example\n\nOf {text}.\n"));
    let base = file(&[A, &one, B, &two, C, &three]);
    let ours = file(&[A, B, &two, C, &three]);
    let theirs = file(&[A, &one, B, &two, C, &three, D]);
    check(&base, &ours, &theirs, &file(&[A, B, &two, C, &three, D]));
}

#[test]
fn blanks_that_break_a_line_are_bytes_of_it() {
    let hard = B.replace("text of b\n", "text of b  \n");
    let changed = A.replace("two", "2");
    check(
        &file(&[A, B, C]),
        &file(&[&changed, B, C]),
        &file(&[A, &hard, C]),
        &file(&[&changed, &hard, C]),
    );
    let longer = hard.replace("text of b  \n", "text of b  \nand more\n");
    check(
        &file(&[A, &hard, C]),
        &file(&[&changed, &hard, C]),
        &file(&[A, &longer, C]),
        &file(&[&changed, &longer, C]),
    );
}

#[test]
fn blank_lines_are_as_the_side_has_them_that_changed_them() {
    let changed = A.replace("two", "2");
    let wide = |a: &str| format!("# T\n\n{a}\n\n\n{B}");
    let narrow = |a: &str| format!("# T\n\n{a}{B}");
    for other in [wide(A), narrow(A)] {
        let expected = other.replace("two", "2");
        check(&file(&[A, B]), &file(&[&changed, B]), &other, &expected);
    }
}

/// Takes the ids out of a text.
fn without_ids(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with("<!-- @id")).collect()
}

#[test]
fn a_section_that_got_its_id_is_still_the_same() {
    let notes = "### Notes\n<!-- @id: notes -->\n\nOf b.\n";
    let named = file(&[A, B, notes, C]);
    let base = without_ids(&named);
    let edited = |text: &str| text.replace("two", "2").replace("Of b", "About b");
    check(&base, &named, &edited(&base), &edited(&named));
    check(&base, &named, &edited(&named), &edited(&named));
    check(
        &base,
        &file(&[A, &without_ids(B), notes, C]),
        &edited(&file(&[&without_ids(A), B, &without_ids(notes), C])),
        &edited(&named),
    );
    let with_crlf = |text: &str| text.replace('\n', "\r\n");
    check(
        &with_crlf(&base),
        &with_crlf(&named),
        &with_crlf(&edited(&base)),
        &with_crlf(&edited(&named)),
    );
}

#[test]
fn a_section_that_got_its_id_may_move_beside_others_that_come_and_go() {
    let base = without_ids(&file(&[A, B, C]));
    let moved = without_ids(&file(&[C, &A.replace("two", "2"), B, D]));
    let expected = file(&[C, &A.replace("two", "2"), B, &without_ids(D)]);
    check(&base, &file(&[A, B, C]), &moved, &expected);
}

#[test]
fn sections_that_look_alike_get_their_ids_where_none_came_or_went() {
    let example =
        |number: &str| format!("## Example\n<!-- @id: example-{number} -->\n\nOf {number}.\n");
    let [one, two] = ["one", "two"].map(example);
    let named = file(&[&one, &two]);
    let base = without_ids(&named);
    let edit = |text: &str| text.replace("Of two", "About two");
    check(&base, &named, &edit(&base), &edit(&named));
}

#[test]
fn an_edit_of_what_both_changed_is_a_conflict_in_the_section_that_got_its_id() {
    let base = without_ids(&file(&[A, B]));
    let ours = file(&[A, B]).replace("text", "our");
    let found = merged(&base, &ours, &base.replace("text", "their"));
    assert_eq!(found.conflicts, ["b"]);
    let marked = "<<<<<<< today\nour of b\n=======\ntheir of b\n>>>>>>> proposed\n";
    assert_eq!(found.text, file(&[A, &B.replace("text of b\n", marked)]));
}

/// Merges both ways round; there must be one conflict, in which what came from each side is named FIRST and SECOND.
fn check_conflict(base: &str, ours: &str, theirs: &str, title: &str, expected: &str) {
    for (one, other, first, second) in
        [(ours, theirs, "ours", "theirs"), (theirs, ours, "theirs", "ours")]
    {
        let found = merged(base, one, other);
        let named = |text: &str| text.replace("FIRST", first).replace("SECOND", second);
        assert_eq!(found.conflicts, [named(title)], "{}", found.text);
        assert_eq!(found.text, named(expected));
    }
}

#[test]
fn two_headings_for_one_section_without_an_id_are_a_conflict() {
    let base = without_ids(&file(&[A, B, C]));
    let [ours, theirs] = ["ours", "theirs"].map(|name| base.replace("## B", &format!("## {name}")));
    let marked =
        "<<<<<<< today\n## FIRST\n\ntext of b\n=======\n## SECOND\n\ntext of b\n>>>>>>> proposed\n";
    let section = without_ids(B);
    check_conflict(&base, &ours, &theirs, "FIRST", &base.replace(&section, marked));
    check(&base, &ours, &ours, &ours);
    check(&base, &ours, &base.replace("two", "2"), &ours.replace("two", "2"));
}

#[test]
fn two_levels_for_one_section_without_an_id_are_a_conflict() {
    let base = without_ids(&file(&[A, B, C]));
    let [ours, theirs] = ["### B", "#### B"].map(|heading| base.replace("## B", heading));
    let marked =
        "<<<<<<< today\n### B\n\ntext of b\n=======\n#### B\n\ntext of b\n>>>>>>> proposed\n";
    let found = merged(&base, &ours, &theirs);
    assert_eq!(found.text, base.replace(&without_ids(B), marked));
    let moved = without_ids(&file(&[B, A, C])).replace("## B", "#### B");
    assert!(!merged(&base, &ours, &moved).conflicts.is_empty());
}

#[test]
fn an_edit_of_a_section_without_an_id_that_got_another_level_or_heading_is_a_conflict() {
    let base = without_ids(&file(&[A, B, C]));
    let edited = base.replace("text of b", "words of b");
    for heading in ["### B", "## Bee"] {
        let other = base.replace("## B", heading);
        let marked = format!(
            "<<<<<<< today\n{heading}\n\ntext of b\n=======\n## B\n\nwords of b\n>>>>>>> proposed\n"
        );
        assert_eq!(merged(&base, &other, &edited).text, base.replace(&without_ids(B), &marked));
    }
}

#[test]
fn what_one_side_put_below_a_section_without_an_id_that_got_another_level_is_a_conflict() {
    let base = without_ids(&file(&[A, B, C]));
    let (deeper, below) =
        (base.replace("## B", "### B"), base.replace("## C", "### K\n\nk\n\n## C"));
    for (one, other) in [(&deeper, &below), (&below, &deeper)] {
        let found = merged(&base, one, other);
        assert!(!found.conflicts.is_empty(), "{}", found.text);
    }
}

#[test]
fn two_titles_are_a_conflict() {
    let base = file(&[A, B]);
    let [ours, theirs] =
        ["ours", "theirs"].map(|name| base.replace("# T\n", &format!("# {name}\n")));
    let marked = "<<<<<<< today\n# FIRST\n=======\n# SECOND\n>>>>>>> proposed\n";
    check_conflict(&base, &ours, &theirs, "FIRST", &base.replace("# T\n", marked));
    check(&base, &ours, &ours.replace("two", "2"), &ours.replace("two", "2"));
    check(&base, &ours, &base.replace("two", "2"), &ours.replace("two", "2"));
}

#[test]
fn two_ids_for_one_section_are_a_conflict() {
    let base = file(&[A, &without_ids(B)]);
    let [ours, theirs] =
        ["ours", "theirs"].map(|id| file(&[A, &B.replace("id: b", &format!("id: {id}"))]));
    let marked = |id: &str| B.replace("id: b", &format!("id: {id}"));
    let marked = format!(
        "<<<<<<< today\n{}=======\n{}>>>>>>> proposed\n",
        marked("FIRST"),
        marked("SECOND")
    );
    check_conflict(&base, &ours, &theirs, "FIRST", &file(&[A, &marked]));
}

#[test]
fn what_each_side_put_in_the_place_of_a_section_without_an_id_is_a_conflict() {
    let [c, d] = [C, D].map(without_ids);
    let base = file(&[A, &without_ids(B)]);
    let marked = format!("<<<<<<< today\n{c}=======\n{d}>>>>>>> proposed\n");
    let found = merged(&base, &file(&[A, &c]), &file(&[A, &d]));
    assert_eq!(found.text, file(&[A, &marked]));
}

#[test]
fn what_one_side_put_below_a_section_that_the_other_deleted_is_a_conflict_with_it() {
    let kid = |name: &str| format!("### {name}\n<!-- @id: {name} -->\n\ntext of {name}\n");
    let (kid, second) = (kid("kid"), kid("second"));
    let edited = kid.replace("text", "words");
    let cases: [(&[&str], &[&str]); 4] = [
        (&[B], &[B, &kid]),
        (&[B, &kid], &[B, &kid, &second]),
        (&[B, &kid], &[B, &edited]),
        (&[B, &kid], &[&B.replace("text", "words"), &kid]),
    ];
    for (before, now) in cases {
        let (before, now) = (before.join("\n"), now.join("\n"));
        let (base, deleted, changed) = (file(&[A, &before, C]), file(&[A, C]), file(&[A, &now, C]));
        let found = merged(&base, &deleted, &changed);
        let marked = format!("<<<<<<< today: deleted\n=======\n{now}>>>>>>> proposed: changed\n");
        assert_eq!((found.text, found.conflicts), (file(&[A, &marked, C]), vec!["b".to_owned()]));
        let found = merged(&base, &changed, &deleted);
        let marked = format!("<<<<<<< today: changed\n{now}=======\n>>>>>>> proposed: deleted\n");
        assert_eq!((found.text, found.conflicts), (file(&[A, &marked, C]), vec!["b".to_owned()]));
    }
}

#[test]
fn a_section_goes_with_what_stands_in_it_where_the_other_side_did_no_more_than_delete_some() {
    let [kid, second] = ["kid", "second"].map(|name| format!("### {name}\n\ntext of {name}\n"));
    let base = file(&[A, B, &kid, &second, C]);
    check(&base, &file(&[A, C]), &file(&[A, B, &second, C]), &file(&[A, C]));
    check(&base, &file(&[A, C]), &file(&[C, A, B, &kid, &second]), &file(&[C, A]));
}
