//! The tools: what is listed, what they take, what they answer.

use serde_json::{Value, json};

use super::{Client, Era};
use crate::requests::{convention, session, with_conventions};
use crate::schemas::breaches;
use crate::support::{Sandbox, replace_placeholders};

/// Words that a tool which decides would be called by.
const DECIDE: [&str; 10] = [
    "approve", "apply", "accept", "reject", "undo", "restore", "rebase", "sweep", "decide", "merge",
];

fn listed(client: &mut Client) -> Vec<Value> {
    client.request("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone()
}

fn text<'v>(tool: &'v Value, field: &str) -> &'v str {
    tool[field].as_str().unwrap()
}

#[test]
fn the_list_costs_an_agent_little() {
    let sandbox = Sandbox::new();
    let tools = listed(&mut Client::start(&sandbox, Era::Stateless));
    let size = |tool: &Value| {
        let input = tool["inputSchema"].to_string();
        text(tool, "name").chars().count() + text(tool, "description").chars().count() + input.len()
    };
    let (asked, all) =
        (tools.iter().map(size).sum::<usize>() / 4, json!(tools).to_string().len() / 4);
    assert!(asked <= 3_000, "names, descriptions and input schemas take {asked} tokens");
    assert!(all <= 4_500, "the whole list takes {all} tokens");
}

#[test]
fn names_and_schemas_are_what_every_client_reads() {
    let sandbox = Sandbox::new();
    let tools = listed(&mut Client::start(&sandbox, Era::Stateless));
    for tool in &tools {
        let name = text(tool, "name");
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(name.len() <= 40 && name.chars().all(plain) && !name.contains("__"), "{name}");
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert_eq!(schema["type"], "object", "{name}");
            for keyword in ["oneOf", "anyOf", "allOf", "$ref", "not"] {
                assert!(schema.get(keyword).is_none(), "the root of {name} has `{keyword}`");
            }
            assert!(jsonschema::draft202012::meta::is_valid(schema), "{name}");
            let text = schema.to_string();
            assert_eq!(text.matches("\"$ref\":\"").count(), text.matches("\"$ref\":\"#/").count());
        }
        let reads = name != "memory_propose_update";
        assert_eq!(tool["annotations"]["readOnlyHint"], reads, "{name}");
        assert_eq!(tool["annotations"]["openWorldHint"], false, "{name}");
    }
    assert_eq!(tools[0]["annotations"]["destructiveHint"], false);
}

#[test]
fn no_tool_approves_in_any_spelling() {
    let sandbox = Sandbox::new();
    let mut client = Client::start(&sandbox, Era::Stateless);
    let id = client.answer("memory_propose_update", convention("Errors", "They name a path."));
    let id = id["staging_id"].clone();
    let names: Vec<String> =
        listed(&mut client).iter().map(|tool| text(tool, "name").to_owned()).collect();
    for word in DECIDE {
        assert!(names.iter().all(|name| !name.contains(word)), "{names:?}");
        for form in
            ["memory_W", "memory.W", "W", "memory_W_update", "memory.W_update", "memory_W_proposal"]
        {
            let name = form.replace('W', word);
            let call = json!({"name": name, "arguments": {"id": id, "approver": "Ada"}});
            assert_eq!(client.request("tools/call", call)["error"]["code"], -32602, "{name}");
        }
    }
    for field in ["approval", "approver", "approve", "force"] {
        let mut request = convention("Names", "They are long.");
        request[field] = "Ada".into();
        let answer = client.answer("memory_propose_update", request);
        assert_eq!(answer["reason"], "invalid_request", "{answer}");
    }
    assert_eq!(client.answer("memory_status", json!({}))["pending"][0]["id"], id);
    assert!(!sandbox.file("conventions.md").contains("They name a path."));
}

#[test]
fn the_dotted_names_work_too() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Session("2025-11-25"));
    for (name, arguments) in [
        ("memory.propose_update", session("Day", "Done.")),
        ("memory.search", json!({"query": "path"})),
        ("memory.context", json!({})),
        ("memory.fetch_context", json!({"query": "path"})),
        ("memory.get", json!({"path": "conventions.md"})),
        ("memory.status", json!({})),
    ] {
        client.answer(name, arguments);
    }
}

#[test]
fn the_examples_of_the_description_are_good_requests() {
    let pitfall = "# Clock skew\n<!-- @id: clock-skew -->\n\nOld.\n";
    let sandbox = Sandbox::given(&[("pitfalls/clock-skew.md", pitfall)]);
    sandbox.write_project("Cargo.toml", "[package]\n");
    sandbox.write_project("src/auth.rs", "// line\n".repeat(50));
    let mut client = Client::start(&sandbox, Era::Stateless);
    let about = text(&listed(&mut client)[0], "description").to_owned();
    let mut intents = Vec::new();
    for line in about.lines().filter(|line| line.starts_with("{\"intent\"")) {
        let example = line.rsplit_once('}').unwrap().0.to_owned() + "}";
        let mut request: Value = serde_json::from_str(&example).unwrap();
        intents.push(request["intent"].as_str().unwrap().to_owned());
        if request["intent"] == "add_pitfall" {
            request["operations"][0]["heading"] = "Another".into();
        }
        let answer = client.answer("memory_propose_update", request);
        assert_ne!(answer["status"], "rejected", "{example}: {answer}");
    }
    assert_eq!(intents.len(), 6, "{intents:?}");
}

