//! A parameter of a route, and what it may be.

use serde_json::{Value, json};

/// A parameter of the query string, or a header.
#[derive(Clone, Copy)]
pub(in crate::server::http) struct Parameter {
    pub(in crate::server::http) name: &'static str,
    pub(in crate::server::http) about: &'static str,
    place: &'static str,
    kind: ParameterKind,
    is_required: bool,
}

#[derive(Clone, Copy)]
enum ParameterKind {
    Text,
    /// Texts, repeated or with commas.
    Texts,
    Word(&'static [&'static str]),
    Time,
    Whole,
    /// Numbers with commas.
    Numbers,
    Number,
    Flag,
}

impl Parameter {
    const fn new(name: &'static str, about: &'static str, kind: ParameterKind) -> Self {
        Self { name, about, place: "query", kind, is_required: false }
    }

    pub(super) const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// Returns it as OpenAPI describes it.
    pub(in crate::server::http) fn document(&self) -> Value {
        let schema = match self.kind {
            ParameterKind::Text => json!({ "type": "string" }),
            // A text of blanks and commas names nothing.
            ParameterKind::Texts if self.is_required => json!({
                "type": "array", "minItems": 1, "items": { "type": "string", "pattern": r"[^\s,]" },
            }),
            ParameterKind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            ParameterKind::Word(words) => json!({ "type": "string", "enum": words }),
            ParameterKind::Time => json!({ "type": "string", "format": "date-time" }),
            ParameterKind::Whole => json!({ "type": "integer", "minimum": 0 }),
            ParameterKind::Numbers => json!({ "type": "array", "items": { "type": "number" } }),
            ParameterKind::Number => json!({ "type": "number" }),
            ParameterKind::Flag => json!({ "type": "boolean" }),
        };
        let mut document = json!({
            "name": self.name, "in": self.place, "description": self.about, "schema": schema,
        });
        if self.is_required {
            document["required"] = true.into();
        }
        if let ParameterKind::Numbers = self.kind {
            document["explode"] = false.into();
        }
        document
    }
}

pub(super) const fn text(name: &'static str, about: &'static str) -> Parameter {
    Parameter::new(name, about, ParameterKind::Text)
}

pub(super) const fn texts(name: &'static str, about: &'static str) -> Parameter {
    Parameter::new(name, about, ParameterKind::Texts)
}

pub(super) const fn word(
    name: &'static str,
    words: &'static [&'static str],
    about: &'static str,
) -> Parameter {
    Parameter::new(name, about, ParameterKind::Word(words))
}

pub(super) const fn time(name: &'static str, about: &'static str) -> Parameter {
    Parameter::new(name, about, ParameterKind::Time)
}

pub(super) const fn whole(name: &'static str, about: &'static str) -> Parameter {
    Parameter::new(name, about, ParameterKind::Whole)
}

pub(super) const fn numbers(name: &'static str, about: &'static str) -> Parameter {
    Parameter::new(name, about, ParameterKind::Numbers)
}

pub(super) const fn number(name: &'static str, about: &'static str) -> Parameter {
    Parameter::new(name, about, ParameterKind::Number)
}

pub(super) const fn flag(name: &'static str, about: &'static str) -> Parameter {
    Parameter::new(name, about, ParameterKind::Flag)
}

pub(super) const fn header(name: &'static str, about: &'static str) -> Parameter {
    Parameter { place: "header", ..text(name, about) }
}
