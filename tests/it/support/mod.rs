//! A repository with a store of its own, cut off from the machine: own root, own environment, own time.
#![allow(dead_code, reason = "each test file takes the tools that it needs")]

mod fixtures;
mod key;
mod reply;
mod sandbox;
mod terminal;

pub(crate) use fixtures::{blessing, cases, files_in, folder, for_each_case, replace_placeholders};
pub(crate) use key::{ProjectKey, journal_line, plant_foreign_state};
pub(crate) use reply::{Answer, Reply};
pub(crate) use sandbox::{Call, Sandbox, WITHOUT_TERMINAL, write_user_config};
pub(crate) use terminal::Terminal;

#[test]
fn a_sandbox_is_ready_to_work() {
    let sandbox = Sandbox::new();
    let answer = sandbox.propose(serde_json::json!({
        "intent": "session_log",
        "operations": [{"operation": "append_section", "heading": "Today", "content": "Done."}],
    }));
    let before = sandbox.tree();
    assert_eq!(answer.applied()["files"][0], "sessions/2026-11-20.md");
    assert!(before.contains_key("sessions/2026-11-20.md"));
}
