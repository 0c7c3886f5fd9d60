//! What `install` and `uninstall` print without a name: what is found here, or set up here.

use std::path::Path;

use serde::Serialize;

use super::call::{Context, Exit};
use super::output::{DONE, FAINT, Output, TITLE};
use crate::project::verbs::{ClientListing, FoundProgram, InstallState, list_programs};
use crate::secrets::shown_name;

#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct ProgramList {
    status: &'static str,
    programs: Vec<FoundProgram>,
}

pub(super) fn run(listing: ClientListing, home: Option<&Path>, context: &Context) -> Exit {
    let programs = list_programs(&context.session, home, listing)?;
    let output = context.output;
    if output.json {
        output.document(&ProgramList { status: "listed", programs });
        return Ok(DONE);
    }
    programs.iter().for_each(|program| print(program, listing, output));
    if programs.iter().all(|program| program.program == "git") {
        match listing {
            ClientListing::Found => output.talk(
                "no sign of an agent's client here; `agent-memory install --help` lists those that can be set up",
            ),
            ClientListing::Installed => output.talk("no client is set up here"),
        }
    }
    if listing == ClientListing::Installed && !programs.is_empty() {
        output.talk("`agent-memory uninstall --all` takes out all of it");
    }
    Ok(DONE)
}

fn print(program: &FoundProgram, listing: ClientListing, output: Output) {
    let FoundProgram { title, found_by, set_up, files, settings, command, .. } = program;
    let signs = match found_by.as_slice() {
        [] => String::new(),
        names => format!(" {FAINT}({}){FAINT:#}", names.join(", ")),
    };
    output.data(&format!("{TITLE}{title}{TITLE:#}{signs}\n"));
    if listing == ClientListing::Found && *set_up {
        output.data("  is set up\n");
        return;
    }
    for file in files {
        let word = match file.state {
            InstallState::Refused | InstallState::Kept | InstallState::Current => {
                file.state.name().to_owned()
            }
            InstallState::Created | InstallState::Changed | InstallState::Removed => {
                format!("would be {}", file.state.name())
            }
        };
        output.data(&format!("  {word} {}\n", shown_name(&file.path)));
    }
    let word = if listing == ClientListing::Found { "set" } else { "unset" };
    for line in settings {
        let (name, _) = line.split_once(" = ").unwrap_or((line, ""));
        output.data(&format!("  would be {word} {}\n", shown_name(name)));
    }
    output.data(&format!("  run `{command}`\n"));
}
