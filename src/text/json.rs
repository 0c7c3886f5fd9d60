//! Reads JSON strictly: no duplicate keys, no abyss of nesting.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Deepest nesting of lists and objects; a good request needs four.
const DEPTH: usize = 32;

pub(crate) fn read(text: &str) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict(DEPTH).deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// A reader of values that may nest so much deeper.
#[derive(Clone, Copy)]
struct Strict(usize);

impl Strict {
    fn deeper<E: Error>(self) -> Result<Self, E> {
        let left = self.0.checked_sub(1);
        left.map(Self).ok_or_else(|| E::custom(format!("nested deeper than {DEPTH} levels")))
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(inner)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut fields = Map::new();
        while let Some(name) = object.next_key::<String>()? {
            // The usual reader keeps the last of two: what a reviewer saw and what is applied could differ.
            if fields.contains_key(&name) {
                return Err(A::Error::custom(format!("the key `{name}` stands twice")));
            }
            fields.insert(name, object.next_value_seed(inner)?);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, expected: &str) {
        let error = read(text).expect_err("it is wrong").to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn good_json_is_read() {
        let value = read(r#" {"a": [1, -2, 2.5, "x", true, null], "b": {}} "#).expect("good JSON");
        assert_eq!(value["a"][2], 2.5);
    }

    #[test]
    fn a_key_that_stands_twice_is_refused() {
        refused(r#"{"a": 1, "b": {"c": 1, "c": 2}}"#, "the key `c` stands twice");
    }

    #[test]
    fn deep_nesting_is_refused() {
        refused(&"[".repeat(100_000), "nested deeper than 32 levels");
    }

    #[test]
    fn text_behind_the_document_is_refused() {
        refused("{} {}", "trailing characters");
    }
}
