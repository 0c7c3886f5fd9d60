//! Closed lists of words on the wire, each an enum that knows its spelling.

/// Declares an enum whose variants have one fixed spelling, for the wire, the disk and the schema.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, schemars::JsonSchema)]
        pub enum $name { $($(#[$doc])* #[serde(rename = $word)] $variant,)+ }

        impl $name {
            /// Every word of the list, in the order of the contract.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The spelling of every word, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($word,)+];

            /// Returns the spelling on the wire.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// Reads the spelling on the wire.
            pub fn parse(word: &str) -> Option<Self> {
                Self::NAMES.iter().position(|name| *name == word).map(|at| Self::ALL[at])
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.name())
            }
        }
    };
}

pub(crate) use words;
