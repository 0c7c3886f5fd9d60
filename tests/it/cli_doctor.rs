//! `doctor` and `reindex`: what is wrong, and everything derived made anew.

use std::fs;

use crate::requests::{convention, session, with_founded_conventions};
use crate::support::Sandbox;

const SOURCE: &str = "<!-- @source: user ada - confirmed 2026-11-20 -->";

#[test]
fn a_new_store_is_healthy() {
    let sandbox = Sandbox::new();
    let reply = sandbox.run(&["doctor"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @"healthy; looked at settings, disk, files, queue, rejections, log, search index, git");
}

#[test]
fn a_store_in_use_is_healthy() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "Done.")).applied();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.propose(convention("Names", "They are long.")).staged();
    sandbox.apply(&id).applied();
    let answer = sandbox.run(&["doctor", "--json"]).expect_code(0).json();
    assert_eq!(answer["findings"], serde_json::json!([]));
}

#[test]
fn a_finding_says_what_to_do() {
    let sandbox = with_founded_conventions();
    sandbox.append(
        "conventions.md",
        &format!("\n## Twin\n<!-- @id: errors -->\n{SOURCE}\n\nSame id.\n"),
    );
    sandbox.run(&["reindex"]);
    let reply = sandbox.run(&["doctor"]).expect_code(1);
    insta::assert_snapshot!(reply.stdout, @r"
    error files: `.agent-memory/conventions.md` line 15: the id `errors` is taken by the section on line 3
      hint: If they are one section twice, remove one of them. If they are two, give the newer one another id; what refers to the older one stays right.
    1 error; looked at settings, disk, files, queue, rejections, log, search index, git
    ");
}

#[test]
fn a_store_with_a_warning_is_not_called_healthy() {
    let sandbox = with_founded_conventions();
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.write("pitfalls.md", "# Pitfalls\n\nNone so far, see [[nowhere]].\n");
    let said = sandbox.run(&["doctor"]).expect_code(0).stdout;
    assert!(said.contains("\n1 warning; looked at settings"), "{said}");
    assert_eq!(sandbox.run(&["doctor", "--json"]).json()["healthy"], false);
    sandbox.append(
        "conventions.md",
        &format!("\n## Twin\n<!-- @id: errors -->\n{SOURCE}\n\nSame id.\n"),
    );
    sandbox.run(&["reindex"]).expect_code(0);
    let said = sandbox.run(&["doctor"]).expect_code(1).stdout;
    assert!(said.contains("\n1 error, 1 warning; looked at settings"), "{said}");
}

#[test]
fn a_broken_setting_is_a_finding() {
    let sandbox = Sandbox::given(&[("config.toml", "[staging]\nttl_day = 3\n")]);
    let answer = sandbox.run(&["doctor", "--json"]).expect_code(1).json();
    let message = answer["findings"][0]["message"].as_str().unwrap();
    assert!(message.contains("did you mean `ttl_days`?"), "{message}");
}

#[test]
fn other_commands_cannot_answer_with_a_broken_setting() {
    let sandbox = Sandbox::given(&[("config.toml", "[staging]\nttl_day = 3\n")]);
    let error = &sandbox.run(&["status", "--json"]).expect_code(2).json()["error"];
    assert_eq!(error["code"], "config_invalid");
    assert!(error["path"].as_str().unwrap().ends_with("config.toml"));
}

#[test]
fn conflict_markers_are_found() {
    let sandbox = with_founded_conventions();
    sandbox.append("conventions.md", "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n");
    let answer = sandbox.run(&["doctor", "--json"]).expect_code(1).json();
    assert!(answer["findings"].to_string().contains("a git conflict was not resolved"));
}

#[test]
fn doctor_writes_no_memory() {
    let sandbox = with_founded_conventions();
    let before = sandbox.tree();
    sandbox.run(&["doctor"]).expect_code(0);
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn reindex_says_what_it_made() {
    let sandbox = with_founded_conventions();
    let reply = sandbox.run(&["reindex"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @"indexed 3 sections in 1 file");
}

#[test]
fn reindex_twice_changes_nothing_the_second_time() {
    let sandbox = with_founded_conventions();
    sandbox.run(&["reindex"]).expect_code(0);
    let before = sandbox.tree();
    sandbox.run(&["reindex"]).expect_code(0);
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn reindex_makes_the_search_index_anew() {
    let sandbox = with_founded_conventions();
    sandbox.write("state/index.sqlite", "no database");
    sandbox.run(&["reindex"]).expect_code(0);
    let found = sandbox.run(&["search", "--json", "path"]).expect_code(0).json();
    assert_eq!(found["results"].as_array().unwrap().len(), 1);
}

/// Runs `doctor --fix`, expects what it did, and that a second run finds nothing left to do.
#[track_caller]
fn fixes(sandbox: &Sandbox, expected: &[&str]) {
    let answer = sandbox.run(&["doctor", "--fix", "--json"]).expect_code(0).json();
    assert_eq!(answer["fixed"], serde_json::json!(expected));
    assert_eq!(answer["findings"], serde_json::json!([]));
    let before = crate::support::files_in(&sandbox.store());
    let again = sandbox.run(&["doctor", "--fix", "--json"]).expect_code(0).json();
    assert_eq!(again["fixed"], serde_json::json!([]));
    let mut after = crate::support::files_in(&sandbox.store());
    // Who holds the lock, and when: both say so each time.
    for path in ["state/lock", "state/index.sqlite.lock"] {
        after.insert(path.to_owned(), before[path].clone());
    }
    assert!(after == before, "the second run changes something");
}

/// Expects that `doctor` names something, and leaves it.
#[track_caller]
fn names(sandbox: &Sandbox, check: &str, message: &str) {
    for _ in 0..2 {
        let answer = sandbox.run(&["doctor", "--json"]).json();
        let found = answer["findings"].as_array().unwrap();
        let named = found.iter().filter(|each| each["check"] == check);
        let named: Vec<_> = named.map(|each| each["message"].as_str().unwrap()).collect();
        assert_eq!(named, [message], "{answer}");
    }
}

#[test]
fn a_folder_in_the_place_of_the_index_is_moved_away() {
    let sandbox = with_founded_conventions();
    sandbox.run(&["reindex"]).expect_code(0);
    fs::remove_file(sandbox.store().join("state/index.sqlite")).unwrap();
    sandbox.write("state/index.sqlite/mine.txt", "kept");
    names(&sandbox, "disk", "`state/index.sqlite` is a folder where a file belongs");
    let done = "rebuilt the search index, which is a folder that goes to `state/trash/`";
    fixes(&sandbox, &[done]);
    assert_eq!(sandbox.file("state/trash/index.sqlite/mine.txt"), "kept");
}

#[test]
fn a_sound_store_needs_no_repair() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "Done.")).applied();
    fixes(&sandbox, &[]);
}

#[test]
fn lines_that_git_ignore_lost_are_put_back() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "Done.")).applied();
    sandbox.write(".gitignore", "/state/\n*.bak");
    fixes(&sandbox, &["added /local/, /sessions/, /staging/ to `.gitignore`"]);
    assert_eq!(sandbox.file(".gitignore"), "/state/\n*.bak\n/local/\n/sessions/\n/staging/\n");
    fs::remove_file(sandbox.store().join(".gitignore")).unwrap();
    fixes(&sandbox, &["added /state/, /local/, /sessions/, /staging/ to `.gitignore`"]);
}

