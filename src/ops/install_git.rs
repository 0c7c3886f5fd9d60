//! `install git`: git's merge driver for the sections of memory files, and their name in its diffs.

use super::{Act, Place};
use crate::clients::Scope;
use crate::error::Result;
use crate::store::{Reach, Repository};

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
    let value_of = |name: &str| repository.setting(reach, name);
    match act {
        Act::Install { .. } => {
            let mut missing = Vec::new();
            for (name, value) in SETTINGS {
                missing
                    .extend((value_of(name)?.as_deref() != Some(value)).then_some((name, value)));
            }
            for (name, value) in missing.iter().filter(|_| writes) {
                repository.configure(reach, name, value)?;
            }
            let set = missing.iter().map(|(name, value)| format!("{name} = {value}"));
            Ok(set.collect())
        }
        Act::Uninstall => {
            let mut there = Vec::new();
            for (name, _) in SETTINGS {
                let section = SECTIONS.into_iter().find(|section| name.starts_with(section));
                let is_new = section.filter(|section| !there.contains(section));
                if value_of(name)?.is_some() {
                    there.extend(is_new);
                }
            }
            for section in there.iter().filter(|_| writes) {
                repository.forget(reach, section)?;
            }
            Ok(there.into_iter().map(str::to_owned).collect())
        }
    }
}
