//! JSON: the report as one document.

use serde::Serialize;

use super::report::CheckReport;
use crate::secrets::shown_json;

pub(super) fn write(report: &CheckReport) -> String {
    let text = serde_json::to_string_pretty(report).expect("a report is plain data");
    shown_json(&text) + "\n"
}

/// Lays out a JSON document, fit for a terminal too.
pub(super) fn document(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("a report is plain data");
    crate::text::escape_json(&text).into_owned() + "\n"
}
