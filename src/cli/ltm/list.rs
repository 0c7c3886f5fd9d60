//! `agent-memory ltm list`, `context` and `log`

use std::path::PathBuf;

use serde_json::Value;

use super::filter::FilterArgs;
use super::input::{read_context, read_context_file, read_json};
use crate::cli::call::Context;
use crate::cli::output::{DONE, FAINT, Output};
use crate::error::Result;
use crate::longterm::request::Generations;
use crate::longterm::verbs::{self, LongtermSession, PromptForm};
use crate::secrets::shown_name;
use crate::text::{one_line, visible_lines};

#[derive(Debug, clap::Args)]
pub(super) struct ContextArgs {
    /// Read the context from this file, in place of `{"context": {...}}` on stdin
    #[arg(long, value_name = "FILE")]
    context: Option<PathBuf>,
    /// Fill `{user}` and `{bot}` with the names of the conversation
    #[arg(long)]
    render: bool,
}

pub(super) fn run(args: &FilterArgs, session: &LongtermSession, context: &Context) -> Result<u8> {
    let (list, output) = (verbs::list(session, &args.filter(context)?)?, context.output);
    output.answer(&list, || {
        let mut text = String::new();
        for memory in &list.memories {
            let (id, owner, content) = (memory.id, shown_name(&memory.owner), &memory.content);
            let content = one_line(content);
            text += &format!(
                "ID:{id} {} {FAINT}{} {owner}, lineage {}{FAINT:#}\n",
                shown_name(&content),
                memory.scope,
                memory.lineage
            );
        }
        text
    });
    Ok(DONE)
}

pub(super) fn context(
    args: &ContextArgs,
    session: &LongtermSession,
    context: &Context,
) -> Result<u8> {
    let said: Value = match &args.context {
        Some(file) => read_context_file(file, context)?,
        None => read_json::<Value>(None, context)?
            .get_mut("context")
            .map(Value::take)
            .unwrap_or_default(),
    };
    let form = if args.render { PromptForm::Rendered } else { PromptForm::Stored };
    let prompt = verbs::context(session, &read_context(&said)?, form)?;
    let line_end = if prompt.text.is_empty() { "" } else { "\n" };
    context.output.answer(&prompt, || visible_lines(&prompt.text) + line_end);
    Ok(DONE)
}

pub(super) fn log(session: &LongtermSession, output: Output) -> Result<u8> {
    let log = verbs::log(session)?;
    output.answer(&log, || {
        let word = |line: &Value, name: &str| {
            shown_name(line[name].as_str().unwrap_or_default()).into_owned()
        };
        let line = |line: &Value| {
            let [time, action, about, actor] =
                ["time", "action", "about", "actor"].map(|name| word(line, name));
            format!("{time}\t{action}\t{about}\t{actor}\n")
        };
        log.lines.iter().map(line).collect()
    });
    Ok(DONE)
}

/// Writes generations, a key a line.
pub(super) fn lines_of(generations: &Generations) -> String {
    let line = |(key, number): (&String, &u64)| format!("{}\t{number}\n", shown_name(key));
    generations.generations.iter().map(line).collect()
}
