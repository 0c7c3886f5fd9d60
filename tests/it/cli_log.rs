//! `log`: who decided what.
#![allow(clippy::print_stdout, reason = "a test that is left out says so")]

use std::process::{Command, Stdio};

use agent_memory::contract::ContentHash;
use serde_json::json;

use crate::requests::{TELLING, convention, session, shared};
use crate::support::{ProjectKey, Reply, Sandbox};

#[test]
fn the_youngest_decision_stands_first() {
    let mut sandbox = Sandbox::new();
    let mut request = convention("Errors", TELLING);
    request["rationale"] = json!("Errors that help");
    request["owner"] = json!("claude");
    let id = sandbox.propose(request).staged();
    sandbox.advance_days(1);
    sandbox.apply(&id).applied();
    let reply = sandbox.run(&["log"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout.replace(&id, "[id]"), @r"
    TIME                 DECISION PROPOSAL
    2026-11-21T10:00:00Z applied  [id]
      by Ada, from claude, conventions.md#errors
      Errors that help
    2026-11-20T10:00:00Z staged   [id]
      from claude, conventions.md#errors
      Errors that help
    ");
}

#[test]
fn a_decision_names_files_sections_and_hashes() {
    let sandbox = Sandbox::new();
    let answer = sandbox.propose(session("Today", "Done.")).applied();
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    let line = &log["decisions"][0];
    assert_eq!(line["id"], answer["proposal_id"]);
    assert_eq!(line["sections"], answer["affected_sections"]);
    assert_eq!(line["files"][0]["path"], "sessions/2026-11-20.md");
    assert_eq!(line["files"][0]["after"].as_str().unwrap().len(), 64);
}

#[test]
fn the_log_has_one_line_for_each_decision() {
    let sandbox = Sandbox::new();
    let first = sandbox.propose(convention("One", "The first.")).staged();
    let second = sandbox.propose(convention("Two", "The second.")).staged();
    sandbox.apply(&first).applied();
    sandbox.run(&["reject", &second]).expect_code(0);
    assert_eq!(sandbox.file("state/log.jsonl").lines().count(), 4);
}

#[test]
fn a_limit_keeps_the_youngest() {
    let sandbox = Sandbox::new();
    for day in ["One", "Two", "Three"] {
        sandbox.propose(session(day, "Done.")).applied();
    }
    let log = sandbox.run(&["log", "--limit", "1", "--json"]).expect_code(0).json();
    let decisions = log["decisions"].as_array().unwrap();
    assert_eq!(decisions.len(), 1);
    assert_eq!(decisions[0]["sections"][0]["section_id"], "three");
}

#[test]
fn a_new_store_has_decided_nothing() {
    let sandbox = Sandbox::new();
    let reply = sandbox.run(&["log"]).expect_code(0);
    assert_eq!(reply.stderr, "nothing was decided yet\n");
}

#[test]
fn a_torn_last_line_is_passed_over_and_the_next_decision_is_whole() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("One", "Done.")).applied();
    sandbox.append("state/log.jsonl", "{\"time\":\"2026-");
    sandbox.propose(session("Two", "Done.")).applied();
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"].as_array().unwrap().len(), 2);
    assert_eq!(sandbox.file("state/log.jsonl").lines().count(), 2);
}

#[test]
fn hidden_characters_of_an_approver_reach_no_terminal() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("One", "The first.")).staged();
    sandbox.run(&["apply", &id, "--approver", "A\u{202e}da\u{1b}[31m"]);
    let reply = sandbox.run(&["log"]).expect_code(0);
    assert!(!reply.stdout.contains('\u{202e}') && !reply.stdout.contains('\u{1b}'));
}

#[test]
fn a_line_that_somebody_forged_steers_no_terminal() {
    let sandbox = Sandbox::new();
    let evil = "\u{1b}[2J\u{202e}";
    let line = json!({ "time": evil, "id": evil, "decision": evil, "approver": evil });
    let key = ProjectKey::of(&sandbox.project());
    let signed = key.signed_again("log", &line.to_string());
    sandbox.write(LOG, format!("{signed}\n{line}\n5\n[]\n"));
    let reply = sandbox.run(&["log"]).expect_code(0);
    assert!(!reply.stdout.contains(['\u{1b}', '\u{202e}']), "{}", reply.stdout);
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"].as_array().unwrap().len(), 1);
}

