//! Asks git which files are others than in a commit, and under which names they go on.

use std::collections::{BTreeMap, BTreeSet};

use super::git;
use super::tree::WorkTree;
use crate::error::Result;

/// The files that are others than in a commit.
#[derive(Debug, Default)]
pub struct Changed {
    /// All of them, by the names of both sides.
    pub files: BTreeSet<String>,
    /// Of those that were given another name, all under which their text goes on; the old one where it stayed.
    pub moved: BTreeMap<String, BTreeSet<String>>,
}

impl WorkTree {
    /// Lists the files that are others than in a commit: on the disk, or as they are staged.
    pub fn changed_since(&self, commit: &str, staged: bool) -> Result<Changed> {
        // Two files that changed names were not renamed, unless each counts as a new one.
        let fixed = ["diff-index", "-z", "--name-status", "--find-renames", "--break-rewrites"];
        let side = if staged { &["--cached"][..] } else { &[] };
        let listed = self.bytes(&[&fixed[..], side, &["--relative", commit, "--"]].concat())?;
        let unclear = |status| {
            self.failed("diff-index").hint(format!("`{status}` is not what it says of a file"))
        };
        Changed::read(git::listed(&listed)).map_err(unclear)
    }
}

impl Changed {
    /// Reads statuses, each with the names that belong to it. A wrong number of them would shift all that follows, so
    /// the first status that is not known is the error.
    fn read(mut listed: impl Iterator<Item = String>) -> std::result::Result<Self, String> {
        let mut changed = Self::default();
        while let Some(status) = listed.next() {
            let (letter, figures) = status.split_at_checked(1).unwrap_or_default();
            let count = match letter {
                "A" | "D" | "M" | "T" | "U" => 1,
                "R" | "C" => 2,
                _ => return Err(status),
            };
            let names: Vec<String> = listed.by_ref().take(count).collect();
            if names.len() < count || !figures.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(status);
            }
            if let [old, new] = &names[..] {
                let known = changed.moved.entry(old.clone()).or_default();
                // Of a file that was rewritten and stays, git says that the other one is a copy.
                known.extend((letter == "C").then(|| old.clone()));
                known.insert(new.clone());
            }
            changed.files.extend(names);
        }
        Ok(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(said: &str, expected: Option<(&[&str], &[&str])>) {
        let read = Changed::read(said.split(' ').map(str::to_owned)).ok();
        let read = read.map(|Changed { files, moved }| {
            let moves = moved.iter().flat_map(|(old, new)| new.iter().map(move |new| (old, new)));
            let moves: Vec<String> = moves.map(|(old, new)| format!("{old}>{new}")).collect();
            (files.into_iter().collect::<Vec<_>>(), moves)
        });
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(read, expected.map(|(files, moves)| (owned(files), owned(moves))), "{said}");
    }

    #[test]
    fn a_file_that_was_split_goes_on_under_both_names() {
        check("M079 b C080 b c A z", Some((&["b", "c", "z"], &["b>b", "b>c"])));
        check("R100 a b R100 b a M z", Some((&["a", "b", "z"], &["a>b", "b>a"])));
        check("D a U b T c M c", Some((&["a", "b", "c"], &[])));
    }

    #[test]
    fn a_status_that_is_not_known_is_not_the_end() {
        for said in ["X a M b", "M a B b", "c d M b", "R0x a b", "M", "C100 a", "ß a", "MM a"] {
            check(said, None);
        }
    }
}
