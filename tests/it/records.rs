//! Decisions and pitfalls: each has a file of its own, from the first request to its removal.

use serde_json::{Value, json};

use crate::support::Sandbox;

/// The schemas of earlier stores, in which all decisions stood in one file.
const DECISIONS_TOGETHER: (&str, &str) = (
    "paths = [\"decisions/*.md\", \"decisions.md\"]\nnew_path = \"decisions/{id}.md\"",
    "path = \"decisions.md\"",
);
const PITFALLS_TOGETHER: (&str, &str) = (
    "paths = [\"pitfalls/*.md\", \"pitfalls.md\"]\nnew_path = \"pitfalls/{id}.md\"",
    "path = \"pitfalls.md\"",
);

/// Makes a store as earlier versions made it: decisions and pitfalls stand in one file each.
pub(crate) fn with_entries_together() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, title, (new, former)) in [
        ("decisions", "Decisions", DECISIONS_TOGETHER),
        ("pitfalls", "Pitfalls", PITFALLS_TOGETHER),
    ] {
        let path = format!("schemas/{name}.toml");
        let schema = sandbox.file(&path);
        assert!(schema.contains(new), "{schema}");
        sandbox.write(&path, schema.replace(new, former));
        sandbox.write(&format!("{name}.md"), format!("# {title}\n"));
    }
    sandbox
}

pub(crate) fn decision(heading: &str, text: &str) -> Value {
    json!({
        "intent": "record_decision",
        "sources": [{ "type": "file", "ref": "src/auth/refresh.rs" }],
        "operations": [{
            "operation": "append_section", "heading": heading,
            "content": format!("- **Date:** 2026-11-20\n- **Status:** active\n\n{text}"),
        }],
    })
}

fn removal(id: &str) -> Value {
    json!({
        "intent": "record_decision",
        "sources": [{ "type": "user", "ref": "ada" }],
        "operations": [{
            "operation": "remove_section", "section_id": id, "reason": "it never came to be",
        }],
    })
}

fn is_there(sandbox: &Sandbox, path: &str) -> bool {
    sandbox.tree().contains_key(path)
}

const PATH: &str = "decisions/rotate-tokens.md";

fn with_decision() -> Sandbox {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(decision("Rotate tokens", "Each use gives a new pair.")).staged();
    sandbox.apply(&id).applied();
    sandbox
}

#[test]
fn a_new_store_has_no_file_in_which_entries_stand_together() {
    let sandbox = Sandbox::new();
    assert!(!is_there(&sandbox, "decisions.md") && !is_there(&sandbox, "pitfalls.md"));
    assert!(is_there(&sandbox, "conventions.md"));
}

#[test]
fn what_reads_the_store_knows_a_file_of_one_entry() {
    let sandbox = with_decision();
    sandbox.run(&["check"]).expect_code(0);
    let toc = sandbox.run(&["toc"]).expect_code(0).stdout;
    assert!(toc.contains("- Rotate tokens `rotate-tokens`: Each use gives"), "{toc}");
    for command in [["search", "new pair"], ["context", "rotate tokens"]] {
        let shown = sandbox.run(&command).expect_code(0).stdout;
        assert!(shown.contains("decisions/rotate-tokens.md"), "{shown}");
    }
    let blame = sandbox.run(&["blame", "decisions/rotate-tokens.md"]).expect_code(0).stdout;
    assert!(blame.contains("rotate-tokens"), "{blame}");
    sandbox.run(&["fmt-ids", "--check"]).expect_code(0);
    sandbox.run(&["doctor"]).expect_code(0);
}

#[test]
fn an_entry_that_a_person_wrote_gets_the_id_that_its_file_names() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "pitfalls/cold-cache.md",
        "# The cache is cold\n\nText.\n\n## Cold cache\n\nMore.\n",
    );
    sandbox.run(&["fmt-ids"]).expect_code(0);
    let text = sandbox.file("pitfalls/cold-cache.md");
    assert!(text.starts_with("# The cache is cold\n<!-- @id: cold-cache -->\n"), "{text}");
    assert!(text.contains("## Cold cache\n<!-- @id: cold-cache-2 -->\n"), "{text}");
    sandbox.run(&["check"]).expect_code(0);
}

