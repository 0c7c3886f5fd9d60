//! Understands the other forms in which agents write headings and sources.

use serde_json::{Map, Value, json};

use crate::project::provenance::{cited_file, source_of};
use crate::project::request::{Intent, OperationKind, path_in_store};

/// Returns a request whose headings and sources have the form that its readers know, as far as they can only mean one
/// thing.
pub(super) fn in_known_form(mut raw: Value) -> Value {
    for sources in source_lists(&mut raw) {
        *sources = known_sources(sources.take());
    }
    spell(raw.get_mut("intent"), Intent::NAMES);
    let operations = raw.get_mut("operations").and_then(Value::as_array_mut);
    for operation in operations.into_iter().flatten().filter_map(Value::as_object_mut) {
        spell(operation.get_mut("operation"), OperationKind::NAMES);
        take_heading_of_content(operation);
        split_section_name(operation);
        ["path", "archive_path"].into_iter().for_each(|name| leave_out_store(operation, name));
        for (heading, level) in [("heading", "heading_level"), ("new_heading", "new_heading_level")]
        {
            read_level(operation, level);
            split_heading(operation, heading, level);
        }
    }
    raw
}

/// Reads `ADD_PITFALL` and `add-pitfall` as the name `add_pitfall`.
fn spell(value: Option<&mut Value>, names: &[&str]) {
    let Some(value) = value else { return };
    let Some(word) = value.as_str() else { return };
    let plain = word.trim().to_lowercase().replace(['-', ' '], "_");
    if names.contains(&plain.as_str()) {
        *value = plain.into();
    }
}

/// Gives the files that sources cite the paths that `find` returns for them; tells whether it returned any.
pub(super) fn find_files(raw: &mut Value, find: impl Fn(&str) -> Option<String>) -> bool {
    let mut any = false;
    let cites_file = |source: &&mut Value| source["type"] == "file" || source["type"] == "test";
    let lists = source_lists(raw).into_iter().filter_map(Value::as_array_mut);
    for source in lists.flatten().filter(cites_file) {
        let reference = source["ref"].as_str().unwrap_or_default().trim_start_matches("./");
        let Some(cited) = cited_file(reference) else { continue };
        if let Some(found) = find(cited.path) {
            source["ref"] = reference.replacen(cited.path, &found, 1).into();
            any = true;
        }
    }
    any
}

/// Returns the sources of a request, and those of each of its operations.
fn source_lists(raw: &mut Value) -> Vec<&mut Value> {
    let mut lists = Vec::new();
    for (name, value) in raw.as_object_mut().into_iter().flatten() {
        match (name.as_str(), value) {
            ("sources", sources) => lists.push(sources),
            ("operations", Value::Array(operations)) => {
                lists.extend(operations.iter_mut().filter_map(|it| it.get_mut("sources")));
            }
            _ => {}
        }
    }
    lists
}

/// Takes the heading of a new section from its content, where it stands there alone.
fn take_heading_of_content(operation: &mut Map<String, Value>) {
    let is_new = operation.get("operation").is_some_and(|kind| kind == "append_section");
    if !is_new || operation.contains_key("heading") {
        return;
    }
    let content = operation.get("content").and_then(Value::as_str).unwrap_or_default();
    let first = content.trim_start().lines().next().unwrap_or_default();
    if marked_heading(first).is_some() {
        let heading = json!(first);
        operation.insert("heading".to_owned(), heading);
    }
}

/// Reads `decisions/x.md#x` as the section `x` of that file, unless another file is given.
fn split_section_name(operation: &mut Map<String, Value>) {
    for name in ["section_id", "parent_section_id"] {
        let whole = operation.get(name).and_then(Value::as_str);
        let Some((path, id)) = whole.and_then(|whole| whole.split_once('#')) else { continue };
        let path = json!(path_in_store(path.trim()));
        let given = operation.get("path").filter(|given| !given.is_null());
        let is_it =
            |given: &Value| given.as_str().is_some_and(|it| path == path_in_store(it.trim()));
        if path != "" && given.is_none_or(is_it) {
            let id = json!(id);
            operation.insert(name.to_owned(), id);
            operation.insert("path".to_owned(), path);
        }
    }
}

/// Reads a path from the root of the repository as one in the store.
fn leave_out_store(operation: &mut Map<String, Value>, name: &str) {
    let path = operation.get(name).and_then(Value::as_str);
    let inside = path.map(|path| (path, path_in_store(path)));
    if let Some((_, inside)) = inside.filter(|(path, inside)| path != inside) {
        let inside = json!(inside);
        operation.insert(name.to_owned(), inside);
    }
}

