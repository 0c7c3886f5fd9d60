//! Looks up what the repository says: cited files, their commits, the archive, what git keeps.

use std::collections::{BTreeMap, BTreeSet};

use super::scope::{CheckScope, Since};
use super::side::Side;
use super::view::View;
use crate::error::Result;
use crate::project::check::{EvidenceNote, RepositoryFacts};
use crate::project::provenance::{Evidence, Freshness, Pin, cited_file};
use crate::project::schema::{Catalog, Category};
use crate::project::store::{
    CitedFiles, Repository, Seat, StandIns, Tree, WorkTree, lines_between, stand_ins_in,
};

/// The largest number of paths for one call of git.
const PATHS: usize = 500;

/// The largest number of changed archive files whose commits are looked up.
const NAMED: usize = 20;

/// Looks it up for the files as they are now. `former` has the categories of the compared commit: what was written once
/// there is so in the change that takes that rule away.
pub(super) fn now(
    side: &Side<'_>,
    view: &View,
    former: Option<&Catalog>,
    scope: &CheckScope,
    seat: &Seat,
) -> Result<RepositoryFacts> {
    let references = references(view, scope);
    let repository = seat.repository();
    let cited = CitedFiles::of(&repository);
    let mut ground = match (side.tree(), seat.git()) {
        (Some(_), Some(git)) => {
            let listed = listed(&references, |paths| git.tree_staged(paths))?;
            facts_in(&listed, references, view, &repository)
        }
        _ => {
            cited.read_ahead(&references);
            let found: Vec<_> = references.iter().map(|each| cited.look_up(each)).collect();
            let lines = cited.find_lines(pins(view, &references.iter().collect()));
            let evidence = references.into_iter().zip(found).collect();
            RepositoryFacts { evidence, lines, ..RepositoryFacts::default() }
        }
    };
    let Some(git) = seat.git() else { return Ok(ground) };
    ground.stand_ins = stand_ins(side, view, &cited, (&ground, git))?;
    ground.changes = changes(git, view, &ground)?;
    ground.tracked = match side.kept() {
        Some(kept) => inside(kept, seat),
        None => inside(&git.tree_staged(&[seat.name()])?, seat),
    };
    let former = former.into_iter().flat_map(write_once);
    let once: Vec<&Category> = write_once(&view.rulebook.catalog).chain(former).collect();
    ground.written = written(git, &once, scope, seat)?;
    ground.is_shallow = match ground.written.is_empty() {
        true => is_cut_off(git, &once, scope, seat)?,
        false => git.is_shallow()?,
    };
    for path in ground.written.keys() {
        let blob = match side.tree() {
            Some(tree) => tree.blob(&seat.named(path)).map(str::to_owned),
            None => repository.blob_on_disk(&seat.named(path)),
        };
        ground.archived.extend(blob.map(|blob| (path.clone(), blob)));
    }
    forget_moved(&mut ground, side, git)?;
    ground.rewritten = rewritten(&ground, git, seat)?;
    Ok(ground)
}

/// Finds the files that have the text of cited ones that are gone, on the side that is checked.
fn stand_ins(
    side: &Side<'_>,
    view: &View,
    cited: &CitedFiles<'_>,
    (ground, git): (&RepositoryFacts, &WorkTree),
) -> Result<StandIns> {
    let is_gone = |reference: &&String| ground.evidence.get(*reference) == Some(&Evidence::Missing);
    let gone: BTreeSet<&String> = ground.evidence.keys().filter(is_gone).collect();
    let mut gone = pins(view, &gone).peekable();
    Ok(match (gone.peek(), side.tree()) {
        (None, _) => StandIns::new(),
        (Some(_), Some(_)) => stand_ins_in(&git.tree_staged(&[])?, gone),
        (Some(_), None) => cited.stand_ins(gone),
    })
}

/// Asks git for the commits in which archived files became what they are.
fn rewritten(
    ground: &RepositoryFacts,
    git: &WorkTree,
    seat: &Seat,
) -> Result<BTreeMap<String, String>> {
    let mut commits = BTreeMap::new();
    // Each call may read the whole history.
    for path in ground.changed_archive().take(NAMED) {
        let name = seat.named(path);
        let Some(last) = git.last_change_of(&name)? else { continue };
        let then = git.tree_of(&last.commit, &[&name])?;
        if then.blob(&name) == ground.archived.get(path).map(String::as_str) {
            commits.insert(path.clone(), last.commit);
        }
    }
    Ok(commits)
}

