//! `agent-memory ltm forget`

use crate::cli::output::{DONE, GOOD, NO, Output};
use crate::cli::review::page::ShownPage;
use crate::error::{Error, ErrorKind, Result};
use crate::longterm::request::MemoryOwner;
use crate::longterm::verbs::{self, LongtermSession};
use crate::secrets::shown_name;
use crate::text::count;

#[derive(Debug, clap::Args)]
#[group(id = "owner", required = true, multiple = false)]
pub(super) struct Whose {
    /// Erase what is remembered of this person
    #[arg(long, value_name = "ID")]
    person: Option<String>,
    /// Erase what this server shares
    #[arg(long, value_name = "ID")]
    server: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    whose: Whose,
    /// Do not ask first
    #[arg(long)]
    yes: bool,
}

pub(super) fn run(args: &Args, session: &LongtermSession, output: Output) -> Result<u8> {
    let Whose { person, server } = &args.whose;
    let owner = match (person, server) {
        (Some(person), _) => MemoryOwner::Person(person.clone()),
        (None, server) => MemoryOwner::Server(server.clone().unwrap_or_default()),
    };
    if !args.yes && !output.at_terminal() {
        let message = "`ltm forget` asks first, and there is no terminal";
        return Err(Error::new(ErrorKind::Usage, message).hint("give `--yes`"));
    }
    let id = shown_name(owner.id()).into_owned();
    if !args.yes {
        let text = format!("all that is remembered of {id}; no command brings it back\n");
        if !ShownPage::show(text, output).confirm("Erase it?")? {
            output.talk("nothing was erased");
            return Ok(NO);
        }
    }
    let forgotten = verbs::forget(session, owner)?;
    output.answer(&forgotten, || {
        format!("{GOOD}forgotten{GOOD:#} {} of {id}\n", count(forgotten.forgotten, "memory"))
    });
    if !output.json {
        output.warn_each(&forgotten.warnings);
    }
    Ok(if forgotten.is_gone { DONE } else { NO })
}
