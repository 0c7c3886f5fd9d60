//! Takes up the log and the undo list that were set apart as foreign, for a person who says that they are theirs: a
//! repository whose `.git` was made anew, or a store that was begun where no key could be kept.

use serde_json::{Map, Value};

use super::key::{CODE, Key, Purpose};
use super::layout::Layout;
use super::log::{self, Entry};
use super::{Step, files};
use crate::chain::Link;
use crate::error::Result;

/// What was set apart last, as far as it can be understood.
#[derive(Debug)]
pub struct Adoption {
    /// Where it lies, relative to the store.
    pub folder: String,
    log: Vec<Map<String, Value>>,
    undo: Vec<Map<String, Value>>,
}

impl Adoption {
    /// Finds it; nothing where nothing was set apart.
    pub fn find(layout: &Layout) -> Result<Option<Self>> {
        let names = files::list(&layout.trash())?;
        let Some(name) = names.into_iter().rfind(|name| name.starts_with("foreign-")) else {
            return Ok(None);
        };
        let read = |list: &str| -> Result<Vec<Map<String, Value>>> {
            Ok(objects(&files::read(&layout.trash().join(&name).join(list))?.unwrap_or_default()))
        };
        let (log, undo) = (read("log.jsonl")?, read("undo.jsonl")?);
        Ok(Some(Self { folder: format!("state/trash/{name}"), log, undo }))
    }

    /// Counts the decisions in it.
    pub fn decisions(&self) -> usize {
        self.log.len()
    }

    /// Returns the steps that put its lines before those that were written since, each signed anew, and the line that says
    /// who wanted that.
    pub fn steps(self, layout: &Layout, entry: &Entry<'_>) -> Result<Vec<Step>> {
        let key = layout.key();
        let (log, undo) = (files::read_text(&layout.log())?, files::read_text(&layout.undo())?);
        let now = |text: &Option<String>, purpose| {
            let lines = text.as_deref().unwrap_or_default().lines();
            objects_of(lines.filter(|line| key.signed_line(purpose, line.as_bytes())))
        };
        let chained = [self.log, now(&log, Purpose::Log)].concat();
        let (lines, last) = chain_anew(key, chained, entry);
        let undone = [self.undo, now(&undo, Purpose::Undo)].concat();
        let undone: String =
            undone.into_iter().map(|line| sign(key, Purpose::Undo, line)).collect();
        let end = files::read_text(&layout.log_end())?;
        Ok(vec![
            Step::write(&super::layout::log_path(), log.as_deref(), lines),
            Step::write(&super::layout::undo_path(), undo.as_deref(), undone),
            Step::write("state/log.end", end.as_deref(), log::end_line(layout, &last)),
        ])
    }
}

/// Chains lines and one more; returns all of them and the link of the last one.
fn chain_anew(key: &Key, lines: Vec<Map<String, Value>>, entry: &Entry<'_>) -> (String, Link) {
    let (mut text, mut last) = (String::new(), Link::start());
    let entry = serde_json::to_value(entry).expect("an entry is plain data");
    let entry = entry.as_object().cloned().unwrap_or_default();
    for mut line in lines.into_iter().chain([entry]) {
        line.insert("number".to_owned(), (last.number + 1).into());
        line.insert("prev".to_owned(), last.hash.to_string().into());
        let line = sign(key, Purpose::Log, line);
        last = Link::of(&line).expect("it says its place");
        text += &line;
    }
    (text, last)
}

fn sign(key: &Key, purpose: Purpose, mut line: Map<String, Value>) -> String {
    line.remove(CODE);
    key.sign_line(purpose, &Value::Object(line).to_string())
}

fn objects(bytes: &[u8]) -> Vec<Map<String, Value>> {
    let text = String::from_utf8_lossy(bytes);
    objects_of(text.lines())
}

fn objects_of<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<Map<String, Value>> {
    lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
}
