//! What `doctor` says of a store.

use serde::Serialize;

use crate::project::check::{Level, Rule};

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct Diagnosis {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<String>,
    pub healthy: bool,
    pub checked: Vec<&'static str>,
    pub fixed: Vec<String>,
    pub findings: Vec<DoctorFinding>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct DoctorFinding {
    pub level: Level,
    /// The part of the store that was examined.
    pub check: &'static str,
    /// The rule of `check` that is broken, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    pub message: String,
    pub hint: String,
}

impl Diagnosis {
    pub(crate) fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }
}
