//! Writes and removes one entry in a JSON file of settings; comments and layout stay.

use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstObjectProp};
use jsonc_parser::json;
use serde_json::Value;

use super::fault::{Fault, FaultCode};
use super::json_tree::{
    Holder, WayOut, cut, is_bare, is_empty, line_of, member, parse, wrong_shape,
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

pub(super) fn put(text: Option<&str>, entry: &JsonEntry) -> Result<String, Fault> {
    let root = parse(text.unwrap_or("{}\n"))?;
    let top = root.object_value().ok_or_else(|| wrong_shape("the file", root.value(), false))?;
    let holder = Holder::of(&entry.holder(&top)?);
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
    entry.put_into(&section)?;
    let after = root.to_string();
    Ok(match (text, holder) {
        (Some(before), Some(holder)) => holder.restored(before, &after),
        (_, _) => after,
    })
}

/// Removes the entry, and the list and section that were made for it; returns nothing if so was the file.
pub(super) fn remove(text: &str, entry: &JsonEntry) -> Result<Option<String>, Fault> {
    let unchanged = || Ok(Some(text.to_owned()));
    let root = parse(text)?;
    let Some(top) = root.object_value() else { return unchanged() };
    let Some(outer) = member(&top, entry.section)? else { return unchanged() };
    if !entry.is_installed(outer.value()) {
        return unchanged();
    }
    let section = outer.object_value().ok_or_else(|| entry.wrong_section(&top))?;
    let found = member(&section, entry.name)?.filter(|found| entry.is_installed(found.value()));
    let Some(found) = found else { return unchanged() };
    // What is taken out of a container may take its line ends along.
    let way_out = [&found, &outer].map(|it| WayOut::of(&it.clone().into()));
    if entry.is_in_list {
        let Some(list) = found.array_value() else { return Err(entry.wrong_list(&found)) };
        list.elements().into_iter().for_each(|each| entry.remove_hook(each));
        if is_empty(&list.into()) {
            way_out[0].take(found.into());
        }
    } else {
        way_out[0].take(found.into());
    }
    if is_empty(&section.into()) {
        way_out[1].take(outer.into());
    }
    let rest = root.to_string();
    Ok((!is_bare(&root) && entry.new_file().as_ref() != Some(&rest)).then_some(rest))
}

/// Returns what a whole file has at a pointer; nothing where the file cannot be read.
pub(super) fn value_at(file: &str, pointer: &str) -> Option<Value> {
    let text = file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(file);
    parse(text).ok()?.to_serde_value()?.pointer_mut(pointer).map(Value::take)
}

impl JsonEntry {
    /// Returns what the entry is put into, as far as it is there: its list, the section or the file.
    fn holder(&self, top: &CstObject) -> Result<CstNode, Fault> {
        let section = member(top, self.section)?.map(|found| found.object_value());
        let Some(Some(section)) = section else { return Ok(top.clone().into()) };
        let list = member(&section, self.name)?.and_then(|found| found.array_value());
        Ok(list.map_or_else(|| section.into(), CstNode::from))
    }

    /// Returns a new file without the entry, if it begins with another member.
    fn new_file(&self) -> Option<String> {
        let (name, value) = self.first.as_ref()?;
        let root = parse("{}\n").ok()?;
        root.object_value()?.append(name, value.clone());
        Some(root.to_string())
    }

    fn put_into(&self, section: &CstObject) -> Result<(), Fault> {
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
            true => WayOut::of(&hook).take(hook),
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
        assert_eq!(remove(&put, entry).expect("it is there").as_deref(), Some(before));
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
        check(
            &server(),
            "{}",
            "{\"mcpServers\": {\n    \"agent-memory\": {\n      \"command\": \"agent-memory\",\n      \"args\": [\"mcp\"]\n    }\n  }}",
        );
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
            assert_eq!(remove(text, &server()).expect("it is a person's").as_deref(), Some(text));
        }
    }

    #[test]
    fn a_spelling_of_a_person_stays() {
        for command in
            ["lint && agent-memory hook cursor stop", "/bin/agent-memory hook cursor stop"]
        {
            let text = format!("{{\"hooks\": {{\"stop\": [{{\"command\": \"{command}\"}}]}}}}");
            assert_eq!(put(Some(&text), &hook()).expect("ours"), text);
            assert_eq!(remove(&text, &hook()).expect("theirs"), Some(text));
        }
        let text = r#"{"mcpServers": {"agent-memory": {"command": "/bin/agent-memory", "args": ["mcp"]}}}"#;
        assert_eq!(remove(text, &server()).expect("theirs").as_deref(), Some(text));
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
            assert_eq!(remove(&with, &server()).expect("it is there").as_deref(), Some(without));
        }
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
