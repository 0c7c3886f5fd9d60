//! Our part of one file of a client: inserts it, and removes it again.

use super::fault::Fault;
use super::{block, json, json_setting, toml_table, whole};
use crate::markdown::BYTE_ORDER_MARK;
use crate::secrets::shown_name;

/// Our part of one file of a client.
#[derive(Debug, Clone)]
pub struct ClientEdit(pub(super) What);

#[derive(Debug, Clone)]
pub(super) enum What {
    /// A block between two marks.
    Block(&'static str),
    /// A block with a line that imports another file, unless that line is there.
    Import(&'static str),
    /// The whole file; a mark in it holds the hash of the rest.
    Whole(&'static str),
    Json(Vec<json::JsonEntry>),
    Setting(json_setting::JsonSetting),
    Toml,
}

impl ClientEdit {
    /// Returns the text with our part in it.
    pub fn insert(&self, text: Option<&str>) -> Result<String, Fault> {
        match text.and_then(|text| text.strip_prefix(BYTE_ORDER_MARK)) {
            Some(text) => Ok(format!("{BYTE_ORDER_MARK}{}", self.insert_plain(Some(text))?)),
            None => self.insert_plain(text),
        }
    }

    /// Returns the text without our part, or nothing if the whole file is ours.
    pub fn remove(&self, text: &str) -> Result<Option<String>, Fault> {
        let (bom, plain) = match text.strip_prefix(BYTE_ORDER_MARK) {
            Some(plain) => (BYTE_ORDER_MARK, plain),
            None => ("", text),
        };
        Ok(self.remove_plain(plain)?.map(|before| format!("{bom}{before}")))
    }

    /// Returns a note about a server that starts a relative path and is left as it is.
    pub fn notice(&self, text: &str) -> Option<String> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let program = match &self.0 {
            What::Block(_) | What::Import(_) | What::Whole(_) | What::Setting(_) => None,
            What::Json(entries) => entries.iter().find_map(|entry| entry.relative_program(text)),
            What::Toml => toml_table::relative_server(text),
        }?;
        Some(format!(
            "starts `{}`, which is another program in each folder; that entry was left as it is: \
             write `agent-memory` there if it is meant to be this one",
            shown_name(&program)
        ))
    }

    fn insert_plain(&self, text: Option<&str>) -> Result<String, Fault> {
        // An empty file of settings has no settings.
        let settings = text.filter(|text| !text.trim().is_empty());
        match &self.0 {
            What::Block(body) => block::insert(text, body),
            What::Import(line) => match text {
                Some(text) if block::has_line(text, line)? => Ok(text.to_owned()),
                text => block::insert(text, &format!("{line}\n")),
            },
            What::Whole(template) => whole::insert(text, template),
            What::Json(entries) => {
                // Each entry is tried alone first, so that a fault names the line of the original text.
                entries.iter().try_for_each(|entry| json::insert(settings, entry).map(drop))?;
                let insert =
                    |text: Option<String>, entry| json::insert(text.as_deref(), entry).map(Some);
                let text = entries.iter().try_fold(settings.map(str::to_owned), insert)?;
                Ok(text.expect("there is an entry"))
            }
            What::Setting(setting) => json_setting::insert(settings, setting),
            What::Toml => toml_table::insert(text),
        }
    }

    fn remove_plain(&self, text: &str) -> Result<Option<String>, Fault> {
        match &self.0 {
            What::Block(_) | What::Import(_) => block::remove(text),
            What::Whole(_) => Ok((!whole::is_ours(text)?).then(|| text.to_owned())),
            What::Json(_) | What::Setting(_) | What::Toml if text.trim().is_empty() => {
                Ok(Some(text.to_owned()))
            }
            What::Json(_) | What::Setting(_) | What::Toml if self.insert_plain(None)? == text => {
                Ok(None)
            }
            What::Json(entries) => json::remove(text, entries),
            What::Setting(setting) => json_setting::remove(text, setting),
            What::Toml => toml_table::remove(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::{Client, ClientScope, ClientTarget, FilePurpose};

    fn edit(client: Client, purpose: FilePurpose) -> ClientEdit {
        let targets = client.targets(ClientScope::Project, None);
        let is_wanted = |each: &ClientTarget| each.purpose == purpose;
        targets.into_iter().find(is_wanted).expect("the client has it").edit
    }

    fn servers() -> ClientEdit {
        edit(Client::Cursor, FilePurpose::Mcp)
    }

    /// Checks that what a person had is there again, to the byte.
    #[track_caller]
    fn comes_back(edit: &ClientEdit, before: &str) {
        let text = edit.insert(Some(before)).expect("there is room");
        assert_ne!(text, before);
        assert_eq!(edit.insert(Some(&text)).expect("it is there"), text);
        assert_eq!(edit.remove(&text).expect("it is ours").as_deref(), Some(before), "{text}");
    }

    #[test]
    fn what_a_person_left_empty_is_empty_again() {
        for before in [
            "{}",
            "{}\n",
            "{ }\n",
            "{\n}\n",
            "{\"mcpServers\": {}}",
            "{\n  \"mcpServers\": {}\n}\n",
            "{\n  \"mcpServers\": {\n  }\n}\n",
            "{\r\n\t\"theme\": \"x\",\r\n\t\"mcpServers\": {},\r\n}\r\n",
            "// mine\n{\"mcpServers\": {}} // too\n",
        ] {
            comes_back(&servers(), before);
            comes_back(&servers(), &format!("{BYTE_ORDER_MARK}{before}"));
        }
        for before in [
            "{}",
            "{\"hooks\": {}}",
            "{\"hooks\": {\n}}\n",
            "{\"hooks\": {\"stop\": []}}",
            "{\n  \"hooks\": {\n    \"sessionStart\": [],\n    \"stop\": [ ]\n  }\n}\n",
            "{\"version\": 1, \"hooks\": {}}",
            "{\"version\": 1}",
            "{\"hooks\": {\"stop\": [ // mine\n]}}",
        ] {
            comes_back(&edit(Client::Cursor, FilePurpose::Hooks), before);
        }
    }

    #[test]
    fn blanks_behind_the_last_comment_stay() {
        let there = "{\"mcpServers\": {\n  \"agent-memory\": {\"command\": \"agent-memory\", \"args\": [\"mcp\"]} // mine  \n}}";
        assert_eq!(servers().insert(Some(there)).expect("it is there"), there);
        comes_back(
            &edit(Client::Cursor, FilePurpose::Hooks),
            "{\"hooks\": {\"stop\": [ // mine  \n]}}",
        );
    }

    #[test]
    fn what_a_person_filled_comes_back_in_its_layout() {
        for before in [
            "{\"hooks\": {\"stop\": [{\"command\": \"x\"}]}}",
            "{\n  \"hooks\": {\n    \"stop\": [\n      {\"command\": \"x\"} // x\n    ]\n  }\n}",
        ] {
            comes_back(&edit(Client::Cursor, FilePurpose::Hooks), before);
        }
        let table = edit(Client::Codex, FilePurpose::Mcp);
        for before in ["[mcp_servers]\n", "# mine\n", "a = 1\n\n[mcp_servers]\n\n[b]\nc = 1\n"] {
            comes_back(&table, before);
        }
    }

    #[test]
    fn a_file_of_ours_goes_however_it_was_reformatted() {
        let server = r#""agent-memory": {"command": "agent-memory", "args": ["mcp"]}"#;
        let more = r#""agent-memory":{"command":"agent-memory","args":["mcp"],"env":{"A":"b"}}"#;
        for text in [
            format!("{{\"mcpServers\": {{{server}}}}}"),
            format!("{{\"mcpServers\":{{{more}}}}}"),
            format!("{{\n    \"mcpServers\": {{\n        {more}\n    }}\n}}"),
            servers().insert(None).expect("room") + " ",
        ] {
            assert_eq!(servers().remove(&text).expect("ours"), None, "{text}");
        }
        let ours = edit(Client::Opencode, FilePurpose::Mcp);
        let text = ours.insert(None).expect("room").replace("true", "false");
        assert_eq!(ours.remove(&text).expect("ours"), None, "{text}");
        let commented = format!("{{\n  // mine\n  \"mcpServers\": {{{server}}}\n}}\n");
        assert_eq!(
            servers().remove(&commented).expect("ours").as_deref(),
            Some("{\n  // mine\n  \"mcpServers\": {}\n}\n")
        );
        let table = edit(Client::Codex, FilePurpose::Mcp);
        let text = table.insert(None).expect("room") + "startup_timeout_sec = 20\n";
        assert_eq!(table.remove(&text).expect("ours"), None);
    }

    #[test]
    fn what_a_person_laid_out_goes_alone() {
        let hooks = edit(Client::Cursor, FilePurpose::Hooks);
        let ours = "{\n  \"command\": \"agent-memory hook cursor stop\"\n}";
        for list in [format!("[{ours}]"), format!("[\n{ours}\n]"), format!("[ {ours}, ]")] {
            let text = format!("{{\"hooks\": {{\"stop\": {list}}}}}");
            assert_eq!(hooks.remove(&text).expect("ours"), None, "{text}");
        }
        let other = "{\"command\": \"x\"}";
        for list in [format!("[{ours}, {other}]"), format!("[{other}, {ours}]")] {
            let text = format!("{{\"hooks\": {{\"stop\": {list}}}}}");
            let rest = format!("{{\"hooks\": {{\"stop\": [{other}]}}}}");
            assert_eq!(hooks.remove(&text).expect("ours"), Some(rest), "{text}");
        }
        let text = format!("{{\"a\": 1, \"hooks\": {{\"stop\": [{ours}]}}}}");
        let rest = "{\"a\": 1, \"hooks\": {\"stop\": []}}";
        assert_eq!(hooks.remove(&text).expect("ours").as_deref(), Some(rest));
    }

    #[test]
    fn what_was_made_for_us_goes_after_a_person_added_more() {
        let edit = edit(Client::Gemini, FilePurpose::Mcp);
        let text = edit.insert(Some("{\n  \"a\": 1\n}\n")).expect("there is room");
        let text = text.replace("\n}\n", ",\n  \"b\": 2\n}\n");
        let rest = "{\n  \"a\": 1,\n  \"b\": 2\n}\n";
        assert_eq!(edit.remove(&text).expect("ours").as_deref(), Some(rest), "{text}");
    }

    #[test]
    fn an_empty_file_is_an_empty_file_of_settings() {
        let zed = edit(Client::Zed, FilePurpose::Mcp);
        for (edit, text) in [(servers(), ""), (servers(), "\n"), (zed, " \r\n")] {
            assert_eq!(edit.insert(Some(text)), edit.insert(None), "{text:?}");
            assert_eq!(edit.remove(text).expect("nothing of ours").as_deref(), Some(text));
        }
    }
}
