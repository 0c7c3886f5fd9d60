//! Completes the decisions that were read one by one: the day of the first commit, and which of them replace others.

use std::collections::BTreeMap;

use super::adopted_note::AdoptedNote;
use super::target::AdoptionTarget;
use crate::contract::SectionId;
use crate::markdown::{decoded, file_name, joined, split_target};
use crate::project::adopt::OtherRecord;
use crate::project::schema::Catalog;

/// Writes the texts of the records among the notes.
pub(super) fn write_records(
    notes: &mut [AdoptedNote],
    target: AdoptionTarget<'_>,
    catalog: &Catalog,
) {
    let ids: BTreeMap<String, SectionId> = notes
        .iter()
        .filter_map(|note| Some((note.from.clone(), catalog.id_of_record(&note.to)?)))
        .collect();
    let mut supersedes: BTreeMap<SectionId, Vec<SectionId>> = BTreeMap::new();
    let mut add = |newer: &SectionId, older: &SectionId| {
        let list = supersedes.entry(newer.clone()).or_default();
        if newer != older && !list.contains(older) {
            list.push(older.clone());
        }
    };
    for note in notes.iter() {
        let (Some(record), Some(id)) = (&note.record, ids.get(&note.from)) else { continue };
        let find = |other: &OtherRecord| Some(&ids[&found(&note.from, other, &ids)?]);
        record.relations.supersedes.iter().filter_map(find).for_each(|older| add(id, older));
        record.relations.superseded_by.iter().filter_map(find).for_each(|newer| add(newer, id));
    }
    for note in notes.iter_mut() {
        let Some(record) = &note.record else { continue };
        let first_day = || target.repository?.first_commit_day(note.cited.as_deref()?);
        let day = if record.date.is_none() { first_day() } else { None };
        let older = catalog.id_of_record(&note.to).and_then(|id| supersedes.get(&id));
        note.text = record.written(day.as_deref(), older.map_or(&[], Vec::as_slice));
    }
}

/// Returns the path of the record that another one names.
fn found(from: &str, other: &OtherRecord, ids: &BTreeMap<String, SectionId>) -> Option<String> {
    match other {
        OtherRecord::File(target) => {
            let path = joined(from, &decoded(split_target(target).0))?;
            ids.contains_key(&path).then_some(path)
        }
        OtherRecord::Number(number) => {
            let folder = |path: &str| path[..path.len() - file_name(path).len()].to_owned();
            let beside = ids.keys().filter(|path| folder(path) == folder(from));
            let mut numbered = beside.filter(|path| number_of(path) == Some(*number));
            numbered.next().filter(|_| numbered.next().is_none()).cloned()
        }
    }
}

fn number_of(path: &str) -> Option<u32> {
    let name = file_name(path);
    let name = name.trim_start_matches(|c: char| c.is_alphabetic() || "-_".contains(c));
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    name[..digits].parse().ok()
}
