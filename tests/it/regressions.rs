//! What went wrong once: a test for every bug that a reader or a machine found.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use agent_memory::contract::ContentHash;
use agent_memory::project::verbs::{Project, propose};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::requests::{convention, new_body, session};
use crate::secrets_leak::{Leaks, planted, put, secrets};
use crate::support::{Sandbox, journal_line};

#[test]
fn options_after_a_question_are_options() {
    let sandbox = Sandbox::new();
    sandbox.run(&["search", "conventions", "--json"]).expect_code(0).json();
}

#[test]
fn a_hint_about_a_name_does_not_repeat_a_secret() {
    let sandbox = Sandbox::new();
    let mut leaks = Leaks::default();
    for secret in secrets() {
        for place in ["section_id", "parent_section_id", "path"] {
            let mut request = session("Today", "Done.");
            put(&mut request, &format!("/operations/0/{place}"), json!(secret.text));
            let reply = sandbox.call(&["propose"]).stdin(request.to_string()).run();
            leaks.look(&format!("{} in {place}", secret.kind), &reply, &secret);
        }
    }
    leaks.none();
}

#[test]
fn an_argument_that_is_a_secret_is_not_repeated() {
    let sandbox = Sandbox::new();
    let mut leaks = Leaks::default();
    for secret in secrets() {
        let text = secret.text.as_str();
        let (file, section) = (format!("{text}.md"), format!("decisions.md#{text}"));
        // A path cannot hold a slash in a name, and a connection string without its slashes is none.
        let name = if text.contains('/') { "none" } else { text };
        let commands: [&[&str]; 15] = [
            &["show", "--", text],
            &["show", "--json", "--", text],
            &["diff", "--", text],
            &["show", "--", &file],
            &["show", "--", &section],
            &["apply", "--approver", "Ada", "--", text],
            &["reject", "--", text],
            &["status", &format!("--color={text}")],
            &["status", &format!("--color={text}"), "--json"],
            &["--", text],
            &["status", &format!("--root=/nowhere/{name}")],
            &["status", "--json", &format!("--root=/nowhere/{name}")],
            &["propose", &format!("--file=/nowhere/{name}")],
            &["apply", "x", "--approver=Ada", &format!("--digest={text}")],
            &["search", "--json", "--category", text, "x"],
        ];
        for command in commands {
            let name = command.iter().map(|word| word.replace(text, "…")).collect::<Vec<_>>();
            leaks.look(&format!("{} by {name:?}", secret.kind), &sandbox.run(command), &secret);
        }
    }
    leaks.none();
}

#[test]
fn a_name_that_is_a_secret_is_not_logged() {
    let mut leaks = Leaks::default();
    for secret in secrets() {
        let sandbox = Sandbox::new();
        let name = format!("--approver={}", secret.text);
        sandbox.propose(convention("One", "The first.")).staged();
        sandbox.run(&["apply", "--latest", &name]);
        sandbox.propose(convention("Two", "The second.")).staged();
        sandbox.run(&["reject", "--latest", &name]);
        leaks.look(&format!("{} by log", secret.kind), &sandbox.run(&["log"]), &secret);
        leaks.look_through(sandbox.root(), &[secret]);
    }
    leaks.none();
}

#[test]
fn a_setting_that_is_a_secret_is_not_repeated() {
    let mut leaks = Leaks::default();
    for secret in secrets() {
        let sandbox = Sandbox::new();
        let quoted = toml_text(&secret.text);
        let settings = [
            format!("version = {quoted}\n"),
            format!("{quoted} = 1\n"),
            format!("[secrets]\npii = [{quoted}]\n"),
            format!("[routing.categories]\npitfalls = {quoted}\n"),
            format!("[routing.intents]\n{quoted} = \"stage\"\n"),
            format!("[staging]\nmax_open = {quoted}\n"),
        ];
        for setting in settings {
            sandbox.write("config.toml", &setting);
            for command in ["status", "doctor"] {
                for form in [None, Some("--json")] {
                    let reply = sandbox.run(&[&[command], form.as_slice()].concat());
                    let name = setting.replace(&quoted, "…");
                    leaks.look(
                        &format!("{} in {name:?} by {command}", secret.kind),
                        &reply,
                        &secret,
                    );
                }
            }
        }
    }
    leaks.none();
}

#[test]
fn the_journal_keeps_no_secret_of_another_section() {
    let mut leaks = Leaks::default();
    for secret in secrets() {
        let sandbox = planted(&secret);
        let id = sandbox.propose(new_body("errors", "They name a line.")).staged();
        sandbox.apply(&id).applied();
        fs::remove_file(sandbox.store().join("conventions.md")).unwrap();
        leaks.look_through(&sandbox.store(), &[secret]);
    }
    leaks.none();
}

