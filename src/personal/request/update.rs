//! Reads a request of `update_user_memory` or `read_user_memory`.
//!
//! The checks have a fixed order: fields, action, name, what is missing, sizes, hidden characters, secrets.

use serde_json::{Value, json};

use super::entry_name::EntryName;
use super::entry_refusal::{EntryReason, EntryRefusal};
use super::entry_type::EntryType;
use super::screen::refuse_what_must_not_stay;
use crate::contract::{ContentHash, Fields, Problems, Violation, quoted, unknown_word, words};
use crate::secrets::Scanner;
use crate::text::{excerpt, one_line};

/// Characters of a description at most.
pub(crate) const DESCRIPTION: usize = 300;

/// Bytes of a body at most.
pub(crate) const BODY: usize = 65_536;

words! {
    /// What to do with an entry.
    EntryAction {
        /// Makes the entry, or replaces it.
        Upsert = "upsert",
        /// Moves the entry to the trash.
        Delete = "delete",
    }
}

/// A checked request to change an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EntryRequest {
    pub(crate) name: EntryName,
    /// What to write; `None` deletes the entry.
    pub(crate) fields: Option<UpsertFields>,
    /// The text that the caller read, in full or cut short.
    pub(crate) if_hash: Option<ContentHash>,
    /// What the caller should know besides.
    pub(crate) warnings: Vec<String>,
}

/// What an upsert writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UpsertFields {
    pub(crate) kind: EntryType,
    /// On one line.
    pub(crate) description: String,
    pub(crate) body: String,
}

impl EntryRequest {
    /// Reads and checks a request, all but what depends on the store.
    pub(crate) fn read(value: &Value, scanner: &Scanner) -> Result<Self, Box<EntryRefusal>> {
        let problems = Problems::default();
        let texts = RequestTexts::read(value, &problems)?;
        let action = texts.action()?;
        let name = texts.required_name()?;
        let mut warnings = Vec::new();
        let fields = match action {
            EntryAction::Upsert => Some(texts.upsert(&mut warnings)?),
            EntryAction::Delete => {
                warnings.extend(texts.ignored());
                None
            }
        };
        let if_hash = texts.if_hash()?;
        let named = |refusal: Box<EntryRefusal>| refusal.about(&name);
        fields.as_ref().map_or(Ok(()), refuse_large).map_err(named)?;
        refuse_what_must_not_stay(value, scanner).map_err(named)?;
        // Folding can make a secret whole that two lines had in parts.
        let folded = fields.as_ref().map(|fields| json!({ "description": fields.description }));
        folded.map_or(Ok(()), |it| refuse_what_must_not_stay(&it, scanner)).map_err(named)?;
        Ok(Self { name, fields, if_hash, warnings })
    }
}

/// Reads a request for an entry, or for the index.
pub(crate) fn read_wanted(value: &Value) -> Result<Option<EntryName>, Box<EntryRefusal>> {
    let problems = Problems::default();
    let mut name = None;
    if let Some(mut fields) = Fields::of(value, "", &problems) {
        name = fields.text("name");
        fields.finish();
    }
    refuse_problems(&problems)?;
    name.map(EntryName::parse).transpose()
}

/// The fields of a request, which are all texts.
#[derive(Debug, Default)]
struct RequestTexts<'v> {
    action: Option<&'v str>,
    name: Option<&'v str>,
    kind: Option<&'v str>,
    description: Option<&'v str>,
    body: Option<&'v str>,
    if_hash: Option<&'v str>,
}

impl<'v> RequestTexts<'v> {
    fn read(value: &'v Value, problems: &'v Problems) -> Result<Self, Box<EntryRefusal>> {
        let mut texts = Self::default();
        if let Some(mut fields) = Fields::of(value, "", problems) {
            texts = Self {
                action: fields.text("action"),
                name: fields.text("name"),
                kind: fields.text("type"),
                description: fields.text("description"),
                body: fields.text("body"),
                if_hash: fields.text("if_hash"),
            };
            fields.finish();
        }
        refuse_problems(problems)?;
        Ok(texts)
    }

    fn action(&self) -> Result<EntryAction, Box<EntryRefusal>> {
        let action = self.action.unwrap_or_default();
        EntryAction::parse(action).ok_or_else(|| {
            let message = match self.action {
                None => "`action` is missing".to_owned(),
                Some(found) => unknown_word("action", found, EntryAction::NAMES),
            };
            refuse_fields(vec![("/action", message)], "give `upsert` or `delete`")
        })
    }

