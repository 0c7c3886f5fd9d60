//! `demo`: a scratch repository to show things in.

use std::path::Path;

use crate::error::Result;
use crate::project::store::ScratchRepository;

pub(crate) const DEMO_REQUEST: &str = r#"{
  "intent": "record_decision",
  "rationale": "Access tokens were never revoked",
  "confidence": "confirmed",
  "owner": {"id": "claude", "kind": "agent"},
  "sources": [{"type": "file", "ref": "src/auth/refresh.rs:1-3"}],
  "operations": [{
    "operation": "append_section",
    "heading": "Short-lived access tokens",
    "section_id": "short-lived-access-tokens",
    "content": "- **Date:** 2026-11-20\n- **Status:** active\n\nAccess tokens live for 15 minutes and are renewed by a refresh token that is used once.\nA refresh token that comes a second time revokes the whole family."
  }]
}
"#;

const CITED: &str = "/// Exchanges a refresh token for a new pair.\npub fn rotate(token: RefreshToken) -> Pair {\n    token.family().issue()\n}\n";

/// A git repository in a temporary folder that is removed with this value.
#[derive(Debug)]
pub(crate) struct Scratch(ScratchRepository);

impl Scratch {
    /// Makes the repository with the request and the file that it cites.
    pub(crate) fn make(request: &str) -> Result<Self> {
        let files = [("request.json", request), ("src/auth/refresh.rs", CITED)];
        ScratchRepository::make(&files).map(Self)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.folder()
    }
}
