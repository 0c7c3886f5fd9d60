//! Writes and removes one entry in a JSON file of settings; comments and layout stay.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
use jsonc_parser::json;
use serde_json::Value;

use super::fault::{Fault, FaultCode};
use super::starts::{is_as_installed, starts};
use crate::markdown::BYTE_ORDER_MARK;

#[derive(Debug, Clone)]
pub(super) struct JsonEntry {
    pub(super) section: &'static str,
    /// Its name in the section, or that of its list.
    pub(super) name: &'static str,
    pub(super) is_in_list: bool,
    pub(super) value: CstInputValue,
    /// A command line that starts this program with these words makes an entry ours.
    pub(super) words: Vec<&'static str>,
    /// The first member of a new file.
    pub(super) first: Option<(&'static str, CstInputValue)>,
}

pub(super) fn put(text: Option<&str>, entry: &JsonEntry) -> Result<String, Fault> {
    let root = parse(text.unwrap_or("{}\n"))?;
    let top = root.object_value().ok_or_else(|| wrong_shape("the file", root.value(), false))?;
    if let (None, Some((name, value))) = (text, &entry.first) {
        top.append(name, value.clone());
    }
    let section = match member(&top, entry.section)? {
        Some(found) => found.object_value(),
        None => top.append(entry.section, json!({})).object_value(),
    };
    let section = section.ok_or_else(|| entry.wrong_section(&top))?;
    if !entry.is_in_list && entry.is_under_another_name(&section) {
        return Ok(text.unwrap_or_default().to_owned());
    }
    match member(&section, entry.name)? {
        None if entry.is_in_list => section.append(entry.name, vec![entry.value.clone()].into()),
        None => section.append(entry.name, entry.value.clone()),
        Some(found) if !entry.is_in_list => match entry.is_ours(found.value()) {
            true => found,
            false => return Err(entry.foreign(&found)),
        },
        Some(found) => {
            let list = found.array_value().ok_or_else(|| entry.wrong_list(&found))?;
            if !list.elements().into_iter().any(|each| entry.is_ours(Some(each))) {
                list.ensure_multiline();
                list.append(entry.value.clone());
            }
            found
        }
    };
    Ok(root.to_string())
}

/// Removes the entry, and the list and section that it leaves empty.
pub(super) fn remove(text: &str, entry: &JsonEntry) -> Result<String, Fault> {
    let root = parse(text)?;
    let Some(top) = root.object_value() else { return Ok(text.to_owned()) };
    let Some(outer) = member(&top, entry.section)? else { return Ok(text.to_owned()) };
    if !entry.is_installed(outer.value()) {
        return Ok(text.to_owned());
    }
    let section = outer.object_value().ok_or_else(|| entry.wrong_section(&top))?;
    let found = member(&section, entry.name)?.filter(|found| entry.is_installed(found.value()));
    let Some(found) = found else { return Ok(text.to_owned()) };
    if entry.is_in_list {
        let Some(list) = found.array_value() else { return Err(entry.wrong_list(&found)) };
        list.elements().into_iter().for_each(|each| entry.remove_hook(each));
        if is_empty(&list.into()) {
            cut(found.into());
        }
    } else {
        cut(found.into());
    }
    if is_empty(&section.into()) {
        cut(outer.into());
    }
    Ok(root.to_string())
}

/// Returns what a whole file has at a pointer; nothing where the file cannot be read.
pub(super) fn value_at(file: &str, pointer: &str) -> Option<Value> {
    let text = file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(file);
    parse(text).ok()?.to_serde_value()?.pointer_mut(pointer).map(Value::take)
}

impl JsonEntry {
    /// Tells whether a value, or any value in it, starts this program. Other settings of it belong to the person.
    fn is_ours(&self, value: Option<CstNode>) -> bool {
        self.has_command(value, starts)
    }

    /// Tells whether a value, or any value in it, is what `install` writes.
    fn is_installed(&self, value: Option<CstNode>) -> bool {
        self.has_command(value, is_as_installed)
    }

