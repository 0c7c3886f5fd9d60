//! Why the service does not do what was asked: an answer, with its HTTP status.

use serde::Serialize;

use crate::secrets::clean;

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceRefusal {
    /// The class of the reason.
    pub status: RefusalStatus,
    /// The reason in one sentence, as clients know it.
    pub message: String,
    /// The reason with what was found, what is allowed, and what to do next.
    pub error: String,
    /// The first field that is wrong, as a path: `memories[3].content`.
    pub field: Option<String>,
    /// All fields that are wrong, if there are several.
    pub errors: Vec<FieldError>,
}

/// The class of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalStatus {
    /// 400: a field is wrong.
    BadRequest,
    /// 401: no token, or a wrong one.
    Unauthorized,
    /// 403: not allowed here.
    Forbidden,
    /// 404: there is no such memory.
    NotFound,
    /// 409: the id or the `Idempotency-Key` is taken, or nothing can be taken back.
    Conflict,
}

impl RefusalStatus {
    /// Returns the HTTP status.
    pub fn code(self) -> u16 {
        match self {
            Self::BadRequest => 400,
            Self::Unauthorized => 401,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::Conflict => 409,
        }
    }
}

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FieldError {
    /// The path of the field, such as `memories[3].content`.
    pub field: String,
    /// What is wrong, as clients know it.
    pub message: String,
    /// What was found, and what is allowed.
    #[serde(skip)]
    pub detail: String,
}

impl FieldError {
    fn cleaned(&self) -> Self {
        let Self { field, message, detail } = self;
        Self { field: clean(field), message: clean(message), detail: clean(detail) }
    }
}

/// What a client reads in place of an answer.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct RefusalBody {
    /// Always `error`.
    status: &'static str,
    /// The HTTP status.
    code: u16,
    /// The reason in one sentence.
    message: String,
    /// The reason with what was found, what is allowed, and what to do next.
    error: String,
    /// The first field that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// All fields that are wrong, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<FieldError>,
}

impl ServiceRefusal {
    /// Makes a refusal that is about no field; `next` says what to do.
    pub fn new(status: RefusalStatus, message: impl Into<String>, next: &str) -> Box<Self> {
        let message = message.into();
        let error = format!("{message}; {next}");
        Box::new(Self { status, message, error, field: None, errors: Vec::new() })
    }

    /// Makes a refusal of what is wrong with fields; the first is what a client shows.
    pub fn of_fields(errors: Vec<FieldError>) -> Box<Self> {
        let first = errors.first();
        let message = first.map(|it| it.message.clone()).unwrap_or_default();
        let detail = first.map(|it| it.detail.clone()).unwrap_or_default();
        let error = format!("{message}: {detail}");
        let field = first.map(|it| it.field.clone());
        let errors = if errors.len() > 1 { errors } else { Vec::new() };
        Box::new(Self { status: RefusalStatus::BadRequest, message, error, field, errors })
    }

    /// Makes a refusal because of one field.
    pub fn of_field(
        field: impl Into<String>,
        message: impl Into<String>,
        detail: impl Into<String>,
    ) -> Box<Self> {
        let (field, message, detail) = (field.into(), message.into(), detail.into());
        Self::of_fields(vec![FieldError { field, message, detail }])
    }

    /// Names the field that it is about.
    pub(crate) fn at(mut self: Box<Self>, field: String) -> Box<Self> {
        self.field = Some(field);
        self
    }

    /// Makes the refusal of an id that no memory has.
    pub fn not_found() -> Box<Self> {
        let next = "look with `GET /recall`; a deleted memory is in `GET /trash`";
        Self::new(RefusalStatus::NotFound, "Memory not found", next)
    }

    /// Makes the refusal of a memory that would supersede itself.
    pub(crate) fn same_as_superseded(old: impl std::fmt::Display) -> Box<Self> {
        let message = "'content' is that of the memory to be superseded";
        let detail = format!("found the content of {old}, allowed is another");
        Self::of_field("content", message, detail)
    }

    /// Makes the refusal of a supersession whose new memory does not hold now: then neither would be an answer.
    pub(crate) fn outdated_successor() -> Box<Self> {
        let message = "the new memory does not hold now";
        let detail = "found one that begins later, has expired, or is superseded; change `t_valid`, `t_invalid` or the content";
        Self::of_field("content", message, detail)
    }

    /// Returns the reason in one sentence, with the field that is wrong.
    pub(crate) fn reason(&self) -> String {
        match &self.field {
            Some(field) if !self.message.contains(field.as_str()) => {
                format!("{field}: {}", self.message)
            }
            Some(_) | None => self.message.clone(),
        }
    }

    /// Returns what a client reads: what was found in a field may be a secret, and is not repeated then.
    pub fn body(&self) -> RefusalBody {
        RefusalBody {
            status: "error",
            code: self.status.code(),
            message: clean(&self.message),
            error: clean(&self.error),
            field: self.field.as_deref().map(clean),
            errors: self.errors.iter().map(FieldError::cleaned).collect(),
        }
    }
}
