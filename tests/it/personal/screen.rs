//! What is folded, quoted or refused of the texts of an entry.

use serde_json::json;

use super::{
    PREFERRED_LANGUAGE_LINE, Person, delete, line, preferred_language, upsert, warnings, with,
};

/// U17.
#[test]
fn a_description_of_several_lines_is_folded_into_one() {
    let person = Person::new();
    let answer = person.done(&with(&upsert("x"), "description", "a\nb\t c "), "created");
    assert!(warnings(&answer).contains("`description` is one line"), "{answer}");
    assert_eq!(answer["description"], "a b c");
    assert_eq!(person.index(), "- [x](x.md) — a b c\n");
    assert!(person.file("memory/x.md").contains("\ndescription: a b c\n"));
}

/// U18.
#[test]
fn a_description_that_yaml_would_misread_is_quoted() {
    let person = Person::new();
    let descriptions = [
        "Style: tabs # not spaces",
        "# no comment",
        "- no list",
        "[no] {flow}",
        "\"quoted\" and \\ more",
        "ends with a colon:",
        "'single'",
        "true",
        "12",
        "2026-11-20",
        "~",
        "* star",
        "日本語: はい",
    ];
    for (number, description) in descriptions.into_iter().enumerate() {
        let name = format!("x{number}");
        person.done(&with(&upsert(&name), "description", description), "created");
        let file = person.file(&format!("memory/{name}.md"));
        let raw = file.lines().nth(2).unwrap().strip_prefix("description: ").unwrap();
        // What is double-quoted with the escapes of JSON means the same in both.
        assert_eq!(serde_json::from_str::<String>(raw).unwrap(), description);
        assert_eq!(person.read(&name)["description"], description);
        assert!(person.index().contains(&format!("- [{name}]({name}.md) — {description}\n")));
    }
}

/// U19.
#[test]
fn a_description_that_would_hide_lines_of_the_index_is_refused() {
    let person = Person::with(&[preferred_language()]);
    for description in ["see <!-- here", "here --> see", "<!-- x -->"] {
        let answer =
            person.refused(&with(&upsert("x"), "description", description), "invalid_request");
        assert_eq!(answer["pointer"], "/description");
    }
    person.done(&with(&upsert("x"), "body", "<!-- a comment -->"), "created");
}

/// U20.
#[test]
fn a_character_that_a_person_would_not_see_is_refused_with_its_place() {
    let person = Person::with(&[preferred_language()]);
    let body = with(&upsert("x"), "body", "one\ntwo\u{202e}three");
    let answer = person.refused(&body, "hidden_characters");
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("U+202E") && message.contains("line 2, column 4"), "{message}");
    assert_eq!(answer["pointer"], "/body");
    let description = with(&upsert("x"), "description", "red \u{1b}[31m");
    let answer = person.refused(&description, "hidden_characters");
    assert_eq!(answer["pointer"], "/description");
    assert!(!answer.to_string().contains('\u{1b}'), "{answer}");
    person.refused(&with(&upsert("x"), "body", "tag \u{e0041}"), "hidden_characters");
}

/// U21.
#[test]
fn a_secret_is_refused_and_stands_in_no_file_and_no_answer() {
    let person = Person::with(&[preferred_language()]);
    let secret = "MIIEowIBAAKCAQEAx9KfQ2mVb7Tz4LwPc8Rj1NsYd6GhAe3BuXo0";
    let kind = ["PRIVATE", " KEY-----"].concat();
    let key = format!("-----BEGIN RSA {kind}\n{secret}\n-----END RSA {kind}");
    for field in ["body", "description"] {
        let request = with(&upsert("x"), field, format!("The key:\n{key}"));
        let answer = person.refused(&request, "secret_detected");
        assert!(!answer.to_string().contains(secret), "{answer}");
        assert_eq!(answer["findings"][0]["pointer"], format!("/{field}"), "{answer}");
    }
    let call = person.prepare(&["upsert", "x", "--type", "user", "--description", "d"]);
    let reply = call.env("AGENT_MEMORY_USER", "ada").stdin(key).run().expect_code(1);
    assert!(!reply.stdout.contains(secret) && !reply.stderr.contains(secret), "{}", reply.stderr);
    let holds = |bytes: &Vec<u8>| bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
    assert!(!person.tree().values().any(holds));
    assert_eq!(person.index(), PREFERRED_LANGUAGE_LINE);
}

