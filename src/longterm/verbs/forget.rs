//! Erases all that is remembered of a person or a server, for good.

use serde_json::json;

use super::session::LongtermSession;
use crate::error::Result;
use crate::longterm::request::{
    DirectoryKind, ForgottenMemories, MemoryOwner, PrivacyLevel, RaisedGeneration,
};
use crate::longterm::sqlite::LoggedChange;

/// Erases memories, deleted ones too, and what the directory knows. Numbers and hashes stay; a person's entry says from
/// then on that nothing may be remembered.
pub fn forget(session: &LongtermSession, owner: MemoryOwner) -> Result<ForgottenMemories> {
    let (operator, now) = (session.operator.clone(), session.now);
    let forgotten = session.write(move |view| {
        let forgotten = view.erase(&owner)?;
        match &owner {
            MemoryOwner::Person(id) => {
                let entry = json!({ "privacy": PrivacyLevel::Full });
                view.set_entry(DirectoryKind::User, id, &entry)?;
            }
            MemoryOwner::Server(id) => drop(view.remove_entry(DirectoryKind::Server, id)?),
        }
        let key = owner.generation_key();
        let raised = view.note(&LoggedChange {
            event: "forgotten",
            id: key.clone(),
            actor: &operator,
            now,
            keys: vec![key],
            before: None,
            after: None,
        })?;
        let raised =
            raised.into_iter().map(|(key, generation)| RaisedGeneration { key, generation });
        Ok(ForgottenMemories { forgotten, invalidated: raised.collect() })
    })?;
    session.erase_traces()?;
    Ok(forgotten)
}
