//! Returns bytes that cannot be guessed.

use crate::error::{Error, ErrorKind, Result};

pub(crate) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::new(ErrorKind::Io, "the operating system gives no random bytes").because(error)
    })?;
    Ok(bytes)
}
