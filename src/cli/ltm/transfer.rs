//! `agent-memory ltm import` and `agent-memory ltm export`

use std::path::PathBuf;

use super::filter::FilterArgs;
use crate::cli::call::Context;
use crate::cli::output::{BAD, DONE, GOOD, NO};
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::longterm::verbs::{self, LongtermSession};
use crate::secrets::shown_name;
use crate::text::{count, utf8_text};

/// Bytes of a file at most: 2 GiB.
const FILE: u64 = 2 << 30;

#[derive(Debug, clap::Args)]
pub(super) struct ImportArgs {
    /// File of JSON Lines; `-` is stdin
    file: PathBuf,
}

pub(super) fn import(
    args: &ImportArgs,
    session: &LongtermSession,
    context: &Context,
) -> Result<u8> {
    let output = context.output;
    let file = context.file_or_stdin(Some(&args.file), "JSON Lines");
    let bytes = outside::read_up_to(file.as_deref(), FILE + 1)?;
    if bytes.len() as u64 > FILE {
        let message = "what is to be imported has more than 2 GiB";
        return Err(Error::new(ErrorKind::Usage, message).hint("import it in parts"));
    }
    let text = utf8_text(&bytes).map_err(|what| {
        let message = format!("what is to be imported {what}");
        Error::new(ErrorKind::Usage, message).hint("give JSON Lines as `ltm export` prints them")
    })?;
    let report = verbs::import(session, text)?;
    output.answer(&report, || {
        let refused = report.refused.iter().map(|line| {
            format!("{BAD}refused{BAD:#} line {}: {}\n", line.line, shown_name(&line.reason))
        });
        let refused: String = refused.collect();
        let imported = count(report.imported, "memory");
        format!("{refused}{GOOD}imported{GOOD:#} {imported}, {} refused\n", report.refused.len())
    });
    Ok(if report.refused.is_empty() { DONE } else { NO })
}

pub(super) fn export(
    args: &FilterArgs,
    session: &LongtermSession,
    context: &Context,
) -> Result<u8> {
    if context.output.json {
        let message = "`ltm export` prints JSON Lines, and `--json` wants one document";
        return Err(Error::new(ErrorKind::Usage, message).hint("leave `--json` out"));
    }
    verbs::export(session, &args.filter(context)?, &mut |line| context.output.data(line))?;
    Ok(DONE)
}
