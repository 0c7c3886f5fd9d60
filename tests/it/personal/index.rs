//! The index is edited by line; what a person wrote into it stays.

use super::{Person, delete, line, upsert, warnings, with};

/// U27.
#[test]
fn a_new_line_goes_last_and_all_other_bytes_stay() {
    let person = Person::new();
    let old = "# My memory\r\n\r\nSome prose, of Ada.\r\n\r\n- [a](a.md) — of a person's own\r\n* a list item of nothing\r\n";
    person.write("memory/MEMORY.md", old);
    person.done(&upsert("new"), "created");
    assert_eq!(person.index(), format!("{old}{}\r\n", line("new").trim_end()));
}

#[test]
fn a_last_line_without_an_end_gets_one() {
    let person = Person::new();
    person.write("memory/MEMORY.md", "# My memory\n\n- an item");
    person.done(&upsert("new"), "created");
    assert_eq!(person.index(), format!("# My memory\n\n- an item\n{}", line("new")));
}

/// U28.
#[test]
fn of_two_lines_of_an_entry_the_first_is_renewed_and_the_other_goes() {
    let person = Person::new();
    let index = "- [a](a.md) — a\n- [Old](x.md) — first\n\n## More\n\n- [x](x.md) — second\n- [b](b.md) — b\n";
    person.write("memory/MEMORY.md", index);
    person.done(&upsert("x"), "created");
    let expected = format!("- [a](a.md) — a\n{}\n## More\n\n- [b](b.md) — b\n", line("x"));
    assert_eq!(person.index(), expected);
}

#[test]
fn a_delete_removes_every_line_of_the_entry() {
    let person = Person::with(&[upsert("x")]);
    let index = "- [a](a.md) — a, see [x](x.md)\n- [Old](x.md) — first\n- [x](./x.md) — second\n";
    person.write("memory/MEMORY.md", index);
    person.done(&delete("x"), "deleted");
    assert_eq!(person.index(), "- [a](a.md) — a, see [x](x.md)\n");
}

/// U29.
#[test]
fn a_file_without_a_line_is_listed_and_read_and_found_missing() {
    let person = Person::with(&[upsert("a")]);
    person.write(
        "memory/by-hand.md",
        "---\nname: by-hand\ndescription: Of Ada\ntype: user\n---\n\nText.\n",
    );
    let before = person.tree();
    let list = person.list();
    assert_eq!(list["entries"][1]["name"], "by-hand");
    assert_eq!(list["entries"][1]["description"], "Of Ada");
    assert!(warnings(&list).contains("`by-hand` has no line in the index"), "{list}");
    assert_eq!(person.body("by-hand"), "Text.\n");
    assert!(person.tree() == before);
    person.done(&with(&upsert("by-hand"), "body", "Another."), "updated");
    assert_eq!(person.index(), line("a") + &line("by-hand"));
}

#[test]
fn an_entry_that_lost_its_line_gets_it_back_from_the_same_upsert() {
    let person = Person::with(&[upsert("a"), upsert("b")]);
    person.write("memory/MEMORY.md", line("b"));
    person.done(&upsert("a"), "updated");
    assert_eq!(person.index(), line("b") + &line("a"));
    person.done(&upsert("a"), "unchanged");
}

/// U30.
#[test]
fn a_line_without_a_file_is_found_and_cannot_be_deleted() {
    let person = Person::with(&[upsert("a")]);
    person.write("memory/MEMORY.md", line("a") + &line("gone"));
    let list = person.list();
    assert_eq!(list["entries"].as_array().unwrap().len(), 1);
    assert!(warnings(&list).contains("a line for `gone`"), "{list}");
    person.refused(&delete("gone"), "entry_not_found");
    person.done(&upsert("gone"), "created");
    assert_eq!(person.index(), line("a") + &line("gone"));
}

#[test]
fn an_index_that_was_deleted_begins_anew_with_the_next_line() {
    let person = Person::with(&[upsert("a"), upsert("b")]);
    std::fs::remove_file(person.folder().join("memory/MEMORY.md")).unwrap();
    assert!(warnings(&person.list()).contains("`a` has no line"));
    person.done(&delete("b"), "deleted");
    assert_eq!(person.call(&serde_json::json!({"tool": "read_user_memory"}))["text"], "");
    person.done(&upsert("c"), "created");
    assert_eq!(person.index(), line("c"));
}

#[test]
fn of_many_warnings_of_a_kind_the_first_ten_are_told() {
    let person = Person::with(&[upsert("a")]);
    let lines: String = (0..12).map(|number| line(&format!("gone-{number}"))).collect();
    person.write("memory/MEMORY.md", line("a") + &lines);
    for number in 0..1_000 {
        person.write(&format!("memory/by-hand-{number:03}.md"), "---\nname: other\n---\n\nText.\n");
    }
    let list = person.list();
    assert_eq!(list["entries"].as_array().unwrap().len(), 1_001);
    let said = warnings(&list);
    assert!(
        said.contains("`by-hand-009` has no line") && !said.contains("`by-hand-010`"),
        "{said}"
    );
    for (more, kinds) in [("and 990 more", 2), ("and 2 more", 1)] {
        assert_eq!(said.matches(more).count(), kinds, "{said}");
    }
    assert_eq!(said.lines().count(), 33, "{said}");
}

#[test]
fn a_nearly_full_index_warns_and_never_refuses() {
    let person = Person::with(&[upsert("a")]);
    person.write("config.toml", "[limits]\nindex_lines = 5\n");
    for name in ["b", "c"] {
        assert_eq!(warnings(&person.done(&upsert(name), "created")), "");
    }
    for (name, said) in [("d", "4 of 5 lines"), ("e", "5 of 5 lines"), ("f", "6 of 5 lines")] {
        let answer = person.done(&upsert(name), "created");
        assert!(warnings(&answer).contains(said), "{answer}");
    }
    assert!(warnings(&person.list()).contains("6 of 5 lines"));
}

#[test]
fn list_shows_the_entries_of_one_type() {
    let person = Person::with(&[upsert("a"), with(&upsert("b"), "type", "feedback"), upsert("c")]);
    let list = person.run(&["list", "--type", "feedback", "--json"]).expect_code(0).json();
    let entries = list["entries"].as_array().unwrap();
    assert_eq!((entries.len(), &entries[0]["name"]), (1, &"b".into()));
    assert_eq!(entries[0]["type"], "feedback");
    assert_eq!(entries[0]["hash"], person.read("b")["hash"]);
    person.run(&["list", "--type", "note"]).expect_code(2);
    let shown = person.run(&["list"]).expect_code(0).stdout;
    assert!(shown.contains("What b is about") && shown.contains("3 entries"), "{shown}");
}

#[test]
fn a_long_description_by_hand_is_cut_at_a_word() {
    let person = Person::with(&[upsert("a")]);
    let source = person.sandbox.root().join("source");
    std::fs::create_dir(&source).unwrap();
    let long = "word ".repeat(100);
    let text = format!("---\nname: x\ndescription: {long}\ntype: user\n---\n\nText.\n");
    std::fs::write(source.join("x.md"), text).unwrap();
    person.run(&["import", source.to_str().unwrap()]).expect_code(0);
    let index = person.index();
    assert!(index.ends_with(" word word…\n"), "{index}");
}
