//! `restore`: brings the entry back that was deleted last under a name.

use serde_json::json;

use super::edit::EntryEdit;
use super::index_size::{refuse_many, warning};
use super::session::{EntryAnswer, PersonalSession};
use super::stop::{EarlyEnd, answered};
use super::write::EntryFileChange;
use crate::disk::files;
use crate::personal::request::{
    EntryChange, EntryChangeStatus, EntryName, EntryReason, EntryRefusal, refuse_what_must_not_stay,
};
use crate::personal::store::{LockedPerson, name_of_copy, names, newest_in_trash};

/// Brings an entry back from the trash: the copy that was deleted last under a name, or the one with a file name.
pub(crate) fn restore(session: &PersonalSession, wanted: &str) -> EntryAnswer<EntryChange> {
    answered(|| {
        let user = session.user()?;
        let file = wanted.strip_prefix("trash/").unwrap_or(wanted);
        let (name, copy) = match name_of_copy(file) {
            Some(name) => (name, Some(file)),
            None => (EntryName::parse(wanted)?, None),
        };
        let Some((folder, settings)) = session.find(user)? else {
            return Err(none_in_trash(&name).into());
        };
        refuse_what_must_not_stay(&json!({ "name": name.as_str() }), &settings.scanner())?;
        let mut locked = folder.lock(session.lock_wait, "restore")?;
        let warnings = locked.take_warnings();
        let edit = EntryEdit { session, settings: &settings, name: &name, if_hash: None };
        let mut change = edit.restore(&mut locked, copy)?;
        change.warnings.splice(0..0, warnings);
        change.warnings.extend(warning(change.index));
        Ok(change)
    })
}

impl EntryEdit<'_> {
    fn restore(
        &self,
        locked: &mut LockedPerson<'_>,
        copy: Option<&str>,
    ) -> Result<EntryChange, EarlyEnd> {
        let (folder, name) = (locked.store(), self.name);
        let names = names(folder)?;
        let from = match copy {
            Some(file) => {
                let from = format!("trash/{file}");
                if !files::exists(&folder.inside(&from)) {
                    return Err(no_such_copy(file, newest_in_trash(folder, name)?, name).into());
                }
                Some(from)
            }
            None => newest_in_trash(folder, name)?,
        };
        refuse_taken(&names, name).map_err(|mut refusal| {
            // Deleted as well, the entry would be the newest copy itself.
            if let Some(file) = from.as_ref().and_then(|from| from.strip_prefix("trash/")) {
                refusal.hint += &format!(", then `agent-memory user restore {file}`");
            }
            refusal
        })?;
        let from = from.ok_or_else(|| none_in_trash(name))?;
        refuse_many(&names, self.settings).map_err(|refusal| refusal.about(name))?;
        let bytes = files::read(&folder.inside(&from))?.ok_or_else(|| none_in_trash(name))?;
        let file = EntryFileChange::FromTrash { from, bytes };
        self.put(locked, EntryChangeStatus::Restored, file, None)
    }
}

/// Refuses to bring an entry back where another stands, perhaps in other case.
pub(super) fn refuse_taken(names: &[String], name: &EntryName) -> Result<(), Box<EntryRefusal>> {
    let other = names.iter().find(|other| other.eq_ignore_ascii_case(name.as_str()));
    other.map_or(Ok(()), |other| {
        let hint = format!("delete it first: `agent-memory user delete {other}`");
        let message = format!("there is an entry `{other}` already");
        Err(EntryRefusal::new(EntryReason::NameCollision, message, hint).about(name))
    })
}

fn no_such_copy(file: &str, newest: Option<String>, name: &EntryName) -> Box<EntryRefusal> {
    let message = format!("there is no `{file}` in the trash");
    let hint = match newest {
        Some(path) => format!("the newest copy is `{path}`"),
        None => "`agent-memory user log` shows what was deleted".to_owned(),
    };
    EntryRefusal::new(EntryReason::EntryNotFound, message, hint).about(name)
}

fn none_in_trash(name: &EntryName) -> Box<EntryRefusal> {
    let message = format!("there is no `{name}` in the trash");
    let hint = "`agent-memory user log` shows what was deleted";
    EntryRefusal::new(EntryReason::EntryNotFound, message, hint).about(name)
}
