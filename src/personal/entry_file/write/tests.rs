//! Files of entries before and after an upsert.

use super::*;
use crate::personal::entry_file::read::Generation;

const NOW: &str = "2026-11-20T10:11:12Z";

const FIELDS: EntryFields<'_> = EntryFields {
    name: "preferred-language",
    description: "User prefers Japanese output",
    kind: "user",
    body: "Always respond in Japanese.",
};

const PLAIN: &str = "---\nname: preferred-language\ndescription: User prefers Japanese output\ntype: user\n---\n\nAlways respond in Japanese.\n";

const CLAUDE: &str = "---\nname: preferred-language\ndescription: User prefers Japanese output\nmetadata:\n  node_type: memory\n  type: user\n---\n\nAlways respond in Japanese.\n";

fn changed(old: &str, fields: &EntryFields<'_>) -> Result<String, String> {
    changed_file(old, fields, Dialect::Plain, Moment::parse(NOW).expect("a moment"))
}

fn check(old: &str, fields: &EntryFields<'_>, expected: &str) {
    assert_eq!(changed(old, fields).as_deref(), Ok(expected), "{old:?}");
    let again = changed(expected, fields);
    assert_eq!(again.as_deref(), Ok(expected), "the same content again: {old:?}");
}

#[test]
fn a_new_file_has_the_form_of_its_dialect() {
    assert_eq!(new_file(&FIELDS, Dialect::Plain), PLAIN);
    assert_eq!(new_file(&FIELDS, Dialect::Claude), CLAUDE);
}

#[test]
fn a_new_file_is_read_as_it_was_meant() {
    for dialect in [Dialect::Plain, Dialect::Claude] {
        for description in ["Style: tabs # not spaces", "2026-11-20", "\"", "- a", "日本語", "a\\b"]
        {
            let fields =
                EntryFields { name: "007", description, body: "\r\n  a\r\n\r\n", ..FIELDS };
            let text = new_file(&fields, dialect);
            let EntryFile::Entry(content) = EntryFile::read(&text) else { panic!("{text}") };
            let generation = match dialect {
                Dialect::Plain => Generation::G2,
                Dialect::Claude => Generation::G3,
            };
            let expected = EntryContent {
                name: Some("007".to_owned()),
                kind: Some("user".to_owned()),
                description: Some(description.to_owned()),
                body: "  a\n".to_owned(),
                project: None,
                modified: None,
                generation,
            };
            assert_eq!(content, expected, "{text}");
            check(&text, &fields, &text);
        }
    }
}

#[test]
fn a_description_that_yaml_would_cut_is_quoted() {
    let fields = EntryFields { description: "Style: tabs # not spaces", ..FIELDS };
    let quoted = "description: \"Style: tabs # not spaces\"\n";
    let plain = "description: User prefers Japanese output\n";
    assert_eq!(new_file(&fields, Dialect::Plain), PLAIN.replace(plain, quoted));
    check(PLAIN, &fields, &PLAIN.replace(plain, quoted));
}

#[test]
fn the_same_content_again_changes_no_byte() {
    let body = "Always respond in Japanese.";
    for old in [
        PLAIN.to_owned(),
        CLAUDE.to_owned(),
        PLAIN.replace('\n', "\r\n"),
        format!("\u{feff}{PLAIN}\n\n"),
        PLAIN.trim_end().to_owned(),
        PLAIN.replace("---\n\n", "---\n"),
        PLAIN.replace("type: user", "modified: 2026-01-01T00:00:00.000Z\ntype: 'user' # c"),
        CLAUDE.replace("  type: user", "  type: \"user\"\n  modified: 2026-01-01T00:00:00Z"),
        CLAUDE.replace("metadata:", "type:\nmetadata:"),
        CLAUDE
            .replace("metadata:\n", "type: user\nmetadata:\n")
            .replace("  type: user", "  type: x"),
        PLAIN.replace("User prefers Japanese output", ">-\n  User prefers\n  Japanese output"),
    ] {
        check(&old, &FIELDS, &old);
        check(&old, &EntryFields { body: &format!("\r\n{body}\r\n\r\n"), ..FIELDS }, &old);
    }
}

