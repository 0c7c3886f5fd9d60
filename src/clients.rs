//! Knows the clients of agents: which of their files tell them of us, and what we write there.
//!
//! What is put into a file can be taken out again: [`Edit::take`] looks for the text to which
//! [`Edit::put`] gives what it finds, so that a file is again, byte for byte, what it was.

mod block;
mod fault;
mod hooks;
mod json;
mod table;
mod tail;
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
                let put = |text: Option<String>, entry| json::put(text.as_deref(), entry).map(Some);
                let text = entries.iter().try_fold(text.map(str::to_owned), put)?;
                Ok(text.expect("there is an entry"))
            }
            What::Toml => toml_table::put(text),
        }
    }

    fn take_plain(&self, text: &str) -> Result<Option<String>, Fault> {
        match &self.0 {
            What::Block(_) | What::Import(_) => {
                if block::before(text)?.is_empty() {
                    return Ok(Some(text.to_owned()));
                }
                // What stands between the marks may be older, or somebody edited it.
                let text = self.put_plain(Some(text))?;
                Ok(undone(&text, block::before(&text)?, |origin| self.put_plain(origin)))
            }
            What::Whole(_) => Ok((!whole::is_ours(text)?).then(|| text.to_owned())),
            What::Json(entries) => take_entries(text, entries),
            What::Toml => Ok(undone(text, toml_table::before(text)?, toml_table::put)),
        }
    }
}

/// Takes entries out in turn, the last that came first, each with its copies.
fn take_entries(text: &str, entries: &[json::Entry]) -> Result<Option<String>, Fault> {
    let mut text = text.to_owned();
    for entry in entries.iter().rev() {
        loop {
            let origins = json::before(&text, entry)?;
            if origins.is_empty() {
                break;
            }
            match undone(&text, origins, |origin| json::put(origin, entry)) {
                Some(before) => text = before,
                None => return Ok(None),
            }
        }
    }
    Ok(Some(text))
}

/// Returns what a text was: the first origin that becomes it, else the last one; itself if there is none.
fn undone(
    text: &str,
    mut origins: Vec<Option<String>>,
    put: impl Fn(Option<&str>) -> Result<String, Fault>,
) -> Option<String> {
    let becomes = |origin: &Option<String>| put(origin.as_deref()).is_ok_and(|again| again == text);
    match origins.iter().position(becomes) {
        Some(at) => origins.swap_remove(at),
        None => origins.pop().unwrap_or_else(|| Some(text.to_owned())),
    }
}
