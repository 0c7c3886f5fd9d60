//! Personal memory as a person reads it.

use std::io::IsTerminal;

use comfy_table::presets::NOTHING;
use comfy_table::{ContentArrangement, Table};

use crate::chain::ChainVerdict;
use crate::cli::environment;
use crate::cli::output::{FAINT, GOOD, NO, Output};
use crate::cli::review::programs::page;
use crate::error::Result;
use crate::personal::request::{EntryChange, EntryList, EntryRefusal};
use crate::personal::verbs::{EntryAnswer, PersonalLog, ReadAnswer};
use crate::secrets::shown_name;
use crate::text::{count, visible_lines};

/// Prints an answer, or why there is none; returns the exit code.
pub(super) fn told<T: serde::Serialize>(
    output: Output,
    answer: EntryAnswer<T>,
    print: impl FnOnce(&T),
) -> Result<u8> {
    told_if(output, answer, |_| true, print)
}

/// Like [`told`], with exit code 1 for an answer that is not good.
pub(super) fn told_if<T: serde::Serialize>(
    output: Output,
    answer: EntryAnswer<T>,
    is_good: impl FnOnce(&T) -> bool,
    print: impl FnOnce(&T),
) -> Result<u8> {
    let refused = |refusal: Box<_>| refuse(output, &refusal);
    answer.map(|answer| output.told_if(answer, refused, is_good, print))
}

pub(super) fn read(answer: &ReadAnswer, output: Output) {
    let text = match answer.text() {
        "" => {
            output.talk("the index is empty");
            String::new()
        }
        text => format!("{}\n", visible_lines(text.trim_end_matches('\n'))),
    };
    match std::io::stdout().is_terminal() {
        true => page(&text, output),
        false => output.data(&text),
    }
    output.warn_each(answer.warnings());
}

/// Prints a refusal and returns its exit code.
pub(in crate::cli) fn refuse(output: Output, refusal: &EntryRefusal) -> u8 {
    if output.json {
        output.document(refusal);
        return NO;
    }
    let EntryRefusal { message, reason, hint, warnings, .. } = refusal;
    output.refused(&format!("{message} [{reason}]"), hint);
    output.warn_each(warnings);
    NO
}

/// Tells of a change; `named` is the person that the command line named.
pub(super) fn change(change: &EntryChange, named: Option<&str>, output: Output) {
    output.data(&change_text(change, named));
    output.warn_each(&change.warnings);
}

pub(super) fn list(list: &EntryList, output: Output) {
    output.data(&entry_table(list));
    output.warn_each(&list.warnings);
}

pub(super) fn log(log: &PersonalLog, output: Output) {
    output.data(&log_text(log));
    output.warn_each(&log.warnings);
}

fn change_text(change: &EntryChange, named: Option<&str>) -> String {
    // Without it, the command would be about another person.
    let of = named.map(|id| format!(" --as {}", quoted_for_shell(id))).unwrap_or_default();
    let EntryChange { status, name, index_line, trash, .. } = change;
    let rest = match (index_line, trash) {
        (Some(line), _) => format!("  {}\n", shown_name(line)),
        (None, Some(trash)) => {
            format!("  it is in {trash}; `agent-memory user restore {name}{of}` brings it back\n")
        }
        (None, None) => String::new(),
    };
    format!("{GOOD}{status}{GOOD:#} {name}\n{FAINT}{rest}{FAINT:#}")
}

/// Quotes a word of a command that a person may copy.
fn quoted_for_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._@-".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", shown_name(word).replace('\'', "'\\''")),
    }
}

fn entry_table(list: &EntryList) -> String {
    if list.entries.is_empty() {
        return "no entries\n".to_owned();
    }
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(environment::columns()).unwrap_or(80));
    table.set_header(["NAME", "TYPE", "DESCRIPTION"]);
    for entry in &list.entries {
        let texts = [&entry.name, &entry.kind, &entry.description];
        table.add_row(texts.map(|text| shown_name(text).into_owned()));
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    let entries = count(list.entries.len(), "entry");
    format!("{}\n{FAINT} {entries}{FAINT:#}\n", lines.join("\n"))
}

fn log_text(log: &PersonalLog) -> String {
    let line = |change: &serde_json::Value| {
        let text = |field: &str| change[field].as_str().unwrap_or("-").to_owned();
        format!("{}  {:<9} {}\n", text("time"), text("decision"), shown_name(&text("name")))
    };
    match log.changes.is_empty() {
        true => "no changes\n".to_owned(),
        false => log.changes.iter().map(line).collect(),
    }
}

pub(in crate::cli) fn verdict_text(verdict: &ChainVerdict) -> String {
    let changes = count(verdict.decisions, "change");
    if verdict.unbroken {
        return format!("{GOOD}whole{GOOD:#} {changes}, none missing or changed\n");
    }
    let finding = |found: &crate::chain::Break| format!("line {}: {}\n", found.line, found.message);
    verdict.findings.iter().map(finding).collect()
}
