//! Checks and repairs the search index.

use super::report::DoctorReport;
use crate::disk::files::exists;
use crate::error::{ErrorKind, Result};
use crate::index::{Origin, SearchIndex};
use crate::project::verbs::project::Project;

pub(super) fn check_index(project: &Project, report: &mut DoctorReport) -> Result<()> {
    report.begin("search index");
    if let Some(origin) = SearchIndex::inspect(&project.store.layout().index())? {
        let message = format!("the search index {}", origin.state());
        if origin != Origin::Closed {
            let hint = "the next search rebuilds it, `agent-memory doctor --fix` does so now";
            report.warn("search index", message, hint);
            return Ok(());
        }
        let hint =
            "`agent-memory doctor --fix` makes one of this user's own, if they may remove that one";
        report.warn("search index", message, hint);
    }
    let sound = project.fresh_index().and_then(|(index, refreshed)| {
        index.check()?;
        Ok(refreshed)
    });
    match sound {
        Ok(refreshed) => refreshed.warnings.into_iter().for_each(|warning| {
            let path = warning.split('`').nth(1).unwrap_or(&warning);
            if !report.has_named(path) {
                let hint = "make it a plain UTF-8 file";
                report.warn("search index", warning, hint);
            }
        }),
        Err(error) if error.kind() == ErrorKind::LockHeld => return Err(error),
        Err(error) => report.fail("search index", &error, "run `agent-memory doctor --fix`"),
    }
    Ok(())
}

fn is_sound(project: &Project) -> Result<bool> {
    let index = SearchIndex::open(&project.store.layout().index(), &project.index_source()?)?;
    Ok(index.check().is_ok())
}

/// Rebuilds a missing or unusable index; returns what was done.
pub(super) fn repair_index(project: &Project) -> Result<Option<String>> {
    let path = project.store.layout().index();
    let origin = match SearchIndex::inspect(&path)? {
        Some(origin) => origin,
        None if !exists(&path) || is_sound(project)? => return Ok(None),
        None => Origin::Damaged,
    };
    let is_saved = project.rebuild_index()?.is_saved;
    Ok(is_saved.then(|| format!("rebuilt the search index, which {}", origin.state())))
}
