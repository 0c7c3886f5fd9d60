//! `purge`: removes an entry for good, with its copies in the trash and every old text of it.

use super::commit::commit;
use super::edit::EntryEdit;
use super::session::{EntryAnswer, PersonalSession};
use super::stop::{EarlyEnd, answered};
use crate::disk::step::{Step, Trace};
use crate::error::Result;
use crate::personal::index_file::listed;
use crate::personal::request::{
    EntryChange, EntryChangeStatus, EntryDecision, EntryName, EntryReason, EntryRefusal,
    PersonPresent,
};
use crate::personal::store::{EntryLog, INDEX, LockedPerson, PersonFolder, Remains, index};
use crate::secrets::clean;
use crate::text::count;

/// Says what a purge would remove; writes nothing.
pub(crate) fn purgeable(session: &PersonalSession, name: &str) -> EntryAnswer<String> {
    answered(|| {
        let user = session.user()?;
        let name = EntryName::parse(name)?;
        let Some((folder, _)) = session.find(user)? else { return Err(nothing_of(&name).into()) };
        let remains = Remains::of(&folder, &name)?;
        match remains.is_nothing() {
            true => Err(only_listed(&folder, &name)?.into()),
            false => Ok(told(&remains)),
        }
    })
}

/// Removes an entry for good.
pub(crate) fn purge(
    session: &PersonalSession,
    name: &str,
    _: &PersonPresent,
) -> EntryAnswer<EntryChange> {
    answered(|| {
        let user = session.user()?;
        let name = EntryName::parse(name)?;
        let Some((folder, settings)) = session.find(user)? else {
            return Err(nothing_of(&name).into());
        };
        let mut locked = folder.lock(session.lock_wait, "purge")?;
        let warnings = locked.take_warnings();
        let edit = EntryEdit { session, settings: &settings, name: &name, if_hash: None };
        let mut change = edit.purge(&mut locked)?;
        change.warnings.splice(0..0, warnings);
        Ok(change)
    })
}

impl EntryEdit<'_> {
    fn purge(&self, locked: &mut LockedPerson<'_>) -> std::result::Result<EntryChange, EarlyEnd> {
        let (folder, name) = (locked.store(), self.name);
        let remains = Remains::of(folder, name)?;
        if remains.is_nothing() {
            return Err(only_listed(folder, name)?.into());
        }
        let before = index(folder)?;
        let standing = before.as_deref().unwrap_or_default();
        let after = self.index_with(standing, None);
        let mut change = self.answer(EntryChangeStatus::Purged, None, None, &after);
        // A hand may have made a file whose name is a secret.
        let shown = clean(name.as_str());
        change.message = format!("`{shown}` is gone for good: {}", told(&remains));
        (change.name, change.path) = (shown.clone(), clean(&change.path));
        let mut steps = remains.into_steps(name)?;
        if after != standing {
            steps.push(Step::write(INDEX, before.as_deref(), after));
        }
        // No hash: it would say of a short text what it was.
        let (time, decision) = (self.session.now, EntryDecision::Purged);
        let line = EntryLog { time, decision, name: &shown, before: None, after: None };
        steps.push(folder.signed_log().tail()?.append(&line));
        // The journal has the texts of earlier changes; wiped, it keeps none.
        change.warnings = commit(locked, steps, Trace::Wiped, &shown)?;
        Ok(change)
    }
}

/// Lists what there is of an entry.
fn told(remains: &Remains) -> String {
    let Remains { stands, copies, edits, undo, .. } = remains;
    let parts = [
        (usize::from(*stands), "the entry".to_owned()),
        (*copies, format!("{} in the trash", count(*copies, "copy"))),
        (*edits, format!("{} set apart", count(*edits, "edit"))),
        (undo.removed, format!("{} in the undo list", count(undo.removed, "change"))),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    parts.map(|(_, part)| part).collect::<Vec<_>>().join(", ")
}

/// Refuses a purge of an entry of which nothing but a line in the index is left.
fn only_listed(folder: &PersonFolder, name: &EntryName) -> Result<Box<EntryRefusal>> {
    let index = index(folder)?.unwrap_or_default();
    if !listed(&index).iter().any(|line| line.name == name.as_str()) {
        return Ok(nothing_of(name));
    }
    let message = format!("only the index has a line for `{name}`");
    let hint = "`agent-memory doctor --user --fix` removes it";
    Ok(EntryRefusal::new(EntryReason::EntryNotFound, message, hint).at("/name").about(name))
}

fn nothing_of(name: &EntryName) -> Box<EntryRefusal> {
    let message = format!("nothing is stored of `{name}`: no entry, no copy, no change to undo");
    let hint = "`agent-memory user log` shows what was changed, by name";
    EntryRefusal::new(EntryReason::EntryNotFound, message, hint).at("/name").about(name)
}
