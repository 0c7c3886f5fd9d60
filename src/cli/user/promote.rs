//! `agent-memory user promote`: what one person noted becomes a proposal for a project.

use serde_json::json;

use super::print::refuse;
use crate::cli::approval::person_present;
use crate::cli::call::{Context, Exit};
use crate::cli::output::{DONE, NO, Output};
use crate::cli::render;
use crate::personal::verbs::{PersonalSession, PromotedEntry, read_to_promote};
use crate::project::request::{Intent, Outcome};
use crate::project::verbs::propose_for_review;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Name of the entry
    name: String,
    /// What the proposal is for, such as `add_pitfall`
    #[arg(long, default_value = "update_conventions", value_parser = parse_intent)]
    intent: Intent,
    /// The file of the project's memory, where the intent leaves a choice
    #[arg(long, value_name = "FILE")]
    path: Option<String>,
    /// The heading of the section; by default the name of the entry in words
    #[arg(long, value_name = "TEXT")]
    heading: Option<String>,
}

/// Proposes the entry, for a person to review; the entry stays as it is.
pub(super) fn run(args: &Args, session: &PersonalSession, context: &Context) -> Exit {
    let project_name = context.session.project_name()?;
    let entry = match read_to_promote(session, &args.name, project_name.as_deref())? {
        Ok(entry) => entry,
        Err(refusal) => return Ok(refuse(context.output, &refusal)),
    };
    let project = context.project_to_write()?;
    // An agent that wrote the entry could bring it before the reviewers of a project as what a person said.
    if let Err(refusal) = person_present(&project.folders(), "user promote")? {
        return Ok(refuse(context.output, &refusal.about(&args.name)));
    }
    let user = session.user.as_ref().map_or("", |user| user.as_str());
    let outcome = propose_for_review(project, request(args, &entry, user).into_bytes())?;
    match context.output.json {
        true => context.output.document(&outcome),
        false => print(&outcome, context.output),
    }
    Ok(if let Outcome::Rejected(_) = outcome { NO } else { DONE })
}

fn print(outcome: &Outcome, output: Output) {
    render::outcome(outcome, output);
    if let Outcome::Staged(staged) = outcome {
        let section = |section| format!("  {}\n", render::affected(section));
        output.data(&staged.affected_sections.iter().map(section).collect::<String>());
        output.warn_each(&staged.warnings);
        output.talk("pending until a person decides, with `agent-memory review`");
    }
}

fn request(args: &Args, entry: &PromotedEntry, user: &str) -> String {
    let heading = args.heading.clone().unwrap_or_else(|| in_words(entry.name.as_str()));
    json!({
        "intent": args.intent.name(),
        "rationale": format!("{heading}, promoted from a person's own memory"),
        "sources": [{ "type": "user", "ref": user }],
        "operations": [{
            "operation": "append_section",
            "path": args.path,
            "heading": heading,
            "content": entry.body,
        }],
    })
    .to_string()
}

/// Returns a name such as `preferred-language` in words: `Preferred language`.
fn in_words(name: &str) -> String {
    let words = name.replace(['-', '_'], " ");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.map_or_else(|| name.to_owned(), |first| first + letters.as_str())
}

fn parse_intent(word: &str) -> Result<Intent, String> {
    Intent::parse(word).ok_or_else(|| format!("allowed are {}", Intent::NAMES.join(", ")))
}
