//! `status`: what waits, how long, whether it can still land.

use serde_json::json;
use unicode_width::UnicodeWidthStr;

use crate::requests::{convention, new_body, session, with_conventions};
use crate::support::{Reply, Sandbox, Terminal};

fn stable(sandbox: &Sandbox, reply: &Reply) -> String {
    reply.stdout.replace(&sandbox.store().display().to_string(), "[store]")
}

#[test]
fn an_empty_queue_is_said_in_one_line() {
    let sandbox = Sandbox::new();
    let reply = sandbox.run(&["status"]).expect_code(0);
    insta::assert_snapshot!(stable(&sandbox, &reply), @r"
    nothing is pending
    store .agent-memory: 1 section in 1 file, room for 50 proposals more
    ");
}

#[test]
fn the_table_names_what_waits() {
    let mut sandbox = Sandbox::new();
    let mut request = convention("Errors", "Name the path.");
    request["rationale"] = json!("Errors that help");
    request["owner"] = json!({ "id": "claude", "kind": "agent" });
    let id = sandbox.propose(request).staged();
    sandbox.advance_days(2);
    let reply = sandbox.run(&["status"]).expect_code(0);
    let text = stable(&sandbox, &reply).replace(&id, "20261120-100000-errors-[__]");
    let text: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
    insta::assert_snapshot!(text.join("\n"), @r"
     PENDING                         AGE  LEFT  APPLIES
     20261120-100000-errors-[__]      2d    5d  yes
       conventions.md#Errors
       update_conventions by claude
       Errors that help
    decide with `agent-memory review`, or `show ID`, then `apply ID` or `reject ID`
    store .agent-memory: 1 section in 1 file, room for 49 proposals more
    ");
}

#[test]
fn the_table_fits_into_80_columns() {
    let sandbox = Sandbox::new();
    let mut request = convention("Errors", "Name the path.");
    request["rationale"] = json!("a rationale that is rather long ".repeat(20));
    request["owner"] = json!("an-agent-with-a-long-name-of-its-own".repeat(3));
    sandbox.propose(request).staged();
    let reply = sandbox.run(&["status"]).expect_code(0);
    for line in reply.stdout.lines() {
        assert!(line.width() <= 80, "{line}");
    }
}

#[test]
fn wide_characters_and_reasons_fit_into_80_columns_too() {
    let mut sandbox = with_conventions();
    let mut request = new_body("errors", "They name a path and a line.");
    request["rationale"] = json!("エラーには必ずファイルのパスと行番号を書くこと。".repeat(4));
    sandbox.propose(request).staged();
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("a path", "a way"));
    sandbox.advance_days(8);
    sandbox.propose(convention("A heading", "Name the path.")).staged();
    let reply = sandbox.run(&["status"]).expect_code(0);
    assert!(reply.stdout.contains("  at 2026-11-27T10:00:00Z"), "{}", reply.stdout);
    for line in reply.stdout.lines() {
        assert!(line.width() <= 80, "{line}");
    }
}

#[test]
fn a_narrow_window_gets_a_list() {
    let sandbox = with_conventions();
    let mut request = new_body("errors", "They name a path and a line.");
    request["rationale"] = json!("Access tokens were never revoked by anybody");
    let id = sandbox.propose(request).staged();
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("a path", "a way"));
    let piped = sandbox.call(&["status"]).env("COLUMNS", "40").run().expect_code(0).stdout;
    let (shown, _) = Terminal::run(&sandbox, "status", 40, &[]).end();
    for text in [&piped, &shown] {
        let listed = format!("{id}\n  conventions.md#errors\n");
        assert!(text.contains(&listed) && text.contains("applies target_drift"), "{text}");
        for line in text.lines() {
            assert!(line.width() <= 40, "{line}");
        }
    }
}

#[test]
fn what_drifted_is_to_be_rebased() {
    let sandbox = with_conventions();
    sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    let status = || sandbox.run(&["status"]).expect_code(0).stdout;
    assert!(!status().contains("rebase"));
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("a path", "a way"));
    assert!(status().contains("`rebase ID`"), "{}", status());
}

#[test]
fn a_proposal_whose_section_changed_says_so() {
    let sandbox = with_conventions();
    let id = sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("a path", "a way"));
    let reply = sandbox.run(&["status"]).expect_code(0);
    assert!(reply.stdout.contains("target_drift"), "{}", reply.stdout);
    let pending = &sandbox.run(&["status", "--json"]).expect_code(0).json()["pending"][0];
    assert_eq!(pending["id"], id);
    assert_eq!(pending["can_apply"], false);
    assert_eq!(pending["reason"], "target_drift");
}

