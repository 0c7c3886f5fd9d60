//! A sparse checkout: what git does not lay out is no less there.

use serde_json::json;

use crate::cli_check::found;
use crate::requests::{convention, two_files};
use crate::support::Sandbox;

const BLOB: &str = "f06859e70b78";

/// Makes a repository of which only the store and `docs` are laid out.
fn sparse(cited: &str, blob: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write_project("docs/a.md", "A.\n");
    let source = format!("<!-- @source: file {cited} {blob} confirmed 2026-11-20 -->");
    sandbox.write("conventions.md", format!("# C\n\n## A\n<!-- @id: a -->\n{source}\n\nx\n"));
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("a convention");
    sandbox.git(&["sparse-checkout", "set", ".agent-memory", "docs"]);
    assert!(!sandbox.project().join("src").exists());
    sandbox
}

fn rules(sandbox: &Sandbox) -> Vec<String> {
    let reply = sandbox.run(&["check", "--json", "--allow", "index-outdated"]).json();
    let findings = reply["findings"].as_array().expect("a list");
    findings.iter().map(|each| each["rule"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn evidence_that_is_not_laid_out_is_judged_as_git_has_it() {
    let cited = "src/auth/refresh.rs:1-2";
    assert_eq!(rules(&sparse(cited, BLOB)), [""; 0]);
    assert_eq!(rules(&sparse(cited, "0123456789ab")), ["provenance-stale"]);
    assert_eq!(rules(&sparse("src/auth/gone.rs", BLOB)), ["provenance-gone"]);
    assert_eq!(rules(&sparse("src/auth", BLOB)), ["provenance-gone"]);
}

#[test]
fn what_was_deleted_is_gone_in_a_sparse_checkout_too() {
    let sandbox = sparse("docs/a.md", BLOB);
    assert_eq!(rules(&sandbox), ["provenance-stale"]);
    std::fs::remove_file(sandbox.project().join("docs/a.md")).expect("it was laid out");
    assert_eq!(rules(&sandbox), ["provenance-gone"]);
}

#[test]
fn a_proposal_may_cite_what_is_not_laid_out() {
    let sandbox = sparse("src/auth/refresh.rs", BLOB);
    let mut request = convention("Keys", "Keys are rotated.");
    request["sources"] = json!([{ "type": "file", "ref": "src/auth/refresh.rs" }]);
    let id = sandbox.propose(request.clone()).staged();
    sandbox.apply(&id).applied();
    assert!(
        sandbox.file("conventions.md").contains(&format!("src/auth/refresh.rs {BLOB} confirmed"))
    );
    request["sources"][0]["ref"] = json!("src/auth/gone.rs");
    sandbox.propose(request).rejected("provenance_violation");
}

#[test]
fn a_pack_for_a_folder_that_is_not_laid_out_warns_of_nothing() {
    let sandbox = sparse("src/auth/refresh.rs", BLOB);
    let talk = |path: &str| sandbox.run(&["context", "--scope", path]).expect_code(0).stderr;
    assert_eq!(talk("src/auth"), "");
    assert!(
        talk("src/oauth").contains("no such file or folder: `src/oauth`"),
        "{}",
        talk("src/oauth")
    );
}

#[test]
fn what_a_sparse_checkout_leaves_out_of_the_store_is_there() {
    let sandbox = Sandbox::new();
    let module = "# M\n\n## Flow\n<!-- @id: flow -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\nx\n";
    sandbox.write("modules/m.md", module);
    sandbox.write("archive/old.md", "## Old\n<!-- @id: old -->\n\nIt was so.\n");
    sandbox.write("pitfalls.md", "# Pitfalls\n\n## P\n<!-- @id: p -->\n\nSee [[flow]].\n");
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("base");
    let left_out = ["!/.agent-memory/archive/", "!/.agent-memory/modules/"];
    sandbox.git(&[&["sparse-checkout", "set", "--no-cone", "/*"], &left_out[..]].concat());
    assert!(!sandbox.has("modules/m.md") && !sandbox.has("archive/old.md"));
    for arguments in [&[][..], &["--base", "HEAD~1"], &["--staged"]] {
        assert_eq!(found(&sandbox, arguments), [""; 0], "{arguments:?}");
    }
    let contents = sandbox.file("index.md");
    for command in [&["doctor", "--fix"][..], &["reindex"]] {
        sandbox.run(command).expect_code(0);
        assert_eq!(sandbox.file("index.md"), contents);
    }
    let mut request = two_files();
    request["operations"][0]["path"] = json!("modules/m.md");
    let answer = sandbox.propose(request).rejected("invalid_path");
    assert!(answer["message"].to_string().contains("sparse checkout"), "{}", answer.value);
    assert!(!sandbox.has("modules/m.md"));
}

#[test]
fn nothing_is_decided_by_half_of_the_rules() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    sandbox.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/.agent-memory/config.toml"]);
    let reply = sandbox.call(&["propose"]).stdin(two_files().to_string()).run().expect_code(2);
    assert!(reply.stdout.contains("sparse checkout leaves out `config.toml`"), "{}", reply.stdout);
    sandbox.run(&["check"]).expect_code(0);
}
