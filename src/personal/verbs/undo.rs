//! `undo`: takes back the latest change, of all or of one entry, that was not taken back yet.

use super::edit::EntryEdit;
use super::index_size::{refuse_many, warning};
use super::restore::refuse_taken;
use super::session::{EntryAnswer, PersonalSession};
use super::stop::{EarlyEnd, answered};
use super::write::EntryFileChange;
use crate::contract::ContentHash;
use crate::disk::files;
use crate::personal::request::{
    EntryChange, EntryChangeStatus, EntryName, EntryReason, EntryRefusal,
};
use crate::personal::store::{EntryUndo, LockedPerson, PersonFolder, latest, names, path_in_trash};

/// How a person goes on where a change cannot be taken back.
const OTHERS: &str = "nothing was written; `agent-memory user undo NAME` takes back the latest change of another entry, and `agent-memory user log` shows them";

/// Takes back the latest change; where an entry is named, the latest one of it.
pub(crate) fn undo(session: &PersonalSession, name: Option<&str>) -> EntryAnswer<EntryChange> {
    answered(|| {
        let user = session.user()?;
        let wanted = name.map(EntryName::parse).transpose()?;
        let nothing = || nothing(wanted.as_ref());
        let Some((folder, settings)) = session.find(user)? else {
            return Err(nothing().into());
        };
        let mut locked = folder.lock(session.lock_wait, "undo")?;
        let warnings = locked.take_warnings();
        let change = latest(folder.undo_list().read()?, wanted.as_ref()).ok_or_else(nothing)?;
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
        let mut warnings = Vec::new();
        if let EntryFileChange::FromTrash { .. } = file {
            let names = names(folder)?;
            refuse_taken(&names, name)?;
            // What was there may be there again.
            warnings.extend(refuse_many(&names, self.settings).err().map(|it| it.message));
        }
        let mut undone = self.put(locked, EntryChangeStatus::Undone, file, Some(change))?;
        undone.warnings.extend(warnings);
        undone.warnings.extend(warning(undone.index));
        Ok(undone)
    }

    fn reverse(
        &self,
        folder: &PersonFolder,
        change: &EntryUndo,
        now: Option<Vec<u8>>,
    ) -> Result<EntryFileChange, EarlyEnd> {
        match (&change.trash, &change.before, now) {
            (Some(from), _, None) => {
                let bytes = files::read(&folder.inside(from))?;
                let bytes = bytes.ok_or_else(|| self.gone_from_trash(from))?;
                Ok(EntryFileChange::FromTrash { from: from.clone(), bytes })
            }
            (None, Some(before), Some(now)) => {
                let now = String::from_utf8(now).map_err(|_| self.changed_since())?;
                Ok(EntryFileChange::Write { before: Some(now), after: before.clone() })
            }
            (trash, _, Some(bytes)) => {
                // The undo of an older delete takes the file from where that delete had put it.
                let free = trash.clone().filter(|path| !files::exists(&folder.inside(path)));
                let to = match free {
                    Some(path) => path,
                    None => path_in_trash(folder, self.name, self.session.now)?,
                };
                Ok(EntryFileChange::ToTrash { to, bytes })
            }
            (None, _, None) => Err(self.changed_since().into()),
        }
    }

    fn gone_from_trash(&self, path: &str) -> Box<EntryRefusal> {
        let message = format!("`{path}` is gone, which was `{}`", self.name);
        EntryRefusal::new(EntryReason::EntryNotFound, message, OTHERS).about(self.name)
    }

    fn changed_since(&self) -> Box<EntryRefusal> {
        let message = format!("`{}` changed since its latest change here", self.name);
        EntryRefusal::new(EntryReason::TargetDrift, message, OTHERS).about(self.name)
    }
}

fn nothing(name: Option<&EntryName>) -> Box<EntryRefusal> {
    let of = name.map(|name| format!(" of `{name}`")).unwrap_or_default();
    let hint = "`agent-memory user log` shows what was changed";
    let message = format!("there is no change{of} to take back");
    EntryRefusal::new(EntryReason::EntryNotFound, message, hint)
}
