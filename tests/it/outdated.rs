//! What does not hold any more never leads: in `search`, in `context`, and over MCP.

use serde_json::Value;

use crate::support::Sandbox;

fn record(id: &str, fields: &str, text: &str) -> String {
    format!(
        "# About {id}\n<!-- @id: {id} -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n- **Date:** 2026-11-01\n{fields}\n\n{text}\n"
    )
}

const CARTS_IN_MONGO: &str =
    "Mongo keeps the carts, the carts of all shops, as carts change often.";
const CARTS_IN_POSTGRES: &str = "Postgres keeps the carts.";

/// A store with an older and a newer decision about the carts, in files of their own.
fn carts(older: &str, newer: &str) -> Sandbox {
    Sandbox::given(&[
        ("decisions/mongo.md", &record("mongo", older, CARTS_IN_MONGO)),
        ("decisions/postgres.md", &record("postgres", newer, CARTS_IN_POSTGRES)),
        ("pitfalls/colour.md", &record("colour", "- **Status:** active", "Carts are blue.")),
    ])
}

fn results(sandbox: &Sandbox, words: &[&str]) -> Vec<Value> {
    let answer = sandbox.run(&[&["search", "--json"], words].concat()).expect_code(0).json();
    answer["results"].as_array().unwrap().clone()
}

fn ids(results: &[Value]) -> Vec<&str> {
    results.iter().map(|it| it["id"].as_str().unwrap_or_default()).collect()
}

const ACTIVE: &str = "- **Status:** active";

const WAYS: [(&str, &str); 5] = [
    ("- **Status:** superseded by `postgres`", ACTIVE),
    ("- **Status:** superseded by [the other](postgres.md)", ACTIVE),
    ("- **Status:** active\n- **Superseded by:** decisions/postgres.md#postgres", ACTIVE),
    (ACTIVE, "- **Status:** active\n- **Supersedes:** mongo"),
    (ACTIVE, "- **Status:** active\n- **Supersedes:** decisions/mongo.md#mongo"),
];

#[test]
fn an_answer_that_was_superseded_stands_below_its_successor_and_names_it() {
    for (older, newer) in WAYS {
        let sandbox = carts(older, newer);
        for question in [&["carts"][..], &["mongo carts"], &["mongo", "carts", "shops"]] {
            let found = results(&sandbox, question);
            let at = |id: &str| ids(&found).iter().position(|it| *it == id).unwrap();
            assert_eq!(at("postgres") + 1, at("mongo"), "{older} {newer} {question:?}");
            let old = &found[at("mongo")];
            assert_eq!(old["outdated"], "superseded", "{old}");
            assert_eq!(old["superseded_by"], "decisions/postgres.md#postgres", "{old}");
            assert_eq!(found[at("postgres")]["outdated"], Value::Null);
        }
        let said = sandbox.run(&["search", "mongo carts"]).expect_code(0).stdout;
        assert!(said.contains("superseded by decisions/postgres.md#postgres"), "{said}");
    }
}

#[test]
fn the_successor_comes_first_even_where_it_holds_no_word_of_the_question() {
    let sandbox = carts("- **Status:** superseded by `postgres`", ACTIVE);
    assert_eq!(ids(&results(&sandbox, &["mongo"])), ["postgres", "mongo"]);
    assert_eq!(ids(&results(&sandbox, &["mongo", "--limit", "1"])), ["postgres"]);
    assert_eq!(ids(&results(&sandbox, &["mongo", "--limit", "1", "--offset", "1"])), ["mongo"]);
    // What a question is narrowed to holds for the successor too.
    let narrowed = results(&sandbox, &["mongo", "--file", "decisions/mongo.md"]);
    assert_eq!(ids(&narrowed), ["mongo"]);
    assert_eq!(narrowed[0]["superseded_by"], "decisions/postgres.md#postgres");
}

#[test]
fn a_chain_of_decisions_leads_to_its_end_and_a_circle_ends() {
    let sandbox = carts("- **Status:** superseded by `postgres`", ACTIVE);
    let third = record("sqlite", "- **Status:** active\n- **Supersedes:** postgres", "One file.");
    sandbox.write("decisions/sqlite.md", third);
    assert_eq!(ids(&results(&sandbox, &["mongo"])), ["sqlite", "mongo"]);
    assert_eq!(results(&sandbox, &["mongo"])[1]["superseded_by"], "decisions/sqlite.md#sqlite");
    let circle = record("sqlite", "- **Status:** superseded by `mongo`", "One file.");
    sandbox.write("decisions/sqlite.md", circle.replace("active", "superseded by `mongo`"));
    let found = results(&sandbox, &["mongo"]);
    assert!(ids(&found).contains(&"mongo"), "{found:?}");
}

