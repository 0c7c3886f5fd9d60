//! Reads the bodies of requests about work on many memories at once.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::body::{BodyFields, FieldErrors, object_of, unknown_beside};
use super::memory_id::MemoryId;
use super::refusal::ServiceRefusal;

/// What `POST /consolidate` asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConsolidateRequest {
    /// As it was sent; an unknown one is no error.
    pub(crate) mode: String,
    pub(crate) dry_run: bool,
    pub(crate) warnings: Vec<String>,
}

/// What `POST /admin/sync` and `POST /admin/reembed` ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EmbedRequest {
    /// Memories that a model reads at once.
    pub(crate) batch_size: usize,
    /// Memories at most; none for all, as 0 says too.
    pub(crate) limit: Option<usize>,
    /// Whether those that have a vector get a new one.
    pub(crate) force: bool,
    pub(crate) dry_run: bool,
    pub(crate) warnings: Vec<String>,
}

/// Memories that a model reads at once at most, and where nothing is said.
const BATCHES: RangeInclusive<u32> = 1..=100;
const BATCH: usize = 32;

impl ConsolidateRequest {
    pub(crate) fn read(body: &Value) -> Result<Self, Box<ServiceRefusal>> {
        let (empty, errors) = (Map::new(), FieldErrors::default());
        let mut fields = BodyFields::new(object_or_nothing(body, &empty)?, "", &errors);
        let mode = fields.text("mode").unwrap_or("full").to_owned();
        let dry_run = fields.flag("dry_run").unwrap_or(true);
        let warnings = fields.unknown().into_iter().collect();
        errors.settle(Self { mode, dry_run, warnings })
    }
}

impl EmbedRequest {
    pub(crate) fn read(body: &Value) -> Result<Self, Box<ServiceRefusal>> {
        let (empty, errors) = (Map::new(), FieldErrors::default());
        let mut fields = BodyFields::new(object_or_nothing(body, &empty)?, "", &errors);
        let batch_size = fields.whole("batch_size", BATCHES).unwrap_or(BATCH);
        let limit = fields.whole("limit", 0..=u32::MAX);
        let force = fields.flag("force").unwrap_or(false);
        let dry_run = fields.flag("dry_run").unwrap_or(false);
        let limit = limit.filter(|limit| *limit > 0);
        let warnings = fields.unknown().into_iter().collect();
        errors.settle(Self { batch_size, limit, force, dry_run, warnings })
    }
}

/// Reads the `ids` of a body, a list or a text with commas; what is no id is left out. Returns a warning too.
pub(crate) fn read_ids(
    body: &Value,
) -> Result<(Vec<MemoryId>, Option<String>), Box<ServiceRefusal>> {
    let object = object_of(body)?;
    let texts: Vec<&str> = match object.get("ids") {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(text)) => text.split(',').collect(),
        _ => Vec::new(),
    };
    if texts.iter().all(|text| text.trim().is_empty()) {
        let detail = "send the ids of memories as a list, or as a text with commas";
        return Err(ServiceRefusal::of_field("ids", "No memory ids provided", detail));
    }
    let mut seen = HashSet::new();
    let ids = texts.into_iter().filter_map(MemoryId::parse);
    Ok((ids.filter(|id| seen.insert(*id)).collect(), unknown_beside(object, "ids")))
}

/// Reads the `merge_into` of a body; returns a warning too.
pub(crate) fn read_merge_into(
    body: &Value,
) -> Result<(String, Option<String>), Box<ServiceRefusal>> {
    let errors = FieldErrors::default();
    let mut fields = BodyFields::new(object_of(body)?, "", &errors);
    let slug = fields.text("merge_into").map_or_else(String::new, |slug| slug.trim().to_owned());
    if slug.is_empty() && fields.value("merge_into").is_none_or(Value::is_string) {
        let detail = "send the slug of the entity that stays";
        fields.wrong_text::<()>("merge_into", "'merge_into' slug is required", detail);
    }
    let warning = fields.unknown();
    errors.settle((slug, warning))
}

/// Takes a body that is absent as an empty object.
fn object_or_nothing<'a>(
    body: &'a Value,
    empty: &'a Map<String, Value>,
) -> Result<&'a Map<String, Value>, Box<ServiceRefusal>> {
    if body.is_null() { Ok(empty) } else { object_of(body) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ID: &str = "11111111-1111-4111-8111-11111111111a";

    #[test]
    fn nothing_is_kept_unless_that_is_asked_for() {
        let read = |body| ConsolidateRequest::read(&body).map(|it| (it.mode, it.dry_run));
        assert_eq!(read(Value::Null), Ok(("full".to_owned(), true)));
        let body = json!({"mode": "creative", "dry_run": false});
        assert_eq!(read(body), Ok(("creative".to_owned(), false)));
        assert!(read(json!({"dry_run": "no"})).is_err());
    }

    #[test]
    fn half_a_memory_is_no_limit() {
        let limit = |limit: f64| EmbedRequest::read(&json!({ "limit": limit })).map(|it| it.limit);
        assert_eq!((limit(7.0), limit(0.0)), (Ok(Some(7)), Ok(None)));
        assert_eq!(limit(1.5).expect_err("it is refused").field.as_deref(), Some("limit"));
    }

    #[test]
    fn ids_come_as_a_list_or_with_commas_and_only_once() {
        let id = MemoryId::parse(ID).expect("an id");
        for body in [json!({"ids": [ID, "x", ID]}), json!({"ids": format!("{ID},, nope")})] {
            assert_eq!(read_ids(&body), Ok((vec![id], None)), "{body}");
        }
        for body in [json!({}), json!({"ids": []}), json!({"ids": " , "})] {
            let refusal = read_ids(&body).expect_err("it is refused");
            assert_eq!(refusal.field.as_deref(), Some("ids"), "{body}");
        }
    }

    #[test]
    fn an_entity_is_merged_only_into_one_that_is_named() {
        let read = read_merge_into(&json!({"merge_into": " ada "}));
        assert_eq!(read, Ok(("ada".to_owned(), None)));
        for body in [json!({}), json!({"merge_into": ""}), json!({"merge_into": 7})] {
            let refusal = read_merge_into(&body).expect_err("it is refused");
            assert_eq!((refusal.field.as_deref(), refusal.errors.len()), (Some("merge_into"), 0));
        }
    }
}
