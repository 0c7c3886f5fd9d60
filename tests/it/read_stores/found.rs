//! Sections of other stores in answers.

use serde_json::{Value, json};

use super::stage::{paths, record, results, with_handbook, write_beside};
use crate::mcp::{Client, Era};
use crate::support::Sandbox;

const LEDGER: &str = "handbook:decisions/ledger.md";

#[test]
fn sections_of_another_store_are_found_listed_shown_and_packed_under_its_name() {
    let sandbox = with_handbook(&[]);
    let found = results(&sandbox, &["who holds the ledger"]);
    assert_eq!(paths(&found), [LEDGER]);
    let first = &found[0];
    assert_eq!((&first["id"], &first["read_only"]), (&json!("ledger"), &json!(true)), "{first}");
    assert_eq!((&first["category"], &first["line"]), (&json!("decisions"), &json!(1)), "{first}");
    // A file that it cites is one of its own repository, and not the one of this name here.
    assert_eq!((&first["confidence"], &first["freshness"]), (&json!("confirmed"), &Value::Null));
    for words in [
        &["search", "ledger"][..],
        &["ls"],
        &["ls", "handbook:"],
        &["ls", "handbook:decisions"],
        &["ls", "--category", "decisions"],
        &["search", "--file", "handbook:decisions/*", "ledger"],
        &["context"],
        &["context", "who holds the ledger"],
        &["show", &format!("{LEDGER}#ledger")],
        &["show", "handbook@0123abc:decisions/ledger.md:3"],
    ] {
        let said = sandbox.run(words).expect_code(0).stdout;
        assert!(said.contains(LEDGER), "{words:?}: {said}");
    }
    let listed = sandbox.run(&["ls", "--json"]).expect_code(0).json();
    assert_eq!(listed["sections"][0]["read_only"], true, "{listed}");
    let none = results(&sandbox, &["--file", "decisions", "ledger"]);
    assert_eq!(paths(&none), Vec::<&str>::new());
    let said = sandbox.run(&["search", "--file", "handbook:modules/*", "ledger"]).expect_code(0);
    assert!(said.stderr.contains("no file of the store fits `handbook:modules/*`"), "{said:?}");
}

#[test]
fn in_a_repository_of_its_own_a_store_is_named_with_its_commit() {
    let sandbox = with_handbook(&[]);
    let git = |words: &[&str]| sandbox.git(&[&["-C", "../handbook"], words].concat());
    git(&["init", "--quiet", "--template="]);
    let found = results(&sandbox, &["ledger"]);
    assert_eq!(paths(&found), [LEDGER], "it has no commit yet");
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "all"]);
    let commit = git(&["rev-parse", "HEAD"]);
    let labelled = format!("handbook@{}:decisions/ledger.md", &commit[..7]);
    for words in [&["search", "ledger"][..], &["ls"], &["context"], &["show", LEDGER]] {
        let said = sandbox.run(words).expect_code(0).stdout;
        assert!(said.contains(&labelled), "{words:?}: {said}");
    }
}

#[test]
fn an_agent_gets_them_inside_a_fence() {
    let sandbox = with_handbook(&[]);
    let mut client = Client::start(&sandbox, Era::Stateless);
    for (tool, arguments) in [
        ("memory_get", json!({"path": LEDGER, "section_id": "ledger"})),
        ("memory_get", json!({"path": format!("{LEDGER}#ledger")})),
        ("memory_search", json!({"query": "ledger"})),
        ("memory_context", json!({"query": "ledger"})),
        ("memory_context", json!({})),
    ] {
        let result = client.call(tool, arguments);
        let text = result["content"][0]["text"].as_str().unwrap();
        let (_, inside) = text.split_once("<recalled-memory").expect("a fence");
        assert!(inside.contains(&format!("[{LEDGER}#ledger ")), "{tool}: {text}");
        assert!(inside.contains("Postgres holds the ledger"), "{tool}: {text}");
    }
}

#[test]
fn no_answer_of_another_store_comes_before_an_equal_one_of_ours() {
    let text = record("carts", "Redis holds the carts.");
    // By its path alone that of the handbook would be found first.
    let sandbox = with_handbook(&[("a/carts-redis.md", text.as_str())]);
    sandbox.write("zz.md", &text);
    for more in [&[][..], &["-n", "1"], &["--sort", "time"]] {
        let found = results(&sandbox, &[more, &["redis carts"]].concat());
        assert_eq!(found[0]["path"], "zz.md", "{more:?}");
        let said = found[0]["duplicates"].to_string();
        assert!(said.contains("handbook:a/carts-redis.md:1"), "{said}");
    }
    let pack = sandbox.run(&["context", "redis carts", "--json"]).expect_code(0).json();
    let left_out = pack["receipt"]["left_out"].to_string();
    assert!(!left_out.contains("zz.md"), "{left_out}");
    // Of two that are as good as one another, and say different things, ours comes first.
    let plain = "# Carts\n<!-- @id: carts -->\n\nRedis holds the carts.\n";
    let sandbox = with_handbook(&[("a/carts-redis.md", plain)]);
    sandbox.write("a/carts-redis.md", plain.replace("Redis holds", "Redis keeps"));
    let found = results(&sandbox, &["redis carts"]);
    assert_eq!(found[0]["score"], found[1]["score"]);
    assert_eq!(paths(&found), ["a/carts-redis.md", "handbook:a/carts-redis.md"]);
}

