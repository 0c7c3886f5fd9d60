//! Files of settings while they are made: whatever is taken is good, or not taken.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::meaning::{CONFIG, Meaning, schema_of};
use crate::config::read_toml;
use crate::project::config::{Config, to_toml};
use crate::project::request::MemoryPath;
use crate::project::schema::{Category, DEFAULTS};

const HEAD: &str =
    "# How this store decides, as another tool said it. Every key may be left out.\n";

#[derive(Default)]
pub(super) struct SettingsDraft(BTreeMap<String, Value>);

pub(super) struct NotAllowed;

impl SettingsDraft {
    /// Takes all that a key means, or nothing; returns the file that says it, if one has to.
    pub(super) fn take_all(
        &mut self,
        meanings: Vec<Meaning>,
    ) -> Result<Option<String>, NotAllowed> {
        let mut touched = None;
        let mut files = self.0.clone();
        for meaning in meanings {
            let Meaning { file, path, value } = meaning;
            let known = files.get(&file).cloned().or_else(|| default(&file));
            let mut candidate = known.ok_or(NotAllowed)?;
            set(&mut candidate, &path, value);
            text_of(&file, &candidate).ok_or(NotAllowed)?;
            files.insert(file.clone(), candidate);
            touched = Some(file);
        }
        self.0 = files;
        Ok(touched)
    }

    /// Begins a category that is not among the defaults; tells whether its path is one.
    pub(super) fn begin(&mut self, name: &str, path: &Value) -> bool {
        let file = schema_of(name);
        if default(&file).is_some() {
            return true;
        }
        // The name becomes that of a file, on every system.
        let is_plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        if !name.bytes().all(is_plain) || MemoryPath::parse(&format!("{name}.md")).is_err() {
            return false;
        }
        let fresh = json!({ "category": name, "title": name, "path": path, "intents": [] });
        let is_good = text_of(&file, &fresh).is_some();
        if is_good {
            self.0.insert(file, fresh);
        }
        is_good
    }

    pub(super) fn get(&self, file: &str, path: [&str; 2]) -> Option<Value> {
        self.current(file)?.get(path[0])?.get(path[1]).cloned()
    }

    /// Returns the files of a category that has several paths.
    pub(super) fn paths(&self, category: &str) -> Option<Vec<Value>> {
        self.current(&schema_of(category))?.get("paths")?.as_array().cloned()
    }

    fn current(&self, file: &str) -> Option<Value> {
        self.0.get(file).cloned().or_else(|| default(file))
    }

    /// Tells whether only a person may change a category.
    pub(super) fn is_closed(&self, category: &str) -> bool {
        let path = ["approval", "default"];
        self.get(&schema_of(category), path) == Some("deny".into())
    }

    pub(super) fn is_tracked(&self, category: &str) -> bool {
        let category = self.current(&schema_of(category));
        category.is_some_and(|category| category["tracked"] != false)
    }

    pub(super) fn clear(&mut self, category: &str, path: [&str; 2]) {
        let file = schema_of(category);
        let Some(mut category) = self.current(&file) else { return };
        let table = category.get_mut(path[0]).and_then(Value::as_object_mut);
        if table.and_then(|table| table.remove(path[1])).is_some() {
            self.0.insert(file, category);
        }
    }

    /// Returns the texts of the files that say otherwise than the defaults.
    pub(super) fn files(&self) -> BTreeMap<String, String> {
        let others = self.0.iter().filter(|(file, value)| default(file).as_ref() != Some(*value));
        let text =
            |file: &str, value: &Value| text_of(file, value).expect("only what is good is taken");
        others.map(|(file, value)| (file.clone(), text(file, value))).collect()
    }
}

/// Returns what a file says by itself; nothing for a category that is not known.
fn default(file: &str) -> Option<Value> {
    if file == CONFIG {
        return Some(json!({ "version": 1 }));
    }
    let name = file.strip_prefix("schemas/")?.strip_suffix(".toml")?;
    let (_, text) = DEFAULTS.iter().find(|(known, _)| *known == name)?;
    read_toml(text, Path::new(file)).ok()
}

fn text_of(file: &str, value: &Value) -> Option<String> {
    let text = to_toml(value)?;
    let path = Path::new(file);
    if file == CONFIG {
        return Config::parse(&text, path).is_ok().then(|| format!("{HEAD}{text}"));
    }
    Category::parse(&text, path).is_ok().then_some(text)
}

/// Sets a value deep inside; the mappings on the way are made.
fn set(value: &mut Value, path: &[String], new: Value) {
    let Some((first, rest)) = path.split_first() else {
        *value = new;
        return;
    };
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    set(&mut value[first.as_str()], rest, new);
}