#[test]
fn a_new_body_replaces_the_old_one_and_keeps_the_front_matter() {
    let fields = EntryFields { body: "\n\n# New\n\ntext\n\n", ..FIELDS };
    let old = PLAIN.replace("type: user", "# c\nx:   [1]\ntype: 'user'");
    let new = old.replace("Always respond in Japanese.", "# New\n\ntext");
    check(&old, &fields, &new);
    check(&old.replace('\n', "\r\n"), &fields, &new.replace('\n', "\r\n"));
    check(
        "---\nname: a\n---",
        &EntryFields { name: "a", ..fields },
        "---\nname: a\ndescription: User prefers Japanese output\ntype: user\n---\n\n# New\n\ntext\n",
    );
}

#[test]
fn the_type_changes_where_it_stands() {
    let feedback = EntryFields { kind: "feedback", ..FIELDS };
    check(PLAIN, &feedback, &PLAIN.replace("type: user", "type: feedback"));
    let old = CLAUDE.replace("  type: user\n", "  type: user # c\n  originSessionId: 1-2\n");
    check(&old, &feedback, &old.replace("type: user", "type: feedback"));
    let flow = PLAIN.replace("type: user", "metadata: {type: user, originSessionId: 1-2}");
    check(&flow, &feedback, &flow.replace("type: user", "type: feedback"));
    let both = CLAUDE.replace("metadata:", "type: user\nmetadata:");
    check(&both, &feedback, &both.replace(" user\n", " feedback\n"));
}

#[test]
fn missing_keys_go_last() {
    check(
        "---\nx: 1\n---\n\nAlways respond in Japanese.\n",
        &FIELDS,
        &PLAIN.replace("---\nname", "---\nx: 1\nname"),
    );
    let without_type = CLAUDE.replace("  type: user\n", "");
    check(&without_type, &FIELDS, &without_type.replace("memory\n---", "memory\ntype: user\n---"));
    check("---\n---\n", &FIELDS, PLAIN);
}

#[test]
fn a_change_renews_modified_where_it_stands_and_in_its_form() {
    let feedback = EntryFields { kind: "feedback", ..FIELDS };
    let earlier = "2026-01-01T00:00:00.000Z";
    for quote in ["", "\"", "'"] {
        for place in ["type: user\nmodified: ", "type: user\nmetadata:\n  modified: "] {
            let file = |kind: &str, date: &str| {
                let place = place.replace("user", kind);
                PLAIN.replace("type: user", &format!("{place}{quote}{date}{quote}"))
            };
            check(&file("user", earlier), &feedback, &file("feedback", NOW));
        }
    }
}

#[test]
fn a_file_without_front_matter_is_replaced_by_a_new_one() {
    check("# Language\n\nJapanese\n", &FIELDS, PLAIN);
    check("Always respond in Japanese.\r\n", &FIELDS, &PLAIN.replace('\n', "\r\n"));
    let now = Moment::parse(NOW).expect("a moment");
    let claude = changed_file("Japanese\n", &FIELDS, Dialect::Claude, now);
    assert_eq!(claude.as_deref(), Ok(CLAUDE));
}

#[test]
fn what_cannot_be_read_or_edited_is_an_error() {
    for (old, why) in [
        ("---\nname: a\n", "never ends"),
        ("---\nname: [a]\n---\n", "`name` is a list"),
        ("---\nmetadata:\n  modified: [1]\n---\n", "`modified` is a list"),
        ("---\n{x: 1}\n---\n", "`name` cannot be edited"),
    ] {
        let said = changed(old, &FIELDS).expect_err("it cannot be done");
        assert!(said.contains(why), "{old:?}: {said}");
    }
}