#[test]
fn what_another_store_calls_superseded_is_its_own() {
    let old = record("old", "Old carts are red.");
    let new = record("new", "New carts are blue.")
        .replace("active", "active\n- **Supersedes:** old, ours, decisions/ours.md");
    let sandbox = with_handbook(&[("decisions/old.md", &old), ("decisions/new.md", &new)]);
    sandbox.write("decisions/ours.md", record("ours", "Our carts are green."));
    sandbox.write("decisions/new.md", record("new", "No word of them."));
    let found = results(&sandbox, &["carts"]);
    let of = |path: &str| found.iter().find(|it| it["path"] == path).unwrap();
    assert_eq!(of("decisions/ours.md")["outdated"], Value::Null);
    let old = of("handbook:decisions/old.md");
    assert_eq!(old["superseded_by"], "handbook:decisions/new.md#new", "{old}");
    let all = paths(&found);
    let at = |path: &str| all.iter().position(|it| *it == path).unwrap();
    assert!(at("handbook:decisions/new.md") < at("handbook:decisions/old.md"), "{all:?}");
    // Nor do we supersede what only has the same id.
    sandbox.append("decisions/ours.md", "\nSupersedes: new\n");
    let found = results(&sandbox, &["blue carts"]);
    assert_eq!(found[0]["path"], "handbook:decisions/new.md", "{found:?}");
    assert_eq!(found[0]["outdated"], Value::Null);
}

#[test]
fn other_stores_get_a_third_of_a_pack_at_most() {
    let long = "The handbook says a lot about the ledger, over and over. ".repeat(12);
    let texts: Vec<(String, String)> = (0..40)
        .map(|at| {
            (format!("modules/m{at}.md"), record(&format!("m{at}"), &format!("{at}: {long}")))
        })
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let sandbox = with_handbook(&files);
    for at in 0..20 {
        let text = record(&format!("own{at}"), &format!("{at}: our shop has a ledger. {long}"));
        sandbox.write(&format!("modules/own{at}.md"), text);
    }
    for words in [&[][..], &["ledger"], &["--budget", "1500"]] {
        let pack = sandbox.run(&[&["context", "--json"], words].concat()).expect_code(0).json();
        let sum = |is_wanted: &dyn Fn(&str) -> bool| -> u64 {
            let all = pack["receipt"]["included"].as_array().unwrap().iter();
            let wanted = all.filter(|it| is_wanted(it["path"].as_str().unwrap()));
            wanted.map(|it| it["tokens"].as_u64().unwrap()).sum()
        };
        let (others, ours) = (sum(&|path| path.contains(':')), sum(&|path| !path.contains(':')));
        let budget = pack["receipt"]["budget"].as_u64().unwrap();
        assert!(
            others <= budget / 3 && ours > others,
            "{words:?}: {others} and {ours} of {budget}"
        );
    }
    let pack = sandbox.run(&["context", "ledger", "--json"]).expect_code(0).stdout;
    assert!(pack.contains("handbook:modules/"), "some of it has room");
}

#[test]
fn no_operation_and_no_command_changes_another_store() {
    let sandbox = with_handbook(&[]);
    let before = sandbox.bytes("../../handbook/.agent-memory/decisions/ledger.md");
    for path in [LEDGER, "handbook@0123abc:decisions/ledger.md", "handbook:decisions/new.md"] {
        for operation in [
            json!({"operation": "replace_section_content", "section_id": "ledger", "content": "x"}),
            json!({"operation": "append_section", "heading": "New", "content": "x"}),
            json!({"operation": "create_file", "content": "# New\n"}),
            json!({"operation": "remove_section", "section_id": "ledger", "reason": "x"}),
        ] {
            let mut operation = operation;
            operation["path"] = path.into();
            let request = json!({"intent": "record_decision", "operations": [operation]});
            let answer = sandbox.propose(request).rejected("invalid_path");
            let said = answer.value.to_string();
            assert!(said.contains("is in another store, which is only read"), "{said}");
        }
    }
    let section = format!("{LEDGER}#ledger");
    for words in [
        &["blame", &section][..],
        &["cite", &section, "src/auth/refresh.rs:1-4", "--approver", "Ada"],
        &["confirm", &section, "--approver", "Ada"],
    ] {
        let said = sandbox.run(words).expect_code(1).stderr;
        assert!(said.contains("is in another store, which is only read"), "{words:?}: {said}");
    }
    assert_eq!(sandbox.bytes("../../handbook/.agent-memory/decisions/ledger.md"), before);
    assert_eq!(sandbox.run(&["check"]).expect_code(0).stdout.lines().count(), 1);
}

#[test]
fn an_id_that_ours_has_too_is_ours() {
    let sandbox = with_handbook(&[]);
    sandbox.write("decisions/ledger.md", record("ledger", "Ours is on paper."));
    let said = sandbox.run(&["show", "ledger"]).expect_code(0).stdout;
    assert!(said.contains("on paper") && !said.contains("Postgres"), "{said}");
}

#[test]
fn a_changed_file_is_found_as_it_is() {
    let sandbox = with_handbook(&[]);
    results(&sandbox, &["ledger"]);
    let text = record("ledger", "A spreadsheet holds the ledger.");
    write_beside(&sandbox, "handbook", &[("decisions/ledger.md", text.as_str())]);
    let said = results(&sandbox, &["ledger"]).remove(0).to_string();
    assert!(said.contains("spreadsheet"), "{said}");
    let plain = Sandbox::new();
    assert_eq!(results(&plain, &["ledger"]), Vec::<Value>::new());
}
