//! The line ends of a text, LF or CRLF.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineEnding {
    Lf,
    CrLf,
}

impl LineEnding {
    /// Returns the first line end of a text; `\n` where it has none.
    ///
    /// Not the one that it uses most: in a mixed file a change could turn that, and the same change
    /// made again would be another one.
    pub(crate) fn of(text: &str) -> Self {
        let first = text.find('\n').map_or(text, |newline| &text[..newline]);
        if first.len() < text.len() && first.ends_with('\r') { Self::CrLf } else { Self::Lf }
    }

    pub(crate) fn apply(self, text: &str) -> String {
        let plain = text.replace("\r\n", "\n");
        match self {
            Self::Lf => plain,
            Self::CrLf => plain.replace('\n', "\r\n"),
        }
    }
}