#[test]
fn a_secret_in_any_text_of_a_request_is_refused_or_masked() {
    let person = Person::with(&[preferred_language()]);
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let requests = [
        upsert(&token),
        with(&upsert("x"), "type", token.as_str()),
        with(&upsert("x"), "action", token.as_str()),
        with(&upsert("x"), "if_hash", token.as_str()),
        with(&upsert("x"), &token, "y"),
        json!({ "tool": token, "arguments": {} }),
        json!({ "tool": "read_user_memory", "arguments": { "name": token } }),
        json!({ "tool": "read_user_memory", "arguments": {}, &token: 1 }),
    ];
    let before = person.tree();
    for request in requests {
        let answer = person.call(&request);
        assert!(answer.code == 1 && !answer.value.to_string().contains(&token), "{}", answer.value);
    }
    assert!(person.tree() == before);
}

#[test]
fn personal_data_is_refused_where_the_settings_say_so() {
    let person = Person::with(&[preferred_language()]);
    let request = with(&upsert("x"), "body", "Write to ada.lovelace@corp-mail.io about it.");
    person.write("config.toml", "[secrets]\npii = [\"email\"]\n");
    person.refused(&request, "pii_detected");
    person.write("config.toml", "");
    person.done(&request, "created");
}

/// U22.
#[test]
fn a_text_that_is_too_long_is_refused() {
    let person = Person::with(&[preferred_language()]);
    let body =
        |bytes| with(&upsert("x"), "body", "word ".repeat(bytes / 5 + 1)[..bytes].to_owned());
    let answer = person.refused(&body(65_537), "too_large");
    assert!(answer["message"].as_str().unwrap().contains("65537"), "{answer}");
    let description = |length| with(&upsert("x"), "description", "é".repeat(length));
    person.refused(&description(301), "too_large");
    person.done(&description(300), "created");
    person.done(&body(65_536), "updated");
    assert_eq!(person.index(), PREFERRED_LANGUAGE_LINE.to_owned() + &line("x"));
}

#[test]
fn a_secret_that_folding_makes_whole_is_refused() {
    let person = Person::new();
    let parts = ["password:", "hunter2hunter2Xy9"].join("\n");
    person.refused(&with(&upsert("a"), "description", parts), "secret_detected");
    assert!(!person.data().exists());
}

#[test]
fn what_a_hand_wrote_is_masked_by_what_it_says_and_not_by_its_spelling() {
    let person = Person::with(&[upsert("a")]);
    let rest = "_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
    let secret = format!("ghp{rest}");
    for (name, spelled) in [("x", format!("\"gh\\x70{rest}\"")), ("y", format!("my key {secret}"))]
    {
        person.write(
            &format!("memory/{name}.md"),
            format!("---\ndescription: {spelled}\ntype: feedback\n---\n\nText.\n"),
        );
        let answer = person.read(name);
        assert!(!answer.to_string().contains(&secret), "{answer}");
        assert_eq!((&answer["type"], &answer["body"]), (&json!("feedback"), &json!("Text.")));
        person.done(&delete(name), "deleted");
        person.run(&["restore", name]).expect_code(0);
        assert!(!person.file("memory/MEMORY.md").contains(&secret));
    }
}

#[test]
fn a_long_description_of_a_hand_does_not_fill_the_index() {
    let person = Person::with(&[upsert("a")]);
    person.write("memory/x.md", "a".repeat(100_000));
    person.done(&delete("x"), "deleted");
    person.run(&["restore", "x"]).expect_code(0);
    assert!(person.file("memory/MEMORY.md").len() < 1_000);
    person.done(&upsert("b"), "created");
}

#[test]
fn a_secret_under_another_key_of_the_front_matter_is_told_by_its_rule() {
    let person = Person::new();
    let secret = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    person.write("memory/x.md", format!("---\nname: x\nkey: {secret}\n---\n\nText.\n"));
    for status in ["updated", "unchanged"] {
        let answer = person.done(&upsert("x"), status);
        let said = warnings(&answer);
        assert!(
            said.contains("front matter of `x`") && said.contains("of kind `github"),
            "{answer}"
        );
        assert!(!answer.to_string().contains(&secret), "{answer}");
    }
    person.write("memory/y.md", "---\nname: y\nkey: another\n---\n\nText.\n");
    assert_eq!(warnings(&person.done(&upsert("y"), "updated")), "");
}
