//! `agent-memory confirm`

use serde::Serialize;

use super::call::{Context, Exit};
use super::output::{CARE, DONE, NO};
use super::render;
use super::review::page::ShownPage;
use super::written::{Author, WriterArgs, code};
use crate::contract::Confidence;
use crate::error::{Error, ErrorKind, Result};
use crate::project::request::{Answer, Outcome, Reason, Refusal};
use crate::project::verbs::{Confirmation, ConfirmedSource, Project, confirmation};
use crate::secrets::shown_name;
use crate::text::count;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The sections, or their ids where no other section has them
    #[arg(value_name = "FILE#SECTION", required = true)]
    what: Vec<String>,
    /// Do not ask first where the cited lines changed
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    writer: WriterArgs,
}

/// What became of each section, in the order in which they were named.
#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct Confirmed {
    results: Vec<Outcome>,
    /// The sources of the sections that were found, as they were before.
    evidence: Vec<ConfirmedEvidence>,
}

#[derive(Serialize, schemars::JsonSchema)]
struct ConfirmedEvidence {
    /// `FILE#SECTION`.
    section: String,
    sources: Vec<ConfirmedSource>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = context.project()?;
    let author = args.writer.author(project, "confirm")??;
    let mut read = Vec::new();
    for what in &args.what {
        read.push((what.as_str(), confirmation(project, what)?));
    }
    let changed: String =
        read.iter().filter_map(|(_, found)| found.as_ref().ok()).map(page).collect();
    let is_asked = !changed.is_empty() && !args.yes && matches!(author, Author::Person(_));
    if !changed.is_empty() && !says_yes(changed, is_asked, context)? {
        context.output.talk("nothing was confirmed");
        return Ok(NO);
    }
    let (mut results, mut evidence) = (Vec::new(), Vec::new());
    for (what, found) in read {
        let found = if is_asked { as_shown(project, what, found)? } else { found };
        let outcome = match &found {
            Ok(found) => author.write(project, &found.request)?,
            Err(refusal) => Outcome::Rejected((**refusal).clone()),
        };
        if !context.output.json {
            tell(&outcome, found.as_ref().ok(), context);
        }
        results.push(outcome);
        let known = |found: Confirmation| ConfirmedEvidence {
            section: found.section,
            sources: found.sources,
        };
        evidence.extend(found.ok().map(known));
    }
    let worst = results.iter().map(code).max().unwrap_or(DONE);
    if context.output.json {
        context.output.document(&Confirmed { results, evidence });
    }
    Ok(worst)
}

/// Writes what a person has to read before: how the lines changed that a section cites.
fn page(found: &Confirmation) -> String {
    let changed = found.sources.iter().filter_map(|source| source.difference.as_deref());
    let shown: String = changed.map(render::diff).collect();
    let title = format!("{}\n", shown_name(&found.section));
    if shown.is_empty() { shown } else { title + &shown }
}

/// Lines that are shown where the program does not ask.
const SHOWN: usize = 40;

/// Shows what changed, and asks about it once.
fn says_yes(changed: String, is_asked: bool, context: &Context) -> Result<bool> {
    let output = context.output;
    if is_asked && output.at_terminal() {
        return ShownPage::show(changed, output).confirm("Is it still true?");
    }
    if !output.json {
        let lines = changed.lines().count();
        let shown = changed.split_inclusive('\n').take(SHOWN).collect::<String>();
        let more = count(lines.saturating_sub(SHOWN), "more line");
        let more =
            if lines > SHOWN { format!("{CARE}… {more}{CARE:#}\n") } else { String::new() };
        output.data(&(shown + &more));
    }
    if is_asked {
        let message = "`confirm` asks first where cited lines changed, and there is no terminal";
        return Err(Error::new(ErrorKind::Usage, message).hint("give `--yes`"));
    }
    Ok(true)
}

/// Reads again what a person was asked about: they said yes to what they saw.
fn as_shown(
    project: &Project,
    what: &str,
    shown: Answer<Confirmation>,
) -> Result<Answer<Confirmation>> {
    Ok(match (shown, confirmation(project, what)?) {
        (Ok(shown), Ok(now)) if shown != now => {
            let message = format!("`{}` or what it cites changed after it was shown", now.section);
            let hint = "run `agent-memory confirm` again: it shows what is there now";
            Err(Refusal::new(Reason::ApprovalStale, message, hint))
        }
        (_, now) => now,
    })
}

fn tell(outcome: &Outcome, found: Option<&Confirmation>, context: &Context) {
    render::told(outcome, context.output);
    let Some(found) = found.filter(|_| !matches!(outcome, Outcome::Rejected(_))) else { return };
    for source in &found.sources {
        let (reference, confidence) = (shown_name(&source.reference), source.confidence);
        if let Some(why) = source.kept {
            let remedy = source.remedy(&found.section);
            let remedy = format!("name where it stands now: {}", shown_name(&remedy));
            context.output.warn(&format!("`{reference}` stays as it is: {why}; {remedy}"));
            continue;
        }
        if let Some(now) = &source.now {
            context.output.data(&format!("  {reference} -> {}\n", shown_name(now)));
        }
        if confidence != Confidence::Confirmed {
            let confirmed = Confidence::Confirmed;
            context
                .output
                .data(&format!("  {reference} confidence: {confidence} -> {confirmed}\n"));
        }
    }
}
