//! What is known of people and servers: shown, changed by a merge patch, removed.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::session::LongtermSession;
use crate::contract::{Timestamp, kind};
use crate::error::{Error, Result};
use crate::longterm::request::{
    DirectoryChange, DirectoryDocument, DirectoryKind, RaisedGeneration, ServerEntry, UserEntry,
    faults_of, unknown_field,
};
use crate::longterm::sqlite::{ChangeNote, LongtermView};
use crate::text::excerpt;

/// Returns all entries.
pub fn get_directory(session: &LongtermSession) -> Result<DirectoryDocument> {
    session.read(|view| {
        let of = |kind| Ok::<_, Error>(view.entries(kind)?.into_iter().collect());
        Ok(DirectoryDocument {
            users: of(DirectoryKind::User)?,
            servers: of(DirectoryKind::Server)?,
        })
    })
}

/// Changes entries by a merge patch (RFC 7396): a `null` removes.
pub fn set_directory(session: &LongtermSession, patch: &Value) -> Result<DirectoryChange> {
    let entries = match entries_of(patch) {
        Ok(entries) => entries,
        Err(error) => return Ok(rejected(error)),
    };
    change(session, entries, Forgotten::Stay)
}

/// Removes an entry, if there is one.
pub fn remove_entry(
    session: &LongtermSession,
    kind: DirectoryKind,
    id: &str,
) -> Result<DirectoryChange> {
    let entry = EntryPatch { kind, id: id.to_owned(), patch: Value::Null };
    let changed = change(session, vec![entry], Forgotten::Leave)?;
    Ok(match changed.entries {
        0 => rejected(format!("there is no entry of the {kind} `{id}`")),
        _ => changed,
    })
}

/// A patch of one entry; `null` removes it.
struct EntryPatch {
    kind: DirectoryKind,
    id: String,
    patch: Value,
}

fn entries_of(patch: &Value) -> std::result::Result<Vec<EntryPatch>, String> {
    let Some(parts) = patch.as_object() else {
        return Err(format!(
            "found {}, allowed is an object with `users` and `servers`",
            kind(patch)
        ));
    };
    let mut entries = Vec::new();
    for (name, entries_of_kind) in parts {
        let kind_of_entry = match name.as_str() {
            "users" => DirectoryKind::User,
            "servers" => DirectoryKind::Server,
            _ => {
                return Err(format!(
                    "found `{}`, allowed are `users` and `servers`",
                    excerpt(name)
                ));
            }
        };
        let Some(of_kind) = entries_of_kind.as_object() else {
            return Err(format!(
                "`{name}`: found {}, allowed is an object by id",
                kind(entries_of_kind)
            ));
        };
        for (id, patch) in of_kind {
            if id.trim().is_empty() || !(patch.is_object() || patch.is_null()) {
                return Err(format!(
                    "`{name}`, `{}`: an entry needs an id, and is an object or null",
                    excerpt(id)
                ));
            }
            if let Some(unknown) = unknown_field(kind_of_entry, patch) {
                return Err(format!("`{name}`, `{}`: {unknown}", excerpt(id)));
            }
            entries.push(EntryPatch { kind: kind_of_entry, id: id.clone(), patch: patch.clone() });
        }
    }
    Ok(entries)
}

/// Whether a change may take away that a person was forgotten.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forgotten {
    /// A host that sends what it knows again must not.
    Stay,
    /// Who names the entry means it.
    Leave,
}

fn change(
    session: &LongtermSession,
    entries: Vec<EntryPatch>,
    forgotten: Forgotten,
) -> Result<DirectoryChange> {
    let (operator, now) = (session.operator.clone(), session.now);
    let changed = session.write_unless_refused(move |view| {
        let (mut invalidated, mut warnings) = (Vec::new(), Vec::new());
        let mut count = 0;
        for patch in entries {
            let before = view.entry(patch.kind, &patch.id)?;
            let after = match patched(before.as_ref(), &patch, forgotten) {
                Ok(after) => after,
                Err(refused) => return Ok(Err(refused)),
            };
            warnings.extend(after.iter().flat_map(|it| faults_of(patch.kind, &patch.id, it)));
            let change = ChangedEntry { patch, before, after };
            if change.before != change.after {
                invalidated.extend(write(view, &change, &operator, now)?);
                count += 1;
            }
        }
        let (status, error) = ("changed", None);
        Ok(Ok(DirectoryChange { status, entries: count, invalidated, warnings, error }))
    })?;
    Ok(changed.unwrap_or_else(rejected))
}

