//! Shows a text in every form in which its secrets could be read: decoded, without escapes, put together.
//!
//! A view is searched as the text is, and what is found is told at its place in the text.

mod columns;
mod encoded;
mod escaped;
mod joined;
mod labelled;
mod view;

pub(super) use view::{RuleChoice, TextView};

/// The ways to read a text in another form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewKind {
    /// Base64 and rows of bytes are decoded.
    Decoded,
    /// Escapes are read as what they stand for.
    Unescaped,
    /// Marks of Markdown and a shell are left out too.
    Unmarked,
    /// Words that a line end has cut are put together.
    Joined,
    /// The name stands in front of its value.
    Labelled,
}

impl ViewKind {
    pub(in crate::secrets) const ALL: &'static [Self] =
        &[Self::Decoded, Self::Unescaped, Self::Unmarked, Self::Joined, Self::Labelled];

    /// The ways in which it makes sense to read what this way has shown. What was put together is not put together again, so
    /// that a hostile text grows by no more than one step does.
    pub(in crate::secrets) fn then(self) -> &'static [Self] {
        match self {
            Self::Decoded => Self::ALL,
            Self::Unescaped => &[Self::Decoded, Self::Unescaped, Self::Joined],
            Self::Unmarked => &[Self::Decoded],
            Self::Joined | Self::Labelled => &[],
        }
    }

    pub(in crate::secrets) fn view(self, text: &str) -> TextView {
        match self {
            Self::Decoded => encoded::decoded(text),
            Self::Unescaped => escaped::unescaped(text, RuleChoice::All),
            Self::Unmarked => escaped::unescaped(text, RuleChoice::Forms),
            Self::Joined => joined::joined(text),
            Self::Labelled => labelled::labelled(text),
        }
    }
}
