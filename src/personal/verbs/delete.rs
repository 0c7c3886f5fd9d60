//! Moves an entry to the trash, under the lock.

use super::edit::{EntryEdit, not_found};
use super::index_size::size_of;
use super::stop::EarlyEnd;
use super::write::{EntryFileChange, EntryWrite};
use crate::disk::files;
use crate::personal::index_file::without_line;
use crate::personal::request::{EntryChange, EntryChangeStatus};
use crate::personal::store::{LockedPerson, index, names, path_in_trash};

impl EntryEdit<'_> {
    pub(super) fn delete(&self, locked: &mut LockedPerson<'_>) -> Result<EntryChange, EarlyEnd> {
        let (folder, name) = (locked.store(), self.name);
        if !names(folder)?.iter().any(|there| there == name.as_str()) {
            return Err(not_found(name).into());
        }
        // A file that is no text goes to the trash like any other.
        let bytes = files::read(&folder.inside(&name.path()))?.ok_or_else(|| not_found(name))?;
        self.refuse_drift(&bytes)?;
        let before = index(folder)?;
        let after = without_line(before.as_deref().unwrap_or_default(), name.as_str());
        let trash = path_in_trash(folder, name, self.session.now);
        let file = EntryFileChange::Move { from: name.path(), to: trash.clone(), bytes };
        let size = size_of(&after, self.settings);
        let write =
            EntryWrite { name, decision: "deleted", file, kept: None, index: (before, after) };
        let warnings = write.write(self.session, locked)?;
        Ok(EntryChange {
            status: EntryChangeStatus::Deleted,
            message: format!(
                "`{name}` is in the trash; `agent-memory user restore {name}` brings it back"
            ),
            name: name.to_string(),
            path: name.path(),
            description: None,
            index_line: None,
            hash: None,
            trash: Some(trash),
            index: size,
            warnings,
        })
    }
}
