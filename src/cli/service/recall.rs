//! `agent-memory service recall`

use std::io::IsTerminal;

use super::print::{table, told_if};
use crate::cli::call::Context;
use crate::cli::output::{FAINT, Output, TITLE};
use crate::cli::values::at_least_one;
use crate::contract::{Stretch, Timestamp};
use crate::error::{Error, ErrorKind, Result};
use crate::project::verbs::Session;
use crate::secrets::shown_name;
use crate::service::request::{QueryParameters, RecallAnswer, RecallResult, RecallSort};
use crate::service::verbs::{self, ServiceSession};
use crate::text::{excerpt, one_line, visible_lines};

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The question, in any words; behind `--` if it begins with a dash
    query: Vec<String>,
    /// Print at most this many memories, up to 100
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 5, value_parser = at_least_one)]
    limit: usize,
    /// Recall only memories with one of these tags, with commas between them; `docs` finds `docs:api` too
    #[arg(long, value_name = "TAGS")]
    tags: Vec<String>,
    /// Recall only memories that have all of the tags
    #[arg(long, requires = "tags")]
    all_tags: bool,
    /// Take each tag as a whole one
    #[arg(long, requires = "tags")]
    exact_tags: bool,
    /// Recall no memory with one of these tags
    #[arg(long, value_name = "TAGS")]
    exclude_tags: Vec<String>,
    /// Recall only what was made since this time: a day, month or year (`2026-11-20`, `2026-11`), an age (`12h`, `7d`),
    /// `yesterday` or `last week`
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Recall only what was made up to the end of this time
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Recall only what was made in this stretch of time, such as `last 7 days`
    #[arg(long, value_name = "PHRASE")]
    time_query: Option<String>,
    /// Choose what comes first: `score`, `time_desc`, `time_asc`, `updated_desc` or `updated_asc`
    #[arg(long, value_name = "ORDER", value_parser = sort_order)]
    sort: Option<RecallSort>,
    /// Recall what does not hold any more, too
    #[arg(long)]
    history: bool,
    /// Add memories that are related to the answers
    #[arg(long)]
    expand: bool,
    /// Let newer memories come first
    #[arg(long)]
    recent: bool,
    /// Recall only memories with at least this score, 0 to 1
    #[arg(long, value_name = "NUMBER", value_parser = super::fields::number)]
    min_score: Option<f64>,
    /// Exit with 1 if nothing is found
    #[arg(long)]
    exit_code: bool,
}

pub(super) fn run(args: &Args, session: &ServiceSession, context: &Context) -> Result<u8> {
    let parameters = args.parameters(&context.session)?;
    let is_good = |answer: &RecallAnswer| !(args.exit_code && answer.results.is_empty());
    let output = context.output;
    told_if(output, verbs::recall(session, &parameters), is_good, |answer| print(answer, output))
}

impl Args {
    fn parameters(&self, session: &Session) -> Result<QueryParameters> {
        let since =
            self.since.as_deref().map(|text| stretch("--since", text, session)).transpose()?;
        let until =
            self.until.as_deref().map(|text| stretch("--until", text, session)).transpose()?;
        let start = since.map(|stretch| Timestamp::from(stretch.first).to_string());
        let flag = |given: bool, value: &str| given.then(|| value.to_owned());
        let list = |values: &[String]| (!values.is_empty()).then(|| values.join(","));
        let parameters = [
            ("query", Some(self.query.join(" "))),
            ("limit", Some(self.limit.to_string())),
            ("tags", list(&self.tags)),
            ("tag_mode", flag(self.all_tags, "all")),
            ("tag_match", flag(self.exact_tags, "exact")),
            ("exclude_tags", list(&self.exclude_tags)),
            ("start", start),
            ("end", until.map(end_of)),
            ("time_query", self.time_query.clone()),
            ("sort", self.sort.map(|sort| sort.name().to_owned())),
            ("state_mode", flag(self.history, "history")),
            ("expand_relations", flag(self.expand, "true")),
            ("recency_bias", flag(self.recent, "on")),
            ("min_score", self.min_score.map(|score| score.to_string())),
        ];
        let given =
            parameters.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Ok(QueryParameters(given.collect()))
    }
}

/// Returns the last microsecond of a stretch of time.
fn end_of(stretch: Stretch) -> String {
    let last = Timestamp::from(stretch.last).microseconds() + 999_999;
    Timestamp::from_microseconds(last).to_string()
}

fn stretch(option: &str, text: &str, session: &Session) -> Result<Stretch> {
    Stretch::read(text, session.now, &session.zone).ok_or_else(|| {
        let message = format!("`{}` is no time for `{option}`", excerpt(text));
        Error::new(ErrorKind::Usage, message).hint(Stretch::ALLOWED)
    })
}

fn sort_order(word: &str) -> std::result::Result<RecallSort, String> {
    let known = RecallSort::parse(word);
    known.ok_or_else(|| format!("allowed are {}", RecallSort::NAMES.join(", ")))
}

fn print(answer: &RecallAnswer, output: Output) {
    match std::io::stdout().is_terminal() {
        true => output.data(&as_table(&answer.results)),
        false => answer.results.iter().for_each(|result| output.data(&as_text(result))),
    }
    output.warn_each(&answer.warnings);
    if answer.results.is_empty() {
        output.talk("nothing found");
    }
}

fn as_table(results: &[RecallResult]) -> String {
    let row = |result: &RecallResult| {
        let memory = &result.memory;
        let score = format!("{:.2}", result.final_score);
        [
            score,
            memory.kind.clone(),
            one_line(&memory.content),
            memory.tags.join(", "),
            memory.id.to_string(),
        ]
    };
    table(["SCORE", "TYPE", "MEMORY", "TAGS", "ID"], results.iter().map(row))
}

fn as_text(result: &RecallResult) -> String {
    let RecallResult { id, final_score, memory, .. } = result;
    let kind = shown_name(&memory.kind);
    let mut text =
        format!("{TITLE}{id}{TITLE:#}  {kind}  {FAINT}score {final_score:.2}{FAINT:#}\n");
    for line in visible_lines(&memory.content).lines() {
        text += &format!("  {line}\n");
    }
    if !memory.tags.is_empty() {
        text += &format!("  {FAINT}{}{FAINT:#}\n", shown_name(&memory.tags.join(", ")));
    }
    text
}