    fn required_name(&self) -> Result<EntryName, Box<EntryRefusal>> {
        let hint = "name the entry, e.g. `preferred-language`";
        let missing = || refuse_fields(vec![("/name", "`name` is missing".to_owned())], hint);
        EntryName::parse(self.name.ok_or_else(missing)?)
    }

    /// Names all fields at once that are missing or wrong.
    fn upsert(&self, warnings: &mut Vec<String>) -> Result<UpsertFields, Box<EntryRefusal>> {
        let mut wrong = Vec::new();
        let kind = self.kind.and_then(EntryType::parse);
        match self.kind {
            None => wrong.push(("/type", "`type` is missing".to_owned())),
            Some(found) if kind.is_none() => {
                wrong.push(("/type", unknown_word("type", found, EntryType::NAMES)))
            }
            Some(_) => {}
        }
        let description = self.description.filter(|text| !text.trim().is_empty());
        match description {
            None => wrong.push(("/description", "`description` is missing".to_owned())),
            Some(text) if text.contains("<!--") || text.contains("-->") => {
                let message = "`description` holds a mark of an HTML comment, which would hide lines of the index";
                wrong.push(("/description", message.to_owned()));
            }
            Some(_) => {}
        }
        let body = self.body.filter(|text| !text.trim().is_empty());
        if body.is_none() {
            wrong.push(("/body", "`body` is missing".to_owned()));
        }
        match (kind, description, body) {
            (Some(kind), Some(description), Some(body)) if wrong.is_empty() => {
                let folded = one_line(description);
                if folded != description {
                    warnings.push(
                        "`description` is one line: blanks and line ends were folded".to_owned(),
                    );
                }
                Ok(UpsertFields { kind, description: folded, body: body.to_owned() })
            }
            _ => {
                let hint = format!(
                    "an upsert needs `type` (one of {}), `description` and `body`",
                    quoted(EntryType::NAMES)
                );
                Err(refuse_fields(wrong, &hint))
            }
        }
    }

    fn ignored(&self) -> Option<String> {
        let given = [("type", self.kind), ("description", self.description), ("body", self.body)];
        let given: Vec<&str> =
            given.iter().filter_map(|(name, text)| text.map(|_| *name)).collect();
        (!given.is_empty()).then(|| format!("a delete ignores {}", quoted(&given)))
    }

    fn if_hash(&self) -> Result<Option<ContentHash>, Box<EntryRefusal>> {
        let Some(text) = self.if_hash else { return Ok(None) };
        ContentHash::parse_any_case(text).map(Some).ok_or_else(|| {
            let message =
                format!("`if_hash`: expected 8 to 64 hex digits, found `{}`", excerpt(text));
            refuse_fields(vec![("/if_hash", message)], "give the `hash` that a read answers")
        })
    }
}

fn refuse_large(fields: &UpsertFields) -> Result<(), Box<EntryRefusal>> {
    let refuse = |pointer: &str, message: String, hint: &str| {
        Err(EntryRefusal::new(EntryReason::TooLarge, message, hint).at(pointer))
    };
    let characters = fields.description.chars().count();
    if characters > DESCRIPTION {
        let message =
            format!("`description` has {characters} characters, allowed are {DESCRIPTION}");
        return refuse("/description", message, "say it shorter; details belong into `body`");
    }
    if fields.body.len() > BODY {
        let message = format!("`body` has {} bytes, allowed are {BODY}", fields.body.len());
        return refuse("/body", message, "make several entries of it");
    }
    Ok(())
}

fn refuse_problems(problems: &Problems) -> Result<(), Box<EntryRefusal>> {
    let all = problems.take();
    if all.is_empty() {
        return Ok(());
    }
    let wrong = all.iter().map(|each| (each.pointer.as_str(), each.message.clone())).collect();
    Err(refuse_fields(wrong, "send the fields that the tool's input schema names"))
}

fn refuse_fields(wrong: Vec<(&str, String)>, hint: &str) -> Box<EntryRefusal> {
    let messages: Vec<&str> = wrong.iter().map(|(_, message)| message.as_str()).collect();
    let code = EntryReason::InvalidRequest;
    let refusal = EntryRefusal::new(code, messages.join("; "), hint).at(wrong[0].0);
    let of_field =
        |(pointer, message): (&str, String)| Violation::of_field(pointer, code.name(), message);
    refusal.listing(wrong.into_iter().map(of_field).collect())
}
