//! `agent-memory service`: what a person stores, recalls and forgets at a terminal.

use serde_json::{Value, json};

use super::stand::ServiceStand;
use crate::support::Reply;

const ABSENT: &str = "99999999-9999-4999-8999-999999999999";

fn token() -> String {
    ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat()
}

#[test]
fn what_is_stored_is_recalled_by_its_words() {
    let service = ServiceStand::new();
    let id = service.store("We chose SQLite over MySQL for the queue.", &["--tags", "db,queue"]);
    service.store("Tabs are wider than blanks.", &[]);
    let found = service.done(&["recall", "which", "database", "SQLite"]);
    assert_eq!(found["results"][0]["id"], id.as_str(), "{found}");
    assert_eq!(found["results"][0]["memory"]["type"], "Decision", "{found}");
    let text = service.run(&["recall", "SQLite queue"]).expect_code(0).stdout;
    assert!(text.starts_with(&id) && text.contains("\n  We chose SQLite over MySQL"), "{text}");
    let none = service.run(&["recall", "SQLite", "--tags", "docs", "--exit-code"]).expect_code(1);
    assert_eq!((none.stdout.as_str(), none.stderr.as_str()), ("", "nothing found\n"));
}

#[test]
fn one_shot_calls_leave_no_job_behind() {
    let service = ServiceStand::new();
    let id = service.store("Ada Lovelace works at Acme Corp. She likes PostgreSQL.", &[]);
    assert_eq!(service.get(&id)["enriched"], true);
    let stats = service.done(&["stats"]);
    assert_eq!(stats["enrichment"]["pending"], 0, "{stats}");
    assert_eq!((&stats["memories"], &stats["log_unbroken"]), (&json!(1), &json!(true)));
}

#[test]
fn a_text_comes_from_stdin_too() {
    let service = ServiceStand::new();
    for arguments in [&["store", "--json"][..], &["store", "-", "--json"]] {
        let reply = service.prepare(arguments).stdin("Line one.\nLine two.\n").run();
        let id = reply.expect_code(0).json()["memory_id"].as_str().unwrap().to_owned();
        assert_eq!(service.get(&id)["content"], "Line one.\nLine two.");
    }
    // The second call within a minute is taken for a retry.
    assert_eq!(service.done(&["stats"])["memories"], 1);
}

#[test]
fn all_fields_of_a_memory_are_options() {
    let service = ServiceStand::new();
    let id = "11111111-1111-4111-8111-11111111111a";
    let stored = service.store(
        "Deploys are on Mondays.",
        &[
            "--id",
            id,
            "--type",
            "Habit",
            "--tags",
            "ops,Docs/API",
            "--tags",
            "team",
            "--importance",
            "0.9",
            "--confidence",
            "0.7",
            "--metadata",
            r#"{"repo": "x"}"#,
            "--timestamp",
            "2026-01-02T03:04:05Z",
            "--t-invalid",
            "2030-01-01",
        ],
    );
    assert_eq!(stored, id);
    let memory = service.get(id);
    assert_eq!(memory["tags"], json!(["ops", "Docs/API", "team"]), "{memory}");
    assert_eq!((&memory["importance"], &memory["confidence"]), (&json!(0.9), &json!(0.7)));
    assert_eq!((&memory["metadata"]["repo"], &memory["type"]), (&json!("x"), &json!("Habit")));
    assert_eq!(memory["timestamp"], "2026-01-02T03:04:05+00:00", "{memory}");
    let text = service.run(&["get", id]).expect_code(0).stdout;
    assert!(text.contains("\n\nDeploys are on Mondays.\n\n") && text.contains("repo = "), "{text}");
}

#[test]
fn a_refusal_names_the_field_and_exits_with_1() {
    let service = ServiceStand::new();
    let refusal = service.refused(&["store", "x", "--importance", "7"], 400);
    assert_eq!(refusal["field"], "importance", "{refusal}");
    let text = service.run(&["store", "x", "--importance", "7", "--type", "Odd"]).expect_code(1);
    assert!(text.stderr.contains("[importance]") && text.stderr.contains("[type]"), "{text:?}");
    assert_eq!(text.stdout, "");
    let absent = service.run(&["get", ABSENT]).expect_code(1).stderr;
    assert!(absent.contains("refused: Memory not found\nhint: `agent-memory service"), "{absent}");
    assert_eq!(service.refused(&["get", "7"], 400)["field"], "memory_id");
    service.run(&["store", "x", "--metadata", "{"]).expect_code(2);
    service.run(&["update", ABSENT]).expect_code(2);
    service.run(&["delete"]).expect_code(2);
}

#[test]
fn a_secret_is_neither_stored_nor_shown() {
    let service = ServiceStand::new();
    let token = token();
    for arguments in
        [vec!["store", &token], vec!["store", "x", "--metadata", &format!("[{token:?}]")]]
    {
        let Reply { code, stdout, stderr } = service.run(&arguments);
        assert_eq!(code, 1, "{stderr}");
        assert!(!stdout.contains(&token) && !stderr.contains(&token), "{stdout}{stderr}");
    }
    assert_eq!(service.done(&["stats"])["memories"], 0);
}

