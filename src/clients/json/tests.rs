use super::*;

const SERVER: Entry = Entry {
    path: &["mcpServers"],
    item: Item::Member("agent-memory", r#"{"command": "agent-memory", "args": ["mcp"]}"#),
    words: &["agent-memory", "mcp"],
    first: None,
};

const HOOK: Entry = Entry {
    path: &["hooks", "stop"],
    item: Item::Element(r#"{"command": "agent-memory hook cursor stop"}"#),
    words: &["agent-memory", "hook", "cursor", "stop"],
    first: Some(r#""version": 1"#),
};

fn check(entry: &Entry, before: Option<&str>, after: &str) {
    let put = put(before, entry).expect("it can be put there");
    assert_eq!(put, after);
    assert_eq!(super::put(Some(&put), entry).expect("it is there"), put);
    let origins = super::before(&put, entry).expect("it is there");
    let same = |origin: &&Option<String>| super::put(origin.as_deref(), entry).as_ref() == Ok(&put);
    assert_eq!(origins.iter().find(same).expect("one").as_deref(), before);
}

fn refuses(text: &str, code: FaultCode, line: usize) {
    let fault = put(Some(text), &SERVER).expect_err("it is refused");
    assert_eq!((fault.code, fault.line), (code, Some(line)), "{}", fault.message);
}

#[test]
fn a_new_file_is_laid_out_for_people() {
    let server = "{\n  \"mcpServers\": {\n    \"agent-memory\": {\n      \"command\": \"agent-memory\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n";
    check(&SERVER, None, server);
    let hook = "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [\n      {\n        \"command\": \"agent-memory hook cursor stop\"\n      }\n    ]\n  }\n}\n";
    check(&HOOK, None, hook);
}

#[test]
fn an_entry_comes_first_and_no_other_line_changes() {
    check(
        &SERVER,
        Some("{\r\n\t\"mcpServers\": { // all\r\n\t\t\"b\": {}, // b\r\n\t},\r\n}"),
        "{\r\n\t\"mcpServers\": { // all\r\n\t\t\"agent-memory\": {\r\n\t\t\t\"command\": \"agent-memory\",\r\n\t\t\t\"args\": [\"mcp\"]\r\n\t\t},\r\n\t\t\"b\": {}, // b\r\n\t},\r\n}",
    );
    check(
        &HOOK,
        Some("{\"hooks\": {\"stop\": [{\"command\": \"x\"}]}}"),
        "{\"hooks\": {\"stop\": [{\"command\": \"agent-memory hook cursor stop\"}, {\"command\": \"x\"}]}}",
    );
}

#[test]
fn what_was_empty_is_told_from_what_was_not_there() {
    let entry = r#""agent-memory": {"command": "agent-memory", "args": ["mcp"]}"#;
    check(&SERVER, Some("{}\n"), &format!("{{\"mcpServers\": {{ {entry} }}}}\n"));
    check(&SERVER, Some("{\"mcpServers\": {}}\n"), &format!("{{\"mcpServers\": {{{entry}}}}}\n"));
    check(&SERVER, Some("{ }"), &format!("{{\"mcpServers\": {{ {entry} }} }}"));
    check(&SERVER, Some("{ // none\n}"), &format!("{{\"mcpServers\": {{ {entry} }} // none\n}}"));
}

#[test]
fn what_a_person_set_besides_stays() {
    let text = r#"{"mcpServers": {"agent-memory": {"command": "agent-memory", "args": ["mcp", "--root", "."], "env": {}}}}"#;
    assert_eq!(put(Some(text), &SERVER).expect("ours"), text);
}

#[test]
fn an_entry_that_others_follow_or_precede_is_cut_out_alone() {
    let entry = r#""agent-memory": {"command": "agent-memory", "args": ["mcp"]}"#;
    let last = |text: String| {
        let origins = before(&text, &SERVER).expect("it is there");
        origins.last().expect("one").clone().expect("a text")
    };
    let text = format!("{{\"mcpServers\": {{\n  \"a\": {{}}, // a\n  {entry}\n}}}}");
    assert_eq!(last(text), "{\"mcpServers\": {\n  \"a\": {} // a\n}}");
    let text = format!("{{\"mcpServers\": {{\"a\": {{}}, {entry}, \"b\": 1}}}}");
    assert_eq!(last(text), "{\"mcpServers\": {\"a\": {}, \"b\": 1}}");
    let text = format!("{{\"mcpServers\": {{\"a\": {{}}, {entry}}}}}");
    assert_eq!(last(text), "{\"mcpServers\": {\"a\": {}}}");
    let text = format!("{{\"mcpServers\": {{\n  {entry}\n}}}}");
    assert_eq!(last(text), "{\"mcpServers\": {\n}}");
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
