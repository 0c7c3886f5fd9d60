//! Why a call changes nothing.

use crate::contract::words;

words! {
    /// Whose memories a call is about.
    MemoryScope {
        /// Those that a server shares.
        ServerWide = "server_wide",
        /// Those of one person.
        TargetUser = "target_user",
    }
}

words! {
    /// Why a call changes nothing: the last part of its status.
    FailedStatus {
        /// The host sent no context that can be trusted, or something failed that never should.
        InternalError = "internal_error",
        /// An argument is missing, unknown, given twice or wrong.
        InvalidArgs = "invalid_args",
        /// The server does not let the model teach itself.
        Disabled = "disabled",
        /// The content is too long, has hidden characters or a secret.
        InvalidContent = "invalid_content",
        /// The name fits several people.
        AmbiguousUser = "ambiguous_user",
        /// The name fits no person that is known.
        UserNotFound = "user_not_found",
        /// A person of a bridge, or one who is not there.
        InvalidScope = "invalid_scope",
        /// No memory of this number is there for the call.
        NotFound = "not_found",
        /// The bot itself.
        InvalidTarget = "invalid_target",
        /// The person lets nothing be remembered, or not by the model.
        PrivacyRestricted = "privacy_restricted",
        /// There are as many memories as are allowed.
        LimitExceeded = "limit_exceeded",
        /// The database did not do it.
        DbError = "db_error",
    }
}

/// Why a call changes nothing, with what helps to make a better one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The last part of the status.
    pub status: FailedStatus,
    /// What is wrong and what to do next, for the model.
    pub message: String,
    /// A finer code, where there is one.
    pub reason: Option<&'static str>,
    /// Those whom a name fits.
    pub candidates: Vec<String>,
}

impl Denial {
    pub(crate) fn new(status: FailedStatus, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), reason: None, candidates: Vec::new() }
    }

    pub(crate) fn because(self, reason: &'static str) -> Self {
        Self { reason: Some(reason), ..self }
    }
}
