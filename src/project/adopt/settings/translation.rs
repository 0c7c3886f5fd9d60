//! What was understood of the settings of the other tool, while they are read.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::draft::{NotAllowed, SettingsDraft};
use super::meaning::Meaning;
use crate::frontmatter::yaml;
use crate::text::excerpt;

#[derive(Debug, Default)]
pub(crate) struct Translated {
    /// The files that say otherwise than the defaults, relative to the store.
    pub files: BTreeMap<String, String>,
    pub understood: Vec<Understood>,
    /// The keys that were not, and why a file was not.
    pub left: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct Understood {
    pub key: String,
    /// The file here that says the same; nothing where it holds without being said.
    #[serde(skip)]
    pub file: Option<String>,
}

#[derive(Default)]
pub(super) struct Translation {
    pub(super) draft: SettingsDraft,
    pub(super) told: Translated,
}

impl Translation {
    pub(super) fn read(&mut self, path: &str, text: &str) -> Option<Value> {
        let read = yaml::read(text).and_then(|value| match value.is_object() {
            true => Ok(value),
            false => Err("it is no mapping".to_owned()),
        });
        read.map_err(|why| self.told.left.push(format!("{path}: {why}"))).ok()
    }

    /// Translates what a key means, as far as it is allowed here, and notes what became of the key.
    pub(super) fn translate(&mut self, path: &str, key: &str, meanings: Option<Vec<Meaning>>) {
        let key: Vec<String> = key.split('.').map(excerpt).collect();
        let line = format!("{path}: {}", key.join("."));
        match meanings.map(|meanings| self.draft.take_all(meanings)) {
            Some(Ok(file)) => self.told.understood.push(Understood { key: line, file }),
            Some(Err(NotAllowed)) | None => self.told.left.push(line),
        }
    }
}
