//! Checks what was deleted, what was set apart, and the old texts of the undo list.

use super::texts::{ScannedOrigin, ScannedText};
use crate::disk::files;
use crate::error::Result;
use crate::personal::request::PersonalFinding;
use crate::personal::settings::PersonalSettings;
use crate::personal::store::{EntryUndoLine, PersonFolder};
use crate::text::read_roughly;

const CHECK: &str = "trash";

pub(super) fn check(
    folder: &PersonFolder,
    settings: &PersonalSettings,
) -> Result<Vec<PersonalFinding>> {
    let (scanner, mut found) = (settings.scanner(), Vec::new());
    for place in [folder.deleted(), folder.set_apart()] {
        for path in files::all_below(&place).into_iter().filter(files::is_plain) {
            let (shown, read) = (path.relative().display().to_string(), files::read_short(&path));
            match read {
                Ok(bytes) => {
                    let bytes = bytes.unwrap_or_default();
                    let (path, text, origin) = (&shown, &read_roughly(&bytes), ScannedOrigin::File);
                    found.extend(
                        ScannedText { check: CHECK, path, text, origin }.findings(&scanner),
                    );
                }
                Err(error) => found.push(PersonalFinding::of_error(CHECK, &shown, &error)),
            }
        }
    }
    for line in folder.undo_list().read()? {
        let EntryUndoLine::Change(change) = line else { continue };
        let path = "state/undo.jsonl";
        for text in [change.before.as_deref().unwrap_or_default(), change.index.old_lines()] {
            let origin = ScannedOrigin::Undo(&change.name);
            found.extend(ScannedText { check: CHECK, path, text, origin }.secrets(&scanner));
        }
    }
    Ok(found)
}
