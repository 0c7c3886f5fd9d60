//! Knows the clients of agents: which of their files tell them of us, and what we write there.
//!
//! What [`Edit::put`] puts into a file [`Edit::take`] takes out again: text to the byte; in JSON and TOML all that
//! others wrote stays, with its comments, while blanks around our entry may differ.

mod block;
mod fault;
mod hooks;
mod json;
mod table;
mod toml_table;
mod whole;

pub use fault::{Fault, FaultCode};
pub use table::{Client, Purpose, Scope, Target, context_file};

/// What we write into one file of a client.
#[derive(Debug, Clone)]
pub struct Edit(What);

#[derive(Debug, Clone)]
enum What {
    /// A block between two marks.
    Block(&'static str),
    /// A block with a line that leads to another file, unless that line is there.
    Import(&'static str),
    /// The whole file, known by a mark in it with the hash of its text.
    Whole(&'static str),
    /// Entries in JSON, put in one after the other.
    Json(Vec<json::Entry>),
    /// A table in TOML.
    Toml,
}

/// Begins a text that says in which encoding it is.
const BOM: &str = "\u{feff}";

impl Edit {
    /// Returns a text with what is ours in it; the same text where that is so already.
    pub fn put(&self, text: Option<&str>) -> Result<String, Fault> {
        match text.and_then(|text| text.strip_prefix(BOM)) {
            Some(text) => Ok(format!("{BOM}{}", self.put_plain(Some(text))?)),
            None => self.put_plain(text),
        }
    }

    /// Returns a text without what is ours, as it was before; nothing where there was no file.
    pub fn take(&self, text: &str) -> Result<Option<String>, Fault> {
        let (bom, plain) = match text.strip_prefix(BOM) {
            Some(plain) => (BOM, plain),
            None => ("", text),
        };
        Ok(self.take_plain(plain)?.map(|before| format!("{bom}{before}")))
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
                // First each by itself: a fault names the line of the text as it is.
                entries.iter().try_for_each(|entry| json::put(text, entry).map(drop))?;
                let put = |text: Option<String>, entry| json::put(text.as_deref(), entry).map(Some);
                let text = entries.iter().try_fold(text.map(str::to_owned), put)?;
                Ok(text.expect("there is an entry"))
            }
            What::Toml => toml_table::put(text),
        }
    }

    fn take_plain(&self, text: &str) -> Result<Option<String>, Fault> {
        match &self.0 {
            What::Block(_) | What::Import(_) => block::take(text),
            What::Whole(_) => Ok((!whole::is_ours(text)?).then(|| text.to_owned())),
            What::Json(_) | What::Toml if self.put_plain(None)? == text => Ok(None),
            What::Json(entries) => {
                let take = |text: String, entry| json::take(&text, entry);
                entries.iter().rev().try_fold(text.to_owned(), take).map(Some)
            }
            What::Toml => toml_table::take(text).map(Some),
        }
    }
}
