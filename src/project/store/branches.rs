//! Asks git what was decided on other branches, where the queue is kept in git.

use std::collections::BTreeMap;

use super::layout::{self, Layout};
use super::staging::DECISIONS;
use crate::contract::ProposalId;
use crate::error::Result;
use crate::git::Git;

/// Branches that are looked at, those with the youngest commits first: a repository can have thousands.
const BRANCHES: usize = 100;

/// What git calls a commit that is not there.
const NOTHING: &str = "0000000000000000000000000000000000000000";

/// Decisions that are committed on other branches: of each proposal what became of it, and where.
pub type UnmergedDecisions = BTreeMap<ProposalId, Vec<(&'static str, String)>>;

/// Reads what was decided about some proposals on the branches that are not merged here, as far as this
/// repository has them; nothing where there is no git. What git says against telling it is the error.
pub fn unmerged_decisions(layout: &Layout, ids: &[ProposalId]) -> Result<UnmergedDecisions> {
    let git = layout.git();
    if ids.is_empty() || !git.is_there() {
        return Ok(UnmergedDecisions::new());
    }
    match look(git, ids) {
        // Before the first commit no branch is another one.
        Err(_) if git.last_commit()?.is_none() => Ok(UnmergedDecisions::new()),
        found => found,
    }
}

/// A decision that a branch may hold.
struct Note<'a> {
    reference: &'a str,
    branch: &'a str,
    id: &'a ProposalId,
    decision: &'static str,
}

fn look(git: &Git, ids: &[ProposalId]) -> Result<UnmergedDecisions> {
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
        if !bases.contains_key(reference) {
            let base = git.consult_line(&["merge-base", "HEAD", reference])?;
            bases.insert(reference, base.unwrap_or_else(|| NOTHING.to_owned()));
        }
    }
    keep(git, &mut notes, false, |note| &bases[note.reference])?;
    let mut found = UnmergedDecisions::new();
    for Note { branch, id, decision, .. } in notes {
        found.entry(id.clone()).or_default().push((decision, branch.to_owned()));
    }
    Ok(found)
}

/// Keeps the notes that are in a commit, or those that are not.
fn keep<'a, 'c>(
    git: &Git,
    notes: &mut Vec<Note<'a>>,
    is_wanted: bool,
    commit: impl Fn(&Note<'a>) -> &'c str,
) -> Result<()> {
    if notes.is_empty() {
        return Ok(());
    }
    let questions = notes.iter().map(|note| {
        let path = layout::decided_path(note.id, note.decision);
        format!("{}:{}\n", commit(note), git.named(&path))
    });
    let questions = questions.collect::<String>();
    let answers = git.run(&["cat-file", "--batch-check=%(objectname)"], questions.as_bytes())?;
    let answers = String::from_utf8_lossy(&answers);
    // Of what is not there git says so, behind its name.
    let mut answers = answers.lines().map(|answer| !answer.contains(' '));
    notes.retain(|_| answers.next() == Some(is_wanted));
    Ok(())
}

/// Returns the branches that are not merged here, each as git names it and as it shortens that.
fn branches(git: &Git) -> Result<Vec<(String, String)>> {
    let count = format!("--count={BRANCHES}");
    // What is merged was known here, and may have been taken back since. What only names another branch, as
    // `origin/HEAD` does, would say everything twice.
    let list = [
        "for-each-ref",
        "--no-merged=HEAD",
        "--sort=-committerdate",
        &count,
        "--format=%(if)%(symref)%(then)%(else)%(refname) %(refname:short)%(end)",
        "refs/heads",
        "refs/remotes",
    ];
    let said = git.run(&list, b"")?;
    let lines = said.split(|byte| *byte == b'\n').filter_map(|line| str::from_utf8(line).ok());
    let pairs = lines.filter_map(|line| line.split_once(' '));
    Ok(pairs.map(|(reference, branch)| (reference.to_owned(), branch.to_owned())).collect())
}
