//! One JSON document.

use super::Report;
use crate::secrets::shown_json;

pub(super) fn write(report: &Report) -> String {
    let text = serde_json::to_string_pretty(report).expect("a report is plain data");
    shown_json(&text) + "\n"
}
