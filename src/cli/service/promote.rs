//! `agent-memory service promote`: a memory becomes a proposal for a project.

use serde_json::json;

use super::print::refuse;
use crate::cli::approval::person_present;
use crate::cli::call::{Context, Exit};
use crate::cli::environment;
use crate::cli::promotion::{Promotion, PromotionArgs};
use crate::cli::user::print::refuse as refuse_absent_person;
use crate::service::request::MemoryDocument;
use crate::service::verbs::{self, ServiceSession};

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Id of the memory
    id: String,
    #[command(flatten)]
    promotion: PromotionArgs,
}

/// Proposes the memory, for a person to review; it stays as it is.
pub(super) fn run(args: &Args, session: &ServiceSession, context: &Context) -> Exit {
    let memory = match verbs::get(session, &args.id)? {
        Ok(got) => got.memory,
        Err(refusal) => return Ok(refuse(context.output, &refusal)),
    };
    let project = context.project_to_write()?;
    // An agent that stored the memory could bring it before the reviewers of a project as what a person said.
    if let Err(refusal) = person_present(&project.folders(), "service promote")? {
        return Ok(refuse_absent_person(context.output, &refusal.about(&args.id)));
    }
    let promotion = Promotion {
        heading: heading(&memory),
        content: &memory.content,
        origin: "promoted from the memory service",
        sources: json!([
            { "type": "user", "ref": environment::account().unwrap_or_default() },
            { "type": "external", "ref": format!("memory {}", memory.id) },
        ]),
    };
    Ok(args.promotion.propose(&promotion, project, context.output)?)
}

/// Returns the first words of a memory.
fn heading(memory: &MemoryDocument) -> String {
    const WORDS: usize = 8;
    let line = memory.content.lines().next().unwrap_or_default();
    let sentence = line.split(['.', '!', '?', ':', ';']).next().unwrap_or_default();
    let words = sentence.split_whitespace().map(|word| word.trim_matches(['#', '*', '`']));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).take(WORDS).collect();
    match words.is_empty() {
        true => memory.kind.clone(),
        false => words.join(" "),
    }
}
