//! Erases all that is remembered of a person or a server, for good.

use serde_json::json;

use super::session::LongtermSession;
use crate::error::Result;
use crate::longterm::request::{DirectoryKind, ForgottenMemories, MemoryOwner, PrivacyLevel};
use crate::longterm::sqlite::ChangeNote;

/// What is erased is no longer found, and yet some bytes may be left.
const STILL_READ: &str = "another process read the database at the same time, so its log may still have erased text; \
    run the command again";

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
        let noted = view.note(&ChangeNote {
            event: "forgotten",
            id: key.clone(),
            actor: &operator,
            now,
            keys: vec![key],
            before: None,
            after: None,
        })?;
        Ok(ForgottenMemories { forgotten, invalidated: noted.raised, warnings: Vec::new() })
    })?;
    let warnings = match session.erase_traces()? {
        true => Vec::new(),
        false => vec![STILL_READ.to_owned()],
    };
    Ok(ForgottenMemories { warnings, ..forgotten })
}
