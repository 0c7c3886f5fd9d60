//! Checks the files of the entries: names, form, limits, and what must not be in them.

use super::texts::{ScannedOrigin, ScannedText};
use crate::contract::FileState;
use crate::disk::files;
use crate::disk::folder::FileKind;
use crate::error::Result;
use crate::personal::entry_file::{EntryContent, EntryFile, Generation, is_same_name};
use crate::personal::request::{BODY, DESCRIPTION, EntryName, PersonalFinding};
use crate::personal::settings::PersonalSettings;
use crate::personal::store::{PersonFolder, names};
use crate::personal::verbs::index_gaps::is_secret;
use crate::secrets::Scanner;

const CHECK: &str = "entries";

pub(super) fn check(
    folder: &PersonFolder,
    settings: &PersonalSettings,
) -> Result<Vec<PersonalFinding>> {
    let (names, scanner) = (names(folder)?, settings.scanner());
    let mut found = Vec::new();
    let most = settings.limits.entries;
    if names.len() > most {
        let message = format!("there are {} entries, allowed are {most}", names.len());
        let hint = "join entries, or delete what is no longer needed";
        found.push(PersonalFinding::new(CHECK, "memory", message, hint));
    }
    for (position, name) in names.iter().enumerate() {
        let path = format!("memory/{name}.md");
        let file = ExaminedEntry { name, path: &path };
        if is_secret(name, &scanner) {
            let message = "the name of a file in `memory/` looks like a secret".to_owned();
            let hint = "rename the file, or remove it with `agent-memory user purge`; revoke the secret if it was real";
            found.push(PersonalFinding::new(CHECK, "memory", message, hint));
            continue;
        }
        found.extend(file.check_name(&names[..position]));
        let place = folder.inside(&path);
        match files::read_memory(&place) {
            Ok(FileState::Text(text)) => found.extend(file.check_text(&text, &scanner)),
            Ok(FileState::Absent) => {}
            Err(error) => found.push(PersonalFinding::of_error(CHECK, &path, &error)),
            Ok(FileState::Unusable(why)) => {
                // The check of the folder names links, pipes, sockets and devices.
                let kind = place.metadata().map(|it| it.kind);
                if matches!(kind, Ok(FileKind::File | FileKind::Folder)) {
                    let hint = "make it a plain UTF-8 file, or move it away";
                    found.push(file.finding(format!("cannot be read: {why}"), hint));
                }
            }
        }
    }
    Ok(found)
}

struct ExaminedEntry<'a> {
    name: &'a str,
    path: &'a str,
}

impl ExaminedEntry<'_> {
    /// Makes a finding; the message goes on after the path.
    fn finding(&self, message: impl AsRef<str>, hint: impl Into<String>) -> PersonalFinding {
        let message = format!("`{}` {}", self.path, message.as_ref());
        PersonalFinding::new(CHECK, self.path, message, hint)
    }

    fn check_name(&self, others: &[String]) -> Vec<PersonalFinding> {
        let mut found = Vec::new();
        if let Err(refusal) = EntryName::parse(self.name) {
            let message = format!("has a name that no command takes: {}", refusal.message);
            let hint = "rename the file: 1 to 100 of A-Z, a-z, 0-9, `_` and `-`, then `.md`";
            found.push(self.finding(message, hint));
        }
        if let Some(other) = others.iter().find(|other| other.eq_ignore_ascii_case(self.name)) {
            let message = format!("and `memory/{other}.md` are one file on some disks");
            found.push(self.finding(message, "rename one of them"));
        }
        found
    }

    fn check_text(&self, text: &str, scanner: &Scanner) -> Vec<PersonalFinding> {
        let scanned =
            ScannedText { check: CHECK, path: self.path, text, origin: ScannedOrigin::File };
        let mut found = scanned.findings(scanner);
        match EntryFile::read(text) {
            EntryFile::Entry(content) => {
                found.extend(self.check_decoded(&content, &found, scanner));
                found.extend(self.check_content(&content));
            }
            EntryFile::Unreadable(why) => {
                let message = format!("has front matter that cannot be read: {why}");
                let hint = "correct it; an upsert replaces it, and keeps the old file in the trash";
                found.push(self.finding(message, hint));
            }
        }
        found
    }

    /// Finds what only the escapes of YAML hide from a scan of the file.
    fn check_decoded(
        &self,
        content: &EntryContent,
        known: &[PersonalFinding],
        scanner: &Scanner,
    ) -> Vec<PersonalFinding> {
        let text = content.front_values().collect::<Vec<_>>().join("\n");
        let origin = ScannedOrigin::Values;
        let scanned = ScannedText { check: CHECK, path: self.path, text: &text, origin };
        let mut found = scanned.findings(scanner);
        found.retain(|each| !known.iter().any(|other| each.is_about_same(other)));
        found
    }

    fn check_content(&self, content: &EntryContent) -> Vec<PersonalFinding> {
        let mut found = Vec::new();
        if let Some(other) = content.name.as_deref().filter(|other| !is_same_name(other, self.name))
        {
            let message = format!("calls itself `{other}`; its file decides");
            let hint = "correct `name` in its front matter, or rename the file";
            found.push(self.finding(message, hint));
        }
        let characters = content.description.as_deref().map_or(0, |text| text.chars().count());
        // Without front matter, the description is the first line of the text.
        if characters > DESCRIPTION && content.generation != Generation::G1 {
            let message =
                format!("has a description of {characters} characters, allowed are {DESCRIPTION}");
            found.push(self.finding(message, "say it shorter; details belong into the body"));
        }
        if content.body.len() > BODY {
            let message = format!("has a body of {} bytes, allowed are {BODY}", content.body.len());
            found.push(self.finding(message, "make several entries of it"));
        }
        found
    }
}
