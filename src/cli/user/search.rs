//! `agent-memory user search`

use super::print::told_if;
use crate::cli::environment;
use crate::cli::output::{FAINT, Output, TITLE};
use crate::cli::snippet::snippet_text;
use crate::cli::values::{at_least_one, entry_type};
use crate::error::Result;
use crate::personal::request::{EntryType, FoundEntries, FoundEntry};
use crate::personal::verbs::{EntryQuestion, PersonalSession, search};
use crate::secrets::shown_name;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The question, in any words; behind `--` if it begins with a dash
    #[arg(required = true)]
    words: Vec<String>,
    /// Search only those of one type
    #[arg(long = "type", value_name = "TYPE", value_parser = entry_type)]
    kind: Option<EntryType>,
    /// Print at most this many entries
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 10, value_parser = at_least_one)]
    limit: usize,
    /// Exit with 1 if nothing is found
    #[arg(long)]
    exit_code: bool,
}

pub(super) fn run(args: &Args, session: &PersonalSession, output: Output) -> Result<u8> {
    let text = args.words.join(" ");
    let question = EntryQuestion { text: &text, kind: args.kind, limit: args.limit };
    let is_good = |found: &FoundEntries| !(args.exit_code && found.results.is_empty());
    told_if(output, search(session, &question), is_good, |found| print(found, output))
}

fn print(found: &FoundEntries, output: Output) {
    let columns = environment::columns();
    found.results.iter().for_each(|entry| output.data(&text_of(entry, columns)));
    output.warn_each(&found.warnings);
    if found.results.is_empty() {
        output.talk("nothing found");
    }
    if let Some(suggestion) = &found.suggestion {
        output.talk(&format!("did you mean: {}?", shown_name(suggestion)));
    }
}

fn text_of(entry: &FoundEntry, columns: usize) -> String {
    let FoundEntry { name, kind, description, snippet, matches, duplicates, .. } = entry;
    let (name, kind) = (shown_name(name), shown_name(kind));
    let mut text = format!("{TITLE}{name}{TITLE:#}  {FAINT}{kind}{FAINT:#}\n");
    if !description.is_empty() {
        text += &format!("  {}\n", shown_name(description));
    }
    text += &snippet_text(snippet, matches, columns);
    if !duplicates.is_empty() {
        text += &format!("  {FAINT}also {}{FAINT:#}\n", shown_name(&duplicates.join(", ")));
    }
    text
}
