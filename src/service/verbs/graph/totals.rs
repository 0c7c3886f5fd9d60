//! Tells the numbers of the graph, and its types and colours.

use std::time::Instant;

use crate::error::Result;
use crate::service::graph::{listed_types, relation_colors, type_colors};
use crate::service::request::{
    GraphMeta, GraphRelations, GraphStats, GraphTotals, GraphTypes, LevelCounts,
};
use crate::service::sqlite::MemoryLevel;
use crate::service::verbs::elapsed::milliseconds;
use crate::service::verbs::session::ServiceSession;

/// Seconds of recent activity: seven days.
const RECENT: i64 = 7 * 86_400;

/// Answers `GET /graph/stats`.
pub fn graph_stats(session: &ServiceSession) -> Result<GraphStats> {
    let begun = Instant::now();
    session.read(|view| {
        let types = view.type_statistics()?.into_iter();
        let relations = view.relation_counts()?;
        let levels = view.count_levels(MemoryLevel::Importance)?;
        let edges = relations.iter().map(|(_, count)| count).sum();
        Ok(GraphStats {
            totals: GraphTotals { nodes: view.count()?, edges },
            by_type: types.map(|(kind, told)| (kind, told.count)).collect(),
            by_relationship: relations.into_iter().collect(),
            // Clients know these as numbers with a fraction.
            importance_distribution: LevelCounts {
                high: levels.high as f64,
                medium: levels.medium as f64,
                low: levels.low as f64,
            },
            recent_activity: view.day_counts(session.now.plus_seconds(-RECENT), session.now)?,
            meta: meta(begun),
        })
    })
}

/// Answers `GET /graph/types`.
pub fn graph_types() -> GraphTypes {
    GraphTypes { types: listed_types(), colors: type_colors() }
}

/// Answers `GET /graph/relations`.
pub fn graph_relations() -> GraphRelations {
    let colors = relation_colors();
    GraphRelations { relations: colors.keys().copied().collect(), colors }
}

pub(super) fn meta(begun: Instant) -> GraphMeta {
    GraphMeta {
        type_colors: type_colors(),
        relation_colors: relation_colors(),
        query_time_ms: milliseconds(begun),
        archive_threshold: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::verbs::tests::Sample;
    use crate::service::verbs::{Deletion, delete};

    #[test]
    fn types_relations_levels_and_days_are_counted_without_what_is_deleted() {
        let sample = Sample::new();
        sample.store(json!({"content": "a", "importance": 0.9, "timestamp": "2026-11-19"}));
        sample.store(json!({"content": "b", "importance": 0.5, "type": "Habit"}));
        let gone = sample.store(json!({"content": "c"})).to_string();
        delete(&sample.session, &gone, Deletion::Soft).expect("it answers").expect("it is deleted");
        let told = graph_stats(&sample.session).expect("it answers");
        assert_eq!(told.totals, GraphTotals { nodes: 2, edges: 1 });
        assert_eq!((told.by_type["Habit"], told.by_relationship["PRECEDED_BY"]), (1, 1));
        let levels = told.importance_distribution;
        assert_eq!((levels.high, levels.medium, levels.low), (1.0, 1.0, 0.0));
        let days: Vec<&str> = told.recent_activity.iter().map(|day| day.date.as_str()).collect();
        assert_eq!(days, ["2026-11-20", "2026-11-19"]);
    }

    #[test]
    fn clients_know_seven_types_and_thirteen_relations() {
        assert_eq!((graph_types().types.len(), graph_types().colors.len()), (7, 8));
        assert_eq!(graph_relations().relations.len(), 13);
        assert!(graph_relations().relations.is_sorted());
    }
}
