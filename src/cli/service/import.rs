//! `agent-memory service import`

use std::path::PathBuf;

use super::print::told_if;
use crate::cli::call::Context;
use crate::cli::output::{BAD, GOOD, Output};
use crate::error::Result;
use crate::secrets::shown_name;
use crate::service::request::{MemoryImport, RefusedMemory};
use crate::service::verbs::{self, ServiceSession};
use crate::text::count;

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The archive, one of its files, or JSON Lines; `-` is stdin
    file: PathBuf,
}

pub(super) fn run(args: &Args, session: &ServiceSession, context: &Context) -> Result<u8> {
    let file = context.file_or_stdin(Some(&args.file), "an archive or JSON Lines");
    let report = verbs::import(session, file.as_deref());
    let is_whole = |report: &MemoryImport| report.refused.is_empty();
    let output = context.output;
    told_if(output, report.map(Ok), is_whole, |report| print(report, output))
}

fn print(report: &MemoryImport, output: Output) {
    let mut text = String::new();
    for RefusedMemory { id, reason } in &report.refused {
        text += &format!("{BAD}refused{BAD:#} {}: {}\n", shown_name(id), shown_name(reason));
    }
    let MemoryImport { imported, skipped, refused, relations, vectors, dropped_relations, .. } =
        report;
    for relation in &dropped_relations.first {
        text += &format!("{BAD}dropped{BAD:#} {}\n", shown_name(relation));
    }
    let (memories, relations) = (count(*imported, "memory"), count(*relations, "relation"));
    text += &format!(
        "{GOOD}imported{GOOD:#} {memories}, {relations}, {}; {skipped} were there, {} refused{}\n",
        count(*vectors, "vector"),
        refused.len(),
        dropped(dropped_relations.count),
    );
    output.data(&text);
    output.warn_each(&report.warnings);
}

fn dropped(relations: usize) -> String {
    if relations > 0 {
        format!(", {} dropped", count(relations, "relation"))
    } else {
        String::new()
    }
}
