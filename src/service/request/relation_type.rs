//! How two memories are related.

use crate::contract::words;

words! {
    /// How a memory is related to another.
    RelationType {
        /// In any way.
        RelatesTo = "RELATES_TO",
        /// The first caused the second.
        LeadsTo = "LEADS_TO",
        /// The first happened before the second.
        OccurredBefore = "OCCURRED_BEFORE",
        /// The first was preferred.
        PrefersOver = "PREFERS_OVER",
        /// The first is an example of the second.
        Exemplifies = "EXEMPLIFIES",
        /// They do not agree.
        Contradicts = "CONTRADICTS",
        /// The first supports the second.
        Reinforces = "REINFORCES",
        /// The second replaces the first, which was wrong.
        InvalidatedBy = "INVALIDATED_BY",
        /// The second is the newer form of the first.
        EvolvedInto = "EVOLVED_INTO",
        /// The first was made from the second.
        DerivedFrom = "DERIVED_FROM",
        /// The first is a part of the second.
        PartOf = "PART_OF",
        /// Their vectors are close; found by machine.
        SimilarTo = "SIMILAR_TO",
        /// The second is one of the five that came before; found by machine.
        PrecededBy = "PRECEDED_BY",
        /// They have something in common; found by machine.
        Discovered = "DISCOVERED",
    }
}

/// The types that people and agents may set: the first of the list.
const AUTHORABLE: usize = 11;

impl RelationType {
    /// Returns the types that people and agents may set.
    pub fn authorable() -> &'static [Self] {
        &Self::ALL[..AUTHORABLE]
    }

    /// Returns the spellings of the types that people and agents may set.
    pub fn authorable_names() -> &'static [&'static str] {
        &Self::NAMES[..AUTHORABLE]
    }

    /// Tells whether the second memory stands for the first from now on.
    pub fn supersedes(self) -> bool {
        matches!(self, Self::InvalidatedBy | Self::EvolvedInto)
    }

    /// Returns the properties that a relation of this type may have beside its strength.
    pub fn properties(self) -> &'static [&'static str] {
        match self {
            Self::RelatesTo | Self::LeadsTo | Self::OccurredBefore => &[],
            Self::PrefersOver => &["context", "reason"],
            Self::Exemplifies => &["pattern_type", "confidence"],
            Self::Contradicts => &["resolution", "reason"],
            Self::Reinforces => &["observations"],
            Self::InvalidatedBy => &["reason", "timestamp"],
            Self::EvolvedInto => &["confidence", "reason"],
            Self::DerivedFrom => &["transformation", "confidence"],
            Self::PartOf => &["role", "context"],
            Self::SimilarTo => &["score"],
            Self::PrecededBy => &["count"],
            Self::Discovered => &["kind", "confidence", "similarity", "origin"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RelationType;

    #[test]
    fn what_only_machines_set_is_not_among_what_people_set() {
        use RelationType::{Discovered, PartOf, PrecededBy, SimilarTo};
        assert_eq!(RelationType::authorable().last(), Some(&PartOf));
        assert_eq!(RelationType::ALL[11..], [SimilarTo, PrecededBy, Discovered]);
    }
}
