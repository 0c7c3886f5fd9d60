//! `agent-memory show`

use anstyle::Style;
use serde::Serialize;
use serde_json::{Value, json};

use super::call::{Context, Exit};
use super::environment;
use super::log::LogDocument;
use super::near_duplicates::near_text;
use super::output::{BAD, CARE, DONE, FAINT, GOOD, Output, TITLE};
use super::render::{affected, diff, field, remaining};
use crate::error::Result;
use crate::project::request::Reason;
use crate::project::verbs::{
    NamedPlace, Project, ShownProposal, ShownSection, ShownSource, Wanted, decisions_about,
    file_of_section, past_diffs, show_memory, show_proposal,
};
use crate::secrets::shown_name;
use crate::text::{span, visible_lines};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Id of a proposal or a unique part of it, a file (`conventions.md`), or a section: `conventions.md#section-id`,
    /// `conventions.md:40` as `search` prints it, or its id alone where no other section has it and no pending proposal is meant
    #[arg(required_unless_present = "latest")]
    what: Option<String>,
    /// Show the newest pending proposal
    #[arg(long, conflicts_with = "what")]
    latest: bool,
}

#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct Sections<T> {
    pub(super) sections: Vec<T>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = context.project()?;
    let Some(what) = &args.what else {
        let shown = show_proposal(project, &Wanted::Latest)??;
        context.output.answer(&shown, || text(&shown));
        return Ok(DONE);
    };
    // A word alone may be the id of a proposal, too.
    if NamedPlace::is_with_file(what) {
        let place = NamedPlace::find(project, what)??;
        let sections = show_memory(project, &place.file, place.section)??;
        print_sections(sections, context.output);
        return Ok(DONE);
    }
    named(what, project, context)
}

fn print_sections(sections: Vec<ShownSection>, output: Output) {
    if output.json {
        return output.document(&Sections { sections });
    }
    for section in sections {
        let id = section.id.map(|id| format!("#{id}")).unwrap_or_default();
        let place = format!("{}:{}{id}", shown_name(&section.path), section.line);
        let (hash, text) = (section.hash, visible_lines(&section.text));
        let is_told = |each: &&ShownSource| each.freshness.is_some_and(|word| word != "fresh");
        let told = section.sources.iter().filter(is_told).map(source);
        let told = told.map(|told| format!("{CARE}{}{CARE:#}\n", shown_name(&told)));
        let warned = section
            .warnings
            .iter()
            .map(|warning| format!("{CARE}warning: {}{CARE:#}\n", shown_name(warning)));
        let told: String = told.chain(warned).collect();
        output.data(&format!("{FAINT}{place}  hash {hash}{FAINT:#}\n{told}{text}\n\n"));
    }
}

/// Shows what has a name of one word: a pending proposal before a section, and a section before a decided proposal.
fn named(name: &str, project: &Project, context: &Context) -> Exit {
    let output = context.output;
    let refusal = match show_proposal(project, &Wanted::Named(name.to_owned()))? {
        Ok(shown) => {
            output.answer(&shown, || text(&shown));
            if let Ok(Some(file)) = file_of_section(project, name)? {
                let file = shown_name(&file);
                output.talk(&format!("note: `show {file}#{name}` shows the section `{name}`"));
            }
            return Ok(DONE);
        }
        Err(refusal) if refusal.reason != Reason::StagingNotFound => return Err(refusal.into()),
        Err(refusal) => refusal,
    };
    if let Some(file) = file_of_section(project, name)?? {
        print_sections(show_memory(project, &file, Some(name))??, output);
        return Ok(DONE);
    }
    let decided = decisions_about(project, name)?;
    if decided.is_empty() {
        return Err(refusal.into());
    }
    show_decided(decided, project, context)?;
    Ok(DONE)
}

fn show_decided(mut entries: Vec<Value>, project: &Project, context: &Context) -> Result<()> {
    let diffs = past_diffs(project, &entries)?;
    if context.output.json {
        for (entry, diffs) in entries.iter_mut().zip(diffs).filter(|(_, diffs)| !diffs.is_empty()) {
            entry["diffs"] = json!(diffs);
        }
        context.output.document(&LogDocument { decisions: entries, lost: 0, hint: None });
        return Ok(());
    }
    let columns = environment::columns();
    for (entry, diffs) in entries.iter().zip(&diffs) {
        context.output.data(&super::log::decision(entry, diffs, columns));
    }
    Ok(())
}

pub(super) fn text(shown: &ShownProposal) -> String {
    let pending = &shown.pending;
    let mut text = format!("{TITLE}proposal {}{TITLE:#}\n", pending.id);
    let columns = environment::columns();
    let plain = Style::new();
    let mut line = |name: &str, value: &str, style: Style| {
        if !value.is_empty() {
            text += &field(name, 10, value, style, columns);
        }
    };
    line("intent", &pending.intent, plain);
    line("why", pending.rationale.as_deref().unwrap_or_default(), plain);
    line("by", pending.owner.as_deref().unwrap_or_default(), plain);
    let sources: Vec<String> = shown.sources.iter().map(source).collect();
    line("sources", &sources.join(", "), plain);
    let pending_for = format!("{}, {}", span(pending.age_seconds), remaining(pending.seconds_left));
    line("pending", &pending_for, plain);
    line("digest", shown.digest.as_deref().unwrap_or_default(), plain);
    match (&pending.readiness.reason, &pending.readiness.message) {
        (Some(reason), Some(message)) => line("applies", &format!("no, {reason}: {message}"), BAD),
        _ => line("applies", "yes", GOOD),
    }
    if let Some(by) = &pending.superseded_by {
        line("superseded", &format!("by {by}"), CARE);
    }
    shown.warnings.iter().for_each(|warning| line("warning", warning, CARE));
    for operation in shown.operations.as_array().into_iter().flatten() {
        // The diff does not show the reason of a removal.
        line("removes", operation["reason"].as_str().unwrap_or_default(), plain);
    }
    for section in &shown.affected_sections {
        text += &format!("  {}\n", affected(section));
    }
    if shown.diffs.is_empty() {
        text += &asked(&shown.operations);
    }
    for file in &shown.diffs {
        text += &format!("\n{}", diff(&file.diff));
    }
    text + &near_text(&shown.near_duplicates, columns)
}

pub(super) fn source(source: &ShownSource) -> String {
    let since = match (source.freshness, &source.moved_to) {
        (Some(word), Some(lines)) => format!(" ({word} to {lines})"),
        (Some(word), None) if word != "fresh" => format!(" ({word})"),
        _ => String::new(),
    };
    let numbers: Vec<String> =
        source.operations.iter().map(|number| (number + 1).to_string()).collect();
    let only = match numbers.len() {
        0 => String::new(),
        1 => format!(" for operation {}", numbers[0]),
        _ => format!(" for operations {}", numbers.join(", ")),
    };
    format!("{} {}{since}{only}", source.kind, source.reference)
}

/// Writes the operations of a proposal that cannot be applied.
pub(super) fn asked(operations: &Value) -> String {
    let mut text = String::new();
    for operation in operations.as_array().into_iter().flatten() {
        text += &format!(
            "\n{TITLE}asks for {}{TITLE:#}\n",
            shown_name(operation["operation"].as_str().unwrap_or_default())
        );
        for (name, value) in
            operation.as_object().into_iter().flatten().filter(|(name, _)| *name != "operation")
        {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let value = visible_lines(&value).replace('\n', "\n    ");
            text += &format!("  {}: {value}\n", shown_name(name));
        }
    }
    text
}
