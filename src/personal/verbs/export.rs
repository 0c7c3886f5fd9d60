//! `export`: copies the index and all entries into a folder, as they are.

use std::collections::BTreeSet;
use std::path::Path;

use super::session::{EntryAnswer, PersonalSession};
use super::stop::{EarlyEnd, answered};
use crate::disk::folder::StorePath;
use crate::disk::{files, outside};
use crate::personal::request::{EntryReason, EntryRefusal, ExportReport};
use crate::personal::store::{INDEX, PersonFolder, names};
use crate::secrets::{Scanner, shown_name};

/// Copies the person's memory into a new or empty folder, which its owner alone may read.
pub(crate) fn export(session: &PersonalSession, to: &Path) -> EntryAnswer<ExportReport> {
    answered(|| {
        let found = session.find(session.user()?)?;
        let Some((folder, settings)) = found else { return Err(nothing().into()) };
        let warnings = folder.settle(session.lock_wait)?;
        refuse_full_folder(to)?;
        outside::make_private_folders(to)?;
        let target = outside::open_folder(to)?.into_private()?;
        files::narrow(&target.inside(""), 0o700)?;
        let path = target.path().display().to_string();
        let mut report = ExportReport { folder: path, exported: 0, warnings };
        let scanner = settings.scanner();
        if let Some(index) = files::read(&folder.inside(INDEX))? {
            report.warnings.extend(secret_warning("MEMORY.md", &index, &scanner));
            write(&target.inside("MEMORY.md"), &index)?;
        }
        for name in names(&folder)? {
            let file = format!("{name}.md");
            match read_entry(&folder, &file) {
                Ok(Some(bytes)) => {
                    report.warnings.extend(secret_warning(&file, &bytes, &scanner));
                    write(&target.inside(&file), &bytes)?;
                    report.exported += 1;
                }
                Ok(None) => {}
                Err(warning) => report.warnings.push(warning),
            }
        }
        Ok(report)
    })
}

fn nothing() -> Box<EntryRefusal> {
    let hint = "`agent-memory user list` shows what there is";
    EntryRefusal::new(EntryReason::EntryNotFound, "there is nothing to export", hint)
}

/// What else lies in a folder must neither be overwritten nor be taken for an entry.
fn refuse_full_folder(to: &Path) -> Result<(), Box<EntryRefusal>> {
    let message = match outside::is_free_for_files(to) {
        true => return Ok(()),
        false => format!("`{}` is no new or empty folder", to.display()),
    };
    let hint = "name a folder that does not exist yet";
    Err(EntryRefusal::new(EntryReason::InvalidRequest, message, hint))
}

/// Reads a file of the memory folder; a link or a folder is left out, and the error says so.
fn read_entry(folder: &PersonFolder, file: &str) -> Result<Option<Vec<u8>>, String> {
    let path = folder.inside(&format!("memory/{file}"));
    files::read(&path).map_err(|error| format!("`{file}` is left out: {error}"))
}

/// Names the rules of what looks like a secret; the copy has it all the same, as it is the person's own.
fn secret_warning(file: &str, bytes: &[u8], scanner: &Scanner) -> Option<String> {
    let found = scanner.scan(&String::from_utf8_lossy(bytes));
    let rules: BTreeSet<&str> = found.iter().map(|finding| finding.rule).collect();
    let rules = rules.into_iter().map(|rule| format!("`{rule}`")).collect::<Vec<_>>().join(", ");
    let file = shown_name(file);
    (!found.is_empty()).then(|| format!("`{file}` holds what looks like a secret: {rules}"))
}

fn write(path: &StorePath, bytes: &[u8]) -> Result<(), EarlyEnd> {
    Ok(files::write(path, bytes).map(drop)?)
}
