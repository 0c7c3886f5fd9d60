//! `agent-memory log`

use serde_json::{Value, json};

use super::Context;
use super::output::{BAD, CARE, DONE, FAINT, GOOD};
use crate::error::Result;
use crate::ops::log;
use crate::text::visible;

/// Show what was decided, youngest first
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Decisions at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    limit: usize,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    let entries = log(&context.workspace()?, args.limit)?;
    let output = context.output;
    if output.json {
        output.document(&json!({ "decisions": entries }));
        return Ok(DONE);
    }
    entries.iter().for_each(|entry| output.data(&line(entry)));
    if entries.is_empty() {
        output.talk("nothing was decided yet");
    }
    Ok(DONE)
}

/// Writes a decision in one line, and its reason in another.
pub(super) fn line(entry: &Value) -> String {
    let text = |name: &str| entry[name].as_str().unwrap_or_default();
    let decision = text("decision");
    let style = match decision {
        "applied" => GOOD,
        "rejected" | "refused" => BAD,
        _ => CARE,
    };
    let mut line = format!("{FAINT}{}{FAINT:#} {style}{decision:<8}{style:#}", text("time"));
    if !text("id").is_empty() {
        line += &format!(" {}", text("id"));
    }
    for (word, name) in [(" by ", "approver"), (" from ", "owner")] {
        if !text(name).is_empty() {
            line += &format!("{FAINT}{word}{}{FAINT:#}", visible(text(name)));
        }
    }
    let reason = visible(text("reason")).replace('\n', " ");
    if reason.is_empty() { line + "\n" } else { format!("{line}\n    {reason}\n") }
}
