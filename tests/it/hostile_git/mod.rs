//! A repository that means harm: what git brings is data, whatever it looks like.
//!
//! Each test makes a repository as an attacker would, and runs commands in it that only look, or that act on something
//! else. A program of the repository leaves a marker where it runs.

mod environment;
mod impostor;
mod patience;
mod unknown;
mod worktrees;

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Reply, Sandbox};

/// Returns the file that shows that a program of the repository ran.
fn marker(sandbox: &Sandbox) -> PathBuf {
    sandbox.root().join("marker")
}

/// Returns a program that leaves the marker, and hands on what it reads.
fn program(sandbox: &Sandbox) -> String {
    format!("touch '{}'; cat", marker(sandbox).display())
}

/// Says the state of the work, in the file of the branch.
fn state_of_the_work() -> Value {
    json!({
        "intent": "update_current",
        "operations": [{
            "operation": "append_section", "heading": "Where", "content": "- half of it is done",
        }],
    })
}

/// Returns all that a command says.
fn said(reply: &Reply) -> String {
    format!("{}{}", reply.stdout, reply.stderr)
}

fn write(path: PathBuf, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
