//! Moves an entry to the trash, under the lock.

use super::edit::{EntryEdit, not_found};
use super::stop::EarlyEnd;
use super::write::EntryFileChange;
use crate::disk::files;
use crate::personal::request::{EntryChange, EntryChangeStatus};
use crate::personal::store::{LockedPerson, names, path_in_trash};

impl EntryEdit<'_> {
    pub(super) fn delete(&self, locked: &mut LockedPerson<'_>) -> Result<EntryChange, EarlyEnd> {
        let (folder, name) = (locked.store(), self.name);
        if !names(folder)?.iter().any(|there| there == name.as_str()) {
            return Err(not_found(name).into());
        }
        // A file that is no text goes to the trash like any other; one above 16 MiB is an error.
        let bytes =
            files::read_short(&folder.inside(&name.path()))?.ok_or_else(|| not_found(name))?;
        self.refuse_drift(&bytes)?;
        let to = path_in_trash(folder, name, self.session.now)?;
        let file = EntryFileChange::ToTrash { to, bytes };
        self.put(locked, EntryChangeStatus::Deleted, file, None)
    }
}
