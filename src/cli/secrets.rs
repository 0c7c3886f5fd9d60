//! `agent-memory secrets`

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;

use super::awaited::say_what_is_awaited;
use super::call::{Context, Exit};
use super::columns::wrap;
use super::output::{BAD, DONE, FAINT, GOOD, NO, Output, TITLE};
use super::stdout::AnswerKind;
use super::{approval, environment};
use crate::error::EXIT_COULD_NOT;
use crate::project::verbs::secrets::{
    Explanation, FoundSecret, allow_secret, explain, explanations, scan,
};
use crate::secrets::shown_name;
use crate::text::count;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: SecretsCommand,
}

#[derive(Debug, Subcommand)]
enum SecretsCommand {
    /// Scan files, in a store or not; exit with 1 if something is found, with 2 if a file cannot be read
    Scan {
        /// Files, or folders with everything below them except links and `.git`; `-` is stdin; by default the store
        #[arg(value_name = "PATH")]
        files: Vec<PathBuf>,
    },
    /// List the rules
    Rules,
    /// Explain a type of finding, and what to do about it
    Explain {
        /// The `type` of a finding
        id: String,
    },
    /// Allow a value from now on; only its fingerprint is written to `config.toml`, never the value
    Allow {
        /// The fingerprint that `secrets scan` prints
        fingerprint: String,
        /// Give the reason why this is no secret
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// Name of the person who decides; at a terminal git's `user.name` by default
        #[arg(long, value_name = "NAME")]
        approver: Option<String>,
    },
}

impl Args {
    /// Tells whether the command changes something of which its answer alone tells.
    pub(super) fn kind(&self) -> AnswerKind {
        match &self.command {
            SecretsCommand::Allow { .. } => AnswerKind::Change,
            SecretsCommand::Scan { .. } | SecretsCommand::Rules => AnswerKind::Read,
            SecretsCommand::Explain { .. } => AnswerKind::Read,
        }
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let output = context.output;
    match &args.command {
        SecretsCommand::Scan { files } => scan_files(files, context),
        SecretsCommand::Rules => {
            list(output);
            Ok(DONE)
        }
        SecretsCommand::Explain { id } => {
            let explanation = explain(id)?;
            output.answer(&explanation, || explained(&explanation));
            Ok(DONE)
        }
        SecretsCommand::Allow { fingerprint, reason, approver } => {
            allow(fingerprint, reason, approver.as_deref(), context)
        }
    }
}

fn scan_files(files: &[PathBuf], context: &Context) -> Exit {
    let output = context.output;
    if files.iter().any(|file| file == Path::new("-")) {
        say_what_is_awaited("a text", output);
    }
    let scanned = scan(&context.session, files)?;
    let code = match (scanned.findings.is_empty(), scanned.unreadable.is_empty()) {
        (_, false) => EXIT_COULD_NOT,
        (true, true) => DONE,
        (false, true) => NO,
    };
    if output.json {
        output.document(&scanned);
        return Ok(code);
    }
    output.data(&scanned.findings.iter().map(finding_text).collect::<String>());
    let (found, files) = (count(scanned.findings.len(), "finding"), count(scanned.files, "file"));
    output.warn_each(&scanned.unreadable);
    output.talk(&format!("{found} in {files} of {}", named(&scanned.scanned)));
    Ok(code)
}

/// How many paths are named in the last line.
const NAMED: usize = 3;

fn named(scanned: &[String]) -> String {
    let shown = |path: &String| match path.as_str() {
        "-" => "standard input".to_owned(),
        path => format!("`{}`", shown_name(path)),
    };
    let first: Vec<String> = scanned.iter().take(NAMED).map(shown).collect();
    let more = scanned.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", first.join(", "))
}

fn finding_text(found: &FoundSecret) -> String {
    let FoundSecret { rule, line, column, length, remedy, .. } = found;
    let fingerprint = found.fingerprint.as_deref().unwrap_or("-");
    let marker = found.foreign_marker.map(|marker| format!("; `{marker}` has no effect here"));
    format!(
        "{}:{line}:{column} {BAD}{rule}{BAD:#} {FAINT}length {length}, fingerprint {fingerprint}{FAINT:#}\n  {TITLE}hint:{TITLE:#} {remedy}{}\n",
        shown_name(&found.path),
        marker.unwrap_or_default()
    )
}

#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct SecretRules {
    rules: Vec<Explanation>,
}

/// Lists the rules by name: first those that are always on.
fn list(output: Output) {
    let mut all: Vec<Explanation> = explanations().collect();
    all.sort_by_key(|each| (!each.always, each.id));
    if output.json {
        output.document(&SecretRules { rules: all });
        return;
    }
    let room = all.iter().map(|each| each.id.len()).max().unwrap_or_default() + 2;
    let columns = environment::columns();
    output.data(&all.iter().map(|each| row(each, room, columns)).collect::<String>());
    let rules = count(all.len(), "rule");
    output.talk(&format!("{rules}; `agent-memory secrets explain ID` explains one"));
}

fn row(each: &Explanation, room: usize, columns: usize) -> String {
    let condition = match each.always {
        true => "",
        false => ", where `[secrets] pii` names it",
    };
    let description = format!("{}{condition}", each.description);
    let wrapped = wrap(&description, columns.saturating_sub(room));
    let beside = wrapped.lines().map(str::trim_start).collect::<Vec<_>>();
    let beside = beside.join(&format!("\n{:room$}", ""));
    format!("{GOOD}{:<room$}{GOOD:#}{beside}\n", each.id)
}

fn explained(each: &Explanation) -> String {
    let near = match each.keywords {
        [] => "only where `[secrets] pii` in `config.toml` names it".to_owned(),
        keywords => keywords.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
    };
    format!(
        "{GOOD}{}{GOOD:#}: {}\n  {TITLE}what to do{TITLE:#}  {}\n  {TITLE}looked for{TITLE:#}  {near}\n",
        each.id, each.description, each.remedy
    )
}

fn allow(fingerprint: &str, reason: &str, approver: Option<&str>, context: &Context) -> Exit {
    let output = context.output;
    let project = context.project_to_write()?;
    let approval = approval::obtain(project, approver, "secrets allow")??;
    let allowed = allow_secret(project, fingerprint, reason, &approval)??;
    if output.json {
        output.document(&allowed);
        return Ok(DONE);
    }
    let said = if allowed.added { "allowed" } else { "was allowed already:" };
    output.data(&format!("{GOOD}{said}{GOOD:#} {}\n", allowed.fingerprint));
    output.warn_each(&allowed.warnings);
    Ok(DONE)
}
