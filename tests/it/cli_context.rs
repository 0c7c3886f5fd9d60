//! `context`: what an agent reads before it works.

use serde_json::Value;

use crate::requests::{convention, session, shared, with_conventions};
use crate::support::{Sandbox, replace_placeholders};

const DECISIONS: &str = "# Decisions\n\n## Short-lived tokens\n<!-- @id: tokens -->\n<!-- @source: file src/auth/refresh.rs 000000000000 confirmed 2026-11-01 -->\n\nAccess tokens live for 15 minutes.\n\n## Retry budget\n<!-- @id: retries -->\n\nWe never retry access more than twice.\n";

fn pack(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    sandbox.run(&[&["context", "--json"], arguments].concat()).expect_code(0).json()
}

/// The sections of a pack as `path#id`, in order.
fn included(pack: &Value) -> Vec<String> {
    let sections = pack["receipt"]["included"].as_array().unwrap();
    let name = |each: &Value| {
        let id = each["id"].as_str().map(|id| format!("#{id}")).unwrap_or_default();
        format!("{}{id}", each["path"].as_str().unwrap())
    };
    sections.iter().map(name).collect()
}

#[test]
fn without_a_question_it_is_the_state_of_the_work_the_conventions_and_the_contents() {
    let sandbox = with_conventions();
    sandbox.propose(shared("Freeze", "No release on Fridays.")).applied();
    let mut state = session("Now", "The revocation list is next.");
    state["intent"] = "update_current".into();
    sandbox.propose(state).applied();
    let found = included(&pack(&sandbox, &[]));
    assert_eq!(found[..2], ["local/current.main.md#now", "local/shared.md#freeze"]);
    assert_eq!(found[2..4], ["conventions.md#errors", "conventions.md#names"]);
    assert!(found[4..].iter().all(|path| path == "toc"), "{found:?}");
}