/// Reads `##` and `h2` as level 2.
fn read_level(operation: &mut Map<String, Value>, name: &str) {
    let Some(text) = operation.get(name).and_then(Value::as_str) else { return };
    let level = match text.trim() {
        marks if !marks.is_empty() && marks.bytes().all(|byte| byte == b'#') => Some(marks.len()),
        word => word.strip_prefix(['h', 'H']).and_then(|digit| digit.parse().ok()),
    };
    if let Some(level) = level {
        operation.insert(name.to_owned(), json!(level));
    }
}

/// Reads `## Tokens` as the heading `Tokens` of level 2, unless another level is given.
fn split_heading(operation: &mut Map<String, Value>, name: &str, level_name: &str) {
    let heading = operation.get(name).and_then(Value::as_str);
    let Some((level, text)) = heading.and_then(marked_heading) else { return };
    let text = json!(text);
    let given = operation.get(level_name).filter(|given| !given.is_null());
    if given.is_none_or(|given| *given == json!(level)) {
        operation.insert(name.to_owned(), text);
        operation.insert(level_name.to_owned(), json!(level));
    }
}

/// Splits a heading with its marks into its level and its words.
fn marked_heading(line: &str) -> Option<(usize, &str)> {
    let words = line.trim_start_matches('#');
    let level = line.len() - words.len();
    let is_heading = (1..=6).contains(&level) && words.starts_with([' ', '\t']);
    Some((level, words.trim())).filter(|(_, words)| is_heading && !words.is_empty())
}

fn known_sources(sources: Value) -> Value {
    match sources {
        Value::String(text) => known_sources(json!([text])),
        Value::Array(list) => list.into_iter().map(known_source).collect(),
        source @ Value::Object(_) => json!([known_source(source)]),
        other => other,
    }
}

fn known_source(source: Value) -> Value {
    match source {
        Value::String(text) => match source_of(text.trim()) {
            Some((kind, reference)) => known_source(json!({"type": kind.name(), "ref": reference})),
            None => Value::String(text),
        },
        Value::Object(mut source) => {
            name_reference(&mut source);
            let is_file = source.get("type").is_some_and(|kind| kind == "file" || kind == "test");
            let reference = source.get("ref").and_then(Value::as_str).filter(|_| is_file);
            if let Some(known) = reference.and_then(with_known_lines) {
                source.insert("ref".to_owned(), json!(known));
            }
            Value::Object(source)
        }
        other => other,
    }
}

/// Gives a source its `ref`, where it stands under another name, with its lines beside it.
fn name_reference(source: &mut Map<String, Value>) {
    let named =
        ["path", "file", "url", "commit"].into_iter().filter(|name| source.contains_key(*name));
    if let [name] = named.collect::<Vec<_>>()[..]
        && !source.contains_key("ref")
    {
        let reference = source.remove(name).expect("it was found");
        let kind = if name == "path" { "file" } else { name };
        source.entry("type").or_insert(json!(kind));
        source.insert("ref".to_owned(), reference);
    }
    let lines = source.get("lines").and_then(Value::as_str);
    let reference = source.get("ref").and_then(Value::as_str);
    if let Some((reference, lines)) = reference.zip(lines)
        && let Some(known) = with_known_lines(&format!("{reference}#{lines}"))
    {
        source.insert("ref".to_owned(), json!(known));
        source.remove("lines");
    }
}

