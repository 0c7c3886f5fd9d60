//! Reads the JSON body of a request field by field, and names all that is wrong at once.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::refusal::{FieldError, ServiceRefusal};
use crate::contract::{Timestamp, kind, kind_of_json};
use crate::text::excerpt;

/// What is wrong with the fields of a request, in their order.
#[derive(Debug, Default)]
pub(crate) struct FieldErrors(RefCell<Vec<FieldError>>);

impl FieldErrors {
    pub(crate) fn add(
        &self,
        field: impl Into<String>,
        message: impl Into<String>,
        detail: impl Into<String>,
    ) {
        let (field, message, detail) = (field.into(), message.into(), detail.into());
        self.0.borrow_mut().push(FieldError { field, message, detail });
    }

    /// Returns what was read, or refuses it because of what is wrong.
    pub(crate) fn settle<T>(self, read: T) -> Result<T, Box<ServiceRefusal>> {
        let errors = self.0.into_inner();
        if errors.is_empty() { Ok(read) } else { Err(ServiceRefusal::of_fields(errors)) }
    }
}

/// An object of a body that is being read.
pub(crate) struct BodyFields<'a> {
    object: &'a Map<String, Value>,
    /// The path of the object, `memories[3].`; empty for the body itself.
    path: String,
    known: Vec<&'static str>,
    errors: &'a FieldErrors,
}

impl<'a> BodyFields<'a> {
    pub(crate) fn new(
        object: &'a Map<String, Value>,
        path: impl Into<String>,
        errors: &'a FieldErrors,
    ) -> Self {
        Self { object, path: path.into(), known: Vec::new(), errors }
    }

    pub(crate) fn path_of(&self, name: &str) -> String {
        format!("{}{name}", self.path)
    }

    /// Returns a value as it is; `null` counts as absent.
    pub(crate) fn value(&mut self, name: &'static str) -> Option<&'a Value> {
        self.known.push(name);
        self.object.get(name).filter(|value| !value.is_null())
    }

    pub(crate) fn text(&mut self, name: &'static str) -> Option<&'a str> {
        let value = self.value(name)?;
        if value.as_str().is_none() {
            self.wrong::<()>(name, &format!("'{name}' must be a string"), value, "a string");
        }
        value.as_str()
    }

    pub(crate) fn number(
        &mut self,
        name: &'static str,
        bounds: RangeInclusive<f64>,
    ) -> Option<f64> {
        let value = self.value(name)?;
        let (least, most) = (bounds.start(), bounds.end());
        let allowed = format!("a number from {least} to {most}");
        match value.as_f64() {
            Some(number) if bounds.contains(&number) => Some(number),
            Some(_) => {
                let message = format!("'{name}' must be between {least} and {most}");
                self.wrong(name, &message, value, &allowed)
            }
            None => self.wrong(name, &format!("'{name}' must be a number"), value, &allowed),
        }
    }

    /// Reads a whole number; `2.0` is one, as in JSON Schema.
    pub(crate) fn whole(
        &mut self,
        name: &'static str,
        bounds: RangeInclusive<u32>,
    ) -> Option<usize> {
        let (least, most) = (*bounds.start(), *bounds.end());
        let number = self.number(name, f64::from(least)..=f64::from(most))?;
        if number.fract() == 0.0 {
            return Some(number as usize);
        }
        let (message, found) = (format!("'{name}' must be a whole number"), Value::from(number));
        self.wrong(name, &message, &found, &format!("a whole number from {least} to {most}"))
    }

    pub(crate) fn object(&mut self, name: &'static str) -> Option<&'a Map<String, Value>> {
        let value = self.value(name)?;
        match value.as_object() {
            Some(object) => Some(object),
            None => {
                let message = format!("'{name}' must be an object");
                let found = kind_of_json(value);
                self.wrong_text(name, &message, &format!("found {found}, allowed is a JSON object"))
            }
        }
    }

    pub(crate) fn flag(&mut self, name: &'static str) -> Option<bool> {
        let value = self.value(name)?;
        match value.as_bool() {
            Some(flag) => Some(flag),
            None => {
                self.wrong(name, &format!("'{name}' must be a boolean"), value, "true or false")
            }
        }
    }

    /// Reads a time; `message` is what clients know of a wrong one.
    pub(crate) fn time(&mut self, name: &'static str, message: &str) -> Option<Timestamp> {
        let value = self.value(name)?;
        match value.as_str().and_then(Timestamp::parse) {
            Some(time) => Some(time),
            None => self.wrong(name, message, value, "ISO 8601, e.g. `2026-11-20T10:00:00Z`"),
        }
    }

    pub(crate) fn wrong<T>(
        &self,
        name: &str,
        message: &str,
        found: &Value,
        allowed: &str,
    ) -> Option<T> {
        let detail = format!("found {}, allowed is {allowed}", kind(found));
        self.errors.add(self.path_of(name), message, detail);
        None
    }

    pub(crate) fn wrong_text<T>(&self, name: &str, message: &str, detail: &str) -> Option<T> {
        self.errors.add(self.path_of(name), message, detail);
        None
    }

    /// Returns a warning of the fields that were not read; none if there are none.
    pub(crate) fn unknown(&self) -> Option<String> {
        let is_unknown = |name: &&String| !self.known.contains(&name.as_str());
        let name = |name: &String| format!("{}{}", self.path, excerpt(name));
        let names: Vec<String> = self.object.keys().filter(is_unknown).map(name).collect();
        let told = names.join("`, `");
        (!names.is_empty()).then(|| format!("unknown fields were ignored: `{told}`"))
    }
}

/// Reads the body of a request, which must be a JSON object.
pub(crate) fn object_of(body: &Value) -> Result<&Map<String, Value>, Box<ServiceRefusal>> {
    body.as_object().ok_or_else(|| {
        let found = match body.as_str() {
            // A door that could not read a body hands down why.
            Some(text) if text.starts_with("no JSON: ") => excerpt(text),
            _ => kind_of_json(body),
        };
        let next = format!("found {found}; send a JSON object");
        ServiceRefusal::new(
            super::refusal::RefusalStatus::BadRequest,
            "JSON body is required",
            &next,
        )
    })
}

/// Returns a warning of all fields of an object but one; none if there are none.
pub(super) fn unknown_beside(object: &Map<String, Value>, known: &'static str) -> Option<String> {
    let errors = FieldErrors::default();
    let mut fields = BodyFields::new(object, "", &errors);
    fields.value(known);
    fields.unknown()
}
