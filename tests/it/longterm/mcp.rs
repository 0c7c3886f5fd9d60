//! `mcp --ltm`: the two tools as an agent's client sees them, in both eras.

use serde_json::{Value, json};

use super::world::{World, context, of, shared};
use crate::mcp::{Client, Era};
use crate::schemas::breaches;

const BOTH: [Era; 2] = [Era::Stateless, Era::Session("2025-11-25")];
const UPDATE: &str = "update_long_term_memory";
const CREATE: &str = "create_long_term_memory";

fn start(world: &World, options: &[&str], era: Era) -> Client {
    let data = world.data().display().to_string();
    let words = [&["mcp", "--ltm", "--data", &data], options].concat();
    Client::with(&world.sandbox, &words, era)
}

/// Calls a tool with a context beside the arguments.
fn call(client: &mut Client, tool: &str, context: &Value, arguments: Value) -> Value {
    let params = json!({
        "name": tool, "arguments": arguments, "_meta": {"agent-memory/context": context},
    });
    client.request("tools/call", params)["result"].clone()
}

fn status(result: &Value) -> &str {
    result["structuredContent"]["data"]["status"].as_str().unwrap()
}

#[test]
fn two_tools_are_listed_with_their_arguments() {
    for era in BOTH {
        let world = World::empty();
        let mut client = start(&world, &[], era);
        let listed = client.request("tools/list", json!({}))["result"].clone();
        let tools = listed["tools"].as_array().unwrap();
        let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, [&json!(UPDATE), &json!(CREATE)]);
        let arguments = |tool: &Value| -> Vec<String> {
            tool["inputSchema"]["properties"].as_object().unwrap().keys().cloned().collect()
        };
        assert_eq!(arguments(&tools[0]), ["memory_content", "memory_id", "target_user"]);
        assert_eq!(tools[0]["inputSchema"]["required"], json!(["memory_id", "memory_content"]));
        assert_eq!(arguments(&tools[1]), ["memory_content", "memory_scope", "target_user"]);
        assert_eq!(tools[0]["annotations"]["destructiveHint"], true);
        assert_eq!(client.finish(), (Some(0), String::new(), String::new()));
        // Who only lists the tools leaves no database.
        assert!(!world.data().join("longterm.sqlite").exists());
    }
}

#[test]
fn a_call_changes_what_the_context_allows() {
    for era in BOTH {
        let world = World::new();
        let mut client = start(&world, &[], era);
        let listed = client.request("tools/list", json!({}))["result"].clone();
        let schema = jsonschema::draft202012::new(&listed["tools"][0]["outputSchema"]).unwrap();
        let mut ask = |tool: &str, arguments: Value| {
            let result = call(&mut client, tool, &context(), arguments);
            assert_eq!(result["isError"], false, "{result}");
            let text = result["content"][0]["text"].as_str().unwrap();
            let text: Value = serde_json::from_str(text).unwrap();
            assert_eq!(text, result["structuredContent"]);
            assert_eq!(breaches(&schema, &text), Vec::<String>::new(), "{text}");
            result
        };
        let updated = ask(UPDATE, shared(1, "two\nlines"));
        assert_eq!(status(&updated), "memory_updated_successfully");
        assert_eq!(updated["structuredContent"]["data"]["content_saved"], "two\nlines");
        assert_eq!(world.content(1).as_deref(), Some("two\nlines"));
        // A denial is an answer.
        for (arguments, expected) in [
            (of(6, "x", "Cy"), "memory_update_failed_privacy_restricted"),
            (shared(99, "x"), "memory_update_failed_not_found"),
            (shared("1", "x"), "memory_update_failed_invalid_args"),
            (
                json!({"memory_id": 1, "memory_content": "x", "context": {}}),
                "memory_update_failed_invalid_args",
            ),
        ] {
            assert_eq!(status(&ask(UPDATE, arguments)), expected);
        }
        let new = json!({"memory_content": "new", "memory_scope": "server_wide"});
        assert_eq!(status(&ask(CREATE, new)), "memory_saved_successfully");
        assert_eq!(status(&ask(UPDATE, of(2, "", "Ada"))), "memory_deleted_successfully");
        assert_eq!(client.finish().0, Some(0));
        assert_eq!((world.content(2), world.content(10).as_deref()), (None, Some("new")));
    }
}

#[test]
fn only_a_call_that_cannot_be_answered_is_an_error() {
    let world = World::new();
    let mut client = start(&world, &[], Era::Stateless);
    for context in [json!(null), json!({}), json!("x")] {
        let result = call(&mut client, UPDATE, &context, shared(1, "x"));
        assert_eq!(
            (&result["isError"], status(&result)),
            (&json!(true), "memory_update_failed_internal_error")
        );
    }
    assert_eq!(client.finish().0, Some(0));
    assert_eq!(world.content(1).as_deref(), Some("Meetings are on Fridays"));
    let broken = World::empty();
    std::fs::create_dir(broken.data()).unwrap();
    std::fs::write(broken.data().join("longterm.sqlite"), "no database ".repeat(600)).unwrap();
    let data = broken.data().display().to_string();
    broken.sandbox.run(&["mcp", "--ltm", "--data", &data]).expect_code(2);
}

#[test]
fn a_host_with_one_conversation_gives_its_context_once() {
    let world = World::new();
    world.sandbox.write_project("context.json", context().to_string());
    let mut client = start(&world, &["--context", "context.json"], Era::Stateless);
    let answer = client.answer(UPDATE, shared(1, "x"));
    assert_eq!(answer["data"]["status"], "memory_updated_successfully");
    // That of the call counts before it.
    let mut other = context();
    other["server"]["id"] = json!("s2");
    let result = call(&mut client, UPDATE, &other, shared(1, "y"));
    assert_eq!(status(&result), "memory_update_failed_not_found");
    assert_eq!(client.finish().0, Some(0));
}

#[test]
fn a_tenant_is_named_at_the_start() {
    let world = World::new();
    let mut client = start(&world, &["--tenant", "other"], Era::Stateless);
    let result = call(&mut client, UPDATE, &context(), shared(1, "x"));
    assert_eq!(status(&result), "memory_update_failed_not_found");
    assert_eq!(client.finish().0, Some(0));
    let data = world.data().display().to_string();
    for words in
        [&["--service", "--ltm"][..], &["--user", "--ltm"], &["--context", "x"], &["--tenant", "x"]]
    {
        world.sandbox.run(&[&["mcp", "--data", &data], words].concat()).expect_code(2);
    }
}
