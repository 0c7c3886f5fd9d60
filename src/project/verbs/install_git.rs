//! `install git`: git's merge driver for the sections of memory files, their name in its diffs, and a hook.

use super::git_hooks::{HookEdit, HookRemoval, LeftHook, add_hook, plan_removal};
use super::install::Act;
use super::session::Session;
use crate::clients::ClientScope;
use crate::error::{Error, ErrorKind, Result};
use crate::project::store::{Reach, Repository};
use crate::text::{excerpt, visible};

/// Where the program cannot be run, as on a desktop with another `PATH`, git would keep our side without markers, and
/// a commit would lose theirs. So the driver lets git merge by lines then.
const DRIVER: &str = "agent-memory merge-driver %O %A %B %P %L; code=$?; \
    test $code -le 1 && exit $code; \
    git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B";

const SETTINGS: [(&str, &str); 3] = [
    ("merge.agent-memory.name", "agent-memory, section by section"),
    ("merge.agent-memory.driver", DRIVER),
    // A section begins with a heading; `# …` is the title of a file, or a comment in code.
    ("diff.agent-memory.xfuncname", "^(#{2,6}[[:blank:]].*)$"),
];

/// What was set, or taken out.
#[derive(Debug, Default)]
pub(crate) struct GitSetup {
    pub changed: Vec<String>,
    /// The hooks that `uninstall` leaves to a person.
    pub left: Vec<LeftHook>,
}

/// Sets or removes git's merge driver and section names. What a person set is left alone; with a driver of their own
/// there is nothing to set up. All is read and decided before anything is written.
pub(crate) fn install_git(
    session: &Session,
    scope: ClientScope,
    act: Act,
    writes: bool,
) -> Result<GitSetup> {
    let reach = match scope {
        ClientScope::Project => Reach::Repository,
        ClientScope::User => Reach::User,
    };
    let repository = repository(session, scope)?;
    let values = SETTINGS.iter().map(|(name, _)| repository.setting(reach, name));
    let values = values.collect::<Result<Vec<_>>>()?;
    match act {
        Act::Install { hooks } => {
            let missing = missing(&values)?;
            // Before any setting is written: a hook that cannot be edited is refused.
            let hook = if hooks { hook(session, scope, writes)? } else { None };
            for (name, value) in missing.iter().filter(|_| writes) {
                repository.configure(reach, name, value)?;
            }
            let set = missing.into_iter().map(|(name, value)| format!("{name} = {value}"));
            Ok(GitSetup { changed: set.chain(hook).collect(), left: Vec::new() })
        }
        Act::Uninstall => {
            let ours = ours(&values);
            let HookRemoval { edits, left } = match scope {
                ClientScope::Project => plan_removal(&session.here())?,
                ClientScope::User => HookRemoval::default(),
            };
            if writes {
                edits.iter().try_for_each(HookEdit::write)?;
                ours.iter().try_for_each(|name| repository.forget(reach, name))?;
            }
            let changed = ours.into_iter().map(str::to_owned);
            let changed = changed.chain(edits.iter().map(HookEdit::name)).collect();
            Ok(GitSetup { changed, left })
        }
    }
}

/// Returns the settings to be set, by the values of now.
fn missing(values: &[Option<String>]) -> Result<Vec<(&'static str, &'static str)>> {
    if let Some(other) = values[DRIVER_AT].as_deref().filter(|value| !is_our_driver(value)) {
        return Err(foreign_driver(other));
    }
    let is_missing = |((name, value), now): &((&str, &str), Option<&str>)| {
        now.is_none() || (*name == SETTINGS[DRIVER_AT].0 && *now != Some(*value))
    };
    let now = SETTINGS.into_iter().zip(values.iter().map(Option::as_deref));
    Ok(now.filter(is_missing).map(|(setting, _)| setting).collect())
}

/// Returns the names of the settings that are ours.
fn ours(values: &[Option<String>]) -> Vec<&'static str> {
    let is_ours = |value: &str, now: &str| now == value || is_our_driver(now);
    let now = SETTINGS.into_iter().zip(values.iter().map(Option::as_deref));
    let ours = now.filter(|((_, value), now)| now.is_some_and(|now| is_ours(value, now)));
    ours.map(|((name, _), _)| name).collect()
}

/// Finds the repository to set up. The settings are those of a clone, so where the working directory has no store, one
/// below it is enough.
fn repository(session: &Session, scope: ClientScope) -> Result<Repository> {
    let around = || Repository::around(&session.folder, &session.git_time);
    if scope == ClientScope::User {
        return Ok(around());
    }
    match session.here().layout() {
        Ok(layout) => Ok(Repository::of(&layout)),
        Err(error) if error.kind() == ErrorKind::StoreNotFound && session.root.is_none() => {
            let has_stores = !around().store_roots()?.is_empty();
            if has_stores { Ok(around()) } else { Err(error) }
        }
        Err(error) => Err(error),
    }
}

fn hook(session: &Session, scope: ClientScope, writes: bool) -> Result<Option<String>> {
    match scope {
        ClientScope::Project => add_hook(&session.here(), writes),
        ClientScope::User => {
            let message = "a hook belongs to one repository, `--user` sets up all of them";
            let hint = "run `agent-memory install git --hooks` in a repository";
            Err(Error::new(ErrorKind::Usage, message).hint(hint))
        }
    }
}

/// Where the driver is among the settings.
const DRIVER_AT: usize = 1;

fn is_our_driver(value: &str) -> bool {
    value.starts_with("agent-memory merge-driver ")
}

fn foreign_driver(value: &str) -> Error {
    let (name, value) = (SETTINGS[DRIVER_AT].0, visible(&excerpt(value)).into_owned());
    let message = format!("git has another merge driver for memory files: `{name} = {value}`");
    let hint = format!(
        "`git config --unset {name}` takes it out, then run `agent-memory install git` again; or keep it"
    );
    Error::new(ErrorKind::Usage, message).hint(hint)
}
