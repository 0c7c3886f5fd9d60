//! `check`: what is wrong with the files of a store, for people and for CI; never writes.

mod disputed;
mod ground;
mod lost_store;
mod misplaced;
mod options;
mod queue;
mod read_files;
mod scope;
mod side;
mod view;

use std::collections::{BTreeMap, BTreeSet};

use super::ignored::{KeptOut, ignoring, is_private};
use super::session::Session;
use super::stores_below::stores_below;
use crate::chain::BreakKind;
use crate::error::{ErrorKind, Result};
use crate::project::check::format::CheckReport;
use crate::project::check::{
    ChangeReach, CheckFinding, CheckedFile, Content, Depth, FindingPlace, Levels, Remark, Rule,
    Rulebook, across, brought_in, check_file, settle,
};
use crate::project::store::{
    Layout, Rest, Seat, Store, Tree, WorkTree, conflict_in, lately_unmerged,
};
use crate::secrets::{Scanner, shown_name};
use crate::text::{did_you_mean, excerpt, read_roughly};
use disputed::Disputes;
use lost_store::report_lost_store;
pub(crate) use options::CheckOptions;
use read_files::{ReadFindings, read_files};
use scope::{CheckScope, Since};
use side::Side;
use view::{View, view};

const SHALLOW: &str = "this clone is shallow: whether an archived file changed before its oldest commit is not known; `git fetch --unshallow` brings the rest";

const PARTIAL: &str =
    "this clone is partial: whether an archived file changed or is gone is not known";

const NO_STORE: &str = "there is no store here or above: nothing was checked";

const OF_THIS_MACHINE: &str =
    "git ignores the whole store, and has no file of it: nothing was checked";

/// How many times the check is repeated while other processes write.
const AGAIN: usize = 3;

/// Checks a store without any write, even of what a crash left to finish.
pub(crate) fn check(session: &Session, options: &CheckOptions) -> Result<CheckReport> {
    session.git_time.allow_a_minute();
    check_in_shared_time(session, options)
}

/// Checks with the time limit of git that is left: `doctor` has ten seconds in all.
pub(super) fn check_in_shared_time(
    session: &Session,
    options: &CheckOptions,
) -> Result<CheckReport> {
    let is_guard = is_guard(options);
    let session = &if is_guard { session.here() } else { session.clone() };
    let layout = match session.layout() {
        Err(error) if error.kind() == ErrorKind::StoreNotFound && is_guard => None,
        found => Some(found?),
    };
    let lost = if is_guard { report_lost_store(session, options, layout.as_ref())? } else { None };
    if let Some(report) = lost {
        return Ok(report);
    }
    let Some(layout) = layout else { return Ok(unchecked(&no_store(session))) };
    let store = Store::at(layout.clone());
    match store.newer() {
        // A commit of a person who has not updated yet is not held up.
        Some(newer) if options.staged => {
            return Ok(unchecked(&format!("the store was {newer}: nothing was checked")));
        }
        Some(_) => store.refuse_newer()?,
        None => {}
    }
    let mut before = Rest::of(&layout);
    let mut found = check_once(session, &layout, options);
    for _ in 0..AGAIN {
        if found.as_ref().is_ok_and(|report| report.findings.is_empty()) {
            break;
        }
        let after = Rest::of(&layout);
        if before.is_some() && before == after {
            break;
        }
        // A change at the same time may have been read half-written: a real finding is still there the next time.
        before = after;
        let again = check_once(session, &layout, options);
        found = match found {
            Ok(former) => again.map(|report| report.seen_before(&former)),
            Err(_) => again,
        };
    }
    found
}

/// Adds what the settings deny to the levels of the command line; a name that is no rule is a remark.
fn team_levels(options: &CheckOptions, denied: &[String], remarks: &mut Vec<Remark>) -> Levels {
    let unheard = denied.iter().filter(|name| Rule::parse(name).is_none()).map(|name| {
        let guess = did_you_mean(name, Rule::NAMES.iter().copied());
        let message = format!("check.deny: there is no rule `{}`{guess}", excerpt(name));
        Remark::new(Rule::Config, "config.toml", message)
    });
    remarks.extend(unheard);
    options.levels.or_denied(&denied.iter().filter_map(|name| Rule::parse(name)).collect())
}

/// Says that there is no store, and names those below, which a guard does not check unasked.
fn no_store(session: &Session) -> String {
    match stores_below(session) {
        Some(below) => format!("{NO_STORE}; {below}: give `--root` once for each"),
        None => NO_STORE.to_owned(),
    }
}

fn unchecked(note: &str) -> CheckReport {
    CheckReport { notes: vec![note.to_owned()], ..CheckReport::new(Vec::new(), Vec::new()) }
}