/// Of whatever level the own heading of the entry is sent, it is that of the file, and the others stay below it.
#[test]
fn an_entry_may_be_sent_at_any_level() {
    let fields = "- **Date:** 2026-11-20\n- **Status:** active\n\nEach use gives a new pair.";
    for level in 1..=4 {
        let [own, below] = [level, level + 1].map(|level| "#".repeat(level));
        let whole = format!("{own} Rotate tokens\n\n{fields}\n\n{below} Why\n\nThey leak.");
        let mut section = decision("Rotate tokens", "");
        section["operations"][0]["heading_level"] = level.into();
        let mut bare = section.clone();
        bare["operations"][0]["content"] = fields.into();
        section["operations"][0]["content"] = whole.clone().into();
        let mut file = section.clone();
        file["operations"] =
            json!([{ "operation": "create_file", "path": PATH, "content": whole.clone() }]);
        for (request, has_more) in [(section, true), (bare, false), (file, true)] {
            let sandbox = Sandbox::new();
            sandbox.apply(&sandbox.propose(request).staged()).applied();
            let text = sandbox.file(PATH);
            assert!(text.starts_with("# Rotate tokens\n<!-- @id: rotate-tokens -->"), "{text}");
            assert_eq!(text.matches("Rotate tokens").count(), 1, "{text}");
            assert_eq!(text.contains("\n## Why\n"), has_more, "{level} {text}");
            // The same for a text that replaces the entry.
            let mut anew = decision("", "");
            anew["operations"] = json!([{
                "operation": "replace_section", "section_id": "rotate-tokens",
                "content": whole.replace("leak", "spread"),
            }]);
            sandbox.apply(&sandbox.propose(anew).staged()).applied();
            assert!(sandbox.file(PATH).contains("\n## Why\n"), "{level}");
        }
    }
}

/// A file whose name is another one than the id of its entry.
fn with_renamed_file() -> Sandbox {
    let sandbox = with_decision();
    let text = sandbox.file(PATH);
    std::fs::remove_file(sandbox.store().join(PATH)).unwrap();
    sandbox.write("decisions/old-name.md", text);
    sandbox
}

#[test]
fn a_new_entry_takes_no_id_that_another_file_has() {
    let sandbox = with_renamed_file();
    let before = sandbox.tree();
    let refused =
        sandbox.propose(decision("Rotate tokens", "Never.")).rejected("duplicate_section_id");
    assert!(refused["message"].as_str().unwrap().contains("decisions/old-name.md"), "{refused:?}");
    let file = |path: &str, id: &str| {
        let content = format!(
            "# Another\n<!-- @id: {id} -->\n\n- **Date:** 2026-11-20\n- **Status:** active\n\nText."
        );
        json!({ "operation": "create_file", "path": path, "content": content })
    };
    let mut request = decision("", "");
    for operations in [
        json!([file("decisions/other.md", "rotate-tokens")]),
        json!([file("decisions/one.md", "same"), file("decisions/two.md", "same")]),
    ] {
        request["operations"] = operations;
        sandbox.propose(request.clone()).rejected("duplicate_section_id");
    }
    assert_eq!(sandbox.tree(), before);
    // The same id in the section of an entry is no matter.
    request["operations"] = json!([file("decisions/other.md", "other")]);
    sandbox.apply(&sandbox.propose(request).staged()).applied();
}

#[test]
fn an_id_that_was_taken_since_is_not_given_twice() {
    let sandbox = with_decision();
    let text = sandbox.file(PATH);
    std::fs::remove_file(sandbox.store().join(PATH)).unwrap();
    let id = sandbox.propose(decision("Rotate tokens", "Never.")).staged();
    sandbox.write("decisions/old-name.md", text);
    sandbox.apply(&id).rejected("duplicate_section_id");
    assert!(!is_there(&sandbox, PATH));
}

#[test]
fn two_entries_of_one_id_are_a_finding_and_a_renamed_file_is_none() {
    let sandbox = with_renamed_file();
    sandbox.commit("a file with another name");
    let findings = |arguments: &[&str]| {
        let report = sandbox.run(&[&["check", "--json"], arguments].concat()).json();
        let findings = report["findings"].as_array().unwrap().iter();
        let findings = findings.filter(|it| it["level"] == "error");
        findings.map(|it| format!("{} {}", it["rule"], it["path"]).replace('"', "")).collect()
    };
    let none: Vec<String> = findings(&[]);
    assert_eq!(none, [""; 0]);
    sandbox.write(PATH, sandbox.file("decisions/old-name.md"));
    let expected = ["id-duplicate .agent-memory/decisions/old-name.md"];
    for arguments in [&[][..], &["--base", "HEAD"]] {
        let found: Vec<String> = findings(arguments);
        assert_eq!(found, expected, "{arguments:?}");
    }
    sandbox.write("decisions.md", sandbox.file(PATH).replace("# Rotate", "## Rotate"));
    std::fs::remove_file(sandbox.store().join(PATH)).unwrap();
    let found: Vec<String> = findings(&[]);
    assert_eq!(found, expected);
}

