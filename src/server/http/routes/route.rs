//! A route: who may ask, what it takes, what it answers, and the verb that answers.

use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::parameter::Parameter;
use crate::error::Result;
use crate::server::http::access::Needs;
use crate::server::http::call::{Call, Reply};

/// A method and a path, and what answers it.
pub(in crate::server::http) struct Route {
    pub(in crate::server::http) method: &'static str,
    /// `{id}` stands for one part of it.
    pub(in crate::server::http) path: &'static str,
    /// What it does, in one sentence.
    pub(in crate::server::http) about: &'static str,
    pub(in crate::server::http) needs: Needs,
    pub(in crate::server::http) body: Body,
    pub(in crate::server::http) parameters: &'static [Parameter],
    /// The status of an answer, and its form.
    pub(in crate::server::http) answers: GoodAnswers,
    pub(in crate::server::http) answer: fn(Call) -> Result<Reply>,
}

/// The statuses of good answers, with their form.
#[derive(Clone, Copy)]
pub(in crate::server::http) struct GoodAnswers {
    pub(in crate::server::http) statuses: &'static [u16],
    pub(in crate::server::http) form: SchemaOf,
}

/// Makes the schema of a type.
pub(in crate::server::http) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// What a body is.
#[derive(Clone, Copy)]
pub(in crate::server::http) enum Body {
    /// There is none, or it may be left out.
    None,
    /// A JSON object.
    Json(SchemaOf),
    /// A JSON object, which may be left out.
    Optional(SchemaOf),
    /// A JSON object with a list.
    JsonList(SchemaOf),
}

impl Body {
    /// Returns how many bytes it has at most.
    pub(in crate::server::http) fn limit(self) -> usize {
        match self {
            Self::None | Self::Json(_) | Self::Optional(_) => 1 << 20,
            Self::JsonList(_) => 8 << 20,
        }
    }
}

fn form<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

type Verb = fn(Call) -> Result<Reply>;

impl Route {
    pub(super) const fn new<T: JsonSchema>(
        method: &'static str,
        path: &'static str,
        answer: Verb,
    ) -> Self {
        Self {
            method,
            path,
            about: "",
            needs: Needs::Token,
            body: Body::None,
            parameters: &[],
            answers: GoodAnswers { statuses: &[200], form: form::<T> },
            answer,
        }
    }

    pub(super) const fn get<T: JsonSchema>(path: &'static str, answer: Verb) -> Self {
        Self::new::<T>("GET", path, answer)
    }

    pub(super) const fn post<T: JsonSchema>(path: &'static str, answer: Verb) -> Self {
        Self::new::<T>("POST", path, answer)
    }

    pub(super) const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    pub(super) const fn needs(self, needs: Needs) -> Self {
        Self { needs, ..self }
    }

    pub(super) const fn takes<T: JsonSchema>(self) -> Self {
        Self { body: Body::Json(form::<T>), ..self }
    }

    pub(super) const fn may_take<T: JsonSchema>(self) -> Self {
        Self { body: Body::Optional(form::<T>), ..self }
    }

    pub(super) const fn takes_list<T: JsonSchema>(self) -> Self {
        Self { body: Body::JsonList(form::<T>), ..self }
    }

    pub(super) const fn with(self, parameters: &'static [Parameter]) -> Self {
        Self { parameters, ..self }
    }

    pub(super) const fn answers(self, statuses: &'static [u16]) -> Self {
        Self { answers: GoodAnswers { statuses, ..self.answers }, ..self }
    }
}
