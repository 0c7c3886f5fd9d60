//! Evidence where the bytes on the disk are not those that git keeps, or git names them by another hash.

use serde_json::{Value, json};

use crate::cli_check::found;
use crate::support::Sandbox;

fn decision() -> Value {
    json!({
        "intent": "record_decision",
        "sources": [{ "type": "file", "ref": "src/auth.rs" }],
        "operations": [{
            "operation": "append_section", "heading": "Tokens",
            "content": "Date: 2026-11-20\nStatus: active\n\nThey rotate.",
        }],
    })
}

/// Records a decision that cites a file, and commits both.
fn record(sandbox: &Sandbox) {
    let id = sandbox.propose(decision()).staged();
    sandbox.apply(&id).applied();
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("recorded");
}

#[test]
fn evidence_is_fresh_in_a_repository_of_sha_256() {
    let sandbox = Sandbox::without_git();
    sandbox.git(&["init", "--quiet", "--object-format=sha256"]);
    sandbox.run(&["init"]).expect_code(0);
    sandbox.write_project("src/auth.rs", "one\n");
    record(&sandbox);
    for arguments in [&[][..], &["--staged"], &["--base", "HEAD"]] {
        assert_eq!(found(&sandbox, arguments), [""; 0], "{arguments:?}");
    }
    sandbox.write_project("src/auth.rs", "two\n");
    assert_eq!(found(&sandbox, &[]), ["provenance-stale decisions/tokens.md:3"]);
}

/// Lays all files out anew, as a clone under the settings of today would.
fn lay_out_again(sandbox: &Sandbox) {
    sandbox.git(&["rm", "-r", "--cached", "--quiet", "."]);
    sandbox.git(&["reset", "--hard", "--quiet"]);
}

#[test]
fn line_ends_that_git_brings_are_no_change() {
    let sandbox = Sandbox::new();
    sandbox.write_project("src/auth.rs", "one\ntwo\n");
    record(&sandbox);
    sandbox.git(&["config", "core.autocrlf", "true"]);
    lay_out_again(&sandbox);
    let text = std::fs::read_to_string(sandbox.project().join("src/auth.rs")).unwrap();
    assert_eq!(text, "one\r\ntwo\r\n");
    assert_eq!(found(&sandbox, &[]), [""; 0]);
    sandbox.git(&["config", "core.autocrlf", "false"]);
    sandbox.write_project(".gitattributes", "*.rs text eol=crlf\n");
    sandbox.commit("attributes");
    lay_out_again(&sandbox);
    assert_eq!(found(&sandbox, &[]), [""; 0]);
    sandbox.write_project("src/auth.rs", "one\r\nthree\r\n");
    assert_eq!(found(&sandbox, &[]), ["provenance-stale decisions/tokens.md:3"]);
}

#[test]
fn line_ends_that_git_keeps_are_kept() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "core.autocrlf", "true"]);
    sandbox.write_project(".gitattributes", "*.rs -text\n");
    sandbox.write_project("src/auth.rs", "one\r\ntwo\r\n");
    sandbox.commit("kept");
    record(&sandbox);
    let id = sandbox.git(&["rev-parse", "HEAD:src/auth.rs"]);
    assert!(sandbox.file("decisions/tokens.md").contains(&id[..12]), "{id}");
    assert_eq!(found(&sandbox, &["--staged"]), [""; 0]);
}

#[test]
fn a_file_that_git_does_not_keep_yet_has_the_id_that_it_will_have() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "core.autocrlf", "true"]);
    sandbox.write_project("src/auth.rs", "one\r\ntwo\r\n");
    record(&sandbox);
    let id = sandbox.git(&["rev-parse", "HEAD:src/auth.rs"]);
    assert!(sandbox.file("decisions/tokens.md").contains(&id[..12]), "{id}");
}

#[cfg(unix)]
#[test]
fn a_link_is_what_it_leads_to() {
    let sandbox = Sandbox::new();
    sandbox.write_project("src/real.rs", "one\n");
    std::os::unix::fs::symlink("real.rs", sandbox.project().join("src/auth.rs")).unwrap();
    record(&sandbox);
    for arguments in [&[][..], &["--staged"], &["--base", "HEAD~1"]] {
        assert_eq!(found(&sandbox, arguments), [""; 0], "{arguments:?}");
    }
    sandbox.write_project("src/real.rs", "two\n");
    assert_eq!(found(&sandbox, &[]), ["provenance-stale decisions/tokens.md:3"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_memory_or_into_what_git_keeps_for_itself_is_no_evidence() {
    let sandbox = Sandbox::new();
    for (name, target) in [
        ("settings.txt", ".git/config"),
        ("folder", ".git"),
        ("memory.md", ".agent-memory/conventions.md"),
        ("again.txt", "settings.txt"),
    ] {
        std::os::unix::fs::symlink(target, sandbox.project().join(name)).unwrap();
    }
    for cited in ["settings.txt", "folder/config", "memory.md", "again.txt", ".Git/config"] {
        let mut request = decision();
        request["sources"] = json!([{ "type": "file", "ref": cited }]);
        sandbox.propose(request).rejected("provenance_violation");
    }
}

/// Records a decision about a file that git converts, and looks at it from all sides.
fn stays_fresh(sandbox: &Sandbox, attributes: &str, text: impl AsRef<[u8]>) {
    sandbox.write_project(".gitattributes", attributes);
    sandbox.commit("attributes");
    sandbox.write_project("src/auth.rs", text);
    sandbox.git(&["add", "--all"]);
    record(sandbox);
    for arguments in [&[][..], &["--staged"], &["--base", "HEAD"], &["--base", "HEAD~1"]] {
        assert_eq!(found(sandbox, arguments), [""; 0], "{attributes} {arguments:?}");
    }
    let stored = sandbox.git(&["rev-parse", "HEAD:src/auth.rs"]);
    assert!(sandbox.file("decisions/tokens.md").contains(&stored[..12]), "{attributes}");
    sandbox.write_project("src/auth.rs", "other\n");
    assert_eq!(found(sandbox, &[]), ["provenance-stale decisions/tokens.md:3"], "{attributes}");
}

#[test]
fn evidence_that_a_filter_stores_is_what_git_has() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "filter.upper.clean", "tr a-z A-Z"]);
    sandbox.git(&["config", "filter.upper.smudge", "tr A-Z a-z"]);
    stays_fresh(&sandbox, "*.rs filter=upper\n", "one\ntwo\n");
}

#[test]
fn evidence_with_an_expanded_id_or_another_encoding_is_what_git_has() {
    stays_fresh(&Sandbox::new(), "src/* ident\n", "// $Id: 0123456789 $\none\n");
    let wide: Vec<u8> = "\u{FEFF}one\ntwo\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    stays_fresh(&Sandbox::new(), "src/auth.rs working-tree-encoding=UTF-16\n", wide);
    stays_fresh(&Sandbox::new(), "*.rs text ident\n", "// $Id$\r\none\r\n");
}

#[test]
fn a_filter_that_fails_leaves_evidence_unknown() {
    let sandbox = Sandbox::new();
    sandbox.write_project("src/auth.rs", "one\n");
    record(&sandbox);
    sandbox.write_project(".gitattributes", "*.rs filter=gone\n");
    sandbox.git(&["config", "filter.gone.clean", "/nowhere/program"]);
    sandbox.git(&["config", "filter.gone.required", "true"]);
    assert_eq!(found(&sandbox, &[]), [""; 0]);
    let hits = sandbox.run(&["search", "rotate", "--json"]).expect_code(0).json();
    assert_eq!(hits["results"][0]["freshness"], "unchecked");
}