#[test]
fn an_entry_is_found_by_its_id_whatever_its_file_is_called() {
    let sandbox = with_renamed_file();
    let mut request = decision("", "");
    request["operations"] = json!([{
        "operation": "append_to_section", "section_id": "rotate-tokens", "content": "More.",
    }]);
    sandbox.apply(&sandbox.propose(request).staged()).applied();
    assert!(sandbox.file("decisions/old-name.md").contains("More."));
}

#[test]
fn a_second_entry_in_one_file_is_a_finding() {
    let sandbox = with_decision();
    let second =
        "\n# Another\n<!-- @id: another -->\n\n- **Date:** 2026-11-20\n- **Status:** active\n";
    sandbox.write(PATH, sandbox.file(PATH) + second);
    let said = sandbox.run(&["check"]).expect_code(1).stdout;
    assert!(said.contains("holds one entry, and `another` is a second one"), "{said}");
}

#[test]
fn an_entry_that_is_removed_takes_its_file_with_it_and_undo_brings_both_back() {
    let sandbox = with_decision();
    let before = sandbox.file(PATH);
    let id = sandbox.propose(removal("rotate-tokens")).staged();
    assert!(sandbox.run(&["show", &id]).expect_code(0).stdout.contains("-# Rotate tokens"));
    sandbox.apply(&id).applied();
    assert!(!is_there(&sandbox, PATH));
    let archived = sandbox.file("archive/decisions-rotate-tokens-2026-11-20.md");
    assert_eq!(archived, before);
    sandbox.run(&["check"]).expect_code(0);
    let past = sandbox.run(&["log", "-p", "-n", "1"]).expect_code(0).stdout;
    assert!(past.contains("-# Rotate tokens"), "{past}");
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    assert_eq!(sandbox.file(PATH), before);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.apply(&id).applied();
    assert!(!is_there(&sandbox, PATH));
    sandbox.run(&["doctor"]).expect_code(0);
}

#[test]
fn the_removal_of_an_entry_can_be_committed() {
    let sandbox = with_decision();
    sandbox.commit("the decision");
    let id = sandbox.propose(removal("rotate-tokens")).staged();
    sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(0);
    let status = sandbox.git(&["status", "--porcelain", "--", ".agent-memory"]);
    assert_eq!(status.trim(), "");
}

#[test]
fn a_new_entry_is_taken_back_with_its_file() {
    let sandbox = with_decision();
    sandbox.run(&["undo", "--latest", "--approver", "Ada"]).expect_code(0);
    assert!(!is_there(&sandbox, PATH));
}

#[test]
fn a_store_in_which_entries_stand_together_goes_on_as_it_was() {
    let sandbox = with_entries_together();
    let id = sandbox.propose(decision("Rotate tokens", "Each use gives a new pair.")).staged();
    sandbox.apply(&id).applied();
    let text = sandbox.file("decisions.md");
    assert!(text.contains("\n\n## Rotate tokens\n<!-- @id: rotate-tokens -->\n"), "{text}");
    assert!(!is_there(&sandbox, PATH));
    for command in [&["check"][..], &["doctor"], &["toc"], &["search", "pair"], &["context"]] {
        sandbox.run(command).expect_code(0);
    }
    let id = sandbox.propose(removal("rotate-tokens")).staged();
    sandbox.apply(&id).applied();
    assert_eq!(sandbox.file("decisions.md").trim(), "# Decisions");
    sandbox.run(&["init"]).expect_code(0);
    assert!(sandbox.file("schemas/decisions.toml").contains("path = \"decisions.md\""));
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    assert_eq!(sandbox.file("decisions.md"), text);
}

const TOGETHER: &str = "# Decisions\n\n## Old way\n<!-- @id: old-way -->\n<!-- @source: user ada - confirmed 2026-10-20 -->\n\n- **Date:** 2026-10-01\n- **Status:** superseded\n\nSee [the new one](#new-way) and [auth](modules/auth.md).\n\n### Why\n<!-- @id: why -->\n\nIt was quick.\n\n## New way\n<!-- @id: new-way -->\n<!-- @source: user ada - confirmed 2026-10-21 -->\n\n- **Date:** 2026-10-02\n- **Status:** active\n- **Supersedes:** old-way\n\nBetter.\n";

fn split(sandbox: &Sandbox) -> Value {
    sandbox.run(&["doctor", "--split", "--approver", "Ada", "--json"]).expect_code(0).json()
}

