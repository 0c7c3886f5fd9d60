//! Reads a text that a person sends.

use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::text::utf8_text;

/// Bytes of a text at most: 1 MiB, as of a request over HTTP.
const TEXT: u64 = 1 << 20;

/// Reads a text from stdin.
pub fn read_text() -> Result<String> {
    let bytes = outside::read_up_to(None, TEXT + 1)?;
    if bytes.len() as u64 > TEXT {
        let message = format!("stdin has more than {TEXT} bytes");
        return Err(Error::new(ErrorKind::Usage, message).hint("store it in several memories"));
    }
    let text = utf8_text(&bytes).map_err(|what| {
        let message = format!("stdin {what}");
        Error::new(ErrorKind::Usage, message).hint("send a text of plain characters")
    })?;
    Ok(text.to_owned())
}
