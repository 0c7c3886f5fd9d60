//! The number of a memory, which is never used again.

use serde::Serialize;
use serde_json::Number;

/// The largest whole number that every JSON reader keeps exact.
const LARGEST: u64 = (1 << 53) - 1;

/// The largest number that an import may bring: as many are left for those that follow.
const LARGEST_IMPORTED: u64 = LARGEST / 2;

/// The number of a memory: a safe integer above 0.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema,
)]
#[serde(transparent)]
pub struct MemoryNumber(u64);

impl MemoryNumber {
    /// Reads a number of JSON: `7`, `7.0` and `7e0` are one.
    pub fn of_json(number: &Number) -> Option<Self> {
        if let Some(whole) = number.as_u64() {
            return Self::new(whole);
        }
        let number = number.as_f64().filter(|number| number.fract() == 0.0)?;
        // What is between the bounds is exact as both.
        ((1.0..=LARGEST as f64).contains(&number)).then_some(Self(number as u64))
    }

    /// Takes a whole number.
    pub fn new(number: u64) -> Option<Self> {
        (1..=LARGEST).contains(&number).then_some(Self(number))
    }

    /// Tells whether an import may bring it, and enough numbers are left.
    pub(crate) fn leaves_room(self) -> bool {
        self.0 <= LARGEST_IMPORTED
    }

    /// Returns the number.
    pub fn get(self) -> u64 {
        self.0
    }
}

impl std::fmt::Display for MemoryNumber {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::MemoryNumber;

    #[test]
    fn only_a_safe_integer_above_0_is_a_number() {
        let read = |text: &str| {
            let number = serde_json::from_str(text).expect("a number");
            MemoryNumber::of_json(&number).map(MemoryNumber::get)
        };
        for text in ["7", "7.0", "7e0", "0.7e1"] {
            assert_eq!(read(text), Some(7), "{text}");
        }
        assert_eq!(read("9007199254740991"), Some(9_007_199_254_740_991));
        for text in ["0", "-1", "1.5", "9007199254740992", "1e300", "-0.0"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
