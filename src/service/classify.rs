//! Finds the type of a memory by what its text says.

use std::sync::LazyLock;

use regex::Regex;

use super::request::MemoryType;

/// A type, and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Classified {
    pub(crate) kind: MemoryType,
    pub(crate) confidence: f64,
}

/// How sure a type is that was sent.
pub(crate) const SENT: f64 = 0.9;

/// How sure a type is for which one pattern speaks; each further pattern adds a tenth.
const FOUND: f64 = 0.6;

/// How sure a type is at most, whatever was found.
const MOST: f64 = 0.95;

/// Where no pattern fits.
const UNKNOWN: Classified = Classified { kind: MemoryType::Context, confidence: 0.3 };

/// The patterns of each type; the first type of which one fits is taken. They are those of the observed server, where
/// `always` is no habit before `use`: here that is a preference before habits are looked for.
const PATTERNS: [(MemoryType, &[&str]); 7] = [
    (
        MemoryType::Decision,
        &[
            "decided to",
            r"chose (\w+) over",
            "going with",
            "picked",
            "selected",
            "will use",
            "choosing",
            "opted for",
        ],
    ),
    (
        MemoryType::Pattern,
        &[
            "usually",
            "typically",
            "tend to",
            "pattern i noticed",
            "often",
            "frequently",
            "regularly",
            "consistently",
        ],
    ),
    (
        MemoryType::Preference,
        &["prefer", "like.*better", "favorite", "always use", "rather than", "instead of", "favor"],
    ),
    (
        MemoryType::Style,
        &[
            "wrote.*in.*style",
            "communicated",
            "responded to",
            "formatted as",
            "using.*tone",
            "expressed as",
        ],
    ),
    (
        MemoryType::Habit,
        &[r"\balways\b", "every time", "habitually", "routine", "daily", "weekly", "monthly"],
    ),
    (
        MemoryType::Insight,
        &[
            "realized",
            "discovered",
            "learned that",
            "understood",
            "figured out",
            "insight",
            "revelation",
        ],
    ),
    (
        MemoryType::Context,
        &[
            "during",
            "while working on",
            "in the context of",
            "when",
            "at the time",
            "situation was",
        ],
    ),
];

static COMPILED: LazyLock<Vec<(MemoryType, Vec<Regex>)>> = LazyLock::new(|| {
    let compile = |pattern: &&str| Regex::new(pattern).expect("a test compiles every pattern");
    PATTERNS
        .iter()
        .map(|(kind, patterns)| (*kind, patterns.iter().map(compile).collect()))
        .collect()
});

/// Finds the type of a text.
pub(crate) fn classify(content: &str) -> Classified {
    let content = content.to_lowercase();
    for (kind, patterns) in &*COMPILED {
        let hits = patterns.iter().filter(|pattern| pattern.is_match(&content)).count();
        match hits {
            0 => {}
            1 => return Classified { kind: *kind, confidence: FOUND },
            _ => {
                let confidence = (FOUND + 0.1 * hits as f64).min(MOST);
                return Classified { kind: *kind, confidence };
            }
        }
    }
    UNKNOWN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content: &str, kind: MemoryType, confidence: f64) {
        assert_eq!(classify(content), Classified { kind, confidence }, "{content}");
    }

    #[test]
    fn the_first_type_with_a_hit_is_taken() {
        check("We decided to use Rust", MemoryType::Decision, 0.6);
        check("Chose Rust over Go, going with it", MemoryType::Decision, 0.8);
        check("We usually deploy on Fridays", MemoryType::Pattern, 0.6);
        check("I always use tabs", MemoryType::Preference, 0.6);
        check("She always runs tests", MemoryType::Habit, 0.6);
        check("Realized that caching helps", MemoryType::Insight, 0.6);
        check("The quick brown fox", MemoryType::Context, 0.3);
    }

    #[test]
    fn no_confidence_is_above_the_most() {
        let all = "decided to; going with; picked; selected; will use; choosing; opted for";
        check(all, MemoryType::Decision, 0.95);
    }
}
