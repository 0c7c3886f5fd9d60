//! Evidence is judged by the lines it cites, not by the whole file.

use std::fs;

use serde_json::{Value, json};

use crate::requests::{convention, with_conventions};
use crate::support::{Reply, Sandbox};

const CITED: &str = "src/cited.rs";

const THEN: &str = "one\ntwo\nthree\nfour\nfive\n";

fn as_ada(sandbox: &Sandbox, arguments: &[&str]) -> Reply {
    sandbox.run(&[arguments, &["--approver", "Ada"]].concat()).expect_code(0)
}

/// A store of which a convention cites some lines of a file that git has.
fn citing(lines: &str) -> Sandbox {
    let sandbox = with_conventions();
    sandbox.write_project(CITED, THEN);
    sandbox.commit("a file");
    as_ada(&sandbox, &["cite", "errors", &format!("{CITED}{lines}")]);
    sandbox
}

fn section(sandbox: &Sandbox) -> Value {
    let shown = sandbox.run(&["show", "conventions.md#errors", "--json"]).expect_code(0).json();
    shown["sections"][0].clone()
}

/// The freshness, and where the lines moved.
fn freshness(sandbox: &Sandbox) -> (String, String) {
    let section = section(sandbox);
    let word = |name: &str| section["sources"][0][name].as_str().unwrap_or_default().to_owned();
    (word("freshness"), word("moved_to"))
}

#[track_caller]
fn becomes(sandbox: &Sandbox, text: impl AsRef<[u8]>, freshness_word: &str, moved_to: &str) {
    sandbox.write_project(CITED, text);
    assert_eq!(freshness(sandbox), (freshness_word.to_owned(), moved_to.to_owned()));
}

/// The rules that speak of evidence, with what they say.
fn findings(sandbox: &Sandbox, arguments: &[&str]) -> Vec<String> {
    let all = [&["check", "--json", "--warn", "provenance-moved"], arguments].concat();
    let reply = sandbox.run(&all).json();
    let findings = reply["findings"].as_array().unwrap().iter();
    let provenance = findings.filter(|it| it["rule"].as_str().unwrap().starts_with("provenance-"));
    let told = |it: &Value| format!("{}: {}", it["rule"], it["message"]).replace('"', "");
    provenance.map(told).filter(|it| it.contains(CITED)).collect()
}

#[test]
fn what_stands_around_the_cited_lines_changes_nothing() {
    let sandbox = citing(":2-3");
    becomes(&sandbox, "one\ntwo\nthree\nfour\nfive\nsix\n", "fresh", "");
    becomes(&sandbox, "1\ntwo\nthree\n", "fresh", "");
    becomes(&sandbox, "zero\none\ntwo\nthree\nfour\n", "moved", "src/cited.rs:3-4");
    becomes(&sandbox, "two\nthree\n", "moved", "src/cited.rs:1-2");
    becomes(&sandbox, "one\ntwo\nand\nthree\nfour\nfive\n", "stale", "");
    becomes(&sandbox, "", "stale", "");
    fs::remove_file(sandbox.project().join(CITED)).unwrap();
    assert_eq!(freshness(&sandbox).0, "missing");
}

#[test]
fn line_ends_are_no_change() {
    let sandbox = citing(":2-3");
    becomes(&sandbox, "one\r\ntwo\r\nthree\r\nsix\r\n", "fresh", "");
    becomes(&sandbox, "zero\r\none\r\ntwo\r\nthree", "moved", "src/cited.rs:3-4");
}

#[test]
fn without_lines_the_whole_file_decides() {
    let sandbox = citing("");
    becomes(&sandbox, format!("{THEN}six\n"), "stale", "");
    assert_eq!(findings(&sandbox, &[]), ["provenance-stale: `src/cited.rs` has changed since"]);
}

#[test]
fn without_the_old_blob_the_whole_file_decides() {
    let sandbox = with_conventions();
    sandbox.write_project(CITED, THEN);
    as_ada(&sandbox, &["cite", "errors", "src/cited.rs:2-3"]);
    assert_eq!(freshness(&sandbox).0, "fresh");
    // Git never had it.
    becomes(&sandbox, format!("{THEN}six\n"), "stale", "");
    // What a person wrote names no blob, a branch, or the text of another file.
    for blob in ["HEAD:src/cited.rs", "0123456789ab", "main", "-"] {
        let source = format!("<!-- @source: file src/cited.rs:2-3 {blob} confirmed 2026-11-20 -->");
        let text = format!("# C\n\n## Errors\n<!-- @id: errors -->\n{source}\n\nx\n");
        sandbox.write("conventions.md", text);
        let expected = if blob == "-" { "unchecked" } else { "stale" };
        assert_eq!(freshness(&sandbox).0, expected, "{blob}");
    }
}

