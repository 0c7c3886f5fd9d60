//! Checks the name of a tenant.

use crate::error::{Error, ErrorKind, Result};

/// Returns a name that a tenant may have.
pub(super) fn checked(name: &str) -> Result<String> {
    let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    match (1..=64).contains(&name.len()) && name.chars().all(is_good) {
        true => Ok(name.to_owned()),
        false => {
            let message = "a tenant has a name of 1 to 64 letters, digits, `-`, `_` and `.`";
            Err(Error::new(ErrorKind::Usage, message).hint("give another name, such as `team-a`"))
        }
    }
}
