//! The person's own programs: the pager and the editor.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use super::{interrupt, terminal};
use crate::cli::environment;
use crate::cli::output::Output;
use crate::error::{Error, ErrorKind, Result};
use crate::project::verbs::DraftFile;

pub(in crate::cli) fn page(text: &str, output: Output) {
    let (_, rows) = terminal::size();
    let pager = environment::pager();
    if text.lines().count() < rows || pager.is_empty() || pager == "cat" {
        output.data(text);
        return;
    }
    let mut command = Command::new("sh");
    command.arg("-c").arg(&pager).stdin(Stdio::piped());
    command.envs(environment::pager_variables());
    // The shell reports a pager that cannot be run; then the text is printed.
    if !interrupt::ignoring_interrupts(|| feed(&mut command, &output.styled(text)))
        .is_ok_and(|status| !matches!(status.code(), Some(126 | 127)))
    {
        output.data(text);
    }
}

fn feed(command: &mut Command, text: &str) -> io::Result<ExitStatus> {
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // The person may quit the pager early.
        let _ = stdin.write_all(text.as_bytes());
    }
    child.wait()
}

pub(in crate::cli) const REMOVAL: &str =
    "a proposal that removes sections says so in its operations";

/// Lets the person edit a text; `to_remove` says how it is removed, as an empty one stands for a stop.
pub(in crate::cli) fn edit_text(text: &str, to_remove: &str) -> Result<String> {
    let draft = DraftFile::make(text)?;
    edit(draft.path())?;
    let edited = draft.read()?;
    // As in git: an empty text means "cancel", not "remove everything".
    if edited.trim().is_empty() && !text.trim().is_empty() {
        let hint = format!("nothing was changed; {to_remove}");
        return Err(Error::new(ErrorKind::Usage, "the edited text is empty").hint(hint));
    }
    Ok(edited)
}

fn edit(path: &Path) -> Result<()> {
    let editor = environment::editor();
    let fail = || Error::new(ErrorKind::Usage, format!("the editor `{editor}` did not end well"));
    // As in git, the setting may hold arguments.
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$@\"")).arg(&editor).arg(path);
    match interrupt::ignoring_interrupts(|| command.status()) {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(fail().hint("nothing was changed; `$VISUAL` or `$EDITOR` names the editor")),
        Err(cause) => Err(fail().because(cause)),
    }
}
