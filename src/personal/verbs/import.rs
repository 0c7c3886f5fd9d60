//! `import`: makes an entry of each file or bullet that another tool keeps.

mod claude;
mod entry;
mod folder;
mod item;
mod source;

use super::edit::EntryEdit;
use super::index_size::{size_of, warning};
use super::session::{EntryAnswer, PersonalSession};
use super::stop::{EarlyEnd, answered};
use crate::error::Error;
use crate::personal::request::{ImportReport, ImportStatus, ImportedEntry};
use crate::personal::settings::PersonalSettings;
use crate::personal::store::PersonFolder;
use crate::secrets::clean;
use entry::StandingMemory;
use item::{ImportItem, ImportText, ItemReader};
pub(crate) use source::{ImportMode, ImportSource};
use source::{SourceItems, gather};

/// Imports what a source holds; what is refused does not hinder the rest.
pub(crate) fn import(
    session: &PersonalSession,
    source: &ImportSource,
    mode: ImportMode,
) -> EntryAnswer<ImportReport> {
    answered(|| {
        let user = session.user()?;
        let found = session.find(user)?;
        let (folder, settings) = match found {
            Some((folder, settings)) => (Some(folder), settings),
            None => (None, PersonalSettings::default()),
        };
        let mut run = ImportRun::begin(session, folder, &settings)?;
        let SourceItems { path, items, warnings } = gather(source, run.folder.as_ref())?;
        run.warnings.extend(warnings);
        let is_dry = mode == ImportMode::DryRun;
        if is_dry {
            run.planned = Some(run.standing()?);
        }
        let mut report = ImportReport::new(path.display().to_string(), is_dry);
        for item in &items {
            report.push(run.take(item)?);
        }
        run.warnings.extend(warning(size_of(&run.standing()?.index, &settings)));
        report.warnings = run.warnings;
        Ok(report)
    })
}

/// An import that is under way. Each entry is a change of its own, so that a second run finishes what a kill leaves.
struct ImportRun<'s> {
    session: &'s PersonalSession,
    /// The first entry makes it.
    folder: Option<PersonFolder>,
    settings: &'s PersonalSettings,
    reader: ItemReader<'s>,
    /// What a dry run would have made so far, with what stood before it.
    planned: Option<StandingMemory>,
    warnings: Vec<String>,
}

impl<'s> ImportRun<'s> {
    fn begin(
        session: &'s PersonalSession,
        folder: Option<PersonFolder>,
        settings: &'s PersonalSettings,
    ) -> Result<Self, Error> {
        let warnings = match &folder {
            Some(folder) => folder.settle(session.lock_wait)?,
            None => Vec::new(),
        };
        let reader = ItemReader::new(settings, session.now);
        Ok(Self { session, folder, settings, reader, planned: None, warnings })
    }

    fn standing(&self) -> Result<StandingMemory, Error> {
        match (&self.planned, &self.folder) {
            (Some(planned), _) => Ok(planned.clone()),
            (None, Some(folder)) => StandingMemory::read(folder),
            (None, None) => Ok(StandingMemory::default()),
        }
    }

    fn take(&mut self, item: &ImportItem) -> Result<ImportedEntry, Error> {
        let told = |status| {
            let entry = ImportedEntry::new(status, &item.name, &item.from);
            ImportedEntry { renamed: item.is_renamed, ..entry }
        };
        let text = self.reader.read(item);
        match text.map_err(EarlyEnd::from).and_then(|text| self.put(item, &text)) {
            Ok(status) => Ok(told(status)),
            Err(EarlyEnd::Refused(refusal)) => {
                Ok(told(ImportStatus::Rejected).refused(*refusal.cleaned(clean)))
            }
            Err(EarlyEnd::Failed(error)) => Err(error),
        }
    }

    fn put(&mut self, item: &ImportItem, text: &ImportText) -> Result<ImportStatus, EarlyEnd> {
        let session = self.session;
        let edit = EntryEdit { session, settings: self.settings, name: &item.name, if_hash: None };
        let (status, warnings) = match &mut self.planned {
            Some(planned) => edit.plan_import(self.folder.as_ref(), planned, text)?,
            None => {
                let folder = match self.folder.take() {
                    Some(folder) => folder,
                    None => PersonFolder::make(&session.data, session.user()?)?,
                };
                let folder = &*self.folder.insert(folder);
                let mut locked = folder.lock(session.lock_wait, "import")?;
                let said = locked.take_warnings();
                let (status, warnings) = edit.import(&mut locked, text)?;
                (status, [said, warnings].concat())
            }
        };
        self.warnings.extend(warnings);
        Ok(status)
    }
}
