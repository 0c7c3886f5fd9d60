//! `hook`: what an agent's client gets when a session begins.

use serde_json::{Value, json};

use crate::requests::with_conventions;
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
}

#[test]
fn the_session_may_be_elsewhere_than_the_hook() {
    let (here, there) = (Sandbox::new(), with_conventions());
    let reply = hook(&here, "claude", "session-start", &json!({"cwd": there.project()}));
    assert!(reply.stdout.contains("They name a path."), "{}", reply.stdout);
}

#[test]
fn it_is_silent_without_a_store_and_for_all_else() {
    is_silent(&hook(&Sandbox::without_store(), "claude", "session-start", &json!({})));
    let sandbox = with_conventions();
    is_silent(&hook(&sandbox, "claude", "pre-compact", &json!({})));
    is_silent(&hook(&sandbox, "claude", "session-end", &json!({})));
    is_silent(&hook(&sandbox, "nobody", "session-start", &json!({})));
    is_silent(&sandbox.run(&["hook"]));
}

#[test]
fn it_never_exits_with_2() {
    let sandbox = with_conventions();
    sandbox.run(&["hook", "claude", "session-start", "--nothing"]).expect_code(1);
    sandbox.write("config.toml", "version = \"?\"\n");
    let reply = hook(&sandbox, "claude", "session-start", &json!({})).expect_code(1);
    assert_eq!(reply.stdout, "");
    assert!(reply.stderr.contains("config.toml"), "{}", reply.stderr);
}
