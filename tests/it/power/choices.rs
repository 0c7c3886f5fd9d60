//! Chooses what a power cut leaves: everything where there is little, otherwise a systematic sample.

use std::collections::{BTreeMap, BTreeSet};

use super::crash::{Cut, Fate, Kept};
use super::disk::{Disk, Operation, Promise};

/// Up to how many combinations all are taken.
const FEW: usize = 64;

/// Combinations that are drawn besides.
const DRAWN: usize = 6;

/// What became of some files; all is kept of the others.
type Fates = BTreeMap<usize, Fate>;

/// Returns what may be kept after a power cut, each once.
pub(super) fn choices(disk: &Disk, cut: &Cut, promise: Promise) -> BTreeSet<Kept> {
    let names = names(cut, promise);
    let single = single_fates(disk, cut);
    let everything = everything(disk, cut);
    let mut choices = BTreeSet::new();
    let mut add = |names: &BTreeSet<usize>, files: &Fates| {
        choices.insert(Kept { names: names.clone(), files: files.clone() });
    };
    if let Some(everything) = everything.filter(|all| all.len() * names.len() <= FEW) {
        everything.iter().for_each(|files| names.iter().for_each(|names| add(names, files)));
        return choices;
    }
    let of_all = |fate: fn(usize) -> Fate| -> Fates {
        cut.files.iter().map(|(inode, (durable, _))| (*inode, fate(*durable))).collect()
    };
    let (lost, zeros) = (of_all(Fate::Writes), of_all(Fate::Zeros));
    let whole = [&Fates::new(), &lost, &zeros];
    for (number, kept) in names.iter().enumerate() {
        let beginning = cut.names.iter().zip(kept).all(|(name, kept)| name == kept);
        let taken = whole.iter().skip(if beginning { 0 } else { number % whole.len() });
        taken.take(if beginning { whole.len() } else { 1 }).for_each(|files| add(kept, files));
    }
    let (all, none) = (cut.names.iter().copied().collect(), BTreeSet::new());
    for names in [&all, &none] {
        for (inode, fate) in single.iter().filter(|(inode, _)| is_at_stake(disk, cut, *inode)) {
            add(names, &Fates::from([(*inode, *fate)]));
            let mut alone = lost.clone();
            alone.remove(inode);
            add(names, &alone);
        }
    }
    let mut seed = cut.before;
    for _ in 0..DRAWN.min(single.len()) {
        let drawn = single.iter().filter(|_| draw(&mut seed, 3) == 0).copied().collect();
        add(&names[draw(&mut seed, names.len())], &drawn);
    }
    choices
}

/// Returns which names may be kept: a beginning of the list where names keep their order, and otherwise
/// also each alone, each missing, and each two missing.
fn names(cut: &Cut, promise: Promise) -> Vec<BTreeSet<usize>> {
    let all = &cut.names;
    let mut found: BTreeSet<BTreeSet<usize>> =
        (0..=all.len()).map(|count| all[..count].iter().copied().collect()).collect();
    // Of a long list only neighbours are missing together.
    let without = |lost: &[&usize]| all.iter().copied().filter(|n| !lost.contains(&n)).collect();
    match promise {
        Promise::Journaled => {}
        Promise::Posix => {
            found.extend(all.iter().map(|name| BTreeSet::from([*name])));
            for (at, first) in all.iter().enumerate() {
                let far = if all.len() > FEW / 4 { 2 } else { all.len() };
                found.extend(all[at..].iter().take(far).map(|second| without(&[first, second])));
            }
        }
    }
    found.into_iter().collect()
}

/// Tells whether the last operation makes another matter of a lost file than the one before it: it wrote
/// to the file or named it, or something was promised.
fn is_at_stake(disk: &Disk, cut: &Cut, inode: usize) -> bool {
    let Some(last) = cut.before.checked_sub(1) else { return true };
    match &disk.operations[last] {
        Operation::Write { .. } | Operation::Cut { .. } => {
            disk.writes(inode, cut.before).last() == Some(&last)
        }
        Operation::Name { come, .. } => come.as_ref().is_some_and(|(_, named)| *named == inode),
        Operation::Sync { .. } | Operation::Say | Operation::End => true,
    }
}

/// Returns everything that may have become of one file.
fn single_fates(disk: &Disk, cut: &Cut) -> Vec<(usize, Fate)> {
    let fates = |inode: &usize| {
        let inode = *inode;
        cut.fates(disk, inode).into_iter().map(move |fate| (inode, fate))
    };
    cut.files.keys().flat_map(fates).collect()
}

/// Returns everything that may have become of all files, where that is not too much.
fn everything(disk: &Disk, cut: &Cut) -> Option<Vec<Fates>> {
    let mut all = vec![Fates::new()];
    for inode in cut.files.keys() {
        let fates = cut.fates(disk, *inode);
        if all.len() * (fates.len() + 1) > FEW {
            return None;
        }
        let longer: Vec<Fates> = all
            .iter()
            .flat_map(|known| {
                fates.iter().map(|fate| {
                    let mut longer = known.clone();
                    longer.insert(*inode, *fate);
                    longer
                })
            })
            .collect();
        all.extend(longer);
    }
    Some(all)
}

/// Draws a number below a limit, the same ones in every run.
pub(super) fn draw(seed: &mut usize, limit: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % limit
}
