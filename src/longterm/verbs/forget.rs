//! Erases all that is remembered of a person or a server, for good.

use serde_json::json;

use super::session::LongtermSession;
use crate::error::Result;
use crate::longterm::request::{
    DirectoryKind, ForgottenMemories, MemoryOwner, PrivacyLevel, UserEntry, has_bridge_form,
};
use crate::longterm::sqlite::{ChangeNote, LongtermView};

const STILL_THERE: &str =
    "the memories are erased, and some bytes may still stand in the file; run the command again";

/// What is erased is no longer found, and yet some bytes may be left.
const STILL_READ: &str = "another process read the database at the same time, so its log may still have erased text; \
    run the command again";

const OF_BRIDGE: &str = "what is remembered of people on a bridge is shared, and stays: `ltm list` shows it, and an update \
    with an empty content deletes it";

const NOT_KNOWN: &str =
    "nothing was known under this id; give the id that the host uses, not a name";

/// Erases memories, deleted ones too, and what the directory knows. Numbers and hashes stay; a person's entry says from
/// then on that nothing may be remembered.
pub fn forget(session: &LongtermSession, owner: MemoryOwner) -> Result<ForgottenMemories> {
    let (operator, now) = (session.operator.clone(), session.now);
    let mut forgotten = session.write(move |view| {
        let forgotten = view.erase(&owner)?;
        let was = forget_entry(view, &owner)?;
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
        let warning = match was {
            FormerEntry::OfBridge => Some(OF_BRIDGE.to_owned()),
            FormerEntry::None if forgotten == 0 => Some(NOT_KNOWN.to_owned()),
            FormerEntry::None | FormerEntry::Other => None,
        };
        let warnings = warning.into_iter().collect();
        Ok(ForgottenMemories { forgotten, invalidated: noted.raised, warnings, is_gone: true })
    })?;
    // The rows are gone, whatever happens now.
    let left = match session.erase_traces() {
        Ok(true) => None,
        Ok(false) => Some(STILL_READ.to_owned()),
        Err(error) => Some(format!("{STILL_THERE}: {error}")),
    };
    forgotten.is_gone = left.is_none();
    forgotten.warnings.extend(left);
    Ok(forgotten)
}

/// What the directory knew.
enum FormerEntry {
    None,
    /// It was of a person on a bridge.
    OfBridge,
    Other,
}

/// Replaces what the directory knows of a person by the word that they were forgotten; removes what it knows of a server.
fn forget_entry(view: &LongtermView<'_>, owner: &MemoryOwner) -> Result<FormerEntry> {
    let id = owner.id();
    let known = match owner {
        MemoryOwner::Server(_) => view.remove_entry(DirectoryKind::Server, id)?,
        MemoryOwner::Person(_) => {
            let entry = view.entry(DirectoryKind::User, id)?;
            let is_bridge = entry.as_ref().is_some_and(|entry| UserEntry::read(entry).is_bridge);
            let mut forgotten = json!({ "privacy": PrivacyLevel::Full, "forgotten": true });
            if is_bridge {
                forgotten["bridge"] = json!(true);
            }
            view.set_entry(DirectoryKind::User, id, &forgotten)?;
            if is_bridge || has_bridge_form(id) {
                return Ok(FormerEntry::OfBridge);
            }
            entry.is_some()
        }
    };
    Ok(if known { FormerEntry::Other } else { FormerEntry::None })
}
