//! The person's editor: opens a text, and returns what became of it.

use std::io::IsTerminal;
use std::path::Path;
use std::process::Command;

use super::{environment, interrupt};
use crate::error::{Error, ErrorKind, Result};
use crate::project::verbs::{DraftFile, Session, editor_of_git};

pub(super) const REMOVAL: &str = "a proposal that removes sections says so in its operations";

/// The command of an editor; as in git, it may hold arguments.
pub(super) struct Editor(String);

impl Editor {
    /// Returns the editor that git would open, else that of the environment.
    pub(super) fn of(session: &Session) -> Self {
        Self(editor_of_git(session).unwrap_or_else(environment::editor))
    }

    /// Lets the person edit a text; `to_remove` says how it is removed, as an empty one stands for a stop.
    pub(super) fn edit_text(&self, text: &str, to_remove: &str) -> Result<String> {
        let edited = self.edit(text, ".md")?;
        // As in git: an empty text means "cancel", not "remove everything".
        if edited.trim().is_empty() && !text.trim().is_empty() {
            let hint = format!("nothing was changed; {to_remove}");
            return Err(Error::new(ErrorKind::Usage, "the edited text is empty").hint(hint));
        }
        Ok(edited)
    }

    /// Lets the person edit a text in a file whose name ends so, by which editors know the format.
    pub(super) fn edit(&self, text: &str, ending: &str) -> Result<String> {
        let draft = DraftFile::named(text, ending)?;
        match self.open(draft.path()).and_then(|()| draft.read()) {
            Ok(edited) => Ok(edited),
            // What was typed before the editor failed is in the file.
            Err(error) if draft.read().is_ok_and(|now| now != text) => {
                let kept = draft.keep()?;
                Err(error.hint(format!("what you wrote is kept in `{}`", kept.display())))
            }
            Err(error) => Err(error),
        }
    }

    fn open(&self, path: &Path) -> Result<()> {
        let editor = &self.0;
        let fail =
            || Error::new(ErrorKind::Usage, format!("the editor `{editor}` did not end well"));
        // The request may have come through a pipe; the person is at the terminal.
        let is_piped = !std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let keys = if is_piped { " </dev/tty" } else { "" };
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{editor} \"$@\"{keys}")).arg(editor).arg(path);
        match interrupt::ignoring_interrupts(|| command.status()) {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err(fail().hint(
                "nothing was changed; `git config core.editor`, `$VISUAL` or `$EDITOR` names the editor",
            )),
            Err(cause) => Err(fail().because(cause)),
        }
    }
}
