//! What the tools of an MCP client are started with; the door that starts them fills it in.

use super::session::ServiceSessions;
use crate::contract::Timestamp;
use crate::error::Result;

/// What the tools of an MCP client are started with.
pub struct McpSettings {
    /// Which memory service they work on.
    pub service: ServiceLocation,
    /// How much they recall.
    pub recall_budget: RecallBudget,
}

/// Which memory service the tools of an MCP client work on.
pub enum ServiceLocation {
    /// The database in this process.
    Local(ServiceSessions),
    /// A server.
    Remote {
        /// The address that its routes begin with.
        address: String,
        /// The token of a tenant.
        key: Option<String>,
        /// Reads the clock.
        now: fn() -> Result<Timestamp>,
    },
}

/// How much text a recall by a tool returns at most, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecallBudget(pub usize);

impl RecallBudget {
    /// Tokens where nothing is set, as with the known client.
    const TOKENS: usize = 18_000;

    /// Reads a number of tokens, of 2.5 characters each; the default where it cannot be read.
    pub fn of_tokens(text: Option<&str>) -> Self {
        let tokens = text.and_then(|text| text.trim().parse().ok()).filter(|tokens| *tokens > 0);
        Self(tokens.unwrap_or(Self::TOKENS).saturating_mul(5) / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::RecallBudget;

    #[test]
    fn a_budget_that_cannot_be_read_is_the_default() {
        for text in [None, Some(""), Some("0"), Some("-1"), Some("many")] {
            assert_eq!(RecallBudget::of_tokens(text), RecallBudget(45_000));
        }
        assert_eq!(RecallBudget::of_tokens(Some(" 2000 ")), RecallBudget(5_000));
    }
}
