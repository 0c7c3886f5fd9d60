//! `agent-memory read`

use std::collections::BTreeSet;
use std::io::BufRead;

use clap::Subcommand;

use super::call::{Context, Exit};
use super::output::{BAD, CARE, DONE, FAINT, GOOD, NO, TITLE};
use super::stdout::AnswerKind;
use super::{approval, environment};
use crate::config::{OwnSettings, allow_address};
use crate::error::Result;
use crate::project::verbs::Project;
use crate::project::verbs::read_stores::{
    ChangedStore, ListedStore, NewStore, SyncOptions, SyncedStore, SyncedStores, add_store,
    addresses_to_fetch, list_stores, remove_store, sync_stores,
};
use crate::secrets::shown_name;
use crate::text::count;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: ReadCommand,
}

#[derive(Debug, Subcommand)]
enum ReadCommand {
    /// Read another store from now on: one in a folder, or one that git fetches
    Add {
        /// What its sections are labelled with, e.g. `handbook`
        name: String,
        /// A folder from the one that holds `.agent-memory`, e.g. `../handbook`, or an address of git
        place: String,
        /// Branch, tag or commit to fetch; by default what the address names as `HEAD`
        #[arg(long, value_name = "NAME")]
        revision: Option<String>,
        /// Name of the person who decides; at a terminal git's `user.name` by default
        #[arg(long, value_name = "NAME")]
        approver: Option<String>,
    },
    /// List the other stores, and why one is not read
    List,
    /// Read a store no longer
    Remove {
        /// Its name
        name: String,
        /// Name of the person who decides; at a terminal git's `user.name` by default
        #[arg(long, value_name = "NAME")]
        approver: Option<String>,
    },
    /// Fetch the stores that have an address, as `read.lock` pins them; exit with 1 if one cannot be used
    ///
    /// No other command reaches a network. Each new address is shown and asked about once.
    Sync {
        /// Fetch only these stores
        #[arg(value_name = "STORE")]
        names: Vec<String>,
        /// Pin the commit that each revision has now
        #[arg(long)]
        update: bool,
        /// Agree to new addresses without being asked
        #[arg(long)]
        yes: bool,
        /// Name of the person who decides; at a terminal git's `user.name` by default
        #[arg(long, value_name = "NAME")]
        approver: Option<String>,
    },
}

impl Args {
    pub(super) fn kind(&self) -> AnswerKind {
        match self.command {
            ReadCommand::List => AnswerKind::Read,
            ReadCommand::Add { .. } | ReadCommand::Remove { .. } | ReadCommand::Sync { .. } => {
                AnswerKind::Change
            }
        }
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    match &args.command {
        ReadCommand::Add { name, place, revision, approver } => {
            let project = context.project_to_write()?;
            let approval = approval::obtain(project, approver.as_deref(), "read add")??;
            let new = NewStore { name, place, revision: revision.as_deref() };
            Ok(tell_change(&add_store(project, &new, &approval)??, context))
        }
        ReadCommand::Remove { name, approver } => {
            let project = context.project_to_write()?;
            let approval = approval::obtain(project, approver.as_deref(), "read remove")??;
            Ok(tell_change(&remove_store(project, name, &approval)??, context))
        }
        ReadCommand::List => list(context),
        ReadCommand::Sync { names, update, yes, approver } => {
            let options = SyncOptions { names, update: *update };
            sync(options, *yes, approver.as_deref(), context)
        }
    }
}

fn tell_change(changed: &ChangedStore, context: &Context) -> u8 {
    let ChangedStore { status, name, to_fetch, warnings } = changed;
    context.output.answer(changed, || format!("{GOOD}{status}{GOOD:#} {name}\n"));
    if !context.output.json {
        context.output.warn_each(warnings);
        if *to_fetch {
            context.output.talk("hint: `agent-memory read sync` fetches it");
        }
    }
    DONE
}

fn list(context: &Context) -> Exit {
    let listed = list_stores(context.project()?)?;
    context.output.answer(&listed, || listed.stores.iter().map(line).collect());
    if !context.output.json {
        context.output.warn_each(&listed.warnings);
        if listed.stores.is_empty() {
            context.output.talk("no other store is read");
        }
    }
    Ok(DONE)
}

fn line(store: &ListedStore) -> String {
    let ListedStore { name, path, git, revision, label, files, .. } = store;
    let place = path.as_deref().or(git.as_deref()).unwrap_or_default();
    let revision = revision.as_ref().map(|name| format!(" {}", shown_name(name)));
    let name = label.as_ref().unwrap_or(name);
    let state = match label {
        Some(_) => format!("{FAINT}{}{FAINT:#}", count(*files, "file")),
        None => format!("{CARE}not read{CARE:#}"),
    };
    let (place, revision) = (shown_name(place), revision.unwrap_or_default());
    format!("{TITLE}{name}{TITLE:#}  {place}{revision}  {state}\n")
}

fn sync(options: SyncOptions<'_>, yes: bool, approver: Option<&str>, context: &Context) -> Exit {
    let project = context.project_to_write()?;
    let approval = approval::obtain(project, approver, "read sync")??;
    let addresses = addresses_to_fetch(project, options)??;
    let allowed = allowed_addresses(project, &addresses, yes, context)?;
    let synced = sync_stores(project, options, &allowed, &approval)??;
    let has_failed = synced.stores.iter().any(|store| store.problem.is_some());
    context.output.answer(&synced, || told(&synced));
    if !context.output.json {
        context.output.warn_each(&synced.warnings);
        for store in &synced.stores {
            let said = |said: &String| format!("{}: {said}", store.name);
            context.output.warn_each(&store.warnings.iter().map(said).collect::<Vec<_>>());
        }
        if synced.stores.is_empty() {
            context.output.talk("git fetches no other store");
        }
    }
    Ok(if has_failed { NO } else { DONE })
}

fn told(synced: &SyncedStores) -> String {
    let line = |store: &SyncedStore| match &store.problem {
        Some(why) => format!("{BAD}{}{BAD:#} {}: {}\n", store.status, store.name, shown_name(why)),
        None => {
            let commit = store.commit.as_deref().unwrap_or_default();
            let short = commit.get(..7).unwrap_or(commit);
            format!("{GOOD}{}{GOOD:#} {}@{short}\n", store.status, store.name)
        }
    };
    synced.stores.iter().map(line).collect()
}

/// Asks about each address that is new to the person, and remembers a yes in their own settings.
fn allowed_addresses(
    project: &Project,
    addresses: &[String],
    yes: bool,
    context: &Context,
) -> Result<BTreeSet<String>> {
    let file = environment::user_config();
    let settings = file.as_deref().map(|file| OwnSettings::read(file, &project.folders()));
    let mut allowed = match settings.transpose()? {
        Some(OwnSettings::Count(own)) => own.read_addresses,
        Some(OwnSettings::Inside(_)) | None => BTreeSet::new(),
    };
    let is_person = approval::is_person_at_terminal();
    for address in addresses {
        if allowed.contains(address) {
            continue;
        }
        context
            .output
            .talk(&format!("git is to fetch from a new address: {}", shown_name(address)));
        if yes || (is_person && says_yes(context)?) {
            allowed.insert(address.clone());
            if let Some(file) = file.as_deref().filter(|_| is_person) {
                allow_address(file, address)?;
            }
        }
    }
    Ok(allowed)
}

fn says_yes(context: &Context) -> Result<bool> {
    context.output.insist("fetch from there, now and later? [y/N]");
    let mut answer = String::new();
    // Where nothing can be read the answer is no.
    let read = std::io::stdin().lock().read_line(&mut answer);
    Ok(read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes"))
}