/// Returns the decisions that a question finds: what, and the section.
fn found(sandbox: &Sandbox, arguments: &[&str]) -> Vec<String> {
    let arguments = [&["log", "--json"], arguments].concat();
    let log = sandbox.run(&arguments).expect_code(0).json();
    let word = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
    let decisions = log["decisions"].as_array().unwrap().iter();
    decisions
        .map(|each| {
            format!("{} {}", word(&each["decision"]), word(&each["sections"][0]["section_id"]))
        })
        .collect()
}

/// A store in which much was decided: two sections of one owner, one of another.
fn with_owners() -> Sandbox {
    let mut sandbox = Sandbox::new();
    let by = |mut request: serde_json::Value, owner: &str| {
        request["owner"] = json!(owner);
        request
    };
    sandbox.propose(by(session("Today", "Done."), "claude")).applied();
    sandbox.advance_days(2);
    let id = sandbox.propose(by(convention("Errors", TELLING), "claude")).staged();
    sandbox.run(&["reject", &id, "--reason", "too vague", "--approver", "Ada"]).expect_code(0);
    let id = sandbox.propose(by(convention("Names", "They are long."), "codex")).staged();
    sandbox.apply(&id).applied();
    sandbox
}

#[test]
fn a_file_or_a_section_finds_all_that_was_decided_about_it() {
    let sandbox = with_owners();
    let about_names = ["applied names", "staged names"];
    assert_eq!(found(&sandbox, &["--section", "names"]), about_names);
    assert_eq!(found(&sandbox, &["--section", "conventions.md#names"]), about_names);
    assert!(found(&sandbox, &["--section", "pitfalls.md#names"]).is_empty());
    // The line of a rejection names no file; the proposal that it rejects does.
    let about_file = ["applied names", "staged names", "rejected -", "staged errors"];
    assert_eq!(found(&sandbox, &["--file", "conventions.md"]), about_file);
    assert_eq!(
        found(&sandbox, &["--file", ".agent-memory/conventions.md", "-n", "1"]),
        about_file[..1]
    );
}

#[test]
fn an_owner_and_a_time_narrow_the_log() {
    let sandbox = with_owners();
    assert_eq!(found(&sandbox, &["--owner", "codex"]), ["applied names", "staged names"]);
    assert_eq!(
        found(&sandbox, &["--owner", "claude", "--since", "1d"]),
        ["rejected -", "staged errors"]
    );
    assert_eq!(found(&sandbox, &["--since", "2026-11-20"]).len(), 5);
    assert_eq!(found(&sandbox, &["--since", "2026-11-22T10:00:00Z"]).len(), 4);
    assert!(found(&sandbox, &["--since", "2026-11-23"]).is_empty());
    assert_eq!(found(&sandbox, &["--since", "2w"]).len(), 5);
    assert_eq!(found(&sandbox, &["--since", "last week"]).len(), 5);
    let reply = sandbox.run(&["log", "--since", "soon"]).expect_code(2);
    assert!(reply.stderr.contains("`soon` is no time for `--since`"), "{}", reply.stderr);
    let reply = sandbox.run(&["log", "--owner", "nobody"]).expect_code(0);
    assert_eq!(
        reply.stderr,
        "no decision matches\nhint: no decision is about a proposal of `nobody`\n"
    );
}

