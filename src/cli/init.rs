//! `agent-memory init`

use std::path::PathBuf;

use super::Context;
use super::output::{BAD, CARE, DONE, GOOD, NO, Output};
use crate::check::Finding;
use crate::error::Result;
use crate::ops::{Adopted, AdoptedFile, InitOptions, RenamedId, init};
use crate::text::{count, excerpt, visible};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Take over a folder of Markdown notes, or a store of another tool; nothing in there is changed
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// Say what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    let from = args.from.as_ref().map(|folder| context.place.folder.join(folder));
    let initialised = init(&context.place, &InitOptions { from, dry_run: args.dry_run })?;
    let output = context.output;
    let refused = initialised.from.as_ref().is_some_and(|from| !from.refused.is_empty());
    let code = if refused { NO } else { DONE };
    if output.json {
        output.document(&initialised);
        return Ok(code);
    }
    let (adopted, renewed) = match initialised.dry_run {
        true => ("would adopt", "would renew"),
        false => ("adopted", "renewed"),
    };
    initialised.warnings.iter().for_each(|warning| output.warn(warning));
    initialised.from.iter().for_each(|from| print(from, adopted, output));
    for path in &initialised.renewed {
        output.data(&format!("{GOOD}{renewed}{GOOD:#} {}/{path}\n", initialised.store));
    }
    if initialised.created.is_empty() && !initialised.renewed.is_empty() {
        return Ok(code);
    }
    if initialised.created.is_empty() {
        output.data(&format!("{} is complete, nothing to do\n", initialised.store));
        return Ok(code);
    }
    let files = count(initialised.created.len(), "file");
    let made = if initialised.dry_run { "would make" } else { "made" };
    output.data(&format!("{GOOD}{made}{GOOD:#} {} with {files}\n", initialised.store));
    if initialised.dry_run {
        // What would be made is what was asked for.
        initialised.created.iter().for_each(|path| output.data(&format!("  {}\n", visible(path))));
    } else {
        initialised.created.iter().for_each(|path| output.talk(&format!("  {}", visible(path))));
        // What was there before may not know which folders are no business of git.
        let look = initialised.from.as_ref().map_or("", |_| "look at `agent-memory doctor`, ");
        output.talk(&format!("{look}commit them, then let an agent run `agent-memory propose`"));
    }
    Ok(code)
}

/// Says what came from another folder, and what did not.
fn print(from: &Adopted, adopted: &str, output: Output) {
    for file in &from.adopted {
        let AdoptedFile { from, to, new_ids, marked_headings, renamed_ids, renamed_links } = file;
        let ids = (*new_ids > 0).then(|| format!(", {}", count(*new_ids, "new id")));
        let marked = count(*marked_headings, "underlined heading");
        let marked = (*marked_headings > 0).then(|| format!(", {marked} written with `#`"));
        let links = count(*renamed_links, "link");
        let links = (*renamed_links > 0).then(|| format!(", {links} to renamed ids"));
        let more: String = ids.into_iter().chain(marked).chain(links).collect();
        output.data(&format!("{GOOD}{adopted}{GOOD:#} {} as {to}{more}\n", visible(from)));
        for RenamedId { from, to } in renamed_ids {
            output.data(&format!("  the id `{}` is `{to}` here\n", excerpt(from)));
        }
    }
    for finding in from.refused.iter().flat_map(|file| &file.findings) {
        let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
        let Finding { path, message, rule, .. } = finding;
        output.data(&format!("{BAD}refused{BAD:#} {path}{line}: {message} [{rule}]\n"));
    }
    if !from.understood.is_empty() {
        let settings = count(from.understood.len(), "setting");
        output.data(&format!("{GOOD}translated{GOOD:#} {settings}; `--json` lists them\n"));
    }
    let lines = [
        ("kept", &from.kept, ", which is there already with another text"),
        ("not understood", &from.not_understood, ""),
    ];
    for (word, list, why) in lines {
        for each in list {
            output.data(&format!("{CARE}{word}{CARE:#} {}{why}\n", visible(each)));
        }
    }
    if from.findings > 0 {
        let findings = count(from.findings, "finding");
        output.talk(&format!(
            "{findings} in what was adopted: `agent-memory check` lists them; \
             `--warn provenance-missing` lets missing sources pass until they are added"
        ));
    }
}
