//! Writes and removes one table in a TOML file.

use toml_edit::{Array, Document, DocumentMut, Item, Table};

use super::block::{eol_of, with_eol};
use super::fault::{Fault, FaultCode};
use super::starts::{is_as_installed, relative_program, starts};

const SERVERS: &str = "mcp_servers";

/// Our server; the client allows no dash.
const NAME: &str = "agent_memory";

const WORDS: &[&str] = &["mcp"];

pub(super) fn insert(text: Option<&str>) -> Result<String, Fault> {
    let text = text.unwrap_or_default();
    let document = parse(text)?;
    if has_server(&document) {
        return Ok(text.to_owned());
    }
    if let Some(item) = document.get(SERVERS).and_then(|servers| servers.get(NAME)) {
        return Err(foreign(text, item));
    }
    let span = document.get(SERVERS).and_then(Item::span);
    let mut document = document.into_mut();
    let servers = document.entry(SERVERS).or_insert_with(|| {
        let mut servers = Table::new();
        servers.set_implicit(true);
        Item::Table(servers)
    });
    let Some(servers) = servers.as_table_like_mut() else {
        let hint = format!("write its servers as tables, `[{SERVERS}.name]`, then try again");
        let fault = Fault::new(FaultCode::WrongShape, format!("`{SERVERS}` is no table"), hint);
        return Err(fault.at_offset(text, span.unwrap_or_default().start));
    };
    let mut ours = Table::new();
    ours.insert("command", "agent-memory".into());
    ours.insert("args", Array::from_iter(["mcp"]).into());
    servers.insert(NAME, ours.into());
    Ok(written(&document, text))
}

/// Removes our table with all its subtables; returns nothing if the file has nothing else.
pub(super) fn remove(text: &str) -> Result<Option<String>, Fault> {
    let mut document = parse(text)?.into_mut();
    let servers = document.get_mut(SERVERS).and_then(Item::as_table_like_mut);
    let is_installed = |item: &Item| is_as_installed(&line_of(item), WORDS);
    let ours = servers.filter(|servers| servers.get(NAME).is_some_and(is_installed));
    let Some(ours) = ours.and_then(|servers| servers.remove(NAME)) else {
        return Ok(Some(text.to_owned()));
    };
    // A person's comment above it stays.
    let above = ours.as_table().and_then(|table| table.decor().prefix()?.as_str());
    if let Some(above) = above.filter(|above| !above.trim().is_empty()) {
        let rest = document.trailing().as_str().unwrap_or_default();
        document.set_trailing(format!("{above}{rest}"));
    }
    let rest = written(&document, text);
    Ok((!rest.is_empty()).then_some(rest))
}

/// Returns the program at a relative path that a server starts with our words.
pub(super) fn relative_server(text: &str) -> Option<String> {
    let document = parse(text).ok()?;
    let servers = document.get(SERVERS).and_then(Item::as_table_like)?;
    servers.iter().find_map(|(_, item)| relative_program(&line_of(item), WORDS))
}

fn written(document: &DocumentMut, text: &str) -> String {
    with_eol(&document.to_string().replace("\r\n", "\n"), eol_of(text))
}

fn parse(text: &str) -> Result<Document<&str>, Fault> {
    Document::parse(text).map_err(|error| {
        let message = format!("it is not TOML: {}", error.message().trim());
        let fault = Fault::new(FaultCode::Malformed, message, "correct the line, then try again");
        match error.span() {
            Some(span) => fault.at_offset(text, span.start),
            None => fault,
        }
    })
}

/// Tells whether any server of the file starts ours, under whatever name; a second one would double its tools.
fn has_server(document: &Document<&str>) -> bool {
    let servers = document.get(SERVERS).and_then(Item::as_table_like);
    servers.is_some_and(|all| all.iter().any(|(_, item)| starts(&line_of(item), WORDS)))
}

/// The command line of a server. Its other settings belong to the person.
fn line_of(server: &Item) -> Vec<&str> {
    let command = server.get("command").and_then(Item::as_str);
    let arguments = server.get("args").and_then(Item::as_array).into_iter().flatten();
    command.into_iter().chain(arguments.filter_map(|it| it.as_str())).collect()
}

fn foreign(text: &str, item: &Item) -> Fault {
    let message = format!("`{SERVERS}.{NAME}` starts something else than `agent-memory mcp`");
    let hint = "rename it or take it out, then try again; it was left as it is";
    let fault = Fault::new(FaultCode::ForeignEntry, message, hint);
    fault.at_offset(text, item.span().unwrap_or_default().start)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str =
        "[mcp_servers.agent_memory]\ncommand = \"agent-memory\"\nargs = [\"mcp\"]\n";

    fn refuses(text: &str, code: FaultCode, line: Option<usize>) {
        let fault = insert(Some(text)).expect_err("it is refused");
        assert_eq!((fault.code, fault.line), (code, line), "{}", fault.message);
    }

    #[test]
    fn what_cannot_be_read_or_is_another_servers_is_refused_with_its_line() {
        refuses("a = 1\nb = \n", FaultCode::Malformed, Some(2));
        refuses("a = 1\nmcp_servers = 1\n", FaultCode::WrongShape, Some(2));
        let other = "a = 1\n\n[mcp_servers.agent_memory]\ncommand = \"other\"\n";
        refuses(other, FaultCode::ForeignEntry, Some(3));
    }

    #[test]
    fn a_server_that_a_person_set_up_further_stays() {
        let path =
            "[mcp_servers.agent_memory]\ncommand = \"/usr/bin/agent-memory\"\nargs = [\"mcp\"]\n";
        for text in [format!("{TABLE}startup_timeout_sec = 20\n"), path.to_owned()] {
            assert_eq!(insert(Some(&text)).expect("ours"), text);
        }
        assert_eq!(remove(path).expect("theirs").as_deref(), Some(path));
        let named = path.replace("agent_memory]", "memory]");
        assert_eq!(insert(Some(&named)).expect("it is there"), named);
    }

    #[test]
    fn it_comes_beside_the_servers_that_are_there() {
        for (before, after) in [
            ("a = 1 # b\n", format!("a = 1 # b\n\n{TABLE}")),
            (
                "[mcp_servers.x]\ny = 1\n\n# z\n[z]\n",
                format!("[mcp_servers.x]\ny = 1\n\n{TABLE}\n# z\n[z]\n"),
            ),
            (
                "mcp_servers = { x = { y = 1 } }\n",
                "mcp_servers = { x = { y = 1 } , agent_memory = { command = \"agent-memory\", args = [\"mcp\"] } }\n".to_owned(),
            ),
            ("mcp_servers.x.y = 1\n", format!("mcp_servers.x.y = 1\n\n{TABLE}")),
        ] {
            let inserted = insert(Some(before)).expect("room");
            assert_eq!(inserted, after);
            assert_eq!(remove(&inserted).expect("ours").as_deref(), Some(before));
        }
    }

    #[test]
    fn all_below_our_name_goes_and_what_a_person_wrote_stays() {
        let text = format!(
            "a = 1\n\n# mine\n{TABLE}[mcp_servers.agent_memory.env]\nA = \"b\"\n\n# too\n[other]\n"
        );
        let rest = "a = 1\n\n# too\n[other]\n\n# mine\n";
        assert_eq!(remove(&text).expect("ours").as_deref(), Some(rest));
    }
}