/// Writes the lines of a reference as `a.rs:1-20`: forges and editors have other forms.
fn with_known_lines(reference: &str) -> Option<String> {
    let (path, lines) = reference.rsplit_once(['#', ':'])?;
    let number = |text: &str| text.strip_prefix(['L', 'l']).unwrap_or(text).parse::<u32>().ok();
    let between = ["..", "-", "–"].into_iter().find_map(|mark| lines.split_once(mark));
    let known = match between {
        Some((first, last)) => format!("{path}:{}-{}", number(first)?, number(last)?),
        None => format!("{path}:{}", number(lines)?),
    };
    Some(known).filter(|known| known != reference && !path.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn source(given: Value, kind: &str, reference: &str) {
        let request = in_known_form(json!({"sources": given}));
        assert_eq!(request["sources"], json!([{"type": kind, "ref": reference}]));
    }

    #[track_caller]
    fn stays(given: Value) {
        assert_eq!(in_known_form(given.clone()), given);
    }

    #[track_caller]
    fn operation(given: Value, expected: Value) {
        let request = in_known_form(json!({"operations": [given]}));
        assert_eq!(request["operations"], json!([expected]));
    }

    #[test]
    fn a_source_may_be_a_string() {
        source(json!("src/a.rs:1-4"), "file", "src/a.rs:1-4");
        source(json!(["Makefile.am"]), "file", "Makefile.am");
        source(json!(["https://a.example/x#L1"]), "url", "https://a.example/x#L1");
        source(json!(["user: ada"]), "user", "ada");
        source(json!(["commit:0123abc"]), "commit", "0123abc");
        source(json!(["0123abcdef"]), "commit", "0123abcdef");
        stays(json!({"sources": ["what ada said."]}));
        stays(json!({"sources": 5}));
    }

    #[test]
    fn a_reference_may_have_another_name() {
        source(json!({"type": "file", "path": "a.rs"}), "file", "a.rs");
        source(json!([{"path": "a.rs", "lines": "3-4"}]), "file", "a.rs:3-4");
        source(json!({"url": "https://a.example"}), "url", "https://a.example");
        let both = json!([{"ref": "a.rs", "path": "b.rs"}]);
        stays(json!({"sources": both}));
        stays(json!({"sources": [{"type": "file", "ref": "a.rs", "lines": "few"}]}));
    }

    #[test]
    fn lines_have_many_forms() {
        for lines in ["#L1-L20", "#L1-20", ":L1-L20", ":1..20", ":1–20", "#1-20", ":1-20"] {
            let reference = format!("src/a.rs{lines}");
            source(json!([{"type": "file", "ref": reference}]), "file", "src/a.rs:1-20");
            source(json!([reference]), "file", "src/a.rs:1-20");
        }
        source(json!(["src/a.rs#L7"]), "file", "src/a.rs:7");
        for other in ["src/a.rs", "src/c#", "tests/a.rs::rotates", "src/a.rs:x-y", "a#b.md"] {
            source(json!([{"type": "file", "ref": other}]), "file", other);
        }
        stays(json!({"sources": [{"type": "url", "ref": "https://a.example/x#L1-L2"}]}));
    }

    #[test]
    fn a_heading_may_have_its_marks() {
        operation(
            json!({"heading": "### C# ", "content": "x"}),
            json!({"heading": "C#", "heading_level": 3, "content": "x"}),
        );
        operation(
            json!({"new_heading": "## B", "new_heading_level": "H2"}),
            json!({"new_heading": "B", "new_heading_level": 2}),
        );
        operation(json!({"heading_level": "##"}), json!({"heading_level": 2}));
        for other in [
            json!({"heading": "## B", "heading_level": 3}),
            json!({"heading": "#tag"}),
            json!({"heading": "## "}),
            json!({"heading_level": "hx"}),
        ] {
            operation(other.clone(), other);
        }
    }

    #[test]
    fn an_intent_and_an_operation_may_be_spelled_otherwise() {
        for kind in ["APPEND_SECTION", "append-section", " Append section "] {
            operation(json!({ "operation": kind }), json!({"operation": "append_section"}));
        }
        let request = in_known_form(json!({"intent": "ADD_PITFALL"}));
        assert_eq!(request, json!({"intent": "add_pitfall"}));
        for other in [json!({"intent": "addpitfall"}), json!({"intent": 5})] {
            assert_eq!(in_known_form(other.clone()), other);
        }
    }

    #[test]
    fn a_section_may_be_named_with_its_file() {
        let known = json!({"section_id": "x", "path": "decisions/x.md"});
        for whole in ["decisions/x.md#x", ".agent-memory/decisions/x.md#x"] {
            operation(json!({ "section_id": whole }), known.clone());
            operation(json!({"section_id": whole, "path": "decisions/x.md"}), known.clone());
        }
        operation(
            json!({"parent_section_id": "modules/a.md#b"}),
            json!({"parent_section_id": "b", "path": "modules/a.md"}),
        );
        for other in [
            json!({"section_id": "decisions/x.md#x", "path": "decisions/y.md"}),
            json!({"section_id": "#x"}),
        ] {
            operation(other.clone(), other);
        }
    }

    #[test]
    fn a_path_may_begin_at_the_root_of_the_repository() {
        let known = json!({"path": "modules/a.md", "archive_path": "archive/a.md"});
        operation(
            json!({"path": ".agent-memory/modules/a.md", "archive_path": "./.agent-memory/archive/a.md"}),
            known.clone(),
        );
        operation(known.clone(), known);
        let other = json!({"path": "a/.agent-memory/modules/a.md"});
        operation(other.clone(), other);
    }

    #[test]
    fn a_new_section_may_have_its_heading_in_its_content() {
        operation(
            json!({"operation": "append_section", "content": "## B\n\nx"}),
            json!({"operation": "append_section", "content": "## B\n\nx", "heading": "B", "heading_level": 2}),
        );
        for other in [
            json!({"operation": "append_section", "content": "x"}),
            json!({"operation": "append_to_section", "content": "## B\n\nx"}),
        ] {
            operation(other.clone(), other);
        }
    }
}
