//! `user call`, and the documents of all commands.

use std::cell::RefCell;

use serde_json::{Value, json};

use super::{Person, delete, line, preferred_language, read, upsert};
use crate::documents::schema;
use crate::schemas::breaches;

#[test]
fn a_request_names_its_tool_or_is_one_of_update() {
    let person = Person::new();
    let named = |tool: &str, arguments: Value| json!({ "tool": tool, "arguments": arguments });
    person.done(&upsert("a"), "created");
    person.done(&named("update_user_memory", upsert("b")), "created");
    person.done(&named("UpdateUserMemory", upsert("c")), "created");
    assert_eq!(person.index(), line("a") + &line("b") + &line("c"));
    for tool in ["read_user_memory", "ReadUserMemory"] {
        let answer = person.call(&named(tool, json!({ "name": "b" })));
        assert_eq!((&answer["description"], answer.code), (&json!("What b is about"), 0));
        assert!(answer["text"].as_str().unwrap().ends_with("\n\nThe text of b."));
    }
}

#[test]
fn a_field_that_is_null_is_absent() {
    let person = Person::new();
    let mut request = upsert("a");
    request["if_hash"] = Value::Null;
    person.done(&request, "created");
    let delete = json!({
        "action": "delete", "name": "a", "type": null, "description": null, "body": null,
    });
    let answer = person.done(&delete, "deleted");
    assert_eq!(answer["warnings"], json!([]));
    let index = json!({ "tool": "read_user_memory", "arguments": { "name": null } });
    assert_eq!(person.call(&index)["path"], "memory/MEMORY.md");
    let no_arguments = json!({ "tool": "read_user_memory", "arguments": null });
    assert_eq!(person.call(&no_arguments)["path"], "memory/MEMORY.md");
    let no_tool = json!({ "tool": null, "arguments": upsert("a") });
    person.refused(&no_tool, "invalid_request");
}

#[test]
fn a_request_that_is_none_is_refused() {
    let person = Person::with(&[preferred_language()]);
    let not_objects = ["", " ", "null", "[]", "\"text\"", "1", "{", "{}}", "{\"action\": upsert}"];
    for bytes in not_objects {
        person.refused_bytes(bytes, "invalid_request");
    }
    person.refused_bytes(
        b"{\"action\": \"upsert\", \"name\": \"caf\xe9\"}".to_vec(),
        "invalid_request",
    );
    person.refused_bytes("[".repeat(100_000), "invalid_request");
    for request in [json!({}), json!({ "tool": "update_user_memory" })] {
        let answer = person.refused(&request, "invalid_request");
        assert_eq!(answer["message"], "`action` is missing");
    }
    person.refused(&json!({ "action": "upsert" }), "invalid_request");
}

#[test]
fn a_byte_order_mark_before_a_request_is_skipped() {
    let person = Person::new();
    let answer = person.call_bytes(format!("\u{feff}{}", upsert("a")));
    assert_eq!((&answer["status"], answer.code), (&json!("created"), 0));
}

#[test]
fn a_key_that_stands_twice_is_refused() {
    let person = Person::with(&[preferred_language()]);
    let doubled = |key: &str| {
        let request = upsert("x").to_string();
        request.replacen('{', &format!("{{\"{key}\": \"y\", "), 1)
    };
    for key in ["name", "body", "type", "action"] {
        let answer = person.refused_bytes(doubled(key), "invalid_request");
        assert!(answer["message"].as_str().unwrap().contains(key), "{answer}");
    }
    let inside =
        format!("{{\"tool\": \"update_user_memory\", \"arguments\": {}}}", doubled("name"));
    person.refused_bytes(inside, "invalid_request");
    let tools =
        "{\"tool\": \"read_user_memory\", \"tool\": \"update_user_memory\", \"arguments\": {}}";
    person.refused_bytes(tools, "invalid_request");
}

#[test]
fn an_unknown_tool_is_refused_with_the_one_that_is_meant() {
    let person = Person::with(&[preferred_language()]);
    let request = |tool: Value| json!({ "tool": tool, "arguments": upsert("x") });
    let answer = person.refused(&request(json!("update_user_memry")), "invalid_request");
    assert!(answer["message"].as_str().unwrap().contains("update_user_memory"), "{answer}");
    for tool in [json!("propose_update"), json!(""), json!(1), json!([])] {
        person.refused(&request(tool), "invalid_request");
    }
}

