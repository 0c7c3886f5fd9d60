//! Reads the messages of a line of JSON-RPC. An invalid message is refused with its `id`, if one can be read.

use std::fmt;

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, JsonRpcMessage};
use serde::Serialize;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;

use super::message::understood_message;
use crate::text::{client_text, read_json};

/// The answer to what is no message.
#[derive(Debug, Serialize)]
pub(super) struct LineRefusal {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    error: ErrorData,
}

impl LineRefusal {
    pub(super) fn new(id: Option<Value>, code: ErrorCode, message: String) -> Self {
        let id = id.filter(|id| id.is_string() || id.is_number());
        Self { jsonrpc: "2.0", id, error: ErrorData::new(code, message, None) }
    }
}

/// A message, or its refusal.
pub(super) type ReadMessage = Result<ClientJsonRpcMessage, LineRefusal>;

/// Reads the message of a line, or all messages of a batch. It is read as strictly as a request on stdin: a lenient
/// parser would drop one of two equal keys.
pub(super) fn read_messages(line: &[u8]) -> Vec<ReadMessage> {
    match read_value(line) {
        Err(refusal) => vec![Err(refusal)],
        Ok(Value::Array(batch)) if !batch.is_empty() => batch.into_iter().map(message).collect(),
        Ok(value) => vec![message(value)],
    }
}

/// Refuses a line of which only the beginning was read.
pub(super) fn too_long(beginning: &[u8], limit: u64) -> LineRefusal {
    let message = format!("the line is too long: a message has at most {limit} bytes");
    LineRefusal::new(id_in(beginning), ErrorCode::INVALID_REQUEST, message)
}

fn read_value(line: &[u8]) -> Result<Value, LineRefusal> {
    let refuse = |code, why: String| LineRefusal::new(id_in(line), code, why);
    let text = client_text(line)
        .map_err(|what| refuse(ErrorCode::PARSE_ERROR, format!("the line {what}")))?
        .text;
    read_json(&text).map_err(|error| match error.classify() {
        Category::Data => {
            let why = "the message has two equal keys, or is nested too deeply";
            refuse(ErrorCode::INVALID_REQUEST, why.to_owned())
        }
        Category::Syntax | Category::Eof | Category::Io => {
            let why = "the line is not one JSON document that can be read";
            refuse(ErrorCode::PARSE_ERROR, why.to_owned())
        }
    })
}

fn message(value: Value) -> ReadMessage {
    let id = value.get("id").cloned();
    let refuse = |code, why: &str| LineRefusal::new(id.clone(), code, why.to_owned());
    if id.as_ref().is_some_and(|id| !id.is_string() && !id.is_i64()) {
        let why =
            "the `id` of a call is a text, or a whole number of at most 64 bits with its sign";
        return Err(refuse(ErrorCode::INVALID_REQUEST, why));
    }
    let message: ClientJsonRpcMessage = serde_json::from_value(understood_message(value))
        .map_err(|_| refuse(ErrorCode::INVALID_REQUEST, "this is no message of JSON-RPC 2.0"))?;
    // The library would take it for the first call of a client of another version.
    if let JsonRpcMessage::Request(call) = &message
        && matches!(&call.request, ClientRequest::CustomRequest(it) if it.method == "initialize")
    {
        let why = "the parameters of `initialize` are wrong: it has `protocolVersion` (a text), `capabilities` (an object), and `clientInfo` with `name` and `version`";
        return Err(refuse(ErrorCode::INVALID_PARAMS, why));
    }
    Ok(message)
}

/// Finds the id of a message, whatever else is in it, and where it ends too early. Of two ids none is the call's.
fn id_in(line: &[u8]) -> Option<Value> {
    #[derive(Default)]
    struct MessageIds(Vec<Value>);

    impl<'de> Visitor<'de> for &mut MessageIds {
        type Value = ();

        fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
            text.write_str("a message")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut message: A) -> Result<(), A::Error> {
            while let Some(key) = message.next_key::<String>()? {
                match key.as_str() {
                    "id" => self.0.push(message.next_value()?),
                    _ => drop(message.next_value::<IgnoredAny>()?),
                }
            }
            Ok(())
        }
    }

    let mut ids = MessageIds::default();
    // What was found up to a fault counts.
    let _ = serde_json::Deserializer::from_slice(line).deserialize_map(&mut ids);
    if ids.0.len() == 1 { ids.0.pop() } else { None }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refusals(line: &[u8]) -> Vec<Value> {
        let refused = read_messages(line).into_iter().filter_map(Result::err);
        refused.map(|refusal| json!(refusal)).collect()
    }

    #[track_caller]
    fn refused(line: &[u8], code: i32) {
        let codes: Vec<Value> =
            refusals(line).iter().map(|it| it["error"]["code"].clone()).collect();
        assert_eq!(codes, [code], "{}", String::from_utf8_lossy(line));
    }

    #[test]
    fn what_is_not_json_is_told_from_what_is_no_message() {
        refused(b"{\"jsonrpc\":", -32700);
        refused(b"hello", -32700);
        refused(b"\xff\xfe", -32700);
        refused(b"[]", -32600);
        refused(b"{\"id\":1}", -32600);
        refused(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}", -32600);
        refused(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}", -32602);
    }

    #[test]
    fn a_refusal_has_the_id_of_its_call() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        for params in
            [r#"{"a": 1, "a": 2}"#, "1e400", deep.as_str(), "{}", "{\"a\": \"cut", "\u{0}"]
        {
            let line = format!("{{\"jsonrpc\": \"2.0\", \"id\": 7, \"way\": {params}}}");
            assert_eq!(refusals(line.as_bytes())[0]["id"], 7, "{line:.80}");
        }
        assert_eq!(refusals(b"{\"id\": 7, \"way\": \"\xff\"}")[0]["id"], 7);
        assert_eq!(json!(too_long(b"{\"id\": 7, \"way\": \"xxx", 20))["id"], 7);
    }

    #[test]
    fn an_id_of_another_kind_is_named_and_given_back_where_it_can_be() {
        for (id, given_back) in [
            ("1.5", json!(1.5)),
            ("18446744073709551615", json!(u64::MAX)),
            ("null", Value::Null),
            ("true", Value::Null),
            ("{}", Value::Null),
        ] {
            let line = format!("{{\"jsonrpc\": \"2.0\", \"id\": {id}, \"method\": \"ping\"}}");
            let refusal = refusals(line.as_bytes()).remove(0);
            assert_eq!(refusal["id"], given_back, "{id}");
            assert!(refusal["error"]["message"].as_str().is_some_and(|it| it.contains("`id`")));
        }
    }

    #[test]
    fn a_batch_is_the_messages_in_it() {
        let line = br#"[{"jsonrpc": "2.0", "id": 1, "method": "ping"}, 5, {"id": 7}]"#;
        let read = read_messages(line);
        assert!(matches!(&read[..], [Ok(_), Err(_), Err(_)]));
        assert_eq!((refusals(line)[0].get("id"), &refusals(line)[1]["id"]), (None, &json!(7)));
    }

    #[test]
    fn half_a_character_in_a_call_is_no_fault() {
        let line = br#"{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"cut": "\ud83d"}}"#;
        assert!(matches!(&read_messages(line)[..], [Ok(_)]));
    }
}
