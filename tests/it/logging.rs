//! `AGENT_MEMORY_LOG`: what the program does, told on stderr or in a file, and never a secret; and the note of a hook that
//! failed.

use std::fs;

use serde_json::json;

use crate::requests::{convention, session, with_conventions};
use crate::secrets_leak::secrets;
use crate::support::{Reply, Sandbox};

fn propose(sandbox: &Sandbox, level: &str) -> Reply {
    let request = session(&format!("Told at {level}"), "Done.").to_string();
    sandbox.call(&["propose"]).env("AGENT_MEMORY_LOG", level).stdin(request).run()
}

#[test]
fn each_level_tells_more_and_nothing_is_told_unasked() {
    let sandbox = Sandbox::new();
    assert_eq!(propose(&sandbox, "").expect_code(0).stderr, "");
    let [info, debug, trace] =
        ["info", "debug", "trace"].map(|level| propose(&sandbox, level).expect_code(0).stderr);
    for told in [" command=propose", "store folder=", "decision=applied", "command ended"] {
        assert!(info.contains(told), "{told}: {info}");
    }
    assert!(!info.contains("lock taken") && !info.contains(" read path="), "{info}");
    for told in ["lock taken pending_ms=", "change verb=propose steps="] {
        assert!(debug.contains(told), "{told}: {debug}");
    }
    assert!(!debug.contains(" read path="), "{debug}");
    let call = sandbox.call(&["doctor"]).env("AGENT_MEMORY_LOG", "debug");
    let told = call.run().expect_code(0).stderr;
    assert!(told.contains(" is_done=true ms="), "{told}");
    assert!(trace.contains(" read path=config.toml"), "{trace}");
    assert!(trace.contains("changed file path=sessions/2026-11-20.md"), "{trace}");
    for line in trace.lines() {
        assert!(line.starts_with("2026-11-20T10:00:00+00:00 "), "{line}");
    }
}

#[test]
fn a_decision_is_told_by_its_code_and_id() {
    let sandbox = Sandbox::new();
    let told = |words: &[&str]| sandbox.call(words).env("AGENT_MEMORY_LOG", "info").run().stderr;
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let said = told(&["reject", &id, "--reason", "no words of it", "--approver", "Ada"]);
    assert!(said.contains(&format!("decision=rejected id={id}")), "{said}");
    assert!(!said.contains("no words"), "{said}");
    assert!(told(&["apply", "nothing"]).contains("command refused code=approval_refused"));
    let failed = told(&["status", "--root", "/nowhere"]);
    assert!(failed.contains("command failed code=store_not_found"), "{failed}");
    assert!(told(&["reindex"]).contains("index rebuilt why="), "the index is made");
}

#[test]
fn no_secret_and_no_control_character_is_logged() {
    let sandbox = Sandbox::new();
    let log = sandbox.root().join("all.log");
    let run = |words: &[&str], input: &str| {
        let call = sandbox.call(words).env("AGENT_MEMORY_LOG", "trace");
        call.env("AGENT_MEMORY_LOG_FILE", log.to_str().unwrap()).stdin(input).run()
    };
    for secret in secrets() {
        let text = &secret.text;
        let mut request = session("Today", text);
        run(&["propose"], &request.to_string()).expect_code(1);
        request = json!({"intent": "refresh_module", "sources": [{"type": "file", "ref": format!("src/{text}")}],
            "operations": [{"operation": "append_section", "heading": "A", "content": "B",
                "path": format!("modules/\u{1b}[2J{text}\u{202e}.md")}]});
        run(&["propose"], &request.to_string()).expect_code(1);
        for words in [
            ["show", text],
            ["status", &format!("--root=\u{1b}[2J{text}")],
            ["search", text],
            ["hook", text],
        ] {
            run(&words, "");
        }
        sandbox.write_project(&format!("{}.json", "a\u{1b}[2J"), request.to_string());
        run(&["propose", "--file", "a\u{1b}[2J.json"], "").expect_code(1);
    }
    let told = fs::read_to_string(&log).unwrap();
    assert!(told.contains("path=a<U+001B>[2J.json"), "the name is shown");
    assert!(told.lines().count() > 100, "{told}");
    let hidden = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!told.contains(hidden));
    for secret in secrets() {
        assert!(!told.contains(&secret.core), "{} is in the log", secret.kind);
    }
}

#[test]
fn a_wrong_setting_is_one_warning_and_the_command_works() {
    let sandbox = Sandbox::new();
    let reply = sandbox.call(&["status"]).env("AGENT_MEMORY_LOG", "verbose").run().expect_code(0);
    insta::assert_snapshot!(reply.stderr, @"warning: `AGENT_MEMORY_LOG` is `verbose`, and can be `info`, `debug` or `trace`; nothing is logged");
    let call = sandbox.call(&["status"]).env("AGENT_MEMORY_LOG", "info");
    let reply = call.env("AGENT_MEMORY_LOG_FILE", "none/log").run().expect_code(0);
    assert!(reply.stderr.starts_with("warning: could not write to"), "{}", reply.stderr);
    assert!(reply.stderr.contains("command=status"), "{}", reply.stderr);
}

