//! `undo`: takes back the latest change that was not taken back yet.

use super::edit::EntryEdit;
use super::session::{EntryAnswer, PersonalSession};
use super::stop::{EarlyEnd, answered};
use super::write::EntryFileChange;
use crate::contract::ContentHash;
use crate::disk::files;
use crate::personal::request::{
    EntryChange, EntryChangeStatus, EntryName, EntryReason, EntryRefusal,
};
use crate::personal::store::{EntryUndo, LockedPerson, PersonFolder, latest, path_in_trash};

/// Takes back the latest change.
pub(crate) fn undo(session: &PersonalSession) -> EntryAnswer<EntryChange> {
    answered(|| {
        let Some((folder, settings)) = session.find(session.user()?)? else {
            return Err(nothing().into());
        };
        let mut locked = folder.lock(session.lock_wait, "undo")?;
        let warnings = locked.take_warnings();
        let change = latest(folder.undo_list().read()?).ok_or_else(nothing)?;
        let name = EntryName::parse(&change.name)?;
        let edit = EntryEdit { session, settings: &settings, name: &name, if_hash: None };
        let mut undone = edit.take_back(&mut locked, &change)?;
        undone.warnings.splice(0..0, warnings);
        Ok(undone)
    })
}

impl EntryEdit<'_> {
    fn take_back(
        &self,
        locked: &mut LockedPerson<'_>,
        change: &EntryUndo,
    ) -> Result<EntryChange, EarlyEnd> {
        let (folder, name) = (locked.store(), self.name);
        let now = files::read(&folder.inside(&name.path()))?;
        let hash = now.as_deref().map(|bytes| ContentHash::of(bytes).to_string());
        if hash != change.after {
            return Err(self.changed_since().into());
        }
        let file = self.reverse(folder, change, now)?;
        self.put(locked, EntryChangeStatus::Undone, file, Some(change))
    }

    fn reverse(
        &self,
        folder: &PersonFolder,
        change: &EntryUndo,
        now: Option<Vec<u8>>,
    ) -> Result<EntryFileChange, EarlyEnd> {
        match (&change.trash, &change.before, now) {
            (Some(from), ..) => {
                let bytes = files::read(&folder.inside(from))?;
                let bytes = bytes.ok_or_else(|| self.changed_since())?;
                Ok(EntryFileChange::FromTrash { from: from.clone(), bytes })
            }
            (None, Some(before), Some(now)) => {
                let now = String::from_utf8(now).map_err(|_| self.changed_since())?;
                Ok(EntryFileChange::Write { before: Some(now), after: before.clone() })
            }
            (None, None, Some(bytes)) => {
                let to = path_in_trash(folder, self.name, self.session.now);
                Ok(EntryFileChange::ToTrash { to, bytes })
            }
            (None, _, None) => Err(self.changed_since().into()),
        }
    }

    fn changed_since(&self) -> Box<EntryRefusal> {
        let message = format!("`{}` changed since its latest change here", self.name);
        let hint = "nothing was written; read the entry, then write what you want";
        EntryRefusal::new(EntryReason::TargetDrift, message, hint).about(self.name)
    }
}

fn nothing() -> Box<EntryRefusal> {
    let hint = "`agent-memory user log` shows what was changed";
    EntryRefusal::new(EntryReason::EntryNotFound, "there is no change to take back", hint)
}
