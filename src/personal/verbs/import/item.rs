//! A file or bullet that is imported, and the text that its entry gets.

use serde_json::json;

use crate::contract::Moment;
use crate::disk::files;
use crate::disk::folder::{FileKind, StorePath};
use crate::markdown::BYTE_ORDER_MARK;
use crate::personal::entry_file::{
    EntryContent, EntryFields, EntryFile, Generation, changed_file, new_file,
};
use crate::personal::request::{
    BODY, EntryName, EntryReason, EntryRefusal, EntryType, refuse_what_must_not_stay,
};
use crate::personal::settings::PersonalSettings;
use crate::personal::sources::short_description;
use crate::secrets::Scanner;

/// Bytes of a file at most: the largest body, and as much front matter.
const FILE: usize = 2 * BODY;

/// A file or bullet of a source.
#[derive(Debug)]
pub(super) struct ImportItem {
    /// The file, relative to the source; for a bullet the file and the line, such as `GEMINI.md:7`.
    pub(super) from: String,
    pub(super) name: EntryName,
    /// Whether the name is not the one of the file.
    pub(super) is_renamed: bool,
    pub(super) content: ItemContent,
}

#[derive(Debug)]
pub(super) enum ItemContent {
    /// A file, which is read when its turn comes; the index of its folder may say what it is about.
    File {
        path: StorePath,
        kind: FileKind,
        description: Option<String>,
    },
    Bullet(String),
}

/// The text of an entry to be.
#[derive(Debug)]
pub(super) struct ImportText {
    pub(super) text: String,
    pub(super) origin: TextOrigin,
}

/// How much of a text the source has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextOrigin {
    /// All of it.
    File,
    /// The source has no front matter, so that the front matter here is ours.
    BareFile,
    /// The same: a bullet has none.
    Bullet,
}

/// Reads items by the settings of the person.
pub(super) struct ItemReader<'s> {
    settings: &'s PersonalSettings,
    scanner: Scanner,
    now: Moment,
}

impl<'s> ItemReader<'s> {
    pub(super) fn new(settings: &'s PersonalSettings, now: Moment) -> Self {
        Self { settings, scanner: settings.scanner(), now }
    }

    /// Reads the text of an item, or says why it cannot be an entry.
    pub(super) fn read(&self, item: &ImportItem) -> Result<ImportText, Box<EntryRefusal>> {
        let made = match &item.content {
            ItemContent::Bullet(text) => self.read_bullet(item, text)?,
            ItemContent::File { path, kind, description } => {
                let text = read_text(path, *kind)?;
                self.read_file(item, text, description.as_deref())?
            }
        };
        self.refuse_in_fields(&made.text)?;
        Ok(made)
    }

    fn read_bullet(&self, item: &ImportItem, text: &str) -> Result<ImportText, Box<EntryRefusal>> {
        refuse_large(text)?;
        self.refuse_in_bytes(item, "bullet", text)?;
        let fields = EntryFields {
            name: item.name.as_str(),
            description: &item.described(&[text]),
            kind: EntryType::User.name(),
            body: text,
        };
        let text = new_file(&fields, self.settings.dialect);
        Ok(ImportText { text, origin: TextOrigin::Bullet })
    }

    /// A file with front matter stays as it is.
    fn read_file(
        &self,
        item: &ImportItem,
        text: String,
        description: Option<&str>,
    ) -> Result<ImportText, Box<EntryRefusal>> {
        let read = EntryFile::read(&text);
        if let EntryFile::Entry(content) = &read {
            refuse_large(&content.body)?;
        }
        self.refuse_in_bytes(item, "file", &text)?;
        let content = match read {
            EntryFile::Entry(content) => content,
            EntryFile::Unreadable(why) => {
                let message = format!("its front matter cannot be read: {why}");
                return Err(unusable(message, "mend the lines between `---` at its top"));
            }
        };
        if content.generation != Generation::G1 {
            return Ok(ImportText { text, origin: TextOrigin::File });
        }
        if content.body.is_empty() {
            return Err(unusable("it is empty", "write something into it, or delete it"));
        }
        let first_line = content.description.unwrap_or_default();
        let fields = EntryFields {
            name: item.name.as_str(),
            description: &item.described(&[description.unwrap_or_default(), &first_line]),
            kind: EntryType::Reference.name(),
            body: &content.body,
        };
        let text = changed_file(&text, &fields, self.settings.dialect, self.now)
            .map_err(|why| unusable(why, "write front matter into it"))?;
        Ok(ImportText { text, origin: TextOrigin::BareFile })
    }

    fn refuse_in_bytes(
        &self,
        item: &ImportItem,
        what: &str,
        text: &str,
    ) -> Result<(), Box<EntryRefusal>> {
        // At its beginning the mark is no character of the text.
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let texts = json!({ "name": item.name.as_str(), "from": item.from, (what): text });
        refuse_what_must_not_stay(&texts, &self.scanner)
    }

    /// Escapes of YAML, and line ends that are folded, can spell a secret that the bytes do not show.
    fn refuse_in_fields(&self, text: &str) -> Result<(), Box<EntryRefusal>> {
        let EntryFile::Entry(content) = EntryFile::read(text) else { return Ok(()) };
        let EntryContent { name, kind, description, project, modified, .. } = content;
        let texts = json!({
            "name": name, "type": kind, "description": description, "project": project,
            "modified": modified, "index": description.as_deref().map(short_description),
        });
        refuse_what_must_not_stay(&texts, &self.scanner)
    }
}

impl ImportItem {
    /// Returns the first of these texts that says something, else the name.
    fn described(&self, texts: &[&str]) -> String {
        let mut texts = texts.iter().map(|text| short_description(text));
        texts.find(|text| !text.is_empty()).unwrap_or_else(|| self.name.to_string())
    }
}

fn read_text(path: &StorePath, kind: FileKind) -> Result<String, Box<EntryRefusal>> {
    if kind != FileKind::File {
        return Err(unusable(format!("it is {}", kind.name()), "import the files themselves"));
    }
    let read = files::read_with_metadata(path, FILE as u64 + 1);
    let (bytes, _) = match read {
        Ok(Some(read)) => read,
        Ok(None) => return Err(unusable("it is gone again", "import it once more")),
        Err(error) => return Err(unusable(error.to_string(), "make it readable for you")),
    };
    if bytes.len() > FILE {
        return Err(too_large(format!("it has more than {FILE} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        unusable(format!("it is not UTF-8 at byte {at}"), "save it as UTF-8")
    })
}

fn refuse_large(body: &str) -> Result<(), Box<EntryRefusal>> {
    match body.len() {
        0..=BODY => Ok(()),
        bytes => Err(too_large(format!("its body has {bytes} bytes, allowed are {BODY}"))),
    }
}

fn too_large(message: String) -> Box<EntryRefusal> {
    EntryRefusal::new(EntryReason::TooLarge, message, "make several files of it")
}

fn unusable(message: impl Into<String>, hint: &str) -> Box<EntryRefusal> {
    EntryRefusal::new(EntryReason::InvalidRequest, message, hint)
}
