//! Keeps one table at the end of a TOML file.

use std::ops::Range;

use toml_edit::{Document, Item, Table};

use super::fault::{Fault, FaultCode};
use super::tail::{append, origins};

/// The table that holds the servers.
const SERVERS: &str = "mcp_servers";

/// Our server in it; the client takes no dash.
const NAME: &str = "agent_memory";

/// Our table.
const TABLE: &str = "[mcp_servers.agent_memory]\ncommand = \"agent-memory\"\nargs = [\"mcp\"]\n";

/// Returns a text with our table in it.
pub(super) fn put(text: Option<&str>) -> Result<String, Fault> {
    let Some(text) = text else { return Ok(append(None, TABLE)) };
    let document = parse(text)?;
    if let Some(item) = servers(text, &document)?.and_then(|servers| servers.get(NAME)) {
        return if is_ours(item) { Ok(text.to_owned()) } else { Err(foreign(text, item)) };
    }
    let added = append(Some(text), TABLE);
    // A table that is written with dots or braces cannot be continued below.
    match parse(&added) {
        Ok(_) => Ok(added),
        Err(_) => Err(closed(text, document.get(SERVERS))),
    }
}

/// Returns what a text can have been before the table came into it; nothing if it has none.
pub(super) fn before(text: &str) -> Result<Vec<Option<String>>, Fault> {
    let document = parse(text)?;
    let ours = servers(text, &document)?.and_then(|servers| servers.get(NAME));
    let Some(item) = ours.filter(|item| is_ours(item)) else { return Ok(Vec::new()) };
    let written = item.as_table().and_then(|table| Some((table, table.span()?)));
    let Some((table, Range { start, .. })) = written else {
        return Err(closed(text, document.get(SERVERS)));
    };
    let end = end_of(table);
    let line = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    Ok(origins(text, start..line))
}

/// Returns where a table ends with all that stands below its name.
fn end_of(table: &Table) -> usize {
    let inner = table.iter().filter_map(|(_, item)| match item {
        Item::Table(inner) => Some(end_of(inner)),
        Item::Value(_) | Item::ArrayOfTables(_) => item.span().map(|span| span.end),
        Item::None => None,
    });
    inner.chain(table.span().map(|span| span.end)).max().unwrap_or_default()
}

fn parse(text: &str) -> Result<Document<&str>, Fault> {
    // Kept where it is, so that offsets are those of the file.
    Document::parse(text).map_err(|error| {
        let message = format!("it is not TOML: {}", error.message().trim());
        let fault = Fault::new(FaultCode::Malformed, message, "correct the line, then try again");
        match error.span() {
            Some(span) => fault.at(text, span.start),
            None => fault,
        }
    })
}

fn servers<'d>(
    text: &str,
    document: &'d Document<&str>,
) -> Result<Option<&'d dyn toml_edit::TableLike>, Fault> {
    let Some(item) = document.get(SERVERS) else { return Ok(None) };
    item.as_table_like().map(Some).ok_or_else(|| closed(text, Some(item)))
}

/// Tells whether a server is started as ours is; what else is set for it is the person's choice.
fn is_ours(item: &Item) -> bool {
    let Some(server) = item.as_table_like() else { return false };
    let command = server.get("command").and_then(Item::as_str);
    let first = server.get("args").and_then(Item::as_array).and_then(|args| args.get(0));
    command == Some("agent-memory") && first.and_then(toml_edit::Value::as_str) == Some("mcp")
}

fn foreign(text: &str, item: &Item) -> Fault {
    let message = format!("`{SERVERS}.{NAME}` starts something else than `agent-memory mcp`");
    let hint = "rename it or take it out, then try again; it was left as it is";
    let fault = Fault::new(FaultCode::ForeignEntry, message, hint);
    fault.at(text, item.span().unwrap_or_default().start)
}

fn closed(text: &str, item: Option<&Item>) -> Fault {
    let message = format!("`{SERVERS}` is no table that can be continued");
    let hint = format!("write its servers as tables, `[{SERVERS}.name]`, then try again");
    let fault = Fault::new(FaultCode::WrongShape, message, hint);
    let place = item.and_then(Item::span);
    place.map_or(fault.clone(), |span| fault.at(text, span.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuses(text: &str, code: FaultCode, line: Option<usize>) {
        let fault = put(Some(text)).expect_err("it is refused");
        assert_eq!((fault.code, fault.line), (code, line), "{}", fault.message);
    }

    #[test]
    fn what_cannot_be_read_or_continued_is_refused_with_its_line() {
        refuses("a = 1\nb = \n", FaultCode::Malformed, Some(2));
        refuses(
            "a = 1\nmcp_servers = { x = { command = \"y\" } }\n",
            FaultCode::WrongShape,
            Some(2),
        );
        refuses("mcp_servers = 1\n", FaultCode::WrongShape, Some(1));
        let other = "a = 1\n\n[mcp_servers.agent_memory]\ncommand = \"other\"\n";
        refuses(other, FaultCode::ForeignEntry, Some(3));
    }

    #[test]
    fn a_server_that_a_person_set_up_further_stays() {
        let text = format!("{TABLE}startup_timeout_sec = 20\n");
        assert_eq!(put(Some(&text)).expect("ours"), text);
    }

    #[test]
    fn all_below_our_name_goes_and_the_next_table_stays() {
        let text = format!(
            "a = 1\n\n{TABLE}[mcp_servers.agent_memory.env]\nA = \"b\"\n\n# mine\n[other]\n"
        );
        let origins = before(&text).expect("ours");
        assert_eq!(origins.last().expect("one").as_deref(), Some("a = 1\n\n# mine\n[other]\n"));
    }
}
