//! `agent-memory search`

use serde_json::json;

use super::Context;
use super::output::{CARE, DONE, FAINT, GOOD, NO, TITLE};
use crate::error::Result;
use crate::ops::{Found, Query, search};
use crate::text::visible;

/// Find the sections that answer a question best
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The question; any text, behind `--` if it begins with a dash
    #[arg(required = true)]
    words: Vec<String>,
    /// Results at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// Results to pass over
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Only this category
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Only this file, or the files that a pattern such as `modules/*` fits
    #[arg(long, value_name = "GLOB")]
    file: Option<String>,
    /// Archived sections too
    #[arg(long)]
    include_archived: bool,
    /// Exit with 1 if nothing is found
    #[arg(long)]
    exit_code: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    let query = Query {
        text: &args.words.join(" "),
        limit: args.limit,
        offset: args.offset,
        category: args.category.as_deref(),
        file: args.file.as_deref(),
        include_archived: args.include_archived,
    };
    let (found, warnings) = search(&context.workspace()?, &query)?;
    let output = context.output;
    if output.json {
        output.document(&json!({ "results": found, "warnings": warnings }));
    } else {
        found.iter().for_each(|each| output.data(&text(each)));
        warnings.iter().for_each(|warning| output.warn(warning));
        if found.is_empty() {
            output.talk("nothing found");
        }
    }
    Ok(if found.is_empty() && args.exit_code { NO } else { DONE })
}

/// Writes a result as `path:line`, which editors open, with its headings and best lines.
fn text(found: &Found) -> String {
    let id =
        found.section_id.as_ref().map(|id| format!("  {FAINT}#{id}{FAINT:#}")).unwrap_or_default();
    let mut text = format!("{TITLE}{}:{}{TITLE:#}{id}", visible(&found.path), found.line);
    for mark in
        [found.freshness.filter(|word| *word != "fresh"), found.archived.then_some("archived")]
    {
        text += &mark.map(|mark| format!("  {CARE}{mark}{CARE:#}")).unwrap_or_default();
    }
    text += &format!("\n  {}\n", visible(&found.heading.join(" > ")));
    for line in marked(found).lines() {
        text += &format!("    {line}\n");
    }
    text
}

/// Colours the words of the question in a snippet.
fn marked(found: &Found) -> String {
    let (mut text, mut at) = (String::new(), 0);
    for (start, end) in &found.matches {
        let (Some(before), Some(word)) =
            (found.snippet.get(at..*start), found.snippet.get(*start..*end))
        else {
            continue;
        };
        text += &format!("{}{GOOD}{}{GOOD:#}", shown(before), shown(word));
        at = *end;
    }
    text + &shown(&found.snippet[at..])
}

fn shown(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}
