//! A sparse checkout: what git does not lay out is not known, and a store that is not whole is refused.

use serde_json::json;

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
fn evidence_that_is_not_laid_out_is_not_known() {
    assert_eq!(rules(&sparse("src/auth/refresh.rs:1-2", BLOB)), [""; 0]);
    assert_eq!(rules(&sparse("src/auth/refresh.rs:1-2", "0123456789ab")), [""; 0]);
    assert_eq!(rules(&sparse("src/auth/gone.rs", BLOB)), ["provenance-gone"]);
    let sandbox = sparse("src/auth/refresh.rs", BLOB);
    let hits = sandbox.run(&["search", "x", "--json"]).json();
    assert_eq!(hits["results"][0]["freshness"], "unchecked", "{hits}");
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
fn nothing_is_decided_or_written_while_files_of_the_store_are_left_out() {
    let sandbox = Sandbox::new();
    sandbox.write("archive/old.md", "## Old\n<!-- @id: old -->\n\nIt was so.\n");
    sandbox.commit("base");
    for left_out in ["config.toml", "archive/old.md"] {
        let pattern = format!("!/.agent-memory/{left_out}");
        sandbox.git(&["sparse-checkout", "set", "--no-cone", "/*", &pattern]);
        let before = sandbox.tree();
        let propose = sandbox.call(&["propose"]).stdin(two_files().to_string()).run();
        let replies = [&["check"][..], &["reindex"], &["doctor", "--fix"], &["search", "x"]];
        for reply in replies.map(|command| sandbox.run(command)).into_iter().chain([propose]) {
            assert_ne!(reply.code, 0);
            let said = reply.stdout + &reply.stderr;
            assert!(said.contains(&format!("leaves out `{left_out}`")), "{said}");
            assert!(said.contains("git sparse-checkout disable"), "{said}");
        }
        assert_eq!(sandbox.tree(), before);
    }
}
