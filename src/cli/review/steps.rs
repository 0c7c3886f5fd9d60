//! What each operation does to the files: the steps that a split asks about.

use std::collections::{BTreeMap, BTreeSet};

use super::queue::Stores;
use super::state::Review;
use crate::error::Result;
use crate::project::request::MemoryPath;
use crate::project::verbs::{
    Amendment, FileDiff, PieceChoice, Selection, ShownProposal, pieces, show_from, with_taken,
};

/// One operation, or several that only fit together.
pub(super) struct SplitStep {
    /// Numbered from 0.
    pub(super) operations: Vec<usize>,
    /// Empty if the operations do not fit today's files.
    pub(super) files: Vec<FileDiff>,
}

impl SplitStep {
    pub(super) fn pieces(&self) -> usize {
        self.files.iter().map(piece_count).sum()
    }

    /// A masked file holds a secret, so it cannot be split.
    pub(super) fn is_masked(&self) -> bool {
        self.files.iter().any(|file| file.is_masked)
    }
}

pub(super) fn before(file: &FileDiff) -> &str {
    file.before.as_deref().unwrap_or_default()
}

pub(super) fn piece_count(file: &FileDiff) -> usize {
    pieces(before(file), &file.after).len()
}

/// Tries the operations of a proposal one after the other.
///
/// An operation that does not fit yet is tried together with the next one; if that fails too, it is last.
pub(super) fn steps(
    session: &Review<'_>,
    stores: &Stores,
    shown: &ShownProposal,
) -> Result<Vec<SplitStep>> {
    let count = shown.operations.as_array().map_or(0, Vec::len);
    let mut so_far = BTreeMap::new();
    let (mut done, mut left) = (BTreeSet::new(), Vec::new());
    let mut steps = Vec::new();
    for number in 0..count {
        for group in [[left.as_slice(), &[number]].concat(), vec![number]] {
            let all: BTreeSet<usize> = done.iter().chain(&group).copied().collect();
            let selection = Selection::Operations(all.clone());
            let wanted = session.wanted();
            if let Ok(part) = show_from(&stores.here, stores.home(), &wanted, &selection)? {
                left.retain(|each| !group.contains(each));
                steps
                    .push(SplitStep { operations: group, files: advance(&mut so_far, part.diffs) });
                done = all;
                break;
            }
        }
        if !done.contains(&number) {
            left.push(number);
        }
    }
    steps.extend(
        left.into_iter().map(|each| SplitStep { operations: vec![each], files: Vec::new() }),
    );
    mask(&mut steps);
    Ok(steps)
}

/// A file that is masked in one step is masked in all steps, as none of its texts may be applied.
fn mask(steps: &mut [SplitStep]) {
    let files = steps.iter().flat_map(|step| &step.files);
    let masked: BTreeSet<MemoryPath> =
        files.filter(|file| file.is_masked).map(|file| file.memory_path.clone()).collect();
    for file in steps.iter_mut().flat_map(|step| &mut step.files) {
        file.is_masked = masked.contains(&file.memory_path);
    }
}

/// Replaces the files with those after one more step, and returns what this step alone changes.
fn advance(files: &mut BTreeMap<MemoryPath, FileDiff>, diffs: Vec<FileDiff>) -> Vec<FileDiff> {
    let mut now: BTreeMap<MemoryPath, FileDiff> =
        diffs.into_iter().map(|diff| (diff.memory_path.clone(), diff)).collect();
    for (path, former) in &*files {
        // A step may undo what earlier steps did.
        let today = former.before.clone().unwrap_or_default();
        now.entry(path.clone()).or_insert_with(|| FileDiff { after: today, ..former.clone() });
    }
    let step = |(path, diff): (&MemoryPath, &FileDiff)| {
        let former = files.get(path);
        let before = former.map_or_else(|| diff.before.clone(), |it| Some(it.after.clone()));
        (before.as_ref() != Some(&diff.after)).then(|| FileDiff { before, ..diff.clone() })
    };
    let changes = now.iter().filter_map(step).collect();
    *files = now;
    changes
}

/// Merges the chosen pieces of all steps; files whose pieces were all chosen are left out.
///
/// The error names the operations that build on a piece that was not chosen.
pub(super) fn merge_choices(
    steps: &[SplitStep],
    choices: &[Vec<Vec<bool>>],
) -> std::result::Result<Amendment, Vec<usize>> {
    let mut all: BTreeMap<&MemoryPath, Vec<(usize, PieceChoice<'_>)>> = BTreeMap::new();
    for (number, (step, wanted)) in steps.iter().zip(choices).enumerate() {
        for (file, wanted) in step.files.iter().zip(wanted).filter(|(file, _)| !file.is_masked) {
            let choice = PieceChoice { before: before(file), after: &file.after, wanted };
            all.entry(&file.memory_path).or_default().push((number, choice));
        }
    }
    let mut texts = Amendment::new();
    for (path, of_file) in all {
        if of_file.iter().flat_map(|(_, choice)| choice.wanted).all(|wanted| *wanted) {
            continue;
        }
        let choices: Vec<PieceChoice<'_>> = of_file.iter().map(|(_, choice)| *choice).collect();
        let text = with_taken(&choices).map_err(|at| steps[of_file[at].0].operations.clone())?;
        texts.insert(path.clone(), text);
    }
    Ok(texts)
}
