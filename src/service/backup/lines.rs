//! JSON Lines: a memory a line, then a relation a line.

use serde_json::{Map, Value, json};

use super::saved_memories::SavedMemories;
use crate::contract::Timestamp;
use crate::service::classify::{Classified, classify};
use crate::service::request::{MemoryId, RefusedMemory, RelationType, SavedMemory, SavedRelation};

/// Reads all lines; one that cannot be read is named by its number, and the others count.
pub(super) fn read_lines(bytes: &[u8], now: Timestamp) -> SavedMemories {
    let mut saved = SavedMemories::default();
    let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).zip(1..);
    for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
        let name = format!("line {number}");
        match serde_json::from_slice::<Value>(line) {
            Ok(Value::Object(object)) if object.contains_key("memory1_id") => {
                if !is_machine_made(&object) {
                    saved.add_relation(&object, &name);
                }
            }
            Ok(Value::Object(mut object)) => {
                classify_untyped(&mut object);
                saved.add_memory(&object, &name, now);
            }
            Ok(_) => saved.refused.push(no_object(name)),
            Err(error) => {
                let reason = format!("not JSON: {error}");
                saved.refused.push(RefusedMemory { id: name, reason });
            }
        }
    }
    saved
}

fn no_object(id: String) -> RefusedMemory {
    RefusedMemory { id, reason: "a line is a JSON object".to_owned() }
}

/// Relations that machines made are found again.
fn is_machine_made(object: &Map<String, Value>) -> bool {
    let kind = object.get("type").and_then(Value::as_str).and_then(RelationType::parse);
    kind.is_some_and(|kind| !RelationType::authorable().contains(&kind))
}

/// Gives a memory without a type the one that its text speaks for.
fn classify_untyped(object: &mut Map<String, Value>) {
    let is_typed = object.get("type").is_some_and(|kind| !kind.is_null());
    let Some(content) = object.get("content").and_then(Value::as_str).filter(|_| !is_typed) else {
        return;
    };
    let Classified { kind, confidence } = classify(content);
    object.insert("type".to_owned(), kind.name().into());
    object.entry("confidence").or_insert(confidence.into());
}

/// Returns the line of a memory: what was said, without what can be derived again.
pub(crate) fn memory_line(memory: &SavedMemory) -> String {
    let mut object = memory.said.to_value();
    object["last_accessed"] = json!(memory.last_accessed);
    if let Some(vector) = &memory.embedding {
        object["embedding"] = json!(vector);
    }
    format!("{object}\n")
}

/// Returns the line of a relation, in the form of `POST /associate`.
pub(crate) fn relation_line(saved: &SavedRelation) -> String {
    let SavedRelation { relation, updated } = saved;
    let ends: [(&str, MemoryId); 2] =
        [("memory1_id", relation.source), ("memory2_id", relation.target)];
    let mut object = relation.properties.clone();
    object.extend(ends.map(|(name, id)| (name.to_owned(), id.to_string().into())));
    object.insert("type".to_owned(), relation.kind.name().into());
    object.insert("strength".to_owned(), relation.strength.into());
    object.insert("updated_at".to_owned(), json!(updated));
    format!("{}\n", Value::Object(object))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-11-20T10:00:00Z";

    fn read(text: &str) -> SavedMemories {
        read_lines(text.as_bytes(), Timestamp::parse(NOW).expect("a time"))
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let id = "11111111-1111-4111-8111-11111111111a";
        let line = json!({
            "id": id, "content": "Tabs, not spaces.", "type": "Oddity", "confidence": 0.25,
            "importance": 1.0, "tags": ["Docs/API", "x"], "metadata": {"a": {"b": [1, null]}},
            "timestamp": "2020-01-01T00:00:00.000001Z", "updated_at": "2021-01-01T00:00:00Z",
            "t_valid": null, "t_invalid": "2022-01-01T00:00:00Z",
            "last_accessed": "2023-01-01T00:00:00Z", "embedding": [1.0, 0.0],
        });
        let first = read(&line.to_string()).memories;
        let again = read(&memory_line(&first[0])).memories;
        assert_eq!(first, again);
        assert_eq!(first[0].said.kind, "Oddity");
        assert_eq!(first[0].said.t_valid, None);
        let line = json!({"memory1_id": id, "memory2_id": id.replace('a', "b"), "type": "PART_OF",
            "strength": 0.75, "role": "chapter", "updated_at": "2021-01-01T00:00:00+00:00"});
        let first = read(&line.to_string()).relations;
        assert_eq!(read(&relation_line(&first[0])).relations, first);
    }

    #[test]
    fn a_bad_line_is_named_and_the_others_count() {
        let saved = read("{\"content\": \"one\"}\nno JSON\n\n{\"content\": \" \"}\n[]\n");
        let names: Vec<&str> = saved.refused.iter().map(|it| it.id.as_str()).collect();
        assert_eq!((saved.memories.len(), names), (1, vec!["line 2", "line 4", "line 5"]));
    }

    #[test]
    fn the_same_text_without_an_id_is_the_same_memory() {
        let [one, other] = ["a", "a"].map(|text| read(&json!({"content": text}).to_string()));
        assert_eq!(one.memories[0].said.id, other.memories[0].said.id);
    }
}
