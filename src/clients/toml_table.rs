//! Keeps one table at the end of a TOML file.

use std::collections::BTreeMap;
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
    // What is no table of servers keeps us from putting ours there, and is not ours to take.
    let servers = document.get(SERVERS).and_then(Item::as_table_like);
    let ours = servers.and_then(|servers| servers.get(NAME)).filter(|item| is_ours(item));
    let Some(item) = ours else { return Ok(Vec::new()) };
    let Some((table, own)) = item.as_table().and_then(|table| Some((table, range(text, table)?)))
    else {
        return Err(within(text, &document));
    };
    let mut cut = text.to_owned();
    let mut start = own.start;
    for inner in below(text, table).into_iter().rev() {
        start -= if inner.start < own.start { inner.len() } else { 0 };
        cut.replace_range(inner, "");
    }
    let origins = origins(&cut, start..start + own.len());
    // The last one is taken where no other was there before.
    let rest = origins.last().and_then(Option::as_deref).unwrap_or_default();
    let is_all_else =
        Document::parse(rest).is_ok_and(|after| facts(rest, &after) == facts(text, &document));
    if is_all_else { Ok(origins) } else { Err(within(text, &document)) }
}

/// Returns the lines of a table that has a header, up to the next one.
fn range(text: &str, table: &Table) -> Option<Range<usize>> {
    let span = table.span().filter(|_| !table.is_dotted() && !table.is_implicit())?;
    let end = end_of(table).max(span.end);
    Some(span.start..text[end..].find('\n').map_or(text.len(), |at| end + at + 1))
}

/// Returns where the last value ends that stands below the header of a table.
fn end_of(table: &Table) -> usize {
    let ends = table.iter().filter_map(|(_, item)| match item {
        Item::Value(_) => item.span().map(|span| span.end),
        Item::Table(inner) if inner.is_dotted() => Some(end_of(inner)),
        Item::Table(_) | Item::ArrayOfTables(_) | Item::None => None,
    });
    ends.max().unwrap_or_default()
}

/// Returns the lines of the tables with headers of their own below a table, in order; others may stand between.
fn below(text: &str, table: &Table) -> Vec<Range<usize>> {
    let mut tables: Vec<&Table> = Vec::new();
    for (_, item) in table {
        match item {
            Item::Table(inner) => tables.push(inner),
            Item::ArrayOfTables(list) => tables.extend(list),
            Item::Value(_) | Item::None => {}
        }
    }
    let each = |inner: &&Table| range(text, inner).into_iter().chain(below(text, inner));
    let mut ranges: Vec<_> = tables.iter().flat_map(each).collect();
    ranges.sort_by_key(|range| range.start);
    ranges
}

/// Returns what a document says besides our table: names and values as they are written.
fn facts<'t>(text: &'t str, document: &Document<&str>) -> BTreeMap<Vec<String>, &'t str> {
    let mut facts = BTreeMap::new();
    gather(text, document.as_table(), &[], &mut facts);
    facts.retain(|path, _| !path.starts_with(&[SERVERS.to_owned(), NAME.to_owned()]));
    facts
}

fn gather<'t>(
    text: &'t str,
    table: &Table,
    path: &[String],
    facts: &mut BTreeMap<Vec<String>, &'t str>,
) {
    // A table that was only named on the way to ours goes with it.
    if !table.is_implicit() && !table.is_dotted() {
        facts.insert(path.to_vec(), "");
    }
    for (name, item) in table {
        let path = [path, &[name.to_owned()]].concat();
        match item {
            Item::Table(inner) => gather(text, inner, &path, facts),
            Item::ArrayOfTables(list) => {
                for (number, inner) in list.iter().enumerate() {
                    gather(text, inner, &[&path[..], &[number.to_string()]].concat(), facts);
                }
            }
            Item::Value(value) => {
                facts.insert(path, &text[value.span().unwrap_or_default()]);
            }
            Item::None => {}
        }
    }
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

fn within(text: &str, document: &Document<&str>) -> Fault {
    let message = format!("`{SERVERS}.{NAME}` is ours, but no table that can be cut out");
    let fault = Fault::new(FaultCode::WrongShape, message, "take it out by hand");
    let place = document.get(SERVERS).and_then(Item::span);
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
