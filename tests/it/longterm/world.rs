//! The world of the contract: a server, its people, and nine memories.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Answer, Call, Reply, Sandbox, files_in};

/// The data of a bot that no other test sees.
pub(crate) struct World {
    pub(crate) sandbox: Sandbox,
}

/// The memories: number, scope, owner, lineage, content.
const MEMORIES: [(u64, &str, &str, u64, &str); 9] = [
    (1, "server_wide", "s1", 10_001, "Meetings are on Fridays"),
    (2, "target_user", "u1", 10_001, "{user} likes tea"),
    (3, "target_user", "u1", 0, "true for every character"),
    (4, "server_wide", "s1", 10_002, "of another character"),
    (5, "server_wide", "s2", 10_001, "of another server"),
    (6, "target_user", "u4", 10_001, "of Cy"),
    (7, "target_user", "u2", 10_001, "of Bob"),
    (8, "target_user", "u1", 10_002, "of Ada, for another character"),
    (9, "target_user", "u5", 10_001, "of Dee"),
];

impl World {
    /// Makes the world of the contract.
    pub(crate) fn new() -> Self {
        let world = Self::empty();
        let line = |(id, scope, owner, lineage, content): (u64, &str, &str, u64, &str)| {
            let line = json!({"id": id, "scope": scope, "owner": owner, "lineage": lineage, "content": content});
            format!("{line}\n")
        };
        let lines: String = MEMORIES.into_iter().map(line).collect();
        world.prepare(&["import", "-"]).stdin(lines).run().expect_code(0);
        world
    }

    /// Makes one without memories.
    pub(crate) fn empty() -> Self {
        Self { sandbox: Sandbox::without_git() }
    }

    /// Prepares a command of `agent-memory ltm`.
    pub(crate) fn prepare(&self, arguments: &[&str]) -> Call<'_> {
        let data = self.data().display().to_string();
        self.sandbox.call(&[&["ltm"], arguments].concat()).env("AGENT_MEMORY_DATA", &data)
    }

    /// Runs a command of `agent-memory ltm`.
    pub(crate) fn run(&self, arguments: &[&str]) -> Reply {
        self.prepare(arguments).run()
    }

    /// Calls `update_long_term_memory`.
    #[track_caller]
    pub(crate) fn update(&self, context: &Value, arguments: Value) -> Answer {
        let call = json!({"context": context, "arguments": arguments}).to_string();
        self.prepare(&["update"]).stdin(call).run().answer()
    }

    /// Calls `create_long_term_memory`.
    #[track_caller]
    pub(crate) fn create(&self, context: &Value, arguments: Value) -> Answer {
        let call = json!({"context": context, "arguments": arguments}).to_string();
        self.prepare(&["create"]).stdin(call).run().answer()
    }

    /// Changes the directory.
    #[track_caller]
    pub(crate) fn know(&self, patch: Value) -> Value {
        let call = self.prepare(&["directory", "set", "--json"]).stdin(patch.to_string());
        call.run().expect_code(0).json()
    }

    /// Returns what a prompt may have.
    #[track_caller]
    pub(crate) fn context(&self, context: &Value) -> Value {
        let call = self.prepare(&["context", "--json"]);
        call.stdin(json!({"context": context}).to_string()).run().expect_code(0).json()
    }

    /// Returns all memories by number.
    #[track_caller]
    pub(crate) fn rows(&self) -> BTreeMap<u64, Value> {
        let text = self.run(&["export"]).expect_code(0).stdout;
        let row = |line: &str| -> (u64, Value) {
            let row: Value = serde_json::from_str(line).unwrap();
            (row["id"].as_u64().unwrap(), row)
        };
        text.lines().map(row).collect()
    }

    /// Returns the content of a memory; none where it is not there.
    #[track_caller]
    pub(crate) fn content(&self, number: u64) -> Option<String> {
        self.rows().get(&number).map(|row| row["content"].as_str().unwrap().to_owned())
    }

    /// Returns all generations.
    #[track_caller]
    pub(crate) fn generations(&self) -> BTreeMap<String, u64> {
        let document = self.run(&["generation", "--json"]).expect_code(0).json();
        serde_json::from_value(document["generations"].clone()).unwrap()
    }

    /// Returns all events.
    #[track_caller]
    pub(crate) fn events(&self) -> Vec<Value> {
        let text = self.run(&["watch", "--once"]).expect_code(0).stdout;
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Returns all that a change could touch.
    #[track_caller]
    pub(crate) fn state(&self) -> (BTreeMap<u64, Value>, BTreeMap<String, u64>, Vec<Value>) {
        (self.rows(), self.generations(), self.events())
    }

    /// Returns the folder of all data.
    pub(crate) fn data(&self) -> PathBuf {
        self.sandbox.root().join("data")
    }

    /// Tells whether any file of the data has these bytes.
    pub(crate) fn has_bytes(&self, bytes: &[u8]) -> bool {
        let has = |file: &Vec<u8>| file.windows(bytes.len()).any(|window| window == bytes);
        files_in(&self.data()).values().any(has)
    }
}

