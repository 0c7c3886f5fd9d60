//! Asks git what was decided on other branches, where the queue is kept in git.

use std::collections::{BTreeMap, BTreeSet};

use super::git::{Git, listed};
use super::layout::{DECIDED, Layout};
use super::staging;
use crate::contract::ProposalId;

/// Branches that are looked at, those with the youngest commits first: a repository can have thousands.
const BRANCHES: usize = 100;

/// Decisions that are committed on other branches: of each proposal what became of it, and where.
pub type Verdicts = BTreeMap<ProposalId, Vec<(&'static str, String)>>;

/// Reads the decisions on the branches that are not checked out here, as far as this repository has them;
/// nothing where there is no git.
pub fn verdicts_elsewhere(layout: &Layout) -> Verdicts {
    let git = Git::at(layout.store());
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut verdicts = Verdicts::new();
    for (branch, folder) in folders(&git).unwrap_or_default() {
        let names = names.entry(folder).or_insert_with_key(|folder| names_in(&git, folder));
        for name in &*names {
            let Some((id, decision)) = staging::read_decision(name) else { continue };
            verdicts.entry(id).or_default().push((decision, branch.clone()));
        }
    }
    verdicts
}

/// Returns other branches, each with the tree that holds its decisions.
fn folders(git: &Git) -> Option<Vec<(String, String)>> {
    let count = format!("--count={BRANCHES}");
    // What only names another branch, as `origin/HEAD` does, would say everything twice.
    let format = "--format=%(if)%(symref)%(then)%(else)%(HEAD)%(refname) %(refname:short)%(end)";
    let order = "--sort=-committerdate";
    let said = git.ask(&["for-each-ref", &count, order, format, "refs/heads", "refs/remotes"])?;
    let said = String::from_utf8(said).ok()?;
    let others = said.lines().filter_map(|line| line.strip_prefix(' ')?.split_once(' '));
    let (references, branches): (Vec<&str>, Vec<&str>) = others.unzip();
    if references.is_empty() {
        return None;
    }
    let asked = references.iter().map(|reference| format!("{reference}:./{DECIDED}\n"));
    let asked = asked.collect::<String>();
    let found = git.run(&["cat-file", "--batch-check=%(objectname)"], asked.as_bytes()).ok()?;
    let found = String::from_utf8(found).ok()?;
    let found = branches.into_iter().zip(found.lines()).filter(|(_, line)| !line.contains(' '));
    Some(found.map(|(branch, tree)| (branch.to_owned(), tree.to_owned())).collect())
}

/// Returns the names in a tree.
fn names_in(git: &Git, tree: &str) -> BTreeSet<String> {
    let said = git.ask(&["ls-tree", "--full-tree", "-z", "--name-only", tree]).unwrap_or_default();
    listed(&said).collect()
}
