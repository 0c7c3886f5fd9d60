//! Recalls what an agent should know when it begins.

use super::session::ServiceSession;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{Memory, StartupMemory, StartupRecall};
use crate::service::sqlite::TenantView;

/// The tags of lessons and of rules, and how many of each are told.
const LESSONS: (&[&str], usize) = (&["critical", "lesson", "ai-assistant"], 10);
const RULES: (&[&str], usize) = (&["system", "memory-recall"], 5);

/// Memories that are read: those among them that do not hold now are passed over.
const READ: usize = 200;

/// The importance from which on a lesson is critical.
const CRITICAL: f64 = 0.9;

/// Answers `GET /startup-recall`.
pub fn startup_recall(session: &ServiceSession) -> Result<StartupRecall> {
    let (lessons, rules) = session.read(|view| {
        Ok((tagged(view, LESSONS, session.now)?, tagged(view, RULES, session.now)?))
    })?;
    let rows: Vec<i64> = lessons.iter().chain(&rules).map(|memory| memory.row).collect();
    session.note_accesses(&rows);
    let (lesson_count, rule_count) = (lessons.len(), rules.len());
    Ok(StartupRecall {
        status: "success",
        has_critical: lessons.iter().any(|memory| memory.said.importance >= CRITICAL),
        critical_lessons: lessons.into_iter().map(told).collect(),
        system_rules: rules.into_iter().map(told).collect(),
        lesson_count,
        summary: format!("Recalled {lesson_count} lesson(s) and {rule_count} system rule(s)"),
    })
}

/// Returns the most important memories with any of some tags, as far as they hold.
fn tagged(
    view: &TenantView<'_>,
    (tags, most): (&[&str], usize),
    now: Timestamp,
) -> Result<Vec<Memory>> {
    let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
    let (mut memories, _) = view.by_tag(&tags, READ, 0)?;
    memories.retain(|memory| memory.holds_at(now));
    memories.truncate(most);
    Ok(memories)
}

fn told(memory: Memory) -> StartupMemory {
    let said = memory.said;
    StartupMemory {
        id: said.id,
        content: said.content,
        tags: said.tags,
        importance: said.importance,
        kind: said.kind,
        metadata: said.metadata,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::verbs::tests::Sample;

    #[test]
    fn lessons_and_rules_are_told_by_their_tags_as_long_as_they_hold() {
        let sample = Sample::new();
        sample.store(json!({"content": "a", "tags": ["Lesson"], "importance": 0.2}));
        sample.store(json!({"content": "b", "tags": ["critical"], "importance": 0.9}));
        sample.store(json!({"content": "c", "tags": ["system"]}));
        sample.store(json!({"content": "d", "tags": ["lessons"]}));
        sample.store(json!({"content": "e", "tags": ["lesson"], "t_invalid": "2026-01-01"}));
        let told = startup_recall(&sample.session).expect("it answers");
        let lessons: Vec<&str> =
            told.critical_lessons.iter().map(|it| it.content.as_str()).collect();
        assert_eq!((lessons, told.system_rules.len()), (vec!["b", "a"], 1));
        assert!(told.has_critical);
        assert_eq!(told.summary, "Recalled 2 lesson(s) and 1 system rule(s)");
    }
}
