//! `update`: makes, replaces or deletes an entry.

use serde_json::Value;

use super::edit::{EntryEdit, drifted, made_since, not_found};
use super::index_size::warning;
use super::session::{EntryAnswer, PersonalSession};
use super::stop::{EarlyEnd, answered};
use crate::personal::request::{EntryChange, EntryRequest};
use crate::personal::settings::PersonalSettings;
use crate::personal::store::{PersonFolder, names};

/// Carries out a request, or says why not.
pub(crate) fn update(session: &PersonalSession, request: &Value) -> EntryAnswer<EntryChange> {
    answered(|| submit(session, request, ExpectedEntry::Any))
}

/// Makes an entry; refuses to replace one that another process made since the caller looked.
pub(crate) fn create(session: &PersonalSession, request: &Value) -> EntryAnswer<EntryChange> {
    answered(|| submit(session, request, ExpectedEntry::Absent))
}

/// What may be there before a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExpectedEntry {
    Any,
    Absent,
}

/// Checks a request as far as it can be without the store's lock; nothing is written.
pub(crate) fn check_update(session: &PersonalSession, request: &Value) -> EntryAnswer<()> {
    answered(|| {
        let found = session.find(session.user()?)?;
        let scanner = found.map(|(_, settings)| settings.scanner()).unwrap_or_default();
        EntryRequest::read(request, &scanner)?;
        Ok(())
    })
}

fn submit(
    session: &PersonalSession,
    request: &Value,
    expected: ExpectedEntry,
) -> Result<EntryChange, EarlyEnd> {
    let user = session.user()?;
    let found = session.find(user)?;
    let scanner = found.as_ref().map(|(_, settings)| settings.scanner()).unwrap_or_default();
    let EntryRequest { name, fields, if_hash, mut warnings } =
        EntryRequest::read(request, &scanner)?;
    let (folder, settings) = match found {
        Some(found) => found,
        // A refusal makes no folder.
        None if fields.is_none() => return Err(not_found(&name).into()),
        None if if_hash.is_some() => return Err(drifted(&name, None).into()),
        None => (PersonFolder::make(&session.data, user)?, PersonalSettings::default()),
    };
    let verb = if fields.is_some() { "upsert" } else { "delete" };
    let mut locked = folder.lock(session.lock_wait, verb)?;
    warnings.extend(locked.take_warnings());
    let edit = EntryEdit { session, settings: &settings, name: &name, if_hash: if_hash.as_ref() };
    if expected == ExpectedEntry::Absent
        && names(&folder)?.iter().any(|there| there == name.as_str())
    {
        return Err(made_since(&name).into());
    }
    let changed = match &fields {
        Some(fields) => edit.upsert(&mut locked, fields),
        None => edit.delete(&mut locked),
    };
    match changed {
        Ok(mut change) => {
            change.warnings.splice(0..0, warnings);
            change.warnings.extend(warning(change.index));
            Ok(change)
        }
        Err(EarlyEnd::Refused(mut refusal)) => {
            refusal.warnings.extend(warnings);
            Err(refusal.about(&name).into())
        }
        Err(EarlyEnd::Failed(error)) => Err(error.warn(warnings).into()),
    }
}
