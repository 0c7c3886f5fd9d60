//! Reads the part of the directory that a call needs.

use std::collections::BTreeSet;

use crate::error::Result;
use crate::longterm::request::{CallContext, Directory, DirectoryKind, ServerEntry, UserEntry};
use crate::longterm::sqlite::LongtermView;

/// Reads what is known of the server of a call, and of everyone whom a name could mean there.
pub(super) fn facts_of(view: &LongtermView<'_>, context: &CallContext) -> Result<Directory> {
    let server = view.entry(DirectoryKind::Server, &context.server)?;
    let server = server.as_ref().map(ServerEntry::read).unwrap_or_default();
    let mut ids = BTreeSet::from([context.caller.as_str()]);
    ids.extend(context.participants.iter().map(|each| each.id.as_str()));
    match &context.members {
        Some(members) => ids.extend(members.iter().map(|each| each.id.as_str())),
        None => ids.extend(server.members.iter().map(String::as_str)),
    }
    let mut directory = Directory::default();
    for id in ids {
        if let Some(entry) = view.entry(DirectoryKind::User, id)? {
            directory.users.insert(id.to_owned(), UserEntry::read(&entry));
        }
    }
    Ok(Directory { server, ..directory })
}
