//! What `new` and `edit` share: the editor opens again until the text is taken, and no typed word is lost.

use std::path::Path;

use serde_json::Value;

use super::call::{Context, Exit};
use super::editor::Editor;
use super::environment;
use super::output::{NO, Output};
use super::review::page::ShownPage;
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
        let mut former = without_comments(&draft.text);
        let mut rounds = 0;
        loop {
            rounds += 1;
            let edited = editor.edit(&buffer, ".md").or_else(|error| {
                // As with `:cq`, which leaves the editor with a failure.
                refused.as_ref().map_or(Ok(()), |refusal| keep(&former, Some(refusal), context))?;
                Err(error)
            })?;
            let text = without_comments(&edited);
            // An editor that takes the comments out changes nothing by that.
            let is_same = text == former || text == without_comments(&draft.text);
            if text.trim().is_empty() || is_same {
                return cancel(&former, refused, context);
            }
            let outcome = match author.write(project, &draft.request(&text, &writing)) {
                Ok(outcome) => outcome,
                Err(error) => {
                    keep(&text, None, context)?;
                    return Err(error.into());
                }
            };
            let Outcome::Rejected(refusal) = outcome else {
                return Ok(finish(&outcome, context));
            };
            if rounds >= ROUNDS && !goes_on(&refusal, context)? {
                return cancel(&text, Some(refusal), context);
            }
            buffer = with_refusal(&text, &refusal);
            (former, refused) = (text, Some(refusal));
        }
    }
}

/// How many times the editor opens before the person is asked.
const ROUNDS: usize = 3;

/// Asks whether the editor is to open again: it may be one that no person sees.
fn goes_on(refusal: &Refusal, context: &Context) -> Result<bool> {
    if !context.output.at_terminal() {
        return Ok(false);
    }
    let question = format!("It was refused again: {}. Edit again?", refusal.message);
    ShownPage::show(String::new(), context.output).confirm(&question)
}

/// Returns who writes; an agent that stages a text speaks for no person.
fn person(author: &Author, project: &Project) -> Result<Option<String>> {
    match author {
        Author::Person(approval) => Ok(Some(approval.approver().to_owned())),
        Author::Staged if environment::agent().is_some() => Ok(None),
        Author::Staged => project.user_name(),
    }
}

fn cancel(text: &str, refused: Option<Refusal>, context: &Context) -> Exit {
    let output = context.output;
    let Some(refusal) = refused else {
        output.talk("cancelled: the text is empty or unchanged, and nothing was written");
        return Ok(NO);
    };
    keep(text, Some(&refusal), context)?;
    Ok(output.refuse(&refusal))
}

fn keep(text: &str, refused: Option<&Refusal>, context: &Context) -> Result<()> {
    let kept = keep_text(text, ".md")?;
    context.output.insist(&format!("what you wrote is kept in {}", kept.display()));
    if refused.is_some_and(|refusal| refusal.reason == Reason::SecretDetected) {
        warn_of_secret(&kept, context.output);
    }
    Ok(())
}

/// Says how a file with what a person wrote is removed, where that holds a secret: no word of theirs is lost unasked.
pub(super) fn warn_of_secret(kept: &Path, output: Output) {
    let path = kept.display().to_string().replace('\'', r"'\''");
    output.insist(&format!(
        "that file holds what looks like a secret: take from it what you need, then `rm '{path}'`"
    ));
}
