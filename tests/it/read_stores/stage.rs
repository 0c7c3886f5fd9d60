//! The stage: a store that reads others beside it.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::support::Sandbox;

/// The section of a decision.
pub(super) fn record(id: &str, text: &str) -> String {
    format!(
        "# About {id}\n<!-- @id: {id} -->\n<!-- @source: file src/auth/refresh.rs:1-4 0123456789ab confirmed 2026-11-20 -->\n\n- **Date:** 2026-11-01\n- **Status:** active\n\n{text}\n"
    )
}

/// Returns the folder of a store beside the project.
pub(super) fn beside(sandbox: &Sandbox, name: &str) -> PathBuf {
    sandbox.root().join(name).join(".agent-memory")
}

/// Writes files of a store beside the project.
pub(super) fn write_beside(sandbox: &Sandbox, name: &str, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = beside(sandbox, name).join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Writes the table that reads a store beside the project.
pub(super) fn read_beside(sandbox: &Sandbox, name: &str) {
    let table = format!("\n[[read]]\nname = \"{name}\"\npath = \"../{name}\"\n");
    sandbox.append("config.toml", &table);
}

/// A store that reads a handbook with one decision, and other files.
pub(super) fn with_handbook(files: &[(&str, &str)]) -> Sandbox {
    let sandbox = Sandbox::new();
    let text = record("ledger", "Postgres holds the ledger of all shops.");
    write_beside(&sandbox, "handbook", &[("decisions/ledger.md", text.as_str())]);
    write_beside(&sandbox, "handbook", files);
    read_beside(&sandbox, "handbook");
    sandbox
}

pub(super) fn results(sandbox: &Sandbox, words: &[&str]) -> Vec<Value> {
    let answer = sandbox.run(&[&["search", "--json"], words].concat()).expect_code(0).json();
    answer["results"].as_array().unwrap().clone()
}

pub(super) fn paths(results: &[Value]) -> Vec<&str> {
    results.iter().map(|it| it["path"].as_str().unwrap()).collect()
}
