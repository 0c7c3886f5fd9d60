//! Makes or replaces an entry, under the lock.

use std::collections::BTreeSet;

use super::edit::{EntryEdit, drifted};
use super::index_size::{refuse_full, refuse_many};
use super::stop::EarlyEnd;
use super::write::{EntryFileChange, EntryWrite};
use crate::contract::{FileState, quoted};
use crate::disk::folder::FileKind;
use crate::error::{Error, ErrorKind};
use crate::frontmatter::{Split, split};
use crate::personal::entry_file::{EntryFields, changed_file, new_file};
use crate::personal::request::{
    EntryChange, EntryChangeStatus, EntryDecision, EntryReason, EntryRefusal, UpsertFields,
};
use crate::personal::store::{LockedPerson, PersonFolder, entry, index, names, path_in_trash};

/// The text of an entry after an upsert.
struct NewText {
    text: String,
    /// An old text that could not be read, with its path in the trash.
    kept: Option<(String, String)>,
    warning: Option<String>,
}

impl EntryEdit<'_> {
    pub(super) fn upsert(
        &self,
        locked: &mut LockedPerson<'_>,
        fields: &UpsertFields,
    ) -> Result<EntryChange, EarlyEnd> {
        let folder = locked.store();
        let names = names(folder)?;
        let old = self.old_text(folder, &names)?;
        match &old {
            None => self.refuse_new(&names)?,
            Some(text) => self.refuse_drift(text.as_bytes())?,
        }
        let NewText { text, kept, warning } = self.new_text(folder, old.as_deref(), fields)?;
        let before = index(folder)?;
        let standing = before.as_deref().unwrap_or_default();
        let after = self.index_with(standing, Some(&fields.description));
        if old.is_none() {
            refuse_full(standing, &after, self.settings)?;
        }
        let status = match &old {
            None => EntryChangeStatus::Created,
            Some(old) if *old == text && standing == after => EntryChangeStatus::Unchanged,
            Some(_) => EntryChangeStatus::Updated,
        };
        let description = Some(fields.description.clone());
        let mut change = self.answer(status, Some(text.as_bytes()), description, &after);
        change.trash = kept.as_ref().map(|(path, _)| path.clone());
        change.warnings.extend(warning);
        if let Some(decision) = EntryDecision::of(status) {
            let file = EntryFileChange::Write { before: old, after: text };
            let name = self.name;
            let write =
                EntryWrite { name, decision, file, kept, index: (before, after), undoes: None };
            change.warnings.extend(write.write(self.session, locked)?);
        }
        Ok(change)
    }

    fn old_text(
        &self,
        folder: &PersonFolder,
        names: &[String],
    ) -> Result<Option<String>, EarlyEnd> {
        match entry(folder, names, self.name)? {
            FileState::Absent => Ok(None),
            FileState::Text(text) => Ok(Some(text)),
            FileState::Unusable(why) => {
                let path = folder.inside(&self.name.path());
                // A folder or a link is not moved either.
                let is_file = path.metadata().is_ok_and(|it| it.kind == FileKind::File);
                let hint = match is_file {
                    true => format!(
                        "`agent-memory user delete {}` puts it into the trash as it is",
                        self.name
                    ),
                    false => "move what stands there away".to_owned(),
                };
                let error = Error::new(ErrorKind::StoreDamaged, format!("{why}:"));
                Err(error.at(&path).hint(hint).into())
            }
        }
    }

    fn new_text(
        &self,
        folder: &PersonFolder,
        old: Option<&str>,
        fields: &UpsertFields,
    ) -> Result<NewText, EarlyEnd> {
        let dialect = self.settings.dialect;
        let wanted = EntryFields {
            name: self.name.as_str(),
            description: &fields.description,
            kind: fields.kind.name(),
            body: &fields.body,
        };
        let Some(old) = old else {
            return Ok(NewText { text: new_file(&wanted, dialect), kept: None, warning: None });
        };
        Ok(match changed_file(old, &wanted, dialect, self.session.now) {
            Ok(text) => {
                let warning = self.secret_in_front(&text);
                NewText { text, kept: None, warning }
            }
            Err(why) => {
                let trash = path_in_trash(folder, self.name, self.session.now)?;
                NewText {
                    text: new_file(&wanted, dialect),
                    warning: Some(format!(
                        "the old file is whole in `{trash}`: {why}; other lines of its front matter, such as `project`, are not in the new one"
                    )),
                    kept: Some((trash, old.to_owned())),
                }
            }
        })
    }

    /// Warns of a secret under a key that the request does not have; a hand wrote it, and an upsert keeps it.
    fn secret_in_front(&self, text: &str) -> Option<String> {
        let Split::With { front, .. } = split(text) else { return None };
        let found = self.settings.scanner().scan(&text[front]);
        let rules: BTreeSet<&str> = found.iter().map(|finding| finding.rule).collect();
        let rules = quoted(&rules.into_iter().collect::<Vec<_>>());
        (!found.is_empty()).then(|| {
            format!(
                "the front matter of `{}` keeps what a request may not hold, of kind {rules}: take it out of the file",
                self.name
            )
        })
    }

    /// Refuses a new entry that another one stands for, or that is one too many.
    pub(super) fn refuse_new(&self, names: &[String]) -> Result<(), Box<EntryRefusal>> {
        let name = self.name;
        if let Some(other) = names.iter().find(|other| other.eq_ignore_ascii_case(name.as_str())) {
            let message = format!("`{other}` and `{name}` are one file on some disks");
            let hint = format!("replace `{other}`, or choose another name");
            return Err(EntryRefusal::new(EntryReason::NameCollision, message, hint).at("/name"));
        }
        refuse_many(names, self.settings)?;
        self.if_hash.map_or(Ok(()), |_| Err(drifted(name, None)))
    }
}
