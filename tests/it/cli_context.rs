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
fn a_session_begins_with_the_state_then_the_latest_entries_then_the_rules() {
    let mut sandbox = with_conventions();
    sandbox.write("decisions.md", DECISIONS);
    sandbox.write("pitfalls.md", "# Pitfalls\n\n## Clocks\n<!-- @id: clocks -->\n\nThey differ.\n");
    sandbox.write("modules/auth.md", "# Auth\n\n## Keys\n<!-- @id: keys -->\n\nTwo of them.\n");
    sandbox.commit("memory");
    sandbox.propose(shared("Freeze", "No release on Fridays.")).applied();
    let mut state = session("Now", "The revocation list is next.");
    state["intent"] = "update_current".into();
    sandbox.propose(state).applied();
    sandbox.propose(session("First", "Rotation works.")).applied();
    sandbox.propose(session("Second", "Revocation is next.")).applied();
    sandbox.advance_days(1);
    sandbox.propose(session("Third", "Revocation works.")).applied();
    let found = included(&pack(&sandbox, &[]));
    assert_eq!(found[..2], ["local/current.main.md#now", "local/shared.md#freeze"]);
    let entries = [
        "sessions/2026-11-21.md#third",
        "sessions/2026-11-20.md#second",
        "sessions/2026-11-20.md#first",
    ];
    assert_eq!(found[2..5], entries);
    assert_eq!(
        found[5..8],
        ["conventions.md#errors", "conventions.md#names", "pitfalls.md#clocks"]
    );
    // What is stale comes behind what is not.
    assert_eq!(found[8..], ["decisions.md#retries", "decisions.md#tokens", "modules/auth.md#keys"]);
}

#[test]
fn no_generated_table_stands_for_what_is_recorded() {
    let sandbox = Sandbox::given(&[("decisions.md", DECISIONS)]);
    let text = sandbox.run(&["context"]).expect_code(0).stdout;
    assert!(text.contains("Access tokens live for 15 minutes."), "{text}");
    assert!(!text.contains("[toc "), "{text}");
}

#[test]
fn what_is_archived_or_superseded_is_not_in_it() {
    let record = |id: &str, body: &str| format!("## {id}\n<!-- @id: {id} -->\n\n{body}\n\n");
    let moved =
        "## moved\n<!-- @id: moved -->\n<!-- @archived: archive/moved.md -->\n\nSee there.\n\n";
    let decisions = format!(
        "# Decisions\n\n{}{}{moved}{}",
        record("old", "- **Status:** superseded\n\nOf 2024."),
        record("older", "- **Status:** active\n\nOf 2023, about `src/auth/refresh.rs`."),
        record("new", "- **Status:** active\n- **Supersedes:** older\n\nOf 2026."),
    );
    let sandbox = Sandbox::given(&[
        ("decisions.md", decisions.as_str()),
        ("archive/gone.md", &format!("# Gone\n\n{}", record("gone", "Of 2020."))),
        ("local/current.main.md", &format!("# Current\n\n{moved}{}", record("now", "Here."))),
    ]);
    for arguments in [&[][..], &["--scope", "src/auth"]] {
        let found = included(&pack(&sandbox, arguments));
        assert_eq!(found, ["local/current.main.md#now", "decisions.md#new"]);
    }
}

#[test]
fn a_long_state_and_many_entries_hide_no_rule() {
    let sandbox = with_conventions();
    let many = |name: &str| -> String {
        let section = |n: usize| {
            format!("## {name} {n}\n<!-- @id: {name}-{n} -->\n\n{}\n\n", "It is so. ".repeat(20))
        };
        (0..60).map(section).collect()
    };
    sandbox.write("local/current.main.md", many("state"));
    sandbox.write("sessions/2026-11-19.md", many("entry"));
    let found = included(&pack(&sandbox, &["--budget", "2000"]));
    assert_eq!(found[0], "local/current.main.md#state-0");
    for id in ["sessions/2026-11-19.md#entry-59", "conventions.md#errors", "conventions.md#names"] {
        assert!(found.iter().any(|it| it == id), "{id}: {found:?}");
    }
    let whole = format!("{}{}", many("state"), "It is so. ".repeat(3_000));
    sandbox.write("sessions/2026-11-20.md", format!("## Long\n<!-- @id: long -->\n\n{whole}"));
    let found = included(&pack(&sandbox, &["--budget", "2000"]));
    assert!(found.iter().any(|it| it == "conventions.md#names"), "{found:?}");
}

