//! The tools of the memory service: what there is, links, deletions, refusals, tenants.

use serde_json::{Value, json};

use super::Era;
use super::service_agent::Agent;
use crate::support::{Sandbox, replace_placeholders};

const BOTH: [Era; 2] = [Era::Stateless, Era::Session("2025-11-25")];

#[test]
fn six_tools_are_listed_in_place_of_those_of_the_project() {
    for era in BOTH {
        let sandbox = Sandbox::without_git();
        let mut agent = Agent::with(&sandbox, &[], era);
        let listed = agent.request("tools/list");
        assert_eq!(listed, agent.request("tools/list"));
        let tools = listed["tools"].as_array().unwrap();
        let hints: Vec<(&str, bool, bool, bool)> = tools
            .iter()
            .map(|tool| {
                let hint = |name: &str| tool["annotations"][name].as_bool().unwrap();
                let name = tool["name"].as_str().unwrap();
                (name, hint("readOnlyHint"), hint("destructiveHint"), hint("idempotentHint"))
            })
            .collect();
        let expected = [
            ("store_memory", false, false, false),
            ("recall_memory", true, false, true),
            ("associate_memories", false, false, true),
            ("update_memory", false, false, true),
            ("delete_memory", false, true, true),
            ("check_database_health", true, false, true),
        ];
        assert_eq!(hints, expected);
        let tokens = json!(tools).to_string().chars().count() / 4;
        assert!(tokens <= 6_000, "the list takes {tokens} tokens");
        for (method, list) in [("resources/list", "resources"), ("prompts/list", "prompts")] {
            assert_eq!(agent.request(method)[list], json!([]));
        }
        agent.finish();
    }
}

#[test]
fn memories_are_linked_one_by_one_and_in_a_list() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    let one = agent.store("The login failed on special characters.", &["auth"]);
    let other = agent.store("Added a validator for the login.", &["auth"]);
    let pair = json!({
        "memory1_id": other, "memory2_id": one, "type": "derived_from", "strength": "0.9",
        "transformation": "fix",
    });
    assert_eq!(agent.answer("associate_memories", pair)["success"], true);
    let absent = "00000000-0000-4000-8000-000000000000";
    let list = json!({"associations": [
        {"memory1_id": one, "memory2_id": other, "type": "LEADS_TO", "strength": 0.7},
        {"memory1_id": one, "memory2_id": absent, "type": "LEADS_TO", "strength": 0.7},
    ]});
    let answer = agent.answer("associate_memories", list);
    assert_eq!(
        (&answer["success"], &answer["created_count"], &answer["failed"][0]["index"]),
        (&json!(false), &json!(1), &json!(1)),
        "{answer}"
    );
    let detailed = json!({"query": "validator", "format": "detailed"});
    let found = agent.call("recall_memory", detailed);
    let text = found["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("link: DERIVED_FROM 0.9"), "{text}");
    let weak = json!({"memory1_id": one, "memory2_id": other, "type": "LEADS_TO"});
    let text = agent.refused("associate_memories", weak);
    assert!(text.contains("field: strength") && text.contains("from 0 to 1"), "{text}");
}

#[test]
fn an_update_merges_metadata_and_leaves_the_rest() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    let first =
        json!({"content": "Early returns.", "tags": ["style"], "metadata": {"a": 1, "b": 2}});
    let id = agent.answer("store_memory", first)["memory_id"].clone();
    let change = json!({"memory_id": id, "importance": "0.9", "metadata": {"a": null, "c": 3}});
    assert_eq!(agent.answer("update_memory", change)["memory_id"], id);
    let memory = agent.answer("recall_memory", json!({"memory_id": id}))["results"][0].clone();
    assert_eq!(memory["metadata"], json!({"b": 2, "c": 3}));
    assert_eq!(
        (&memory["content"], &memory["importance"], &memory["tags"]),
        (&json!("Early returns."), &json!(0.9), &json!(["style"]))
    );
    agent.refused("update_memory", json!({"memory_id": id}));
}

#[test]
fn a_deletion_can_be_repeated() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    let id = agent.store("A duplicate.", &["old"]);
    let first = agent.answer("delete_memory", json!({"memory_id": id}));
    assert_eq!(first, json!({"memory_id": id, "message": format!("Memory {id} deleted")}));
    let second = agent.answer("delete_memory", json!({"memory_id": id}));
    assert_eq!(second["already_deleted"], true, "{second}");
    let found = agent.answer("recall_memory", json!({"memory_id": id}));
    assert_eq!((&found["count"], &found["mode"]), (&json!(0), &json!("id_fetch")));
}

#[test]
fn all_memories_with_a_tag_are_deleted() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    agent.store("One.", &["Bench"]);
    agent.store("Two.", &["bench", "x"]);
    agent.store("Three.", &["bench:deep"]);
    let deleted = agent.answer("delete_memory", json!({"tags": "[\"bench\"]"}));
    assert_eq!((&deleted["deleted_count"], &deleted["tags"]), (&json!(2), &json!(["bench"])));
    for unclear in [json!({}), json!({"tags": []}), json!({"memory_id": "x", "tags": ["bench"]})] {
        let text = agent.refused("delete_memory", unclear);
        assert!(text.contains("either 'memory_id' or 'tags'"), "{text}");
    }
}