#[test]
fn hidden_characters_are_escaped_in_json() {
    let text = "# Pitfalls\n\n## Tr\u{202e}ap\n<!-- @id: trap -->\n\nevil \u{200b} end\n";
    let sandbox = Sandbox::given(&[("pitfalls.md", text)]);
    let request = json!({ "intent": "add_pitfall", "operations": [
        { "operation": "replace_section_content", "section_id": "trap", "content": "Clean." },
    ]});
    let id = sandbox.propose(request).staged();
    let commands: [&[&str]; 6] = [
        &["show", "pitfalls.md", "--json"],
        &["show", &id, "--json"],
        &["diff", "--json"],
        &["search", "--json", "evil"],
        &["status", "--json"],
        &["doctor", "--json"],
    ];
    let raw: Vec<_> = commands
        .into_iter()
        .filter(|command| sandbox.run(command).stdout.contains(['\u{202e}', '\u{200b}']))
        .collect();
    assert!(raw.is_empty(), "{raw:?}");
}

#[test]
fn an_answer_that_cannot_be_printed_is_exit_code_2() {
    let sandbox = Sandbox::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
    command.args(["status", "--json"]).current_dir(sandbox.project()).env_clear();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let status = command.stdout(full).stderr(Stdio::null()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn an_absolute_settings_folder_inside_the_repository_is_not_the_users_own() {
    for variable in ["XDG_CONFIG_HOME", "HOME"] {
        let sandbox = Sandbox::new();
        let allow = "[approval]\nallow_agents = true\n";
        sandbox.write_project("trap/agent-memory/config.toml", allow);
        sandbox.write_project("trap/.config/agent-memory/config.toml", allow);
        let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
        let trap = sandbox.project().join("trap").display().to_string();
        let call = sandbox.call(&["apply", &id, "--approver", "Ada", "--json"]);
        let call = call.env("CLAUDECODE", "1").env("XDG_CONFIG_HOME", "").env(variable, &trap);
        call.run().answer().rejected("approval_refused");
    }
}

#[test]
fn an_empty_root_in_the_environment_is_none() {
    let sandbox = Sandbox::new();
    sandbox.call(&["status"]).env("AGENT_MEMORY_ROOT", "").run().expect_code(0);
}

#[test]
fn force_shows_the_difference_even_when_quiet() {
    let sandbox = crate::requests::with_conventions();
    let id = sandbox.propose(new_body("errors", "They name a line.")).staged();
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("a path", "a way"));
    let reply = sandbox.run(&["apply", &id, "--approver", "Ada", "--force", "--quiet"]);
    let said = reply.stdout + &reply.stderr;
    assert!(said.contains("-They name a way."), "{said}");
}

#[test]
fn two_proposals_never_share_a_name() {
    let sandbox = Sandbox::given(&[("config.toml", "[staging]\nmax_open = 10000\n")]);
    let first = sandbox.propose(convention("One", "The first.")).staged();
    assert!(
        first.ends_with(&tail(&convention("One", "The first."), 0)),
        "names are made otherwise"
    );
    let twin = (0..2_000_000)
        .map(|number| convention("Two", &format!("The second, number {number}.")))
        .find(|request| first.ends_with(&tail(request, 1)))
        .expect("one in 65536 fits");
    let second = sandbox.propose(twin).staged();
    assert_ne!(second, first);
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    assert_eq!(status["pending"].as_array().unwrap().len(), 2);
}

#[test]
fn a_decided_proposal_leaves_the_queue_even_if_the_trash_holds_its_name() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.write(&format!("state/trash/{id}/proposal.json"), "an older one of that name");
    sandbox.apply(&id).applied();
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    assert_eq!(status["pending"], json!([]));
}

#[test]
fn a_key_with_a_slash_is_not_repeated_in_a_pointer() {
    let sandbox = Sandbox::new();
    let mut leaks = Leaks::default();
    for secret in secrets() {
        let request = json!({ "intent": "session_log", "operations": [], secret.text.as_str(): 1 });
        let reply = sandbox.call(&["propose"]).stdin(request.to_string()).run();
        leaks.look(secret.kind, &reply, &secret);
    }
    leaks.none();
}

#[test]
fn a_rewrapped_text_is_the_same_text() {
    let sandbox = Sandbox::new();
    let text = "Every error message says what happened, why, and what to do next.";
    let id = sandbox.propose(convention("Errors", text)).staged();
    sandbox.run(&["reject", &id, "--reason", "no"]).expect_code(0);
    let again = convention("Errors", &text.replace("why, and", "why,\nand"));
    sandbox.propose(again).rejected("previously_rejected");
}

