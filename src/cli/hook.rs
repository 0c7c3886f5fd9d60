//! `agent-memory hook`

use std::io::IsTerminal;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::output::DONE;
use super::{Context, environment};
use crate::error::{ErrorKind, Result};
use crate::ops::{Place, Task, Workspace, context, read_request};

/// Answer a hook of an agent's client: print what to read when a session begins
///
/// CLIENT is claude, codex, gemini or cursor, EVENT the client's name of what happened. Nothing is printed
/// where there is no store, or for any other event. It never exits with 2, which clients read as "stop".
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The client
    client: Option<String>,
    /// What happened
    event: Option<String>,
}

/// Tokens of what is printed; clients cut what is longer than 10,000 characters.
const BUDGET: usize = 2_000;

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    let event = args.event.as_deref().unwrap_or_default().replace(['-', '_'], "");
    if !event.eq_ignore_ascii_case("sessionstart") {
        return Ok(DONE);
    }
    let input = match std::io::stdin().is_terminal() {
        true => Value::Null,
        false => serde_json::from_slice(&read_request(None)?).unwrap_or_default(),
    };
    let Some(text) = pack(&place(context, &input)?)? else { return Ok(DONE) };
    match args.client.as_deref() {
        Some("cursor") => context.output.document(&json!({ "additional_context": text })),
        Some("claude" | "codex" | "gemini") => context.output.document(&json!({
            "hookSpecificOutput": { "hookEventName": "SessionStart", "additionalContext": text },
        })),
        Some(_) | None => {}
    }
    Ok(DONE)
}

/// Returns where the client's session is, which need not be where it runs its hooks.
fn place(context: &Context, input: &Value) -> Result<Place> {
    let place = environment::place_of_client(context.root.clone(), context.wait)?;
    let named = input["cwd"].as_str().map(PathBuf::from).filter(|folder| folder.is_absolute());
    Ok(Place { folder: named.unwrap_or(place.folder), ..place })
}

fn pack(place: &Place) -> Result<Option<String>> {
    let workspace = match Workspace::open(place) {
        Err(error) if error.kind() == ErrorKind::StoreNotFound => return Ok(None),
        opened => opened?,
    };
    let task = Task { question: None, budget: BUDGET, scope: &[], changed: false };
    Ok(Some(context(&workspace, &task)?.text))
}
