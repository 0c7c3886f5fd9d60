//! `install git`: git's merge driver for the sections of memory files, and their name in its diffs.

use super::install::Act;
use super::session::Session;
use crate::clients::ClientScope;
use crate::error::Result;
use crate::project::store::{Reach, Repository};

const SECTIONS: [&str; 2] = ["merge.agent-memory", "diff.agent-memory"];

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

/// Sets or removes git's merge driver and section names; returns the settings that change.
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
        Act::Install { .. } => {
            let missing = now().filter(|((_, value), now)| now.as_deref() != Some(*value));
            let missing: Vec<_> = missing.map(|(setting, _)| setting).collect();
            for (name, value) in missing.iter().filter(|_| writes) {
                repository.configure(reach, name, value)?;
            }
            Ok(missing.into_iter().map(|(name, value)| format!("{name} = {value}")).collect())
        }
        Act::Uninstall => {
            let is_there = |section: &&str| {
                now().any(|((name, _), now)| now.is_some() && name.starts_with(section))
            };
            let there: Vec<&str> = SECTIONS.into_iter().filter(is_there).collect();
            for section in there.iter().filter(|_| writes) {
                repository.forget(reach, section)?;
            }
            Ok(there.into_iter().map(str::to_owned).collect())
        }
    }
}
