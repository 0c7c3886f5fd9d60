//! Files of the store that nobody should have written so, and any question.

use std::sync::LazyLock;
use std::time::Duration;

use agent_memory::contract::{Moment, UTC};
use agent_memory::project::verbs::{
    Answers, GitTime, Kept, Project, Query, Session, Warnings, search,
};
use proptest::prelude::{Strategy, any, prop_oneof, proptest};
use serde_json::{Value, json};

use super::{damaged, text};
use crate::requests::{convention, session};
use crate::support::{ProjectKey, Sandbox};

/// A store with one proposal that waits, and its `proposal.json`.
fn with_proposal() -> (Sandbox, String, String) {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Names", "They are long and plain.")).staged();
    let proposal = sandbox.file(&format!("staging/{id}/proposal.json"));
    (sandbox, id, proposal)
}

/// Many damaged `proposal.json` for one run of the program.
fn damaged_proposals() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let (_, _, good) = with_proposal();
    proptest::collection::vec(damaged(vec![good]), 12..24)
}

proptest! {
    #![proptest_config(super::config(6))]

    #[test]
    fn a_damaged_proposal_is_named_and_hides_no_other(damaged in damaged_proposals()) {
        let (sandbox, id, _) = with_proposal();
        let names: Vec<String> =
            (0..damaged.len()).map(|number| format!("20261120-100001-strange-{number:04x}")).collect();
        for (name, bytes) in names.iter().zip(&damaged) {
            sandbox.write(&format!("staging/{name}/proposal.json"), bytes);
        }
        let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
        let doctor = sandbox.run(&["doctor", "--json"]).json();
        let holds = |value: &Value, text: &str| value.to_string().contains(text);
        assert!(holds(&status["pending"], &id), "{status}");
        for name in &names {
            assert!(holds(&status, name), "{name} is not in {status}");
            let applies = status["pending"].as_array().unwrap().iter().any(|each| {
                each["id"] == json!(name) && each["can_apply"] == json!(true)
            });
            assert!(applies || holds(&doctor["findings"], name), "{name} is not in {doctor}");
        }
        sandbox.apply(&id).applied();
    }

    #[test]
    fn a_damaged_log_keeps_every_line_that_is_whole(
        bytes in proptest::collection::vec(text().prop_map(String::into_bytes), 1..12),
    ) {
        let sandbox = Sandbox::new();
        sandbox.propose(session("Today", "Done.")).applied();
        let whole = sandbox.bytes("state/log.jsonl");
        let junk = [whole.clone(), bytes.join(&b'\n'), b"\n".to_vec(), whole].concat();
        sandbox.write("state/log.jsonl", &junk);
        let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
        assert_eq!(log.to_string().matches("session_log").count(), 2, "{log}");
        sandbox.run(&["doctor", "--json"]).json();
        sandbox.propose(session("Later", "Done too.")).applied();
    }

    #[test]
    fn a_damaged_journal_has_an_answer(bytes in damaged_journal()) {
        let sandbox = Sandbox::new();
        sandbox.write("state/journal", &bytes);
        let reply = sandbox.run(&["status", "--json"]);
        assert!(matches!(reply.code, 0 | 2), "{reply:?}");
        let answer = reply.json();
        assert!(reply.code == 0 || answer["error"]["hint"].is_string(), "{reply:?}");
    }
}

/// Writes a line as the program would: all sandboxes of a run have one key.
fn journal_line(json: &str) -> String {
    static KEY: LazyLock<ProjectKey> = LazyLock::new(|| ProjectKey::of(&Sandbox::new().project()));
    KEY.journal_line(json)
}

