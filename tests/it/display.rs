//! What stands in files and proposals reaches the terminal as text, and never as a command to it.

use serde_json::json;
use unicode_width::UnicodeWidthStr;

use crate::requests::{new_body, with_conventions};
use crate::support::Sandbox;

/// An escape sequence, a change of direction, something that nobody sees, and a lone return.
const EVIL: &str = "a\u{1b}[31mb\u{202e}c\u{200b}d\u{9b}2Je\rf";

/// Expects that a command shows what is hidden, and sends none of it as it is.
#[track_caller]
fn check(sandbox: &Sandbox, arguments: &[&str], shown: &[&str]) {
    for columns in ["40", "80"] {
        let reply = sandbox.call(arguments).env("COLUMNS", columns).run();
        let said = reply.stdout + &reply.stderr;
        let hidden = ['\u{1b}', '\u{202e}', '\u{200b}', '\u{9b}', '\r'];
        assert!(!said.contains(hidden), "{arguments:?}: {said:?}");
        // A narrow window may break a line anywhere.
        let joined: String = said.split_whitespace().collect();
        for code in shown {
            assert!(joined.contains(code), "{arguments:?} does not show {code}: {said}");
        }
    }
}

#[test]
fn no_command_sends_what_a_file_holds_to_the_terminal_uninterpreted() {
    let sandbox = with_conventions();
    let evil = EVIL.replace('\r', "");
    let text =
        format!("\n## Title {evil}\n<!-- @id: title -->\n\nA searchable body {EVIL} of it.\n");
    sandbox.append("conventions.md", &text);
    let id = sandbox.propose(new_body("names", "They are short.")).staged();
    let codes = ["<U+001B>", "<U+202E>", "<U+200B>", "<U+009B>"];
    check(&sandbox, &["show", "conventions.md"], &codes);
    check(&sandbox, &["show", "conventions.md#title"], &[&codes[..], &["<U+000D>"]].concat());
    check(&sandbox, &["search", "searchable", "body"], &codes);
    check(&sandbox, &["blame", "conventions.md"], &codes);
    // The difference of the section above has the heading below it as context.
    check(&sandbox, &["show", &id], &codes);
    check(&sandbox, &["diff"], &codes);
    check(&sandbox, &["review"], &[]);
    sandbox.apply(&id).applied();
    check(&sandbox, &["log", "-p"], &codes);
}

#[test]
fn no_command_sends_what_a_proposal_holds_to_the_terminal_uninterpreted() {
    let sandbox = with_conventions();
    let id = sandbox.propose(new_body("names", "They are short.")).staged();
    // No request gets in like this; who may write the folder can put it there.
    let path = format!("staging/{id}/proposal.json");
    let mut proposal: serde_json::Value = serde_json::from_str(&sandbox.file(&path)).unwrap();
    for field in ["rationale", "intent"] {
        proposal["request"][field] = json!(EVIL);
    }
    proposal["request"]["operations"][0]["content"] = json!(EVIL);
    proposal["owner"] = json!({ "id": EVIL });
    sandbox.write(&path, proposal.to_string());
    for arguments in [
        &["status"][..],
        &["show", &id],
        &["diff"],
        &["review"],
        &["apply", &id, "--approver", "Ada"],
    ] {
        check(&sandbox, arguments, &[]);
    }
    check(&sandbox, &["show", &id], &["<U+001B>", "<U+202E>"]);
    sandbox.run(&["reject", &id]).expect_code(0);
    check(&sandbox, &["log", "-p"], &["<U+001B>"]);
}

#[test]
fn no_command_sends_its_arguments_to_the_terminal_uninterpreted() {
    let sandbox = with_conventions();
    let codes = ["<U+001B>", "<U+202E>", "<U+200B>", "<U+009B>", "<U+000D>"];
    let option = format!("--{EVIL}");
    let folder = format!("./{EVIL}");
    for arguments in [
        &[EVIL][..],
        &[&option],
        &["--color", EVIL, "status"],
        &["check", "--format", EVIL],
        &["status", EVIL],
        &["--json", "check", "--format", EVIL],
        &["--root", &folder, "status"],
        &["man", &folder],
    ] {
        check(&sandbox, arguments, if arguments[0] == "--json" { &[] } else { &codes });
    }
}

#[test]
fn the_lines_about_a_proposal_fit_the_window() {
    let sandbox = with_conventions();
    let mut request = new_body("names", "They are short.");
    request["rationale"] = json!(
        "A reason of more than one line, 再試行の予算 and all, with averylongwordthatnolineoffortycolumnscanhold in it"
    );
    request["owner"] =
        json!("an owner with a name that is much longer than those that most of us have");
    let id = sandbox.propose(request).staged();
    for columns in ["40", "80"] {
        let shown =
            sandbox.call(&["show", &id]).env("COLUMNS", columns).run().expect_code(0).stdout;
        let about = shown.split("\n\n").next().unwrap();
        let ours =
            about.lines().filter(|line| !line.starts_with("proposal ") && !line.contains(".md#"));
        for line in ours {
            assert!(line.width() <= columns.parse().unwrap(), "{columns}: {line}");
        }
    }
}
