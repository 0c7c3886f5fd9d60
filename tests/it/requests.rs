//! Small requests that most tests begin with.

use serde_json::{Value, json};

use crate::support::Sandbox;

/// A bullet that is long enough to be known again after a rejection.
pub(crate) const TELLING: &str = "- Say what to do next in every single error message";

/// A note of the day; it lands at once.
pub(crate) fn session(heading: &str, content: &str) -> Value {
    append_section("session_log", heading, content)
}

/// A note across branches in `local/shared.md`; it lands at once.
pub(crate) fn shared(heading: &str, content: &str) -> Value {
    append_section("update_shared", heading, content)
}

/// A new convention; it waits for a person.
pub(crate) fn convention(heading: &str, content: &str) -> Value {
    let mut request = append_section("update_conventions", heading, content);
    request["sources"] = json!([{ "type": "user", "ref": "ada" }]);
    request
}

/// A new body for a convention; it waits for a person.
pub(crate) fn new_body(section: &str, content: &str) -> Value {
    json!({
        "intent": "update_conventions",
        "sources": [{ "type": "user", "ref": "ada" }],
        "operations": [{
            "operation": "replace_section_content", "section_id": section, "content": content,
        }],
    })
}

/// The schema of a team that has what is added to a known pitfall applied at once.
pub(crate) const OPEN_PITFALLS: (&str, &str) = (
    "schemas/pitfalls.toml",
    "category = \"pitfalls\"\ntitle = \"Pitfalls\"\npath = \"pitfalls.md\"\nintents = [\"add_pitfall\"]\n\n[approval]\ndefault = \"stage\"\nappend_to_section = \"apply\"\n\n[section]\nlevel = 2\nid = \"required\"\nmax_bytes = 16384\n",
);

/// A bullet at the end of a pitfall; it lands at once where the team has it so.
pub(crate) fn pitfall_bullet(section: &str, content: &str) -> Value {
    json!({
        "intent": "add_pitfall",
        "operations": [{
            "operation": "append_to_section", "section_id": section, "content": content,
        }],
    })
}

/// Two new modules in one request; it waits for a person.
pub(crate) fn two_files() -> Value {
    modules("How tokens rotate", "Tokens", &["auth", "net"])
}

/// Sections of two modules that are there after `two_files`, and two new modules; it waits for a person.
pub(crate) fn four_files() -> Value {
    modules("What is retried", "Retries", &["auth", "jobs", "net", "web"])
}

fn modules(rationale: &str, heading: &str, names: &[&str]) -> Value {
    let operations: Vec<Value> = names
        .iter()
        .map(|name| {
            json!({
                "operation": "append_section", "path": format!("modules/{name}.md"),
                "heading": heading,
                "content": format!("A text that is meant for modules/{name}.md alone."),
            })
        })
        .collect();
    json!({
        "intent": "refresh_module",
        "rationale": rationale,
        "sources": [{ "type": "user", "ref": "ada" }],
        "operations": operations,
    })
}

/// A sandbox whose conventions hold two sections, `errors` and `names`.
pub(crate) fn with_conventions() -> Sandbox {
    Sandbox::given(&[(
        "conventions.md",
        "# Conventions\n\n## Errors\n<!-- @id: errors -->\n\nThey name a path.\n\n## Names\n<!-- @id: names -->\n\nThey are long.\n",
    )])
}

/// The same sandbox, in which every section says what it rests on.
pub(crate) fn with_founded_conventions() -> Sandbox {
    let sandbox = with_conventions();
    let source = "<!-- @source: user ada - confirmed 2026-11-20 -->";
    let text = sandbox.file("conventions.md").replace(" -->\n", &format!(" -->\n{source}\n"));
    sandbox.write("conventions.md", text);
    sandbox
}

fn append_section(intent: &str, heading: &str, content: &str) -> Value {
    json!({
        "intent": intent,
        "operations": [{ "operation": "append_section", "heading": heading, "content": content }],
    })
}
