//! What the service answers, as a person or a program reads it.

use std::io::IsTerminal;

use comfy_table::presets::NOTHING;
use comfy_table::{ColumnConstraint, ContentArrangement, Table};

use crate::cli::environment;
use crate::cli::output::{NO, Output};
use crate::error::Result;
use crate::secrets::shown_name;
use crate::service::request::{RefusalStatus, ServiceRefusal};
use crate::service::verbs::ServiceAnswer;

/// Prints an answer, or why there is none; returns the exit code.
pub(super) fn told<T: serde::Serialize>(
    output: Output,
    answer: ServiceAnswer<T>,
    print: impl FnOnce(&T),
) -> Result<u8> {
    told_if(output, answer, |_| true, print)
}

/// Like [`told`], with exit code 1 for an answer that is not good.
pub(super) fn told_if<T: serde::Serialize>(
    output: Output,
    answer: ServiceAnswer<T>,
    is_good: impl FnOnce(&T) -> bool,
    print: impl FnOnce(&T),
) -> Result<u8> {
    let refused = |refusal: Box<_>| refuse(output, &refusal);
    answer.map(|answer| output.told_if(answer, refused, is_good, print))
}

/// Prints an answer that is never refused; returns the exit code.
pub(super) fn answered<T: serde::Serialize>(
    output: Output,
    answer: Result<T>,
    print: impl FnOnce(&T),
) -> Result<u8> {
    told(output, answer.map(Ok), print)
}

/// Prints a refusal and returns its exit code.
pub(super) fn refuse(output: Output, refusal: &ServiceRefusal) -> u8 {
    if output.json {
        output.document(&refusal.body());
        return NO;
    }
    match (refusal.status, &refusal.field) {
        (RefusalStatus::NotFound, _) => output.refused(
            &refusal.message,
            "`agent-memory service recall` finds memories, and `agent-memory service trash` lists the deleted ones",
        ),
        (_, Some(field)) => {
            output.refused_for(&format!("{} [{field}]", refusal.error));
            for other in refusal.errors.iter().skip(1) {
                output.refused_for(&format!("{}: {} [{}]", other.message, other.detail, other.field));
            }
        }
        (_, None) => output.refused_for(&refusal.error),
    }
    NO
}

/// Returns rows as a table for a person; for a program each is a line with tabs between its cells.
pub(super) fn table<const N: usize>(
    header: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> String {
    let rows = rows.map(|row| row.map(|cell| shown_name(&cell).into_owned()));
    if !std::io::stdout().is_terminal() {
        return rows.map(|row| row.join("\t") + "\n").collect();
    }
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(environment::columns()).unwrap_or(80));
    table.set_header(header);
    table.add_rows(rows);
    // An id in two parts cannot be copied.
    let id = header.iter().position(|name| *name == "ID").and_then(|at| table.column_mut(at));
    id.map(|column| column.set_constraint(ColumnConstraint::ContentWidth));
    if table.is_empty() {
        return String::new();
    }
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}