/// Takes out the archived files whose section stands in another file: it is not lost.
fn forget_moved(ground: &mut RepositoryFacts, side: &Side<'_>, git: &WorkTree) -> Result<()> {
    let is_gone = |(path, _): &(&String, &String)| !ground.archived.contains_key(*path);
    let gone: Vec<_> = ground.written.iter().filter(is_gone).collect();
    if gone.is_empty() {
        return Ok(());
    }
    let paths = side.paths().into_iter().filter(|path| path.ends_with(".md"));
    let paths: Vec<&str> = paths.collect();
    let texts = side.read(&paths)?;
    let files: Vec<_> = paths.iter().map(|path| (*path).to_owned()).zip(texts).collect();
    let mut moved = Vec::new();
    for (path, blob) in gone {
        if git.is_kept_in(path, blob, &files)? {
            moved.push(path.clone());
        }
    }
    for path in &moved {
        ground.written.remove(path);
    }
    Ok(())
}

/// Looks up the same, but no changes, for the compared commit.
pub(super) fn before(
    side: &Side<'_>,
    view: &View,
    scope: &CheckScope,
    seat: &Seat,
) -> Result<RepositoryFacts> {
    let (Some(since), Some(tree), Some(git)) = (&scope.since, side.tree(), seat.git()) else {
        return Ok(RepositoryFacts::default());
    };
    let references = references(view, scope);
    let listed = listed(&references, |paths| since.git.tree_of(&since.commit, paths))?;
    let mut ground = facts_in(&listed, references, view, &seat.repository());
    ground.tracked = inside(tree, seat);
    let once: Vec<&Category> = write_once(&view.rulebook.catalog).collect();
    ground.written = written(git, &once, scope, seat)?;
    let blob = |path: &String| tree.blob(&seat.named(path)).map(str::to_owned);
    ground.archived =
        ground.written.keys().filter_map(|path| Some((path.clone(), blob(path)?))).collect();
    // A file that was not archived yet is not missing.
    ground.written.retain(|path, _| ground.archived.contains_key(path));
    Ok(ground)
}

/// Returns the references whose findings may differ.
fn references(view: &View, scope: &CheckScope) -> Vec<String> {
    let may_differ = |path: &str, note: &EvidenceNote| {
        let Some(since) = &scope.since else { return true };
        let cited = cited_file(&note.reference);
        since.touches(path) || cited.is_none_or(|cited| cited.is_among(&since.changed))
    };
    let notes = view.files.iter().flat_map(|file| file.notes.iter().map(move |n| (file, n)));
    let wanted = notes.filter(|(file, note)| may_differ(&file.path, note));
    let unique: BTreeSet<&String> = wanted.map(|(_, note)| &note.reference).collect();
    unique.into_iter().cloned().collect()
}

fn listed(references: &[String], list: impl Fn(&[&str]) -> Result<Tree>) -> Result<Vec<Tree>> {
    let paths: Vec<&str> =
        references.iter().filter_map(|each| Some(cited_file(each)?.path)).collect();
    paths.chunks(PATHS).map(list).collect()
}

/// Returns the files and lines that some of the notes pin.
fn pins<'v>(view: &'v View, references: &BTreeSet<&String>) -> impl Iterator<Item = Pin<'v>> {
    let notes = view.files.iter().flat_map(|file| &file.notes);
    notes.filter(|note| references.contains(&note.reference)).filter_map(|note| note.pin())
}

/// Looks cited files up in trees of git, and the cited lines in their blobs.
fn facts_in(
    trees: &[Tree],
    references: Vec<String>,
    view: &View,
    repository: &Repository,
) -> RepositoryFacts {
    let evidence = evidence_in(trees, references, repository);
    let references = evidence.keys().collect();
    let changed = pins(view, &references).filter_map(|pin| match evidence.get(pin.reference)? {
        Evidence::Present(Some(today)) if today != pin.blob => Some((pin, today.as_str())),
        Evidence::Present(_)
        | Evidence::Changed(_)
        | Evidence::Shorter(_)
        | Evidence::Missing
        | Evidence::Unchecked
        | Evidence::NotKnown(_) => None,
    });
    let lines = lines_between(repository, &changed.collect());
    RepositoryFacts { evidence, lines, ..RepositoryFacts::default() }
}

