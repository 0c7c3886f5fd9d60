//! `agent-memory man`

use std::path::PathBuf;

use clap::Command;
use clap_mangen::Man;

use super::call::{Context, Exit};
use super::output::DONE;
use crate::project::verbs::{Page, write_pages};
use crate::secrets::shown_name;
use crate::text::count;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder to write into; existing pages are replaced
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
pub(super) struct Pages {
    pages: Vec<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let mut program = (context.program)().disable_help_subcommand(true);
    program.build();
    let mut pages = Vec::new();
    add_pages(&program, &mut pages);
    pages.push(Page { name: "git-agent-memory.1".to_owned(), text: render(&program) });
    write_pages(&args.folder, &pages)?;
    let pages: Vec<String> = pages.into_iter().map(|page| page.name).collect();
    let (folder, written) = (args.folder.display().to_string(), count(pages.len(), "page"));
    context
        .output
        .answer(&Pages { pages }, || format!("wrote {written} to {}\n", shown_name(&folder)));
    Ok(DONE)
}

fn add_pages(command: &Command, pages: &mut Vec<Page>) {
    let name = Man::new(command.clone()).get_filename();
    pages.push(Page { name, text: render(command) });
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    shown.for_each(|command| add_pages(command, pages));
}

fn render(command: &Command) -> Vec<u8> {
    let mut text = Vec::new();
    let program = concat!("agent-memory ", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command.clone()).source(program).manual("agent-memory manual");
    page.render(&mut text).expect("memory takes every byte");
    text
}
