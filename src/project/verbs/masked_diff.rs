//! Writes a unified diff of two texts, with secrets masked.

use crate::project::diff::unified;
use crate::secrets::Scanner;

/// Writes the diff of two texts of a file. Masks each text whole before it compares: a part of a private key would not
/// be recognised as a secret.
pub(super) fn masked_diff(
    path: &str,
    (before, after): (Option<&str>, &str),
    scanner: &Scanner,
) -> String {
    let before = before.map(|text| scanner.redact_lines(text));
    let diff = unified(path, before.as_deref(), &scanner.redact_lines(after));
    scanner.redact(&diff).into_owned()
}