#[test]
fn a_split_gives_each_entry_a_file_of_its_own_and_undo_takes_it_back() {
    let sandbox = with_entries_together();
    sandbox.write("decisions.md", TOGETHER);
    let auth = "# Auth\n\n## Tokens\n<!-- @id: tokens -->\n<!-- @source: user ada - confirmed 2026-10-20 -->\n\nAs [decided](../decisions.md#why), [[decisions#new-way]].\n";
    sandbox.write("modules/auth.md", auth);
    let done = split(&sandbox);
    let moved = json!([
        { "from": "decisions.md", "to": "decisions/old-way.md" },
        { "from": "decisions.md", "to": "decisions/new-way.md" },
    ]);
    assert_eq!(done["moved"], moved, "{done}");
    assert_eq!(done["schemas"], json!(["schemas/decisions.toml", "schemas/pitfalls.toml"]));
    assert_eq!(sandbox.file("decisions.md").trim_end(), "# Decisions");
    let expected = "# Old way\n<!-- @id: old-way -->\n<!-- @source: user ada - confirmed 2026-10-20 -->\n\n- **Date:** 2026-10-01\n- **Status:** superseded\n\nSee [the new one](new-way.md#new-way) and [auth](../modules/auth.md).\n\n## Why\n<!-- @id: why -->\n\nIt was quick.\n";
    assert_eq!(sandbox.file("decisions/old-way.md"), expected);
    let now = sandbox.file("modules/auth.md");
    assert!(now.ends_with("As [decided](../decisions/old-way.md#why), [[new-way]].\n"), "{now}");
    sandbox.run(&["check"]).expect_code(0);
    sandbox.run(&["doctor"]).expect_code(0);
    let schema = sandbox.file("schemas/decisions.toml");
    assert!(schema.contains(DECISIONS_TOGETHER.0), "{schema}");
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(
        (&log["decisions"][0]["reason"], &log["decisions"][0]["approver"]),
        (&json!("doctor --split"), &json!("Ada"))
    );
    assert_eq!(split(&sandbox)["moved"], json!([]));
    let id = done["proposal_id"].as_str().unwrap();
    sandbox.run(&["undo", id, "--approver", "Ada"]).expect_code(0);
    assert_eq!(sandbox.file("decisions.md"), TOGETHER);
    assert_eq!(sandbox.file("modules/auth.md"), auth);
    assert!(!is_there(&sandbox, "decisions/old-way.md"));
    sandbox.run(&["check"]).expect_code(0);
}

#[test]
fn a_split_needs_a_person() {
    let sandbox = with_entries_together();
    sandbox.write("decisions.md", TOGETHER);
    let before = sandbox.tree();
    let call = sandbox.call(&["doctor", "--split", "--approver", "Ada", "--json"]);
    call.env("CLAUDECODE", "1").run().answer().rejected("approval_refused");
    assert_eq!(sandbox.file("decisions.md"), TOGETHER);
    assert!(before.keys().all(|path| is_there(&sandbox, path)));
}

#[test]
fn a_split_over_a_file_that_is_there_writes_nothing() {
    let sandbox = Sandbox::given(&[("decisions.md", TOGETHER)]);
    sandbox.write("decisions/new-way.md", "# New way\n<!-- @id: new-way -->\n");
    let before = sandbox.tree();
    let answer = sandbox.run(&["doctor", "--split", "--approver", "Ada", "--json"]).answer();
    answer.rejected("file_exists");
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn blame_follows_an_entry_to_its_own_file() {
    let sandbox = with_entries_together();
    let id = sandbox.propose(decision("Rotate tokens", "Each use gives a new pair.")).staged();
    sandbox.apply(&id).applied();
    sandbox.append("decisions.md", "\n## By hand\n<!-- @id: by-hand -->\n\nText.\n");
    split(&sandbox);
    let blamed = |path: &str| {
        let blame = sandbox.run(&["blame", path, "--json"]).expect_code(0).json();
        blame["sections"][0].clone()
    };
    let section = blamed(PATH);
    assert_eq!((&section["written"], &section["proposal_id"]), (&json!("by_proposal"), &json!(id)));
    assert_eq!(blamed("decisions/by-hand.md")["written"], "by_hand");
    sandbox.write(PATH, sandbox.file(PATH).replace("a new pair", "an old pair"));
    assert_eq!(blamed(PATH)["written"], "edited_since");
}

#[test]
fn a_pending_proposal_about_an_entry_is_not_lost_by_a_split() {
    let sandbox = with_entries_together();
    sandbox.write("decisions.md", TOGETHER);
    let change = json!({
        "intent": "record_decision",
        "sources": [{ "type": "user", "ref": "ada" }],
        "operations": [{
            "operation": "append_to_section", "path": "decisions.md", "section_id": "new-way",
            "content": "It is quicker too.",
        }],
    });
    let id = sandbox.propose(change).staged();
    split(&sandbox);
    sandbox.run(&["check"]).expect_code(0);
    sandbox.apply(&id).applied();
    assert!(sandbox.file("decisions/new-way.md").contains("It is quicker too."));
}
