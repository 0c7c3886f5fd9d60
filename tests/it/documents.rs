//! What each command prints with `--json` is what its `--schema` says, with no field beside those.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::requests::{TELLING, convention, new_body, session};
use crate::schemas::breaches;
use crate::support::{Sandbox, files_in};

/// What these print is for a person or for another program.
const NO_DOCUMENT: [&str; 4] = ["ci", "demo", "hook", "mcp"];

const THEN: &str = "# Conventions\n\n## Errors\n<!-- @id: errors -->\n\n- one\n- two\n- three\n\n## By hand\n\nWords.\n";

/// Runs commands and compares each document with the schema of its command.
#[derive(Default)]
struct Documents {
    schemas: RefCell<BTreeMap<String, jsonschema::Validator>>,
}

impl Documents {
    #[track_caller]
    fn of(&self, sandbox: &Sandbox, line: &str) -> Value {
        let mut words: Vec<&str> = line.split(' ').collect();
        let name = words[0].to_owned();
        words.push("--json");
        let document = sandbox.run(&words).json();
        let mut schemas = self.schemas.borrow_mut();
        let schema = schemas.entry(name).or_insert_with(|| schema(sandbox, words[0]));
        let found = breaches(schema, &document);
        assert_eq!(found, Vec::<String>::new(), "{line}: {document:#}");
        assert_eq!(document["schema_version"], 1, "{line}");
        document
    }
}

/// Reads the schema of a command, closed against fields that it does not name.
pub(crate) fn schema(sandbox: &Sandbox, command: &str) -> jsonschema::Validator {
    let mut schema = sandbox.run(&[command, "--schema"]).expect_code(0).json();
    let sound = jsonschema::draft202012::meta::validate(&schema);
    assert!(sound.is_ok(), "{command}: {:?}", sound.err().map(|error| error.to_string()));
    let mut parts = BTreeSet::new();
    find_parts(&schema, &mut parts);
    for form in schema["anyOf"].as_array_mut().unwrap() {
        close(form);
    }
    for (name, each) in schema["$defs"].as_object_mut().into_iter().flatten() {
        if !parts.contains(name) {
            close(each);
        }
    }
    jsonschema::draft202012::new(&schema).unwrap()
}

/// Finds the types that only tell some of the fields of an object.
fn find_parts(schema: &Value, parts: &mut BTreeSet<String>) {
    let named = |schema: &Value| {
        let name = schema["$ref"].as_str()?.strip_prefix("#/$defs/")?;
        Some(name.to_owned())
    };
    if schema.get("properties").is_some() {
        parts.extend(named(schema));
        for list in ["oneOf", "anyOf", "allOf"] {
            parts.extend(schema[list].as_array().into_iter().flatten().filter_map(named));
        }
    }
    let inner: Vec<&Value> = match schema {
        Value::Object(fields) => fields.values().collect(),
        Value::Array(list) => list.iter().collect(),
        _ => Vec::new(),
    };
    inner.into_iter().for_each(|each| find_parts(each, parts));
}

fn close(object: &mut Value) {
    if object.get("properties").is_some() && object.get("additionalProperties").is_none() {
        object["unevaluatedProperties"] = json!(false);
    }
}

