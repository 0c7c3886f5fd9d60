//! Hostile input: whatever comes in, there is one answer with a code and a hint, and nothing else changes.
//!
//! Inputs are good ones that were damaged, as most rubbish is refused at its first byte. `fuzz/` looks
//! further, with the coverage of the program as its guide.

mod growth;
mod names;
mod old_journal;
mod places;
mod replay;
mod requests;
mod settings;
mod state;
mod store;

use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::{Index, select};
use proptest::test_runner::Config;

/// Pieces of Markdown that open, close, hide or look like something.
const PIECES: [&str; 40] = [
    "# a\n",
    "## A\n",
    "### b ###\n",
    "a\n===\n",
    "a\n-\n",
    "<!-- @id: a -->\n",
    "<!-- @id: names -->\n",
    "<!-- @source: file a - inferred 2026-01-01 -->\n",
    "<!-- @archived: archive/a.md -->\n",
    "<!--",
    "-->",
    "<!-->\n",
    "```\n",
    "~~~~ a\n",
    "`",
    "``",
    "<div>\n",
    "</div>\n",
    "<script>\n",
    "<?",
    "<![CDATA[",
    "[a]: b \"\n",
    "[a](",
    "](b)",
    "![",
    "**",
    "_a ",
    "\\",
    "> ",
    "- ",
    "1. ",
    "    ",
    "\t",
    "---\n",
    "+++\n",
    "\r\n",
    "\n\n",
    "\u{301}",
    "認",
    "| a | b |\n",
];

/// Texts that are out of place in most fields.
const STRANGE: [&str; 14] = [
    "",
    " ",
    "\0",
    "\u{202e}",
    "\u{feff}",
    "../x",
    "/etc/passwd",
    "a/b.md",
    "CON.md",
    "-1",
    "1e999",
    "null",
    "<<<<<<< a\n",
    "<!-- secret-allow: a -->\n",
];

/// Settings of a property that is tried so many times.
pub(crate) fn config(cases: u32) -> Config {
    // Failures are minimised and printed; a file of seeds would be one more thing to keep.
    Config { cases, failure_persistence: None, ..Config::default() }
}

/// Markdown of nasty pieces, some of them very often.
fn markdown() -> impl Strategy<Value = String> {
    let piece = (select(&PIECES[..]), prop_oneof![9 => 1..3_usize, 1 => 100..400_usize]);
    proptest::collection::vec(piece.prop_map(|(piece, times)| piece.repeat(times)), 0..24)
        .prop_map(|pieces| pieces.concat())
}

/// A text for any field: strange, long, or Markdown.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => select(&STRANGE[..]).prop_map(str::to_owned),
        3 => markdown(),
        1 => any::<String>(),
        1 => Just("a".repeat(5_000)),
    ]
}

/// One damage to bytes.
#[derive(Debug, Clone)]
enum Damage {
    Flip(Index, u8),
    Cut(Index),
    Drop(Index, usize),
    Insert(Index, String),
    Twice(Index, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<Index>;
    prop_oneof![
        (place(), 1..=255_u8).prop_map(|(at, bits)| Damage::Flip(at, bits)),
        place().prop_map(Damage::Cut),
        (place(), 1..40_usize).prop_map(|(at, length)| Damage::Drop(at, length)),
        (place(), text()).prop_map(|(at, text)| Damage::Insert(at, text)),
        (place(), 1..400_usize).prop_map(|(at, length)| Damage::Twice(at, length)),
    ]
}

impl Damage {
    fn done_to(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        let (Self::Flip(at, _)
        | Self::Cut(at)
        | Self::Drop(at, _)
        | Self::Insert(at, _)
        | Self::Twice(at, _)) = self;
        let at = at.index(bytes.len() + 1);
        let end = |length: &usize| (at + length).min(bytes.len());
        match self {
            Self::Flip(_, bits) => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= bits),
            Self::Cut(_) => bytes.truncate(at),
            Self::Drop(_, length) => drop(bytes.drain(at..end(length))),
            Self::Insert(_, text) => drop(bytes.splice(at..at, text.bytes())),
            Self::Twice(_, length) => {
                let again = bytes[at..end(length)].to_vec();
                drop(bytes.splice(at..at, again));
            }
        }
        bytes
    }
}

/// Bytes that were good before one to three damages.
fn damaged(good: Vec<String>) -> impl Strategy<Value = Vec<u8>> {
    let damages = proptest::collection::vec(damage(), 1..4);
    (select(good), damages).prop_map(|(text, damages)| {
        damages.iter().fold(text.into_bytes(), |bytes, damage| damage.done_to(bytes))
    })
}
