//! Reads an entry that a person promotes into a project.

use serde_json::json;

use super::read::{ReadAnswer, read};
use super::session::{EntryAnswer, PersonalSession};
use crate::personal::request::{EntryReason, EntryRefusal, ReadEntry};

/// Reads an entry; refuses one of which a part is withheld, as the project would get it with a hole.
///
/// `project` is what the project is called; an entry of another one is refused too.
pub(crate) fn read_to_promote(
    session: &PersonalSession,
    name: &str,
    project: Option<&str>,
) -> EntryAnswer<ReadEntry> {
    let entry = match read(session, &json!({ "name": name }))? {
        Ok(ReadAnswer::Entry(entry)) => entry,
        Ok(ReadAnswer::Index(_)) => unreachable!("a name is given"),
        Err(refusal) => return Ok(Err(refusal)),
    };
    if entry.has_secret {
        let message = format!("`{name}` holds what looks like a secret");
        let hint = "take the secret out of the entry first; revoke it if it was real";
        return Ok(Err(EntryRefusal::new(EntryReason::SecretDetected, message, hint).about(name)));
    }
    if entry.is_unreadable {
        let message =
            format!("the front matter of `{name}` cannot be read, so its project is not known");
        let hint = "mend the lines between `---` at the top of its file first";
        return Ok(Err(EntryRefusal::new(EntryReason::InvalidRequest, message, hint).about(name)));
    }
    if let Some(only) = entry.project.as_deref().filter(|only| Some(*only) != project) {
        let message = format!("`{name}` is for the project `{only}` alone");
        let hint = "promote it there, or take `project` out of its front matter first";
        return Ok(Err(EntryRefusal::new(EntryReason::InvalidRequest, message, hint).about(name)));
    }
    Ok(Ok(entry))
}