/// Returns an entry after a patch, if there is one then. One that is damaged restricts all that it could, which a patch of
/// something else would undo.
fn patched(
    before: Option<&Value>,
    patch: &EntryPatch,
    forgotten: Forgotten,
) -> std::result::Result<Option<Value>, String> {
    let is_damaged = before.is_some_and(|entry| !entry.is_object());
    if is_damaged && forgotten == Forgotten::Stay {
        let (kind, id) = (patch.kind, excerpt(&patch.id));
        return Err(format!(
            "the entry of the {kind} `{id}` is damaged: `ltm directory remove` it first"
        ));
    }
    let mut after = before.cloned().unwrap_or_default();
    merge(&mut after, &patch.patch);
    if forgotten == Forgotten::Stay && before.is_some_and(UserEntry::is_forgotten) {
        merge(&mut after, &json!({ "forgotten": true }));
    }
    Ok(Some(after).filter(|after| !after.is_null()))
}

/// An entry before and after a patch, if there is one.
struct ChangedEntry {
    patch: EntryPatch,
    before: Option<Value>,
    after: Option<Value>,
}

fn write(
    view: &LongtermView<'_>,
    change: &ChangedEntry,
    operator: &str,
    now: Timestamp,
) -> Result<Vec<RaisedGeneration>> {
    let EntryPatch { kind, id, .. } = &change.patch;
    match &change.after {
        None => drop(view.remove_entry(*kind, id)?),
        Some(after) => view.set_entry(*kind, id, after)?,
    }
    let noted = view.note(&ChangeNote {
        event: "directory_changed",
        id: format!("{kind}:{id}"),
        actor: operator,
        now,
        keys: keys_of(change),
        before: None,
        after: None,
    })?;
    Ok(noted.raised)
}

/// Returns the keys of what a change of an entry makes stale: privacy, bridges, blacklist and flags decide who reads what.
fn keys_of(ChangedEntry { patch, before, after }: &ChangedEntry) -> Vec<String> {
    let id = &patch.id;
    match patch.kind {
        DirectoryKind::User => {
            let rules = |entry: &Option<Value>| {
                let read = entry.as_ref().map(UserEntry::read);
                read.map(|read| (read.privacy, read.is_bridge))
            };
            let is_same = rules(before) == rules(after);
            if is_same { Vec::new() } else { vec![format!("user:{id}")] }
        }
        DirectoryKind::Server => {
            let read =
                |entry: &Option<Value>| entry.as_ref().map(ServerEntry::read).unwrap_or_default();
            let (before, after) = (read(before), read(after));
            let listed = |entry: &ServerEntry| -> BTreeSet<String> {
                entry.blacklist.iter().flatten().cloned().collect()
            };
            let (old, new) = (listed(&before), listed(&after));
            let mut keys: Vec<String> =
                old.symmetric_difference(&new).map(|user| format!("user:{user}")).collect();
            let has_same_flags = before.self_teaching == after.self_teaching
                && before.personal_memories == after.personal_memories;
            if before.blacklist != after.blacklist || !has_same_flags {
                keys.push(format!("server:{id}"));
            }
            keys
        }
    }
}

/// Merges as RFC 7396 says.
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(changes) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(object) = target else { return };
    for (name, change) in changes {
        match change {
            Value::Null => drop(object.remove(name)),
            change => merge(object.entry(name.clone()).or_insert(Value::Null), change),
        }
    }
}

fn rejected(error: String) -> DirectoryChange {
    let (invalidated, warnings) = (Vec::new(), Vec::new());
    DirectoryChange { status: "rejected", entries: 0, invalidated, warnings, error: Some(error) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::merge;

    #[test]
    fn a_merge_patch_merges_objects_and_removes_nulls() {
        for (mut target, patch, expected) in [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "b", "b": "c"}), json!({"a": null}), json!({"b": "c"})),
            (
                json!({"a": {"b": "c"}}),
                json!({"a": {"b": "d", "c": null}}),
                json!({"a": {"b": "d"}}),
            ),
            (json!({"a": [1]}), json!({"a": [2, 3]}), json!({"a": [2, 3]})),
            (json!(null), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
        ] {
            merge(&mut target, &patch);
            assert_eq!(target, expected);
        }
    }
}
