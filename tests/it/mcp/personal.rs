//! The tools of personal memory, in both eras.

use serde_json::{Value, json};

use super::{Client, Era};
use crate::schemas::breaches;
use crate::support::Sandbox;

const MCP: [&str; 4] = ["mcp", "--user", "--as", "ada"];

fn preferred_language() -> Value {
    json!({
        "action": "upsert",
        "name": "preferred-language",
        "type": "user",
        "description": "User prefers Japanese output",
        "body": "Always respond in Japanese."
    })
}

fn listed(client: &mut Client) -> Vec<Value> {
    client.request("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone()
}

fn call(client: &mut Client, tool: &str, arguments: Value) -> Value {
    client.request("tools/call", json!({"name": tool, "arguments": arguments}))["result"].clone()
}

#[test]
fn an_entry_is_written_and_read_in_both_eras() {
    for era in [Era::Stateless, Era::Session("2025-11-25")] {
        let sandbox = Sandbox::without_git();
        let mut client = Client::with(&sandbox, &MCP, era);
        let written = call(&mut client, "update_user_memory", preferred_language());
        assert_eq!(written["structuredContent"]["status"], "created", "{written}");
        let read = call(&mut client, "read_user_memory", json!({"name": "preferred-language"}));
        let text = "# Memory: preferred-language\n**Type**: user\n**Description**: User prefers Japanese output\n\nAlways respond in Japanese.";
        assert_eq!((&read["content"][0]["text"], &read["isError"]), (&json!(text), &json!(false)));
        assert_eq!(read["structuredContent"]["text"], text);
        let index = call(&mut client, "ReadUserMemory", json!({}));
        let line = "- [preferred-language](preferred-language.md) — User prefers Japanese output";
        assert_eq!(index["content"][0]["text"], line);
    }
}

#[test]
fn a_refusal_is_an_answer_and_names_no_other_person() {
    let sandbox = Sandbox::without_git();
    let mut ada = Client::with(&sandbox, &MCP, Era::Stateless);
    call(&mut ada, "UpdateUserMemory", preferred_language());
    let mut bob = Client::with(&sandbox, &["mcp", "--user", "--as", "bob"], Era::Stateless);
    let read = call(&mut bob, "read_user_memory", json!({"name": "preferred-language"}));
    assert_eq!(read["isError"], false);
    assert_eq!(read["structuredContent"]["reason"], "entry_not_found");
    let mut request = preferred_language();
    request["user_id"] = json!("ada");
    let refused = call(&mut bob, "update_user_memory", request);
    assert_eq!(refused["structuredContent"]["reason"], "invalid_request");
}

#[test]
fn without_a_person_each_call_says_so() {
    let sandbox = Sandbox::without_git();
    let mut command = sandbox.process(&["mcp", "--user"]);
    command.env("AGENT_MEMORY_USER", "");
    let mut client = Client::over(command, Era::Stateless);
    for tool in ["update_user_memory", "read_user_memory"] {
        let answer = call(&mut client, tool, json!({}));
        assert_eq!(answer["structuredContent"]["reason"], "user_required", "{answer}");
    }
}

#[test]
fn the_tools_are_listed_where_a_person_is_given_and_cost_little() {
    let sandbox = Sandbox::new();
    let without = listed(&mut Client::start(&sandbox, Era::Stateless));
    let mut client = Client::with(&sandbox, &MCP, Era::Stateless);
    let tools = listed(&mut client);
    assert_eq!(tools.len(), without.len() + 2);
    let tokens = json!(tools).to_string().chars().count() / 4;
    assert!(tokens <= 5_500, "the whole list takes {tokens} tokens");
    let answers = [
        ("update_user_memory", preferred_language()),
        ("update_user_memory", json!({"action": "delete", "name": "absent"})),
        ("update_user_memory", json!({"action": "upsert", "name": "a"})),
        ("read_user_memory", json!({"name": "preferred-language"})),
        ("read_user_memory", json!({})),
        ("read_user_memory", json!({"name": "absent"})),
    ];
    for (name, arguments) in answers {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert_eq!(schema["type"], "object");
        }
        let mut schema = tool["outputSchema"].clone();
        schema["additionalProperties"] = json!(false);
        let schema = jsonschema::draft202012::new(&schema).unwrap();
        let answer = call(&mut client, name, arguments);
        assert_eq!(breaches(&schema, &answer["structuredContent"]), Vec::<String>::new());
    }
}

#[test]
fn the_settings_of_a_person_offer_the_tools_too() {
    let sandbox = Sandbox::without_git();
    sandbox.write_user_config("[user]\nid = \"ada\"\ntools = true\n");
    let mut client = Client::start(&sandbox, Era::Stateless);
    let written = call(&mut client, "update_user_memory", preferred_language());
    assert_eq!(written["structuredContent"]["status"], "created", "{written}");
    let path = sandbox.run(&["user", "path", "--as", "ada", "--json"]).json();
    assert!(path["path"].as_str().unwrap().ends_with("/users/ada"), "{path}");
}

#[test]
fn an_agent_that_asks_for_context_reads_the_index_where_the_tools_are_on() {
    let sandbox = Sandbox::new();
    let mut client = Client::with(&sandbox, &MCP, Era::Stateless);
    call(&mut client, "update_user_memory", preferred_language());
    let text = |client: &mut Client, arguments: Value| {
        call(client, "memory_context", arguments)["structuredContent"]["text"].to_string()
    };
    let index = "- [preferred-language](preferred-language.md) — User prefers Japanese output";
    assert!(text(&mut client, json!({})).contains(index));
    assert!(!text(&mut client, json!({"query": "language"})).contains(index));
    let mut plain = Client::with(&sandbox, &["mcp"], Era::Stateless);
    assert!(!text(&mut plain, json!({})).contains(index));
}

#[test]
fn the_instructions_name_the_tools_of_the_user_where_there_are_some() {
    let sandbox = Sandbox::new();
    for (arguments, is_told) in [(&MCP[..], true), (&["mcp"], false)] {
        let mut client = Client::over(sandbox.process(arguments), Era::Stateless);
        let discovered = client.request("server/discover", json!({}))["result"].to_string();
        assert!(discovered.contains("memory_context"), "{discovered}");
        assert_eq!(discovered.contains("read_user_memory"), is_told, "{discovered}");
    }
}