fn evidence_in(
    trees: &[Tree],
    references: Vec<String>,
    repository: &Repository,
) -> BTreeMap<String, Evidence> {
    let is_elsewhere =
        |each: &str| cited_file(each).is_some_and(|it| repository.is_in_submodule(it.path));
    let known = |each: String| match is_elsewhere(&each) {
        true => Some((each, Evidence::Unchecked)),
        false => in_trees(&each, trees).map(|found| (each, found)),
    };
    references.into_iter().filter_map(known).collect()
}

/// Returns what git has of a cited file; none for a link, whose target is not read here.
fn in_trees(reference: &str, trees: &[Tree]) -> Option<Evidence> {
    let cited = cited_file(reference);
    let held = cited.and_then(|cited| {
        trees.iter().find_map(|tree| Some((tree.blob(cited.path)?, tree.is_link(cited.path))))
    });
    match held {
        None => Some(Evidence::Missing),
        Some((_, true)) => None,
        Some((blob, false)) => Some(Evidence::Present(Some(blob.to_owned()))),
    }
}

/// Asks git which commits changed the stale cited files.
fn changes(
    git: &WorkTree,
    view: &View,
    ground: &RepositoryFacts,
) -> Result<BTreeMap<String, Vec<crate::project::check::CitedChange>>> {
    let notes = view.files.iter().flat_map(|file| &file.notes);
    let stale = notes.filter(|note| ground.freshness(note) == Some(Freshness::Stale));
    let paths: BTreeSet<&str> =
        stale.filter_map(|note| Some(cited_file(&note.reference)?.path)).collect();
    // Each call reads the whole history, so there is only one.
    git.changes(&paths.into_iter().take(PATHS).collect::<Vec<_>>())
}

/// Reads the first blobs of write-once files, where one of them may have changed.
fn written(
    git: &WorkTree,
    once: &[&Category],
    scope: &CheckScope,
    seat: &Seat,
) -> Result<BTreeMap<String, String>> {
    let is_one = |path: &str| is_written_once(once, path);
    let folders: BTreeSet<String> = once
        .iter()
        .flat_map(|category| category.paths.patterns())
        .map(|pattern| {
            let pattern = pattern.as_str();
            let fixed = pattern.split('*').next().unwrap_or(pattern);
            let folder = if fixed.len() < pattern.len() {
                fixed.rsplit_once('/').map_or("", |(folder, _)| folder)
            } else {
                pattern
            };
            seat.named(folder).trim_end_matches('/').to_owned()
        })
        .collect();
    if scope.since.as_ref().is_some_and(|since| !since.touches_any(is_one)) {
        return Ok(BTreeMap::new());
    }
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    let first = git.first_blobs(seat.name(), &folders)?;
    let inside =
        first.into_iter().filter_map(|(path, blob)| Some((seat.inside(&path)?.to_owned(), blob)));
    let mut written: BTreeMap<_, _> = inside.filter(|(path, _)| is_one(path)).collect();
    let since = scope.since.as_ref().filter(|_| !written.is_empty());
    if let Some(since) = since
        && git.is_shallow()?
    {
        // In a shallow clone the oldest commit seems to have added all files, so the blobs of the compared commit count.
        // Other files of it may be newer than this branch, and are not missing here.
        for (path, blob) in &mut written {
            let then = since.tree.blob(&seat.named(path));
            then.into_iter().for_each(|then| then.clone_into(blob));
        }
    }
    Ok(written)
}

fn write_once(catalog: &Catalog) -> impl Iterator<Item = &Category> {
    catalog.categories().iter().filter(|c| c.write_once && c.tracked)
}

fn is_written_once(once: &[&Category], path: &str) -> bool {
    once.iter().any(|category| category.paths.fits(path))
}

/// Tells whether a change touches archived files in a shallow clone, where their first blobs are unknown.
fn is_cut_off(git: &WorkTree, once: &[&Category], scope: &CheckScope, seat: &Seat) -> Result<bool> {
    let is_one = |path: &str| is_written_once(once, path);
    let had_one = |since: &Since| {
        since.tree.paths().filter_map(|path| seat.inside(path)).any(is_one)
            && since.touches_any(is_one)
    };
    Ok(scope.since.as_ref().is_some_and(had_one) && git.is_shallow()?)
}

fn inside(tree: &Tree, seat: &Seat) -> BTreeSet<String> {
    tree.paths().filter_map(|path| seat.inside(path)).map(str::to_owned).collect()
}