#[test]
fn a_refusal_names_field_found_allowed_and_next_step() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    for (tool, arguments, words) in [
        (
            "store_memory",
            json!({"content": "x", "importance": 7}),
            ["field: importance", "found the number 7", "from 0 to 1"],
        ),
        (
            "store_memory",
            json!({"content": "x", "type": "Idea"}),
            ["field: type", "found the string `Idea`", "`Decision`"],
        ),
        (
            "store_memory",
            json!({"content": "x", "timestamp": "soon"}),
            ["field: timestamp", "found the string `soon`", "ISO 8601"],
        ),
        (
            "recall_memory",
            json!({"query": "x", "limit": 201}),
            ["field: limit", "found the number 201", "from 1 to 200"],
        ),
        (
            "update_memory",
            json!({"memory_id": "abc", "importance": 0.1}),
            ["field: memory_id", "found `abc`", "allowed is an id"],
        ),
        (
            "update_memory",
            json!({"memory_id": "00000000-0000-4000-8000-000000000000", "importance": 0.1}),
            ["Memory not found", "recall_memory", "deleted"],
        ),
    ] {
        let text = agent.refused(tool, arguments);
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        assert!(text.contains("\nnext: "), "{text}");
    }
}

#[test]
fn a_secret_is_refused_and_shown_nowhere() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    let secret = replace_placeholders("{{AWS_KEY}}");
    for arguments in [
        json!({"content": format!("The key is {secret}.")}),
        json!({"content": "x", "type": secret}),
        json!({"memories": [{"content": format!("The key is {secret}.")}]}),
    ] {
        let result = agent.call("store_memory", arguments);
        assert_eq!(result["isError"], true);
        assert!(!result.to_string().contains(&secret), "{result}");
    }
    let statistics = agent.answer("check_database_health", json!({}))["statistics"].clone();
    assert_eq!(statistics["memory_count"], 0);
}

#[test]
fn an_unknown_argument_is_ignored_and_told() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    let answer = agent.answer("store_memory", json!({"content": "x", "importanse": 1}));
    assert!(answer["warnings"][0].as_str().unwrap().contains("`importanse`"), "{answer}");
}

#[test]
fn the_health_counts_what_there_is() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    agent.answer("store_memory", json!({"content": "x", "embedding": [0.1, 0.2]}));
    agent.store("y", &[]);
    let health = agent.answer("check_database_health", json!({}));
    let count = |name: &str| health["statistics"][name].clone();
    assert_eq!(
        (&health["status"], &health["backend"]),
        (&json!("healthy"), &json!("agent-memory"))
    );
    assert_eq!((count("memory_count"), count("vector_count")), (json!(2), json!(1)));
    assert_eq!(count("vector_dimensions")["effective"], 2);
}

#[test]
fn tenants_and_folders_of_data_are_apart() {
    let sandbox = Sandbox::without_git();
    let mut one = Agent::start(&sandbox);
    let id = one.store("Only for the default tenant.", &["t"]);
    let folder = sandbox.project().join("data").display().to_string();
    for options in [["--tenant", "team-b"], ["--data", &folder]] {
        let mut other = Agent::with(&sandbox, &options, Era::Stateless);
        let found = other.answer("recall_memory", json!({"tags": ["t"], "exhaustive": true}));
        assert_eq!(found["count"], 0);
        assert_eq!(other.answer("recall_memory", json!({"memory_id": id}))["count"], 0);
        let deleted = other.answer("delete_memory", json!({"memory_id": id}));
        assert_eq!(deleted["already_deleted"], true);
    }
    let mut again = Agent::start(&sandbox);
    assert_eq!(again.answer("recall_memory", json!({"memory_id": id}))["count"], 1);
    let refused: Value = sandbox.run(&["mcp", "--tenant", "b"]).expect_code(2).stderr.into();
    assert!(refused.as_str().unwrap().contains("--service"), "{refused}");
}

#[test]
fn what_was_stored_before_is_recalled_though_no_answer_was_awaited() {
    let sandbox = Sandbox::without_git();
    let call = |id: u32, name: &str, arguments: Value| {
        let params = json!({"name": name, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
    };
    let begin = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"},
    }});
    let mut lines = vec![
        begin.to_string(),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
    ];
    for number in (1..20).step_by(2) {
        let word = format!("harbour{number}");
        lines.push(call(
            number,
            "store_memory",
            json!({"content": format!("The {word} is open.")}),
        ));
        lines.push(call(number + 1, "recall_memory", json!({"query": word})));
    }
    let input = format!("{}\n", lines.join("\n"));
    let said = sandbox.call(&["mcp", "--service"]).stdin(input).run().expect_code(0).stdout;
    let answers = said.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let answers: Vec<Value> = answers.filter(|it| it["id"].as_u64() > Some(0)).collect();
    assert_eq!(answers.len(), 20, "{said}");
    for answer in answers.iter().filter(|it| it["id"].as_u64().unwrap() % 2 == 0) {
        let word = format!("harbour{}", answer["id"].as_u64().unwrap() - 1);
        assert!(answer["result"].to_string().contains(&format!("The {word} is open.")), "{answer}");
    }
}