#[test]
fn what_is_printed_with_json_is_what_the_schema_says() {
    let documents = Documents::default();
    let of = |sandbox: &Sandbox, line: &str| documents.of(sandbox, line);
    let mut sandbox = Sandbox::without_store();
    for line in ["status", "init --dry-run", "init", "doctor", "toc", "check", "install codex"] {
        of(&sandbox, line);
    }
    sandbox.write("conventions.md", THEN);
    for line in ["fmt-ids", "reindex", "search words", "search nothng --explain", "context"] {
        of(&sandbox, line);
    }
    sandbox.commit("memory");
    let id = sandbox.propose(new_body("errors", "- one\n- two\n- 3")).staged();
    let other = sandbox.propose(convention("Paths", TELLING)).staged();
    let applied = sandbox.propose(session("Day", "Done.")).applied()["proposal_id"].clone();
    let applied = applied.as_str().unwrap();
    for line in ["status", "status --worktrees", "review", "review --worktrees", "diff", "check"] {
        of(&sandbox, line);
    }
    of(&sandbox, &format!("show {id}"));
    of(&sandbox, "show conventions.md");
    of(&sandbox, "search one --explain");
    let digest = of(&sandbox, &format!("rebase {id}"))["proposal"]["digest"].clone();
    let digest = digest.as_str().unwrap();
    of(&sandbox, &format!("rebase {id} --digest {digest} --approver Ada"));
    of(&sandbox, &format!("apply {other} --approver Ada --commit"));
    of(&sandbox, "apply absent --approver Ada --commit");
    of(&sandbox, &format!("undo {id} {other} --approver Ada"));
    of(&sandbox, &format!("restore {other} --approver Ada"));
    of(&sandbox, &format!("reject {other} absent --reason no"));
    of(&sandbox, &format!("show {other}"));
    let drifted = sandbox.propose(new_body("errors", "- one\n- two\n- III")).staged();
    sandbox.write("conventions.md", THEN.replace("- three", "- drei"));
    of(&sandbox, &format!("rebase {drifted}"));
    of(&sandbox, &format!("apply {drifted} --approver Ada"));
    sandbox.advance_days(9);
    for line in ["apply --all --approver Ada", "sweep --dry-run", "sweep", "blame conventions.md"] {
        of(&sandbox, line);
    }
    of(&sandbox, &format!("show {applied}"));
    for line in ["log", "log -p", "log --rejected", "log --verify", "log --since never"] {
        of(&sandbox, line);
    }
    for line in ["install", "uninstall", "uninstall codex", "uninstall --all --dry-run"] {
        of(&sandbox, line);
    }
    for line in [
        "resolve",
        "install git",
        "uninstall --all",
        "completions bash",
        "man pages",
        "secrets rules",
        "ls",
    ] {
        of(&sandbox, line);
    }
    sandbox.set_env("GIT_EDITOR", "printf '\\nWords of a person.\\n' >>");
    for line in [
        "cite conventions.md#errors user:ada --approver Ada",
        "confirm conventions.md#errors --approver Ada",
        "new convention Blanks --approver Ada",
        "edit conventions.md#errors --approver Ada",
    ] {
        of(&sandbox, line);
    }
    for line in ["config get", "config set staging.max_open 60 --approver Ada"] {
        of(&sandbox, line);
    }
    for line in ["secrets explain aws-access-key-id", "doctor --adopt-state --approver Ada"] {
        of(&sandbox, line);
    }
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    sandbox.write_project("key.txt", &token);
    let found = of(&sandbox, "secrets scan key.txt");
    let fingerprint = found["findings"][0]["fingerprint"].as_str().unwrap();
    of(&sandbox, &format!("secrets allow {fingerprint} --reason test --approver Ada"));
    sandbox.write_project("../notes/auth.md", "# Auth\n\n## Tokens\n\nx\n");
    of(&sandbox, "init --from ../notes --approver Ada");

    let body = sandbox.project().join("body.md");
    std::fs::write(&body, "Tabs.\n").unwrap();
    let upsert = "user upsert style --type feedback --description Tabs --file body.md --as ada";
    for line in [upsert, upsert, "user list --as ada", "user read --as ada"] {
        of(&sandbox, line);
    }
    for verb in
        ["read style", "delete style", "delete style", "restore style", "undo", "log", "path"]
    {
        of(&sandbox, &format!("user {verb} --as ada"));
    }
    of(&sandbox, "user log --verify --as ada");
    for words in ["tabs", "nothng"] {
        of(&sandbox, &format!("user search {words} --as ada"));
    }
    of(&sandbox, "user purge style --yes --as ada");
    of(&sandbox, "user purge style --yes --as ada");
    sandbox.write_project("data/users/ada/memory/by-hand.md", "By hand.\n");
    for line in ["doctor --user --as ada", "doctor --user --fix --as ada --data data"] {
        of(&sandbox, line);
    }

    let id = "11111111-1111-4111-8111-111111111111";
    let other = "22222222-2222-4222-8222-222222222222";
    for line in ["store Tabs", "store Tabs", "store Blanks --tags a", "tags", "stats", "trash"] {
        of(&sandbox, &format!("service {line}"));
    }
    for (id, content) in [(id, "One"), (other, "Two")] {
        of(&sandbox, &format!("service store {content} --id {id} --tags b,c --type Habit"));
    }
    of(&sandbox, &format!("service relate {id} {other} --type PART_OF --property role=x"));
    for verb in ["get", "update --tags d", "history", "delete", "undo", "delete", "restore", "undo"]
    {
        let (verb, rest) = verb.split_once(' ').unwrap_or((verb, ""));
        of(&sandbox, format!("service {verb} {id} {rest}").trim_end());
    }
    for line in
        ["recall Two --expand", "recall --tags b --time-query now", "recall x --min-score 2"]
    {
        of(&sandbox, &format!("service {line}"));
    }
    for line in ["get 7", "trash", "export copy", "import copy/memories.jsonl", "delete --tags a"] {
        of(&sandbox, &format!("service {line}"));
    }
    of(&sandbox, &format!("service promote {other}"));
    for line in ["add team-a", "list", "revoke team-a"] {
        of(&sandbox, &format!("serve token {line}"));
    }

    for line in ["add hb ../hb", "list", "sync", "remove hb"] {
        of(&sandbox, &format!("read {line} --approver Ada").replace("list --approver Ada", "list"));
    }

    let export = r#"{"id":1,"scope":"server_wide","owner":"s1","lineage":1,"content":"One"}"#;
    sandbox.write_project("ltm.jsonl", export);
    for line in ["import ltm.jsonl", "import ltm.jsonl", "list", "log", "log --verify"] {
        of(&sandbox, &format!("ltm {line}"));
    }
    for line in ["directory get", "directory remove u1", "generation", "restore 7"] {
        of(&sandbox, &format!("ltm {line}"));
    }
    of(&sandbox, "ltm forget --server s1 --yes");

    let seen: BTreeSet<String> = documents.schemas.into_inner().into_keys().collect();
    let others = NO_DOCUMENT.iter().chain(&["propose"]).map(|name| (*name).to_owned());
    let pages = files_in(&sandbox.project().join("pages")).into_keys();
    let commands = pages.filter_map(|page| {
        let name = page.strip_prefix("man1/").unwrap_or(&page).strip_suffix(".1")?;
        let name = name.strip_prefix("agent-memory-")?;
        let is_part = ["config-", "ltm-", "read-", "secrets-", "serve-", "service-", "user-"];
        let is_part = is_part.iter().any(|group| name.starts_with(group));
        (!is_part).then(|| name.to_owned())
    });
    let commands: BTreeSet<String> = commands.collect();
    assert_eq!(seen.into_iter().chain(others).collect::<BTreeSet<_>>(), commands);
}

#[test]
fn a_command_without_a_document_has_no_schema() {
    let sandbox = Sandbox::without_git();
    for name in NO_DOCUMENT {
        let error = sandbox.run(&[name, "--schema", "--json"]).json()["error"].clone();
        assert_eq!(error["code"], "usage", "{name}");
    }
}
