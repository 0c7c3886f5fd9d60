//! What tells a section without an id from others of its heading.

use serde::{Deserialize, Serialize};

use crate::contract::ContentHash;

/// What a section is known by at a time, besides its heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionTraits {
    /// The headings above it, the nearest first.
    pub above: Vec<HeadingAbove>,
    /// Hash of its text up to the next heading, without evidence.
    pub text: ContentHash,
    pub namesakes: Namesakes,
}

/// Whether other sections of the file have its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Namesakes {
    None,
    /// Only below other headings.
    Elsewhere,
    /// Below the same headings too.
    Beside,
}

/// A heading in whose section another one stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadingAbove {
    /// Hash of its words.
    pub heading: ContentHash,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// What became of a heading above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Became {
    /// It is the same: by its id, or by its words where it had none or has none.
    Same,
    /// It was renamed, or is another one: none of both has an id that the other could have.
    Renamed,
    /// It is another one.
    Other,
}

impl SectionTraits {
    /// Tells whether they are those of the same section later. Its text may be another where the headings above are the
    /// same and no section beside it has its heading: else only the text tells which one is meant.
    pub(super) fn are_of(&self, now: &Self) -> bool {
        let has_text = self.text == now.text;
        let had_or_has = |namesakes| self.namesakes == namesakes || now.namesakes == namesakes;
        match self.became(now) {
            Became::Same => has_text || !had_or_has(Namesakes::Beside),
            // One below each of two headings: where the first heading is gone, the other one is not a new name of it.
            Became::Renamed => {
                has_text && !had_or_has(Namesakes::Beside) && !had_or_has(Namesakes::Elsewhere)
            }
            Became::Other => false,
        }
    }

    /// Says the worst of the headings above.
    fn became(&self, now: &Self) -> Became {
        if self.above.len() != now.above.len() {
            return Became::Other;
        }
        let pairs = self.above.iter().zip(&now.above);
        let all: Vec<Became> = pairs.map(|(then, now)| then.became(now)).collect();
        [Became::Other, Became::Renamed]
            .into_iter()
            .find(|worst| all.contains(worst))
            .unwrap_or(Became::Same)
    }
}

impl HeadingAbove {
    fn became(&self, now: &Self) -> Became {
        match (&self.id, &now.id) {
            (Some(then), Some(now)) if then == now => Became::Same,
            (Some(_), Some(_)) => Became::Other,
            (None, _) | (_, None) if self.heading == now.heading => Became::Same,
            (None, _) | (_, None) => Became::Renamed,
        }
    }
}
