//! Files of the store that nobody should have written so, and any question.

use std::sync::LazyLock;

use agent_memory::contract::{Moment, UTC};
use agent_memory::project::verbs::{self, LogQuery, Project, Query};

use crate::stage::Stage;

static STAGE: LazyLock<Stage> = LazyLock::new(Stage::new);

/// A proposal that waits and stays readable, whatever lies beside it.
const WAITING: &str = r#"{"version":1,"submitted_at":"2026-11-17T00:00:00Z","day":"2026-11-17","order":1,"expires_at":"2027-11-17T00:00:00Z","branch":"main","question":"x","touched":[],"sources":[],"request":{"intent":"update_shared","operations":[{"operation":"append_section","heading":"A","content":"b"}]}}"#;

/// Puts the bytes in the place of a staged `proposal.json`: the proposal beside it is still there, and
/// the damaged one is named or shown.
pub fn proposal(bytes: &[u8]) {
    STAGE.put("staging/20261117-000000-waiting-0001/proposal.json", WAITING.as_bytes());
    STAGE.put("staging/20261117-000001-strange-0002/proposal.json", bytes);
    let project = STAGE.open().expect("a damaged proposal keeps nobody from working");
    let status = verbs::status(&project).expect("a damaged proposal keeps nobody from looking");
    let known = |part: &str| status.pending.iter().any(|each| each.id.contains(part));
    let damaged = status.health.warnings.iter().any(|each| each.contains("strange"));
    assert!(known("waiting") && (known("strange") != damaged), "{status:?}");
    verbs::show_pending(&project).expect("what waits can be shown");
}

/// Puts each line, signed so that it is believed, in the place of the log.
pub fn log(bytes: &[u8]) {
    let mut log = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        match line.strip_suffix(b"}") {
            Some(open) => {
                let code = STAGE.sign("log", line);
                log.extend_from_slice(open);
                log.extend_from_slice(format!(",\"mac\":\"{code}\"}}").as_bytes());
            }
            None => log.extend_from_slice(line),
        }
        log.push(b'\n');
    }
    STAGE.put("state/log.jsonl", &log);
    let project = STAGE.open().expect("a damaged log keeps nobody from working");
    let query = LogQuery { limit: 100, ..LogQuery::default() };
    let entries = verbs::log(&project, &query).expect("a damaged log can be read");
    verbs::past_diffs(&project, &entries).expect("a damaged log can be looked into");
    verbs::decisions_about(&project, "20261117").expect("a damaged log can be searched");
}

/// Puts each line, with the code that it needs to be believed, in the place of the journal: whatever
/// recovery makes of it, nothing appears outside of the store.
pub fn journal(bytes: &[u8]) {
    STAGE.reset();
    let mut journal = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        // A line that begins with a blank stands as it is: torn, or of another program.
        if line.first() != Some(&b' ') {
            journal.extend_from_slice(STAGE.sign("journal", line).as_bytes());
            journal.push(b' ');
        }
        journal.extend_from_slice(line);
        journal.push(b'\n');
    }
    STAGE.put("state/journal", &journal);
    let again = |_| STAGE.open();
    drop(STAGE.open().and_then(again));
    STAGE.nothing_leaked();
}

/// Files that a commit may bring into `state/`.
const STATE: [&str; 9] = [
    "journal",
    "log.jsonl",
    "log.end",
    "undo.jsonl",
    "id",
    "index.sqlite",
    "reminded",
    "trash/foreign-20261117-000000/log.jsonl",
    "trash/20261117-000000-waiting-0001/proposal.json",
];

/// Puts the bytes behind the first, unsigned, in the place of a file of `state/`, which the first one chooses: no reader
/// believes or carries out anything of it, and a writer goes on.
pub fn state(bytes: &[u8]) {
    let Some((which, bytes)) = bytes.split_first() else { return };
    STAGE.reset();
    STAGE.put(&format!("state/{}", STATE[usize::from(*which) % STATE.len()]), bytes);
    let before = STAGE.memory();
    let project = STAGE.open().expect("foreign state keeps nobody from working");
    verbs::status(&project).expect("foreign state keeps nobody from looking");
    let query = LogQuery { limit: 100, ..LogQuery::default() };
    assert!(verbs::log(&project, &query).expect("the log can be read").is_empty());
    let question = Query::new("token", Moment::from_unix(1_795_000_000), &UTC);
    assert!(verbs::search(&project, &question).expect("it answers").found.is_empty());
    assert_eq!(STAGE.memory(), before);
    let request = br#"{"intent":"update_shared","operations":[{"operation":"append_section","heading":"A","content":"b"}]}"#;
    verbs::propose(&project, request.to_vec()).expect("foreign state keeps nobody from writing");
    STAGE.nothing_leaked();
}

static REPOSITORY: LazyLock<Stage> = LazyLock::new(Stage::in_git);

/// Puts the bytes in the place of git's settings: every command answers, writes nothing that it does not write elsewhere,
/// and runs no program that would leave a file.
pub fn git_config(bytes: &[u8]) {
    REPOSITORY.reset();
    REPOSITORY.configure(bytes);
    let before = REPOSITORY.memory();
    let Ok(project) = REPOSITORY.open() else { return };
    let _ = verbs::status(&project);
    let _ = verbs::blame(&project, "conventions.md", None);
    let task = verbs::Task {
        question: None,
        budget: verbs::DEFAULT_BUDGET,
        before: "",
        scope: &[],
        changed: true,
        all_branches: true,
    };
    let _ = verbs::context(&project, &task);
    assert_eq!(REPOSITORY.memory(), before);
    REPOSITORY.nothing_leaked();
}

/// Asks a question.
pub fn query(bytes: &[u8]) {
    thread_local! {
        static WORKSPACE: Project = {
            let memory = "# Shared\n\n## Token rotation\n\nTokens rotate daily: `auth/refresh.rs`.\n\n## 認証\n\nトークンは毎日更新。\n";
            STAGE.put("local/shared.md", memory.as_bytes());
            STAGE.open().expect("a store")
        };
    }
    let Some(text) = crate::text(bytes) else { return };
    let query = Query {
        include_archived: text.len() % 2 == 0,
        ..Query::new(text, Moment::from_unix(1_795_000_000), &UTC)
    };
    let answers = WORKSPACE.with(|project| verbs::search(project, &query));
    let found = answers.expect("any text is a question").found;
    for each in found {
        for (start, end) in each.matches {
            assert!(each.snippet.get(start..end).is_some(), "{:?}", each.snippet);
        }
    }
}