#[test]
fn a_hand_edit_while_a_change_is_being_written_is_not_lost() {
    let Some((sandbox, request)) = stage_for_strace() else { return };
    // The record of the change takes its time to become durable, as on a slow disk.
    let mut slow = strace(&sandbox, "fdatasync:delay_enter=700000:when=1", &request);
    let mut running = slow.stdout(Stdio::null()).spawn().unwrap();
    let is_aside = || {
        let names = fs::read_dir(sandbox.store().join("state/tmp"));
        names.is_ok_and(|mut names| names.next().is_some())
    };
    while !is_aside() {
        assert!(running.try_wait().unwrap().is_none(), "it ended before it wrote");
        std::thread::yield_now();
    }
    let edited = sandbox.file("local/shared.md").replace("The first", "By hand, the first");
    sandbox.write("local/shared.md", edited);
    running.wait_with_output().unwrap();
    assert!(stands_somewhere(&sandbox.store(), "By hand"), "{}", sandbox.file("local/shared.md"));
}

#[test]
fn a_hand_edit_after_a_change_was_written_is_not_taken_back() {
    let Some((sandbox, request)) = stage_for_strace() else { return };
    // Dies before the mark that the change was carried out: the sixth of its writes.
    let killed = strace(&sandbox, "write:signal=KILL:when=6", &request).output().unwrap();
    assert!(killed.stdout.is_empty());
    let text = sandbox.file("local/shared.md");
    assert!(text.contains("Second.") && sandbox.file("state/log.jsonl").lines().count() == 2);
    let edited = text.replace("The first", "By hand, the first");
    sandbox.write("local/shared.md", &edited);
    sandbox.run(&["status"]).expect_code(0);
    assert_eq!(sandbox.file("local/shared.md"), edited);
}

#[test]
fn doctor_names_a_damaged_rejection() {
    let sandbox = Sandbox::given(&[("rejections/bad.toml", "junk = 1\n")]);
    sandbox.propose(convention("Errors", "Name the path."));
    let answer = sandbox.run(&["doctor", "--json"]).expect_code(1).json();
    assert!(answer["findings"].to_string().contains("rejections/bad.toml"), "{answer}");
}

#[test]
fn a_very_long_wait_is_no_bug() {
    let sandbox = Sandbox::new();
    let call = sandbox.call(&["propose", "--wait", &u64::MAX.to_string()]);
    let reply = call.stdin(session("Today", "Done.").to_string()).run().expect_code(2);
    assert_eq!(reply.json()["error"]["code"], "usage");
}

#[test]
fn a_pipe_in_the_place_of_a_file_keeps_nobody_waiting() {
    for path in ["rejections/x.toml", "staging/20261120-100000-pipe-abcd/proposal.json"] {
        let sandbox = Sandbox::given(&[(path, "")]);
        let file = sandbox.store().join(path);
        fs::remove_file(&file).unwrap();
        assert!(Command::new("mkfifo").arg(file).status().unwrap().success());
        let mut command = Command::new("timeout");
        command.args(["5", env!("CARGO_BIN_EXE_agent-memory"), "propose", "--file"]);
        sandbox.write_project("request.json", convention("Errors", "Name it.").to_string());
        command.arg("request.json").current_dir(sandbox.project()).stdout(Stdio::null());
        assert_ne!(command.status().unwrap().code(), Some(124), "{path}");
    }
}

fn stage_for_strace() -> Option<(Sandbox, String)> {
    Command::new("strace").arg("-V").stdout(Stdio::null()).status().ok()?;
    let sandbox = Sandbox::new();
    sandbox.propose(crate::requests::shared("Alpha", "The first text.")).applied();
    let request = json!({ "intent": "update_shared", "operations": [
        { "operation": "append_to_section", "section_id": "alpha", "content": "Second." },
    ]});
    sandbox.write_project("request.json", request.to_string());
    Some((sandbox, "request.json".to_owned()))
}

fn strace(sandbox: &Sandbox, inject: &str, request: &str) -> Command {
    let mut command = Command::new("strace");
    command.args(["-qq", "-o", "/dev/null", "-e", "trace=write,fdatasync", "-e"]);
    command.arg(format!("inject={inject}")).arg(env!("CARGO_BIN_EXE_agent-memory"));
    command.args(["propose", "--file", request]).current_dir(sandbox.project()).env_clear();
    command.env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z");
    command
}

