//! Writes words for a shell.

use std::borrow::Cow;

/// Quotes a word for a shell, if it needs that.
pub(crate) fn in_shell(word: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._/-#:".contains(&byte);
    let is_safe = !word.is_empty() && !word.starts_with(['-', '#']) && word.bytes().all(is_plain);
    match is_safe {
        true => Cow::Borrowed(word),
        false => Cow::Owned(format!("'{}'", word.replace('\'', r"'\''"))),
    }
}
