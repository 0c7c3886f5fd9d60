//! Asks git what was decided on other branches, where the queue is kept in git.

use std::collections::BTreeMap;

use super::git::Git;
use super::layout::{self, Layout};
use crate::contract::ProposalId;

/// Branches that are looked at, those with the youngest commits first: a repository can have thousands.
const BRANCHES: usize = 100;

/// What can be decided about a proposal.
const DECISIONS: [&str; 2] = ["applied", "rejected"];

/// Decisions that are committed on other branches: of each proposal what became of it, and where.
pub type UnmergedDecisions = BTreeMap<ProposalId, Vec<(&'static str, String)>>;

/// Reads what was decided about some proposals on the branches that are not merged here, as far as this
/// repository has them; nothing where there is no git.
pub fn unmerged_decisions(layout: &Layout, ids: &[ProposalId]) -> UnmergedDecisions {
    let git = Git::at(layout.store()).without_network();
    match ids {
        [] => UnmergedDecisions::new(),
        ids => look(&git, ids).unwrap_or_default(),
    }
}

fn look(git: &Git, ids: &[ProposalId]) -> Option<UnmergedDecisions> {
    let branches = branches(git)?;
    let mut asked = Vec::new();
    for (reference, branch) in &branches {
        for id in ids {
            asked.extend(DECISIONS.map(|decision| (reference, branch, id, decision)));
        }
    }
    let questions = asked.iter().map(|(reference, _, id, decision)| {
        format!("{reference}:./{}\n", layout::decided_path(id, decision))
    });
    let questions = questions.collect::<String>();
    let answers =
        git.run(&["cat-file", "--batch-check=%(objectname)"], questions.as_bytes()).ok()?;
    let answers = String::from_utf8(answers).ok()?;
    let mut found = UnmergedDecisions::new();
    // Of what is not there git says so, behind its name.
    let there = asked.iter().zip(answers.lines()).filter(|(_, answer)| !answer.contains(' '));
    for ((_, branch, id, decision), _) in there {
        found.entry((*id).clone()).or_default().push((*decision, (*branch).clone()));
    }
    Some(found)
}

/// Returns the branches that are not merged here, each as git names it and as it shortens that.
fn branches(git: &Git) -> Option<Vec<(String, String)>> {
    let count = format!("--count={BRANCHES}");
    // What is merged was known here, and may have been taken back since. What only names another branch, as
    // `origin/HEAD` does, would say everything twice.
    let said = git.ask(&[
        "for-each-ref",
        "--no-merged=HEAD",
        "--sort=-committerdate",
        &count,
        "--format=%(if)%(symref)%(then)%(else)%(refname) %(refname:short)%(end)",
        "refs/heads",
        "refs/remotes",
    ])?;
    let lines = said.split(|byte| *byte == b'\n').filter_map(|line| str::from_utf8(line).ok());
    let pairs = lines.filter_map(|line| line.split_once(' '));
    Some(pairs.map(|(reference, branch)| (reference.to_owned(), branch.to_owned())).collect())
}
