//! Reads JSON strictly: no duplicate keys, no abyss of nesting.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Deepest nesting of lists and objects; a good request needs four.
const DEPTH: usize = 32;

pub(crate) fn read(text: &str) -> Result<Value, serde_json::Error> {
    let text = with_fractions(text);
    let mut reader = serde_json::Deserializer::from_str(&text);
    let value = Strict(DEPTH).deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Returns the text with a fraction in each number that has one: a long one is lost when it becomes a float, and
/// `2.0000000000000000001` would be the level 2.
fn with_fractions(text: &str) -> Cow<'_, str> {
    let (mut exact, mut done, mut at) = (String::new(), 0, 0);
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at = match byte {
            b'"' => string_end(bytes, at),
            b'-' | b'0'..=b'9' => {
                let is_part =
                    |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
                at + bytes[at..].iter().take_while(|byte| is_part(byte)).count()
            }
            _ => at + 1,
        };
        if *byte != b'"'
            && at > start + 1
            && let Some(number) = lost_fraction(&text[start..at])
        {
            exact += &text[done..start];
            exact += &format!("{number:e}");
            done = at;
        }
    }
    if done == 0 { Cow::Borrowed(text) } else { Cow::Owned(exact + &text[done..]) }
}

/// Returns where a string ends that begins at an offset.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        at += match byte {
            b'"' => return at + 1,
            b'\\' => 2,
            _ => 1,
        };
    }
    bytes.len()
}

/// Returns the nearest float with a fraction, for a number with one that would become whole.
fn lost_fraction(number: &str) -> Option<f64> {
    let float: f64 = number.parse().ok()?;
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = whole.trim_start_matches('-');
    let point = i64::try_from(whole.len()).ok()? + exponent.parse::<i64>().ok()?;
    let behind = usize::try_from(point).unwrap_or(0);
    let is_whole = whole.bytes().chain(fraction.bytes()).skip(behind).all(|digit| digit == b'0');
    let is_lost = !is_whole && float.fract() == 0.0;
    is_lost.then(|| if float < 0.0 { float.next_down() } else { float.next_up() })
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
    fn a_number_with_a_fraction_never_becomes_whole() {
        let fraction =
            |text: &str| read(text).expect("good JSON").as_f64().expect("a float").fract();
        for text in [
            "2.0000000000000000001",
            "1.9999999999999999999",
            "-2.0000000000000000001",
            "1e-400",
            "20.00000000000000000001e-1",
        ] {
            assert_ne!(fraction(text), 0.0, "{text}");
        }
        for text in ["2.0", "2.000000000000000000000", "2e0", "20e-1", "0.2e1", "0.000e-9"] {
            assert_eq!(fraction(text), 0.0, "{text}");
        }
        let same = r#"{"a \" 2.0000000000000000001": [1, 2.5, "3.0000000000000000001"], "b": 1}"#;
        assert_eq!(with_fractions(same), same);
        let value = read(r#"{"a": "\\", "b": [2.0000000000000000001, 7]}"#).expect("good JSON");
        assert_eq!((value["b"][0].as_i64(), &value["b"][1]), (None, &7.into()));
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
