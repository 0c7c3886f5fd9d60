//! Reads an entry that a person promotes into a project.

use super::read_whole::{WholeEntry, read_whole};
use super::session::{EntryAnswer, PersonalSession};
use crate::personal::request::{EntryName, EntryReason, EntryRefusal};

/// What a project gets of an entry.
#[derive(Debug)]
pub(crate) struct PromotedEntry {
    pub(crate) name: EntryName,
    pub(crate) body: String,
}

/// Reads an entry; refuses one with what looks like a secret.
///
/// `project` is what the project is called; an entry of another one is refused too.
pub(crate) fn read_to_promote(
    session: &PersonalSession,
    name: &str,
    project: Option<&str>,
) -> EntryAnswer<PromotedEntry> {
    let entry = match read_whole(session, name)? {
        Ok(entry) => entry,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let WholeEntry { name, body, project: own, .. } = entry;
    let Some(body) = body else {
        let message = format!("`{name}` holds what looks like a secret");
        let hint = "take the secret out of the entry first; revoke it if it was real";
        return Ok(Err(EntryRefusal::new(EntryReason::SecretDetected, message, hint).about(&name)));
    };
    let Ok(own) = own else {
        let message =
            format!("the front matter of `{name}` cannot be read, so its project is not known");
        let hint = "mend the lines between `---` at the top of its file first";
        return Ok(Err(EntryRefusal::new(EntryReason::InvalidRequest, message, hint).about(&name)));
    };
    if let Some(only) = own.as_deref().filter(|only| Some(*only) != project) {
        let message = format!("`{name}` is for the project `{only}` alone");
        let hint = "promote it there, or take `project` out of its front matter first";
        return Ok(Err(EntryRefusal::new(EntryReason::InvalidRequest, message, hint).about(&name)));
    }
    Ok(Ok(PromotedEntry { name, body }))
}
