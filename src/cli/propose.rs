//! `agent-memory propose`

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::awaited::say_what_is_awaited;
use super::call::{Context, Exit};
use super::draft::warn_of_secret;
use super::editor::Editor;
use super::output::{DONE, NO};
use super::render;
use crate::error::{Error, ErrorKind, Result};
use crate::project::request::{Outcome, Reason};
use crate::project::verbs::{keep_text, propose, read_request};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Read the request from a file; `-` is stdin
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Open the request in the editor before it is sent; at a terminal, without a file, one to fill in
    #[arg(long)]
    edit: bool,
}

/// What `--edit` opens where there is no request yet.
const EXAMPLE: &str = r#"{
  "intent": "update_conventions",
  "rationale": "",
  "operations": [
    { "operation": "append_section", "heading": "", "content": "" }
  ],
  "sources": [{ "type": "file", "ref": "src/FILE:1-20" }]
}
"#;

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let output = context.output;
    let file = args.file.as_deref().filter(|file| *file != Path::new("-"));
    let is_typed = file.is_none() && std::io::stdin().is_terminal();
    if file.is_none() && !(is_typed && args.edit) {
        say_what_is_awaited("a request (`--schema` prints what it may hold)", output);
    }
    let mut bytes = match is_typed && args.edit {
        true => EXAMPLE.as_bytes().to_vec(),
        false => read_request(file)?,
    };
    if args.edit {
        let Some(edited) = edit(&bytes, is_typed, context)? else {
            output.talk("cancelled: nothing was written in the editor, so nothing was proposed");
            return Ok(NO);
        };
        bytes = edited.into_bytes();
    }
    let typed = args.edit.then(|| bytes.clone());
    let outcome = context.project_to_write().and_then(|project| propose(project, bytes));
    if let Some(text) =
        typed.filter(|_| !matches!(outcome, Ok(Outcome::Applied(_) | Outcome::Staged(_))))
    {
        let path = keep_text(&String::from_utf8_lossy(&text), ".json")?;
        let kept = path.display();
        output.insist(&format!("what you wrote is in {kept}: `agent-memory propose --edit --file {kept}` opens it again"));
        if let Ok(Outcome::Rejected(refusal)) = &outcome
            && refusal.reason == Reason::SecretDetected
        {
            warn_of_secret(&path, output);
        }
    }
    let outcome = outcome?;
    match output.json {
        true => output.document(&outcome),
        false => render::told(&outcome, output),
    }
    Ok(match outcome {
        Outcome::Applied(_) | Outcome::Staged(_) => DONE,
        Outcome::Rejected(_) => NO,
    })
}

/// Lets the person edit a request; nothing where they left it empty, or left the example as it is.
fn edit(bytes: &[u8], is_example: bool, context: &Context) -> Result<Option<String>> {
    if !std::io::stdout().is_terminal() {
        let error =
            Error::new(ErrorKind::Usage, "`--edit` opens an editor, which needs a terminal");
        return Err(error.hint("run it at a terminal, or send the request without `--edit`"));
    }
    let text = String::from_utf8_lossy(bytes);
    let text = match serde_json::from_str::<Value>(&text) {
        // Agents write all in one line.
        Ok(value) if text.trim().lines().count() == 1 => {
            serde_json::to_string_pretty(&value).expect("it was JSON") + "\n"
        }
        Ok(_) | Err(_) => text.into_owned(),
    };
    let edited = Editor::of(&context.session).edit(&text, ".json")?;
    let is_left = edited.trim().is_empty() || (is_example && edited == text);
    Ok(Some(edited).filter(|_| !is_left))
}
