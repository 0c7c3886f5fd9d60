//! Reads an entry with nothing masked: for the editor of its owner, and for a project that gets it.

use super::edit::not_found;
use super::read::text_of;
use super::session::{EntryAnswer, PersonalSession};
use super::stop::answered;
use crate::contract::ContentHash;
use crate::personal::entry_file::{EntryContent, EntryFile};
use crate::personal::request::EntryName;
use crate::secrets::Scanner;

/// An entry with nothing masked.
#[derive(Debug)]
pub(crate) struct WholeEntry {
    pub(crate) name: EntryName,
    /// None where the file holds what looks like a secret.
    pub(crate) body: Option<String>,
    /// SHA-256 of its file.
    pub(crate) hash: ContentHash,
    /// The only project that it is for; an error where the front matter cannot be read.
    pub(crate) project: Result<Option<String>, String>,
}

/// Reads an entry by its name.
pub(crate) fn read_whole(session: &PersonalSession, name: &str) -> EntryAnswer<WholeEntry> {
    answered(|| {
        let user = session.user()?;
        let name = EntryName::parse(name)?;
        let Some((folder, settings)) = session.find(user)? else {
            return Err(not_found(&name).into());
        };
        folder.settle(session.lock_wait)?;
        let text = text_of(&folder, &name)?;
        Ok(whole_entry(name, &text, &settings.scanner()))
    })
}

fn whole_entry(name: EntryName, text: &str, scanner: &Scanner) -> WholeEntry {
    let (content, project) = match EntryFile::read(text) {
        EntryFile::Entry(content) => {
            let project = content.project.clone();
            (content, Ok(project))
        }
        EntryFile::Unreadable(why) => (EntryContent::whole(text), Err(why)),
    };
    // Escapes of YAML can spell a secret that the bytes do not show.
    let mut texts = content.front_values().chain([text, &content.body]);
    let has_secret = texts.any(|text| !scanner.scan(text).is_empty());
    let body = content.body.trim_end_matches('\n');
    WholeEntry {
        name,
        body: (!has_secret).then(|| body.to_owned()),
        hash: ContentHash::of(text.as_bytes()),
        project,
    }
}
