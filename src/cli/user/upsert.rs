//! `agent-memory user upsert`

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::print;
use crate::cli::awaited::say_what_is_awaited;
use crate::cli::call::{Context, Exit};
use crate::cli::editor::Editor;
use crate::error::{Error, ErrorKind, Result};
use crate::personal::verbs::{
    self, PersonalSession, WholeEntry, check_update, create, keep_draft, read_whole, update,
};
use crate::text::utf8_text;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Name of the entry: A-Z, a-z, 0-9, `_` and `-`
    name: String,
    /// What it is for: `user`, `feedback`, `project` or `reference`
    #[arg(long = "type", value_name = "TYPE")]
    kind: String,
    /// The one line that the index shows
    #[arg(long, value_name = "TEXT")]
    description: String,
    /// Read the body from a file; `-` is stdin
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Replace only the text with this hash
    #[arg(long, value_name = "HASH")]
    if_hash: Option<String>,
}

/// Makes or replaces an entry; `named` is the person that the command line named.
pub(super) fn run(
    args: &Args,
    session: &PersonalSession,
    named: Option<&str>,
    context: &Context,
) -> Exit {
    let output = context.output;
    let file = args.file.as_deref().filter(|file| *file != Path::new("-"));
    if file.is_none() && std::io::stdin().is_terminal() {
        return write_at_terminal(args, session, named, context);
    }
    if file.is_none() {
        say_what_is_awaited("the body of the entry", output);
    }
    let request = args.request(&read_body(file)?, args.if_hash.as_deref());
    let tell = |change: &_| print::change(change, named, output);
    Ok(print::told(output, update(session, &request), tell)?)
}

impl Args {
    fn request(&self, body: &str, if_hash: Option<&str>) -> Value {
        json!({
            "action": "upsert", "name": self.name, "type": self.kind, "description": self.description,
            "body": body, "if_hash": if_hash,
        })
    }
}

/// Opens an editor with the body of the entry, if there is one. What the person wrote is kept where the change is refused
/// or fails.
fn write_at_terminal(
    args: &Args,
    session: &PersonalSession,
    named: Option<&str>,
    context: &Context,
) -> Exit {
    let output = context.output;
    // What no body can mend is refused before the person writes one.
    if let Err(refusal) = check_update(session, &args.request("-", args.if_hash.as_deref()))? {
        return Ok(print::refuse(output, &refusal));
    }
    // Without an entry, the editor opens with an empty text.
    let old = read_whole(session, &args.name)?.ok();
    let old_body = match &old {
        Some(WholeEntry { body: Some(body), .. }) => body,
        Some(WholeEntry { body: None, .. }) => {
            let message = format!(
                "`{}` holds what looks like a secret, which an editor would show",
                args.name
            );
            let hint = "take the secret out of its file, or send the new body on stdin";
            return Err(Error::new(ErrorKind::Usage, message).hint(hint).into());
        }
        None => "",
    };
    let remove = format!("`agent-memory user delete {}` removes the entry", args.name);
    let body = Editor::of(&context.session).edit_text(old_body, &remove)?;
    if body.trim().is_empty() {
        let hint =
            "nothing was changed; write the body of the entry there, or give it with `--file`";
        return Err(Error::new(ErrorKind::Usage, "the edited text is empty").hint(hint).into());
    }
    let seen = old.as_ref().map(|entry| entry.hash.as_str());
    let request = args.request(&body, args.if_hash.as_deref().or(seen));
    let answer = match old {
        Some(_) => update(session, &request),
        None => create(session, &request),
    };
    if !matches!(answer, Ok(Ok(_))) {
        let kept = keep_draft(&body)?;
        output.insist(&format!(
            "what you wrote is in {}; delete it when you are done",
            kept.display()
        ));
    }
    Ok(print::told(output, answer, |change| print::change(change, named, output))?)
}

fn read_body(file: Option<&Path>) -> Result<String> {
    let bytes = verbs::read_body(file)?;
    let text = utf8_text(&bytes).map_err(|what| {
        Error::new(ErrorKind::Usage, format!("the body {what}")).hint("send a text")
    })?;
    Ok(text.to_owned())
}
