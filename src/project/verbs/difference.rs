//! Shows the difference between two texts without what looks like a secret.

use crate::project::diff::unified;
use crate::secrets::Scanner;

/// Compares two texts of a file. Each is masked as a whole: a part of a private key is not recognised as a secret.
pub(super) fn difference(
    path: &str,
    (before, after): (Option<&str>, &str),
    scanner: &Scanner,
) -> String {
    let before = before.map(|text| scanner.redact_lines(text));
    let diff = unified(path, before.as_deref(), &scanner.redact_lines(after));
    scanner.redact(&diff).into_owned()
}
