//! Understands a message of the protocol whose parameters or arguments come as JSON in a string.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::contract::understood;
#[cfg(feature = "http")]
use crate::text::client_text;

static MESSAGE: LazyLock<Value> = LazyLock::new(|| {
    let params = json!({"type": "object", "properties": {"arguments": {"type": "object"}}});
    json!({"type": "object", "properties": {"params": params}})
});

/// Returns a message with its parameters and arguments as objects, where they can only mean that.
pub(super) fn understood_message(message: Value) -> Value {
    understood(&MESSAGE, message)
}

/// Does the same with the bytes of a message; what is no JSON stays as it is.
#[cfg(feature = "http")]
pub(super) fn understood_bytes(bytes: &[u8]) -> Vec<u8> {
    let Ok(read) = client_text(bytes) else { return bytes.to_vec() };
    match serde_json::from_str::<Value>(&read.text) {
        Ok(message)
            if message["params"].is_string() || message["params"]["arguments"].is_string() =>
        {
            understood_message(message).to_string().into_bytes()
        }
        Ok(_) | Err(_) => read.text.into_owned().into_bytes(),
    }
}
