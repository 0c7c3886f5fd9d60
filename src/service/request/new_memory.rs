//! Reads what `POST /memory` and each item of `POST /memory/batch` store.

use serde_json::{Map, Value};

use super::body::{BodyFields, FieldErrors, object_of, unknown_beside};
use super::memory_id::MemoryId;
use super::memory_type::MemoryType;
use super::refusal::{RefusalStatus, ServiceRefusal};
use crate::contract::{Timestamp, quoted, unknown_word};

/// Characters of a content at most.
pub(crate) const CONTENT: usize = 2_000;

/// Tags of a memory, characters of a tag, and levels of it at most.
const TAGS: usize = 100;
const TAG_LENGTH: usize = 200;
const TAG_LEVELS: usize = 16;

/// Memories of a batch at most.
pub(crate) const BATCH: usize = 500;

/// A memory to be stored, as far as it can be checked without the database.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NewMemory {
    pub(crate) id: Option<MemoryId>,
    pub(crate) content: String,
    pub(crate) kind: Option<MemoryType>,
    pub(crate) confidence: Option<f64>,
    pub(crate) tags: Vec<String>,
    pub(crate) importance: f64,
    /// Without keys whose value is `null`.
    pub(crate) metadata: Map<String, Value>,
    pub(crate) timestamp: Option<Timestamp>,
    pub(crate) updated_at: Option<Timestamp>,
    pub(crate) last_accessed: Option<Timestamp>,
    pub(crate) t_valid: Option<Timestamp>,
    pub(crate) t_invalid: Option<Timestamp>,
    pub(crate) embedding: Option<Vec<f32>>,
}

/// How important a memory is where it is not said.
pub(super) const IMPORTANCE: f64 = 0.5;

impl NewMemory {
    /// Reads the body of `POST /memory`; returns warnings too.
    pub(crate) fn read(body: &Value) -> Result<(Self, Vec<String>), Box<ServiceRefusal>> {
        let object = object_of(body)?;
        let errors = FieldErrors::default();
        let (memory, warning) = Self::read_fields(object, "", &errors);
        Ok((errors.settle(memory)?, warning.into_iter().collect()))
    }

    /// Reads the body of `POST /memory/batch`: all of its memories, or what is wrong with any.
    pub(crate) fn read_batch(
        body: &Value,
    ) -> Result<(Vec<Self>, Vec<String>), Box<ServiceRefusal>> {
        let object = object_of(body)?;
        let list = object.get("memories").and_then(Value::as_array);
        let list = list.filter(|list| !list.is_empty()).ok_or_else(|| {
            let message = "'memories' must be a non-empty array";
            ServiceRefusal::of_field("memories", message, format!("send 1 to {BATCH} memories"))
        })?;
        if list.len() > BATCH {
            let message = format!("Batch exceeds maximum of {BATCH} memories");
            let detail = format!("found {}, allowed are 1 to {BATCH}", list.len());
            return Err(ServiceRefusal::of_field("memories", message, detail));
        }
        let errors = FieldErrors::default();
        let mut memories = Vec::with_capacity(list.len());
        let mut warnings: Vec<String> = unknown_beside(object, "memories").into_iter().collect();
        for (at, item) in list.iter().enumerate() {
            let Some(object) = item.as_object() else {
                let message = format!("Memory at index {at} must be an object");
                errors.add(format!("memories[{at}]"), message, "send an object with `content`");
                continue;
            };
            if !object.get("content").is_some_and(is_filled) {
                let message = format!("Memory at index {at} missing 'content'");
                errors.add(format!("memories[{at}].content"), message, "send a text");
                continue;
            }
            let (memory, warning) = Self::read_fields(object, &format!("memories[{at}]."), &errors);
            memories.push(memory);
            warnings.extend(warning);
        }
        Ok((errors.settle(memories)?, warnings))
    }

    fn read_fields(
        object: &Map<String, Value>,
        path: &str,
        errors: &FieldErrors,
    ) -> (Self, Option<String>) {
        const TIME: &str = "Invalid ISO timestamp";
        let mut fields = BodyFields::new(object, path, errors);
        let memory = Self {
            id: read_id(&mut fields),
            content: read_content(&mut fields).unwrap_or_default(),
            kind: read_type(&mut fields),
            confidence: fields.number("confidence", 0.0..=1.0),
            tags: read_tags(&mut fields).unwrap_or_default(),
            importance: fields.number("importance", 0.0..=1.0).unwrap_or(IMPORTANCE),
            metadata: fields.object("metadata").map(without_nulls).unwrap_or_default(),
            timestamp: fields.time("timestamp", TIME),
            updated_at: fields.time("updated_at", TIME),
            last_accessed: fields.time("last_accessed", TIME),
            t_valid: fields.time("t_valid", TIME),
            t_invalid: fields.time("t_invalid", TIME),
            embedding: read_embedding(&mut fields),
        };
        let warning = fields.unknown();
        (memory, warning)
    }
}

fn is_filled(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
        || !(value.is_string() || value.is_null())
}

fn without_nulls(metadata: &Map<String, Value>) -> Map<String, Value> {
    let kept = metadata.iter().filter(|(_, value)| !value.is_null());
    kept.map(|(key, value)| (key.clone(), value.clone())).collect()
}

