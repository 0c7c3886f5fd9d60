//! Arguments as clients really send them, and what is said of those that are wrong.

use serde_json::{Value, json};

use super::{Client, Era};
use crate::requests::{session, with_conventions};

#[test]
fn arguments_that_can_only_mean_one_thing_are_understood() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    for (tool, given, plain) in [
        (
            "memory_search",
            json!({"query": "path", "limit": "1"}),
            json!({"query": "path", "limit": 1}),
        ),
        (
            "memory_search",
            json!({"query": "path", "limit": 1.0, "include_archived": "false", "offset": null, "since": "", "category": ""}),
            json!({"query": "path", "limit": 1}),
        ),
        ("memory_context", json!({"budget": "900"}), json!({"budget": 900})),
        (
            "memory_context",
            json!({"scope": "src/auth/refresh.rs"}),
            json!({"scope": ["src/auth/refresh.rs"]}),
        ),
        (
            "memory_context",
            json!({"scope": "[\"src/auth/refresh.rs\"]", "changed": "false"}),
            json!({"scope": ["src/auth/refresh.rs"]}),
        ),
    ] {
        assert_eq!(
            client.answer(tool, given.clone()),
            client.answer(tool, plain),
            "{tool} {given}"
        );
    }
    let mut request = session("Today", "Done.");
    request["operations"] = request["operations"].to_string().into();
    assert_eq!(client.answer("memory_propose_update", request)["status"], "applied");
    let all = json!({"query": "path"}).to_string();
    let answer = client.request("tools/call", json!({"name": "memory_search", "arguments": all}));
    assert!(answer["result"]["structuredContent"]["results"].is_array(), "{answer}");
}

#[test]
fn a_refusal_names_the_field_what_was_found_and_what_is_allowed() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    for (tool, given, expected) in [
        (
            "memory_search",
            json!({"query": "x", "limit": "many"}),
            "`limit`: expected a whole number from 1 to 100, found the string `many`",
        ),
        (
            "memory_search",
            json!({"query": "x", "limit": 0}),
            "`limit`: expected a whole number from 1 to 100, found the number 0",
        ),
        ("memory_search", json!({}), "`query` is required: a text"),
        (
            "memory_search",
            json!({"query": "x", "sort": "size"}),
            "`sort`: expected one of `score`, `time`, found the string `size`",
        ),
        (
            "memory_search",
            json!({"query": "x", "limt": 5}),
            "unknown field `limt`, did you mean `limit`?",
        ),
        (
            "memory_context",
            json!({"budget": -1, "changed": "perhaps"}),
            "`budget`: expected a whole number from 0, found the number -1; `changed`: expected true or false",
        ),
        (
            "memory_context",
            json!({"scope": ["src", null]}),
            "`scope/1`: expected a text, found null",
        ),
        ("memory_get", json!({"path": 5}), "`path`: expected a text, found the number 5"),
        ("memory_status", json!({"verbose": true}), "unknown field `verbose`"),
    ] {
        let error = client.call(tool, given)["structuredContent"]["error"].clone();
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.contains(expected), "{tool}: {error}");
        assert_eq!(error["code"], "usage");
        for ours in ["usize", "NonZero", "struct", "invalid type", "expected u"] {
            assert!(!message.contains(ours), "{message}");
        }
    }
}

#[test]
fn an_owner_that_is_an_object_in_a_string_is_one() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    let mut request = session("Today", "Done.");
    request["owner"] = json!({"id": "ada", "kind": "agent"}).to_string().into();
    client.answer("memory_propose_update", request);
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    let owner: &Value = &log["decisions"][0]["owner"];
    assert!(owner.to_string().contains("ada") && !owner.to_string().contains('\\'), "{log}");
}

#[test]
fn a_section_is_read_by_the_name_that_answers_give_it() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    let plain =
        client.answer("memory_get", json!({"path": "conventions.md", "section_id": "errors"}));
    assert_eq!(plain["sections"].as_array().unwrap().len(), 1, "{plain}");
    for given in [
        json!({"path": "conventions.md#errors"}),
        json!({"path": "conventions.md#errors", "section_id": "errors"}),
        json!({"path": "conventions.md#errors", "section_id": ""}),
    ] {
        assert_eq!(client.answer("memory_get", given.clone()), plain, "{given}");
    }
}

#[test]
fn a_call_that_cannot_be_read_says_what_it_needs() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    for (params, expected) in [
        (
            json!({"name": "memory_serch", "arguments": {}}),
            "there is no tool `memory_serch`, did you mean `memory_search`?; there are `memory_propose_update`",
        ),
        (
            json!({"name": "memory_search", "arguments": "path"}),
            "`arguments` of `tools/call`: expected an object, found the string `path`",
        ),
        (
            json!({"name": "memory_search", "arguments": "{\"query\": \"a\", \"query\": \"b\"}"}),
            "the key `query` stands twice",
        ),
        (json!({"arguments": {}}), "`name` of `tools/call` is required"),
        (json!({"name": 5}), "expected the name of a tool, found the number 5"),
    ] {
        let answer = client.request("tools/call", params.clone());
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(expected), "{params}: {answer}");
    }
    let answer = client.request("resources/read", json!({})).to_string();
    assert!(answer.contains("`uri` of `resources/read` is required"), "{answer}");
    let wrong = json!({"query": "x", "since": "someday"});
    let answer = client.request("tools/call", json!({"name": "memory_search", "arguments": wrong}));
    assert!(answer.to_string().contains("`someday` is no time for `since`"), "{answer}");
}

#[test]
fn an_empty_text_is_absent_where_a_field_may_be_left_out() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    let mut request = session("Today", "Done.");
    request["owner"] = "".into();
    request["confidence"] = "".into();
    request["rationale"] = "".into();
    for field in ["path", "section_id", "parent_section_id", "if_exists"] {
        request["operations"][0][field] = "".into();
    }
    assert_eq!(client.answer("memory_propose_update", request)["status"], "applied");
}

#[test]
fn a_request_that_says_nothing_or_is_no_object_is_told_how_to_be_one() {
    let sandbox = with_conventions();
    for content in ["", " \n"] {
        let mut request = session("Today", content);
        request["intent"] = "add_pitfall".into();
        let said = sandbox.propose(request);
        assert!(said.value.to_string().contains("`content` is empty: give the text"));
    }
    let mut request = session("Today", "Done.");
    request["sources"] = json!(["what ada said"]);
    let said = sandbox.propose(request).value.to_string();
    assert!(
        said.contains("expected an object, e.g. `{") && said.contains("src/auth.rs:1-40"),
        "{said}"
    );
    let twice =
        r#"{"intent": "session_log", "operations": "[{\"heading\": \"a\", \"heading\": \"b\"}]"}"#;
    let said = sandbox.propose_bytes(twice).value.to_string();
    assert!(said.contains("the key `heading` stands twice"), "{said}");
}
