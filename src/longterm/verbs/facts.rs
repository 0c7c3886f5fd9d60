//! Reads the part of the directory that a call needs.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Result;
use crate::longterm::request::{CallContext, Directory, DirectoryKind, ServerEntry, UserEntry};
use crate::longterm::sqlite::LongtermView;

/// Reads what is known of the server of a call and of the caller, and where a call names a person, of everyone whom a name
/// could mean there.
pub(super) fn facts_about(
    view: &LongtermView<'_>,
    context: &CallContext,
    name: Option<&String>,
) -> Result<Directory> {
    if name.is_some() {
        return facts_of(view, context);
    }
    let server = server_of(view, context)?;
    let users = users_of(view, BTreeSet::from([context.caller.as_str()]))?;
    Ok(Directory { server, users })
}

/// Reads what is known of the server of a call, and of everyone whom a name could mean there.
pub(super) fn facts_of(view: &LongtermView<'_>, context: &CallContext) -> Result<Directory> {
    let server = server_of(view, context)?;
    let mut ids = BTreeSet::from([context.caller.as_str()]);
    ids.extend(context.participants.iter().map(|each| each.id.as_str()));
    match &context.members {
        Some(members) => ids.extend(members.iter().map(|each| each.id.as_str())),
        None => ids.extend(server.members.iter().map(String::as_str)),
    }
    let users = users_of(view, ids)?;
    Ok(Directory { server, users })
}

fn server_of(view: &LongtermView<'_>, context: &CallContext) -> Result<ServerEntry> {
    let server = view.entry(DirectoryKind::Server, &context.server)?;
    Ok(server.as_ref().map(ServerEntry::read).unwrap_or_default())
}

fn users_of(view: &LongtermView<'_>, ids: BTreeSet<&str>) -> Result<BTreeMap<String, UserEntry>> {
    let mut users = BTreeMap::new();
    for id in ids {
        if let Some(entry) = view.entry(DirectoryKind::User, id)? {
            users.insert(id.to_owned(), UserEntry::read(&entry));
        }
    }
    Ok(users)
}