fn stands_somewhere(folder: &std::path::Path, text: &str) -> bool {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).any(|path| {
        if path.is_dir() {
            return stands_somewhere(&path, text);
        }
        let bytes = fs::read(&path).unwrap();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}

/// Computes the last four digits of a name as the program does, after so many decisions.
fn tail(request: &Value, decisions: usize) -> String {
    let parts: Vec<String> = ["intent", "operations", "sources", "confidence"]
        .iter()
        .map(|name| request[*name].to_string())
        .collect();
    let question = hex(&Sha256::digest(parts.join("\n")));
    hex(&Sha256::digest(format!("{question} {decisions} 0")))[..4].to_owned()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn toml_text(text: &str) -> String {
    json!(text).to_string()
}

#[test]
fn a_category_that_is_not_there_is_named_with_the_nearest_one() {
    let sandbox = Sandbox::new();
    let reply = sandbox.run(&["search", "--json", "--category", "decision", "x"]).expect_code(2);
    let error = reply.json()["error"].to_string();
    assert!(error.contains("did you mean `decisions`?"), "{error}");
}

#[test]
fn lines_beyond_the_end_of_a_file_are_no_evidence() {
    let sandbox = Sandbox::new();
    let mut request = convention("Errors", "Name the path.");
    request["sources"] = json!([{"type": "file", "ref": "src/auth/refresh.rs:2-900"}]);
    let answer = sandbox.propose(request).rejected("provenance_violation");
    assert!(answer["message"].to_string().contains("a file of 4 lines"), "{}", answer.value);
}

/// A change that a process had committed when it died: the line of the journal, which another process
/// finds when it takes the lock.
fn committed_change(project: &Path, path: &str, before: &str, after: &str) -> String {
    let hash = |text: &str| ContentHash::of(text.as_bytes()).to_string();
    let former = json!({ "hash": hash(before), "modified": null });
    let step = json!({ "step": "write", "path": path, "before": former, "after": after });
    let record = json!({
        "version": 1, "verb": "apply", "number": 7, "boot": "another", "steps": [step],
    });
    journal_line(project, &record.to_string())
}

#[test]
fn what_recovery_says_while_a_command_takes_the_lock_is_passed_on() {
    let requests = [session("Today", "Done."), json!({ "intent": "none" })];
    for (request, expected) in requests.into_iter().zip([true, false]) {
        let sandbox = Sandbox::given(&[("pitfalls.md", "# Pitfalls\n\nEdited by hand.\n")]);
        let project = Project::open(&sandbox.session()).unwrap();
        let after = "# Pitfalls\n\nCommitted.\n";
        let line = committed_change(&sandbox.project(), "pitfalls.md", "# Pitfalls\n", after);
        fs::write(sandbox.store().join("state/journal"), line).unwrap();
        let outcome = propose(&project, request.to_string().into_bytes()).unwrap();
        let answer = serde_json::to_value(outcome).unwrap();
        // A request that is refused before the lock is taken recovers nothing.
        assert_eq!(answer["warnings"].to_string().contains("pitfalls.md"), expected, "{answer}");
    }
}

#[test]
fn a_line_behind_an_allow_region_makes_no_new_region() {
    let region = "<!-- secret-allow: an example -->\nx\n<!-- /secret-allow -->\n";
    let text = format!("# Shared\n\n## Keys\n<!-- @id: keys -->\n\n{region}");
    let sandbox = Sandbox::given(&[("local/shared.md", &text)]);
    let append = |content: &str| {
        json!({
            "intent": "update_shared",
            "operations": [{ "operation": "append_to_section", "section_id": "keys", "content": content }],
        })
    };
    sandbox.propose(append("A line behind it.")).applied();
    sandbox.propose(append(&region.replace('x', "y"))).staged();
}

#[test]
fn a_hint_about_a_target_leads_to_one() {
    let text = "# Pitfalls\n\nSet\n---\n\nx\n\n## Wide\n<!-- @id: wid -->\n\ny\n";
    let sandbox = Sandbox::given(&[("pitfalls.md", text)]);
    let check = |target: Value, message: &str, hint: &str| {
        let mut operation = json!({"operation": "append_to_section", "content": "- New."});
        operation.as_object_mut().unwrap().extend(target.as_object().unwrap().clone());
        let request = json!({"intent": "add_pitfall", "operations": [operation]});
        let answer = sandbox.propose(request);
        let answer = answer.rejected("section_not_found");
        assert!(answer["message"].as_str().unwrap().contains(message), "{answer:?}");
        assert!(answer["hint"].as_str().unwrap().contains(hint), "{answer:?}");
    };
    check(json!({"heading": "Set"}), "an underlined heading", "write it as `## Set`");
    check(json!({"heading": "wid"}), "which is an id", "give `wid` as `section_id`");
    check(json!({"heading": "Wide", "occurrence": 2}), "no occurrence 2", "leave `occurrence` out");
    check(json!({"section_id": "wide"}), "did you mean `wid`", "the file has");
}

#[test]
fn a_word_of_a_schema_is_one_of_those_that_are_known() {
    let sandbox = Sandbox::new();
    let schema =
        sandbox.file("schemas/pitfalls.toml").replace("id = \"required\"", "id = \"requird\"");
    sandbox.write("schemas/pitfalls.toml", schema);
    assert!(sandbox.run(&["doctor"]).expect_code(1).stdout.contains("requird"));
}