#[test]
fn a_part_of_what_was_superseded_is_marked_too() {
    let text = format!("{CARTS_IN_MONGO}\n\n## Why\n\nSharding is easy with unicorns.");
    let sandbox = carts(ACTIVE, "- **Status:** active\n- **Supersedes:** mongo");
    sandbox.write("decisions/mongo.md", record("mongo", ACTIVE, &text));
    let found = results(&sandbox, &["unicorns"]);
    assert_eq!(ids(&found)[0], "postgres");
    assert_eq!(found[1]["heading"].as_array().unwrap().last().unwrap(), "Why");
    assert_eq!(found[1]["superseded_by"], "decisions/postgres.md#postgres");
}

#[test]
fn what_was_rejected_or_deprecated_is_marked_and_ranked_down() {
    for word in ["rejected", "deprecated"] {
        let sandbox = carts(&format!("- **Status:** {word}"), ACTIVE);
        let found = results(&sandbox, &["keeps the carts"]);
        let old = found.iter().find(|it| it["id"] == "mongo").unwrap();
        assert_eq!((&old["outdated"], &old["superseded_by"]), (&word.into(), &Value::Null));
        let said = sandbox.run(&["search", "carts", "--explain"]).expect_code(0).stdout;
        assert!(said.contains(word) && said.contains("outdated -"), "{said}");
    }
}

#[test]
fn a_change_of_the_successor_is_seen_at_once() {
    let sandbox = carts(ACTIVE, "- **Status:** active\n- **Supersedes:** mongo");
    assert_eq!(results(&sandbox, &["mongo"])[1]["outdated"], "superseded");
    let rejected = record("postgres", "- **Status:** rejected\n- **Supersedes:** mongo", "No.");
    sandbox.write("decisions/postgres.md", rejected);
    let found = results(&sandbox, &["mongo"]);
    assert_eq!(found[0]["id"], "mongo");
    assert_eq!(found[0]["outdated"], Value::Null, "what was rejected supersedes nothing");
}

#[test]
fn a_pack_for_a_question_marks_what_was_superseded_behind_its_successor() {
    for (older, newer) in WAYS {
        let sandbox = carts(older, newer);
        let pack = sandbox.run(&["context", "mongo carts", "--json"]).expect_code(0).json();
        let text = pack["text"].as_str().unwrap();
        let (new, old) = (text.find("Postgres keeps").unwrap(), text.find("Mongo keeps").unwrap());
        assert!(new < old, "{text}");
        let head = "[decisions/mongo.md#mongo";
        let head = &text[text.find(head).unwrap()..];
        let head = &head[..head.find('\n').unwrap()];
        assert!(head.contains(" superseded by decisions/postgres.md#postgres"), "{head}");
        let begin = sandbox.run(&["context"]).expect_code(0).stdout;
        assert!(begin.contains("Postgres keeps") && !begin.contains("Mongo keeps"), "{begin}");
    }
}

#[test]
fn a_record_that_is_read_where_it_is_supersedes_no_section_of_the_store() {
    let sandbox = carts(ACTIVE, ACTIVE);
    let config = sandbox.file("config.toml");
    let read = "\n[[read]]\npath = \"docs/adr/*.md\"\nas = \"decisions\"\n";
    sandbox.write("config.toml", format!("{config}{read}"));
    let adr = |name: &str, text: &str| sandbox.write_project(&format!("docs/adr/{name}"), text);
    adr(
        "0001-redis.md",
        "# Redis\n\n## Status\n\nSuperseded by [2](0002-memcached.md)\n\nRedis holds zebras.\n",
    );
    adr(
        "0002-memcached.md",
        "# Memcached\n\n## Status\n\nAccepted\n\nSupersedes: mongo\n\nIt holds all.\n",
    );
    sandbox.commit("records");
    assert_eq!(results(&sandbox, &["mongo"])[0]["outdated"], Value::Null);
    let found = results(&sandbox, &["zebras"]);
    assert_eq!(found[0]["path"], "docs/adr/0002-memcached.md", "{found:?}");
    assert_eq!(found[1]["superseded_by"], "docs/adr/0002-memcached.md");
}

#[test]
fn of_two_equal_answers_the_surer_one_comes_first() {
    let text = |id: &str, confidence: &str| {
        format!(
            "# About {id}\n<!-- @id: {id} -->\n<!-- @source: user ada - {confidence} 2026-11-20 -->\n\n- **Status:** active\n\nThe zebra eats {}.\n",
            if id == "one" { "grass" } else { "straw" }
        )
    };
    let sandbox = Sandbox::given(&[
        ("decisions/one.md", &text("one", "inferred")),
        ("decisions/two.md", &text("two", "confirmed")),
    ]);
    let found = results(&sandbox, &["zebra"]);
    assert_eq!(ids(&found), ["two", "one"]);
    let said = sandbox.run(&["search", "zebra"]).expect_code(0).stdout;
    assert!(said.contains("confirmed") && said.contains("inferred"), "{said}");
}
