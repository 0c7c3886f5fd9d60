//! `agent-memory log`

use serde_json::{Value, json};

use super::Context;
use super::output::{BAD, CARE, DONE, FAINT, GOOD, NO, Output};
use super::render::count;
use crate::chain::{Break, Verdict};
use crate::error::Result;
use crate::ops::{log, verify_log};
use crate::text::visible;

/// Show what was decided, youngest first
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Decisions at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Find out whether a line was cut off, changed or taken out; exits with 1 if so
    #[arg(long, conflicts_with = "limit")]
    verify: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    let workspace = context.workspace()?;
    let output = context.output;
    if args.verify {
        return Ok(print_verdict(&verify_log(&workspace)?, output));
    }
    let entries = log(&workspace, args.limit)?;
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

fn print_verdict(verdict: &Verdict, output: Output) -> u8 {
    let code = if verdict.unbroken { DONE } else { NO };
    if output.json {
        output.document(verdict);
        return code;
    }
    for Break { line, kind, message } in &verdict.findings {
        output.data(&format!("{BAD}line {line} {kind}{BAD:#}: {message}\n"));
    }
    let (style, word) = if verdict.unbroken { (GOOD, "unbroken") } else { (BAD, "broken") };
    let older = match verdict.unchained {
        0 => String::new(),
        unchained => format!("; {unchained} of them older than the chain"),
    };
    let decisions = count(verdict.decisions, "decision");
    output.data(&format!("{decisions}, chain {style}{word}{style:#}{older}\n"));
    code
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
    let (time, shown) = (visible(text("time")), visible(decision));
    let mut line = format!("{FAINT}{time}{FAINT:#} {style}{shown:<8}{style:#}");
    if !text("id").is_empty() {
        line += &format!(" {}", visible(text("id")));
    }
    for (word, name) in [(" by ", "approver"), (" from ", "owner")] {
        if !text(name).is_empty() {
            line += &format!("{FAINT}{word}{}{FAINT:#}", visible(text(name)));
        }
    }
    if entry["request_changed"] == true {
        line += &format!(" {CARE}edited after it was staged{CARE:#}");
    }
    let reason = visible(text("reason")).replace('\n', " ");
    if reason.is_empty() { line + "\n" } else { format!("{line}\n    {reason}\n") }
}