#[test]
fn leftovers_are_named_and_removed() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "Done.")).applied();
    sandbox.write("state/tmp/0", "a new text that never came about");
    names(&sandbox, "disk", "`state/tmp` holds leftovers of a process that died: 1");
    fixes(&sandbox, &["removed leftovers of a process that died: 1"]);
    assert!(!sandbox.has("state/tmp/0"));
}

#[test]
fn files_of_a_process_that_still_writes_are_no_leftovers() {
    let sandbox = Sandbox::new();
    let _lock = sandbox.hold_lock();
    sandbox.write("state/tmp/0", "a new text that is about to come");
    let answer = sandbox.run(&["doctor", "--json"]).expect_code(0).json();
    assert_eq!(answer["findings"], serde_json::json!([]));
}

#[test]
fn what_needs_a_choice_is_left_to_a_person() {
    let sandbox = with_founded_conventions();
    let twin = "\n## Twin\n<!-- @id: errors -->\n\nSame id.\n\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n";
    sandbox.append("conventions.md", twin);
    sandbox.write("rejections/bad.toml", "junk = 1\n");
    sandbox.write("staging/no-proposal/x", "x");
    let before = sandbox.tree();
    let answer = sandbox.run(&["doctor", "--fix", "--json"]).expect_code(1).json();
    assert_eq!(answer["fixed"], serde_json::json!([]), "{answer}");
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_repair_says_in_words_what_it_did() {
    let sandbox = with_founded_conventions();
    sandbox.write(".gitignore", "/state/\n/sessions/\n/staging/\n");
    let reply = sandbox.run(&["doctor", "--fix"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @r"
    fixed added /local/ to `.gitignore`
    healthy; looked at settings, repair, disk, files, queue, rejections, log, search index, git
    ");
}

#[test]
fn a_check_that_cannot_look_is_a_finding_and_the_others_go_on() {
    let sandbox = Sandbox::new();
    fs::remove_file(sandbox.store().join(".gitignore")).unwrap();
    fs::create_dir(sandbox.store().join(".gitignore")).unwrap();
    let answer = sandbox.run(&["doctor", "--json"]).expect_code(1).json();
    let found = answer["findings"].as_array().unwrap().iter();
    let checks: Vec<_> = found.map(|each| each["check"].as_str().unwrap()).collect();
    assert_eq!(checks, ["disk", "git"]);
    assert!(answer["checked"].to_string().contains("log"));
}

#[test]
fn doctor_and_check_find_the_same_at_the_same_level() {
    let sandbox = with_founded_conventions();
    sandbox.propose(session("Today", "Done.")).applied();
    sandbox.append("state/log.jsonl", "{\"time\":\"2026-");
    sandbox.append("conventions.md", "\n## Twin\n<!-- @id: errors -->\n\nx\u{202e}y [[nowhere]]\n");
    sandbox.write("rejections/bad.toml", "junk = 1\n");
    sandbox.write("notes/loose.md", "# Loose\n");
    let rules = |command: &str| {
        let found = sandbox.run(&[command, "--json"]).expect_code(1).json()["findings"].clone();
        let pair = |each: &serde_json::Value| {
            each["rule"].as_str().map(|rule| (rule.to_owned(), each["level"].to_string()))
        };
        let mut pairs: Vec<_> = found.as_array().unwrap().iter().filter_map(pair).collect();
        pairs.sort();
        pairs
    };
    let found = rules("check");
    assert_eq!(rules("doctor"), found);
    assert!(found.contains(&("log-torn".to_owned(), "\"warning\"".to_owned())), "{found:?}");
    assert_eq!(found.len(), 7, "{found:?}");
}

#[cfg(unix)]
#[test]
fn a_link_does_not_hide_a_file_whose_name_ends_like_its_own() {
    let sandbox = Sandbox::new();
    std::os::unix::fs::symlink("/dev/null", sandbox.store().join("b.md")).unwrap();
    sandbox.write("modules/web.md", b"# W\n\xff\n");
    let said = sandbox.run(&["doctor"]).expect_code(1).stdout;
    assert!(said.contains("modules/web.md"), "{said}");
}
