//! One change of one entry: whose, under which name, and over which text.

use super::session::PersonalSession;
use crate::contract::ContentHash;
use crate::personal::request::{EntryName, EntryReason, EntryRefusal};
use crate::personal::settings::PersonalSettings;

/// One change of one entry.
pub(super) struct EntryEdit<'c> {
    pub(super) session: &'c PersonalSession,
    pub(super) settings: &'c PersonalSettings,
    pub(super) name: &'c EntryName,
    /// The text that the caller read.
    pub(super) if_hash: Option<&'c ContentHash>,
}

impl EntryEdit<'_> {
    /// Refuses a change of another text than the one that the caller read.
    pub(super) fn refuse_drift(&self, bytes: &[u8]) -> Result<(), Box<EntryRefusal>> {
        let now = ContentHash::of(bytes);
        match self.if_hash.is_none_or(|wanted| now.as_str().starts_with(wanted.as_str())) {
            true => Ok(()),
            false => Err(drifted(self.name, Some(&now))),
        }
    }
}

/// Refuses an `if_hash`; `now` is the hash of the text that stands, if one does.
pub(super) fn drifted(name: &EntryName, now: Option<&ContentHash>) -> Box<EntryRefusal> {
    let (message, hint) = match now {
        Some(now) => (
            format!("`{name}` is not what `if_hash` names; its hash is {}", &now.as_str()[..16]),
            "read the entry again, then send the change with the new hash",
        ),
        None => (
            format!("there is no entry `{name}`, so `if_hash` fits nothing"),
            "it may have been deleted; leave `if_hash` out to make it anew",
        ),
    };
    EntryRefusal::new(EntryReason::TargetDrift, message, hint).at("/if_hash").about(name)
}

/// Refuses to replace an entry that was not there when the caller looked.
pub(super) fn made_since(name: &EntryName) -> Box<EntryRefusal> {
    let message = format!("another process made `{name}` since");
    let hint = "read it, then send the change with its hash";
    EntryRefusal::new(EntryReason::TargetDrift, message, hint).about(name)
}

pub(super) fn not_found(name: &EntryName) -> Box<EntryRefusal> {
    let message = format!("there is no entry `{name}`");
    let hint = "`agent-memory user list`, or a read without a name, shows what there is";
    EntryRefusal::new(EntryReason::EntryNotFound, message, hint).at("/name").about(name)
}