#[test]
fn of_a_large_memory_most_files_are_only_named() {
    let sandbox = with_conventions();
    for number in 0..40 {
        let text = format!("## Module {number}\n<!-- @id: m -->\n\n{}\n", "It is so. ".repeat(80));
        sandbox.write(&format!("modules/m{number}.md"), text);
    }
    let pack = pack(&sandbox, &["--budget", "700"]);
    assert_eq!(included(&pack)[..2], ["conventions.md#errors", "conventions.md#names"]);
    let left_out = pack["receipt"]["left_out"].as_array().unwrap();
    assert!(left_out.iter().any(|each| each["path"] == "modules/m39.md"), "{left_out:?}");
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
    assert!(
        text.contains("\nThe memory of this project is empty: nothing is recorded yet.\n"),
        "{text}"
    );
    let asked = sandbox.run(&["context", "tokens"]).expect_code(0).stdout;
    assert!(asked.contains("\nNothing was found.\n</recalled-memory "), "{asked}");
}

#[test]
fn an_empty_answer_says_that_a_proposal_is_pending() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Naming", "Short names.")).staged();
    let said = "is pending and is not part of the memory yet; `agent-memory review`";
    for command in [&["context"][..], &["context", "naming"], &["search", "naming"]] {
        let stderr = sandbox.run(command).expect_code(0).stderr;
        assert_eq!(stderr.matches(said).count(), 1, "{command:?}: {stderr}");
    }
    sandbox.apply(&id).applied();
    let found = sandbox.run(&["context"]).expect_code(0);
    assert!(found.stdout.contains("Short names.") && found.stderr.is_empty(), "{}", found.stderr);
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
fn what_rests_on_other_lines_than_those_of_today_is_marked_and_ranked_down() {
    let sandbox = Sandbox::given(&[("decisions.md", DECISIONS)]);
    sandbox.commit("memory");
    let pack = pack(&sandbox, &["access"]);
    assert_eq!(included(&pack), ["decisions.md#retries", "decisions.md#tokens"]);
    assert_eq!(pack["receipt"]["included"][1]["freshness"], "stale");
    assert!(pack["text"].as_str().unwrap().contains(" stale from file "));
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
    assert_eq!(included(&pack(&sandbox, &["--changed"]))[0], "decisions.md#retries");
    sandbox.git(&["switch", "--quiet", "--create", "work"]);
    sandbox.write_project("src/auth/refresh.rs", "// other\n");
    sandbox.commit("work");
    assert_eq!(included(&pack(&sandbox, &["--changed"]))[0], "decisions.md#tokens");
    assert_eq!(included(&pack(&sandbox, &["--scope", "src/auth/"]))[0], "decisions.md#tokens");
    let both = included(&pack(&sandbox, &["retry", "--scope", "src/auth"]));
    assert_eq!(both, ["decisions.md#retries", "decisions.md#tokens"]);
}

#[test]
fn a_default_branch_of_another_name_is_the_one_that_git_is_set_to() {
    let sandbox = Sandbox::given(&[("decisions.md", DECISIONS)]);
    sandbox.commit("memory");
    sandbox.git(&["branch", "--move", "trunk"]);
    sandbox.git(&["switch", "--quiet", "--create", "work"]);
    sandbox.write_project("src/auth/refresh.rs", "// other\n");
    sandbox.commit("work");
    let said = "which files this branch has changed is not known, only what is not committed";
    let unknown = pack(&sandbox, &["--changed"]);
    assert!(unknown["receipt"]["warnings"][0].as_str().unwrap().starts_with(said), "{unknown}");
    let reply = sandbox.run(&["context", "--changed"]).expect_code(0);
    assert_eq!(reply.stderr.matches(said).count(), 1, "{}", reply.stderr);
    assert!(!sandbox.run(&["context"]).expect_code(0).stderr.contains(said));
    sandbox.git(&["config", "init.defaultBranch", "trunk"]);
    let known = pack(&sandbox, &["--changed"]);
    assert_eq!(known["receipt"]["warnings"], serde_json::json!([]));
    assert_eq!(included(&known)[0], "decisions.md#tokens");
    // A branch that is not there is none.
    sandbox.git(&["config", "init.defaultBranch", "gone"]);
    let unknown = pack(&sandbox, &["--changed"]);
    assert!(unknown["receipt"]["warnings"][0].as_str().unwrap().starts_with(said), "{unknown}");
}

