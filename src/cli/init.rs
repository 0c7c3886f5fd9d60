//! `agent-memory init`

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::approval;
use super::call::{Context, Exit};
use super::next_steps;
use super::output::{BAD, CARE, DONE, GOOD, NO, Output};
use crate::project::verbs::{
    Adopted, AdoptedFile, BrokenLink, BrokenReason, CheckFinding, InitOptions, Initialised,
    MissingField, ReadRule, RenamedId, admits, init,
};
use crate::secrets::shown_name;
use crate::text::{count, excerpt};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Take over a folder of Markdown notes, one file such as `CLAUDE.md`, or a store of another tool; the originals stay as they are
    #[arg(long, value_name = "PATH")]
    from: Option<PathBuf>,
    /// Write this into sections that lack the required field, e.g. `--field Status=active`
    #[arg(long, value_name = "NAME=VALUE", requires = "from")]
    field: Vec<String>,
    /// Keep the queue of pending proposals in git, so that a pull request can be the review
    #[arg(long)]
    track: bool,
    /// Let a category have a file of that folder, e.g. `--map techContext=conventions`
    #[arg(long, value_name = "NAME=CATEGORY", requires = "from")]
    map: Vec<String>,
    /// Let a new store read Markdown of the repository where it is, e.g. `--read docs/adr=decisions`
    #[arg(long, value_name = "PATTERN=CATEGORY", value_parser = ReadRule::parse)]
    read: Vec<ReadRule>,
    /// Print what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Name of the person who lets the notes into an existing store; at a terminal git's `user.name` by default
    #[arg(long, value_name = "NAME", requires = "from")]
    approver: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let mut options = options(args, context);
    let asks = next_steps::may_ask(context) && !args.dry_run;
    let Some(session) = next_steps::chosen_place(context, asks)? else {
        context.output.talk("nothing was made");
        return Ok(NO);
    };
    let offers = asks && options.from.is_none() && options.reads.is_empty();
    if offers {
        let Some(rules) = next_steps::offer_reading(&session, context)? else {
            context.output.talk("nothing was made");
            return Ok(NO);
        };
        options.reads = rules;
    }
    if admits(&session, &options)? {
        let project = context.project_to_write()?;
        let approver = args.approver.as_deref();
        options.approval = Some(approval::obtain(project, approver, "init --from")??);
    }
    let mut initialised = init(&session, &options)?;
    if offers {
        // The person was asked already.
        initialised.records.clear();
    }
    match context.output.json {
        true => context.output.document(&initialised),
        false => print(&initialised, context.output),
    }
    let is_made = !initialised.created.is_empty();
    let refused = initialised.from.is_some_and(|from| !from.refused.is_empty());
    if asks && is_made && !next_steps::offer_install(&initialised.clients, &session, context)? {
        return Ok(NO);
    }
    Ok(if refused { NO } else { DONE })
}

fn options(args: &Args, context: &Context) -> InitOptions {
    InitOptions {
        from: args.from.as_ref().map(|folder| context.session.folder.join(folder)),
        fields: args.field.clone(),
        categories: args.map.clone(),
        track: args.track,
        reads: args.read.clone(),
        dry_run: args.dry_run,
        approval: None,
    }
}

fn print(initialised: &Initialised, output: Output) {
    let Initialised { created, renewed, from, proposal_id, .. } = initialised;
    let store = shown_name(&initialised.store);
    let (adopted, made_new) = match initialised.dry_run {
        true => ("would adopt", "would renew"),
        false => ("adopted", "renewed"),
    };
    output.warn_each(&initialised.warnings);
    from.iter().for_each(|from| print_adopted(from, adopted, output));
    for path in renewed {
        output.data(&format!("{GOOD}{made_new}{GOOD:#} {store}/{}\n", shown_name(path)));
    }
    if let Some(id) = proposal_id {
        output.talk(&format!("`agent-memory undo {id}` takes the notes back"));
    }
    if created.is_empty() {
        if renewed.is_empty() {
            output.data(&format!("{store} is complete, nothing to do\n"));
        }
        return;
    }
    let files = count(created.len(), "file");
    let made = if initialised.dry_run { "would make" } else { "made" };
    output.data(&format!("{GOOD}{made}{GOOD:#} {store} with {files}\n"));
    if initialised.dry_run {
        created.iter().for_each(|path| output.data(&format!("  {}\n", shown_name(path))));
    } else {
        created.iter().for_each(|path| output.talk(&format!("  {}", shown_name(path))));
        // A store that was there before may not ignore the folders that git must not keep.
        let look = from.as_ref().map_or("", |_| "look at `agent-memory doctor`, ");
        if let Some(command) = &initialised.other_place {
            output.talk(&format!(
                "it is at the top of the repository; `{command}` makes one for this folder alone"
            ));
        }
        output.talk(&format!("{look}commit them: `git add {store}`, then `git commit`"));
        initialised.records.iter().for_each(|found| next_steps::say_records(found, &store, output));
        output.talk(&next_steps::clients(&initialised.clients));
    }
}

