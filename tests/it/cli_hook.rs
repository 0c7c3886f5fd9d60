//! `hook`: what an agent's client gets when a session begins, and when its agent stops.

use serde_json::{Value, json};

use crate::requests::{session, with_conventions};
use crate::support::{Reply, Sandbox};

fn hook(sandbox: &Sandbox, client: &str, event: &str, input: &Value) -> Reply {
    sandbox.call(&["hook", client, event]).stdin(input.to_string()).run()
}

fn is_silent(reply: &Reply) {
    assert_eq!((reply.code, reply.stdout.as_str(), reply.stderr.as_str()), (0, "", ""));
}

#[test]
fn a_session_begins_with_the_bootstrap_pack() {
    let sandbox = with_conventions();
    let pack = sandbox.run(&["context", "--budget", "2000"]).stdout;
    assert!(pack.contains("They name a path."));
    for (client, event) in [
        ("claude", "session-start"),
        ("claude", "SessionStart"),
        ("codex", "session-start"),
        ("gemini", "SessionStart"),
    ] {
        let input = json!({"source": "startup", "cwd": sandbox.project()});
        let reply = hook(&sandbox, client, event, &input).expect_code(0);
        let said = reply.json()["hookSpecificOutput"].clone();
        assert_eq!(said["hookEventName"], "SessionStart");
        assert_eq!(said["additionalContext"], pack, "{client} {event}");
        assert_eq!(reply.stderr, "");
    }
    let said = hook(&sandbox, "cursor", "sessionStart", &json!({})).expect_code(0).json();
    assert_eq!(said, json!({ "additional_context": pack }));
    let input = json!({"sessionId": "a", "cwd": sandbox.project(), "source": "new"});
    let said = hook(&sandbox, "copilot", "session-start", &input).expect_code(0).json();
    assert_eq!(said, json!({ "additionalContext": pack }));
}

#[test]
fn what_one_session_logs_the_next_one_begins_with() {
    let sandbox = with_conventions();
    sandbox.propose(session("Token refresh", "Rotation works; revocation is next.")).applied();
    for client in ["claude", "codex", "gemini", "cursor", "copilot"] {
        let reply = hook(&sandbox, client, "session-start", &json!({"source": "startup"}));
        let (entry, rule) = ("Rotation works; revocation is next.", "They name a path.");
        let place = |text: &str| reply.stdout.find(text).unwrap_or(usize::MAX);
        assert!(place(entry) < place(rule) && place(rule) < usize::MAX, "{}", reply.stdout);
    }
}

#[test]
fn in_an_empty_store_a_session_begins_with_one_sentence() {
    let sandbox = Sandbox::new();
    let reply = hook(&sandbox, "claude", "session-start", &json!({"source": "startup"}));
    let said = reply.json()["hookSpecificOutput"]["additionalContext"].clone();
    assert_eq!(said, "The memory of this project is empty: nothing is recorded yet.\n");
}

#[test]
fn a_session_that_has_read_it_already_is_told_nothing() {
    let sandbox = with_conventions();
    for source in ["startup", "resume", "clear", "compact", "new"] {
        let reply = hook(&sandbox, "claude", "session-start", &json!({ "source": source }));
        assert!(reply.stdout.contains("They name a path."), "{source}");
    }
    is_silent(&hook(&sandbox, "claude", "session-start", &json!({ "source": "fork" })));
}

