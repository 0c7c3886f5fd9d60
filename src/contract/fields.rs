//! Reads an object field by field, so that every slip is named with its place and the nearest word.
//!
//! Requests (JSON) and settings (TOML, brought to the same values) go through here alike.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::text::{excerpt, nearest, read_json};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub pointer: String,
    pub message: String,
}

/// How many problems an answer lists.
pub(crate) const LISTED_PROBLEMS: usize = 100;

#[derive(Debug, Default)]
pub(crate) struct Problems(RefCell<Vec<Problem>>);

impl Problems {
    pub(crate) fn add(&self, pointer: impl Into<String>, message: impl Into<String>) {
        let (pointer, message) = (pointer.into(), message.into());
        self.0.borrow_mut().push(Problem { pointer, message });
    }

    pub(crate) fn take(&self) -> Vec<Problem> {
        self.0.take()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }
}

/// An object that is being read; [`Fields::finish`] names the fields that were not read.
#[must_use = "call `finish` so that unknown fields are named"]
pub(crate) struct Fields<'a> {
    object: &'a Map<String, Value>,
    pointer: String,
    known: Vec<&'a str>,
    problems: &'a Problems,
}

impl<'a> Fields<'a> {
    pub(crate) fn of(
        value: &'a Value,
        pointer: impl Into<String>,
        problems: &'a Problems,
    ) -> Option<Self> {
        let pointer = pointer.into();
        let Value::Object(object) = value else {
            problems.add(pointer, format!("expected an object, found {}", kind_of_json(value)));
            return None;
        };
        Some(Self { object, pointer, known: Vec::new(), problems })
    }

    pub(crate) fn at(&self, name: &str) -> String {
        format!("{}/{}", self.pointer, name.replace('~', "~0").replace('/', "~1"))
    }

