//! `doctor --fix`: repairs what needs no choice; texts of people stay unchanged.

use super::derived::repair_index;
use super::report::DoctorReport;
use crate::contract::FileState;
use crate::disk::SignedLog;
use crate::error::Result;
use crate::project::store::{Step, Trace, forget_error, leftovers, staging};
use crate::project::verbs::answer::{Stop, write};
use crate::project::verbs::gitignore::{ignores_queue, names, not_ignored};
use crate::project::verbs::project::Project;

const MOVED: &str = "moved what proposals show from `staging/` to `state/shown/`, or to `state/trash/` where that had it";

const STEADY: &str = "made `decided/.keep`; commit it";

/// Repairs everything under one lock and as one change, then the index.
pub(super) fn repair(project: &Project, report: &mut DoctorReport) -> Result<()> {
    report.begin("repair");
    let left = leftovers(project.store.layout())?;
    // Taking the lock removes what a process that died left behind.
    let mut locked = project.lock("doctor --fix", None)?;
    if left > 0 {
        report.fixed.push(format!("removed leftovers of a process that died: {left}"));
    }
    let repairs = [cut_log(project)?, mend_ignored(project)?];
    let (mut steps, mut done): (Vec<Step>, Vec<String>) = repairs.into_iter().flatten().unzip();
    if project.config.staging.track {
        let steady = staging::steady(locked.layout());
        done.extend(steady.as_ref().map(|_| STEADY.to_owned()));
        steps.extend(steady);
        let shown = staging::clear_shown(locked.layout())?;
        done.extend((!shown.is_empty()).then(|| MOVED.to_owned()));
        steps.extend(shown);
    }
    if !steps.is_empty() {
        match write(&mut locked, steps, Trace::Kept) {
            Ok(warnings) => warnings.into_iter().for_each(|warning| {
                report.warn("repair", warning, "look at what was kept");
            }),
            Err(Stop::Failed(error)) => return Err(error),
            Err(Stop::Refused(refusal)) => {
                report.warn("repair", refusal.message, refusal.hint);
                return Ok(());
            }
        }
        report.fixed.extend(done);
    }
    drop(locked);
    if forget_error(project.store.layout())? {
        report.fixed.push("removed `state/last-error`, the note about a failure".to_owned());
    }
    report.fixed.extend(repair_index(project)?);
    Ok(())
}

fn cut_log(project: &Project) -> Result<Option<(Step, String)>> {
    let torn = project.store.layout().signed_log().torn()?;
    let said = match project.store.layout().signed_log().lacks_end()? {
        true => "ended the last line of `state/log.jsonl`".to_owned(),
        false => format!("cut {torn} bytes of an unfinished line off `state/log.jsonl`"),
    };
    Ok((torn > 0).then(|| (SignedLog::cut(), said)))
}

fn mend_ignored(project: &Project) -> Result<Option<(Step, String)>> {
    let missing = not_ignored(project)?;
    let before = match project.store.read_any(".gitignore")? {
        FileState::Text(text) => Some(text),
        FileState::Absent => None,
        FileState::Unusable(_) => return Ok(None),
    };
    let in_the_way = ignores_queue(project)?;
    if missing.is_empty() && !in_the_way {
        return Ok(None);
    }
    let mut after = before.clone().unwrap_or_default();
    let mut done = Vec::new();
    if in_the_way {
        let kept = after.split_inclusive('\n').filter(|line| !names(line, "/staging/"));
        after = kept.collect();
        done.push("took /staging/ out of `.gitignore`".to_owned());
    }
    if !after.is_empty() && !after.ends_with('\n') {
        after.push('\n');
    }
    missing.iter().for_each(|folder| after += &format!("{folder}\n"));
    if !missing.is_empty() {
        done.push(format!("added {} to `.gitignore`", missing.join(", ")));
    }
    Ok(Some((Step::write(".gitignore", before.as_deref(), after), done.join("; "))))
}
