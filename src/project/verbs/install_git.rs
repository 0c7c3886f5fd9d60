//! `install git`: git's merge driver for the sections of memory files, and their name in its diffs.

use super::{Act, Place};
use crate::clients::Scope;
use crate::error::Result;
use crate::project::store::{Reach, Repository};

/// The sections of git's settings that are ours.
const SECTIONS: [&str; 2] = ["merge.agent-memory", "diff.agent-memory"];

/// Where the program cannot be run, as from a desktop with another `PATH`, git would keep our side without a
/// mark and a careless commit would lose theirs; so git merges line by line then.
const DRIVER: &str = "agent-memory merge-driver %O %A %B %P %L; code=$?; \
    test $code -le 1 && exit $code; \
    git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B";

/// What stands in them.
const SETTINGS: [(&str, &str); 3] = [
    ("merge.agent-memory.name", "agent-memory, section by section"),
    ("merge.agent-memory.driver", DRIVER),
    // A section begins with a heading; `# …` is the title of a file, or a remark in somebody's code.
    ("diff.agent-memory.xfuncname", "^(#{2,6}[[:blank:]].*)$"),
];

/// Sets git up so that sections merge by themselves and diffs name them, or takes that back; returns the settings that
/// were, or would be, set or unset.
pub fn install_git(place: &Place, scope: Scope, act: Act, writes: bool) -> Result<Vec<String>> {
    let (repository, reach) = match scope {
        Scope::Project => (Repository::of(&place.layout()?), Reach::Repository),
        Scope::User => (Repository::around(&place.folder, &place.git_time), Reach::User),
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
