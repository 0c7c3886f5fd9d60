//! `propose` with a person who reads the answer, and with the request in an editor.

use serde_json::Value;

use crate::requests::{convention, session};
use crate::support::{Sandbox, Terminal};

fn with_request(request: &Value) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write_project("request.json", request.to_string());
    sandbox
}

fn propose(sandbox: &Sandbox, options: &str, variables: &[(&str, &str)]) -> (String, i32) {
    Terminal::run(sandbox, &format!("propose {options}"), 100, variables).end()
}

#[test]
fn a_person_gets_two_lines_what_happened_and_what_comes_next() {
    let sandbox = with_request(&convention("Errors", "Name the path."));
    let (shown, code) = propose(&sandbox, "-f request.json", &[]);
    let pending = sandbox.run(&["status", "--json"]).expect_code(0).json()["pending"].clone();
    let id = pending[0]["id"].as_str().unwrap();
    let expected = format!(
        "pending: added conventions.md#errors\nnext: `agent-memory review {id}` decides it\n"
    );
    assert!(shown.starts_with(&expected) && code == 0, "{shown}");
    let sandbox = with_request(&session("Today", "Done."));
    let (shown, code) = propose(&sandbox, "-f request.json", &[]);
    assert!(
        shown.starts_with("applied: added sessions/2026-11-20.md#today\nnext: `agent-memory undo "),
        "{shown}"
    );
    assert_eq!(code, 0);
    let (shown, code) = propose(&sandbox, "-f request.json", &[]);
    assert!(shown.starts_with("refused: ") && shown.contains("hint: "), "{shown}");
    assert_eq!(code, 1);
}

#[test]
fn a_program_and_an_agent_at_a_terminal_get_json() {
    let sandbox = with_request(&session("Today", "Done."));
    let (shown, _) = propose(&sandbox, "-f request.json --json", &[]);
    assert!(shown.contains("\"status\": \"applied\""), "{shown}");
    let (shown, _) = propose(&sandbox, "-f request.json", &[("CLAUDECODE", "1")]);
    assert!(shown.contains("\"status\": \"rejected\""), "{shown}");
}

#[test]
fn a_request_is_edited_before_it_is_sent() {
    let sandbox = with_request(&session("Today", "Done."));
    let (shown, code) =
        propose(&sandbox, "--edit -f request.json", &[("EDITOR", "sed -i s/Done/Half/")]);
    assert!(shown.contains("applied: added") && code == 0, "{shown}");
    assert!(sandbox.file("sessions/2026-11-20.md").contains("Half."));
    let piped = "--edit < request.json";
    let (shown, code) = propose(&sandbox, piped, &[("EDITOR", "sed -i s/Today/Later/")]);
    assert!(shown.contains("#later") && code == 0, "{shown}");
}

#[test]
fn the_editor_is_the_one_that_git_would_open() {
    let sandbox = with_request(&session("Today", "Done."));
    sandbox.git(&["config", "core.editor", "sed -i s/Done/Git/"]);
    let (_, code) = propose(&sandbox, "--edit -f request.json", &[("EDITOR", "false")]);
    assert_eq!(code, 0);
    assert!(sandbox.file("sessions/2026-11-20.md").contains("Git."));
}

#[test]
fn an_empty_or_untouched_text_cancels_and_a_refused_one_is_kept() {
    let sandbox = with_request(&session("Today", "Done."));
    for (options, editor) in [("--edit -f request.json", "truncate -s 0"), ("--edit", "true")] {
        let (shown, code) = propose(&sandbox, options, &[("EDITOR", editor)]);
        assert!(shown.contains("cancelled") && code == 1, "{shown}");
    }
    let tmp = sandbox.root().join("tmp").display().to_string();
    let editor = "sed -i s/session_log/sesion_log/";
    let variables = [("EDITOR", editor), ("TMPDIR", tmp.as_str())];
    let (shown, code) = propose(&sandbox, "--edit -f request.json", &variables);
    assert!(shown.contains("did you mean `\"intent\": \"session_log\"`") && code == 1, "{shown}");
    let kept = shown.split_once("propose --edit --file ").unwrap().1.split('`').next().unwrap();
    let kept = std::fs::read_to_string(kept.replace(['\n', ' '], "")).unwrap();
    assert!(kept.contains("sesion_log"), "{kept}");
    assert!(!sandbox.has("sessions/2026-11-20.md"));
}

#[test]
fn without_a_terminal_there_is_no_editor() {
    let sandbox = with_request(&session("Today", "Done."));
    let error = sandbox.run(&["propose", "--edit", "-f", "request.json"]).expect_code(2).json();
    assert!(error["error"]["message"].as_str().unwrap().contains("needs a terminal"), "{error}");
}
