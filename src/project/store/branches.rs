//! Asks git for what branches hold that are not merged here: decisions, where the queue is kept in git, and changes.

use std::collections::BTreeMap;

use super::layout::Layout;
use super::staging::{APPLIED, APPLIED_IN_PART, DecisionMark, REJECTED};
use crate::error::Result;
use crate::git::Git;
use crate::project::request::ProposalId;

/// Branches to read, those with the newest commits first: a repository can have thousands.
const BRANCHES: usize = 100;

/// Git's id of a missing commit.
const NOTHING: &str = "0000000000000000000000000000000000000000";

/// Decisions on other branches: for each proposal the decision and the branch.
pub(crate) type UnmergedDecisions = BTreeMap<ProposalId, Vec<(&'static str, String)>>;

/// Reads the decisions about some proposals on unmerged branches; none without git. A failure of git is the error.
pub(crate) fn unmerged_decisions(layout: &Layout, ids: &[ProposalId]) -> Result<UnmergedDecisions> {
    let git = layout.git();
    if ids.is_empty() || !git.is_there() {
        return Ok(UnmergedDecisions::new());
    }
    match read_decisions(git, ids) {
        // Before the first commit there is no other branch.
        Err(_) if git.last_commit()?.is_none() => Ok(UnmergedDecisions::new()),
        found => found,
    }
}

/// A decision that a branch may hold.
struct Note<'a> {
    reference: &'a str,
    branch: &'a str,
    id: &'a ProposalId,
    mark: DecisionMark,
}

impl Note<'_> {
    fn decision(&self) -> &'static str {
        self.mark.operation.map_or(self.mark.decision, |_| APPLIED_IN_PART)
    }
}

/// Marks of which each decision has one: of a part the first operation was applied or rejected.
const TELLING: [DecisionMark; 4] = [
    DecisionMark { decision: APPLIED, operation: None },
    DecisionMark { decision: APPLIED, operation: Some(1) },
    DecisionMark { decision: REJECTED, operation: Some(1) },
    DecisionMark { decision: REJECTED, operation: None },
];

fn read_decisions(git: &Git, ids: &[ProposalId]) -> Result<UnmergedDecisions> {
    let branches = branches(git, &["HEAD"])?;
    let mut notes = Vec::new();
    for (reference, branch) in &branches {
        for id in ids {
            notes.extend(TELLING.map(|mark| Note { reference, branch, id, mark }));
        }
    }
    keep(git, &mut notes, true, |note| note.reference)?;
    // Decisions from before the branch began were known here too, and may have been taken back since.
    let mut bases: BTreeMap<&str, String> = BTreeMap::new();
    for Note { reference, .. } in &notes {
        if !bases.contains_key(reference) {
            let base = git.consult_line(&["merge-base", "HEAD", reference])?;
            bases.insert(reference, base.unwrap_or_else(|| NOTHING.to_owned()));
        }
    }
    keep(git, &mut notes, false, |note| &bases[note.reference])?;
    let mut found = UnmergedDecisions::new();
    for note in notes {
        let said = (note.decision(), note.branch.to_owned());
        let all = found.entry(note.id.clone()).or_default();
        if !all.contains(&said) {
            all.push(said);
        }
    }
    Ok(found)
}

/// Keeps the notes whose file is in a commit, or those whose file is not.
fn keep<'a, 'c>(
    git: &Git,
    notes: &mut Vec<Note<'a>>,
    is_wanted: bool,
    commit: impl Fn(&Note<'a>) -> &'c str,
) -> Result<()> {
    if notes.is_empty() {
        return Ok(());
    }
    let questions = notes
        .iter()
        .map(|note| format!("{}:{}\n", commit(note), git.named(&note.mark.path(note.id))));
    let questions = questions.collect::<String>();
    let answers = git.run(&["cat-file", "--batch-check=%(objectname)"], questions.as_bytes())?;
    let answers = String::from_utf8_lossy(&answers);
    // For a missing file git adds a word to its name.
    let mut answers = answers.lines().map(|answer| !answer.contains(' '));
    notes.retain(|_| answers.next() == Some(is_wanted));
    Ok(())
}

/// Returns the branches with a change of some files that is not merged here, nor being merged now; none without git. A
/// failure of git is the error.
pub(crate) fn unmerged_changes(layout: &Layout, paths: &[&str]) -> Result<Vec<String>> {
    let git = layout.git();
    if paths.is_empty() || !git.is_there() || git.last_commit()?.is_none() {
        return Ok(Vec::new());
    }
    let is_merging = git.commit_of("MERGE_HEAD")?.is_some();
    let merged: &[&str] = if is_merging { &["HEAD", "MERGE_HEAD"] } else { &["HEAD"] };
    let mut found = Vec::new();
    for (reference, branch) in branches(git, merged)? {
        // A branch without a common commit shares no file with this one.
        let Some(base) = git.consult_line(&["merge-base", "HEAD", &reference])? else { continue };
        let changed = ["diff", "--name-only", "--no-renames", "-z", &base, &reference, "--"];
        if !git.run_on(&changed, paths, b"")?.is_empty() {
            found.push(branch);
        }
    }
    Ok(found)
}

/// Returns the branches that none of some commits has, each with its full and its short name.
fn branches(git: &Git, merged: &[&str]) -> Result<Vec<(String, String)>> {
    let count = format!("--count={BRANCHES}");
    // Merged decisions may have been taken back here. A symbolic reference such as `origin/HEAD` would repeat a
    // branch.
    let merged: Vec<String> = merged.iter().map(|it| format!("--no-merged={it}")).collect();
    let merged: Vec<&str> = merged.iter().map(String::as_str).collect();
    let list = [
        "for-each-ref",
        "--sort=-committerdate",
        &count,
        "--format=%(if)%(symref)%(then)%(else)%(refname) %(refname:short)%(end)",
        "refs/heads",
        "refs/remotes",
    ];
    let said = git.run(&[&list[..], &merged].concat(), b"")?;
    let lines = said.split(|byte| *byte == b'\n').filter_map(|line| str::from_utf8(line).ok());
    let pairs = lines.filter_map(|line| line.split_once(' '));
    Ok(pairs.map(|(reference, branch)| (reference.to_owned(), branch.to_owned())).collect())
}
