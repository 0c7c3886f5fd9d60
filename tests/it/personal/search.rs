//! `search` finds the person's entries by name, description and body.

use serde_json::{Value, json};

use super::{Person, delete, upsert, warnings, with};

impl Person {
    #[track_caller]
    fn search(&self, words: &[&str]) -> Value {
        let before = self.tree();
        let found = self.run(&[&["search", "--json"], words].concat()).expect_code(0).json();
        assert!(self.tree() == before, "something was written");
        found
    }

    /// Returns the names of what is found, the best first.
    #[track_caller]
    fn names(&self, words: &[&str]) -> Vec<String> {
        let found = self.search(words);
        let results = found["results"].as_array().unwrap().iter();
        results.map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    }
}

fn entry(name: &str, kind: &str, description: &str, body: &str) -> Value {
    json!({
        "action": "upsert", "name": name, "type": kind, "description": description, "body": body,
    })
}

fn used() -> Person {
    Person::with(&[
        entry("preferred-language", "user", "User prefers Japanese", "Always respond in Japanese."),
        entry("tests-first", "feedback", "Tests before commits", "Run all tests, then commit."),
        entry("deploys", "project", "When to deploy", "On Mondays.\n\nThe tests run at night."),
    ])
}

#[test]
fn an_entry_is_found_by_its_name_its_description_and_its_body() {
    let person = used();
    for words in ["preferred language", "prefer", "respond"] {
        assert_eq!(person.names(&[words]), ["preferred-language"], "{words}");
    }
    assert_eq!(person.names(&["deploying", "on", "monday"]), ["deploys"]);
    let found = person.search(&["night"]);
    let first = &found["results"][0];
    assert_eq!((&first["name"], &first["type"]), (&json!("deploys"), &json!("project")));
    assert_eq!(
        (&first["description"], &first["path"]),
        (&json!("When to deploy"), &json!("memory/deploys.md"))
    );
    assert_eq!(first["snippet"], "The tests run at night.");
    let [from, to] = [0, 1].map(|end| first["matches"][0][end].as_u64().unwrap() as usize);
    assert_eq!(&first["snippet"].as_str().unwrap()[from..to], "night");
    assert_eq!(first["hash"], person.read("deploys")["hash"]);
    let shown = person.run(&["search", "night"]).expect_code(0).stdout;
    assert_eq!(shown, "deploys  project\n  When to deploy\n    The tests run at night.\n");
}

#[test]
fn the_best_answer_comes_first_and_a_question_can_be_narrowed() {
    let person = used();
    assert_eq!(person.names(&["tests"]), ["tests-first", "deploys"]);
    assert_eq!(person.names(&["tests", "-n", "1"]), ["tests-first"]);
    assert_eq!(person.names(&["tests", "--type", "project"]), ["deploys"]);
    assert_eq!(person.names(&["tests", "--type", "user"]), [""; 0]);
    person.run(&["search", "tests", "--type", "note"]).expect_code(2);
    person.run(&["search"]).expect_code(2);
}

#[test]
fn where_nothing_is_found_it_says_so_as_the_search_of_a_project_does() {
    let person = used();
    let reply = person.run(&["search", "xylophone"]).expect_code(0);
    assert_eq!((reply.stdout.as_str(), reply.stderr.as_str()), ("", "nothing found\n"));
    person.run(&["search", "xylophone", "--exit-code"]).expect_code(1);
    person.run(&["search", "tests", "--exit-code"]).expect_code(0);
    assert_eq!(person.search(&["japanse"])["suggestion"], "japanese");
    let nothing = Person::new();
    assert_eq!(nothing.names(&["x"]), [""; 0]);
    nothing.run(&["search", "x", "--exit-code"]).expect_code(1);
    assert!(!nothing.data().exists());
}

#[test]
fn each_search_sees_what_stands_now_and_nothing_that_was_deleted() {
    let person = used();
    person.done(&with(&upsert("a"), "body", "A xylophone."), "created");
    assert_eq!(person.names(&["xylophone"]), ["a"]);
    person.done(&with(&upsert("a"), "body", "A drum."), "updated");
    assert_eq!(person.names(&["xylophone"]), [""; 0]);
    person.write("memory/by-hand.md", "A xylophone, by hand.\n");
    assert_eq!(person.names(&["xylophone"]), ["by-hand"]);
    person.done(&delete("by-hand"), "deleted");
    assert_eq!(person.names(&["xylophone"]), [""; 0]);
}

#[test]
fn a_secret_of_a_hand_is_masked_and_never_found() {
    let person = used();
    let secret = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let text =
        format!("---\nname: key\ndescription: my key {secret}\n---\n\nThe key is {secret}\n");
    person.write("memory/key.md", text);
    let found = person.search(&["key"]);
    assert_eq!(found["results"][0]["name"], "key");
    assert!(warnings(&found).contains("secret in `key` is withheld"), "{found}");
    for options in [&["search", "key"] as &[&str], &["search", "key", "--json"]] {
        let reply = person.run(options).expect_code(0);
        let said = reply.stdout + &reply.stderr;
        assert!(said.contains("withheld") && !said.contains(&secret), "{said}");
    }
    assert_eq!(person.names(&[secret.as_str()]), [""; 0]);
    // What is not found has nothing to say.
    assert_eq!(warnings(&person.search(&["japanese"])), "");
}

#[test]
fn what_cannot_be_read_hides_no_other_entry() {
    let person = used();
    person.write("memory/x.md", b"caf\xe9 tests\n");
    person.write("memory/y.md", "---\nname: [\n---\n\nThe tests of y.\n");
    let found = person.search(&["tests"]);
    assert!(warnings(&found).contains("`x` is not read"), "{found}");
    assert!(found["results"].as_array().unwrap().iter().any(|entry| entry["name"] == "y"));
}

#[test]
fn of_entries_that_say_the_same_one_is_shown_and_the_others_are_named() {
    let body = "Run all tests before each commit, on every machine.";
    let person = Person::with(&[
        entry("a", "user", "Tests before commits", body),
        entry("b", "user", "Tests before commits", body),
    ]);
    let found = person.search(&["tests"]);
    assert_eq!(found["results"].as_array().unwrap().len(), 1);
    assert_eq!(found["results"][0]["duplicates"], json!(["b"]));
    assert!(person.run(&["search", "tests"]).expect_code(0).stdout.contains("  also b\n"));
}

#[test]
fn a_thousand_entries_are_searched_and_another_persons_never() {
    let mut person = Person::with(&[upsert("a")]);
    for number in 0..1_000 {
        let text = format!("Entry number {number}, about topic{}.\n", number % 10);
        person.write(&format!("memory/e{number}.md"), text);
    }
    assert_eq!(person.names(&["number", "777", "topic7", "-n", "3"])[0], "e777");
    person.id = "bob".to_owned();
    assert_eq!(person.names(&["topic7"]), [""; 0]);
}

#[test]
fn no_character_of_an_entry_steers_the_terminal() {
    let person = used();
    person.write(
        "memory/x.md",
        "---\ndescription: \"red \\x1b[31m\"\n---\n\nA \u{1b}[2J xylophone\n",
    );
    let shown = person.run(&["search", "xylophone"]).expect_code(0).stdout;
    assert!(shown.contains("<U+001B>") && !shown.contains('\u{1b}'), "{shown:?}");
}
