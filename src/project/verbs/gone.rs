//! Handles an operation whose section is gone, by the text of the approver: a section in it is added as a new one, otherwise
//! the operation is dropped.

use serde_json::{Map, Value, json};

use crate::contract::SectionId;
use crate::markdown::Outline;
use crate::project::pipeline::Amendment;
use crate::project::request::{Answer, MemoryPath, OperationKind, Reason, Refusal};

/// A request without the operation whose section is gone, or with another one instead.
pub(super) struct SettledRequest {
    pub(super) request: Value,
    /// The operation that was dropped.
    pub(super) dropped: Option<usize>,
}

/// Rewrites the operation whose section is gone; none if the plan was refused for another reason.
pub(super) fn settle(
    request: &Value,
    amendment: &Amendment,
    refusal: &Refusal,
) -> Option<Answer<SettledRequest>> {
    let number = number(refusal)?;
    let mut request = request.clone();
    let operations = request["operations"].as_array_mut()?;
    let kept = kept(operations.get(number)?, amendment);
    let dropped = kept.is_none().then_some(number);
    match kept {
        Some(append) => operations[number] = append,
        None => drop(operations.remove(number)),
    }
    if operations.is_empty() {
        let hint = "`reject` it, if none of it is wanted";
        let message = "nothing of the proposal is left: its section is gone";
        return Some(Err(Refusal::new(Reason::NoOperations, message, hint)));
    }
    Some(Ok(SettledRequest { request, dropped }))
}

/// Returns the number of the operation whose section is gone.
fn number(refusal: &Refusal) -> Option<usize> {
    refusal.operation().filter(|_| refusal.reason == Reason::SectionNotFound)
}

/// Returns an operation that adds the section with the text of the approver, if that text has it. Its position in the
/// file comes from that text too.
fn kept(operation: &Value, amendment: &Amendment) -> Option<Value> {
    match OperationKind::parse(operation["operation"].as_str()?)? {
        OperationKind::ReplaceSection
        | OperationKind::ReplaceSectionContent
        | OperationKind::AppendToSection
        | OperationKind::RenameHeading => {}
        OperationKind::CreateFile
        | OperationKind::AppendSection
        | OperationKind::ArchiveSection
        | OperationKind::RemoveSection => return None,
    }
    let path = operation["path"].as_str();
    let is_meant = |file: &MemoryPath| path.is_none_or(|path| path == file.as_str());
    let texts = amendment.iter().filter(|(file, _)| is_meant(file)).map(|(_, text)| text);
    texts.map(|text| Outline::read(text)).find_map(|outline| append(operation, path, &outline))
}

fn append(operation: &Value, path: Option<&str>, outline: &Outline<'_>) -> Option<Value> {
    let id = operation["section_id"].as_str().and_then(SectionId::parse);
    let headings = ["heading", "new_heading"].map(|name| operation[name].as_str());
    let section = outline.sections().iter().find(|section| match &id {
        Some(id) => section.id.as_ref() == Some(id),
        None => headings.contains(&Some(section.heading.text.as_str())),
    })?;
    let optional = [("path", path), ("section_id", section.id.as_ref().map(SectionId::as_str))];
    let mut append: Map<String, Value> = optional
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), json!(value?))))
        .collect();
    append.insert("operation".to_owned(), json!(OperationKind::AppendSection.name()));
    append.insert("heading".to_owned(), json!(section.heading.text));
    append.insert("content".to_owned(), json!(outline.body(section)));
    if let Some(sources) = operation.get("sources") {
        append.insert("sources".to_owned(), sources.clone());
    }
    Some(Value::Object(append))
}
