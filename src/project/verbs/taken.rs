//! Handles a new section whose heading or id another proposal took since: its text is added to the section that is there.

use serde_json::{Map, Value, json};

use crate::contract::SectionId;
use crate::markdown::Outline;
use crate::project::request::{OperationKind, Reason, Refusal};

/// Rewrites the operation that was refused, as there is such a section; none if it was refused for another reason.
pub(super) fn joined(request: &Value, refusal: &Refusal) -> Option<Value> {
    let number = refusal.operation().filter(|_| refusal.reason == Reason::DuplicateSectionId)?;
    let mut request = request.clone();
    let operation = request["operations"].get_mut(number)?;
    *operation = addition(operation)?;
    Some(request)
}

fn addition(operation: &Value) -> Option<Value> {
    if operation["operation"] != OperationKind::AppendSection.name() {
        return None;
    }
    let heading = operation["heading"].as_str()?;
    let id = match operation["section_id"].as_str() {
        Some(id) => SectionId::parse(id)?,
        None => SectionId::from_heading(heading),
    };
    let content = operation["content"].as_str()?;
    let outline = Outline::read(content.trim_start());
    // The content may be the whole section, with its heading first.
    let own = outline
        .sections()
        .first()
        .filter(|first| first.heading_bytes.start == 0 && first.heading.text == heading);
    let text = own.map_or(content, |own| &outline.text()[own.body_start..]);
    let mut addition: Map<String, Value> = ["path", "sources"]
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), operation.get(*name)?.clone())))
        .collect();
    addition.insert("operation".to_owned(), json!(OperationKind::AppendToSection.name()));
    addition.insert("section_id".to_owned(), json!(id.as_str()));
    addition.insert("content".to_owned(), json!(text));
    Some(Value::Object(addition))
}