#[test]
fn answers_are_what_the_output_schemas_say() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    let tools = listed(&mut client);
    let missing = json!({"intent": "session_log", "operations": []});
    let calls = [
        (0, session("Day", "Done.")),
        (0, convention("Paths", "They are short.")),
        (0, missing),
        (1, json!({"query": "path", "limit": 3})),
        (1, json!({"query": "paht"})),
        (2, json!({})),
        (3, json!({"path": "conventions.md"})),
        (4, json!({})),
    ];
    for (number, arguments) in calls {
        let tool = &tools[number];
        let takes = jsonschema::draft202012::new(&tool["inputSchema"]).unwrap();
        if arguments["operations"] != json!([]) {
            assert_eq!(breaches(&takes, &arguments), Vec::<String>::new());
        }
        let answer = client.answer(text(tool, "name"), arguments);
        let answers = jsonschema::draft202012::new(&tool["outputSchema"]).unwrap();
        assert_eq!(breaches(&answers, &answer), Vec::<String>::new(), "{answer}");
    }
}

#[test]
fn a_search_is_narrowed_and_sorted_as_at_a_terminal() {
    let sandbox = with_conventions();
    sandbox.write("sessions/2026-11-19.md", "# 2026-11-19\n\n## Work\n\nThe path was long.\n");
    let mut client = Client::start(&sandbox, Era::Stateless);
    for (name, value) in [
        ("until", json!("2026-11-19")),
        ("since", json!("last week")),
        ("sort", json!("time")),
        ("confidence", json!("unknown")),
        ("freshness", json!("fresh")),
        ("offset", json!(1)),
        ("limit", json!(100)),
    ] {
        let text = value.as_str().map_or(value.to_string(), str::to_owned);
        let option = format!("--{name}");
        let mut told =
            sandbox.run(&["search", "--json", "path", &option, &text]).expect_code(0).json();
        told.as_object_mut().unwrap().remove("schema_version");
        let mut arguments = json!({"query": "path"});
        arguments[name] = value;
        assert_eq!(client.answer("memory_search", arguments), told, "{name}");
    }
    for (name, value) in [
        ("limit", json!(0)),
        ("limit", json!(-1)),
        ("since", json!("soon")),
        ("sort", json!("size")),
        ("confidence", json!("sure")),
        ("freshness", json!("old")),
    ] {
        let text = value.as_str().map_or(value.to_string(), str::to_owned);
        sandbox.run(&["search", "path", &format!("--{name}={text}")]).expect_code(2);
        let mut arguments = json!({"query": "path"});
        arguments[name] = value;
        let result = client.call("memory_search", arguments);
        assert_eq!(result["isError"], true, "{result}");
        assert!(result["structuredContent"]["error"]["hint"].is_string(), "{result}");
    }
}

#[test]
fn an_answer_has_a_hundred_results_at_most() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    let tools = listed(&mut client);
    let search = tools.iter().find(|tool| text(tool, "name") == "memory_search").unwrap();
    let limit = &search["inputSchema"]["properties"]["limit"];
    assert_eq!((&limit["minimum"], &limit["maximum"]), (&json!(1), &json!(100)), "{limit}");
    for more in [json!(101), json!(100_000), json!(u64::MAX)] {
        let result = client.call("memory_search", json!({"query": "path", "limit": more}));
        let error = &result["structuredContent"]["error"];
        let expected = "`limit`: expected a whole number from 1 to 100, found the number";
        assert_eq!(error["message"], format!("{expected} {more}"), "{result}");
    }
}

#[test]
fn a_search_that_finds_nothing_says_what_was_probably_meant() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    let answer = client.answer("memory_search", json!({"query": "paht"}));
    assert_eq!(answer, json!({"results": [], "warnings": [], "suggestion": "path"}));
}

#[test]
fn a_search_that_finds_nothing_says_what_to_do() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    for (narrowed, hint) in [
        (json!({"query": "path", "file": "nowhere.md"}), "no file of the store fits `nowhere.md`"),
        (json!({"query": "path", "sort": "time", "offset": 100}), "in the order of time"),
    ] {
        let answer = client.answer("memory_search", narrowed);
        assert!(text(&answer, "hint").starts_with(hint), "{answer}");
    }
}

#[test]
fn a_rejection_is_an_answer_and_only_could_not_is_an_error() {
    let sandbox = Sandbox::new();
    let mut client = Client::start(&sandbox, Era::Stateless);
    let secret = replace_placeholders("The key is {{AWS_KEY}}.");
    let answer = client.answer("memory_propose_update", session("Keys", &secret));
    assert_eq!(
        (&answer["status"], &answer["reason"]),
        (&"rejected".into(), &"secret_detected".into())
    );
    for (tool, arguments) in [
        ("memory_get", json!({"path": "nothing.md"})),
        ("memory_get", json!({"path": "decisions.md", "section_id": "nothing"})),
        ("memory_get", json!({"pth": "decisions.md"})),
        ("memory_search", json!({"query": "x", "category": "nothing"})),
        ("memory_search", json!({"query": 7})),
        ("memory_search", json!({"query": "x", "offset": 10_001})),
        ("memory_status", json!({"verbose": true})),
    ] {
        let result = client.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        assert!(result["structuredContent"]["error"]["hint"].is_string(), "{result}");
    }
    let told = client.request("tools/call", json!({"name": replace_placeholders("{{AWS_KEY}}")}));
    assert!(!told.to_string().contains(&replace_placeholders("{{AWS_KEY}}")), "{told}");
}

#[test]
fn the_same_request_gets_the_same_answer_as_on_the_command_line() {
    let (one, other) = (Sandbox::new(), Sandbox::new());
    let request = convention("Errors", "They name a path.");
    let mut client = Client::start(&one, Era::Stateless);
    let mut answer = client.answer("memory_propose_update", request.clone());
    answer["schema_version"] = json!(1); // as every document of the command line
    assert_eq!(answer, other.propose(request).value);
}
