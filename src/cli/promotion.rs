//! What a person promotes becomes a proposal for a project, from whatever memory it comes.

use serde_json::{Value, json};

use super::output::{DONE, NO, Output};
use super::render;
use crate::error::Result;
use crate::project::request::{Intent, Outcome};
use crate::project::verbs::{Project, propose_for_review};

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct PromotionArgs {
    /// What the proposal is for, such as `add_pitfall`
    #[arg(long, default_value = "update_conventions", value_parser = parse_intent)]
    intent: Intent,
    /// The file of the project's memory, where the intent leaves a choice
    #[arg(long, value_name = "FILE")]
    path: Option<String>,
    /// The heading of the section; by default made of what is promoted
    #[arg(long, value_name = "TEXT")]
    heading: Option<String>,
}

/// What is promoted.
pub(super) struct Promotion<'a> {
    /// The heading where the person gives none.
    pub(super) heading: String,
    pub(super) content: &'a str,
    /// Where it comes from, in words.
    pub(super) origin: &'static str,
    pub(super) sources: Value,
}

const PROMOTED: &str = "what a person promotes is always reviewed";

impl PromotionArgs {
    /// Proposes it for a review, prints the answer and returns the exit code.
    pub(super) fn propose(
        &self,
        promotion: &Promotion<'_>,
        project: &Project,
        output: Output,
    ) -> Result<u8> {
        let outcome = propose_for_review(project, self.request(promotion).into_bytes(), PROMOTED)?;
        match output.json {
            true => output.document(&outcome),
            false => print(&outcome, output),
        }
        Ok(if let Outcome::Rejected(_) = outcome { NO } else { DONE })
    }

    fn request(&self, promotion: &Promotion<'_>) -> String {
        let Promotion { content, origin, sources, .. } = promotion;
        let heading = self.heading.as_ref().unwrap_or(&promotion.heading);
        json!({
            "intent": self.intent.name(),
            "rationale": format!("{heading}, {origin}"),
            "sources": sources,
            "operations": [{
                "operation": "append_section",
                "path": self.path,
                "heading": heading,
                "content": content,
            }],
        })
        .to_string()
    }
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

fn parse_intent(word: &str) -> std::result::Result<Intent, String> {
    Intent::parse(word).ok_or_else(|| format!("allowed are {}", Intent::NAMES.join(", ")))
}
