//! `search`: what the files say right now.

use std::fs;

use crate::requests::{session, with_conventions};
use crate::support::Sandbox;

#[test]
fn a_result_names_place_headings_and_text() {
    let sandbox = with_conventions();
    let reply = sandbox.run(&["search", "path"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @r"
    conventions.md:3  #errors
      Conventions > Errors
        They name a path.
    ");
}

#[test]
fn json_has_what_a_program_needs_to_edit() {
    let sandbox = with_conventions();
    let found = sandbox.run(&["search", "--json", "path"]).expect_code(0).json();
    let first = &found["results"][0];
    assert_eq!(first["path"], "conventions.md");
    assert_eq!(first["id"], "errors");
    assert_eq!(first["line"], 3);
    let shown = sandbox.run(&["show", "conventions.md#errors", "--json"]).json();
    assert_eq!(first["hash"], shown["sections"][0]["hash"]);
}

#[test]
fn nothing_found_is_exit_code_0() {
    let sandbox = Sandbox::new();
    let reply = sandbox.run(&["search", "xylophone"]).expect_code(0);
    assert_eq!((reply.stdout.as_str(), reply.stderr.as_str()), ("", "nothing found\n"));
}

#[test]
fn nothing_found_is_exit_code_1_where_it_is_asked_for() {
    let sandbox = with_conventions();
    sandbox.run(&["search", "--exit-code", "xylophone"]).expect_code(1);
    sandbox.run(&["search", "--exit-code", "path"]).expect_code(0);
}

#[test]
fn a_slip_of_the_finger_is_told_where_nothing_is_found() {
    let sandbox = with_conventions();
    sandbox.append("conventions.md", "\n## Timeouts\n\nA timeout is thirty seconds.\n");
    for (question, meant) in [("timout", "timeout"), ("timout secnods", "timeout seconds")] {
        let reply = sandbox.run(&["search", question]).expect_code(0);
        let said = format!("nothing found\ndid you mean: {meant}?\n");
        assert_eq!((reply.stdout.as_str(), reply.stderr), ("", said));
        let answer = sandbox.run(&["search", "--json", question]).expect_code(0).json();
        assert_eq!(answer["suggestion"], meant);
        finds(&sandbox, meant, 1);
    }
    for question in ["xylophone", "timeout"] {
        let answer = sandbox.run(&["search", "--json", question]).expect_code(0).json();
        assert_eq!(answer.get("suggestion"), None, "{question}");
    }
}

#[test]
fn what_is_suggested_stands_where_it_was_looked_for() {
    let sandbox = with_conventions();
    sandbox.append("conventions.md", "\n## Timeouts\n\nA timeout is thirty seconds.\n");
    for narrowed in [&["--category", "pitfalls"][..], &["--offset", "1"], &["--raw"]] {
        let arguments = [&["search", "timout"], narrowed].concat();
        let reply = sandbox.run(&arguments).expect_code(0);
        assert_eq!(reply.stderr, "nothing found\n", "{narrowed:?}");
    }
    let reply = sandbox.run(&["search", "timout", "--category", "conventions"]).expect_code(0);
    assert!(reply.stderr.contains("did you mean: timeout?"), "{}", reply.stderr);
}

#[test]
fn a_hand_edit_is_found_by_the_next_search() {
    let sandbox = with_conventions();
    sandbox.run(&["search", "path"]).expect_code(0);
    sandbox.append("conventions.md", "\n## Zebra\n\nStriped.\n");
    finds(&sandbox, "zebra", 1);
}

#[test]
fn a_text_of_the_same_length_is_noticed() {
    let sandbox = with_conventions();
    finds(&sandbox, "path", 1);
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("path", "bath"));
    finds(&sandbox, "bath", 1);
    finds(&sandbox, "path", 0);
}

#[test]
fn a_new_file_is_found() {
    let sandbox = Sandbox::new();
    finds(&sandbox, "zebra", 0);
    sandbox.write("modules/zoo.md", "# Zoo\n\n## Zebra\n\nStriped.\n");
    finds(&sandbox, "zebra", 1);
}

#[test]
fn a_deleted_file_is_found_no_more() {
    let sandbox = Sandbox::given(&[("modules/zoo.md", "# Zoo\n\n## Zebra\n\nStriped.\n")]);
    finds(&sandbox, "zebra", 1);
    fs::remove_file(sandbox.store().join("modules/zoo.md")).unwrap();
    finds(&sandbox, "zebra", 0);
}

#[test]
fn a_deleted_index_comes_back() {
    let sandbox = with_conventions();
    finds(&sandbox, "path", 1);
    fs::remove_file(sandbox.store().join("state/index.sqlite")).unwrap();
    finds(&sandbox, "path", 1);
}

#[test]
fn a_truncated_index_comes_back() {
    let sandbox = with_conventions();
    finds(&sandbox, "path", 1);
    let index = fs::read(sandbox.store().join("state/index.sqlite")).unwrap();
    for length in [0, 10, index.len() / 2] {
        sandbox.write("state/index.sqlite", &index[..length]);
        finds(&sandbox, "path", 1);
    }
}

#[test]
fn a_deleted_state_folder_comes_back() {
    let sandbox = with_conventions();
    finds(&sandbox, "path", 1);
    fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    finds(&sandbox, "path", 1);
}

#[test]
fn any_text_is_a_question() {
    let sandbox = with_conventions();
    for text in ["\"", "a AND", "NEAR(", "*", "-", "col:path", "(path", "path\"", "'; DROP", ""] {
        let reply = sandbox.run(&["search", "--json", "--", text]);
        assert_eq!(reply.code, 0, "{text}: {}", reply.stdout);
    }
}

#[test]
fn a_category_narrows_the_search() {
    let sandbox = with_conventions();
    sandbox.propose(session("Today", "The path was clear.")).applied();
    finds(&sandbox, "path", 2);
    let found = sandbox.run(&["search", "--json", "--category", "sessions", "path"]).json();
    assert_eq!(found["results"].as_array().unwrap().len(), 1);
}

#[test]
fn search_writes_no_memory() {
    let sandbox = with_conventions();
    let before = sandbox.tree();
    sandbox.run(&["search", "path"]).expect_code(0);
    assert_eq!(sandbox.tree(), before);
}

#[track_caller]
fn finds(sandbox: &Sandbox, text: &str, count: usize) {
    let found = sandbox.run(&["search", "--json", text]).expect_code(0).json();
    assert_eq!(found["results"].as_array().unwrap().len(), count, "{text}: {found}");
}

const SESSIONS: [(&str, &str); 2] = [
    (
        "sessions/2026-11-19.md",
        "# 2026-11-19\n\n## Ada\n\nThe rotation of tokens broke the build.\n",
    ),
    ("sessions/2026-11-20.md", "# 2026-11-20\n\n## Bob\n\nToken rotation works again.\n"),
];

#[test]
fn signals_explain_a_score() {
    let sandbox = Sandbox::given(&SESSIONS);
    let found = sandbox.run(&["search", "--json", "--explain", "tokens of bob"]).json();
    let first = &found["results"][0];
    assert_eq!(first["path"], "sessions/2026-11-20.md");
    let parts = first["explanation"].as_object().unwrap().values();
    let sum: f64 = parts.map(|value| value.as_f64().unwrap()).sum();
    assert!((sum - first["score"].as_f64().unwrap()).abs() < 1e-9, "{first}");
    let reply = sandbox.run(&["search", "--explain", "tokens of bob"]).expect_code(0);
    assert!(reply.stdout.contains(": words +"), "{}", reply.stdout);
}

#[test]
fn time_narrows_and_orders() {
    let sandbox = Sandbox::given(&SESSIONS);
    let paths = |options: &[&str]| -> Vec<String> {
        let found = sandbox.run(&[&["search", "--json", "rotation"], options].concat());
        let found = found.expect_code(0).json();
        let results = found["results"].as_array().unwrap().clone();
        results.iter().map(|each| each["updated_at"].as_str().unwrap()[..10].to_owned()).collect()
    };
    assert_eq!(paths(&["--since", "2026-11-20"]), ["2026-11-20"]);
    assert_eq!(paths(&["--until", "2026-11-19"]), ["2026-11-19"]);
    assert_eq!(paths(&["--since", "9m"]), ["2026-11-20"]);
    assert_eq!(paths(&["--since", "12h"]).len(), 2);
    assert_eq!(paths(&["--until", "yesterday"]), ["2026-11-19"]);
    assert_eq!(paths(&["--since", "last week"]).len(), 2);
    assert!(paths(&["--until", "last week"]).is_empty());
    assert!(paths(&["--since", "this year", "--until", "last month"]).is_empty());
    assert_eq!(paths(&["--sort", "time"]), ["2026-11-20", "2026-11-19"]);
    let reply = sandbox.run(&["search", "--since", "soon", "rotation"]).expect_code(2);
    assert!(reply.stderr.contains("`soon` is no time for `since`"), "{}", reply.stderr);
    assert!(reply.stderr.contains("`3 days ago`"), "{}", reply.stderr);
}

#[test]
fn evidence_narrows_the_search() {
    let cited = "# Errors\n<!-- @id: errors -->\n<!-- @source: file src/gone.rs 9f3c2e1a4b5c confirmed 2026-11-20 -->\n\npath\n";
    let sandbox = Sandbox::given(&[("conventions.md", cited), ("pitfalls.md", "# b\n\npath\n")]);
    let count = |options: &[&str]| {
        let found = sandbox.run(&[&["search", "--json", "path"], options].concat());
        found.expect_code(0).json()["results"].as_array().unwrap().len()
    };
    assert_eq!(count(&[]), 2);
    assert_eq!(count(&["--freshness", "missing"]), 1);
    assert_eq!(count(&["--freshness", "fresh"]), 0);
    assert_eq!(count(&["--confidence", "confirmed"]), 1);
    sandbox.run(&["search", "--confidence", "maybe", "path"]).expect_code(2);
}

#[test]
fn the_confidence_that_was_asked_for_is_shown() {
    let source = |name: &str, confidence: &str| {
        format!("<!-- @source: file {name} 9f3c2e1a4b5c {confidence} 2026-11-20 -->\n")
    };
    let sources = source("a.rs", "confirmed") + &source("b.rs", "inferred");
    let text = format!("# Errors\n<!-- @id: errors -->\n{sources}\npath\n");
    let sandbox = Sandbox::given(&[("conventions.md", &text)]);
    for (options, shown) in [
        (&[][..], "confirmed"),
        (&["--confidence", "confirmed"], "confirmed"),
        (&["--confidence", "inferred"], "inferred"),
    ] {
        let found = sandbox.run(&[&["search", "--json", "path"], options].concat());
        assert_eq!(found.expect_code(0).json()["results"][0]["confidence"], shown);
    }
}

#[test]
fn a_raw_expression_that_cannot_be_read_says_why() {
    let sandbox = with_conventions();
    sandbox.run(&["search", "--raw", "--exit-code", "path AND name"]).expect_code(0);
    let reply = sandbox.run(&["search", "--raw", "path AND"]).expect_code(2);
    assert!(reply.stderr.contains("`path AND` is no expression of FTS5"), "{}", reply.stderr);
    assert!(reply.stderr.contains("hint:"), "{}", reply.stderr);
}

#[test]
fn an_answer_fits_into_80_columns() {
    let long = "word ".repeat(60);
    let text = format!("# {long}\n\n## {long}\n\nneedle {long}\n\n{}needle\n", "x".repeat(200));
    let sandbox = Sandbox::given(&[("modules/a.md", &text)]);
    let reply = sandbox.run(&["search", "--explain", "needle word"]).expect_code(0);
    for line in reply.stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn an_index_that_is_made_anew_is_told_to_who_asks() {
    let sandbox = with_conventions();
    finds(&sandbox, "path", 1);
    let reply = sandbox.run(&["search", "-v", "path"]).expect_code(0);
    assert!(!reply.stderr.contains("rebuilt"), "{}", reply.stderr);
    sandbox.write("state/index.sqlite", "no database");
    let reply = sandbox.run(&["search", "-v", "path"]).expect_code(0);
    assert!(
        reply.stderr.contains("the search index is not as it was left; it was rebuilt"),
        "{}",
        reply.stderr
    );
    sandbox.write("state/index.sqlite", "no database");
    assert_eq!(sandbox.run(&["search", "path"]).expect_code(0).stderr, "");
}

#[test]
fn what_stands_in_the_place_of_the_index_is_kept_and_stops_nobody() {
    let sandbox = with_conventions();
    for (kept, name) in ["index.sqlite", "index.sqlite.2"].iter().enumerate() {
        finds(&sandbox, "path", 1);
        fs::remove_file(sandbox.store().join("state/index.sqlite")).unwrap();
        sandbox.write("state/index.sqlite/mine.txt", kept.to_string());
        let reply = sandbox.run(&["search", "-v", "path"]).expect_code(0);
        let said = "the search index is a folder that goes to `state/trash/`; it was rebuilt";
        assert!(reply.stderr.contains(said), "{}", reply.stderr);
        assert_eq!(sandbox.file(&format!("state/trash/{name}/mine.txt")), kept.to_string());
    }
    fs::remove_file(sandbox.store().join("state/index.sqlite")).unwrap();
    fs::create_dir(sandbox.store().join("state/index.sqlite")).unwrap();
    let answer = sandbox.propose(session("One", "Done.")).applied();
    assert_eq!(answer["index_updated"], true);
}

#[test]
fn a_page_that_is_damaged_does_not_stop_a_search() {
    let text = "# Cat\n\nmouse\n\n".repeat(3_000);
    let sandbox = Sandbox::given(&[("modules/a.md", &text)]);
    finds(&sandbox, "mouse", 10);
    let path = sandbox.store().join("state/index.sqlite");
    let mut bytes = fs::read(&path).unwrap();
    let length = bytes.len();
    bytes[length / 2..].fill(0x5a);
    fs::write(&path, bytes).unwrap();
    finds(&sandbox, "mouse", 10);
    finds(&sandbox, "mouse", 10);
}

#[test]
fn an_index_that_another_program_keeps_in_a_mode_of_its_own_is_made_anew() {
    let sandbox = with_conventions();
    finds(&sandbox, "path", 1);
    let other = rusqlite::Connection::open(sandbox.store().join("state/index.sqlite")).unwrap();
    other.execute_batch("PRAGMA journal_mode = WAL; BEGIN").unwrap();
    other.query_row("SELECT count(*) FROM files", [], |_| Ok(())).unwrap();
    sandbox.write("modules/new.md", "# Giraffe\n");
    assert!(sandbox.run(&["search", "giraffe"]).expect_code(0).stdout.contains("new.md"));
    let answer = sandbox.propose(session("One", "Done.")).applied();
    assert_eq!(answer["index_updated"], true);
}

#[test]
fn files_that_cannot_be_read_are_named_and_the_rest_is_found() {
    let sandbox = with_conventions();
    sandbox.write("modules/broken.md", b"# path \xff\n");
    fs::create_dir_all(sandbox.store().join("modules/folder.md")).unwrap();
    let large = fs::File::create(sandbox.store().join("modules/large.md")).unwrap();
    large.set_len(100 * 1024 * 1024).unwrap();
    let reply = sandbox.run(&["search", "path"]).expect_code(0);
    assert!(reply.stdout.contains("conventions.md:3"), "{}", reply.stdout);
    let found = sandbox.run(&["search", "--json", "path"]).expect_code(0).json().to_string();
    let doctor = sandbox.run(&["doctor", "--json"]).json().to_string();
    for name in ["modules/broken.md", "modules/folder.md", "modules/large.md"] {
        assert!(reply.stderr.contains(&format!("warning: `{name}`")), "{name}: {}", reply.stderr);
        assert!(found.contains(name), "{name}: {found}");
        assert!(doctor.contains(name), "{name}: {doctor}");
    }
}

#[test]
fn a_note_without_a_heading_says_so() {
    let sandbox = Sandbox::given(&[("modules/deploy.md", "Never deploy on a friday afternoon.\n")]);
    let reply = sandbox.run(&["search", "friday"]).expect_code(0);
    assert!(reply.stdout.contains("modules/deploy.md:1\n  (no heading)\n"), "{}", reply.stdout);
}

#[test]
fn a_file_or_folder_is_named_as_a_person_would_and_the_archive_by_its_category() {
    let text =
        |name: &str| format!("# {name}\n\n## {name}\n<!-- @id: {name} -->\n\nzebra {name}\n");
    let sandbox = Sandbox::given(&[
        ("modules/a.md", &text("auth")),
        ("pitfalls.md", &text("pool")),
        ("archive/old.md", &text("old")),
    ]);
    let found = |arguments: &[&str]| -> Vec<String> {
        let arguments = [&["search", "zebra", "--json"], arguments].concat();
        let answer = sandbox.run(&arguments).expect_code(0).json();
        let paths = answer["results"].as_array().unwrap().iter();
        paths.map(|result| result["path"].as_str().unwrap().to_owned()).collect()
    };
    let absolute = format!("{}/modules/*.md", sandbox.store().display());
    let root = sandbox.store().parent().unwrap().to_owned();
    let outside = format!("../{}/.agent-memory/mod*/a.md", root.file_name().unwrap().display());
    for name in [
        "modules/a.md",
        ".agent-memory/modules/a.md",
        "./.agent-memory/modules/a.md",
        "modules",
        "modules/",
        "./modules/*",
        ".agent-memory/modules/*",
        "./modules/a.md",
        "{modules,archive}/*.md",
        ".agent-memory/{modules,archive}/a.md",
        "modules/[!b].md",
        absolute.as_str(),
        outside.as_str(),
    ] {
        assert_eq!(found(&["--file", name]), ["modules/a.md"], "{name}");
    }
    for archive in ["archive", "archive/o*", "archive*", "*/old.md", "[a]rchive/*"] {
        assert_eq!(found(&["--file", archive]), ["archive/old.md"], "{archive:?}");
    }
    for all in [&["--category", "archive"][..], &["--category", "archive", "--file", "*"]] {
        assert_eq!(found(all), ["archive/old.md"], "{all:?}");
    }
    let narrowed = ["search", "old", "--file", "{archive,modules}/*"];
    let said = sandbox.run(&narrowed).expect_code(0).stderr;
    assert!(said.contains("hint: what is found there is archived"), "{said}");
    for all in [".", ".agent-memory", "./"] {
        assert_eq!(found(&["--file", all]).len(), 2, "{all}");
    }
    assert_eq!(found(&[]).len(), 2);
}

#[test]
fn a_page_behind_the_best_in_the_order_of_time_says_why_it_is_empty() {
    let many: String = (0..120).map(|n| format!("## P{n}\n\nplumbing w{n}\n\n")).collect();
    let sandbox = Sandbox::given(&[("modules/big.md", &many)]);
    let reply = sandbox.run(&["search", "plumbing", "--sort", "time", "--offset", "100"]);
    assert!(reply.stderr.contains("the 100 best answers"), "{}", reply.stderr);
    let document = |text: &str| {
        let beyond = ["search", text, "--sort", "time", "--offset", "100", "--json"];
        sandbox.run(&beyond).expect_code(0).json()
    };
    let hint = document("plumbing")["hint"].as_str().unwrap_or_default().to_owned();
    assert!(hint.contains("the 100 best answers"), "{hint}");
    let nothing = serde_json::json!({"schema_version": 1, "results": [], "warnings": []});
    assert_eq!(document("zebraquux"), nothing);
    let reply = sandbox.run(&["search", "plumbing", "--offset", "110", "--json"]).expect_code(0);
    assert_eq!(reply.json()["results"].as_array().map(Vec::len), Some(10));
}

#[test]
fn a_pattern_that_no_file_fits_is_told() {
    let sandbox = with_conventions();
    let said =
        |file: &str| sandbox.run(&["search", "xylophone", "--file", file]).expect_code(0).stderr;
    for file in ["nowhere/*", "nowhere.md", "/nowhere/*.md", "../nowhere/*"] {
        assert!(said(file).contains("hint: no file of the store fits `"), "{file}: {}", said(file));
    }
    assert_eq!(said("conv*"), "nothing found\n");
}

#[test]
fn an_expression_that_would_take_long_is_refused() {
    let sandbox = Sandbox::given(&[("pitfalls.md", "# P\n\n## A\n\nzebra\n")]);
    let reply = sandbox.run(&["search", "--raw", &"zebra OR ".repeat(10_000)]).expect_code(2);
    assert!(reply.stderr.contains("at most 16384 bytes"), "{}", reply.stderr);
}

#[test]
fn a_page_that_would_take_long_is_refused() {
    let sandbox = Sandbox::given(&[("pitfalls.md", "# P\n\n## A\n\nzebra\n")]);
    sandbox.run(&["search", "zebra", "--offset", "10000"]).expect_code(0);
    let reply = sandbox.run(&["search", "zebra", "--offset", "10001"]).expect_code(2);
    assert!(reply.stderr.contains("`offset` is 10000 at most: 10001"), "{}", reply.stderr);
}

#[test]
fn languages_that_only_a_sign_tells_apart_are_told_apart() {
    let sandbox = Sandbox::given(&[(
        "pitfalls.md",
        "# Pitfalls\n\n## A\n<!-- @id: a -->\n\nThe C# client.\n\n## B\n<!-- @id: b -->\n\nThe C++ client.\n",
    )]);
    for (question, id) in [("C# client", "a"), ("c++ client", "b")] {
        let found = sandbox.run(&["search", "--json", question]).expect_code(0).json();
        assert_eq!(found["results"][0]["id"], id, "{question}");
    }
}

#[test]
fn a_file_that_is_nowhere_is_said_with_what_is_near() {
    let sandbox = Sandbox::given(&[("modules/auth.md", "# Auth\n\n## Tokens\n\nTokens.\n")]);
    let hint = |file: &str| {
        let found = sandbox.run(&["search", "tokens", "--file", file, "--json"]).json();
        found["hint"].as_str().unwrap_or_default().to_owned()
    };
    assert!(hint("modules/auht.md").contains("did you mean `modules/auth.md`?"));
    assert!(hint("auth.md").contains("did you mean `modules/auth.md`?"));
    assert!(hint("modles/*").contains("did you mean `modules/*`?"));
    assert!(!hint("zzzz.md").contains("did you mean"));
    for command in [&["show", "modules/auht.md"][..], &["blame", "auth.md"], &["check", "auht.md"]]
    {
        let reply = sandbox.run(command);
        let told = reply.stdout + &reply.stderr;
        assert!(told.contains("did you mean `modules/auth.md`?"), "{command:?}: {told}");
    }
}

#[test]
fn an_empty_question_says_that_it_is_empty() {
    let sandbox = with_conventions();
    for question in ["", "  "] {
        let stderr = sandbox.run(&["search", question]).expect_code(0).stderr;
        assert_eq!(stderr, "nothing found\nhint: the question is empty: say what is looked for\n");
    }
}

#[test]
fn what_rests_on_a_file_that_the_work_has_changed_gains_a_share() {
    let record = |id: &str| {
        let source =
            format!("<!-- @source: file src/{id}.rs 000000000000 confirmed 2026-11-01 -->");
        format!("## {id}\n<!-- @id: {id} -->\n{source}\n\nThe pool of {id} has two workers.\n\n")
    };
    let sandbox = Sandbox::given(&[("decisions.md", &(record("mail") + &record("chat")))]);
    ["mail", "chat"].iter().for_each(|id| sandbox.write_project(&format!("src/{id}.rs"), "// 1\n"));
    sandbox.commit("memory");
    let ids = || {
        let found = sandbox.run(&["search", "pool", "workers", "--json"]).expect_code(0).json();
        let ids = found["results"].as_array().unwrap().iter().map(|hit| hit["id"].clone());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(ids(), ["mail", "chat"]);
    // The same text, of another time.
    sandbox.write_project("src/chat.rs", "// 1\n");
    let index = std::fs::read(sandbox.project().join(".git/index")).unwrap();
    assert_eq!(ids(), ["mail", "chat"]);
    assert_eq!(std::fs::read(sandbox.project().join(".git/index")).unwrap(), index);
    sandbox.write_project("src/chat.rs", "// 2\n");
    assert_eq!(ids(), ["chat", "mail"]);
    // No setting of `git diff` changes that.
    let settings = [("orderFile", "none"), ("relative", "true"), ("autoRefreshIndex", "false")];
    for (name, value) in settings {
        sandbox.git(&["config", &format!("diff.{name}"), value]);
    }
    assert_eq!(ids(), ["chat", "mail"]);
    sandbox.git(&["config", "--unset", "diff.orderFile"]);
    // A path that no system has, and a tag with the name of the branch.
    let long = "x".repeat(200_000);
    let source = format!("<!-- @source: file src/{long} - confirmed 2026-11-01 -->");
    let section = format!("## Long\n<!-- @id: long -->\n{source}\n\nThe workers of no pool.\n");
    sandbox.append("decisions.md", &section);
    sandbox.git(&["tag", "main"]);
    sandbox.commit("more");
    sandbox.write_project("src/mail.rs", "// 3\n");
    assert_eq!(ids()[..2], ["mail", "chat"]);
    let told = sandbox.run(&["search", "pool", "workers", "--explain"]).expect_code(0).stdout;
    assert_eq!(told.matches("changed +").count(), 1, "{told}");
    // A broken git costs no answer.
    std::fs::write(sandbox.project().join(".git/HEAD"), "nonsense\n").unwrap();
    let broken = sandbox.run(&["search", "pool", "workers"]).expect_code(0);
    assert!(broken.stdout.contains("#mail"), "{}", broken.stdout);
    assert!(
        broken.stderr.contains("which files the work has changed is not known"),
        "{}",
        broken.stderr
    );
}
