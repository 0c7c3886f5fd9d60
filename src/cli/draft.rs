//! What `new` and `edit` share: the editor opens again until the text is taken, and no typed word is lost.

use std::io::IsTerminal;

use serde_json::Value;

use super::call::{Context, Exit};
use super::editor::Editor;
use super::environment;
use super::output::NO;
use super::written::{Author, WriterArgs, finish};
use crate::error::Result;
use crate::project::request::{Answer, Outcome, Reason, Refusal};
use crate::project::verbs::{
    Project, TextDraft, Writing, keep_text, with_refusal, without_comments,
};

// A doc comment here would become the help of each command that flattens this.
#[derive(Debug, clap::Args)]
pub(super) struct DraftArgs {
    /// Cite what it rests on, e.g. `src/auth.rs:10-20`; may be given several times
    #[arg(long, value_name = "SOURCE", value_parser = super::values::source)]
    source: Vec<Value>,
    #[command(flatten)]
    writer: WriterArgs,
}

impl DraftArgs {
    pub(super) fn author(&self, project: &Project, command: &str) -> Result<Answer<Author>> {
        self.writer.author(project, command)
    }

    /// Lets the person write until the request is taken or cancelled.
    pub(super) fn write(
        &self,
        draft: &TextDraft,
        author: &Author,
        project: &Project,
        context: &Context,
    ) -> Exit {
        let editor = Editor::of(&context.session);
        let person = person(author, project)?;
        let writing = Writing {
            sources: &self.source,
            person: person.as_deref(),
            is_approved: matches!(author, Author::Person(_)),
        };
        let (mut buffer, mut refused) = (draft.text.clone(), None);
        loop {
            let edited = editor.edit(&buffer, ".md")?;
            let text = without_comments(&edited);
            if text.trim().is_empty() || edited == buffer || text == without_comments(&draft.text) {
                return cancel(&buffer, refused, context);
            }
            let outcome = match author.write(project, &draft.request(&text, &writing)) {
                Ok(outcome) => outcome,
                Err(error) => {
                    keep(&text, context)?;
                    return Err(error.into());
                }
            };
            match outcome {
                Outcome::Rejected(refusal) => {
                    buffer = with_refusal(&text, &refusal);
                    let again = refused.replace(refusal).zip(refused.as_ref());
                    let is_same = again.is_some_and(|(old, new)| old.message == new.message);
                    // Without a person an editor that changes nothing that helps would be asked for ever.
                    if is_same && !std::io::stdin().is_terminal() {
                        return cancel(&buffer, refused, context);
                    }
                }
                Outcome::Applied(_) | Outcome::Staged(_) => return Ok(finish(&outcome, context)),
            }
        }
    }
}

/// Returns who writes; an agent that stages a text speaks for no person.
fn person(author: &Author, project: &Project) -> Result<Option<String>> {
    match author {
        Author::Person(approval) => Ok(Some(approval.approver().to_owned())),
        Author::Staged if environment::agent().is_some() => Ok(None),
        Author::Staged => project.user_name(),
    }
}

fn cancel(buffer: &str, refused: Option<Refusal>, context: &Context) -> Exit {
    let output = context.output;
    let Some(refusal) = refused else {
        output.talk("cancelled: the text is empty or unchanged, and nothing was written");
        return Ok(NO);
    };
    keep(&without_comments(buffer), context)?;
    if refusal.reason == Reason::SecretDetected {
        output.insist(
            "that file holds what looks like a secret: take from it what you need, and delete it",
        );
    }
    Ok(output.refuse(&refusal))
}

fn keep(text: &str, context: &Context) -> Result<()> {
    let kept = keep_text(text, ".md")?;
    context.output.insist(&format!("what you wrote is kept in {}", kept.display()));
    Ok(())
}
