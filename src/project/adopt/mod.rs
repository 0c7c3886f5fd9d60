//! Makes a store out of the notes of another tool: texts in, files of a store out, and what was not understood.

mod adr;
mod anchors;
mod decision_log;
mod fields;
mod file_links;
mod forms;
mod likeness;
mod links;
mod memory_bank;
mod note_paths;
mod note_sources;
mod origins;
mod other_tool;
mod renames;
mod rules_file;
mod settings;

pub(crate) use adr::{DecisionRecord, OtherRecord, read_record};
pub(crate) use fields::{
    FieldSources, GivenFields, MissingField, StoredFields, missing_fields, stored_fields,
    with_fields,
};
pub(crate) use file_links::{BrokenLink, BrokenReason, FileNames, LinkFolders};
pub(crate) use forms::{GivenCategories, NoteForm, NoteForms, as_entry};
pub(crate) use likeness::likeness;
pub(crate) use links::{LinkRewriter, LinkedNote, MovedNote};
pub(crate) use memory_bank::{is_guide, plain_name};
pub(crate) use note_paths::{IncomingNote, NoPath, NotePaths, SHARED_THERE, Wish, is_note};
pub(crate) use note_sources::{
    OriginalFile, StoredSources, section_lines, stored_sources, with_sources,
};
pub(crate) use origins::{ORIGINS, Origins, WrongLine, with_origins};
pub(crate) use other_tool::{MANIFEST, SCHEMA};
pub(crate) use renames::{IdRenames, RenamedId};
pub(crate) use rules_file::{RulesEntry, as_entries, as_sections};
pub(crate) use settings::{Translated, Understood, translate};