fn damaged_journal() -> impl Strategy<Value = Vec<u8>> {
    let record = r#"{"version":1,"verb":"apply","number":99,"boot":"b","steps":[{"step":"append","path":"state/log.jsonl","offset":0,"line":"{}\n"}]}"#;
    let good = vec![record.to_owned(), r#"{"done":99,"boot":"b","at":0}"#.to_owned()];
    // A line is believed for its code, so some of the damage is done before it is signed.
    let believed = damaged(good.clone())
        .prop_map(|bytes| journal_line(&String::from_utf8_lossy(&bytes)).into_bytes());
    let torn = damaged(good.iter().map(|line| journal_line(line)).collect());
    proptest::collection::vec(prop_oneof![believed, torn], 1..6).prop_map(|lines| lines.concat())
}

#[test]
fn a_journal_with_an_endless_name_has_an_answer() {
    let sandbox = Sandbox::new();
    let path = format!("state/log{}.jsonl", "a".repeat(5_000));
    let step = json!({ "step": "append", "path": path, "offset": 0, "line": "x\n" });
    let record =
        json!({ "version": 1, "verb": "apply", "number": 99, "boot": "b", "steps": [step] });
    sandbox.write("state/journal", journal_line(&record.to_string()));
    let answer = sandbox.run(&["status", "--json"]).expect_code(2).json();
    assert!(answer["error"]["hint"].is_string(), "{answer}");
}

#[test]
fn a_planted_journal_writes_nothing_outside_of_the_store() {
    let steps = [
        json!({ "step": "write", "path": "../planted", "before": null, "after": "x" }),
        json!({ "step": "append", "path": "../../planted", "offset": 0, "line": "x\n" }),
        json!({ "step": "move", "from": "config.toml", "to": "../planted" }),
        json!({ "step": "folder", "path": "staging/x", "files": [["../../../planted", "x"]] }),
    ];
    for step in steps {
        let sandbox = Sandbox::new();
        let record =
            json!({ "version": 1, "verb": "apply", "number": 99, "boot": "b", "steps": [step] });
        sandbox.write("state/journal", journal_line(&record.to_string()));
        let before = sandbox.tree();
        let answer = sandbox.run(&["status", "--json"]).expect_code(2).json();
        assert_eq!(answer["error"]["code"], "store_damaged", "{answer}");
        assert_eq!(sandbox.tree(), before, "{step}");
        for place in [sandbox.project(), sandbox.root().to_path_buf()] {
            assert!(!place.join("planted").exists(), "{step}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_planted_journal_follows_no_link() {
    let sandbox = Sandbox::new();
    std::os::unix::fs::symlink(sandbox.root().join("home"), sandbox.store().join("modules"))
        .unwrap();
    let step = json!({ "step": "write", "path": "modules/planted", "before": null, "after": "x" });
    let record =
        json!({ "version": 1, "verb": "apply", "number": 99, "boot": "b", "steps": [step] });
    sandbox.write("state/journal", journal_line(&record.to_string()));
    sandbox.run(&["status", "--json"]).expect_code(2);
    assert!(!sandbox.root().join("home/planted").exists());
}

#[test]
fn any_question_has_an_answer() {
    let sandbox = Sandbox::given(&[(
        "local/shared.md",
        "# Shared\n\n## Rotation\n\nTokens rotate [daily](x) in `auth/refresh.rs`.\n\n## 認証\n\nトークンは毎日更新 e\u{301}.\n",
    )]);
    let session = Session {
        client_project: None,
        tells_root: false,
        folder: sandbox.project(),
        root: None,
        now: Moment::from_unix(1_795_000_000),
        zone: UTC.clone(),
        lock_wait: Duration::ZERO,
        git_time: GitTime::default(),
        kept: Kept::default(),
        warnings: Warnings::default(),
    };
    let project = Project::open(&session).unwrap();
    let ask = |question: &str| {
        let query =
            Query { include_archived: true, ..Query::new(question, session.now, &session.zone) };
        let Answers { found, .. } = search(&project, &query).unwrap();
        for each in &found {
            let holds = |(start, end): &(usize, usize)| each.snippet.get(*start..*end).is_some();
            assert!(each.matches.iter().all(holds), "{question:?}: {each:?}");
        }
        found.len()
    };
    // In a log the section behind is found with it.
    assert_eq!(ask("rotate"), 2);
    let long = ["a ", "\"", "the ", "認", "aB", "x-", "* OR NEAR(", "\u{301}", "\0", "refresh.rs "];
    for piece in long {
        ask(&piece.repeat(1_048_576 / piece.len()));
    }
    proptest!(super::config(100), |(question in prop_oneof![text(), any::<String>()])| {
        ask(&question);
        ask(&format!("rotate {question} 認証"));
    });
}
