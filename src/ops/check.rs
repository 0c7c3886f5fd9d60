//! `check`: what is wrong with the files of a store, for people and for CI; never writes.

mod ground;
mod queue;
mod scope;
mod side;

use std::collections::{BTreeMap, BTreeSet};

use super::Place;
use crate::chain::BreakKind;
use crate::check::format::Report;
use crate::check::{
    Content, Depth, Finding, Levels, Looked, Remark, Rule, across, brought_in, is_setting, look,
    rulebook, settle,
};
use crate::error::Result;
use crate::store::{Layout, Seat};
use scope::{Scope, Since};
use side::{Side, side_by_side};

/// What to check, and how much each rule matters.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// Files and folders; everything where none is named.
    pub paths: Vec<String>,
    /// Only what came in since this revision.
    pub base: Option<String>,
    /// The files as they are staged in git.
    pub staged: bool,
    /// How much each rule matters.
    pub levels: Levels,
}

/// One look at all files, from one side.
struct View {
    rulebook: crate::check::Rulebook,
    looked: Vec<Looked>,
    remarks: Vec<Remark>,
}

/// Checks a store; nothing under its root is written, not even what a crash left to be finished.
pub fn check(place: &Place, options: &CheckOptions) -> Result<Report> {
    let layout = place.layout()?;
    let seat = Seat::of(&layout)?;
    let scope = Scope::read(place, &layout, &seat, options)?;
    let now = match options.staged {
        true => Side::staged(&seat)?,
        false => Side::on_disk(&layout, scope.since.as_ref(), &seat)?,
    };
    let view = view(&now, &scope, None)?;
    let ground = ground::now(&now, &view, &scope, &seat)?;
    let mut remarks = across(&view.looked, &view.rulebook, &ground);
    remarks.extend(view.remarks.iter().cloned());
    let (waits, pending) = queue::proposals(place, &layout, &scope);
    remarks.extend(waits);
    if scope.since.is_none() && !options.staged {
        remarks.extend(broken_log(&layout));
    }
    remarks.retain(|remark| scope.covers(remark));
    let prefix = seat.prefix();
    let mut findings = settle(remarks, prefix, &options.levels, &view.rulebook.scanner);
    if let Some(since) = &scope.since {
        findings = brought_in(findings, &before(&view, since, &scope, &seat, &options.levels)?);
    }
    let mut report = Report::new(findings, pending);
    let focus = view.looked.iter().filter(|file| scope.is_close(&file.path));
    report.sections = focus.clone().map(|file| file.sections).sum();
    report.paths = focus.map(|file| format!("{prefix}{}", file.path)).collect();
    report.files = report.paths.len();
    Ok(report)
}

/// Looks at all files of a side, closely at those in the scope; `known` has those that are the same on
/// another side.
fn view(side: &Side<'_>, scope: &Scope, known: Option<&View>) -> Result<View> {
    let paths = side.paths();
    let settings = |path: &&str| is_setting(path) || path.starts_with("rejections/");
    let names: Vec<&str> = paths.iter().copied().filter(settings).collect();
    let texts = side.read(&names)?;
    let files: BTreeMap<String, Content> =
        names.into_iter().map(str::to_owned).zip(texts).collect();
    let (rulebook, mut remarks) = rulebook(&files);
    let known: BTreeMap<&str, &Looked> = known
        .iter()
        .flat_map(|view| &view.looked)
        .filter(|file| !scope.is_close(&file.path))
        .map(|file| (file.path.as_str(), file))
        .collect();
    let wanted: Vec<&str> = paths.iter().copied().filter(|p| !known.contains_key(p)).collect();
    let depth = |path: &str| if scope.is_close(path) { Depth::Rules } else { Depth::Facts };
    let mut looked = match side.read_many(&wanted)? {
        Some(texts) => {
            let pairs: Vec<(&str, Content)> = wanted.into_iter().zip(texts).collect();
            side_by_side(&pairs, |(path, text)| look(path, text, &rulebook, depth(path)))
        }
        None => {
            side_by_side(&wanted, |path| look(path, &side.read_one(path), &rulebook, depth(path)))
        }
    };
    let paths: BTreeSet<&str> = paths.into_iter().collect();
    let same = known.into_values().filter(|file| paths.contains(file.path.as_str()));
    looked.extend(same.cloned());
    for file in &mut looked {
        remarks.append(&mut file.remarks);
    }
    Ok(View { rulebook, looked, remarks })
}

/// Checks the same files as they were.
fn before(
    now: &View,
    since: &Since,
    scope: &Scope,
    seat: &Seat,
    levels: &Levels,
) -> Result<Vec<Finding>> {
    let side = Side::in_tree(&since.git, since.tree.clone(), seat);
    let view = view(&side, scope, Some(now))?;
    let ground = ground::before(&side, &view, scope, seat)?;
    let mut remarks = across(&view.looked, &view.rulebook, &ground);
    remarks.extend(view.remarks);
    Ok(settle(remarks, seat.prefix(), levels, &view.rulebook.scanner))
}

fn broken_log(layout: &Layout) -> Vec<Remark> {
    const PATH: &str = "state/log.jsonl";
    match crate::store::log::verify(layout) {
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
