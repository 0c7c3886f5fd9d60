//! `agent-memory user`: a person's own memory, from outside.

mod doctor;
mod export;
mod files;
mod generations;
mod identity;
mod import;
mod import_tools;
mod index;
mod many;
mod many_kinds;
mod names;
mod promote;
mod purge;
mod screen;
mod search;
mod sessions;
mod terminal;
mod trash;
mod undo;
mod update;
mod wire;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Answer, Call, Reply, Sandbox, files_in};

/// A person with a folder of data that no other test sees.
struct Person {
    sandbox: Sandbox,
    id: String,
}

impl Person {
    /// Makes a person, `ada`, of whom nothing is stored.
    fn new() -> Self {
        Self { sandbox: Sandbox::without_git(), id: "ada".to_owned() }
    }

    /// Makes a person with these entries.
    fn with(requests: &[Value]) -> Self {
        let person = Self::new();
        requests.iter().for_each(|request| drop(person.done(request, "created")));
        person
    }

    /// Runs a command of `agent-memory user`.
    fn run(&self, arguments: &[&str]) -> Reply {
        self.prepare(arguments).env("AGENT_MEMORY_USER", &self.id).run()
    }

    /// Prepares a run for a person whom the test names.
    fn prepare(&self, arguments: &[&str]) -> Call<'_> {
        let data = self.data().display().to_string();
        self.sandbox.call(&[&["user"], arguments].concat()).env("AGENT_MEMORY_DATA", &data)
    }

    /// Sends one request of a tool.
    fn call(&self, request: &Value) -> Answer {
        self.call_bytes(request.to_string())
    }

    /// Sends whatever bytes as a request.
    fn call_bytes(&self, bytes: impl Into<Vec<u8>>) -> Answer {
        let call = self.prepare(&["call"]).env("AGENT_MEMORY_USER", &self.id);
        call.stdin(bytes).run().answer()
    }

    /// Sends a request that is carried out, with this status.
    #[track_caller]
    fn done(&self, request: &Value, status: &str) -> Value {
        let Answer { value, code } = self.call(request);
        assert_eq!((&value["status"], code), (&json!(status), 0), "{value}");
        assert!(value["message"].as_str().is_some_and(|message| !message.is_empty()), "{value}");
        value
    }

    /// Sends a request that is refused and changes nothing.
    #[track_caller]
    fn refused(&self, request: &Value, reason: &str) -> Value {
        self.refused_bytes(request.to_string(), reason)
    }

    /// The same for whatever bytes.
    #[track_caller]
    fn refused_bytes(&self, bytes: impl Into<Vec<u8>>, reason: &str) -> Value {
        let before = self.tree();
        let Answer { value, code } = self.call_bytes(bytes);
        let expected = (&json!("rejected"), &json!(reason), 1);
        assert_eq!((&value["status"], &value["reason"], code), expected, "{value}");
        for field in ["message", "hint"] {
            assert!(value[field].as_str().is_some_and(|text| !text.is_empty()), "{value}");
        }
        assert!(self.tree() == before, "something was written: {value}");
        value
    }

    /// Sends a request that cannot be answered, and changes nothing; returns the error.
    #[track_caller]
    fn failed(&self, request: &Value) -> Value {
        let before = self.tree();
        let call = self.prepare(&["call"]).env("AGENT_MEMORY_USER", &self.id);
        let reply = call.stdin(request.to_string()).run().expect_code(2);
        assert!(self.tree() == before, "something was written: {}", reply.stdout);
        reply.json()["error"].clone()
    }

    /// Reads the body of an entry, as a person sees it.
    #[track_caller]
    fn body(&self, name: &str) -> String {
        let text = self.run(&["read", "--", name]).expect_code(0).stdout;
        text.split_once("\n\n").unwrap().1.to_owned()
    }

    /// Reads an entry by the tool.
    #[track_caller]
    fn read(&self, name: &str) -> Value {
        let Answer { value, code } = self.call(&read(name));
        assert_eq!(code, 0, "{value}");
        value
    }

    /// Returns what `list` prints.
    #[track_caller]
    fn list(&self) -> Value {
        self.run(&["list", "--json"]).expect_code(0).json()
    }

    /// Returns the folder of all data.
    fn data(&self) -> PathBuf {
        self.sandbox.root().join("data")
    }

    /// Returns the person's folder.
    fn folder(&self) -> PathBuf {
        self.data().join("users").join(&self.id)
    }

    /// Returns every file of the person with its bytes, `state/lock` apart.
    fn tree(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = files_in(&self.folder());
        files.remove("state/lock");
        files
    }

    /// Returns a file of the person as text.
    #[track_caller]
    fn file(&self, path: &str) -> String {
        let path = self.folder().join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn has(&self, path: &str) -> bool {
        self.folder().join(path).exists()
    }

    /// Returns the text of the index.
    #[track_caller]
    fn index(&self) -> String {
        self.file("memory/MEMORY.md")
    }

    /// Writes a file as a person with an editor does.
    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.folder().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Returns the names of the files in the trash.
    fn trash(&self) -> Vec<String> {
        let tree = self.tree();
        tree.keys().filter_map(|path| path.strip_prefix("trash/")).map(str::to_owned).collect()
    }

    /// Returns what the log says, without hashes: the decision and the name of each change.
    fn log(&self) -> Vec<String> {
        let text = self.file("state/log.jsonl");
        let line = |line: &str| {
            let line: Value = serde_json::from_str(line).unwrap();
            format!("{} {}", line["decision"].as_str().unwrap(), line["name"].as_str().unwrap())
        };
        text.lines().map(line).collect()
    }

    /// Looks whether the log is whole.
    #[track_caller]
    fn log_is_whole(&self) {
        self.run(&["log", "--verify"]).expect_code(0);
    }
}

/// The request of the table, with which most rows begin.
fn preferred_language() -> Value {
    json!({
        "action": "upsert", "name": "preferred-language", "type": "user",
        "description": "User prefers Japanese output",
        "body": "Always respond in Japanese unless the user explicitly asks for another language.",
    })
}

const PREFERRED_LANGUAGE: &str = "---\nname: preferred-language\ndescription: User prefers Japanese output\ntype: user\n---\n\nAlways respond in Japanese unless the user explicitly asks for another language.\n";

const PREFERRED_LANGUAGE_LINE: &str =
    "- [preferred-language](preferred-language.md) — User prefers Japanese output\n";

/// An upsert with texts of which nothing depends.
fn upsert(name: &str) -> Value {
    json!({
        "action": "upsert", "name": name, "type": "project",
        "description": format!("What {name} is about"), "body": format!("The text of {name}."),
    })
}

/// The same request with another field.
fn with(request: &Value, field: &str, value: impl Into<Value>) -> Value {
    let mut request = request.clone();
    request[field] = value.into();
    request
}

fn delete(name: &str) -> Value {
    json!({ "action": "delete", "name": name })
}

fn read(name: &str) -> Value {
    json!({ "tool": "read_user_memory", "arguments": { "name": name } })
}

/// Returns the warnings of an answer in one text.
fn warnings(answer: &Value) -> String {
    let list = answer["warnings"].as_array().into_iter().flatten();
    list.map(|warning| warning.as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

/// Returns the line of the index that an upsert without a description of its own makes.
fn line(name: &str) -> String {
    format!("- [{name}]({name}.md) — What {name} is about\n")
}