#[test]
fn a_branch_with_the_name_of_a_blob_is_not_read() {
    let sandbox = citing(":2-3");
    let blob = sandbox.git(&["rev-parse", "HEAD:src/cited.rs"]);
    sandbox.git(&["branch", &blob[..12]]);
    becomes(&sandbox, format!("{THEN}six\n"), "stale", "");
}

#[test]
fn a_file_that_is_stored_otherwise_or_is_too_large_is_compared_as_a_whole() {
    let sandbox = citing(":2-3");
    sandbox.write_project(".gitattributes", "*.rs ident\n");
    becomes(&sandbox, format!("{THEN}six\n"), "stale", "");
    fs::remove_file(sandbox.project().join(".gitattributes")).unwrap();
    becomes(&sandbox, format!("{THEN}six\n"), "fresh", "");
    becomes(&sandbox, THEN.to_owned() + &"x".repeat(5_000_000), "stale", "");
}

#[test]
fn a_file_that_is_no_text_has_lines_too() {
    let sandbox = with_conventions();
    sandbox.write_project(CITED, b"\xff\x00\n\xfe\x00two\nthree");
    sandbox.commit("a file");
    as_ada(&sandbox, &["cite", "errors", "src/cited.rs:2"]);
    becomes(&sandbox, b"\xfe\x00two\n", "moved", "src/cited.rs:1");
    becomes(&sandbox, b"\xff\x00\n\xfe\x00two!\n", "stale", "");
}

#[test]
fn the_check_is_silent_about_moved_lines_unless_it_is_asked() {
    let sandbox = citing(":2-3");
    sandbox.commit("recorded");
    sandbox.write_project(CITED, format!("zero\n{THEN}"));
    let moved = ["provenance-moved: `src/cited.rs:2-3` moved to `src/cited.rs:3-4`"];
    assert_eq!(findings(&sandbox, &[]), moved);
    let told = sandbox.run(&["check", "--warn", "provenance-moved"]).expect_code(0).stdout;
    assert!(told.contains("repair: `agent-memory confirm conventions.md#errors`"), "{told}");
    let silent = sandbox.run(&["check"]).expect_code(0).stdout;
    assert!(!silent.contains(CITED), "{silent}");
    // The same from what is staged, and in a compared commit.
    sandbox.git(&["add", "--all"]);
    assert_eq!(findings(&sandbox, &["--staged"]), moved);
    assert_eq!(findings(&sandbox, &["--base", "HEAD"]), moved);
    sandbox.write_project(CITED, "one\n2\nthree\n");
    sandbox.git(&["add", "--all"]);
    for side in [&[][..], &["--staged"]] {
        let stale = ["provenance-stale: `src/cited.rs:2-3` has changed since"];
        assert_eq!(findings(&sandbox, side), stale, "{side:?}");
    }
}

#[test]
fn a_confirmation_writes_the_lines_of_today() {
    let sandbox = citing(":2-3");
    let before = sandbox.file("conventions.md");
    sandbox.write_project(CITED, format!("zero\n{THEN}"));
    as_ada(&sandbox, &["confirm", "conventions.md#errors"]);
    assert_eq!(freshness(&sandbox), ("fresh".to_owned(), String::new()));
    let (blob, old) = (sandbox.git(&["hash-object", CITED]), "src/cited.rs:2-3");
    let line = format!("<!-- @source: file src/cited.rs:3-4 {} confirmed", &blob[..12]);
    let after = sandbox.file("conventions.md");
    assert!(after.contains(&line) && !after.contains(old), "{after}");
    as_ada(&sandbox, &["undo", "--latest"]);
    assert_eq!(sandbox.file("conventions.md"), before);
}