/// Returns the context of the contract: Ada asks in the server.
pub(crate) fn context() -> Value {
    let member = |id: &str, display: &str, account: &str| json!({"id": id, "display_name": display, "saved_names": [], "global_name": null, "username": account, "bot": false});
    json!({
        "server": {"id": "s1", "kind": "guild", "name": "Garden"}, "channel": {"id": "c1"},
        "caller": {"id": "u1"}, "bot": {"id": "b1"},
        "persona": {"id": "p1", "name": "Tomo", "lineage": 10_001},
        "flags": {"self_teaching": true, "personal_memories": true},
        "participants": [
            {"id": "@eve:example.org", "label": "Eve", "aliases": [], "bridge": true},
        ],
        "members": [
            member("u1", "Ada", "ada"), member("u2", "Bob", "bobby"), member("u3", "Bob", "bob2"),
            member("u4", "Cy", "cy"), member("u5", "Dee", "dee"), member("u8", "Gus", "gus"),
        ],
        "users": {
            "u1": {"privacy": "minimal"}, "u2": {"privacy": "minimal"}, "u3": {"privacy": "minimal"},
            "u4": {"privacy": "partial"}, "u5": {"privacy": "full"}, "u7": {"privacy": "minimal"},
        },
    })
}

/// Returns that context with a value in another place.
pub(crate) fn context_with(pointer: &str, value: Value) -> Value {
    let mut context = context();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    context.pointer_mut(parent).unwrap()[name] = value;
    context
}

/// Returns that context with one more participant.
pub(crate) fn context_beside(id: &str, label: &str) -> Value {
    let mut context = context();
    let participant = json!({"id": id, "label": label, "aliases": []});
    context["participants"].as_array_mut().unwrap().push(participant);
    context
}

/// Returns arguments without a target.
pub(crate) fn shared(number: impl Into<Value>, content: &str) -> Value {
    json!({"memory_id": number.into(), "memory_content": content})
}

/// Returns arguments with a target.
pub(crate) fn of(number: u64, content: &str, target: &str) -> Value {
    json!({"memory_id": number, "memory_content": content, "target_user": target})
}

/// Returns the end of a status.
pub(crate) fn status(answer: &Answer) -> String {
    let status = answer.value["data"]["status"].as_str().unwrap_or_default();
    let known = ["memory_update_failed_", "memory_save_failed_", "memory_"];
    let end = known.iter().find_map(|begin| status.strip_prefix(begin));
    end.unwrap_or(status).to_owned()
}

/// Calls the tool in a new world; what is denied must change nothing.
#[track_caller]
pub(crate) fn check(context: &Value, arguments: Value, expected: &str) -> (World, Value) {
    let world = World::new();
    let before = world.state();
    let answer = world.update(context, arguments);
    assert_eq!(status(&answer), expected, "{}", answer.value);
    let is_done = answer.value["success"] == true;
    assert_eq!(answer.value["message"].is_string(), is_done, "{}", answer.value);
    assert_eq!(answer.value["error"].is_string(), !is_done, "{}", answer.value);
    let failed = ["internal_error", "db_error"].contains(&expected);
    assert_eq!(answer.code, if is_done { 0 } else { 1 + i32::from(failed) });
    match is_done {
        true => assert_eq!(world.events().len(), before.2.len() + 1),
        false => assert_eq!(world.state(), before),
    }
    (world, answer.value["data"].clone())
}

/// Calls the tool in the world of the contract.
#[track_caller]
pub(crate) fn call(arguments: Value, expected: &str) -> (World, Value) {
    check(&context(), arguments, expected)
}
