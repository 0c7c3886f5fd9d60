//! A copy is no more readable than what it is of.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::requests::{convention, shared};
use crate::support::{Sandbox, files_in};

const PRIVATE: &str = "Only the owner reads that the vault stands in the cellar.";

/// Expects that no file of a store or of git's folder holds the private text and may be read by others.
#[track_caller]
fn expect_private(sandbox: &Sandbox) {
    for folder in [sandbox.store(), sandbox.project().join(".git/agent-memory")] {
        for (path, bytes) in files_in(&folder) {
            let mode = fs::metadata(folder.join(&path)).unwrap().permissions().mode();
            let holds = String::from_utf8_lossy(&bytes).contains("vault stands in the cellar");
            assert!(!holds || mode & 0o077 == 0, "{path} has {mode:o}");
        }
    }
}

fn close(sandbox: &Sandbox, path: &str) {
    fs::set_permissions(sandbox.store().join(path), Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn the_text_of_a_private_file_stands_in_private_copies_alone() {
    let text =
        format!("# Conventions\n\n## Vault\n<!-- @id: vault -->\n\nWhere it is.\n\n{PRIVATE}\n");
    let sandbox = Sandbox::given(&[("conventions.md", &text)]);
    close(&sandbox, "conventions.md");
    sandbox.run(&["search", "vault"]).expect_code(0);
    expect_private(&sandbox);
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    expect_private(&sandbox);
    sandbox.apply(&id).applied();
    expect_private(&sandbox);
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    expect_private(&sandbox);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.run(&["reject", &id, "--reason", "no"]).expect_code(0);
    expect_private(&sandbox);
}

#[test]
fn notes_that_only_their_owner_reads_stay_so_wherever_they_are_copied() {
    let sandbox = Sandbox::new();
    sandbox.propose(shared("Vault", "Nothing yet.")).applied();
    close(&sandbox, "local/shared.md");
    sandbox
        .propose(json!({"intent": "update_shared", "operations": [{
            "operation": "replace_section_content", "section_id": "vault", "content": PRIVATE,
        }]}))
        .applied();
    let note = json!({"intent": "update_current", "operations": [
        {"operation": "append_section", "heading": "Where", "content": "- here"},
    ]});
    sandbox.propose(note).applied();
    close(&sandbox, "local/current.main.md");
    sandbox.append("local/current.main.md", &format!("\n{PRIVATE}\n"));
    sandbox.run(&["status"]).expect_code(0);
    sandbox.run(&["search", "vault"]).expect_code(0);
    expect_private(&sandbox);
    // What everybody may read stays as it is.
    let mode = fs::metadata(sandbox.store().join("conventions.md")).unwrap().permissions().mode();
    assert_ne!(mode & 0o044, 0);
}

#[test]
fn only_the_owner_enters_the_folder_of_copies() {
    let sandbox = Sandbox::without_store();
    sandbox.run(&["init"]).expect_code(0);
    sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.run(&["status"]).expect_code(0);
    for folder in [".git/agent-memory", ".git/agent-memory/copies"] {
        let mode = fs::metadata(sandbox.project().join(folder)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{folder}");
    }
}