#[test]
fn an_agent_that_stops_is_reminded_once_in_a_session() {
    let sandbox = Sandbox::new();
    for (client, event, place) in [
        ("claude", "stop", "/hookSpecificOutput/additionalContext"),
        ("codex", "Stop", "/reason"),
        ("gemini", "AfterAgent", "/reason"),
        ("cursor", "stop", "/followup_message"),
    ] {
        let input =
            json!({"session_id": client, "stop_hook_active": false, "cwd": sandbox.project()});
        let reply = hook(&sandbox, client, event, &input).expect_code(0);
        let reminder = reply.json().pointer(place).and_then(Value::as_str).map(str::to_owned);
        assert!(reminder.is_some_and(|text| text.contains("memory_propose_update")), "{client}");
        assert_eq!(reply.stderr, "");
        is_silent(&hook(&sandbox, client, event, &input));
        let other = json!({"session_id": format!("{client} again")});
        assert!(!hook(&sandbox, client, event, &other).stdout.is_empty(), "{client}");
    }
    let input = json!({"sessionId": "c", "stopReason": "end_turn", "stop_hook_active": false});
    let copilot = hook(&sandbox, "copilot", "agent-stop", &input).expect_code(0).json();
    assert_eq!(copilot["decision"], "block");
    is_silent(&hook(&sandbox, "copilot", "agent-stop", &input));
    let claude = hook(&sandbox, "claude", "stop", &json!({"session_id": "b"})).json();
    assert_eq!(claude["hookSpecificOutput"]["hookEventName"], "Stop");
    sandbox.run(&["doctor"]).expect_code(0);
}

#[test]
fn an_agent_that_goes_on_for_a_hook_or_was_stopped_is_not_reminded() {
    let sandbox = Sandbox::new();
    for goes_on in [json!(true), json!("true")] {
        let input = json!({"session_id": "new", "stop_hook_active": goes_on});
        is_silent(&hook(&sandbox, "claude", "stop", &input));
    }
    is_silent(&hook(&sandbox, "cursor", "stop", &json!({"loop_count": 1})));
    is_silent(&hook(&sandbox, "cursor", "stop", &json!({"status": "aborted"})));
    is_silent(&hook(&Sandbox::without_store(), "claude", "stop", &json!({"session_id": "a"})));
}

#[test]
fn an_agent_whose_session_is_not_known_is_not_held_up() {
    let sandbox = Sandbox::new();
    for client in ["claude", "codex", "gemini", "cursor"] {
        let event = if client == "gemini" { "after-agent" } else { "stop" };
        is_silent(&hook(&sandbox, client, event, &json!({})));
        let torn = sandbox.call(&["hook", client, event]).stdin("{\"session_id\": \"a\", ").run();
        is_silent(&torn);
    }
}

#[test]
fn a_long_last_message_hides_nothing_of_a_session() {
    let sandbox = Sandbox::new();
    let long = "x".repeat(2_000_000);
    let input = json!({"last_assistant_message": long, "session_id": "a"});
    assert!(!hook(&sandbox, "codex", "stop", &input).stdout.is_empty());
    is_silent(&hook(&sandbox, "codex", "stop", &input));
    let goes_on = json!({"a": long, "session_id": "b", "stop_hook_active": true});
    is_silent(&hook(&sandbox, "codex", "stop", &goes_on));
}

#[test]
fn what_is_kept_of_reminders_stays_small() {
    let sandbox = Sandbox::new();
    sandbox.write("state/reminded", "x".repeat(5_000));
    assert!(!hook(&sandbox, "claude", "stop", &json!({"session_id": "a"})).stdout.is_empty());
    assert!(sandbox.bytes("state/reminded").len() < 100);
    is_silent(&hook(&sandbox, "claude", "stop", &json!({"session_id": "a"})));
}

#[test]
fn the_session_may_be_elsewhere_than_the_hook() {
    let (here, there) = (Sandbox::new(), with_conventions());
    let reply = hook(&here, "claude", "session-start", &json!({"cwd": there.project()}));
    assert!(reply.stdout.contains("They name a path."), "{}", reply.stdout);
}

#[test]
fn it_is_silent_without_a_store() {
    let sandbox = Sandbox::without_store();
    for client in ["claude", "codex", "gemini", "cursor", "copilot"] {
        is_silent(&hook(&sandbox, client, "session-start", &json!({})));
        is_silent(&hook(&sandbox, client, "stop", &json!({"session_id": "a", "sessionId": "a"})));
    }
}

/// Expects what clients show to a person without holding up the agent: 1, and words on stderr alone.
fn is_told(sandbox: &Sandbox, arguments: &[&str], found: &str, known: &str) {
    let reply = sandbox.call(arguments).stdin("{\"session_id\": \"a\"}").run().expect_code(1);
    assert_eq!(reply.stdout, "");
    assert!(reply.stderr.contains(found) && reply.stderr.contains(known), "{}", reply.stderr);
}

