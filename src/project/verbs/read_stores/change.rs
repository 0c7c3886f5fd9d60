//! `read add` and `read remove`: the tables in `config.toml`, in the name of a person.

use serde::Serialize;

use crate::error::Result;
use crate::project::config::{
    Config, FolderAbove, GitAddress, OtherPlace, Revision, StoreRule, with_store, without_store,
};
use crate::project::pipeline::Approval;
use crate::project::request::{Answer, Reason, Refusal, StoreName};
use crate::project::store::log::Entry;
use crate::project::store::{LockFile, Step, discard_copies};
use crate::project::verbs::answer::{Attempt, answered, write};
use crate::project::verbs::project::Project;
use crate::text::excerpt;

/// A store that is to be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewStore<'a> {
    pub name: &'a str,
    /// A folder, or an address of git.
    pub place: &'a str,
    pub revision: Option<&'a str>,
}

/// What became of a store in `config.toml`.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct ChangedStore {
    /// `added` or `removed`.
    pub status: &'static str,
    pub name: String,
    /// Whether git has to fetch it before it can be read.
    pub to_fetch: bool,
    pub warnings: Vec<String>,
}

const FILE: &str = "config.toml";

/// Reads another store from now on.
pub(crate) fn add_store(
    project: &Project,
    new: &NewStore<'_>,
    approval: &Approval,
) -> Result<Answer<ChangedStore>> {
    answered(project, || {
        let rule = rule_of(project, new)?;
        if project.config.stores.iter().any(|it| it.name == rule.name) {
            let message = format!("a store `{}` is read already", rule.name);
            let hint =
                "`agent-memory read list` lists them; give another name, or `read remove` it first";
            return Err(refuse(message, hint).into());
        }
        let to_fetch = matches!(rule.place, OtherPlace::Git { .. });
        let told = format!("store {} read", rule.name);
        let edit = |text: &str| Ok((with_store(text, &rule), Vec::new()));
        let warnings = edit_config(project, &told, edit, approval)?;
        Ok(ChangedStore { status: "added", name: rule.name.to_string(), to_fetch, warnings })
    })
}

/// Reads a store no longer; its pin goes, and its copy.
pub(crate) fn remove_store(
    project: &Project,
    name: &str,
    approval: &Approval,
) -> Result<Answer<ChangedStore>> {
    answered(project, || {
        let known = project.config.stores.iter().find(|rule| rule.name.as_str() == name);
        let Some(rule) = known else {
            let message = format!("no store `{}` is read", excerpt(name));
            return Err(refuse(message, "`agent-memory read list` lists them").into());
        };
        let told = format!("store {} not read any more", rule.name);
        let edit = |text: &str| {
            let Some(after) = without_store(text, &rule.name) else {
                let message = format!("`{}` has no table of its own in `config.toml`", rule.name);
                return Err(refuse(message, "take it out by hand"));
            };
            Ok((after, vec![rule.name.clone()]))
        };
        let warnings = edit_config(project, &told, edit, approval)?;
        Ok(ChangedStore {
            status: "removed",
            name: rule.name.to_string(),
            to_fetch: false,
            warnings,
        })
    })
}

fn refuse(message: String, hint: &str) -> Box<Refusal> {
    Refusal::new(Reason::InvalidRequest, message, hint)
}

/// Reads what a person typed.
fn rule_of(project: &Project, new: &NewStore<'_>) -> Answer<StoreRule> {
    project.refuse_unfit("PLACE", new.place)?;
    let Some(name) = StoreName::parse(new.name) else {
        let message = format!("`{}` is no name for a store", excerpt(new.name));
        return Err(refuse(message, StoreName::ALLOWED));
    };
    let is_address = new.place.contains("://") || new.place.contains("::");
    let place = match (is_address, GitAddress::parse(new.place)) {
        (_, Ok(address)) => {
            let revision = new.revision.map_or_else(|| Ok(Revision::of_remote()), Revision::parse);
            let revision = revision.map_err(|problem| refuse(problem, "give `--revision main`"))?;
            OtherPlace::Git { address, revision }
        }
        (true, Err(problem)) => {
            return Err(refuse(problem, "or give the path of a folder, such as `../handbook`"));
        }
        (false, Err(_)) if new.revision.is_some() => {
            let message = "a folder has no revision: it is read as it is".to_owned();
            return Err(refuse(message, "leave out `--revision`"));
        }
        (false, Err(_)) => {
            let hint = "give a path such as `../handbook`, or an address of git";
            let folder = FolderAbove::parse(new.place).map_err(|problem| refuse(problem, hint))?;
            OtherPlace::Folder(folder)
        }
    };
    Ok(StoreRule { name, place })
}

/// Writes another text of `config.toml`; what `edit` names beside it is pinned no longer.
fn edit_config(
    project: &Project,
    told: &str,
    edit: impl Fn(&str) -> Answer<(String, Vec<StoreName>)>,
    approval: &Approval,
) -> Attempt<Vec<String>> {
    let mut locked = project.lock("read", None)?;
    let path = locked.layout().config();
    let before = project.config_text()?;
    let text = before.as_deref().unwrap_or_default();
    let (after, gone) = edit(text)?;
    // A hand-written file must still be valid with the table.
    Config::parse(&after, &path)?;
    let entry = Entry {
        approver: Some(approval.approver()),
        reason: Some(told),
        ..Entry::new(project.session.now, "set")
    };
    let mut steps = Vec::new();
    if !gone.is_empty() {
        let file = LockFile::read(locked.layout())?;
        let mut lock = file.lock.clone();
        lock.pins.retain(|pin| !gone.contains(&pin.name));
        steps.extend(file.step(&lock));
    }
    let trace = project.trace_of([text, after.as_str()].into_iter());
    steps.push(Step::write(FILE, before.as_deref(), after));
    steps.push(entry.append_to(&locked.layout().signed_log().tail()?));
    let warnings = write(&mut locked, steps, trace)?;
    gone.iter().try_for_each(|name| discard_copies(&locked, name))?;
    Ok([project.take_warnings(), warnings].concat())
}
