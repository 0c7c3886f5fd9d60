//! What `cite`, `confirm`, `new` and `edit` share: who writes, and what became of it.

use super::approval;
use super::call::Context;
use super::output::{DONE, NO};
use super::render;
use crate::error::Result;
use crate::project::request::{Answer, Outcome};
use crate::project::verbs::{Approval, Project, write_as, write_for_review};
use serde_json::Value;

// A doc comment here would become the help of each command that flattens this.
#[derive(Debug, clap::Args)]
pub(super) struct WriterArgs {
    /// Leave it pending, for a person to review; otherwise it is applied in your name
    #[arg(long)]
    stage: bool,
    /// Name of the person who writes; at a terminal git's `user.name` by default
    #[arg(long, value_name = "NAME", conflicts_with = "stage")]
    approver: Option<String>,
}

/// In whose name a request is written.
pub(super) enum Author {
    Person(Approval),
    /// A person reviews it later.
    Staged,
}

const ASKED: &str = "`--stage` was given";

impl WriterArgs {
    /// Returns the person who runs this, unless it is only to be staged. An agent is no person.
    pub(super) fn author(&self, project: &Project, command: &str) -> Result<Answer<Author>> {
        if self.stage {
            return Ok(Ok(Author::Staged));
        }
        let approval = approval::obtain(project, self.approver.as_deref(), command)?;
        Ok(approval.map(Author::Person).map_err(|mut refusal| {
            refusal.hint += "; `--stage` leaves it pending for a person";
            refusal
        }))
    }
}

impl Author {
    pub(super) fn write(&self, project: &Project, request: &Value) -> Result<Outcome> {
        match self {
            Self::Person(approval) => write_as(project, request, approval),
            Self::Staged => write_for_review(project, request, ASKED),
        }
    }
}

pub(super) fn code(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::Applied(_) | Outcome::Staged(_) => DONE,
        Outcome::Rejected(_) => NO,
    }
}

/// Prints what became of one request, and returns the exit code.
pub(super) fn finish(outcome: &Outcome, context: &Context) -> u8 {
    match context.output.json {
        true => context.output.document(outcome),
        false => render::told(outcome, context.output),
    }
    code(outcome)
}