#[test]
fn two_citations_that_moved_to_one_place_become_one() {
    let sandbox = with_conventions();
    sandbox.write_project(CITED, "one\nsame\ntwo\nsame\n");
    sandbox.commit("a file");
    as_ada(&sandbox, &["cite", "errors", "src/cited.rs:2", "src/cited.rs:4", "user:grace"]);
    let far = "no\n".repeat(30);
    sandbox.write_project(CITED, format!("x\none\ntwo\nno\nno\nsame\n{far}same\n"));
    as_ada(&sandbox, &["confirm", "errors"]);
    let text = sandbox.file("conventions.md");
    assert_eq!(text.matches("@source: file src/cited.rs:6 ").count(), 1, "{text}");
    assert_eq!(text.matches("@source: file src/cited.rs").count(), 1, "{text}");
    assert_eq!(text.matches("@source: user grace").count(), 1, "{text}");
}

#[test]
fn what_is_pending_writes_the_lines_that_were_found_when_it_was_proposed() {
    let sandbox = citing(":2-3");
    sandbox.write_project(CITED, format!("zero\n{THEN}"));
    let reply = sandbox.run(&["confirm", "errors", "--stage", "--json"]).expect_code(0).json();
    let id = reply["results"][0]["staging_id"].as_str().unwrap();
    let shown = sandbox.run(&["show", id]).expect_code(0).stdout;
    assert!(shown.contains("-<!-- @source: file src/cited.rs:2-3 "), "{shown}");
    assert!(shown.contains("+<!-- @source: file src/cited.rs:3-4 "), "{shown}");
    sandbox.apply(id).applied();
    assert_eq!(freshness(&sandbox).0, "fresh");
}

#[test]
fn what_is_pending_may_cite_lines_that_moved_up_beyond_the_end() {
    let sandbox = citing("");
    let cited = |line: &str| format!("<!-- @source: file src/cited.rs:{line} ");
    let mut request = convention("Logs", "They name the time.");
    request["sources"] = json!([{ "type": "file", "ref": "src/cited.rs:4-5" }]);
    let [moved, changed] = ["Logs", "Keys"].map(|heading| {
        request["operations"][0]["heading"] = heading.into();
        sandbox.propose(request.clone()).staged()
    });
    sandbox.write_project(CITED, "four\nfive\n");
    sandbox.apply(&moved).applied();
    assert!(sandbox.file("conventions.md").contains(&cited("4-5")));
    sandbox.write_project(CITED, "four\n");
    sandbox.apply(&changed).rejected("provenance_violation");
}

#[test]
fn a_request_that_is_less_sure_of_moved_lines_is_told() {
    let sandbox = citing(":2-3");
    sandbox.write_project(CITED, format!("zero\n{THEN}"));
    let source = json!({ "type": "file", "ref": "src/cited.rs:3-4", "was": "src/cited.rs:2-3" });
    let operation =
        json!({ "operation": "append_to_section", "section_id": "errors", "content": "" });
    let answer = sandbox.propose(json!({
        "intent": "update_conventions", "sources": [source], "operations": [operation],
    }));
    let told = "cites the file `src/cited.rs:3-4` as `inferred`, and before as `confirmed`";
    assert!(answer["warnings"].to_string().contains(told), "{}", answer["warnings"]);
    sandbox.apply(&answer.staged()).applied();
    let text = sandbox.file("conventions.md");
    assert!(text.contains("src/cited.rs:3-4 ") && !text.contains("src/cited.rs:2-3"), "{text}");
}

#[test]
fn a_section_that_is_edited_cites_the_lines_of_today() {
    let sandbox = citing(":2-3");
    sandbox.write_project(CITED, format!("zero\n{THEN}"));
    let edit = sandbox.call(&["edit", "conventions.md#errors", "--approver", "Ada"]);
    edit.env("GIT_EDITOR", "printf 'More.\\n' >>").run().expect_code(0);
    let text = sandbox.file("conventions.md");
    assert!(text.contains("More.") && !text.contains("src/cited.rs:2-3"), "{text}");
    assert_eq!(freshness(&sandbox), ("fresh".to_owned(), String::new()));
}

#[test]
fn a_source_replaces_one_of_the_same_file_or_of_one_that_is_gone() {
    let sandbox = citing(":2-3");
    let mut request = convention("Logs", "They are long.");
    request["sources"] =
        json!([{ "type": "file", "ref": "src/cited.rs:3-4", "was": "src/auth/refresh.rs:1" }]);
    let answer = sandbox.propose(request.clone()).rejected("provenance_violation");
    let told = "/sources/0/was: `src/auth/refresh.rs:1` names neither lines of the same file nor";
    assert!(answer.value.to_string().contains(told), "{}", answer.value);
    std::fs::remove_file(sandbox.project().join("src/auth/refresh.rs")).unwrap();
    sandbox.propose(request).staged();
}