#[test]
fn who_mistyped_is_told_what_there_is() {
    let clients = "claude, codex, cursor, gemini, copilot";
    for sandbox in [with_conventions(), Sandbox::without_store()] {
        is_told(&sandbox, &["hook", "nope", "session-start"], "client with hooks: `nope`", clients);
        is_told(&sandbox, &["hook", "zed", "session-start"], "client with hooks: `zed`", clients);
        is_told(&sandbox, &["hook"], "client with hooks: none is named", clients);
        for event in ["sesion-start", "pre-compact", "session-end"] {
            let found = format!("event that is answered: `{event}`");
            is_told(&sandbox, &["hook", "claude", event], &found, "session-start, stop");
        }
    }
}

#[test]
fn it_never_exits_with_2() {
    let sandbox = with_conventions();
    sandbox.run(&["hook", "claude", "session-start", "--nothing"]).expect_code(1);
    sandbox.run(&["--quiet", "hook", "claude", "--nothing"]).expect_code(1);
    sandbox.run(&["search", "hook", "--nothing"]).expect_code(2);
    sandbox.run(&["hook", "claude", "stop", "--root", "nowhere"]).expect_code(0);
    sandbox.write("config.toml", "version = \"?\"\n");
    let store = sandbox.store();
    let arguments = ["--root", store.to_str().unwrap(), "hook", "claude", "session-start"];
    sandbox.run(&arguments).expect_code(1);
    let reply = hook(&sandbox, "claude", "session-start", &json!({})).expect_code(1);
    assert_eq!(reply.stdout, "");
    assert!(reply.stderr.contains("config.toml"), "{}", reply.stderr);
}

#[test]
fn no_open_pipe_makes_a_session_begin_without_memory() {
    let sandbox = with_conventions();
    let event = json!({"source": "startup", "cwd": sandbox.project()}).to_string();
    let marked = format!("\u{feff}{event}");
    for said in [event.as_str(), &marked, "", "{\"source\": "] {
        let reply = sandbox.run_beside_open_pipe(&["hook", "claude", "session-start"], said);
        let pack = reply.expect_code(0).json()["hookSpecificOutput"]["additionalContext"].clone();
        assert!(pack.as_str().unwrap().contains("They name a path."), "{said}: {pack}");
    }
}

#[test]
fn every_command_that_reads_a_document_answers_once_it_is_whole() {
    let sandbox = with_conventions();
    let request = json!({"intent": "update_current", "operations": [
        {"operation": "append_section", "heading": "Where", "content": "- half is done"},
    ]});
    let proposed = sandbox.run_beside_open_pipe(&["propose"], &request.to_string());
    assert_eq!(proposed.expect_code(0).json()["status"], "applied");
    let garbage = sandbox.run_beside_open_pipe(&["propose"], &format!("{request} x"));
    assert_eq!(garbage.expect_code(1).json()["status"], "rejected");
    let call = json!({"tool": "read_user_memory", "arguments": {"name": "none"}}).to_string();
    assert_eq!(sandbox.run_beside_open_pipe(&["user", "call"], &call).json()["status"], "rejected");
    let call = json!({"context": null, "arguments": {}}).to_string();
    sandbox.run_beside_open_pipe(&["ltm", "update"], &call).expect_code(2);
}

#[test]
fn an_event_that_is_not_answered_is_told_those_of_its_client() {
    let sandbox = with_conventions();
    for (client, known) in
        [("claude", "session-start, stop"), ("gemini", "session-start, after-agent")]
    {
        let said = hook(&sandbox, client, "UserPromptSubmit", &json!({})).expect_code(1).stderr;
        assert!(said.contains(&format!("give one of: {known}\n")), "{said}");
    }
    let said = hook(&sandbox, "CLAUDE", "SessionStart", &json!({})).expect_code(0).stdout;
    assert!(said.contains("They name a path."), "{said}");
}
