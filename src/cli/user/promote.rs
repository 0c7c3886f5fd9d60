//! `agent-memory user promote`: what one person noted becomes a proposal for a project.

use serde_json::json;

use super::print::refuse;
use crate::cli::approval::person_present;
use crate::cli::call::{Context, Exit};
use crate::cli::promotion::{Promotion, PromotionArgs};
use crate::personal::verbs::{PersonalSession, read_to_promote};
use crate::text::one_line;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Name of the entry
    name: String,
    #[command(flatten)]
    promotion: PromotionArgs,
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
    let promotion = Promotion {
        heading: in_words(entry.name.as_str()),
        content: &entry.body,
        origin: "promoted from a person's own memory",
        sources: json!([{ "type": "user", "ref": user }]),
    };
    Ok(args.promotion.propose(&promotion, project, context.output)?)
}

/// Returns a name such as `preferred-language` in words: `Preferred language`.
fn in_words(name: &str) -> String {
    let words = name.replace(['-', '_'], " ");
    let words = one_line(&words);
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.map_or_else(|| name.to_owned(), |first| first + letters.as_str())
}