#[test]
fn a_larger_budget_shows_what_a_smaller_one_does() {
    let sandbox = Sandbox::new();
    let mut seed = 7_u64;
    for file in ["conventions.md", "modules/a.md", "pitfalls.md"] {
        let mut text = format!("# {file}\n\n");
        for number in 0..20 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let words = "budget word ".repeat(1 + (seed >> 33) as usize % 120);
            let id = format!("{}-{number}", &file[..1]);
            text += &format!("## Part {id}\n<!-- @id: {id} -->\n\n{words}{id}.\n\n");
        }
        sandbox.write(file, text);
    }
    for question in [&[][..], &["budget", "word"]] {
        let mut before: Vec<String> = Vec::new();
        for budget in (150..6_000).step_by(390) {
            let budget = budget.to_string();
            let pack = pack(&sandbox, &[question, &["--budget", &budget]].concat());
            let now = included(&pack);
            assert!(before.iter().all(|id| now.contains(id)), "{budget}: {before:?} {now:?}");
            let left = pack["receipt"]["left_out"].as_array().unwrap();
            let named: std::collections::BTreeSet<String> =
                left.iter().filter(|it| it["id"].is_string()).map(|it| it.to_string()).collect();
            let ids = left.iter().filter(|it| it["id"].is_string()).count();
            assert_eq!(named.len(), ids, "{left:?}");
            before = now;
        }
        assert!(before.len() > 10, "{before:?}");
    }
}

/// Two decisions on a branch; the work has changed the file of the second.
fn with_work() -> Sandbox {
    let record = |id: &str, title: &str, body: &str| {
        let source =
            format!("<!-- @source: file src/{id}.rs 000000000000 confirmed 2026-11-01 -->");
        format!("## {title}\n<!-- @id: {id} -->\n{source}\n\n{body}\n\n")
    };
    let same = "The budget is three tries, and each one waits twice as long as the one before.";
    let sandbox = Sandbox::given(&[
        ("decisions.md", &format!("# Decisions\n\n{}", record("net", "Retry budget", same))),
        ("pitfalls.md", &format!("# Pitfalls\n\n{}", record("mail", "Mail", "Retry mail once."))),
        ("modules/db.md", &format!("# Db\n\n{}", record("db", "Retry budget", same))),
    ]);
    ["net", "mail", "db"]
        .iter()
        .for_each(|id| sandbox.write_project(&format!("src/{id}.rs"), "// 1\n"));
    sandbox.commit("memory");
    sandbox.git(&["switch", "--quiet", "--create", "work"]);
    sandbox
}

#[test]
fn what_rests_on_files_that_the_work_has_changed_comes_first() {
    let sandbox = with_work();
    let first = |arguments: &[&str]| included(&pack(&sandbox, arguments))[0].clone();
    assert_eq!(first(&[]), "pitfalls.md#mail");
    assert_eq!(first(&["retry", "budget"]), "decisions.md#net");
    sandbox.write_project("src/db.rs", "// 2\n");
    assert_eq!(first(&[]), "modules/db.md#db");
    assert_eq!(first(&["retry", "budget"]), "modules/db.md#db");
    sandbox.commit("committed on the branch");
    assert_eq!(first(&["retry", "budget"]), "modules/db.md#db");
    sandbox.write_project("src/mail.rs", "// 2\n");
    let mail = included(&pack(&sandbox, &["retry", "budget"]));
    assert_eq!(mail, ["modules/db.md#db", "pitfalls.md#mail"]);
    // On the branch that it left, nothing is the work's.
    sandbox.commit("more");
    sandbox.git(&["switch", "--quiet", "main"]);
    assert_eq!(first(&["retry", "budget"]), "decisions.md#net");
}

#[test]
fn a_section_in_scope_is_not_left_out_as_the_same_as_one_outside() {
    let sandbox = with_work();
    let found = |arguments: &[&str]| included(&pack(&sandbox, arguments));
    assert!(!found(&["budget"]).contains(&"modules/db.md#db".to_owned()));
    let scoped = found(&["budget", "--scope", "src/db.rs"]);
    assert!(scoped.contains(&"modules/db.md#db".to_owned()), "{scoped:?}");
    assert!(!scoped.contains(&"decisions.md#net".to_owned()), "{scoped:?}");
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
    assert!(agent_memory::text::tokens(&text) <= 500, "{text}");
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

#[test]
fn a_budget_that_is_no_number_is_told_what_is_allowed() {
    let sandbox = Sandbox::new();
    for budget in ["abc", "-1", "4k"] {
        let said = sandbox.run(&["context", "--budget", budget]).expect_code(2).stderr;
        assert!(said.contains("allowed are whole numbers of tokens, e.g. 4000"), "{said}");
    }
}
