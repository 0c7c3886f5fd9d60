//! Writes and removes one entry in a JSON file of settings; comments and layout stay.

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp};
use jsonc_parser::json;
use serde_json::Value;

use super::fault::{Fault, FaultCode};
use super::json_tree::{
    content_of, is_bare, line_of, member, parse, restored, without, wrong_shape,
};
use super::starts::{is_as_installed, relative_program, starts};
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

pub(super) fn insert(text: Option<&str>, entry: &JsonEntry) -> Result<String, Fault> {
    let root = parse(text.unwrap_or("{}\n"))?;
    let top = root.object_value().ok_or_else(|| wrong_shape("the file", root.value(), false))?;
    let content = content_of(&entry.container(&top)?);
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
    entry.insert_into(&section)?;
    Ok(restored(content, text, root.to_string()))
}

/// Removes the entries, and the lists and sections that were made for them; returns nothing if the file has nothing else.
pub(super) fn remove(text: &str, entries: &[JsonEntry]) -> Result<Option<String>, Fault> {
    let mut text = text.to_owned();
    for entry in entries.iter().rev() {
        while let Some(rest) = entry.removed(&text)? {
            // A person's empty file stays.
            let is_restored = || insert(Some(&rest), entry).is_ok_and(|again| again == text);
            if is_bare(&rest, entry.first.as_ref().map(|first| first.0)) && !is_restored() {
                return Ok(None);
            }
            text = rest;
        }
    }
    Ok(Some(text))
}

/// Returns what a whole file has at a pointer; nothing where the file cannot be read.
pub(super) fn value_at(file: &str, pointer: &str) -> Option<Value> {
    let text = file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(file);
    parse(text).ok()?.to_serde_value()?.pointer_mut(pointer).map(Value::take)
}

impl JsonEntry {
    /// Returns what the entry is inserted into, as far as it is there: its list, the section or the file.
    fn container(&self, top: &CstObject) -> Result<CstNode, Fault> {
        let section = member(top, self.section)?.map(|found| found.object_value());
        let Some(Some(section)) = section else { return Ok(top.clone().into()) };
        let list = member(&section, self.name)?.and_then(|found| found.array_value());
        Ok(list.map_or_else(|| section.into(), CstNode::from))
    }

    /// Returns the text without the entry, or nothing if it has none. An empty list or section stays, unless it is as we
    /// make it.
    fn removed(&self, text: &str) -> Result<Option<String>, Fault> {
        let root = parse(text)?;
        let Some(top) = root.object_value() else { return Ok(None) };
        let Some(outer) = member(&top, self.section)? else { return Ok(None) };
        if !self.is_installed(outer.value()) {
            return Ok(None);
        }
        let section = outer.object_value().ok_or_else(|| self.wrong_section(&top))?;
        let found = member(&section, self.name)?.filter(|found| self.is_installed(found.value()));
        let Some(found) = found else { return Ok(None) };
        let entry = match self.is_in_list {
            true => self.hook_in(&found.array_value().ok_or_else(|| self.wrong_list(&found))?),
            false => Some(found.clone().into()),
        };
        let Some(entry) = entry else { return Ok(None) };
        let all = [(0, outer.into()), (1, found.into())];
        let made = all.into_iter().find(|(depth, node)| self.is_as_made(text, node, *depth));
        Ok(Some(without(text, &made.map_or(entry, |(_, node)| node))))
    }

    /// Tells whether a section or list is, to the byte, what `insert` makes where there is none.
    fn is_as_made(&self, text: &str, node: &CstNode, depth: usize) -> bool {
        let again = insert(Some(&without(text, node)), self).and_then(|text| parse(&text));
        let Some(top) = again.ok().and_then(|root| root.object_value()) else { return false };
        let section = top.get(self.section);
        let made = match depth {
            0 => section,
            _ => section.and_then(|it| it.object_value()?.get(self.name)),
        };
        made.is_some_and(|it| CstNode::from(it).to_string() == node.to_string())
    }

    fn insert_into(&self, section: &CstObject) -> Result<(), Fault> {
        let Some(found) = member(section, self.name)? else {
            match self.is_in_list {
                true => section.append(self.name, vec![self.value.clone()].into()),
                false => section.append(self.name, self.value.clone()),
            };
            return Ok(());
        };
        if !self.is_in_list {
            return if self.is_ours(found.value()) { Ok(()) } else { Err(self.foreign(&found)) };
        }
        let list = found.array_value().ok_or_else(|| self.wrong_list(&found))?;
        if !list.elements().into_iter().any(|each| self.is_ours(Some(each))) {
            list.append(self.value.clone());
        }
        Ok(())
    }

