//! `agent-memory search`

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::call::{Context, Exit};
use super::columns::{cut, wrap};
use super::environment;
use super::output::{CARE, DONE, FAINT, NO, TITLE};
use super::snippet::snippet_text;
use super::values::at_least_one;
use crate::contract::Confidence;
use crate::project::verbs::{Answers, Found, Freshness, Order, Query, Session, search};
use crate::secrets::shown_name;
use crate::text::visible;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The question, in any words; behind `--` if it begins with a dash
    #[arg(required = true)]
    words: Vec<String>,
    /// Print at most this many results
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = at_least_one)]
    limit: usize,
    /// Skip this many results, at most 10000
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Choose what comes first: the best answers, or the newest of them
    #[arg(long, value_name = "ORDER", default_value = "score")]
    sort: SortOrder,
    /// Search only this category
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Search only this file, or the files that match a pattern such as `modules/*`
    #[arg(long, value_name = "GLOB")]
    file: Option<String>,
    /// Find only what is from this day, month, year or time (`2026-11-20`, `2026-11`), this age (`12h`, `7d`, `2w`),
    /// `yesterday`, `3 days ago`, `last week` or `this month`, or newer; whole days count, by your clock (`TZ`)
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Find only what is from this time, to its end, or older; whole days count
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Find only sections with a source of this confidence
    #[arg(long, value_name = "WORD", value_parser = read_confidence)]
    confidence: Option<Confidence>,
    /// Find only sections whose cited files are in this state
    #[arg(long, value_name = "WORD")]
    freshness: Option<SectionState>,
    /// Search archived sections, too
    #[arg(long)]
    include_archived: bool,
    /// Search the notes of other branches, too
    #[arg(long)]
    all_branches: bool,
    /// Print what each signal adds to the score
    #[arg(long)]
    explain: bool,
    /// Read the question as an expression of SQLite's FTS5
    #[arg(long)]
    raw: bool,
    /// Exit with 1 if nothing is found
    #[arg(long)]
    exit_code: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum SortOrder {
    Score,
    Time,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum SectionState {
    Fresh,
    Moved,
    Stale,
    Missing,
}

impl SectionState {
    pub(super) fn freshness(self) -> Freshness {
        match self {
            Self::Fresh => Freshness::Fresh,
            Self::Moved => Freshness::Moved,
            Self::Stale => Freshness::Stale,
            Self::Missing => Freshness::Missing,
        }
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Results<'a> {
    results: Vec<Explained<'a>>,
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Explained<'a> {
    #[serde(flatten)]
    found: &'a Found,
    /// What each signal adds to the score.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<BTreeMap<&'static str, f64>>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let text = args.words.join(" ");
    let query = args.query(&text, &context.session);
    let project = context.project()?;
    let Answers { found, warnings, rebuilt, suggestion, hint } = search(project, &query)?;
    let output = context.output;
    if let Some(why) = rebuilt.filter(|_| output.verbose) {
        output.talk(&format!("the search index {why}; it was rebuilt"));
    }
    if output.json {
        let explain =
            |found: &Found| args.explain.then(|| found.explanation.iter().copied().collect());
        let result = |found| Explained { explanation: explain(found), found };
        let results = found.iter().map(result).collect();
        output.document(&Results { results, warnings, suggestion, hint });
    } else {
        let columns = environment::columns();
        found.iter().for_each(|each| output.data(&text_of(each, args.explain, columns)));
        output.warn_each(&warnings);
        if found.is_empty() {
            output.talk("nothing found");
        }
        if let Some(suggestion) = suggestion {
            output.talk(&format!("did you mean: {}?", shown_name(&suggestion)));
        }
        if let Some(hint) = hint {
            output.talk(&format!("hint: {}", shown_name(&hint)));
        }
    }
    Ok(if found.is_empty() && args.exit_code { NO } else { DONE })
}

impl Args {
    fn query<'a>(&'a self, text: &'a str, session: &'a Session) -> Query<'a> {
        Query {
            raw: self.raw,
            limit: self.limit,
            offset: self.offset,
            order: match self.sort {
                SortOrder::Score => Order::Score,
                SortOrder::Time => Order::Time,
            },
            category: self.category.as_deref(),
            file: self.file.as_deref(),
            since: self.since.as_deref(),
            until: self.until.as_deref(),
            confidence: self.confidence,
            freshness: self.freshness.map(SectionState::freshness),
            include_archived: self.include_archived,
            all_branches: self.all_branches,
            ..Query::new(text, session.now, &session.zone)
        }
    }
}

pub(super) fn read_confidence(text: &str) -> std::result::Result<Confidence, String> {
    let all = || Confidence::ALL.iter().map(|each| each.name()).collect::<Vec<_>>().join(", ");
    Confidence::parse(text).ok_or_else(|| format!("allowed are {}", all()))
}

/// Writes `path:line`, which editors open, with the headings and the best lines.
fn text_of(found: &Found, explain: bool, columns: usize) -> String {
    let id = found.id.as_ref().map(|id| format!("  {FAINT}#{id}{FAINT:#}")).unwrap_or_default();
    let mut text = format!("{TITLE}{}:{}{TITLE:#}{id}", shown_name(&found.path), found.line);
    let freshness = found.freshness.filter(|word| *word != "fresh").map(str::to_owned);
    let archived = found.archived.then(|| "archived".to_owned());
    for mark in
        [found.told_branch(), found.told_outdated(), freshness, archived].into_iter().flatten()
    {
        text += &format!("  {CARE}{mark}{CARE:#}");
    }
    if let Some(confidence) = found.confidence {
        text += &format!("  {FAINT}{confidence}{FAINT:#}");
    }
    let headings = found.heading.join(" > ");
    let title = if headings.is_empty() { "(no heading)" } else { &headings };
    text += &format!("\n  {}\n", cut(&visible(title), columns - 2));
    text += &snippet_text(&found.snippet, &found.matches, columns);
    let faint = |words: &str| {
        let lines = wrap(words, columns - 2);
        lines.lines().map(|line| format!("  {FAINT}{line}{FAINT:#}\n")).collect::<String>()
    };
    if !found.duplicates.is_empty() {
        text += &faint(&format!("also {}", shown_name(&found.duplicates.join(", "))));
    }
    if explain {
        let part = |(name, value): &(&str, f64)| format!("{name} {value:+.2}");
        let parts = found.explanation.iter().map(part).collect::<Vec<_>>().join(", ");
        text += &faint(&format!("score {:.2}: {parts}", found.score));
    }
    text
}
