//! Compares the index with the entries.

use super::texts::{ScannedOrigin, ScannedText};
use crate::error::Result;
use crate::personal::request::PersonalFinding;
use crate::personal::settings::PersonalSettings;
use crate::personal::store::{INDEX, PersonFolder, index};
use crate::personal::verbs::index_gaps::{
    ADDS, IndexGaps, REMOVES, empty_message, unlisted_message,
};
use crate::personal::verbs::index_size::{near_limits, size_of};

pub(super) fn check(
    folder: &PersonFolder,
    settings: &PersonalSettings,
) -> Result<Vec<PersonalFinding>> {
    let text = index(folder)?.unwrap_or_default();
    let finding =
        |path: &str, message: String, hint| PersonalFinding::new("index", path, message, hint);
    let scanned =
        ScannedText { check: "index", path: INDEX, text: &text, origin: ScannedOrigin::File };
    let mut found = scanned.findings(&settings.scanner());
    let hint = "join entries, or delete what is no longer needed: Claude Code loads nothing beyond these limits";
    found.extend(near_limits(size_of(&text, settings)).map(|said| finding(INDEX, said, hint)));
    // A file that cannot be read is a finding of the entries.
    let IndexGaps { unlisted, empty } = IndexGaps::in_folder(folder, &text, &settings.scanner())?;
    found.extend(unlisted.iter().map(|name| finding(&name.path(), unlisted_message(name), ADDS)));
    found.extend(empty.iter().map(|name| finding(&name.path(), empty_message(name), REMOVES)));
    Ok(found)
}
