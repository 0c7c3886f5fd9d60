//! Erases all that is remembered of a person or a server, for good.

use serde_json::json;

use super::session::LongtermSession;
use crate::error::Result;
use crate::longterm::request::{
    DirectoryKind, ForgottenMemories, MemoryOwner, PrivacyLevel, has_bridge_form,
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
    "nothing was known of this id; it is the one that the host uses, and no name of a person";

/// Erases memories, deleted ones too, and what the directory knows. Numbers and hashes stay; a person's entry says from
/// then on that nothing may be remembered.
pub fn forget(session: &LongtermSession, owner: MemoryOwner) -> Result<ForgottenMemories> {
    let (operator, now) = (session.operator.clone(), session.now);
    let mut forgotten = session.write(move |view| {
        let forgotten = view.erase(&owner)?;
        let was_known = forget_entry(view, &owner)? || forgotten > 0;
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
        let is_bridge = matches!(&owner, MemoryOwner::Person(id) if has_bridge_form(id));
        let warnings = [(is_bridge, OF_BRIDGE), (!was_known && !is_bridge, NOT_KNOWN)];
        let warnings = warnings.into_iter().filter(|(holds, _)| *holds);
        let warnings = warnings.map(|(_, warning)| warning.to_owned()).collect();
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

/// Replaces what the directory knows of a person by the word that they were forgotten; removes what it knows of a server.
/// Tells whether it knew anything.
fn forget_entry(view: &LongtermView<'_>, owner: &MemoryOwner) -> Result<bool> {
    match owner {
        MemoryOwner::Person(id) => {
            let was_known = view.entry(DirectoryKind::User, id)?.is_some();
            let entry = json!({ "privacy": PrivacyLevel::Full, "forgotten": true });
            view.set_entry(DirectoryKind::User, id, &entry)?;
            Ok(was_known)
        }
        MemoryOwner::Server(id) => view.remove_entry(DirectoryKind::Server, id),
    }
}
