//! A folder before, a request, a folder after: `fixtures/cases/<name>/{in/, proposal.json, out/, outcome.json}`.
//!
//! `BLESS=1 cargo test --test it corridor` writes `out/` and `outcome.json` anew; read the diff before you keep it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use crate::support::{Answer, Sandbox, blessing, files_in, for_each_case};

/// What of an answer is kept as expected when a case is blessed.
const KEPT: [&str; 7] =
    ["status", "reason", "pointer", "message", "files", "affected_sections", "warnings"];

#[test]
fn every_case_ends_as_expected() {
    for_each_case("fixtures/cases", walk);
}

/// Walks one case through the corridor and says what is wrong.
fn walk(case: &Path) -> Result<(), String> {
    let sandbox = Sandbox::new();
    for (path, bytes) in files_in(&case.join("in")) {
        sandbox.write(&path, bytes);
    }
    let before = sandbox.tree();
    let answer = sandbox.propose_bytes(fs::read(case.join("proposal.json")).unwrap());
    if answer["status"] == "staged" {
        let early = changed(&before, &sandbox);
        expect(early.is_empty(), || format!("landed before anyone said yes: {:?}", early.keys()))?;
        sandbox.apply(answer["staging_id"].as_str().unwrap()).applied();
    }
    let after = changed(&before, &sandbox);
    if blessing() {
        bless(case, &answer, &after);
    }
    let text = fs::read(case.join("outcome.json")).map_err(|error| error.to_string())?;
    let expected: Map<String, Value> = serde_json::from_slice(&text).unwrap();
    for (field, value) in expected {
        let found = &answer[&field];
        expect(*found == value, || format!("`{field}` is\n  {found}, expected\n  {value}"))?;
    }
    compare(&files_in(&case.join("out")), &after)
}

fn expect(holds: bool, problem: impl Fn() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

/// Returns the files of the store that are different; those that are gone have no text.
fn changed(before: &BTreeMap<String, Vec<u8>>, sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    let mut after = sandbox.tree();
    assert!(before.keys().all(|path| after.contains_key(path)), "no file ever goes");
    after.retain(|path, bytes| before.get(path) != Some(bytes) && !path.starts_with("staging/"));
    after
}

fn compare(
    expected: &BTreeMap<String, Vec<u8>>,
    found: &BTreeMap<String, Vec<u8>>,
) -> Result<(), String> {
    let shown = |files: &BTreeMap<String, Vec<u8>>, path: &str| match files.get(path) {
        Some(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
        None => "unchanged".to_owned(),
    };
    for path in expected.keys().chain(found.keys()) {
        let (found_text, expected_text) = (shown(found, path), shown(expected, path));
        expect(found.get(path) == expected.get(path), || {
            format!("`{path}` is\n  {found_text}, expected\n  {expected_text}")
        })?;
    }
    Ok(())
}

fn bless(case: &Path, answer: &Answer, after: &BTreeMap<String, Vec<u8>>) {
    let out = case.join("out");
    if out.exists() {
        fs::remove_dir_all(&out).unwrap();
    }
    for (path, bytes) in after {
        let path = out.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let kept =
        KEPT.iter().filter_map(|name| Some(((*name).to_owned(), answer.value.get(name)?.clone())));
    let outcome = Value::Object(kept.collect::<Map<String, Value>>());
    fs::write(case.join("outcome.json"), serde_json::to_string_pretty(&outcome).unwrap() + "\n")
        .unwrap();
}
