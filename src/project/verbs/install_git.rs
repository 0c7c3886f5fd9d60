//! `install git`: git's merge driver for the sections of memory files, their name in its diffs, and a hook.

use super::git_hooks::{add_hook, remove_hooks};
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

/// Sets or removes git's merge driver and section names; returns the settings that change. What a person set is left alone;
/// with a driver of their own there is nothing to set up.
pub(crate) fn install_git(
    session: &Session,
    scope: ClientScope,
    act: Act,
    writes: bool,
) -> Result<Vec<String>> {
    let (repository, reach) = match scope {
        ClientScope::Project => (Repository::of(&session.here().layout()?), Reach::Repository),
        ClientScope::User => (Repository::around(&session.folder, &session.git_time), Reach::User),
    };
    let values = SETTINGS.iter().map(|(name, _)| repository.setting(reach, name));
    let values = values.collect::<Result<Vec<_>>>()?;
    let now = || SETTINGS.iter().zip(&values);
    match act {
        Act::Install { hooks } => {
            if let Some(other) = values[DRIVER_AT].as_deref().filter(|value| !is_our_driver(value))
            {
                return Err(foreign_driver(other));
            }
            let is_missing = |(name, value): &(&str, &str), now: Option<&str>| {
                now.is_none() || (*name == SETTINGS[DRIVER_AT].0 && now != Some(*value))
            };
            let missing = now().filter(|(setting, now)| is_missing(setting, now.as_deref()));
            let missing: Vec<_> = missing.map(|(setting, _)| setting).collect();
            // Before any setting is written: a hook that cannot be edited is refused.
            let hook = if hooks { hook(session, scope, writes)? } else { None };
            for (name, value) in missing.iter().filter(|_| writes) {
                repository.configure(reach, name, value)?;
            }
            let set = missing.into_iter().map(|(name, value)| format!("{name} = {value}"));
            Ok(set.chain(hook).collect())
        }
        Act::Uninstall => {
            let is_ours = |value: &str, now: &str| now == value || is_our_driver(now);
            let ours = now()
                .filter(|((_, value), now)| now.as_deref().is_some_and(|now| is_ours(value, now)));
            let ours: Vec<&str> = ours.map(|((name, _), _)| *name).collect();
            for name in ours.iter().filter(|_| writes) {
                repository.forget(reach, name)?;
            }
            let hooks = match scope {
                ClientScope::Project => remove_hooks(&session.here(), writes)?,
                ClientScope::User => Vec::new(),
            };
            Ok(ours.into_iter().map(str::to_owned).chain(hooks).collect())
        }
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
