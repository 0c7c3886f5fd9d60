//! `promote`: what one person noted becomes a proposal for a project.

use serde_json::json;

use super::{Person, preferred_language, with};
use crate::support::{Answer, Reply, Sandbox};

fn in_project() -> Person {
    let ada = Person { sandbox: Sandbox::new(), id: "ada".to_owned() };
    ada.done(&with(&preferred_language(), "body", "Answer in Japanese."), "created");
    ada
}

impl Person {
    fn promote(&self, arguments: &[&str]) -> Reply {
        let arguments = [&["promote", "preferred-language"], arguments].concat();
        self.prepare(&arguments).env("AGENT_MEMORY_USER", &self.id).run()
    }
}

#[test]
fn an_entry_is_pending_and_stays_as_it_is() {
    let ada = in_project();
    let before = ada.tree();
    let Answer { value, code } = ada.promote(&["--json"]).answer();
    assert_eq!((&value["status"], code), (&json!("staged"), 0), "{value}");
    assert_eq!(value["affected_sections"][0]["file"], "conventions.md", "{value}");
    assert_eq!(value["affected_sections"][0]["section_id"], "preferred-language", "{value}");
    assert!(ada.tree() == before);
    let id = value["proposal_id"].as_str().unwrap();
    let applied = ada.sandbox.apply(id);
    assert_eq!(applied.code, 0, "{}", applied.value);
    let file = ada.sandbox.file("conventions.md");
    assert!(file.contains("## Preferred language\n"), "{file}");
    assert!(file.contains("Answer in Japanese.") && file.contains("@source: user ada "), "{file}");
}

#[test]
fn what_an_agent_may_apply_at_once_is_pending_too() {
    let ada = in_project();
    let reply = ada.promote(&["--intent", "session_log", "--heading", "Notes", "--json"]);
    let Answer { value, .. } = reply.answer();
    assert_eq!(value["status"], "staged", "{value}");
    let rules = value["routing"]["decided_by"].to_string();
    assert!(rules.contains("what a person promotes is always reviewed"), "{rules}");
    let applied = ada.sandbox.apply(value["proposal_id"].as_str().unwrap());
    assert_eq!(applied.code, 0, "{}", applied.value);
    assert!(ada.sandbox.file("sessions/2026-11-20.md").contains("## Notes\n"));
}

#[test]
fn a_person_reads_what_became_of_it() {
    let ada = in_project();
    let reply = ada.promote(&[]).expect_code(0);
    assert!(reply.stdout.starts_with("staged 20261120-100000-preferred-language-"), "{reply:?}");
    assert!(reply.stdout.contains("\n  added    conventions.md#preferred-language"), "{reply:?}");
    assert_eq!(reply.stderr, "pending until a person decides, with `agent-memory review`\n");
    let again = ada.promote(&[]).expect_code(0);
    assert!(again.stderr.contains("the same proposal is pending already"), "{again:?}");
}

#[test]
fn no_agent_promotes() {
    let ada = in_project();
    let before = ada.sandbox.tree();
    let call = ada.prepare(&["promote", "preferred-language", "--json"]);
    let reply = call.env("AGENT_MEMORY_USER", "ada").env("CLAUDECODE", "1").run().expect_code(1);
    assert_eq!(reply.json()["reason"], "approval_refused", "{reply:?}");
    let mut after = ada.sandbox.tree();
    after.retain(|path, _| !path.starts_with("state/"));
    assert!(before.keys().filter(|path| !path.starts_with("state/")).eq(after.keys()));
}

#[test]
fn what_is_not_there_or_holds_a_secret_is_refused() {
    let ada = in_project();
    let absent = ada.run(&["promote", "absent", "--json"]).expect_code(1).json();
    assert_eq!(absent["reason"], "entry_not_found", "{absent}");
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    ada.write(
        "memory/key.md",
        format!("---\nname: key\ntype: user\nnote: {token}\n---\n\nText.\n"),
    );
    let reply = ada.run(&["promote", "key", "--json"]).expect_code(1);
    assert_eq!(reply.json()["reason"], "secret_detected", "{reply:?}");
    assert!(!reply.stdout.contains(&token));
    ada.write("memory/other.md", "---\nname: other\nproject: acme\n---\n\nText.\n");
    let other = ada.run(&["promote", "other", "--json"]).expect_code(1).json();
    assert!(other["message"].as_str().unwrap().contains("project `acme` alone"), "{other}");
    for front in ["---\nproject: acme\n\nText\n", "---\nproject: [acme]\n---\n\nText\n"] {
        ada.write("memory/other.md", front);
        let other = ada.run(&["promote", "other", "--json"]).expect_code(1).json();
        assert!(other["message"].as_str().unwrap().contains("cannot be read"), "{other}");
    }
    let unknown = ada.promote(&["--intent", "conventions"]).expect_code(2);
    assert!(unknown.stderr.contains("update_conventions"), "{unknown:?}");
    let outside = Person::with(&[preferred_language()]);
    let reply = outside.promote(&[]).expect_code(2);
    assert!(reply.stderr.contains("agent-memory init"), "{reply:?}");
}