#[test]
fn an_unknown_or_mistyped_field_is_refused_by_name() {
    let person = Person::with(&[preferred_language()]);
    for (field, value) in [("content", json!("x")), ("body", json!(1)), ("name", json!(["x"]))] {
        let answer = person.refused(&super::with(&upsert("x"), field, value), "invalid_request");
        assert!(answer["message"].as_str().unwrap().contains(field), "{answer}");
    }
    let arguments = [json!("text"), json!([]), json!(7)];
    for arguments in arguments {
        for tool in ["update_user_memory", "read_user_memory"] {
            person.refused(&json!({ "tool": tool, "arguments": arguments }), "invalid_request");
        }
    }
    let beside = json!({ "tool": "read_user_memory", "arguments": {}, "name": "x" });
    person.refused(&beside, "invalid_request");
}

#[test]
fn a_request_beyond_all_limits_is_too_large() {
    let person = Person::with(&[preferred_language()]);
    let body = "word ".repeat(250_000);
    person.refused(&super::with(&upsert("x"), "body", body), "too_large");
}

#[test]
fn a_command_is_refused_like_the_tool_and_says_it_in_words() {
    let person = Person::with(&[preferred_language()]);
    let arguments = ["upsert", "a.md", "--type", "user", "--description", "d"];
    let run = |json: &[&str]| {
        let call = person.prepare(&[&arguments[..], json].concat());
        call.env("AGENT_MEMORY_USER", "ada").stdin("Text.").run().expect_code(1)
    };
    let reply = run(&[]);
    assert_eq!(reply.stdout, "");
    assert!(reply.stderr.contains("[invalid_name]") && reply.stderr.contains("hint: "));
    let answer = run(&["--json"]).json();
    assert_eq!(
        (&answer["status"], &answer["reason"]),
        (&json!("rejected"), &json!("invalid_name"))
    );
}

#[test]
fn the_body_of_an_upsert_comes_from_stdin_or_a_file() {
    let person = Person::new();
    let arguments = ["upsert", "a", "--type", "user", "--description", "d"];
    let call = |more: &[&str]| {
        person.prepare(&[&arguments[..], more].concat()).env("AGENT_MEMORY_USER", "ada")
    };
    call(&[]).stdin("From stdin.").run().expect_code(0);
    assert_eq!(person.body("a"), "From stdin.\n");
    person.sandbox.write_project("body.md", "From a file.\n\nMore.\n");
    call(&["--file", "body.md"]).run().expect_code(0);
    assert_eq!(person.body("a"), "From a file.\n\nMore.\n");
    call(&["--file", "-"]).stdin("From stdin again.").run().expect_code(0);
    assert_eq!(person.body("a"), "From stdin again.\n");
    call(&["--file", "absent.md"]).run().expect_code(2);
    call(&[]).stdin(b"caf\xe9".to_vec()).run().expect_code(2);
    assert_eq!(person.body("a"), "From stdin again.\n");
}

#[test]
fn every_document_keeps_the_schema_of_the_command() {
    let person = Person::new();
    let schema = schema(&person.sandbox, "user");
    let seen = RefCell::new(Vec::new());
    let keeps = |what: &str, document: Value| {
        let found = breaches(&schema, &document);
        assert_eq!(found, Vec::<String>::new(), "{what}: {document:#}");
        assert_eq!(document["schema_version"], 1, "{what}");
        seen.borrow_mut().push(what.to_owned());
    };
    let run = |line: &str| {
        let words: Vec<&str> = line.split(' ').chain(["--json"]).collect();
        keeps(line, person.run(&words).json());
    };
    let lines = ["list", "read", "read a", "log", "log --verify", "path", "restore a", "delete a"];
    lines.iter().for_each(|line| run(line));
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let requests = [
        upsert("a"),
        upsert("a"),
        super::with(&upsert("a"), "body", "Another."),
        super::with(&upsert("a"), "body", token),
        super::with(&upsert("a"), "body", "\u{202e}"),
        read("a"),
        read("absent"),
        json!({ "tool": "read_user_memory" }),
        delete("absent"),
        json!({ "action": "upsert", "name": "a" }),
        json!([]),
    ];
    for request in requests {
        keeps(&request.to_string(), person.call(&request).value);
    }
    person.write("memory/by-hand.md", "---\nname: [\n---\n");
    lines.iter().for_each(|line| run(line));
    run("restore a");
    run("log");
    run("--as bob list");
    run("list --type note");
    assert!(seen.into_inner().len() > 20);
}
