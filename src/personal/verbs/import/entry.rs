//! Makes an entry of a text that another tool kept, or tells what would become of it.

use super::item::{ImportText, TextOrigin};
use crate::contract::FileState;
use crate::error::Error;
use crate::personal::entry_file::EntryFile;
use crate::personal::request::{EntryChangeStatus, EntryReason, EntryRefusal, ImportStatus};
use crate::personal::store::{LockedPerson, PersonFolder, entry, index, names};
use crate::personal::verbs::edit::EntryEdit;
use crate::personal::verbs::index_size::refuse_full;
use crate::personal::verbs::stop::EarlyEnd;
use crate::personal::verbs::write::EntryFileChange;

/// What is there before an entry is imported.
#[derive(Debug, Clone, Default)]
pub(super) struct StandingMemory {
    pub(super) names: Vec<String>,
    pub(super) index: String,
}

/// What became of a text, and what the caller should know besides.
type Imported = (ImportStatus, Vec<String>);

impl StandingMemory {
    pub(super) fn read(folder: &PersonFolder) -> Result<Self, Error> {
        Ok(Self { names: names(folder)?, index: index(folder)?.unwrap_or_default() })
    }
}

impl EntryEdit<'_> {
    /// Makes the entry; one that says this already stays, and another one is never overwritten.
    pub(super) fn import(
        &self,
        locked: &mut LockedPerson<'_>,
        text: &ImportText,
    ) -> Result<Imported, EarlyEnd> {
        let folder = locked.store();
        let standing = StandingMemory::read(folder)?;
        if self.is_there_already(folder, &standing.names, text)? {
            return Ok((ImportStatus::Unchanged, Vec::new()));
        }
        self.index_after(&standing, text)?;
        let file = EntryFileChange::Write { before: None, after: text.text.clone() };
        let change = self.put(locked, EntryChangeStatus::Created, file, None)?;
        Ok((ImportStatus::Created, change.warnings))
    }

    /// Does the same without writing; `planned` is what a real run would have made so far.
    pub(super) fn plan_import(
        &self,
        folder: Option<&PersonFolder>,
        planned: &mut StandingMemory,
        text: &ImportText,
    ) -> Result<Imported, EarlyEnd> {
        let is_there =
            folder.map(|folder| self.is_there_already(folder, &planned.names, text)).transpose()?;
        if is_there.unwrap_or(false) {
            return Ok((ImportStatus::Unchanged, Vec::new()));
        }
        let (index, warnings) = self.index_after(planned, text)?;
        planned.index = index;
        planned.names.push(self.name.to_string());
        Ok((ImportStatus::Created, warnings))
    }

    /// Tells whether an entry says this already; refuses where it says something else.
    fn is_there_already(
        &self,
        folder: &PersonFolder,
        names: &[String],
        text: &ImportText,
    ) -> Result<bool, EarlyEnd> {
        match entry(folder, names, self.name)? {
            FileState::Absent => Ok(false),
            FileState::Text(standing) if says_same(&standing, text) => Ok(true),
            FileState::Text(_) => Err(self.says_something_else(text.origin).into()),
            FileState::Unusable(why) => {
                let name = self.name;
                let message = format!("the entry `{name}` cannot be read: {why}");
                let hint = format!(
                    "`agent-memory user delete {name}` moves it to the trash; a link, a folder or a file above 16 MiB is moved away by hand"
                );
                Err(EntryRefusal::new(EntryReason::NameCollision, message, hint).into())
            }
        }
    }

    fn says_something_else(&self, origin: TextOrigin) -> Box<EntryRefusal> {
        let name = self.name;
        let message = format!("there is an entry `{name}`, and it says something else");
        let or_rename = match origin {
            TextOrigin::File | TextOrigin::BareFile => "; or rename the file",
            TextOrigin::Bullet => "",
        };
        let hint = format!("delete it first: `agent-memory user delete {name}`{or_rename}");
        EntryRefusal::new(EntryReason::NameCollision, message, hint)
    }

    /// Returns the index with the new line, and warnings; refuses an entry that cannot be made.
    fn index_after(
        &self,
        standing: &StandingMemory,
        text: &ImportText,
    ) -> Result<(String, Vec<String>), EarlyEnd> {
        self.refuse_new(&standing.names)?;
        let mut warnings = Vec::new();
        let description = self.description_of(text.text.as_bytes(), &mut warnings);
        let after = self.index_with(&standing.index, Some(&description));
        refuse_full(&standing.index, &after, self.settings)?;
        Ok((after, warnings))
    }
}

/// Tells whether an entry holds what a source holds. Where the source has a body alone, the rest is ours.
fn says_same(standing: &str, wanted: &ImportText) -> bool {
    let is_body_alone = match wanted.origin {
        TextOrigin::File => false,
        TextOrigin::BareFile | TextOrigin::Bullet => true,
    };
    standing == wanted.text || is_body_alone && body(standing) == body(&wanted.text)
}

fn body(text: &str) -> Option<String> {
    match EntryFile::read(text) {
        EntryFile::Entry(content) => Some(content.body),
        EntryFile::Unreadable(_) => None,
    }
}
