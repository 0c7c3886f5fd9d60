//! Asks git which files differ from a commit, and how they were renamed.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::WorkTree;
use crate::error::{Error, ErrorKind, Result};
use crate::git::{self, DIFF_INDEX};

/// The new paths of each renamed file; with the old path if it stayed.
pub(crate) type Renames = BTreeMap<String, BTreeSet<String>>;

impl WorkTree {
    /// Lists the files on the disk, or staged, that differ from a commit.
    pub(crate) fn changed_since(&self, commit: &str, staged: bool) -> Result<BTreeSet<String>> {
        let listed = self.compared(&["--name-only", "--no-renames"], commit, staged, &[])?;
        Ok(git::split_nul(&listed).collect())
    }

    /// Finds files below a path that were renamed since a commit.
    pub(crate) fn renames_since(&self, commit: &str, staged: bool, below: &str) -> Result<Renames> {
        // Two files that swapped names are found only if each counts as new.
        let wanted = ["--name-status", "--find-renames", "--break-rewrites"];
        let listed = self.compared(&wanted, commit, staged, &[below])?;
        let unclear = |status| {
            let message = format!("git diff-index says `{status}` of a file, which is not known");
            Error::new(ErrorKind::Git, message)
        };
        read(git::split_nul(&listed)).map_err(unclear)
    }

    fn compared(
        &self,
        wanted: &[&str],
        commit: &str,
        staged: bool,
        below: &[&str],
    ) -> Result<Vec<u8>> {
        let git = self.git();
        let relative = format!("--relative={}", git.prefix());
        let fixed = [&DIFF_INDEX[..], &[&relative]].concat();
        let ask = |settings: &[&str], side: &[&str]| {
            let compare = [settings, &fixed[..], wanted, side, &[commit, "--"]].concat();
            git.run_on(&compare, below, b"")
        };
        match staged {
            true => ask(&[], &["--cached"]),
            false => git.without_filters(|settings| ask(settings, &[])),
        }
    }
}

/// Parses statuses with their paths. A wrong count would shift all that follows, so an unknown status is an error.
fn read(mut listed: impl Iterator<Item = String>) -> std::result::Result<Renames, String> {
    let mut renames = Renames::new();
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
            let known = renames.entry(old.clone()).or_default();
            // Git reports a rewritten file that stays as a copy.
            known.extend((letter == "C").then(|| old.clone()));
            known.insert(new.clone());
        }
    }
    Ok(renames)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>(said: &str, expected: Option<[&str; N]>) {
        let renames = read(said.split(' ').map(str::to_owned)).ok();
        let names = |(old, new): (String, BTreeSet<String>)| {
            new.into_iter().map(|new| format!("{old}>{new}")).collect::<Vec<_>>()
        };
        let renames = renames.map(|renames| renames.into_iter().flat_map(names).collect());
        let expected = expected.map(|each| each.map(str::to_owned).to_vec());
        assert_eq!(renames, expected, "{said}");
    }

    #[test]
    fn a_file_that_was_split_goes_on_under_both_names() {
        check("M079 b C080 b c A z", Some(["b>b", "b>c"]));
        check("R100 a b R100 b a M z", Some(["a>b", "b>a"]));
        check("D a U b T c R099 d e", Some(["d>e"]));
    }

    #[test]
    fn a_status_that_is_not_known_is_not_the_end() {
        for said in ["X a M b", "M a B b", "c d M b", "R0x a b", "M", "C100 a", "ß a", "MM a"] {
            check::<0>(said, None);
        }
    }
}