    /// Returns a value as it is; `null` counts as absent.
    pub(crate) fn value(&mut self, name: &'a str) -> Option<&'a Value> {
        if !self.known.contains(&name) {
            self.known.push(name);
        }
        self.object.get(name).filter(|value| !value.is_null())
    }

    pub(crate) fn text(&mut self, name: &'a str) -> Option<&'a str> {
        match self.value(name)? {
            Value::String(text) => Some(text),
            other => self.unexpected(name, "a string", other),
        }
    }

    /// Returns the text of a field that may be left out: some clients fill every field, and send an empty text then.
    pub(crate) fn optional_text(&mut self, name: &'a str) -> Option<&'a str> {
        self.text(name).filter(|text| !text.is_empty())
    }

    pub(crate) fn required_text(&mut self, name: &'a str) -> Option<&'a str> {
        if self.value(name).is_none() {
            self.problem(name, format!("`{name}` is required"));
            return None;
        }
        self.text(name)
    }

    pub(crate) fn flag(&mut self, name: &'a str) -> Option<bool> {
        match self.value(name)? {
            Value::Bool(flag) => Some(*flag),
            other => self.unexpected(name, "true or false", other),
        }
    }

    pub(crate) fn number(&mut self, name: &'a str, bounds: RangeInclusive<u64>) -> Option<u64> {
        let value = self.value(name)?;
        match value.as_u64().filter(|number| bounds.contains(number)) {
            Some(number) => Some(number),
            None => {
                let expected =
                    format!("a whole number from {} to {}", bounds.start(), bounds.end());
                self.unexpected(name, &expected, value)
            }
        }
    }

    /// Returns one word of a closed list, read by `parse`.
    pub(crate) fn word<T>(
        &mut self,
        name: &'a str,
        parse: impl Fn(&str) -> Option<T>,
        allowed: &[&'static str],
    ) -> Option<T> {
        let text = self.text(name)?;
        self.parsed(name, text, parse, allowed)
    }

    /// Returns one word of a closed list, for a field that may be left out.
    pub(crate) fn optional_word<T>(
        &mut self,
        name: &'a str,
        parse: impl Fn(&str) -> Option<T>,
        allowed: &[&'static str],
    ) -> Option<T> {
        let text = self.optional_text(name)?;
        self.parsed(name, text, parse, allowed)
    }

    pub(crate) fn list(&mut self, name: &'a str) -> Option<&'a [Value]> {
        match self.value(name)? {
            Value::Array(list) => Some(list),
            other => self.mismatch(name, "a list", &kind_of_json(other)),
        }
    }

    pub(crate) fn texts(&mut self, name: &'a str) -> Option<Vec<&'a str>> {
        let list = self.list(name)?;
        let texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
        if texts.len() < list.len() {
            self.problems.add(self.at(name), "expected a list of strings");
            return None;
        }
        Some(texts)
    }

    /// Returns a list of words, each of a closed list and read by `parse`; leaves out those that are not on it.
    pub(crate) fn words<T>(
        &mut self,
        name: &'a str,
        parse: impl Fn(&str) -> Option<T>,
        allowed: &[&'static str],
    ) -> Vec<T> {
        let texts = self.texts(name).unwrap_or_default();
        texts.into_iter().filter_map(|text| self.parsed(name, text, &parse, allowed)).collect()
    }

    fn parsed<T>(
        &self,
        name: &str,
        text: &str,
        parse: impl Fn(&str) -> Option<T>,
        allowed: &[&'static str],
    ) -> Option<T> {
        let read = parse(text);
        if read.is_none() {
            self.problem(name, unknown_word(name, text, allowed));
        }
        read
    }

    pub(crate) fn object(&mut self, name: &'a str) -> Option<Fields<'a>> {
        let value = self.value(name)?;
        Fields::of(value, self.at(name), self.problems)
    }

    /// Returns the fields of an object whose names are free, in alphabetical order.
    pub(crate) fn entries(&mut self, name: &'a str) -> Vec<(&'a str, &'a Value)> {
        match self.value(name) {
            Some(Value::Object(entries)) => {
                entries.iter().map(|(key, value)| (key.as_str(), value)).collect()
            }
            Some(other) => self.unexpected(name, "a table", other).unwrap_or_default(),
            None => Vec::new(),
        }
    }

    /// Begins to read the objects in an object whose names are free, in alphabetical order.
    pub(crate) fn objects(&mut self, name: &'a str) -> Vec<(&'a str, Fields<'a>)> {
        let Some(outer) = self.object(name) else { return Vec::new() };
        let present = outer.object.iter().filter(|(_, value)| !value.is_null());
        let read = |(key, value): (&'a String, &'a Value)| {
            Some((key.as_str(), Fields::of(value, outer.at(key), outer.problems)?))
        };
        present.filter_map(read).collect()
    }

    /// Returns the fields of each object in a list.
    pub(crate) fn tables(&mut self, name: &'a str) -> impl Iterator<Item = Fields<'a>> + use<'a> {
        let (pointer, problems) = (self.at(name), self.problems);
        let list = self.list(name).unwrap_or_default().iter().enumerate();
        list.filter_map(move |(at, value)| Fields::of(value, format!("{pointer}/{at}"), problems))
    }

    /// Tells whether there is a field, which stays unread by that.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.object.contains_key(name)
    }

    pub(crate) fn problem(&self, name: &str, message: impl Into<String>) {
        self.problems.add(self.at(name), message);
    }

    pub(crate) fn problem_here(&self, message: impl Into<String>) {
        self.problems.add(self.pointer.clone(), message);
    }

    /// Names every field that was not asked for, with the nearest one that is known.
    pub(crate) fn finish(self) {
        for name in self.object.keys().filter(|name| !self.known.contains(&name.as_str())) {
            let shown = word_or_length(name);
            let message = match nearest(name, self.known.iter().copied()) {
                Some(known) => format!("unknown field `{shown}`, did you mean `{known}`?"),
                None => format!("unknown field `{shown}`, known are {}", quoted(&self.known)),
            };
            self.problems.add(self.at(&shown), message);
        }
    }

    pub(crate) fn unexpected<T>(&self, name: &str, expected: &str, found: &Value) -> Option<T> {
        self.mismatch(name, expected, &kind(found))
    }

    fn mismatch<T>(&self, name: &str, expected: &str, found: &str) -> Option<T> {
        self.problem(name, format!("`{name}`: expected {expected}, found {found}"));
        None
    }
}

/// Says that a word is not in its list, which words are, and which was probably meant.
pub(crate) fn unknown_word(name: &str, found: &str, allowed: &[&'static str]) -> String {
    let guess = match nearest(found, allowed.iter().copied()) {
        Some(word) => format!(" (did you mean `{word}`?)"),
        None => String::new(),
    };
    format!("`{name}`: found `{}`{guess}, allowed are {}", excerpt(found), quoted(allowed))
}

/// Lists words, each between backticks.
pub(crate) fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Repeats a name that could be a typo; of any other name tells only the length.
fn word_or_length(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    match name.chars().all(plain) {
        true => excerpt(name),
        false => format!("… {} characters", name.chars().count()),
    }
}

/// Names the kind of a value, with the value itself where it is short and harmless.
pub(crate) fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the string `{}`", excerpt(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// Does the same where a list or an object is expected, which may come as JSON in a string.
pub(crate) fn kind_of_json(value: &Value) -> String {
    let text = value.as_str().map(str::trim).filter(|text| text.starts_with(['[', '{']));
    match text.and_then(|text| read_json(text).err()) {
        Some(why) => format!("a string whose JSON cannot be read: {why}"),
        None => kind(value),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(value: Value, expected: &[&str]) {
        let problems = Problems::default();
        if let Some(mut fields) = Fields::of(&value, "", &problems) {
            fields.required_text("heading");
            fields.number("heading_level", 1..=6);
            fields.finish();
        }
        let found: Vec<String> =
            problems.take().into_iter().map(|p| format!("{}: {}", p.pointer, p.message)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_good_object_has_no_problems() {
        check(json!({"heading": "x", "heading_level": 2}), &[]);
        check(json!({"heading": "x", "heading_level": null}), &[]);
        check(json!({"heading": null}), &["/heading: `heading` is required"]);
    }

    #[test]
    fn every_slip_is_named_in_one_pass() {
        check(
            json!({"headng": "x", "heading_level": 9}),
            &[
                "/heading: `heading` is required",
                "/heading_level: `heading_level`: expected a whole number from 1 to 6, found the number 9",
                "/headng: unknown field `headng`, did you mean `heading`?",
            ],
        );
    }

    #[test]
    fn a_string_that_is_meant_as_json_is_told_what_is_wrong_in_it() {
        let twice = r#"[{"heading": "a", "heading": "b"}]"#;
        let said = kind_of_json(&json!(twice));
        assert!(said.contains("cannot be read: the key `heading` stands twice"), "{said}");
        let half = kind_of_json(&json!(r#"{"heading": "\ud83d"}"#));
        assert!(half.contains("cannot be read: ") && half.contains("column"), "{half}");
        assert_eq!(kind_of_json(&json!("[1]")), "the string `[1]`");
        assert_eq!(kind_of_json(&json!("a, b")), "the string `a, b`");
        check(
            json!({"heading": ["x"], "heading_level": "{{x}}"}),
            &[
                "/heading: `heading`: expected a string, found a list",
                "/heading_level: `heading_level`: expected a whole number from 1 to 6, found the string `{{x}}`",
            ],
        );
    }

    #[test]
    fn what_is_no_object_is_said_to_be_none() {
        check(json!([1]), &[": expected an object, found a list"]);
    }
}
