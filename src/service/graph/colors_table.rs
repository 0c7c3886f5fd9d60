//! The colours of types: clients that draw the graph know them.

use crate::service::request::{Colors, MemoryType, RelationType};

/// The colour of each type of memory, in the order in which types are listed.
const TYPES: [(&str, &str); 8] = [
    ("Decision", "#3B82F6"),
    ("Insight", "#F97316"),
    ("Context", "#6B7280"),
    ("Habit", "#F59E0B"),
    ("Preference", "#8B5CF6"),
    ("Style", "#EC4899"),
    ("Pattern", "#10B981"),
    ("Memory", OTHER),
];

/// The colour of all that has none of its own.
const OTHER: &str = "#94A3B8";

/// Returns the colour of each type of memory; `Memory` stands for the types that were imported.
pub(crate) fn type_colors() -> Colors {
    TYPES.into_iter().collect()
}

/// Returns the types of memories that can be sent.
pub(crate) fn listed_types() -> Vec<&'static str> {
    let can_be_sent = |name: &&str| MemoryType::parse(name).is_some();
    TYPES.iter().map(|(name, _)| *name).filter(can_be_sent).collect()
}

/// Returns the colour of a type of memory.
pub(crate) fn type_color(kind: &str) -> &'static str {
    TYPES.iter().find(|(name, _)| *name == kind).map_or(OTHER, |(_, color)| color)
}

/// Returns the colour of each type of relation that clients know.
pub(crate) fn relation_colors() -> Colors {
    let known = RelationType::ALL.iter().filter(|kind| **kind != RelationType::Discovered);
    known.map(|kind| (kind.name(), relation_color(*kind))).collect()
}

/// Returns the colour of a type of relation.
pub(super) fn relation_color(kind: RelationType) -> &'static str {
    match kind {
        RelationType::RelatesTo | RelationType::Discovered => OTHER,
        RelationType::LeadsTo => "#3B82F6",
        RelationType::OccurredBefore => "#6B7280",
        RelationType::PrefersOver => "#8B5CF6",
        RelationType::Exemplifies => "#10B981",
        RelationType::Contradicts => "#EF4444",
        RelationType::Reinforces => "#22C55E",
        RelationType::InvalidatedBy => "#F97316",
        RelationType::EvolvedInto => "#06B6D4",
        RelationType::DerivedFrom => "#A855F7",
        RelationType::PartOf => "#64748B",
        RelationType::SimilarTo => "#0EA5E9",
        RelationType::PrecededBy => "#475569",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_that_can_be_sent_has_a_colour_of_its_own() {
        for kind in MemoryType::NAMES {
            assert!(type_colors().contains_key(kind), "{kind}");
        }
        assert_eq!(type_color("Banana"), OTHER);
    }

    #[test]
    fn clients_know_thirteen_types_of_relations() {
        assert_eq!(relation_colors().len(), 13);
    }
}
