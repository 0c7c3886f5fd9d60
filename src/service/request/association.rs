//! Reads what `POST /associate` relates: one pair, or a list of them.

use serde_json::{Map, Value};

use super::body::{BodyFields, FieldErrors, object_of, unknown_beside};
use super::memory_id::MemoryId;
use super::refusal::ServiceRefusal;
use super::relation_type::RelationType;
use crate::contract::{Timestamp, unknown_word};

/// Pairs of a batch at most.
pub(crate) const ASSOCIATIONS: usize = 500;

/// How strong a relation is where it is not said.
const STRENGTH: f64 = 0.5;

/// A relation to be set between two memories.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NewRelation {
    pub(crate) source: MemoryId,
    pub(crate) target: MemoryId,
    pub(crate) kind: RelationType,
    pub(crate) strength: f64,
    /// Those that its type may have.
    pub(crate) properties: Map<String, Value>,
}

/// What one request relates.
#[derive(Debug)]
pub(crate) enum AssociateRequest {
    /// One pair.
    One(Box<NewRelation>),
    /// A list, each of which succeeds or fails on its own.
    Batch(Vec<Result<NewRelation, Box<ServiceRefusal>>>),
}

impl AssociateRequest {
    /// Reads the body of `POST /associate`; returns warnings too.
    pub(crate) fn read(body: &Value) -> Result<(Self, Vec<String>), Box<ServiceRefusal>> {
        let object = object_of(body)?;
        let Some(list) = object.get("associations").filter(|list| !list.is_null()) else {
            let (relation, warning) = NewRelation::read(object, "")?;
            return Ok((Self::One(Box::new(relation)), warning.into_iter().collect()));
        };
        let mut warnings: Vec<String> =
            unknown_beside(object, "associations").into_iter().collect();
        let list = list.as_array().filter(|list| !list.is_empty()).ok_or_else(|| {
            let message = "'associations' must be a non-empty array";
            let detail = format!("send 1 to {ASSOCIATIONS} pairs");
            ServiceRefusal::of_field("associations", message, detail)
        })?;
        if list.len() > ASSOCIATIONS {
            let message = format!("Batch exceeds maximum of {ASSOCIATIONS} associations");
            let detail = format!("found {}, allowed are 1 to {ASSOCIATIONS}", list.len());
            return Err(ServiceRefusal::of_field("associations", message, detail));
        }
        let read = |(at, item): (usize, &Value)| {
            let read = NewRelation::read(object_of(item)?, &format!("associations[{at}]."));
            read.map(|(relation, warning)| {
                warnings.extend(warning);
                relation
            })
        };
        let relations = list.iter().enumerate().map(read).collect();
        Ok((Self::Batch(relations), warnings))
    }
}

impl NewRelation {
    /// Reads a pair, whose fields have `path` before their names; returns a warning too.
    pub(super) fn read(
        object: &Map<String, Value>,
        path: &str,
    ) -> Result<(Self, Option<String>), Box<ServiceRefusal>> {
        let errors = FieldErrors::default();
        let mut fields = BodyFields::new(object, path, &errors);
        let source = read_end(&mut fields, "memory1_id");
        let target = read_end(&mut fields, "memory2_id");
        if source.is_some() && source == target {
            let message = "Cannot associate a memory with itself";
            fields.wrong_text::<()>("memory2_id", message, "send two different ids");
        }
        let kind = read_relation_type(&mut fields);
        let strength = fields.number("strength", 0.0..=1.0).unwrap_or(STRENGTH);
        let properties = kind.map(|kind| read_properties(&mut fields, kind)).unwrap_or_default();
        let warning = fields.unknown();
        let read = source.zip(target).zip(kind);
        let relation = read.map(|((source, target), kind)| Self {
            source,
            target,
            kind,
            strength,
            properties,
        });
        let relation = errors.settle(relation)?.ok_or_else(ServiceRefusal::not_found)?;
        Ok((relation, warning))
    }
}

fn read_end(fields: &mut BodyFields<'_>, name: &'static str) -> Option<MemoryId> {
    const NEXT: &str = "send the id of a memory";
    let Some(text) = fields.text(name) else {
        if fields.value(name).is_none() {
            fields.wrong_text::<()>(name, &format!("'{name}' is required"), NEXT);
        }
        return None;
    };
    MemoryId::parse(text)
        .or_else(|| fields.wrong_text(name, "memory_id must be a valid UUID", NEXT))
}

fn read_relation_type(fields: &mut BodyFields<'_>) -> Option<RelationType> {
    let Some(word) = fields.text("type") else { return Some(RelationType::RelatesTo) };
    let known = RelationType::parse(&word.to_uppercase());
    known.filter(|kind| RelationType::authorable().contains(kind)).or_else(|| {
        let names = RelationType::authorable_names();
        let mut sorted = names.to_vec();
        sorted.sort_unstable();
        let message = format!("Relation type must be one of ['{}']", sorted.join("', '"));
        let detail = match known {
            Some(kind) => format!("only the service sets `{kind}`"),
            None => unknown_word("type", word, names),
        };
        fields.wrong_text("type", &message, &detail)
    })
}

/// Reads the properties that a type may have; others are unknown.
fn read_properties(fields: &mut BodyFields<'_>, kind: RelationType) -> Map<String, Value> {
    let mut properties = Map::new();
    for name in kind.properties() {
        let value = match *name {
            "confidence" => fields.number(name, 0.0..=1.0).map(Value::from),
            "observations" => fields.value(name).cloned(),
            "timestamp" => {
                let time: Option<Timestamp> = fields.time(name, "Invalid ISO timestamp");
                time.map(|time| time.to_string().into())
            }
            _ => fields.text(name).map(Value::from),
        };
        properties.extend(value.map(|value| ((*name).to_owned(), value)));
    }
    properties
}
