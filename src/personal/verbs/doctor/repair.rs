//! `doctor --user --fix`: repairs what needs no decision.

use super::folder;
use super::state::leftovers;
use crate::contract::{ContentHash, FileState};
use crate::disk::files;
use crate::disk::step::{Step, Trace};
use crate::error;
use crate::personal::index_file::without_line;
use crate::personal::request::EntryDecision;
use crate::personal::settings::PersonalSettings;
use crate::personal::store::{EntryLog, INDEX, LockedPerson, PersonFolder, index};
use crate::personal::verbs::commit::commit;
use crate::personal::verbs::edit::EntryEdit;
use crate::personal::verbs::index_gaps::IndexGaps;
use crate::personal::verbs::index_size::refuse_full;
use crate::personal::verbs::session::PersonalSession;
use crate::personal::verbs::stop::EarlyEnd;

/// What the log calls the index: a name that no entry can have.
const INDEX_NAME: &str = "MEMORY";

/// Repairs under the lock; returns what was done.
pub(super) fn repair(session: &PersonalSession) -> Result<Vec<String>, EarlyEnd> {
    let Some(folder) = PersonFolder::find(&session.data, session.user()?)? else {
        return Ok(Vec::new());
    };
    let left = leftovers(&folder)?;
    // Done first, as taking the lock closes some folders without a report.
    let mut fixed = folder::close(&folder)?;
    // Taking the lock removes what a process that died left behind.
    let mut locked = folder.lock(session.lock_wait, "doctor")?;
    fixed.extend(locked.take_warnings());
    fixed.extend(left.map(|count| format!("removed leftovers of a process that died: {count}")));
    fixed.extend(cut_torn(&folder)?);
    fixed.extend(mend_index(session, &mut locked)?);
    Ok(fixed)
}

fn cut_torn(folder: &PersonFolder) -> error::Result<Vec<String>> {
    let (log, undo) = (folder.signed_log(), folder.undo_list());
    let mut done = Vec::new();
    let torn = log.torn()?;
    if torn > 0 {
        done.push(match log.lacks_end()? {
            true => "ended the last line of `state/log.jsonl`".to_owned(),
            false => format!("cut {torn} bytes of an unfinished line off `state/log.jsonl`"),
        });
        log.cut_torn()?;
    }
    let torn = undo.torn()?;
    if torn > 0 {
        undo.cut_torn()?;
        done.push(format!("cut {torn} bytes of an unfinished line off `state/undo.jsonl`"));
    }
    Ok(done)
}

/// Adds the lines that are missing and removes those without an entry, as one change of the index. It is not in the
/// undo list: the index says what the entries say.
fn mend_index(
    session: &PersonalSession,
    locked: &mut LockedPerson<'_>,
) -> Result<Vec<String>, EarlyEnd> {
    // With a slip in the settings, or an index that is no text, a person has to correct these first.
    let (Ok(settings), Ok(before)) = (locked.store().settings(), index(locked.store())) else {
        return Ok(Vec::new());
    };
    let standing = before.as_deref().unwrap_or_default();
    let (after, done) = mended(session, locked.store(), &settings, standing)?;
    if done.is_empty() {
        return Ok(done);
    }
    let line = EntryLog {
        time: session.now,
        decision: EntryDecision::Fixed,
        name: INDEX_NAME,
        before: before.as_deref().map(|text| ContentHash::of(text.as_bytes())),
        after: Some(ContentHash::of(after.as_bytes())),
    };
    let log = locked.store().signed_log().tail()?;
    let steps = vec![Step::write(INDEX, before.as_deref(), after), log.append(&line)];
    let warnings = commit(locked, steps, Trace::Kept, INDEX_NAME)?;
    Ok([done, warnings].concat())
}

/// Returns the index as it should be, and what that changes.
fn mended(
    session: &PersonalSession,
    folder: &PersonFolder,
    settings: &PersonalSettings,
    index: &str,
) -> error::Result<(String, Vec<String>)> {
    let (mut text, mut done) = (index.to_owned(), Vec::new());
    // What cannot be read is a finding of its own.
    let IndexGaps { unlisted, empty } = IndexGaps::in_folder(folder, index, &settings.scanner())?;
    for name in &empty {
        text = without_line(&text, name.as_str());
        done.push(format!("removed the line of `{name}` from the index"));
    }
    for name in &unlisted {
        let FileState::Text(content) = files::read_memory(&folder.inside(&name.path()))? else {
            continue;
        };
        let edit = EntryEdit { session, settings, name, if_hash: None };
        let description = edit.description_of(content.as_bytes(), &mut Vec::new());
        let longer = edit.index_with(&text, Some(&description));
        if refuse_full(&text, &longer, settings).is_err() {
            break;
        }
        text = longer;
        done.push(format!("added a line for `{name}` to the index"));
    }
    Ok((text, done))
}
