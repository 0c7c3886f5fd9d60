//! One JSON document.

use super::{Report, document};

/// Writes all of the report.
pub(super) fn write(report: &Report) -> String {
    document(report)
}
