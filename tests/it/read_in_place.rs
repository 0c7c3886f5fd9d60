//! `[[read]]`: files of the repository that are found as memory, but stay where they are and are never written.

use serde_json::json;

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::{Sandbox, Terminal};

const RECORD: &str = "# 1. Use PostgreSQL\n\nDate: 2024-03-01\n\n## Status\n\nAccepted\n\n\
    ## Context\n\nWe need transactions.\n\n## Decision\n\nOne PostgreSQL holds the ledger.\n";

const RULE: &str = "\n[[read]]\npath = \"docs/adr/**/*.md\"\nas = \"decisions\"\n";

/// A store that reads the records of a repository in git.
fn reading(rule: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write_project("docs/adr/0001-use-postgresql.md", RECORD);
    sandbox.append("config.toml", rule);
    sandbox.git(&["add", "--all"]);
    sandbox
}

fn found(sandbox: &Sandbox, question: &str) -> Vec<String> {
    let answer = sandbox.run(&["search", question, "--json"]).expect_code(0).json();
    let results = answer["results"].as_array().unwrap().clone();
    results.iter().map(|it| it["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_read_is_found_listed_shown_and_cited() {
    let sandbox = reading(RULE);
    let path = "docs/adr/0001-use-postgresql.md";
    let answer = sandbox.run(&["search", "who holds the ledger", "--json"]).expect_code(0).json();
    let first = &answer["results"][0];
    assert_eq!((&first["path"], &first["line"]), (&json!(path), &json!(13)), "{answer}");
    assert_eq!((&first["category"], &first["read_only"]), (&json!("decisions"), &json!(true)));
    let listed = sandbox.run(&["ls", "--json"]).expect_code(0).json();
    let records: Vec<_> =
        listed["sections"].as_array().unwrap().iter().filter(|it| it["path"] == path).collect();
    assert_eq!(records.len(), 1, "a record is one line: {listed}");
    assert_eq!(records[0]["heading"], "1. Use PostgreSQL");
    let shown = sandbox.call(&["show", "adr/0001-use-postgresql.md#Decision"]).within("docs").run();
    assert!(shown.expect_code(0).stdout.contains("holds the ledger"));
    let shown = sandbox.run(&["show", &format!("{path}:14")]).expect_code(0).stdout;
    assert!(shown.contains("## Decision") && !shown.contains("## Context"), "{shown}");
    let workflow = sandbox.run(&["ci", "github"]).expect_code(0).stdout;
    assert!(workflow.contains("\"docs/adr/**/*.md\""), "{workflow}");
    for words in [&["context"][..], &["context", "ledger"]] {
        assert!(sandbox.run(words).expect_code(0).stdout.contains(path), "{words:?}");
    }
    for file in [path, "docs/adr", "docs/adr/*"] {
        let listed = sandbox.run(&["ls", file]).expect_code(0).stdout;
        assert!(listed.contains("Use PostgreSQL"), "{file}: {listed}");
    }
    let said = sandbox.run(&["status"]).expect_code(0).stdout;
    assert!(said.contains("(1 read only)"), "{said}");
    let request = json!({
        "intent": "add_pitfall",
        "sources": [{"type": "file", "ref": format!("{path}:13-15")}],
        "operations": [{"operation": "append_section", "heading": "Ledger", "content": "Slow."}],
    });
    sandbox.propose(request).staged();
    assert_eq!(sandbox.run(&["check"]).expect_code(0).stdout.lines().count(), 1);
}

#[test]
fn what_is_read_is_never_written() {
    let sandbox = reading(RULE);
    let path = "docs/adr/0001-use-postgresql.md";
    let request = json!({
        "intent": "record_decision",
        "operations": [
            {"operation": "append_to_section", "path": path, "heading": "Context", "content": "x"},
        ],
    });
    let answer = sandbox.propose(request).rejected("unknown_category");
    assert!(answer.value["message"].as_str().unwrap().contains("is only read"), "{answer:?}");
    for command in ["blame", "cite", "confirm"] {
        let section = format!("{path}#Context");
        let more: &[&str] = match command {
            "blame" => &[],
            "cite" => &["src/auth/refresh.rs:1-4", "--approver", "Ada"],
            _ => &["--approver", "Ada"],
        };
        let said = sandbox.run(&[&[command, &section], more].concat()).expect_code(1).stderr;
        assert!(said.contains("is only read, where it is"), "{command}: {said}");
    }
    assert_eq!(fs::read_to_string(sandbox.project().join(path)).unwrap(), RECORD);
}

#[test]
fn only_regular_files_that_git_tracks_are_read() {
    let sandbox = reading(RULE);
    sandbox.write_project("docs/adr/0002-untracked.md", RECORD.replace("ledger", "cellar"));
    sandbox.write_project("elsewhere.md", RECORD.replace("ledger", "attic"));
    let at = |path: &str| sandbox.project().join(path);
    symlink("../../elsewhere.md", at("docs/adr/0003-link.md")).unwrap();
    sandbox.write_project("docs/adr/README.md", RECORD.replace("ledger", "index"));
    sandbox.git(&["add", "docs/adr/0003-link.md", "docs/adr/README.md"]);
    for word in ["cellar", "attic", "index"] {
        assert_eq!(found(&sandbox, word), Vec::<String>::new(), "{word}");
    }
    sandbox.git(&["add", "docs/adr/0002-untracked.md"]);
    assert_eq!(found(&sandbox, "cellar"), ["docs/adr/0002-untracked.md"]);
    // A tracked file that became a link since.
    fs::remove_file(at("docs/adr/0002-untracked.md")).unwrap();
    symlink("../../elsewhere.md", at("docs/adr/0002-untracked.md")).unwrap();
    let reply = sandbox.run(&["search", "attic"]);
    assert!(
        reply.stderr.contains("`docs/adr/0002-untracked.md` is left out: it is a symbolic link")
    );
    assert!(!reply.stdout.contains("attic"), "{}", reply.stdout);
    fs::remove_file(at("docs/adr/0001-use-postgresql.md")).unwrap();
    assert_eq!(found(&sandbox, "ledger"), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_left_out_is_told_and_no_error() {
    use std::os::unix::ffi::OsStrExt;
    let sandbox = reading(RULE);
    let folder = sandbox.project().join("docs/adr");
    fs::write(folder.join(std::ffi::OsStr::from_bytes(b"caf\xe9.md")), RECORD).unwrap();
    fs::write(folder.join("a\tb.md"), RECORD).unwrap();
    sandbox.git(&["add", "--all"]);
    for command in ["check", "ls"] {
        let reply = sandbox.run(&[command]).expect_code(0);
        let said = reply.stdout + &reply.stderr;
        assert!(said.contains("is left out: its name is not UTF-8"), "{command}: {said}");
        assert!(said.contains("is left out: its name holds a hidden character"), "{said}");
    }
}

#[test]
fn a_secret_in_what_is_read_is_withheld_and_named_by_check() {
    let sandbox = reading(RULE);
    let secret = format!("AKIA{}", "IOSFODNN7EXAMPLQ");
    let text = format!("{RECORD}\n## Access\n\nThe ledger key is {secret} for now.\n");
    sandbox.write_project("docs/adr/0001-use-postgresql.md", &text);
    sandbox.write_project("docs/adr/0002-hidden.md", "# 2. Hidden\n\nOne \u{202e}word.\n");
    sandbox.git(&["add", "--all"]);
    for words in [&["search", "ledger key"][..], &["context", "ledger key"], &["ls"], &["context"]]
    {
        let reply = sandbox.run(words);
        assert!(!(reply.stdout + &reply.stderr).contains(&secret), "{words:?}");
    }
    let report = sandbox.run(&["check", "--json"]).expect_code(1).json();
    let places: Vec<_> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{}:{} {}", it["path"], it["line"], it["rule"]).replace('"', ""))
        .collect();
    assert!(places.contains(&"docs/adr/0001-use-postgresql.md:19 secret".to_owned()), "{places:?}");
    let hidden = "docs/adr/0002-hidden.md:3 hidden-character".to_owned();
    assert!(places.contains(&hidden), "{places:?}");
}

#[test]
fn a_change_is_checked_for_what_it_touches() {
    let sandbox = reading(RULE);
    sandbox.write_project("docs/adr/0002-old.md", "# 2. Old\n\nOne \u{202e}word.\n");
    sandbox.commit("old");
    sandbox.write_project("docs/adr/0003-new.md", "# 3. New\n\nOne \u{202e}word.\n");
    sandbox.commit("new");
    let said = sandbox.run(&["check", "--base", "HEAD~1"]).expect_code(1).stdout;
    assert!(said.contains("0003-new.md") && !said.contains("0002-old.md"), "{said}");
    // An old finding of a file that is touched is not brought in, nor by a change of the settings.
    sandbox.append("config.toml", "# No more than this.\n");
    let old = "# 2. Old\n\nOne \u{202e}word, or two.\n";
    sandbox.write_project("docs/adr/0002-old.md", old);
    sandbox.commit("touched");
    sandbox.run(&["check", "--base", "HEAD~1"]).expect_code(0);
}

#[test]
fn staged_files_are_checked_as_they_are_staged() {
    let sandbox = reading(RULE);
    sandbox.commit("all");
    let path = "docs/adr/0002-new.md";
    sandbox.write_project(path, "# 2. New\n\nOne \u{202e}word.\n");
    sandbox.git(&["add", path]);
    sandbox.write_project(path, "# 2. New\n\nOne word.\n");
    let said = sandbox.run(&["check", "--staged", "--base", "HEAD"]).expect_code(1).stdout;
    assert!(said.contains("0002-new.md:3"), "{said}");
    sandbox.git(&["add", path]);
    sandbox.write_project(path, "# 2. New\n\nOne \u{202e}word.\n");
    sandbox.run(&["check", "--staged", "--base", "HEAD"]).expect_code(0);
}

#[test]
fn a_file_that_two_tables_name_is_told_once() {
    let sandbox = reading(&format!("{RULE}\n[[read]]\npath = \"docs\"\nas = \"modules\"\n"));
    sandbox.commit("all");
    sandbox.write_project("docs/adr/0002-new.md", "# 2. New\n\nOne \u{202e}word.\n");
    sandbox.git(&["add", "--all"]);
    for more in [&[][..], &["--staged", "--base", "HEAD"]] {
        let report = sandbox.run(&[&["check", "--json"], more].concat()).expect_code(1).json();
        assert_eq!(report["errors"], 1, "{more:?}: {report}");
    }
}

#[test]
fn a_setting_that_leads_out_or_names_no_category_is_refused() {
    for (rule, said) in [
        ("path = \"../docs\"\nas = \"decisions\"", "has an empty part"),
        ("path = \"/etc\"\nas = \"decisions\"", "is no path below"),
        ("path = \"docs/adr\"\nas = \"decision\"", "did you mean `decisions`?"),
        ("path = \"docs/adr\"", "`as` is required"),
    ] {
        let sandbox = reading(&format!("\n[[read]]\n{rule}\n"));
        let told = sandbox.run(&["search", "ledger"]).expect_code(2).stderr;
        assert!(told.contains(said), "{rule}: {told}");
        let report = sandbox.run(&["check"]).expect_code(1).stdout;
        assert!(report.contains("config.toml"), "{report}");
    }
}

#[test]
fn a_file_of_the_store_comes_before_one_of_the_same_name() {
    let sandbox = reading("\n[[read]]\npath = \"*.md\"\nas = \"modules\"\n");
    sandbox.write_project("conventions.md", "# Theirs\n\n## Tabs\n\nTabs of the ledger.\n");
    sandbox.git(&["add", "--all"]);
    let reply = sandbox.run(&["search", "ledger"]);
    assert!(!reply.stdout.contains("Tabs"), "{}", reply.stdout);
    assert!(reply.stderr.contains("the store has a file of this name"), "{}", reply.stderr);
}

#[test]
fn a_large_file_and_a_pattern_for_nothing_are_told() {
    let sandbox = reading(&format!("{RULE}\n[[read]]\npath = \"doc\"\nas = \"modules\"\n"));
    sandbox.write_project(
        "docs/adr/0002-large.md",
        format!("# 2. Large\n\n{}", "Word. ".repeat(60_000)),
    );
    sandbox.git(&["add", "--all"]);
    let said = sandbox.run(&["check"]).expect_code(0);
    let said = said.stdout + &said.stderr;
    assert!(said.contains("it has 360012 bytes, allowed are 262144"), "{said}");
    assert!(said.contains("git tracks no file `doc/**/*.md`"), "{said}");
}

#[test]
fn a_record_that_is_read_does_not_supersede_what_was_approved() {
    let sandbox = reading(RULE);
    let own = "# Keys in a vault\n<!-- @id: keys-in-a-vault -->\n\n- **Date:** 2026-11-20\n- **Status:** active\n\nOnly there.\n";
    sandbox.write("decisions/keys-in-a-vault.md", own);
    let other = format!("# 2. Open keys\n\nSupersedes: keys-in-a-vault\n\n{}", &RECORD[20..]);
    sandbox.write_project("docs/adr/0002-open-keys.md", other);
    sandbox.git(&["add", "--all"]);
    let pack = sandbox.run(&["context"]).expect_code(0).stdout;
    assert!(pack.contains("Only there.") && pack.contains("Open keys"), "{pack}");
}

#[test]
fn without_git_no_file_is_read_and_that_is_told() {
    let sandbox = Sandbox::without_git();
    sandbox.run(&["init"]).expect_code(0);
    sandbox.write_project("docs/adr/0001-use-postgresql.md", RECORD);
    sandbox.append("config.toml", RULE);
    let reply = sandbox.run(&["search", "ledger"]);
    assert!(reply.stderr.contains("there is no git repository here"), "{}", reply.stderr);
}

#[test]
fn more_files_than_the_limit_are_told() {
    let sandbox = reading(RULE);
    for number in 0..5_010 {
        sandbox.write_project(&format!("docs/adr/more/{number}.md"), "# A\n\nAn apple.\n");
    }
    sandbox.git(&["add", "--all"]);
    let reply = sandbox.run(&["ls", "docs/adr/0001-use-postgresql.md"]).expect_code(0);
    assert!(reply.stdout.contains("Use PostgreSQL"), "{}", reply.stdout);
    assert!(reply.stderr.contains("11 files are left out"), "{}", reply.stderr);
}

#[test]
fn a_new_store_reads_what_init_is_told_to() {
    let sandbox = Sandbox::without_store();
    sandbox.write_project("docs/adr/0001-use-postgresql.md", RECORD);
    sandbox.git(&["add", "--all"]);
    let planned = sandbox.run(&["init", "--dry-run", "--json"]).expect_code(0).json();
    assert_eq!(planned["records"][0]["folder"], "docs/adr", "{planned}");
    assert_eq!(planned["records"][0]["files"], 1);
    let said = sandbox.run(&["init", "--read", "docs/adr=decision"]).expect_code(2).stderr;
    assert!(said.contains("did you mean `decisions`?"), "{said}");
    assert!(!sandbox.store().exists(), "a wrong option makes nothing");
    sandbox.run(&["init", "--read", "docs/adr=decisions"]).expect_code(0);
    assert_eq!(found(&sandbox, "ledger"), ["docs/adr/0001-use-postgresql.md"]);
    let said = sandbox.run(&["init", "--read", "docs=modules"]).expect_code(0).stderr;
    let table = "a table `[[read]]` with `path = \"docs/**/*.md\"` and `as = \"modules\"`";
    assert!(said.contains(table), "{said}");
}

#[test]
fn at_a_terminal_init_offers_to_read_records_where_they_are() {
    if !has_terminal() {
        return;
    }
    for (key, expected) in [("y", Some(true)), ("n", Some(false)), ("\x03", None)] {
        let sandbox = Sandbox::without_store();
        sandbox.write_project("docs/adr/0001-use-postgresql.md", RECORD);
        sandbox.git(&["add", "--all"]);
        let mut terminal = Terminal::run(&sandbox, "init", 100, &[]);
        let asked = terminal
            .answer("Read them where they are, without a copy? Esc makes no store [y,n,Esc] ", key);
        let (shown, code) = terminal.end();
        assert!(asked.contains("docs/adr has 1 decision record;"), "{asked}");
        let Some(is_wanted) = expected else {
            assert!(code == 1 && !sandbox.store().exists(), "{code}: {shown}");
            continue;
        };
        assert_eq!(code, 0, "{shown}");
        assert!(!shown.contains("[[read]]"), "it was asked: {shown}");
        assert_eq!(!found(&sandbox, "ledger").is_empty(), is_wanted, "{shown}");
    }
}

fn has_terminal() -> bool {
    std::process::Command::new("script").arg("--version").output().is_ok()
}
