//! Writes all memories and the relations that were set between them, as they are at one time.

use std::collections::HashMap;
use std::path::Path;

use super::session::ServiceSession;
use crate::disk::{Folder, files, outside};
use crate::error::{Error, ErrorKind, Result};
use crate::service::backup::{NamedRelation, memory_line, page_of, relation_line};
use crate::service::request::{MemoryExport, MemoryId, NewRelation, SavedMemory, SavedRelation};
use crate::service::sqlite::TenantView;

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportForm {
    /// A memory or relation a line, which `import` reads.
    Lines,
    /// A page a memory, for people.
    Markdown,
}

/// Where an export goes.
pub enum ExportTarget<'a> {
    /// A folder that is new or empty.
    Folder(&'a Path),
    /// A text, part by part.
    Text(&'a mut dyn FnMut(&str)),
}

/// The file of all lines in a folder.
const LINES_FILE: &str = "memories.jsonl";

/// Exports the memories of the tenant, the oldest first.
pub fn export(
    session: &ServiceSession,
    form: ExportForm,
    target: ExportTarget<'_>,
) -> Result<MemoryExport> {
    match target {
        ExportTarget::Text(put) => session.read(|view| to_text(&ViewExport::of(view)?, form, put)),
        ExportTarget::Folder(path) => {
            let folder = new_folder(path)?;
            session.read(|view| to_folder(&ViewExport::of(view)?, form, &folder))
        }
    }
}

fn to_text(
    export: &ViewExport<'_, '_>,
    form: ExportForm,
    put: &mut dyn FnMut(&str),
) -> Result<MemoryExport> {
    let mut is_first = true;
    export.write(form, &mut |part| {
        let is_next = !std::mem::replace(&mut is_first, false);
        if is_next && form == ExportForm::Markdown {
            put("\n");
        }
        put(&part.text);
        Ok(())
    })?;
    export.report(None)
}

fn to_folder(
    export: &ViewExport<'_, '_>,
    form: ExportForm,
    folder: &Folder,
) -> Result<MemoryExport> {
    let mut lines = String::new();
    export.write(form, &mut |part| match part.file {
        Some(file) => files::write(&folder.inside(&file), part.text.as_bytes()).map(drop),
        None => {
            lines += &part.text;
            Ok(())
        }
    })?;
    if form == ExportForm::Lines {
        files::write(&folder.inside(LINES_FILE), lines.as_bytes())?;
    }
    export.report(Some(folder.path().display().to_string()))
}

/// Makes a folder that only its owner may read.
fn new_folder(path: &Path) -> Result<Folder> {
    if !outside::is_new_or_empty(path)? {
        let message = format!("`{}` is not a new or empty folder", path.display());
        let hint = "name a folder that does not exist yet";
        return Err(Error::new(ErrorKind::Usage, message).hint(hint));
    }
    outside::make_private_folders(path)?;
    outside::open_folder(path)?.into_private()
}

/// A part of an export.
struct ExportPart {
    /// The file that holds it alone, in a folder.
    file: Option<String>,
    text: String,
}

/// Takes the parts of an export in their order.
type PutPart<'a> = &'a mut dyn FnMut(ExportPart) -> Result<()>;

/// The memories of one view of the database.
pub(super) struct ViewExport<'v, 'c> {
    view: &'v TenantView<'c>,
    rows: Vec<i64>,
    ids: HashMap<i64, MemoryId>,
}

impl<'v, 'c> ViewExport<'v, 'c> {
    pub(super) fn of(view: &'v TenantView<'c>) -> Result<Self> {
        let rows = view.all_rows()?;
        let ids = view.ids_of(&rows)?;
        Ok(Self { view, rows, ids })
    }

    fn write(&self, form: ExportForm, put: PutPart<'_>) -> Result<()> {
        for row in &self.rows {
            let Some(memory) = self.memory(*row)? else { continue };
            put(match form {
                ExportForm::Lines => ExportPart { file: None, text: memory_line(&memory) },
                ExportForm::Markdown => {
                    let relations = self.relations(*row)?;
                    let named: Vec<NamedRelation> = relations.iter().map(named).collect();
                    let file = Some(format!("{}.md", memory.said.id));
                    ExportPart { file, text: page_of(&memory, &named) }
                }
            })?;
        }
        if form == ExportForm::Lines {
            for row in &self.rows {
                for relation in self.relations(*row)? {
                    put(ExportPart { file: None, text: relation_line(&relation) })?;
                }
            }
        }
        Ok(())
    }

    fn memory(&self, row: i64) -> Result<Option<SavedMemory>> {
        let Some(memory) = self.view.memories(&[row])?.pop() else { return Ok(None) };
        let embedding = self.view.vector_of(row)?;
        let (said, last_accessed) = (memory.said, memory.last_accessed);
        Ok(Some(SavedMemory { said, last_accessed, embedding }))
    }

    fn relations(&self, row: i64) -> Result<Vec<SavedRelation>> {
        let relations = self.view.relations_set_from(row)?.into_iter();
        let saved = relations.filter_map(|relation| {
            Some(SavedRelation {
                relation: NewRelation {
                    source: *self.ids.get(&row)?,
                    target: *self.ids.get(&relation.target)?,
                    kind: relation.kind,
                    strength: relation.strength,
                    properties: relation.properties,
                },
                updated: Some(relation.updated),
            })
        });
        Ok(saved.collect())
    }

    pub(super) fn memories(&self) -> Result<Vec<SavedMemory>> {
        let memories = self.rows.iter().filter_map(|row| self.memory(*row).transpose());
        memories.collect()
    }

    pub(super) fn all_relations(&self) -> Result<Vec<SavedRelation>> {
        let mut all = Vec::new();
        for row in &self.rows {
            all.extend(self.relations(*row)?);
        }
        Ok(all)
    }

    fn report(&self, folder: Option<String>) -> Result<MemoryExport> {
        let mut relations = 0;
        for row in &self.rows {
            relations += self.view.relations_set_from(*row)?.len();
        }
        Ok(MemoryExport { status: "success", exported: self.rows.len(), relations, folder })
    }
}

fn named(saved: &SavedRelation) -> NamedRelation {
    NamedRelation { kind: saved.relation.kind, target: saved.relation.target }
}
