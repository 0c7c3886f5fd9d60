//! Our part of one file of a client: what writes it, and what takes it out again.

use super::fault::Fault;
use super::{block, json, json_setting, toml_table, whole};
use crate::markdown::BYTE_ORDER_MARK;

/// Our part of one file of a client.
#[derive(Debug, Clone)]
pub struct ClientEdit(pub(super) What);

#[derive(Debug, Clone)]
pub(super) enum What {
    /// A block between two marks.
    Block(&'static str),
    /// A block with a line that imports another file, unless that line is there.
    Import(&'static str),
    /// The whole file; a mark in it holds the hash of the rest.
    Whole(&'static str),
    Json(Vec<json::JsonEntry>),
    Setting(json_setting::JsonSetting),
    Toml,
}

impl ClientEdit {
    /// Returns the text with our part in it.
    pub fn insert(&self, text: Option<&str>) -> Result<String, Fault> {
        match text.and_then(|text| text.strip_prefix(BYTE_ORDER_MARK)) {
            Some(text) => Ok(format!("{BYTE_ORDER_MARK}{}", self.put_plain(Some(text))?)),
            None => self.put_plain(text),
        }
    }

    /// Returns the text without our part, or nothing if the whole file is ours.
    pub fn remove(&self, text: &str) -> Result<Option<String>, Fault> {
        let (bom, plain) = match text.strip_prefix(BYTE_ORDER_MARK) {
            Some(plain) => (BYTE_ORDER_MARK, plain),
            None => ("", text),
        };
        Ok(self.remove_plain(plain)?.map(|before| format!("{bom}{before}")))
    }

    fn put_plain(&self, text: Option<&str>) -> Result<String, Fault> {
        match &self.0 {
            What::Block(body) => block::put(text, body),
            What::Import(line) => match text {
                Some(text) if block::has_line(text, line)? => Ok(text.to_owned()),
                text => block::put(text, &format!("{line}\n")),
            },
            What::Whole(template) => whole::put(text, template),
            What::Json(entries) => {
                // Each entry is tried alone first, so that a fault names the line of the original text.
                entries.iter().try_for_each(|entry| json::put(text, entry).map(drop))?;
                let put = |text: Option<String>, entry| json::put(text.as_deref(), entry).map(Some);
                let text = entries.iter().try_fold(text.map(str::to_owned), put)?;
                Ok(text.expect("there is an entry"))
            }
            What::Setting(setting) => json_setting::put(text, setting),
            What::Toml => toml_table::put(text),
        }
    }

    fn remove_plain(&self, text: &str) -> Result<Option<String>, Fault> {
        match &self.0 {
            What::Block(_) | What::Import(_) => block::remove(text),
            What::Whole(_) => Ok((!whole::is_ours(text)?).then(|| text.to_owned())),
            What::Json(_) | What::Setting(_) | What::Toml if self.put_plain(None)? == text => {
                Ok(None)
            }
            What::Json(entries) => {
                let remove = |text: String, entry| json::remove(&text, entry);
                entries.iter().rev().try_fold(text.to_owned(), remove).map(Some)
            }
            What::Setting(setting) => json_setting::remove(text, setting).map(Some),
            What::Toml => toml_table::remove(text).map(Some),
        }
    }
}
