//! Asks git what was decided on other branches, where the queue is kept in git.

use std::collections::BTreeMap;

use super::git::Git;
use super::layout::{self, Layout};
use super::staging::DECISIONS;
use crate::contract::ProposalId;

/// Branches that are looked at, those with the youngest commits first: a repository can have thousands.
const BRANCHES: usize = 100;

/// What git calls a commit that is not there.
const NOTHING: &str = "0000000000000000000000000000000000000000";

/// Decisions that are committed on other branches: of each proposal what became of it, and where.
pub type UnmergedDecisions = BTreeMap<ProposalId, Vec<(&'static str, String)>>;

/// Reads what was decided about some proposals on the branches that are not merged here, as far as this
/// repository has them; nothing where there is no git.
pub fn unmerged_decisions(layout: &Layout, ids: &[ProposalId]) -> UnmergedDecisions {
    match ids {
        [] => UnmergedDecisions::new(),
        ids => look(layout.git(), ids).unwrap_or_default(),
    }
}

/// A decision that a branch may hold.
struct Note<'a> {
    reference: &'a str,
    branch: &'a str,
    id: &'a ProposalId,
    decision: &'static str,
}

fn look(git: &Git, ids: &[ProposalId]) -> Option<UnmergedDecisions> {
    let branches = branches(git)?;
    let mut notes = Vec::new();
    for (reference, branch) in &branches {
        for id in ids {
            notes.extend(DECISIONS.map(|decision| Note { reference, branch, id, decision }));
        }
    }
    keep(git, &mut notes, true, |note| note.reference)?;
    // What a branch began with was known here too, and may have been taken back since.
    let mut bases: BTreeMap<&str, String> = BTreeMap::new();
    for Note { reference, .. } in &notes {
        bases.entry(reference).or_insert_with(|| {
            let base = git.ask_line(&["merge-base", "HEAD", reference]);
            base.unwrap_or_else(|| NOTHING.to_owned())
        });
    }
    keep(git, &mut notes, false, |note| &bases[note.reference])?;
    let mut found = UnmergedDecisions::new();
    for Note { branch, id, decision, .. } in notes {
        found.entry(id.clone()).or_default().push((decision, branch.to_owned()));
    }
    Some(found)
}

/// Keeps the notes that are in a commit, or those that are not.
fn keep<'a, 'c>(
    git: &Git,
    notes: &mut Vec<Note<'a>>,
    is_wanted: bool,
    commit: impl Fn(&Note<'a>) -> &'c str,
) -> Option<()> {
    if notes.is_empty() {
        return Some(());
    }
    let questions = notes.iter().map(|note| {
        let path = layout::decided_path(note.id, note.decision);
        format!("{}:{}\n", commit(note), git.named(&path))
    });
    let questions = questions.collect::<String>();
    let answers =
        git.run(&["cat-file", "--batch-check=%(objectname)"], questions.as_bytes()).ok()?;
    let answers = String::from_utf8(answers).ok()?;
    // Of what is not there git says so, behind its name.
    let mut answers = answers.lines().map(|answer| !answer.contains(' '));
    notes.retain(|_| answers.next() == Some(is_wanted));
    Some(())
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