#[test]
fn an_expired_proposal_stays_visible() {
    let mut sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.advance_days(8);
    let pending = &sandbox.run(&["status", "--json"]).expect_code(0).json()["pending"][0];
    assert_eq!((&pending["id"], &pending["reason"]), (&json!(id), &json!("staging_expired")));
    assert_eq!(pending["seconds_left"], -86_400);
}

#[test]
fn what_expired_is_listed_takes_no_room_and_cannot_land() {
    let mut sandbox = Sandbox::new();
    sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.advance_days(8);
    sandbox.propose(convention("Names", "They are long.")).staged();
    let words = sandbox.run(&["status"]).expect_code(0).stdout;
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.ends_with("room for 49 proposals more, not counting 1 expired"), "{words}");
    let checked = sandbox.run(&["check"]).stdout;
    assert!(checked.contains("pending: 2 proposals, 1 cannot be applied"), "{checked}");
}

#[test]
fn health_counts_what_is_withheld() {
    let key = ["AKIA", "3QZ7WLN2VXKD5RTY"].concat();
    let sandbox = Sandbox::given(&[("modules/a.md", &format!("# A\n\n## B\n\n{key}\n"))]);
    let health = &sandbox.run(&["status", "--json"]).expect_code(0).json()["health"];
    assert_eq!(health["withheld"], 1);
}

#[test]
fn health_counts_regions_that_may_look_like_secrets() {
    let sandbox = Sandbox::given(&[(
        "modules/a.md",
        "# A\n\n<!-- secret-allow: an example -->\nx\n<!-- /secret-allow -->\n",
    )]);
    let health = &sandbox.run(&["status", "--json"]).expect_code(0).json()["health"];
    assert_eq!(health["allow_regions"], 1);
}

#[test]
fn a_damaged_folder_in_the_queue_is_named_and_stops_nothing() {
    let sandbox = Sandbox::given(&[("staging/20261120-100000-broken-0a0b/proposal.json", "{")]);
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    assert_eq!(status["pending"][0]["id"], id);
    let warnings = status["health"]["warnings"].to_string();
    assert!(warnings.contains("staging/20261120-100000-broken-0a0b"), "{warnings}");
}

#[test]
fn there_is_no_colour_without_a_terminal() {
    let sandbox = Sandbox::new();
    sandbox.propose(convention("Errors", "Name the path.")).staged();
    for command in ["status", "diff", "log", "doctor"] {
        let reply = sandbox.run(&[command]);
        assert!(!(reply.stdout + &reply.stderr).contains('\u{1b}'), "{command}");
    }
}

#[test]
fn colour_comes_where_it_is_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.propose(convention("Errors", "Name the path.")).staged();
    for command in ["status", "diff", "log", "doctor"] {
        let reply = sandbox.run(&[command, "--color", "always"]);
        assert!(reply.stdout.contains("\u{1b}["), "{command}");
    }
}

#[test]
fn json_is_never_coloured() {
    let sandbox = Sandbox::new();
    sandbox.propose(convention("Errors", "Name the path.")).staged();
    for command in ["status", "diff", "log", "doctor"] {
        let reply = sandbox.run(&[command, "--color", "always", "--json"]);
        assert!(!reply.stdout.contains('\u{1b}'), "{command}");
    }
}

#[test]
fn status_writes_no_memory() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "Done.")).applied();
    let before = sandbox.tree();
    sandbox.run(&["status"]).expect_code(0);
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_conflict_that_git_left_is_told() {
    let sandbox = Sandbox::new();
    let text = "# Pitfalls\n\n## Cache\n<!-- @id: cache -->\n\n<<<<<<< HEAD\n\nwarm\n\n=======\n\ncold\n\n>>>>>>> other\n";
    sandbox.write("pitfalls.md", text);
    let said = sandbox.run(&["status"]).expect_code(0).stderr;
    assert!(said.contains("a git conflict in `pitfalls.md`"), "{said}");
    let pack = sandbox.run(&["context", "cache", "--json"]).expect_code(0).json();
    assert!(pack["receipt"]["warnings"].to_string().contains("git conflict"), "{pack}");
}