#[cfg(unix)]
#[test]
fn the_file_is_its_owners_alone_and_no_link_is_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let sandbox = Sandbox::new();
    let run = |file: &str| {
        let call = sandbox.call(&["status"]).env("AGENT_MEMORY_LOG", "info");
        call.env("AGENT_MEMORY_LOG_FILE", file).run().expect_code(0).stderr
    };
    assert_eq!(run("own.log"), "");
    assert_eq!(run("own.log"), "");
    let own = sandbox.project().join("own.log");
    assert_eq!(fs::read_to_string(&own).unwrap().matches("command ended").count(), 2);
    assert_eq!(fs::metadata(&own).unwrap().permissions().mode() & 0o777, 0o600);
    symlink("other.log", sandbox.project().join("link.log")).unwrap();
    assert!(run("link.log").starts_with("warning: "), "it is a link");
    assert!(!sandbox.project().join("other.log").exists());
}

#[cfg(feature = "mcp")]
#[test]
fn calls_of_an_agent_are_told_by_name_and_time() {
    use crate::mcp::client::{Client, Era};
    let mut sandbox = Sandbox::new();
    sandbox.set_env("AGENT_MEMORY_LOG", "info");
    let mut client = Client::start(&sandbox, Era::Stateless);
    client.answer("memory_status", json!({}));
    client.request("no/method", json!({"text": "words of the client"}));
    let (_, _, told) = client.finish();
    assert!(told.contains("mcp request name=tools/call memory_status end=Answered ms="), "{told}");
    assert!(told.contains("mcp request name=no/method end=Refused ms="), "{told}");
    assert!(!told.contains("words of the client"), "{told}");
}

/// Breaks the settings, so that a hook fails.
fn broken() -> Sandbox {
    let sandbox = with_conventions();
    sandbox.write("config.toml", "[staging]\nttl_day = 3\n");
    sandbox
}

fn begin(sandbox: &Sandbox) -> Reply {
    sandbox.call(&["hook", "claude", "session-start"]).stdin("{}").run()
}

#[test]
fn a_hook_that_fails_leaves_a_note_that_doctor_shows_and_removes() {
    let mut sandbox = broken();
    let settings = sandbox.file("config.toml");
    begin(&sandbox).expect_code(1);
    let note = sandbox.file("state/last-error");
    let begins = "2026-11-20T10:00:00Z hook claude session-start: config_invalid: ";
    assert!(note.starts_with(begins) && note.lines().count() == 1, "{note}");
    sandbox.advance_days(2);
    let said = sandbox.run(&["doctor"]).expect_code(1).stdout;
    let told = "2d ago there was a failure: hook claude session-start: config_invalid";
    assert!(said.contains(told) && said.contains("AGENT_MEMORY_LOG=debug"), "{said}");
    // A later hook that works leaves it to a person.
    sandbox.write("config.toml", settings.replace("ttl_day ", "ttl_days "));
    begin(&sandbox).expect_code(0);
    assert!(sandbox.run(&["doctor"]).expect_code(0).stdout.contains("there was a failure"));
    let fixed = sandbox.run(&["doctor", "--fix"]).expect_code(0).stdout;
    assert!(fixed.contains("removed `state/last-error`"), "{fixed}");
    assert!(!sandbox.has("state/last-error"));
}

#[test]
fn a_note_has_a_bound_and_holds_no_secret() {
    let sandbox = with_conventions();
    for secret in secrets() {
        let text = format!("[staging]\n\"{}\" = 3\n{}", secret.text, "x = 1\n".repeat(1_000));
        sandbox.write("config.toml", text);
        begin(&sandbox).expect_code(1);
        let note = sandbox.file("state/last-error");
        assert!(!note.contains(&secret.core) && note.len() < 1_100, "{}: {note}", secret.kind);
        sandbox.call(&["hook", &secret.text, "\u{1b}[2J"]).run().expect_code(1);
        let note = sandbox.file("state/last-error");
        assert!(!note.contains(&secret.core) && !note.contains('\u{1b}'), "{note}");
    }
}

#[test]
fn a_note_that_cannot_be_written_changes_nothing() {
    let sandbox = broken();
    let before = begin(&sandbox).expect_code(1);
    fs::remove_file(sandbox.store().join("state/last-error")).unwrap();
    fs::create_dir_all(sandbox.store().join("state/last-error/full")).unwrap();
    let reply = begin(&sandbox).expect_code(1);
    assert_eq!((reply.stdout, reply.stderr), (before.stdout, before.stderr));
}

#[cfg(feature = "mcp")]
#[test]
fn a_call_of_an_agent_that_fails_leaves_a_note_unless_it_is_misused() {
    use crate::mcp::client::{Client, Era};
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    client.call("memory_search", json!({"query": "x", "confidence": "never heard of"}));
    assert!(!sandbox.has("state/last-error"));
    sandbox.write("config.toml", "[staging]\nttl_day = 3\n");
    client.call("memory_search", json!({"query": "x"}));
    assert!(sandbox.file("state/last-error").contains("Z mcp: config_invalid: "));
}