fn print_adopted(from: &Adopted, adopted: &str, output: Output) {
    from.adopted.iter().for_each(|file| print_file(file, adopted, output));
    print_missing_fields(from, output);
    print_broken_links(from, output);
    for finding in from.refused.iter().flat_map(|file| &file.findings) {
        let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
        let CheckFinding { path, message, rule, .. } = finding;
        output.data(&format!("{BAD}refused{BAD:#} {path}{line}: {message} [{rule}]\n"));
    }
    let hints: BTreeSet<&str> = from.refused.iter().map(|file| file.hint.as_str()).collect();
    hints.iter().for_each(|hint| output.talk(hint));
    if !from.understood.is_empty() {
        let settings = count(from.understood.len(), "setting");
        output.data(&format!("{GOOD}translated{GOOD:#} {settings}; `--json` lists them\n"));
    }
    let there = ", which is there already with another text";
    let kept = ("kept", &from.kept, there);
    for (word, list, why) in [kept, ("not understood", &from.not_understood, "")] {
        for each in list {
            output.data(&format!("{CARE}{word}{CARE:#} {}{why}\n", shown_name(each)));
        }
    }
    if !from.kept.is_empty() {
        output.talk("compare what was kept with the original files, and merge them by hand");
    }
    for (status, records) in &from.assumed_status {
        let why = if *status == "active" { "no status" } else { "a status of another name" };
        let records = count(*records, "record");
        output.talk(&format!(
            "{records} with {why}, so `{status}`; where that is wrong: `agent-memory edit FILE#SECTION`"
        ));
    }
    if from.findings > 0 {
        let findings = count(from.findings, "finding");
        output.talk(&format!(
            "{findings} in what was adopted: `agent-memory check` lists them; \
             `--warn provenance-missing` lets missing sources pass until they are added"
        ));
    }
}

fn print_file(file: &AdoptedFile, adopted: &str, output: Output) {
    let AdoptedFile { from, to, new_ids, marked_headings, renamed_ids, .. } = file;
    let AdoptedFile { renamed_links, new_fields, tracked, .. } = file;
    let ids = (*new_ids > 0).then(|| format!(", {}", count(*new_ids, "new id")));
    let marked = count(*marked_headings, "underlined heading");
    let marked = (*marked_headings > 0).then(|| format!(", {marked} written with `#`"));
    let links = count(*renamed_links, "link");
    let links = (*renamed_links > 0).then(|| format!(", {links} rewritten"));
    let fields = count(*new_fields, "section");
    let fields = (*new_fields > 0).then(|| format!(", fields added to {fields}"));
    let local = "; git does not keep it: other clones have the original alone";
    let local = (!tracked).then(|| local.to_owned());
    let more = ids.into_iter().chain(marked).chain(links).chain(fields).chain(local);
    let more: String = more.collect();
    let (from, to) = (shown_name(from), shown_name(to.as_str()));
    output.data(&format!("{GOOD}{adopted}{GOOD:#} {from} as {to}{more}\n"));
    for RenamedId { from, to } in renamed_ids {
        output.data(&format!("  the id `{}` is `{to}` here\n", shown_name(&excerpt(from))));
    }
}

/// How many links that lead nowhere are printed.
const PRINTED_LINKS: usize = 10;

/// Names the first links that lead nowhere.
fn print_broken_links(from: &Adopted, output: Output) {
    let named = from.adopted.iter().flat_map(|file| {
        let path = shown_name(&file.to);
        file.first_broken_links.iter().map(move |link| (path.clone(), link))
    });
    for (path, BrokenLink { line, target, reason }) in named.take(PRINTED_LINKS) {
        let why = match reason {
            BrokenReason::Missing => "there is no such file",
            BrokenReason::Outside => "it is outside of the repository",
        };
        let target = shown_name(target);
        output.data(&format!("{CARE}broken link{CARE:#} {path}:{line} `{target}`: {why}\n"));
    }
    let all: usize = from.adopted.iter().map(|file| file.broken_links).sum();
    if all > PRINTED_LINKS {
        output.data(&format!("and {} more; `--json` counts them by file\n", all - PRINTED_LINKS));
    }
    if all > 0 {
        output.talk("links that lead nowhere stay as they are: correct them in the store");
    }
}

/// Names the required fields that are still missing, and the command that writes them.
fn print_missing_fields(from: &Adopted, output: Output) {
    for AdoptedFile { to, missing_fields, .. } in &from.adopted {
        for MissingField { name, sections, one_of } in missing_fields {
            let (sections, name) = (count(*sections, "section"), shown_name(name));
            let allowed = match &one_of[..] {
                [] => String::new(),
                words => format!("; allowed is one of `{}`", words.join("`, `")),
            };
            output.talk(&format!(
                "{sections} of {} without `{name}`: run the same command again with `--field {name}=VALUE`{allowed}",
                shown_name(to)
            ));
        }
    }
}
