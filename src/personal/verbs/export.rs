//! `export`: copies the index and all entries into a folder, as they are.

use std::collections::BTreeSet;
use std::path::Path;

use super::session::{EntryAnswer, PersonalSession};
use super::stop::answered;
use crate::disk::{Folder, files, outside};
use crate::error::Result;
use crate::personal::request::{EntryReason, EntryRefusal, ExportReport};
use crate::personal::store::{INDEX, PersonFolder, names};
use crate::secrets::{Scanner, shown_name};

/// A file of the memory folder, as it is.
struct ExportedFile {
    name: String,
    bytes: Vec<u8>,
}

/// Index and entries of one moment.
#[derive(Default)]
struct ExportedFiles {
    index: Option<ExportedFile>,
    entries: Vec<ExportedFile>,
    /// What is said of files that cannot be read.
    left_out: Vec<String>,
}

/// Copies the person's memory into a new or empty folder, which its owner alone may read.
pub(crate) fn export(session: &PersonalSession, to: &Path) -> EntryAnswer<ExportReport> {
    answered(|| {
        let found = session.find(session.user()?)?;
        let Some((folder, settings)) = found else { return Err(nothing().into()) };
        if outside::lies_in(to, &session.data) {
            return Err(within_data(to).into());
        }
        if !outside::is_new_or_empty(to)? {
            return Err(not_empty(to).into());
        }
        let (files, mut warnings) =
            folder.read_at_rest(session.lock_wait, || ExportedFiles::read(&folder))?;
        outside::make_private_folders(to)?;
        let target = outside::open_folder(to)?.into_private()?;
        // To read may have taken a while.
        if !outside::is_new_or_empty(to)? {
            return Err(not_empty(to).into());
        }
        files::narrow(&target.inside(""), 0o700)?;
        files.write(&target)?;
        let scanner = settings.scanner();
        warnings.extend(files.all().filter_map(|file| secret_warning(file, &scanner)));
        let (exported, left_out) = (files.entries.len(), files.left_out.len());
        warnings.extend(files.left_out);
        Ok(ExportReport {
            folder: target.path().display().to_string(),
            exported,
            left_out,
            warnings,
        })
    })
}

impl ExportedFiles {
    /// A link or a folder is left out.
    fn read(folder: &PersonFolder) -> Result<Self> {
        let mut read = Self::default();
        let index = files::read(&folder.inside(INDEX))?;
        read.index = index.map(|bytes| ExportedFile { name: "MEMORY.md".to_owned(), bytes });
        for name in names(folder)? {
            let name = format!("{name}.md");
            match files::read_short(&folder.inside(&format!("memory/{name}"))) {
                Ok(Some(bytes)) => read.entries.push(ExportedFile { name, bytes }),
                Ok(None) => {}
                Err(error) => read.left_out.push(format!("`{name}` is left out: {error}")),
            }
        }
        Ok(read)
    }

    fn all(&self) -> impl Iterator<Item = &ExportedFile> {
        self.index.iter().chain(&self.entries)
    }

    fn write(&self, target: &Folder) -> Result<()> {
        let path = |file: &ExportedFile| target.inside(&file.name);
        let written =
            self.all().try_for_each(|file| files::write(&path(file), &file.bytes).map(drop));
        if written.is_err() {
            // The folder was empty: as it is again, the export can be repeated.
            self.all().for_each(|file| drop(files::remove_plain(&path(file))));
        }
        written
    }
}

fn nothing() -> Box<EntryRefusal> {
    let hint = "give `--as ID` for another person; `agent-memory user path` prints the folder";
    EntryRefusal::new(EntryReason::EntryNotFound, "there is nothing to export", hint)
}

/// What else lies in a folder must neither be overwritten nor be taken for an entry.
fn not_empty(to: &Path) -> Box<EntryRefusal> {
    let message = format!("`{}` is not a new or empty folder", to.display());
    let hint = "name a folder that does not exist yet";
    EntryRefusal::new(EntryReason::InvalidRequest, message, hint)
}

/// There it would be the memory of another person, or a part of this one.
fn within_data(to: &Path) -> Box<EntryRefusal> {
    let message = format!("`{}` is in the folder of all personal memory", to.display());
    let hint = "name a folder elsewhere, such as `./copy`";
    EntryRefusal::new(EntryReason::InvalidRequest, message, hint)
}

/// Names the rules of what looks like a secret; the copy has it all the same, as it is the person's own.
fn secret_warning(file: &ExportedFile, scanner: &Scanner) -> Option<String> {
    let found = scanner.scan(&String::from_utf8_lossy(&file.bytes));
    let rules: BTreeSet<&str> = found.iter().map(|finding| finding.rule).collect();
    let rules = rules.into_iter().map(|rule| format!("`{rule}`")).collect::<Vec<_>>().join(", ");
    let name = shown_name(&file.name);
    let what_to_do = "take it out before you give the folder away";
    (!found.is_empty())
        .then(|| format!("`{name}` holds what looks like a secret: {rules}: {what_to_do}"))
}