    /// Returns the program at a relative path that an entry starts with our words.
    pub(super) fn relative_program(&self, text: &str) -> Option<String> {
        let found = value_at(text, &format!("/{}", self.section))?;
        find_command(&found, &|line| relative_program(line, &self.words))
    }

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
        let passes = |line: &[&str]| test(line, &self.words).then_some(());
        let value = value.and_then(|value| value.to_serde_value());
        value.is_some_and(|it| find_command(&it, &passes).is_some())
    }

    /// Finds our hook in a list; in a group with hooks of others, ours alone.
    fn hook_in(&self, list: &CstArray) -> Option<CstNode> {
        let is_ours = |each: &CstNode| self.is_installed(Some(each.clone()));
        let hook = list.elements().into_iter().find(is_ours)?;
        let group = hook.as_object().and_then(|group| group.array_value("hooks"));
        let hooks = group.map(|group| group.elements()).unwrap_or_default();
        match hooks.iter().all(is_ours) {
            true => Some(hook),
            false => hooks.into_iter().find(is_ours),
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

/// Finds the first command line in a value that passes; it may be a string or a list.
fn find_command<T>(value: &Value, passes: &impl Fn(&[&str]) -> Option<T>) -> Option<T> {
    match value {
        Value::Object(members) => {
            let parts = [&value["command"], &value["args"]];
            let line = parts.into_iter().flat_map(|part| match part {
                Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
                part => part.as_str().into_iter().collect::<Vec<_>>(),
            });
            let here = passes(&line.collect::<Vec<_>>());
            here.or_else(|| members.values().find_map(|each| find_command(each, passes)))
        }
        Value::Array(list) => list.iter().find_map(|each| find_command(each, passes)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{FaultCode, JsonEntry, insert, json, remove};

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
        let inserted = insert(Some(before), entry).expect("it can be inserted");
        assert_eq!(inserted, after);
        assert_eq!(insert(Some(&inserted), entry).expect("it is there"), inserted);
        assert_eq!(without(&inserted, entry.clone()).as_deref(), Some(before));
    }

    fn without(text: &str, entry: JsonEntry) -> Option<String> {
        remove(text, &[entry]).expect("it can be removed")
    }

    fn refuses(text: &str, code: FaultCode, line: usize) {
        let fault = insert(Some(text), &server()).expect_err("it is refused");
        assert_eq!((fault.code, fault.line), (code, Some(line)), "{}", fault.message);
    }

    #[test]
    fn a_new_file_is_laid_out_for_people() {
        let server_file = "{\n  \"mcpServers\": {\n    \"agent-memory\": {\n      \"command\": \"agent-memory\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n";
        assert_eq!(insert(None, &server()).expect("room"), server_file);
        let hook_file = "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [\n      {\n        \"command\": \"agent-memory hook cursor stop\"\n      }\n    ]\n  }\n}\n";
        assert_eq!(insert(None, &hook()).expect("room"), hook_file);
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
        check(
            &server(),
            "{}",
            "{\"mcpServers\": {\n    \"agent-memory\": {\n      \"command\": \"agent-memory\",\n      \"args\": [\"mcp\"]\n    }\n  }}",
        );
    }

    #[test]
    fn what_a_person_set_besides_stays() {
        let text = r#"{"mcpServers": {"agent-memory": {"command": "agent-memory", "args": ["mcp", "--root", "."], "env": {}}}}"#;
        assert_eq!(insert(Some(text), &server()).expect("ours"), text);
    }

    #[test]
    fn a_server_under_another_name_is_not_doubled() {
        for text in [
            r#"{"mcpServers": {"memory": {"command": "agent-memory", "args": ["mcp"]}}}"#,
            r#"{"mcpServers": {"memory": {"command": "uvx", "args": ["--from", "agent-memory-in-git", "agent-memory", "mcp"]}}}"#,
        ] {
            assert_eq!(insert(Some(text), &server()).expect("it is there"), text);
            assert_eq!(without(text, server()).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_spelling_of_a_person_stays() {
        for command in
            ["lint && agent-memory hook cursor stop", "/bin/agent-memory hook cursor stop"]
        {
            let text = format!("{{\"hooks\": {{\"stop\": [{{\"command\": \"{command}\"}}]}}}}");
            assert_eq!(insert(Some(&text), &hook()).expect("ours"), text);
            assert_eq!(without(&text, hook()), Some(text));
        }
        let text = r#"{"mcpServers": {"agent-memory": {"command": "/bin/agent-memory", "args": ["mcp"]}}}"#;
        assert_eq!(without(text, server()).as_deref(), Some(text));
    }

    #[test]
    fn an_entry_that_others_follow_or_precede_is_cut_out_alone() {
        let entry = r#""agent-memory": {"command": "agent-memory", "args": ["mcp"]}"#;
        for (with, rest) in [
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
                "{\"mcpServers\": {\"a\": 1 /* b */ // c\n}}",
            ),
            (
                format!("{{\"mcpServers\": {{ // mine\n  {entry}}}}}"),
                "{\"mcpServers\": { // mine\n  }}",
            ),
            (
                format!("{{\"mcpServers\": {{\"a\": 1, // c\n  {entry}}}}}"),
                "{\"mcpServers\": {\"a\": 1 // c\n  }}",
            ),
            (
                format!("{{\"mcpServers\": {{{entry}, // c\n  \"a\": 1}}}}"),
                "{\"mcpServers\": {// c\n  \"a\": 1}}",
            ),
        ] {
            assert_eq!(without(&with, server()).as_deref(), Some(rest));
        }
    }

    #[test]
    fn a_section_that_is_laid_out_in_another_way_stays() {
        let text = "{\"a\": 1, \"mcpServers\": {\n  \"agent-memory\": {\"command\": \"agent-memory\", \"args\": [\"mcp\"]}\n}}";
        let rest = "{\"a\": 1, \"mcpServers\": {\n}}";
        assert_eq!(without(text, server()).as_deref(), Some(rest));
    }

    #[test]
    fn what_cannot_be_read_or_is_somebody_elses_is_refused_with_its_line() {
        refuses("{\n  \"a\": 1\n  \"b\": 2\n}", FaultCode::Malformed, 2);
        refuses("// nothing", FaultCode::Malformed, 1);
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