#[test]
fn the_contents_name_every_file_that_has_sections() {
    let sandbox = with_conventions();
    sandbox.write("decisions.md", DECISIONS);
    sandbox.write("pitfalls.md", "# Pitfalls\n\n## Clocks\n<!-- @id: clocks -->\n\nThey differ.\n");
    let text = sandbox.run(&["context"]).expect_code(0).stdout;
    let contents = text.split_once("[toc ").expect("the contents").1;
    for line in ["conventions.md", "decisions.md", "pitfalls.md"] {
        assert!(contents.contains(&format!("\n## {line}\n")), "{text}");
    }
    for id in ["`errors`", "`names`", "`tokens`", "`retries`", "`clocks`"] {
        assert!(contents.contains(id), "{text}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_not_left_out_in_silence() {
    let sandbox = with_conventions();
    sandbox.write("conventions.md", b"# Conventions\n\n## K\n\xff\n");
    let said = pack(&sandbox, &[])["receipt"]["warnings"].to_string();
    assert_eq!(said.matches("`conventions.md` is left out: ").count(), 1, "{said}");
    let toc = sandbox.run(&["toc"]).expect_code(0);
    assert!(toc.stderr.contains("`conventions.md` is left out: "), "{}", toc.stderr);
}

#[test]
fn an_empty_store_says_so() {
    let sandbox = Sandbox::new();
    let text = sandbox.run(&["context"]).expect_code(0).stdout;
    assert!(text.starts_with("<recalled-memory "), "{text}");
    assert!(text.contains("\nNothing was found.\n</recalled-memory "), "{text}");
}

#[test]
fn a_question_brings_the_sections_that_answer_it_with_their_hashes() {
    let sandbox = Sandbox::given(&[("decisions.md", DECISIONS)]);
    let pack = pack(&sandbox, &["how", "often", "do", "we", "retry"]);
    assert_eq!(included(&pack), ["decisions.md#retries"]);
    let shown = sandbox.run(&["show", "decisions.md#retries", "--json"]).json();
    assert_eq!(pack["receipt"]["included"][0]["hash"], shown["sections"][0]["hash"]);
    assert!(pack["text"].as_str().unwrap().contains("more than twice"));
}

#[test]
fn what_rests_on_a_file_that_changed_is_marked_and_ranked_down() {
    let sandbox = Sandbox::given(&[("decisions.md", DECISIONS)]);
    let pack = pack(&sandbox, &["access"]);
    assert_eq!(included(&pack), ["decisions.md#retries", "decisions.md#tokens"]);
    assert_eq!(pack["receipt"]["included"][1]["freshness"], "stale");
    assert!(pack["text"].as_str().unwrap().contains(" stale]\n"));
}

#[test]
fn archived_sections_are_marked_and_come_last() {
    let old = "# Old\n\n## Retries\n<!-- @id: old -->\n\nWe retry access for a whole day.\n";
    let sandbox = Sandbox::given(&[("decisions.md", DECISIONS), ("archive/old.md", old)]);
    let pack = pack(&sandbox, &["retry", "access"]);
    assert_eq!(included(&pack)[..2], ["decisions.md#retries", "archive/old.md#old"]);
    assert!(pack["text"].as_str().unwrap().contains(" archived]\n"));
}

#[test]
fn the_same_memory_and_the_same_question_give_the_same_bytes() {
    let sandbox = Sandbox::given(&[("decisions.md", DECISIONS)]);
    sandbox.run(&["reindex"]).expect_code(0);
    for arguments in [&["context"][..], &["context", "tokens"], &["context", "--changed"]] {
        let first = sandbox.run(arguments).expect_code(0).stdout;
        std::fs::remove_file(sandbox.store().join("state/index.sqlite")).unwrap();
        assert_eq!(sandbox.run(arguments).stdout, first, "{arguments:?}");
    }
}

#[test]
fn a_section_with_a_secret_is_left_out_and_that_is_said() {
    let sandbox = with_conventions();
    let secret = replace_placeholders("\n## Keys\n<!-- @id: keys -->\n\nUse {{AWS_KEY}} for it.\n");
    sandbox.append("conventions.md", &secret);
    let bootstrap = sandbox.run(&["context"]).expect_code(0).stdout;
    assert!(bootstrap.contains("left out: conventions.md (secret)"), "{bootstrap}");
    let asked = sandbox.run(&["context", "--json", "keys", "path"]).expect_code(0);
    assert!(asked.stdout.contains("left out, as it holds"), "{}", asked.stdout);
    for said in [bootstrap, asked.stdout, asked.stderr] {
        assert!(!said.contains(&replace_placeholders("{{AWS_KEY}}")), "{said}");
    }
}

#[test]
fn what_concerns_the_changed_files_is_added() {
    let sandbox = Sandbox::given(&[("decisions.md", DECISIONS)]);
    sandbox.commit("memory");
    assert!(!included(&pack(&sandbox, &["--changed"])).contains(&"decisions.md#tokens".to_owned()));
    sandbox.git(&["switch", "--quiet", "--create", "work"]);
    sandbox.write_project("src/auth/refresh.rs", "// other\n");
    sandbox.commit("work");
    assert_eq!(included(&pack(&sandbox, &["--changed"]))[0], "decisions.md#tokens");
    assert_eq!(included(&pack(&sandbox, &["--scope", "src/auth/"]))[0], "decisions.md#tokens");
    let both = included(&pack(&sandbox, &["retry", "--scope", "src/auth"]));
    assert_eq!(both, ["decisions.md#retries", "decisions.md#tokens"]);
}

#[test]
fn a_file_that_git_does_not_know_yet_is_a_changed_one() {
    let sandbox =
        Sandbox::given(&[("pitfalls.md", "# P\n\n## A\n<!-- @id: a -->\n\nSee `net/dial.rs`.\n")]);
    sandbox.write_project("src/net/dial.rs", "// new\n");
    assert_eq!(included(&pack(&sandbox, &["--changed"]))[0], "pitfalls.md#a");
}

#[cfg(target_os = "linux")]
#[test]
fn a_changed_file_with_a_name_in_no_utf8_hides_no_other() {
    use std::os::unix::ffi::OsStrExt;

    let sandbox =
        Sandbox::given(&[("pitfalls.md", "# P\n\n## A\n<!-- @id: a -->\n\nSee `net/dial.rs`.\n")]);
    sandbox.write_project("src/net/dial.rs", "// new\n");
    let odd = std::ffi::OsStr::from_bytes(b"src/net/\xff.rs");
    std::fs::write(sandbox.project().join(odd), "// new\n").unwrap();
    assert_eq!(included(&pack(&sandbox, &["--changed"]))[0], "pitfalls.md#a");
}

#[test]
fn the_budget_holds_for_the_whole_text() {
    let sandbox = Sandbox::new();
    for number in 0..12 {
        let heading = format!("Rule {number}");
        let request = convention(&heading, &format!("Rule {number} says: {}.", "word ".repeat(40)));
        sandbox.apply(&sandbox.propose(request).staged()).applied();
    }
    let text = sandbox.run(&["context", "--budget", "500"]).expect_code(0).stdout;
    assert!(text.chars().count() <= 2_000, "{text}");
    assert!(text.contains("(budget)"), "{text}");
}

#[test]
fn a_scope_that_leads_nowhere_is_said() {
    let sandbox = with_conventions();
    let reply = sandbox.run(&["context", "--scope", "nope", "--scope", "src/auth"]).expect_code(0);
    assert!(reply.stderr.contains("no such file or folder: `nope`;"), "{}", reply.stderr);
    let pack = pack(&sandbox, &["--scope", "src/auth/refresh.rs"]);
    assert_eq!(pack["receipt"]["warnings"], serde_json::json!([]));
}

#[test]
fn no_store_is_an_error() {
    let sandbox = Sandbox::without_store();
    let error = sandbox.run(&["context", "--json"]).expect_code(2).json();
    assert_eq!(error["error"]["code"], "store_not_found");
}
