//! What one operation after the other does to the files: the steps that a split asks about.

use std::collections::{BTreeMap, BTreeSet};

use super::queue::Stores;
use super::session::Session;
use crate::contract::MemoryPath;
use crate::error::Result;
use crate::project::diff::{Taken, pieces, with_taken};
use crate::project::pipeline::Amendment;
use crate::project::verbs::{FileDiff, Selection, ShownProposal, show_from};

/// What an operation does, or several that only fit together.
pub(super) struct Step {
    /// Which operations, numbered from 0.
    pub(super) operations: Vec<usize>,
    /// What they do to each file; nothing if they cannot be done to the files as they are.
    pub(super) files: Vec<FileStep>,
}

impl Step {
    /// Returns how many pieces can be taken or left.
    pub(super) fn pieces(&self) -> usize {
        self.files.iter().map(FileStep::pieces).sum()
    }

    /// Tells whether something of it must not be seen, and so not be taken apart.
    pub(super) fn is_masked(&self) -> bool {
        self.files.iter().any(|file| file.diff.is_masked)
    }
}

/// What a step does to a file, behind the steps before it.
pub(super) struct FileStep {
    path: MemoryPath,
    /// What is shown.
    pub(super) diff: FileDiff,
}

impl FileStep {
    pub(super) fn before(&self) -> &str {
        self.diff.before.as_deref().unwrap_or_default()
    }

    /// Returns how many pieces can be taken or left.
    pub(super) fn pieces(&self) -> usize {
        pieces(self.before(), &self.diff.after).len()
    }
}

/// Does the operations of a proposal one after the other.
///
/// One that cannot be done yet is done together with the next one, and stands last if that cannot be either.
pub(super) fn steps(
    session: &Session<'_>,
    stores: &Stores,
    shown: &ShownProposal,
) -> Result<Vec<Step>> {
    let count = shown.operations.as_array().map_or(0, Vec::len);
    let mut desk = Desk::default();
    let (mut done, mut left) = (BTreeSet::new(), Vec::new());
    let mut steps = Vec::new();
    for number in 0..count {
        for group in [[left.as_slice(), &[number]].concat(), vec![number]] {
            let all: BTreeSet<usize> = done.iter().chain(&group).copied().collect();
            let selection = Selection::Operations(all.clone());
            let wanted = session.wanted();
            if let Ok(part) = show_from(&stores.here, stores.home(), &wanted, &selection)? {
                left.retain(|each| !group.contains(each));
                steps.push(Step { operations: group, files: desk.put(part.diffs) });
                done = all;
                break;
            }
        }
        if !done.contains(&number) {
            left.push(number);
        }
    }
    steps.extend(left.into_iter().map(|each| Step { operations: vec![each], files: Vec::new() }));
    mask(&mut steps);
    Ok(steps)
}

/// Makes a file that is masked behind one step masked behind all: no text of it is fit to land.
fn mask(steps: &mut [Step]) {
    let files = steps.iter().flat_map(|step| &step.files);
    let masked: BTreeSet<MemoryPath> =
        files.filter(|file| file.diff.is_masked).map(|file| file.path.clone()).collect();
    for file in steps.iter_mut().flat_map(|step| &mut step.files) {
        file.diff.is_masked = masked.contains(&file.path);
    }
}

/// The files as the steps so far leave them, beside what they are today.
#[derive(Default)]
struct Desk {
    files: BTreeMap<MemoryPath, FileDiff>,
}

impl Desk {
    /// Puts down what the files are after one step more, and returns what that step alone does.
    fn put(&mut self, diffs: Vec<FileDiff>) -> Vec<FileStep> {
        let mut now: BTreeMap<MemoryPath, FileDiff> =
            diffs.into_iter().map(|diff| (diff.memory_path.clone(), diff)).collect();
        for (path, former) in &self.files {
            // A step may take back what those before it did.
            let today = former.before.clone().unwrap_or_default();
            now.entry(path.clone()).or_insert_with(|| FileDiff { after: today, ..former.clone() });
        }
        let step = |(path, diff): (&MemoryPath, &FileDiff)| {
            let former = self.files.get(path);
            let before = former.map_or_else(|| diff.before.clone(), |it| Some(it.after.clone()));
            let diff = FileDiff { before, ..diff.clone() };
            (diff.before.as_ref() != Some(&diff.after))
                .then(|| FileStep { path: path.clone(), diff })
        };
        let steps = now.iter().filter_map(step).collect();
        self.files = now;
        steps
    }
}

/// Puts together what was taken of each step, file by file; `taken` has a word for each piece of each file.
/// What the operations alone make of a file is not among it.
///
/// Says which operations were taken of what builds on something that was not.
pub(super) fn put_together(
    steps: &[Step],
    taken: &[Vec<Vec<bool>>],
) -> std::result::Result<Amendment, Vec<usize>> {
    let mut all: BTreeMap<&MemoryPath, Vec<(usize, Taken<'_>)>> = BTreeMap::new();
    for (number, (step, taken)) in steps.iter().zip(taken).enumerate() {
        for (file, wanted) in step.files.iter().zip(taken).filter(|(file, _)| !file.diff.is_masked)
        {
            let taken = Taken { before: file.before(), after: &file.diff.after, wanted };
            all.entry(&file.path).or_default().push((number, taken));
        }
    }
    let mut texts = Amendment::new();
    for (path, of_file) in all {
        if of_file.iter().flat_map(|(_, taken)| taken.wanted).all(|wanted| *wanted) {
            continue;
        }
        let taken: Vec<Taken<'_>> = of_file.iter().map(|(_, taken)| *taken).collect();
        let text = with_taken(&taken).map_err(|at| steps[of_file[at].0].operations.clone())?;
        texts.insert(path.clone(), text);
    }
    Ok(texts)
}