/// Tells whether git has a file of the store, or had one before the change.
fn is_in_git(now: &Side<'_>, scope: &CheckScope, seat: &Seat) -> Result<bool> {
    let has_file = |tree: &Tree| tree.paths().next().is_some();
    if now.kept().is_some_and(has_file) {
        return Ok(true);
    }
    match &scope.since {
        Some(since) => Ok(has_file(&since.tree)),
        None => {
            let git = seat.required_git()?;
            Ok(has_file(&git.tree_of(&git.base("HEAD")?, &[seat.name()])?))
        }
    }
}

/// Tells whether a check guards commits or branches. Some of them are from before the store, and it has nothing to say there.
fn is_guard(options: &CheckOptions) -> bool {
    options.staged || options.base.is_some()
}

fn check_once(session: &Session, layout: &Layout, options: &CheckOptions) -> Result<CheckReport> {
    let seat = Seat::of(layout)?;
    let scope = CheckScope::read(session, layout, &seat, options)?;
    let now = match options.staged {
        true => Side::staged(&seat)?,
        false => Side::on_disk(layout, scope.since.as_ref(), &seat)?,
    };
    if is_guard(options) && !is_in_git(&now, &scope, &seat)? && is_private(layout)? {
        return Ok(unchecked(OF_THIS_MACHINE));
    }
    let mut view = view(&now, |path| scope.depth(path))?;
    let before = scope.since.as_ref().map(|since| before(since, &now, &mut view, &scope, &seat));
    let before = before.transpose()?;
    let former = before.as_ref().map(|(_, rulebook)| &rulebook.catalog);
    let ground = ground::now(&now, &view, former, &scope, &seat)?;
    let mut remarks = across(&view.files, &view.rulebook, &ground);
    remarks.extend(view.remarks.iter().cloned());
    let (queued, pending) = queue::proposals(session, layout, &scope, &now);
    add_untold(&mut remarks, queued);
    add_untold(&mut remarks, queue::claims(&scope, &now));
    let is_whole = scope.since.is_none() && !options.staged;
    add_untold(&mut remarks, unmerged(&now, layout)?);
    let in_git = now.kept().map(|tree| misplaced::in_tree(tree, &seat));
    add_untold(&mut remarks, in_git.unwrap_or_default());
    remarks.extend(Disputes { seat: &seat, side: &now, view: &view }.find()?);
    let ReadFindings { remarks: read, notes } = read_files(&now, &view.rulebook, &scope, &seat)?;
    remarks.extend(read);
    add_untold(&mut remarks, if is_whole { misplaced::on_disk(layout) } else { Vec::new() });
    remarks.extend(is_whole.then(|| broken_log(layout)).into_iter().flatten());
    let (ignored, unknown) = kept_out(layout, &view.rulebook);
    remarks.extend(ignored);
    let levels = team_levels(options, &view.rulebook.config.denied_rules, &mut remarks);
    remarks.retain(|remark| scope.covers(remark));
    let root = seat.root_from(&session.folder);
    let place = FindingPlace { prefix: seat.prefix(), root: &root };
    let findings = settled(remarks, before, place, &levels, &view.rulebook.scanner);
    let mut report = CheckReport::new(findings, pending).with(queue::decided(&scope, layout));
    report.notes.extend(gaps(&seat, ground.is_shallow)?.chain(unknown).chain(notes));
    name_files(&mut report, &view, seat.prefix(), &scope);
    Ok(report)
}

/// Returns what was found; where a change is checked, what it brought in.
fn settled(
    remarks: Vec<Remark>,
    before: Option<(Vec<Remark>, Rulebook)>,
    place: FindingPlace<'_>,
    levels: &Levels,
    scanner: &Scanner,
) -> Vec<CheckFinding> {
    let findings = settle(remarks, place, levels, scanner);
    let Some((remarks, rulebook)) = before else { return findings };
    brought_in(findings, &settle(remarks, place, levels, &rulebook.scanner))
}

/// Says what is not known in a clone without the whole past.
fn gaps(seat: &Seat, is_shallow: bool) -> Result<impl Iterator<Item = String>> {
    let is_partial = seat.git().map_or(Ok(false), WorkTree::is_partial)?;
    let gaps = [is_shallow.then_some(SHALLOW), is_partial.then_some(PARTIAL)];
    Ok(gaps.into_iter().flatten().map(str::to_owned))
}

/// Adds the remarks whose rule and file are not reported yet.
fn add_untold(remarks: &mut Vec<Remark>, others: Vec<Remark>) {
    let told: BTreeSet<(Rule, String)> =
        remarks.iter().map(|told| (told.rule(), told.path().to_owned())).collect();
    let is_new = |other: &Remark| !told.contains(&(other.rule(), other.path().to_owned()));
    remarks.extend(others.into_iter().filter(is_new));
}