pub(super) fn read_id(fields: &mut BodyFields<'_>) -> Option<MemoryId> {
    let text = fields.text("id")?;
    MemoryId::parse(text).or_else(|| {
        fields.wrong_text("id", "'id' must be a valid UUID", "send a UUID, or leave it out")
    })
}

/// Reads a content, without the blanks around it.
pub(super) fn read_content(fields: &mut BodyFields<'_>) -> Option<String> {
    const NEXT: &str = "send a text of 1 to 2000 characters";
    let is_given = fields.value("content").is_some();
    let content = fields.text("content").map(str::trim);
    let Some(content) = content.filter(|content| !content.is_empty()) else {
        let is_text = content.is_some() || !is_given;
        if is_text {
            fields.wrong_text::<()>("content", "'content' is required", NEXT);
        }
        return None;
    };
    let length = content.chars().count();
    if length > CONTENT {
        let message = format!(
            "Content exceeds maximum length of {CONTENT} characters ({length} provided). \
            Please split into smaller memories or summarize."
        );
        return fields.wrong_text("content", &message, NEXT);
    }
    Some(content.to_owned())
}

pub(super) fn read_type(fields: &mut BodyFields<'_>) -> Option<MemoryType> {
    let word = fields.text("type")?;
    MemoryType::parse(word).or_else(|| {
        let message = format!("'type' must be one of {}", quoted(MemoryType::NAMES));
        fields.wrong_text("type", &message, &unknown_word("type", word, MemoryType::NAMES))
    })
}

/// Reads tags, a list or one text with commas; empty ones are left out.
pub(super) fn read_tags(fields: &mut BodyFields<'_>) -> Option<Vec<String>> {
    let value = fields.value("tags")?;
    let texts: Option<Vec<&str>> = match value {
        Value::String(text) => Some(text.split(',').collect()),
        Value::Array(list) => list.iter().map(Value::as_str).collect(),
        _ => None,
    };
    let Some(texts) = texts else {
        let message = "'tags' must be a list of strings or a single string";
        return fields.wrong("tags", message, value, "a list of texts, or one with commas");
    };
    let mut tags: Vec<String> = Vec::new();
    for tag in texts.into_iter().map(str::trim).filter(|tag| !tag.is_empty()) {
        if let Some(detail) = too_much(tag, tags.len()) {
            return fields.wrong_text("tags", "'tags' are too many, too long or too deep", &detail);
        }
        if !tags.iter().any(|known| known == tag) {
            tags.push(tag.to_owned());
        }
    }
    Some(tags)
}

/// Says why a tag is too much behind so many others; each level of each tag is a row of the database.
fn too_much(tag: &str, others: usize) -> Option<String> {
    let (length, levels) = (tag.chars().count(), tag.split([':', '/']).count());
    let told =
        |found: String, allowed: usize| Some(format!("found {found}, allowed are {allowed}"));
    if others >= TAGS {
        told(format!("more than {TAGS} tags"), TAGS)
    } else if length > TAG_LENGTH {
        told(format!("a tag of {length} characters"), TAG_LENGTH)
    } else if levels > TAG_LEVELS {
        told(format!("a tag of {levels} levels"), TAG_LEVELS)
    } else {
        None
    }
}

pub(super) fn read_embedding(fields: &mut BodyFields<'_>) -> Option<Vec<f32>> {
    let value = fields.value("embedding")?;
    let numbers = match value {
        Value::String(text) => parse_embedding(text),
        Value::Array(list) => {
            list.iter().map(|each| each.as_f64().and_then(as_component)).collect()
        }
        _ => None,
    };
    numbers.filter(|numbers| !numbers.is_empty()).or_else(|| {
        let message = "'embedding' must be a list of numbers";
        fields.wrong("embedding", message, value, "a list of numbers, or one text with commas")
    })
}

/// Reads a vector, numbers with commas between them.
pub(crate) fn parse_embedding(text: &str) -> Option<Vec<f32>> {
    let number = |part: &str| part.trim().parse::<f64>().ok().and_then(as_component);
    text.trim().trim_matches(['[', ']']).split(',').map(number).collect()
}

fn as_component(number: f64) -> Option<f32> {
    let component = number as f32;
    component.is_finite().then_some(component)
}

/// Refuses a vector of another size than those of the tenant.
pub(crate) fn refuse_size(
    field: &str,
    found: usize,
    size: usize,
) -> Result<(), Box<ServiceRefusal>> {
    if found == size {
        return Ok(());
    }
    let message = format!("Embedding must contain exactly {size} values");
    Err(ServiceRefusal::of_field(field, message, format!("found {found}")))
}

/// Refuses an id that another memory has.
pub(crate) fn refuse_taken(id: MemoryId) -> Box<ServiceRefusal> {
    let message = format!("Memory {id} exists with other content");
    let next = "change it with `PATCH /memory/<id>`, or store under another id";
    ServiceRefusal::new(RefusalStatus::Conflict, message, next)
}

/// Refuses an id that a memory in the trash has.
pub(crate) fn refuse_in_trash(id: MemoryId) -> Box<ServiceRefusal> {
    let message = format!("Memory {id} is in the trash");
    let next = "restore it with `POST /trash/<id>/restore`, or store under another id";
    ServiceRefusal::new(RefusalStatus::Conflict, message, next)
}