    /// Tells whether a person gave our server another name; a second one would double its tools.
    fn is_under_another_name(&self, section: &CstObject) -> bool {
        let is_named = |each: &CstObjectProp| {
            each.name().and_then(|it| it.decoded_value().ok()).is_some_and(|it| it == self.name)
        };
        let mut all = section.properties().into_iter();
        all.any(|each| !is_named(&each) && self.is_ours(each.value()))
    }

    fn has_command(&self, value: Option<CstNode>, test: fn(&[&str], &[&str]) -> bool) -> bool {
        let passes = |line: &[&str]| test(line, &self.words);
        value.and_then(|value| value.to_serde_value()).is_some_and(|it| any_command(&it, &passes))
    }

    /// Removes our hook; in a group, hooks of others stay.
    fn remove_hook(&self, hook: CstNode) {
        if !self.is_installed(Some(hook.clone())) {
            return;
        }
        let group = hook.as_object().and_then(|group| group.array_value("hooks"));
        let (ours, others): (Vec<_>, Vec<_>) = group
            .map(|hooks| hooks.elements())
            .unwrap_or_default()
            .into_iter()
            .partition(|each| self.is_installed(Some(each.clone())));
        match others.is_empty() {
            true => cut(hook),
            false => ours.into_iter().for_each(cut),
        }
    }

    fn foreign(&self, found: &CstObjectProp) -> Fault {
        let message = format!(
            "`{}` starts something else than `agent-memory {}`",
            self.name,
            self.words.join(" ")
        );
        let hint = "rename it or take it out, then try again; it was left as it is";
        let fault = Fault::new(FaultCode::ForeignEntry, message, hint);
        fault.on_line(line_of(&found.clone().into()))
    }

    fn wrong_section(&self, top: &CstObject) -> Fault {
        let value = top.get(self.section).and_then(|found| found.value());
        wrong_shape(&format!("`{}`", self.section), value, false)
    }