#[test]
fn rejections_are_listed_with_whether_they_hold() {
    let sandbox = with_owners();
    let listed = |sandbox: &Sandbox| {
        let log = sandbox.run(&["log", "--rejected", "--json"]).expect_code(0).json();
        let decisions = log["decisions"].as_array().unwrap().iter();
        decisions
            .map(|each| {
                (each["reason"].as_str().unwrap().to_owned(), each["holds"].as_bool().unwrap())
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(listed(&sandbox), [("too vague".to_owned(), true)]);
    // Another machine has the fingerprints, and no log.
    std::fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    assert_eq!(listed(&sandbox), [("too vague".to_owned(), true)]);
    let id = sandbox.propose(convention("Short", "Short names are better.")).staged();
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "not now"]).expect_code(0);
    let both = [("not now".to_owned(), false), ("too vague".to_owned(), true)];
    assert_eq!(listed(&sandbox), both);
    let reply = sandbox.run(&["log", "--rejected"]).expect_code(0);
    assert!(reply.stdout.contains("  no longer refused\n"), "{}", reply.stdout);
}

/// Returns the differences that `log -p` shows, youngest first, without their first two lines.
fn patches(sandbox: &Sandbox) -> Vec<String> {
    let log = sandbox.run(&["log", "-p", "--json"]).expect_code(0).json();
    let diffs =
        log["decisions"].as_array().unwrap().iter().flat_map(|each| each["diffs"].as_array());
    let shown = |diff: &serde_json::Value| match diff["diff"].as_str() {
        Some(text) => {
            let lines = text.lines().skip(2).filter(|line| line.starts_with(['+', '-']));
            let note = diff["note"].as_str().map(|note| format!("{note}: ")).unwrap_or_default();
            note + &lines.collect::<Vec<_>>().join(" ")
        }
        None => diff["note"].as_str().unwrap().to_owned(),
    };
    diffs.flatten().map(shown).collect()
}

#[test]
fn every_change_of_a_file_is_shown_as_it_was() {
    let sandbox = Sandbox::given(&[("local/shared.md", "# Shared\n")]);
    for day in ["One", "Two"] {
        sandbox.propose(shared(day, "Done.")).applied();
    }
    let id = sandbox.propose(shared("Three", "Done.")).applied()["proposal_id"].clone();
    sandbox.run(&["undo", id.as_str().unwrap(), "--approver", "Ada"]).expect_code(0);
    let expected = ["Two", "One"]
        .map(|day| format!("+ +## {day} +<!-- @id: {} --> + +Done.", day.to_lowercase()));
    let three = "+ +## Three +<!-- @id: three --> + +Done.";
    let back = three.replace('+', "-");
    assert_eq!(patches(&sandbox), [&back, three, &expected[0], &expected[1]]);
    // The text that was taken back leads to those before it, whatever becomes of the file.
    sandbox.append("local/shared.md", "\nBy hand.\n");
    assert_eq!(patches(&sandbox), [&back, three, &expected[0], &expected[1]]);
}

#[test]
fn a_text_that_stands_nowhere_any_more_is_said_to_be_gone() {
    let sandbox = Sandbox::given(&[("local/shared.md", "# Shared\n")]);
    sandbox.propose(shared("One", "Done.")).applied();
    sandbox.append("local/shared.md", "\nBy hand.\n");
    assert_eq!(patches(&sandbox), ["the text before or after it is not kept any more"]);
}

#[test]
fn what_waited_is_shown_as_it_was_proposed_where_what_landed_is_not_kept() {
    let sandbox = Sandbox::new();
    let errors = sandbox.propose(convention("Errors", TELLING)).staged();
    let names = sandbox.propose(convention("Names", "They are long.")).staged();
    sandbox.run(&["reject", &names]).expect_code(0);
    sandbox.apply(&errors).applied();
    let new = |heading: &str, id: &str, text: &str| {
        format!(
            "+ +## {heading} +<!-- @id: {id} --> +<!-- @source: user ada - inferred 2026-11-20 --> + +{text}"
        )
    };
    let (errors, names) =
        (new("Errors", "errors", TELLING), new("Names", "names", "They are long."));
    assert_eq!(patches(&sandbox), [errors.as_str(), &names]);
    // The trash keeps both texts, whatever becomes of the file.
    sandbox.write("conventions.md", "# Conventions\n");
    assert_eq!(patches(&sandbox), [errors.as_str(), &names]);
    let key = ProjectKey::of(&sandbox.project());
    rewrite(&sandbox, |lines| {
        let other = lines[3].replace("\"before\":\"", "\"before\":\"0");
        lines[3] = key.signed_again("log", &other);
    });
    let note = "as it was proposed; what was applied is not kept word by word: ";
    assert_eq!(patches(&sandbox), [format!("{note}{errors}"), names]);
}

#[test]
fn a_secret_that_came_by_hand_is_in_no_difference() {
    let sandbox = Sandbox::given(&[("local/shared.md", "# Shared\n")]);
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    sandbox.append("local/shared.md", &format!("\n## Access\n\n{secret}\n\n## Last\n"));
    sandbox.propose(shared("One", "Done.")).applied();
    let reply = sandbox.run(&["log", "-p"]).expect_code(0);
    assert!(reply.stdout.contains("+Done.") && !reply.stdout.contains(&secret), "{}", reply.stdout);
}

#[test]
fn no_line_of_the_log_is_wider_than_the_window() {
    let sandbox = with_owners();
    let mut request =
        convention("A heading that is rather long as headings go", "A text of its own.");
    request["rationale"] =
        json!("A reason that needs more than the eighty columns of a line, 再試行の予算");
    request["owner"] = json!("somebody/with-a-name-that-is-longer-than-most-of-the-others-are");
    sandbox.propose(request).staged();
    for columns in ["40", "80"] {
        let reply = sandbox.call(&["log"]).env("COLUMNS", columns).run().expect_code(0);
        let limit = columns.parse::<usize>().unwrap();
        for line in reply.stdout.lines() {
            assert!(unicode_width::UnicodeWidthStr::width(line) <= limit, "{columns}: {line}");
        }
    }
}

/// A store that took four decisions.
fn with_decisions() -> Sandbox {
    let sandbox = Sandbox::new();
    for day in ["One", "Two", "Three", "Four"] {
        sandbox.propose(session(day, "Done.")).applied();
    }
    sandbox
}

/// Rewrites the lines of the log.
fn rewrite(sandbox: &Sandbox, change: impl FnOnce(&mut Vec<String>)) {
    let mut lines: Vec<String> = sandbox.file(LOG).lines().map(str::to_owned).collect();
    change(&mut lines);
    sandbox.write(LOG, lines.into_iter().map(|line| line + "\n").collect::<String>());
}

/// Expects findings of `log --verify` and of `doctor`: line and kind.
#[track_caller]
fn expect_findings<const N: usize>(sandbox: &Sandbox, expected: [(u64, &str); N]) {
    assert_eq!(findings(sandbox), expected.map(|(line, kind)| (line, kind.to_owned())));
    let doctor = sandbox.run(&["doctor", "--json"]).json();
    let named = doctor["findings"].as_array().unwrap().iter();
    assert_eq!(named.filter(|each| each["check"] == "log").count(), N, "{doctor}");
}

fn findings(sandbox: &Sandbox) -> Vec<(u64, String)> {
    let reply = sandbox.run(&["log", "--verify", "--json"]);
    let verdict = reply.json();
    let found = verdict["findings"].as_array().unwrap().iter();
    let found: Vec<_> = found
        .map(|each| (each["line"].as_u64().unwrap(), each["kind"].as_str().unwrap().to_owned()))
        .collect();
    reply.expect_code(i32::from(!found.is_empty()));
    found
}

const LOG: &str = "state/log.jsonl";

#[test]
fn an_untouched_log_is_unbroken() {
    let reply = with_decisions().run(&["log", "--verify"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @"4 decisions, chain unbroken");
    let reply = Sandbox::new().run(&["log", "--verify"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @"0 decisions, chain unbroken");
}

#[test]
fn a_broken_log_says_where_and_what() {
    let sandbox = with_decisions();
    rewrite(&sandbox, |lines| {
        lines[0] = lines[0].replace("applied", "refused");
        lines.truncate(2);
    });
    let reply = sandbox.run(&["log", "--verify"]).expect_code(1);
    insta::assert_snapshot!(reply.stdout, @r"
    line 1 changed: it is not what was written here
    line 2 cut: 2 decisions behind it are gone
    1 decision, chain broken
    ");
}

#[test]
fn every_kind_of_tampering_is_found() {
    let hurt = |change: fn(&mut Vec<String>)| {
        let sandbox = with_decisions();
        rewrite(&sandbox, change);
        sandbox
    };
    expect_findings(&hurt(|lines| lines[3] += " "), [(4, "changed")]);
    expect_findings(&hurt(|lines| drop(lines.remove(1))), [(2, "missing")]);
    expect_findings(&hurt(|lines| drop(lines.pop())), [(3, "cut")]);
    expect_findings(&hurt(|lines| lines.insert(2, lines[0].clone())), [(3, "foreign")]);
    expect_findings(
        &hurt(|lines| lines.push("{\"decision\":\"applied\"}".to_owned())),
        [(5, "foreign")],
    );
    expect_findings(&hurt(Vec::clear), [(0, "cut")]);
}

#[test]
fn a_line_behind_the_one_that_was_kept_as_the_last_is_found() {
    let sandbox = with_decisions();
    let (end, fifth) = (sandbox.file("state/log.end"), session("Five", "Done."));
    sandbox.propose(fifth).applied();
    sandbox.write("state/log.end", end);
    expect_findings(&sandbox, [(5, "foreign")]);
    sandbox.propose(session("Six", "Done.")).applied();
    assert_eq!(sandbox.run(&["log", "--verify"]).code, 1);
}

#[test]
fn after_tampering_work_goes_on_and_the_log_still_tells() {
    let sandbox = with_decisions();
    rewrite(&sandbox, |lines| lines.truncate(2));
    sandbox.propose(session("Five", "Done.")).applied();
    expect_findings(&sandbox, [(3, "missing")]);
    sandbox.propose(session("Six", "Done.")).applied();
    expect_findings(&sandbox, [(3, "missing")]);
}

#[test]
fn a_log_that_was_deleted_is_missed() {
    let sandbox = with_decisions();
    std::fs::remove_file(sandbox.store().join(LOG)).unwrap();
    expect_findings(&sandbox, [(0, "cut")]);
    sandbox.propose(session("Five", "Done.")).applied();
    expect_findings(&sandbox, [(1, "missing")]);
}

#[test]
fn a_torn_line_is_a_finding_until_the_next_decision_cuts_it() {
    // The second is longer than what is read of the end at once.
    for torn in ["{\"time\":\"2026-", &"x".repeat(200_000)] {
        let sandbox = with_decisions();
        sandbox.append(LOG, torn);
        expect_findings(&sandbox, [(5, "torn")]);
        sandbox.propose(session("Five", "Done.")).applied();
        expect_findings(&sandbox, []);
    }
}

#[test]
fn where_the_end_that_was_kept_apart_is_gone_lines_may_be_gone_and_that_stays_said() {
    let sandbox = with_decisions();
    std::fs::remove_file(sandbox.store().join("state/log.end")).unwrap();
    expect_findings(&sandbox, [(4, "cut")]);
    sandbox.propose(session("Five", "Done.")).applied();
    expect_findings(&sandbox, [(5, "missing")]);
    sandbox.propose(session("Six", "Done.")).applied();
    expect_findings(&sandbox, [(5, "missing")]);
}

#[test]
fn a_last_line_that_lacks_its_end_alone_is_kept() {
    for is_mended_first in [true, false] {
        let sandbox = with_decisions();
        let whole = sandbox.file(LOG);
        sandbox.write(LOG, whole.trim_end());
        if is_mended_first {
            let reply = sandbox.run(&["doctor", "--fix"]).expect_code(0);
            assert!(reply.stdout.contains("ended the last line"), "{}", reply.stdout);
            assert_eq!(sandbox.file(LOG), whole);
        }
        sandbox.propose(session("Five", "Done.")).applied();
        assert!(sandbox.file(LOG).starts_with(&whole));
        expect_findings(&sandbox, []);
    }
}

#[test]
fn a_last_line_without_its_end_that_nobody_kept_is_left_and_stays_said() {
    let last_of =
        |sandbox: &Sandbox| sandbox.file(LOG).trim_end().rsplit('\n').next().unwrap().to_owned();
    let forge = |number: u64, prev: &str| {
        let prev = ContentHash::of(prev.as_bytes());
        let forged = json!({"time": "2026-11-20T10:00:00Z", "id": "20261120-100000-forged-abcd",
            "decision": "applied", "approver": "Ada", "number": number, "prev": prev});
        forged.to_string()
    };
    // Only who has the key can write a line that nobody kept as the last.
    let sandbox = with_decisions();
    let forged = forge(5, &last_of(&sandbox));
    sandbox.append(LOG, &ProjectKey::of(&sandbox.project()).signed_again("log", &forged));
    let whole = sandbox.file(LOG);
    for name in ["Five", "Six"] {
        sandbox.propose(session(name, "Done.")).applied();
        assert!(sandbox.file(LOG).starts_with(&whole));
        expect_findings(&sandbox, [(6, "missing")]);
    }
    // What does not even follow is the piece of a line, and cut off.
    for (number, rubbish) in [(4, ""), (u64::MAX, ""), (u64::MAX, "rubbish\n")] {
        let sandbox = with_decisions();
        sandbox.append(LOG, rubbish);
        sandbox.append(LOG, &forge(number, &last_of(&sandbox)));
        for name in ["Five", "Six"] {
            sandbox.propose(session(name, "Done.")).applied();
            assert!(!sandbox.file(LOG).contains("forged"));
            let found = findings(&sandbox);
            assert!(found.iter().all(|(line, _)| *line == 5), "{number}: {found:?}");
        }
    }
}

#[test]
fn a_last_line_that_was_changed_and_lost_its_end_is_changed() {
    let sandbox = with_decisions();
    let changed = sandbox.file(LOG).trim_end().to_owned();
    let at = changed.rfind("applied").unwrap();
    sandbox.write(LOG, format!("{}refused{}", &changed[..at], &changed[at + 7..]));
    for name in ["Five", "Six"] {
        sandbox.propose(session(name, "Done.")).applied();
        expect_findings(&sandbox, [(4, "changed")]);
    }
}

#[test]
fn a_last_line_that_follows_the_one_before_is_kept_without_the_end_that_was_kept_apart() {
    for count in [1, 4] {
        for is_mended_first in [true, false] {
            let sandbox = with_decisions();
            rewrite(&sandbox, |lines| lines.truncate(count));
            let whole = sandbox.file(LOG);
            std::fs::remove_file(sandbox.store().join("state/log.end")).unwrap();
            sandbox.write(LOG, whole.trim_end());
            if is_mended_first {
                sandbox.run(&["doctor", "--fix"]);
                assert_eq!(sandbox.file(LOG), whole);
            }
            sandbox.propose(session("Five", "Done.")).applied();
            assert!(sandbox.file(LOG).starts_with(&whole));
        }
    }
}

#[test]
fn two_clones_have_a_chain_each() {
    let (one, other) = (with_decisions(), Sandbox::new());
    other.propose(session("One", "Done.")).applied();
    let first = |sandbox: &Sandbox| sandbox.file(LOG).lines().next().unwrap().to_owned();
    assert_eq!(first(&one), first(&other), "the first line names no other");
    expect_findings(&one, []);
    expect_findings(&other, []);
}

/// Appends decisions to the log, each chained to the one before.
fn lengthen(sandbox: &Sandbox, decisions: usize) {
    let key = ProjectKey::of(&sandbox.project());
    let hash = |line: &str| ContentHash::of(line.as_bytes()).to_string();
    let log = sandbox.file(LOG);
    let (mut number, mut prev) = (log.lines().count(), hash(log.lines().last().unwrap()));
    let mut lines = String::new();
    for _ in 0..decisions {
        number += 1;
        let json = format!(r#"{{"decision":"applied","number":{number},"prev":"{prev}"}}"#);
        let line = key.signed_again("log", &json);
        prev = hash(&line);
        lines += &(line + "\n");
    }
    sandbox.append(LOG, &lines);
    let link = format!("{number:020} {prev}");
    let code = key.code("log end", &link);
    sandbox.write("state/log.end", format!("{link} {code}\n"));
}

#[test]
fn a_decision_reads_no_more_of_a_long_log_than_of_a_short_one() {
    if Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_err() {
        println!("skipped: there is no `strace` (Debian package `strace`)");
        return;
    }
    let sandbox = with_decisions();
    lengthen(&sandbox, 60_000);
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    // Its copy, which outlives the worktree, is made by whichever command comes next.
    sandbox.run(&["status"]).expect_code(0);
    sandbox.write_project("request.json", convention("Names", "They are long.").to_string());
    let apply = ["apply", &id, "--approver", "Ada"];
    for arguments in [&["propose", "--file", "request.json"][..], &apply] {
        let mut command = Command::new("strace");
        command.args(["-qq", "-o", "trace", "-s", "0", "-e", "trace=read,pread64"]);
        command.arg(env!("CARGO_BIN_EXE_agent-memory")).args(arguments);
        command.current_dir(sandbox.project()).env_clear().envs(sandbox.variables());
        command.env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z");
        Reply::of(command.output().unwrap()).expect_code(0);
        let trace = std::fs::read_to_string(sandbox.project().join("trace")).unwrap();
        let read = |line: &str| line.rsplit("= ").next()?.parse::<usize>().ok();
        let bytes: usize = trace.lines().filter_map(read).sum();
        let log = sandbox.bytes(LOG).len();
        assert!(0 < bytes && bytes < log / 4, "{bytes} bytes are read while the log has {log}");
    }
}

#[test]
fn a_filter_that_fits_no_decision_at_all_is_said_with_what_is_near() {
    let sandbox = Sandbox::new();
    let mut request = crate::requests::shared("Alpha", "Text.");
    request["owner"] = serde_json::json!("ada");
    sandbox.propose(request).applied();
    let hint = |arguments: &[&str]| {
        let found = sandbox.run(&[&["log", "--json"], arguments].concat()).expect_code(0).json();
        found["hint"].as_str().unwrap_or_default().to_owned()
    };
    assert!(hint(&["--file", "convention.md"]).contains("did you mean `conventions.md`?"));
    assert!(hint(&["--section", "alhpa"]).contains("did you mean `alpha`?"));
    assert!(hint(&["--owner", "adda"]).contains("did you mean `ada`?"));
    assert_eq!(
        hint(&["--file", "conventions.md"]),
        "",
        "the file is there, and nothing was decided"
    );
    assert_eq!(hint(&["--owner", "ada"]), "");
}
