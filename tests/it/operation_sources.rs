//! Evidence of one operation, which no other section of the request gets.

use serde_json::{Value, json};

use crate::drift::{THEN, at, request};
use crate::requests::convention;
use crate::support::Sandbox;

const FILE: &str = "src/auth/refresh.rs:1-2";

fn section(heading: &str, sources: &Value) -> Value {
    let content = format!("About {heading}.");
    let mut made = json!({ "operation": "append_section", "heading": heading, "content": content });
    if !sources.is_null() {
        made["sources"] = sources.clone();
    }
    made
}

/// One section with a source of its own, one without.
fn two(own: &Value) -> Value {
    request(&[section("Tokens", own), section("Names", &Value::Null)])
}

fn file() -> Value {
    json!([{ "type": "file", "ref": FILE }])
}

#[test]
fn each_section_gets_its_own_evidence_and_no_other() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(two(&file())).staged();
    // What was read is what is written, also when the cited file is another one today.
    let blob = &sandbox.git(&["hash-object", "src/auth/refresh.rs"])[..12];
    sandbox.write_project("src/auth/refresh.rs", "// one\n// two\n// three\n");
    sandbox.apply(&id).applied();
    let text = sandbox.file("conventions.md");
    let own = format!(
        "<!-- @id: tokens -->\n<!-- @source: file {FILE} {blob} inferred 2026-11-20 -->\n\n"
    );
    let of_all = "<!-- @id: names -->\n<!-- @source: user ada - inferred 2026-11-20 -->\n\n";
    assert!(text.contains(&own) && text.contains(of_all), "{text}");
}

#[test]
fn a_person_sees_what_each_source_is_for() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(two(&file())).staged();
    let shown = sandbox.run(&["show", &id, "--json"]).expect_code(0).json();
    let sources = [&shown["sources"][0], &shown["sources"][1]];
    let found = sources.map(|source| (source["ref"].clone(), source["operations"].clone()));
    assert_eq!(found, [(json!(FILE), json!([0])), (json!("ada"), json!([1]))]);
    let text = sandbox.run(&["show", &id]).expect_code(0).stdout;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains(&format!("file {FILE} for operation 1, user ada for operation 2")),
        "{text}"
    );
    let plain = sandbox.propose(convention("Logs", "Say what to do.")).staged();
    let shown = sandbox.run(&["show", &plain, "--json"]).expect_code(0).json();
    assert_eq!(shown["sources"][0].get("operations"), None);
}

#[test]
fn what_is_wrong_with_a_source_is_named_by_its_place() {
    let sandbox = Sandbox::new();
    let wrong = json!([{ "type": "file", "ref": FILE }, { "type": "user", "ref": "" }, { "type": "file", "rf": "x" }]);
    let answer = sandbox.propose(two(&wrong)).rejected("invalid_operation");
    let pointers: Vec<&str> = answer["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| each["pointer"].as_str().unwrap())
        .collect();
    for expected in ["/operations/0/sources/1/ref", "/operations/0/sources/2/rf"] {
        assert!(pointers.contains(&expected), "{pointers:?}");
    }
    let gone = json!([{ "type": "file", "ref": FILE }, { "type": "file", "ref": "src/gone.rs" }]);
    let answer = sandbox.propose(two(&gone)).rejected("provenance_violation");
    assert_eq!(answer["pointer"], "/operations/0/sources/1/ref");
    let said = answer["provenance_violations"][0].as_str().unwrap();
    assert!(said.starts_with("/operations/0/sources/1/ref: the file `src/gone.rs`"), "{said}");
}

#[test]
fn each_operation_needs_what_its_category_needs() {
    let sandbox = Sandbox::new();
    let weak = json!([{ "type": "inference", "ref": "a guess" }]);
    let answer = sandbox.propose(two(&weak)).rejected("provenance_violation");
    assert_eq!(answer["pointer"], "/operations/0/sources");
    let mut bare = two(&file());
    bare["sources"] = json!([]);
    let answer = sandbox.propose(bare.clone()).rejected("provenance_violation");
    assert_eq!(answer["pointer"], "/sources");
    bare["operations"][1]["sources"] = file();
    sandbox.propose(bare).staged();
    // Clients that fill every field send an empty list for what they leave out.
    sandbox.propose(two(&json!([]))).staged();
}

#[test]
fn more_sources_than_anyone_reads_are_refused() {
    let many: Vec<Value> =
        (0..60).map(|number| json!({ "type": "user", "ref": format!("ada-{number}") })).collect();
    let operations: Vec<Value> =
        (0..5).map(|number| section(&format!("Section {number}"), &json!(many))).collect();
    let answer = Sandbox::new().propose(request(&operations)).rejected("too_large");
    assert_eq!(answer["pointer"], "/operations");
}

#[test]
fn a_secret_in_a_source_of_an_operation_is_found() {
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let own =
        json!([{ "type": "user", "ref": token }, { "type": "user", "ref": "ada", "note": token }]);
    let answer = sandbox.propose(two(&own)).rejected("secret_detected");
    let found: Vec<&Value> =
        answer["findings"].as_array().unwrap().iter().map(|each| &each["pointer"]).collect();
    assert_eq!(found, ["/operations/0/sources/0/ref", "/operations/0/sources/1/note"]);
    assert!(!answer.value.to_string().contains(&token) && sandbox.tree() == before);
}

#[test]
fn less_confidence_in_the_same_source_is_told_with_both() {
    let founded = "<!-- @id: errors -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n";
    let sandbox =
        Sandbox::given(&[("conventions.md", &THEN.replace("<!-- @id: errors -->\n", founded))]);
    let said =
        "`conventions.md#errors` cites the user `ada` as `inferred`, and before as `confirmed`";
    for (operation, content) in [
        ("append_to_section", "- added"),
        ("replace_section_content", "- new"),
        ("replace_section", "## Errors\n\n- other"),
    ] {
        let operations = [at(operation, "errors", &json!({ "content": content }))];
        let mut weak = request(&operations);
        let answer = sandbox.propose(weak.clone());
        assert!(answer["warnings"].to_string().contains(said), "{operation}");
        weak["confidence"] = "confirmed".into();
        let answer = sandbox.propose(weak);
        let warnings = answer["warnings"].to_string();
        assert!(!warnings.contains("and before as"), "{operation}: {warnings}");
    }
}