#[test]
fn a_change_keeps_what_it_does_not_name() {
    let service = ServiceStand::new();
    let id = service.store("Old text.", &["--tags", "a,b", "--metadata", r#"{"x": 1, "y": 2}"#]);
    let updated =
        service.done(&["update", &id, "--content", "New text.", "--metadata", r#"{"x": null}"#]);
    assert_eq!(updated["memory"]["content"], "New text.", "{updated}");
    assert_eq!(updated["memory"]["tags"], json!(["a", "b"]));
    assert_eq!(updated["memory"]["metadata"], json!({"y": 2}));
    service.done(&["update", &id, "--tags", ""]);
    assert_eq!(service.get(&id)["tags"], json!([]));
    service.refused(&["update", ABSENT, "--content", "x"], 404);
}

#[test]
fn what_is_deleted_is_in_the_trash_until_it_is_restored_or_forgotten() {
    let service = ServiceStand::new();
    let id = service.store("Short-lived.", &[]);
    service.done(&["delete", &id]);
    service.refused(&["get", &id], 404);
    service.refused(&["delete", &id], 404);
    assert_eq!(service.done(&["trash"])["memories"][0]["id"], id.as_str());
    service.done(&["restore", &id]);
    assert_eq!(service.get(&id)["content"], "Short-lived.");
    assert_eq!(service.done(&["delete", &id, "--forget"])["forgotten"], true);
    service.refused(&["restore", &id], 404);
    assert_eq!(service.done(&["trash"])["total"], 0);
    let text = service.run(&["trash"]).expect_code(0);
    assert_eq!((text.stdout.as_str(), text.stderr.as_str()), ("", "the trash is empty\n"));
}

#[test]
fn tags_are_counted_and_delete_what_has_one() {
    let service = ServiceStand::new();
    service.store("One.", &["--tags", "a,b"]);
    service.store("Two.", &["--tags", "b"]);
    service.store("Three.", &["--tags", "c"]);
    let tags = service.done(&["tags"]);
    assert_eq!(tags["tags"][0], json!({"tag": "b", "memories": 2}), "{tags}");
    assert_eq!(service.run(&["tags", "-n", "1"]).expect_code(0).stdout, "b\t2\n");
    assert_eq!(service.done(&["delete", "--tags", "a,b"])["deleted_count"], 2);
    assert_eq!(service.done(&["stats"])["memories"], 1);
}

#[test]
fn memories_are_related() {
    let service = ServiceStand::new();
    let (one, other) = (service.store("The cause.", &[]), service.store("The effect.", &[]));
    let answer = service.done(&[
        "relate",
        &one,
        &other,
        "--type",
        "CONTRADICTS",
        "--strength",
        "0.9",
        "--property",
        "reason=2026",
    ]);
    assert_eq!(
        (&answer["relation_type"], &answer["reason"]),
        (&json!("CONTRADICTS"), &json!("2026"))
    );
    let found = service.done(&["recall", "cause", "--expand"]);
    assert_eq!(found["results"][0]["relations"][0]["strength"], 0.9, "{found}");
    assert_eq!(service.done(&["stats"])["relations"]["CONTRADICTS"], 1);
    let refusal = service.refused(&["relate", &one, &other, "--type", "SIMILAR_TO"], 400);
    assert_eq!(refusal["field"], "type");
    service.refused(&["relate", &one, ABSENT], 404);
}

#[test]
fn history_says_who_did_what_and_undo_takes_it_back() {
    let service = ServiceStand::new();
    let id = service.store("First.", &[]);
    service.done(&["update", &id, "--content", "Second."]);
    let history = service.done(&["history", &id])["history"].clone();
    let actions: Vec<&str> =
        history.as_array().unwrap().iter().map(|it| it["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["stored", "updated"]);
    assert!(history[1]["actor"].as_str().unwrap().starts_with("cli:"), "{history}");
    assert_eq!(history[1]["before"]["content"], "First.");
    assert_eq!(service.done(&["undo", &id])["memory"]["content"], "First.");
    service.done(&["delete", &id]);
    service.run(&["undo", &id]).expect_code(0);
    assert_eq!(service.get(&id)["content"], "First.");
    let text = service.run(&["history", &id]).expect_code(0).stdout;
    assert!(text.lines().next().unwrap().ends_with("\tFirst."), "{text}");
}

#[test]
fn a_long_history_is_shown_as_a_whole() {
    let service = ServiceStand::new();
    let id = |number: u64| format!("11111111-1111-4111-8111-{number:012}");
    let memory = |number| json!({"id": id(number), "content": format!("Text {number}.")});
    let relation = |number| json!({"memory1_id": id(0), "memory2_id": id(number)});
    let lines = (0..60).map(memory).chain((1..60).map(relation));
    let lines: String = lines.map(|line| format!("{line}\n")).collect();
    service.prepare(&["import", "-"]).stdin(lines).run().expect_code(0);
    let history = service.done(&["history", &id(0)]);
    assert_eq!((&history["count"], &history["has_more"]), (&json!(60), &json!(false)));
}

#[test]
fn a_stretch_of_time_leaves_out_what_is_older() {
    let mut service = ServiceStand::new();
    service.store("The old plan.", &[]);
    service.sandbox.advance_days(30);
    let id = service.store("The new plan.", &[]);
    for stretch in [["--since", "7d"], ["--time-query", "last 7 days"], ["--since", "2026-12"]] {
        let found = service.done(&[&["recall", "plan"][..], &stretch].concat());
        assert_eq!(
            (&found["count"], &found["results"][0]["id"]),
            (&json!(1), &json!(id)),
            "{found}"
        );
    }
    let found = service.done(&["recall", "plan", "--until", "2026-11-20", "--sort", "time_desc"]);
    assert_eq!(found["results"][0]["memory"]["content"], "The old plan.", "{found}");
    let wrong = service.run(&["recall", "plan", "--since", "sometime"]).expect_code(2);
    assert!(wrong.stderr.contains("no time for `--since`"), "{wrong:?}");
    service.run(&["recall", "plan", "--sort", "best"]).expect_code(2);
}

#[test]
fn what_does_not_hold_any_more_is_history() {
    let service = ServiceStand::new();
    service.store("The port is 8000.", &["--t-invalid", "2026-01-01"]);
    assert_eq!(service.done(&["recall", "port"])["count"], 0);
    assert_eq!(service.done(&["recall", "port", "--history"])["count"], 1);
}

#[test]
fn a_tenant_sees_its_own_memories_alone() {
    let service = ServiceStand::new();
    let id = service.store("Ours alone.", &["--tenant", "team-a"]);
    assert_eq!(service.done(&["recall", "alone"])["count"], 0);
    service.refused(&["get", &id], 404);
    assert_eq!(service.done(&["recall", "alone", "--tenant", "team-a"])["count"], 1);
    let wrong = service.run(&["stats", "--tenant", "../x"]).expect_code(2);
    assert!(wrong.stderr.contains("a tenant has a name"), "{wrong:?}");
}

#[test]
fn settings_come_from_the_environment_and_data_from_an_option() {
    let service = ServiceStand::new();
    let elsewhere = service.sandbox.root().join("elsewhere").display().to_string();
    service.store("Kept elsewhere.", &["--data", &elsewhere]);
    assert_eq!(service.done(&["stats"])["memories"], 0);
    let stats = service.done(&["stats", "--data", &elsewhere]);
    assert_eq!(stats["memories"], 1);
    assert!(stats["database"].as_str().unwrap().starts_with(&elsewhere), "{stats}");
    let limited =
        service.prepare(&["recall", "kept", "--limit", "9", "--data", &elsewhere, "--json"]);
    let limited = limited.env("RECALL_MAX_LIMIT", "1").run().expect_code(0).json();
    assert_eq!(limited["count"], 1, "{limited}");
}

#[test]
fn a_memory_becomes_a_proposal_of_a_person() {
    let service = ServiceStand::in_project();
    let id = service.store("Errors name the path. Each of them does.", &[]);
    let staged = service.done(&["promote", &id]);
    assert_eq!(staged["status"], "staged", "{staged}");
    assert_eq!(staged["affected_sections"][0]["section_id"], "errors-name-the-path", "{staged}");
    service.sandbox.apply(staged["proposal_id"].as_str().unwrap()).applied();
    let file = service.sandbox.file("conventions.md");
    assert!(file.contains("Each of them does.") && file.contains(&id), "{file}");
    assert_eq!(service.get(&id)["content"], "Errors name the path. Each of them does.");
    service.refused(&["promote", ABSENT], 404);
    let call = service.prepare(&["promote", &id, "--json"]).env("CLAUDECODE", "1").run();
    assert_eq!(call.expect_code(1).json()["reason"], "approval_refused");
}

#[test]
fn tokens_are_added_listed_and_revoked() {
    let service = ServiceStand::new();
    let serve = |arguments: &[&str]| {
        let data = service.data().display().to_string();
        service.sandbox.run(&[&["serve", "token"], arguments, &["--data", &data]].concat())
    };
    let added: Value = serve(&["add", "team-a", "--json"]).expect_code(0).json();
    assert_eq!(added["tenant"], "team-a", "{added}");
    let token = added["token"].as_str().unwrap();
    assert!(token.starts_with("amt_") && token.len() == 52, "{added}");
    let plain = serve(&["add", "team-a"]).expect_code(0);
    assert!(plain.stdout.starts_with("amt_") && plain.stdout.lines().count() == 1, "{plain:?}");
    let list = serve(&["list"]).expect_code(0).stdout;
    assert_eq!(list, "team-a\t2 tokens\n");
    assert_eq!(serve(&["revoke", "team-a", "--json"]).expect_code(0).json()["revoked"], 2);
    let list = serve(&["list", "--json"]).expect_code(0).json();
    assert_eq!(list["tenants"][0]["tokens"], 0, "{list}");
    assert!(!list.to_string().contains(token));
    serve(&["revoke", "absent"]).expect_code(2);
    serve(&["add", "a/b"]).expect_code(2);
}
