//! The name of an entry, which is also the name of its file.

use super::entry_refusal::{EntryReason, EntryRefusal};
use crate::text::excerpt;

/// The name of an entry: 1 to 100 of `A-Z`, `a-z`, `0-9`, `_` and `-`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryName(String);

/// Characters of a name at most.
const LONGEST: usize = 100;

/// Names that Windows keeps for devices, in small letters.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

impl EntryName {
    /// Reads a name, or says why it is none and which one is meant.
    pub(crate) fn parse(name: &str) -> Result<Self, Box<EntryRefusal>> {
        let refuse = |why: String, hint: &str| {
            Err(EntryRefusal::new(EntryReason::InvalidName, why, hint).at("/name"))
        };
        if let Some(stem) = name.strip_suffix(".md").filter(|stem| has_form(stem)) {
            let hint = format!("write `{stem}`: the ending `.md` is added");
            return refuse(format!("`{name}` has the ending of a file"), &hint);
        }
        if !has_form(name) {
            let why = format!("`{}` is no name of an entry", excerpt(name));
            return refuse(why, "write 1 to 100 of A-Z, a-z, 0-9, `_` and `-`");
        }
        let folded = name.to_ascii_lowercase();
        if folded == "memory" {
            return refuse(format!("`{name}` is the name of the index"), "choose another name");
        }
        if DEVICES.contains(&folded.as_str()) {
            let why = format!("`{name}` is a device on Windows");
            return refuse(why, "choose another name, such as the same with a word before it");
        }
        Ok(Self(name.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the path of the entry, relative to the person's folder.
    pub(crate) fn path(&self) -> String {
        format!("memory/{}.md", self.0)
    }
}

fn has_form(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=LONGEST).contains(&name.len()) && name.bytes().all(is_allowed)
}

impl std::fmt::Display for EntryName {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}