#[test]
fn every_answer_says_that_lines_moved() {
    let sandbox = citing(":2-3");
    sandbox.write_project(CITED, format!("zero\n{THEN}"));
    let list = |word: &str| {
        let listed = sandbox.run(&["ls", "--freshness", word, "--json"]).expect_code(0).json();
        let found = ["search", "path", "--freshness", word, "--json"];
        let found = sandbox.run(&found).expect_code(0).json();
        [&listed["sections"], &found["results"]].map(|all| all.as_array().unwrap().len())
    };
    assert_eq!((list("moved"), list("stale"), list("fresh")), ([1, 1], [0, 0], [0, 0]));
    let found = sandbox.run(&["search", "path", "--explain"]).expect_code(0).stdout;
    assert!(found.contains("moved") && !found.contains("stale"), "{found}");
    assert!(sandbox.run(&["ls"]).expect_code(0).stdout.contains("confirmed, moved"));
    let pack = sandbox.run(&["context", "--scope", CITED]).expect_code(0).stdout;
    let head = " moved from file src/cited.rs:2-3 now src/cited.rs:3-4 confirmed 2026-11-20]";
    assert!(pack.contains(head), "{pack}");
    let shown = sandbox.run(&["show", "conventions.md#errors"]).expect_code(0).stdout;
    assert!(shown.contains("file src/cited.rs:2-3 (moved to src/cited.rs:3-4)"), "{shown}");
    let blamed = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0).stdout;
    assert!(blamed.contains("(moved to src/cited.rs:3-4)"), "{blamed}");
}

#[cfg(unix)]
#[test]
fn lines_behind_a_link_are_found_too() {
    let sandbox = with_conventions();
    sandbox.write_project("src/real.rs", THEN);
    std::os::unix::fs::symlink("real.rs", sandbox.project().join(CITED)).unwrap();
    sandbox.commit("a link");
    as_ada(&sandbox, &["cite", "errors", "src/cited.rs:2-3"]);
    sandbox.write_project("src/real.rs", format!("zero\n{THEN}"));
    assert_eq!(freshness(&sandbox).1, "src/cited.rs:3-4");
}

#[test]
fn a_partial_clone_fetches_no_old_text() {
    let sandbox = citing(":2-3");
    sandbox.commit("recorded");
    let then = sandbox.git(&["rev-parse", "HEAD:src/cited.rs"]);
    sandbox.write_project(CITED, format!("zero\n{THEN}"));
    sandbox.commit("moved");
    sandbox.git(&["config", "uploadpack.allowFilter", "true"]);
    let from = format!("file://{}", sandbox.project().display());
    sandbox.git(&["clone", "--quiet", "--filter=blob:none", &from, "../partial"]);
    let words = ["--root", "../partial/.agent-memory", "show", "conventions.md#errors", "--json"];
    let shown = sandbox.run(&words).expect_code(0).json();
    assert_eq!(shown["sections"][0]["sources"][0]["freshness"], "stale");
    let missing = ["-C", "../partial", "rev-list", "--objects", "--all", "--missing=print"];
    assert!(sandbox.git(&missing).contains(&format!("?{then}")));
}

#[test]
fn a_shallow_clone_knows_what_it_has_and_fetches_nothing() {
    let sandbox = citing(":2-3");
    sandbox.commit("recorded");
    sandbox.write_project(CITED, format!("zero\n{THEN}"));
    sandbox.commit("moved");
    for (depth, expected) in [("1", "stale"), ("2", "moved")] {
        let clone = sandbox.root().join(format!("clone{depth}"));
        let from = format!("file://{}", sandbox.project().display());
        sandbox.git(&["clone", "--quiet", "--depth", depth, &from, clone.to_str().unwrap()]);
        let root = clone.join(".agent-memory");
        let words = ["--root", root.to_str().unwrap(), "show", "conventions.md#errors", "--json"];
        let shown = sandbox.run(&words).expect_code(0).json();
        assert_eq!(shown["sections"][0]["sources"][0]["freshness"], expected, "{depth}");
    }
}
