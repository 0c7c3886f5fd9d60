//! Shows a text in the ways in which its secrets could be read: decoded, without escapes, joined, beside their labels.
//!
//! A view is searched as the text is, and what is found is told where it stands in the text.

mod blocks;
mod columns;
mod dumps;
mod encoded;
mod escaped;
mod expanded;
mod joined;
mod labelled;
mod listed;
mod literals;
mod undiffed;
mod view;

pub(super) use view::{ByteSet, RuleChoice, TextView};

/// The ways to read a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewKind {
    /// Base64 and rows of bytes are decoded.
    Decoded,
    /// The bytes of a dump are read.
    Dumped,
    /// The lines of a diff stand without their marks.
    Undiffed,
    /// Escapes are read as what they stand for.
    Unescaped,
    /// The markup of Markdown and the escapes of a shell are left out too.
    Unmarked,
    /// Words that a line end has cut are joined.
    Joined,
    /// Variables that stand side by side are put together.
    Expanded,
    /// The name stands in front of its value.
    Labelled,
    /// The words of a numbered list stand in one line.
    Listed,
}

impl ViewKind {
    pub(in crate::secrets) const ALL: &'static [Self] = &[
        Self::Decoded,
        Self::Dumped,
        Self::Undiffed,
        Self::Unescaped,
        Self::Unmarked,
        Self::Joined,
        Self::Expanded,
        Self::Labelled,
        Self::Listed,
    ];

    /// The ways in which it makes sense to read what this way has shown. What was joined or labelled is read no further: each
    /// is a guess, and guesses about guesses find words.
    pub(in crate::secrets) fn then(self) -> &'static [Self] {
        match self {
            Self::Decoded | Self::Dumped | Self::Undiffed => Self::ALL,
            Self::Unescaped => &[Self::Decoded, Self::Unescaped, Self::Joined],
            Self::Unmarked => &[Self::Decoded],
            Self::Joined | Self::Expanded | Self::Labelled | Self::Listed => &[],
        }
    }

    pub(in crate::secrets) fn view(self, text: &str) -> TextView {
        match self {
            Self::Decoded => encoded::decoded(text),
            Self::Dumped => dumps::dumped(text),
            Self::Undiffed => undiffed::undiffed(text),
            Self::Unescaped => escaped::unescaped(text, RuleChoice::All),
            Self::Unmarked => escaped::unescaped(text, RuleChoice::Tokens),
            Self::Joined => joined::joined(text),
            Self::Expanded => expanded::expanded(text),
            Self::Labelled => labelled::labelled(text),
            Self::Listed => listed::listed(text),
        }
    }
}