/// Reports the files that git has not merged: staged ones, and those with conflict markers, also inside of code.
fn unmerged(side: &Side<'_>, layout: &Layout) -> Result<Vec<Remark>> {
    let message = "git holds it in more than one version: it is not merged yet";
    let remark = |path| Remark::new(Rule::ConflictMarker, path, message);
    let told = side.unmerged();
    let mut remarks: Vec<Remark> = told.iter().copied().map(remark).collect();
    let mut late = lately_unmerged(layout)?;
    late.retain(|path| !told.contains(&path.as_str()));
    for path in side.paths().into_iter().filter(|path| late.contains(*path)) {
        let Content::Bytes(bytes) = side.read_one(path) else { continue };
        let line = conflict_in(layout, path, &read_roughly(&bytes))?;
        let marked = Remark::new(Rule::ConflictMarker, path, "git left conflict markers here");
        remarks.extend(line.map(|line| marked.at(line)));
    }
    Ok(remarks)
}

fn name_files(report: &mut CheckReport, view: &View, prefix: &str, scope: &CheckScope) {
    let scanner = &view.rulebook.scanner;
    let focus = view.files.iter().filter(|file| scope.is_close(&file.path));
    report.sections = focus.clone().map(|file| file.sections).sum();
    let shown = |path: &str| shown_name(&scanner.redact(&format!("{prefix}{path}"))).into_owned();
    report.paths = focus.map(|file| shown(&file.path)).collect();
    report.files = report.paths.len();
}

/// Checks the files as they were; updates in both views the unchanged files that the change affects.
fn before(
    since: &Since,
    side: &Side<'_>,
    now: &mut View,
    scope: &CheckScope,
    seat: &Seat,
) -> Result<(Vec<Remark>, Rulebook)> {
    let tree = Side::before(since, seat);
    let mut before = view(&tree, |path| scope.depth_before(path))?;
    let reach = ChangeReach::of(&now.files, &before.files, &since.around);
    let reached = reached(side, &now.files, &reach, &now.rulebook)?;
    for view in [&mut *now, &mut before] {
        for file in view.files.iter_mut().filter(|file| file.is_name()) {
            if let Some(known) = reached.get(&file.path) {
                *file = known.clone();
            }
        }
    }
    let ground = ground::before(&tree, &before, scope, seat)?;
    let mut remarks = across(&before.files, &before.rulebook, &ground);
    remarks.append(&mut before.remarks);
    remarks.extend(tree.kept().into_iter().flat_map(|tree| misplaced::in_tree(tree, seat)));
    remarks.extend(Disputes { seat, side: &tree, view: &before }.find()?);
    remarks.extend(read_files(&tree, &before.rulebook, scope, seat)?.remarks);
    // Findings that moved with a renamed file are not new.
    let follow = |remark: &Remark| {
        let names = since.names_now(remark.path()).map(|name| remark.under(name));
        names.collect::<Vec<_>>()
    };
    Ok((remarks.iter().flat_map(follow).collect(), before.rulebook))
}

/// Checks the unchanged files that a change affects.
fn reached(
    side: &Side<'_>,
    checked: &[CheckedFile],
    reach: &ChangeReach<'_>,
    rulebook: &Rulebook,
) -> Result<BTreeMap<String, CheckedFile>> {
    let names = checked.iter().filter(|file| file.is_name()).map(|file| file.path.as_str());
    let asked: Vec<&str> = names.filter(|path| reach.asks_of(path)).collect();
    let found = side.map(&asked, |path, content| {
        let Content::Bytes(bytes) = content else { return None };
        let text = std::str::from_utf8(bytes).ok()?;
        reach.reaches(path, text).then(|| check_file(path, content, rulebook, Depth::Facts))
    })?;
    Ok(found.into_iter().flatten().map(|file| (file.path.clone(), file)).collect())
}

/// Reports the categories whose files git ignores, whatever changed: the rules may be in a changed file outside the store.
fn kept_out(layout: &Layout, rulebook: &Rulebook) -> (Vec<Remark>, Option<String>) {
    let remark = |kept_out: &KeptOut| {
        let message = format!("git ignores `{}`: {}", kept_out.name, kept_out.rule);
        Remark::new(Rule::TrackedIgnored, &kept_out.declared_in, message)
    };
    match ignoring(layout, &rulebook.catalog) {
        Ok(ignoring) => (ignoring.kept_out().iter().map(remark).collect(), None),
        Err(error) => (Vec::new(), Some(format!("what git ignores is not known: {error}"))),
    }
}

fn broken_log(layout: &Layout) -> Vec<Remark> {
    const PATH: &str = "state/log.jsonl";
    match layout.signed_log().verify() {
        Ok(verdict) => verdict
            .findings
            .into_iter()
            .map(|found| {
                let message = format!("{}: {}", found.kind, found.message);
                let rule = match found.kind {
                    BreakKind::Torn => Rule::LogTorn,
                    BreakKind::Changed
                    | BreakKind::Missing
                    | BreakKind::Cut
                    | BreakKind::Foreign => Rule::LogBroken,
                };
                Remark::new(rule, PATH, message).at(found.line.max(1)).about(found.kind.name())
            })
            .collect(),
        Err(error) => vec![Remark::new(Rule::FileUnreadable, PATH, error.to_string())],
    }
}
