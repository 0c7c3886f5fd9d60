//! `doctor --user`: what is wrong with a person's memory, and what to do about it.

mod entries;
mod folder;
mod index;
mod repair;
mod state;
mod texts;
mod trash;

use super::session::{EntryAnswer, PersonalSession};
use super::stop::{EarlyEnd, answered};
use crate::error::{self, ErrorKind};
use crate::personal::request::{PersonalDiagnosis, PersonalFinding};
use crate::personal::settings::PersonalSettings;
use crate::personal::store::PersonFolder;

/// Says what is wrong; like any reader it finishes what a dead process began, and writes nothing else.
pub(crate) fn diagnose(session: &PersonalSession) -> EntryAnswer<PersonalDiagnosis> {
    answered(|| examine(session, Vec::new()))
}

/// Repairs what needs no decision, then says what is wrong; never changes the text of an entry.
pub(crate) fn repair(session: &PersonalSession) -> EntryAnswer<PersonalDiagnosis> {
    answered(|| examine(session, repair::repair(session)?))
}

fn examine(
    session: &PersonalSession,
    mut fixed: Vec<String>,
) -> Result<PersonalDiagnosis, EarlyEnd> {
    let Some(folder) = PersonFolder::find(&session.data, session.user()?)? else {
        let (checked, findings) = (Vec::new(), Vec::new());
        return Ok(PersonalDiagnosis { folder: None, healthy: true, checked, fixed, findings });
    };
    let mut findings = settled(session, &folder, &mut fixed)?;
    let mut found = find_all(&folder);
    if !found.is_empty() {
        // Another process may be writing. What only the first examination finds was a change half done.
        findings = settled(session, &folder, &mut fixed)?;
        let again = find_all(&folder);
        found.retain(|each| again.iter().any(|other| each.is_about_same(other)));
    }
    findings.extend(found);
    Ok(PersonalDiagnosis {
        folder: Some(folder.store().display().to_string()),
        healthy: findings.is_empty(),
        checked: CHECKS.iter().map(|(name, _, _)| *name).collect(),
        fixed,
        findings,
    })
}

/// Finishes what a dead process began; returns what kept it from that.
fn settled(
    session: &PersonalSession,
    folder: &PersonFolder,
    fixed: &mut Vec<String>,
) -> Result<Vec<PersonalFinding>, EarlyEnd> {
    match folder.settle(session.lock_wait) {
        Ok(said) => {
            fixed.extend(said);
            Ok(Vec::new())
        }
        // While another process writes for so long, nothing certain can be said.
        Err(error) if error.kind() == ErrorKind::LockHeld => Err(error.into()),
        Err(error) => Ok(vec![PersonalFinding::of_error("state", "state/journal", &error)]),
    }
}

/// Examines one part.
type Check = fn(&PersonFolder, &PersonalSettings) -> error::Result<Vec<PersonalFinding>>;

/// The parts, each with its name and the path that it is about.
const CHECKS: [(&str, &str, Check); 6] = [
    ("settings", "config.toml", |folder, _| folder.settings().map(|_| Vec::new())),
    ("state", "state", |folder, _| state::check(folder)),
    ("entries", "memory", entries::check),
    ("index", "memory/MEMORY.md", index::check),
    ("trash", "trash", trash::check),
    ("folder", "", |folder, _| folder::check(folder)),
];

fn find_all(folder: &PersonFolder) -> Vec<PersonalFinding> {
    // With a slip in them, the other parts are examined by the usual settings.
    let settings = folder.settings().unwrap_or_default();
    let run = |(name, path, check): &(&'static str, &str, Check)| {
        check(folder, &settings)
            .unwrap_or_else(|error| vec![PersonalFinding::of_error(name, path, &error)])
    };
    CHECKS.iter().flat_map(run).collect()
}