    fn wrong_list(&self, found: &CstObjectProp) -> Fault {
        wrong_shape(&format!("`{}.{}`", self.section, self.name), found.value(), true)
    }
}

/// Tells whether any command line in a value passes; it may be a string or a list.
fn any_command(value: &Value, passes: &impl Fn(&[&str]) -> bool) -> bool {
    match value {
        Value::Object(members) => {
            let parts = [&value["command"], &value["args"]];
            let line = parts.into_iter().flat_map(|part| match part {
                Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
                part => part.as_str().into_iter().collect::<Vec<_>>(),
            });
            passes(&line.collect::<Vec<_>>())
                || members.values().any(|each| any_command(each, passes))
        }
        Value::Array(list) => list.iter().any(|each| any_command(each, passes)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

pub(super) fn member(object: &CstObject, name: &str) -> Result<Option<CstObjectProp>, Fault> {
    let is_named = |each: &CstObjectProp| {
        each.name().and_then(|it| it.decoded_value().ok()).is_some_and(|it| it == name)
    };
    let mut found = object.properties().into_iter().filter(is_named);
    let first = found.next();
    match found.next() {
        None => Ok(first),
        Some(again) => {
            let message = format!("`{name}` stands twice in one object");
            let fault = Fault::new(FaultCode::Malformed, message, "take one of them out");
            Err(fault.on_line(line_of(&again.into())))
        }
    }
}

pub(super) fn wrong_shape(name: &str, value: Option<CstNode>, wants_list: bool) -> Fault {
    let (wanted, example) = if wants_list { ("a list", "[]") } else { ("an object", "{}") };
    let message = format!("{name} is not {wanted}");
    let hint = format!("make it {wanted}, `{example}`");
    let fault = Fault::new(FaultCode::WrongShape, message, hint);
    fault.on_line(value.map_or(1, |value| line_of(&value)))
}

/// Removes a member or an element with its comma; comments in the same line stay.
pub(super) fn cut(node: CstNode) {
    let same_line = |each: &CstNode| (each.is_trivia() && !each.is_newline()) || each.is_comma();
    let before = node.previous_siblings().take_while(same_line);
    let in_line = before.chain(node.next_siblings().take_while(same_line));
    // The package takes all up to the comma, which may stand lines below.
    let up_to_comma: Vec<CstNode> = node.next_siblings().take_while(CstNode::is_trivia).collect();
    let has_comma = node.next_siblings().nth(up_to_comma.len()).is_some_and(|it| it.is_comma());
    let up_to_comma = up_to_comma.into_iter().filter(|_| has_comma);
    if !in_line.chain(up_to_comma).any(|each| each.is_comment()) {
        return node.remove();
    }
    let after = node.trailing_comma().map(CstNode::from);
    if let Some(comma) = after.or_else(|| node.previous_siblings().find(CstNode::is_comma)) {
        comma.remove();
    }
    node.children().into_iter().for_each(CstNode::remove);
}

/// A comment counts as content.
fn is_empty(node: &CstNode) -> bool {
    let says = |each: &CstNode| each.is_comment() || !(each.is_trivia() || each.is_token());
    !node.children().iter().any(says)
}

pub(super) fn line_of(node: &CstNode) -> usize {
    let above = node.ancestors().map(CstNode::from).chain([node.clone()]);
    let before = above.flat_map(|each| each.previous_siblings().collect::<Vec<_>>());
    1 + before.map(|each| each.to_string().matches('\n').count()).sum::<usize>()
}

pub(super) fn parse(text: &str) -> Result<CstRootNode, Fault> {
    let options = ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: true,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
    };
    let malformed = |message: String, hint| Fault::new(FaultCode::Malformed, message, hint);
    let root = CstRootNode::parse(text, &options).map_err(|error| {
        let message = format!("it is not JSON: {}", error.kind());
        malformed(message, "correct the line, then try again").at_offset(text, error.range().start)
    })?;
    match root.value() {
        Some(_) => Ok(root),
        None => {
            let hint = "write `{}` there, or remove the file";
            Err(malformed("there is no JSON in it".to_owned(), hint).on_line(1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> JsonEntry {
        JsonEntry {
            section: "mcpServers",
            name: "agent-memory",
            is_in_list: false,
            value: json!({"command": "agent-memory", "args": ["mcp"]}),
            words: vec!["mcp"],
            first: None,
        }
    }

    fn hook() -> JsonEntry {
        JsonEntry {
            section: "hooks",
            name: "stop",
            is_in_list: true,
            value: json!({"command": "agent-memory hook cursor stop"}),
            words: vec!["hook", "cursor", "stop"],
            first: Some(("version", json!(1))),
        }
    }

    fn check(entry: &JsonEntry, before: &str, after: &str) {
        let put = put(Some(before), entry).expect("it can be put there");
        assert_eq!(put, after);
        assert_eq!(super::put(Some(&put), entry).expect("it is there"), put);
        assert_eq!(remove(&put, entry).expect("it is there"), before);
    }

    fn refuses(text: &str, code: FaultCode, line: usize) {
        let fault = put(Some(text), &server()).expect_err("it is refused");
        assert_eq!((fault.code, fault.line), (code, Some(line)), "{}", fault.message);
    }

    #[test]
    fn a_new_file_is_laid_out_for_people() {
        let server_file = "{\n  \"mcpServers\": {\n    \"agent-memory\": {\n      \"command\": \"agent-memory\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n";
        assert_eq!(put(None, &server()).expect("room"), server_file);
        let hook_file = "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [\n      {\n        \"command\": \"agent-memory hook cursor stop\"\n      }\n    ]\n  }\n}\n";
        assert_eq!(put(None, &hook()).expect("room"), hook_file);
    }

    #[test]
    fn an_entry_comes_last_and_all_else_stays() {
        let entry = "\"agent-memory\": {\r\n\t\t\t\"command\": \"agent-memory\",\r\n\t\t\t\"args\": [\"mcp\"],\r\n\t\t}";
        check(
            &server(),
            "{\r\n\t\"mcpServers\": { // all\r\n\t\t\"b\": {}, // b\r\n\t},\r\n}",
            &format!(
                "{{\r\n\t\"mcpServers\": {{ // all\r\n\t\t\"b\": {{}}, // b\r\n\t\t{entry},\r\n\t}},\r\n}}"
            ),
        );
        check(
            &hook(),
            "{\n  \"hooks\": {\n    \"stop\": [\n      {\"command\": \"x\"} // x\n    ]\n  }\n}",
            "{\n  \"hooks\": {\n    \"stop\": [\n      {\"command\": \"x\"}, // x\n      {\n        \"command\": \"agent-memory hook cursor stop\"\n      }\n    ]\n  }\n}",
        );
        check(&server(), "{}", put(None, &server()).expect("room").trim_end());
    }

    #[test]
    fn what_a_person_set_besides_stays() {
        let text = r#"{"mcpServers": {"agent-memory": {"command": "agent-memory", "args": ["mcp", "--root", "."], "env": {}}}}"#;
        assert_eq!(put(Some(text), &server()).expect("ours"), text);
    }

    #[test]
    fn a_server_under_another_name_is_not_doubled() {
        for text in [
            r#"{"mcpServers": {"memory": {"command": "agent-memory", "args": ["mcp"]}}}"#,
            r#"{"mcpServers": {"memory": {"command": "uvx", "args": ["--from", "agent-memory-in-git", "agent-memory", "mcp"]}}}"#,
        ] {
            assert_eq!(put(Some(text), &server()).expect("it is there"), text);
            assert_eq!(remove(text, &server()).expect("it is a person's"), text);
        }
    }

    #[test]
    fn a_spelling_of_a_person_stays() {
        for command in
            ["lint && agent-memory hook cursor stop", "/bin/agent-memory hook cursor stop"]
        {
            let text = format!("{{\"hooks\": {{\"stop\": [{{\"command\": \"{command}\"}}]}}}}");
            assert_eq!(put(Some(&text), &hook()).expect("ours"), text);
            assert_eq!(remove(&text, &hook()).expect("theirs"), text);
        }
        let text = r#"{"mcpServers": {"agent-memory": {"command": "/bin/agent-memory", "args": ["mcp"]}}}"#;
        assert_eq!(remove(text, &server()).expect("theirs"), text);
    }

    #[test]
    fn an_entry_that_others_follow_or_precede_is_cut_out_alone() {
        let entry = r#""agent-memory": {"command": "agent-memory", "args": ["mcp"]}"#;
        for (with, without) in [
            (
                format!("{{\"mcpServers\": {{\n  \"a\": {{}}, // a\n  {entry}\n}}}}"),
                "{\"mcpServers\": {\n  \"a\": {} // a\n}}",
            ),
            (
                format!("{{\"mcpServers\": {{\"a\": {{}}, {entry}, \"b\": 1}}}}"),
                "{\"mcpServers\": {\"a\": {}, \"b\": 1}}",
            ),
            (
                format!("{{\"mcpServers\": {{\"a\": {{}}, {entry}}}}}"),
                "{\"mcpServers\": {\"a\": {}}}",
            ),
            (
                format!("{{\"mcpServers\": {{\n  // mine\n  {entry}\n}}}}"),
                "{\"mcpServers\": {\n  // mine\n}}",
            ),
            (
                format!("{{\"mcpServers\": {{\"a\": 1, /* b */ {entry} // c\n}}}}"),
                "{\"mcpServers\": {\"a\": 1 /* b */  // c\n}}",
            ),
            (format!("{{\"a\": 1, \"mcpServers\": {{\n  {entry}\n}}}}"), "{\"a\": 1}"),
        ] {
            assert_eq!(remove(&with, &server()).expect("it is there"), without);
        }
    }

    #[test]
    fn what_cannot_be_read_or_is_somebody_elses_is_refused_with_its_line() {
        refuses("{\n  \"a\": 1\n  \"b\": 2\n}", FaultCode::Malformed, 2);
        refuses("", FaultCode::Malformed, 1);
        refuses("{\n\"mcpServers\": {}, \"mcpServers\": {}}", FaultCode::Malformed, 2);
        refuses("[]", FaultCode::WrongShape, 1);
        refuses("{\n\"mcpServers\":\n[]}", FaultCode::WrongShape, 3);
        refuses(
            "{\"mcpServers\": {\n\"agent-memory\": {\"command\": \"x\"}}}",
            FaultCode::ForeignEntry,
            2,
        );
    }
}
