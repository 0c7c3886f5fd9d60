//! Finds the request in a text as agents write it: inside a Markdown fence, between sentences, with raw line breaks.

use std::borrow::Cow;

use serde_json::Value;

use crate::project::request::{Answer, Reason, Refusal};
use crate::text::read_json;

/// What a request is.
pub(super) const HINT: &str = "send one JSON object with `intent` and `operations`";

/// Opening braces from which an object is looked for: a text may be hostile, and each costs a pass over it.
const TRIES: usize = 16;

/// The JSON of a request, and what had to be understood to read it.
#[derive(Debug)]
pub(super) struct FoundRequest {
    pub(super) value: Value,
    pub(super) warnings: Vec<String>,
}

/// Reads the one request that a text holds.
pub(super) fn find_request(text: &str) -> Answer<FoundRequest> {
    if text.trim().is_empty() {
        return Err(Refusal::new(Reason::InvalidRequest, "the request is empty", HINT));
    }
    let problem = match read_lenient(text) {
        Ok(found) => return Ok(found),
        Err(problem) => problem,
    };
    let RequestsIn { mut found, rest } = requests_in(text);
    found.dedup_by(|one, other| one.value == other.value);
    let is_whole = !REST.iter().any(|word| rest.contains(word));
    match (found.len(), is_whole) {
        (1, true) => {
            let mut found = found.swap_remove(0);
            found.warnings.push(
                "the text around the JSON of the request was left out; send the JSON alone"
                    .to_owned(),
            );
            Ok(found)
        }
        (0, _) | (1, false) => {
            let message = format!("the request is not valid JSON: {problem}");
            Err(Refusal::new(Reason::InvalidRequest, message, HINT))
        }
        (count, _) => {
            let message = format!("the text holds {count} requests");
            Err(Refusal::new(Reason::InvalidRequest, message, "send one request at a time"))
        }
    }
}

/// What the text around a request must not hold: a part of another request, or of the one that it stands in, which was
/// cut off; a comment, in which it is not meant.
const REST: [&str; 3] = ["\"intent", "\"operation", "<!--"];

/// Reads JSON in which strings may hold line breaks and tabs as they are.
fn read_lenient(text: &str) -> Result<FoundRequest, String> {
    let problem = match read_json(text) {
        Ok(value) => return Ok(FoundRequest { value, warnings: Vec::new() }),
        Err(problem) => problem.to_string(),
    };
    let Cow::Owned(escaped) = with_escaped_breaks(text) else { return Err(problem) };
    let value = read_json(&escaped).map_err(|_| problem)?;
    let warning = "line breaks and tabs in strings were read as `\\n` and `\\t`; escape them";
    Ok(FoundRequest { value, warnings: vec![warning.to_owned()] })
}

/// The requests in a text, and the rest of it.
struct RequestsIn {
    found: Vec<FoundRequest>,
    rest: String,
}

fn requests_in(text: &str) -> RequestsIn {
    let (mut found, mut rest, mut at) = (Vec::new(), String::new(), 0);
    for _ in 0..TRIES {
        let Some(open) = text[at..].find('{') else { break };
        let start = at + open;
        let length = end_of_object(&text[start..]);
        let object = length.map(|length| &text[start..start + length]);
        let request = object.and_then(|object| read_lenient(object).ok());
        let request = request.filter(|request| is_like_request(&request.value));
        let end = start + length.unwrap_or(1);
        rest += &text[at..if request.is_some() { start } else { end }];
        found.extend(request);
        at = end;
    }
    RequestsIn { found, rest: rest + &text[at..] }
}

fn is_like_request(value: &Value) -> bool {
    ["intent", "operations", "operation", "request"].iter().any(|name| value.get(name).is_some())
}

/// Returns where an object ends that begins with the text.
fn end_of_object(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, byte, is_in_string) in with_strings(text) {
        match byte {
            b'{' if !is_in_string => depth += 1,
            b'}' if !is_in_string => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

fn with_escaped_breaks(text: &str) -> Cow<'_, str> {
    let (mut escaped, mut copied) = (String::new(), 0);
    for (at, byte, is_in_string) in with_strings(text) {
        let escape = match byte {
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            _ => continue,
        };
        if is_in_string {
            escaped += &text[copied..at];
            escaped += escape;
            copied = at + 1;
        }
    }
    if copied == 0 { Cow::Borrowed(text) } else { Cow::Owned(escaped + &text[copied..]) }
}

/// Returns each byte of a JSON text with its place, and whether it stands inside of a string.
fn with_strings(text: &str) -> impl Iterator<Item = (usize, u8, bool)> {
    let (mut is_in_string, mut is_escaped) = (false, false);
    text.bytes().enumerate().map(move |(at, byte)| {
        let was_in_string = is_in_string;
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_in_string => is_escaped = true,
            b'"' => is_in_string = !is_in_string,
            _ => {}
        }
        (at, byte, was_in_string)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const REQUEST: &str = r#"{"intent": "session_log", "operations": [{"content": "a } \" b"}]}"#;

    #[track_caller]
    fn check(text: &str, warnings: usize) {
        let found = find_request(text).expect("one request");
        let expected: Value = serde_json::from_str(REQUEST).expect("it is JSON");
        assert_eq!((found.value, found.warnings.len()), (expected, warnings), "{text}");
    }

    fn refused(text: &str, expected: &str) {
        let refusal = find_request(text).expect_err("it is wrong");
        assert!(refusal.message.contains(expected), "{}", refusal.message);
    }

    #[test]
    fn a_fence_and_sentences_around_a_request_are_left_out() {
        check(REQUEST, 0);
        check(&format!("```json\n{REQUEST}\n```\n"), 1);
        check(&format!("Here it is, for {{team}}:\n\n{REQUEST}\n\nShall I go on?"), 1);
        check(&format!("A set {{ is open. {REQUEST}"), 1);
        check(&format!("{REQUEST}\n\nOnce more: {REQUEST}"), 1);
    }

    #[test]
    fn line_breaks_in_strings_are_read_as_such() {
        let found = find_request("{\"intent\": \"a\n\tb\",\n\"c\": \"\\\\\r\n\"}").expect("read");
        assert_eq!(found.value, json!({"intent": "a\n\tb", "c": "\\\r\n"}));
        assert_eq!(found.warnings.len(), 1);
    }

    #[test]
    fn what_may_mean_several_things_is_refused() {
        let other = REQUEST.replace("session_log", "add_pitfall");
        refused(&format!("{REQUEST} or {other}"), "the text holds 2 requests");
        refused("Nothing to record.", "not valid JSON");
        // One that is cut off, broken, in a comment or in a string of another is no request.
        refused(
            &format!("{{\"dry_run\": true, \"intent\": \"x\", \"operations\": [{REQUEST}"),
            "not valid",
        );
        refused(&format!("{REQUEST} No, this: {{\"intent\": \"x\",}}"), "not valid JSON");
        refused(&format!("<!-- old: {REQUEST} -->"), "not valid JSON");
        refused(&format!("{REQUEST}{} {other}", "{1}".repeat(20)), "not valid JSON");
        refused(&format!("{{\"note\": \"not {REQUEST}\", \"intent\": \"x\""), "not valid JSON");
        refused("{\"a\": 1} {\"b\": 2}", "not valid JSON");
        refused("{\"intent\": \"a\", \"intent\": \"b\"}", "stands twice");
        refused(" ", "empty");
    }

    #[test]
    fn a_text_full_of_braces_is_refused_in_time() {
        refused(&"{".repeat(1_000_000), "not valid JSON");
    }
}
