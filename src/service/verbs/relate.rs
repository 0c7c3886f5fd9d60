//! Relates memories, and shows how one is related.

use serde_json::Value;

use super::session::{ServiceAnswer, ServiceSession};
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{
    AssociateAnswer, AssociateRequest, BatchAssociateAnswer, ChangeKind, FailedAssociation,
    NewRelation, RefusalStatus, RelationDocument, RelationType, ServiceRefusal,
    SucceededAssociation, redact_texts, refuse_what_must_not_stay,
};
use crate::service::sqlite::{MemoryChange, Relation, TenantView};

/// What a request related.
#[derive(Debug, Clone, PartialEq)]
pub enum Associated {
    /// One pair.
    One(AssociateAnswer),
    /// A list.
    Batch(BatchAssociateAnswer),
}

/// Answers `POST /associate`.
pub fn associate(session: &ServiceSession, mut body: Value) -> ServiceAnswer<Associated> {
    let scanner = &session.store.scanner;
    if session.store.settings.redacts {
        redact_texts(&mut body, scanner);
    }
    let read = AssociateRequest::read(&body);
    let read = read.and_then(|read| refuse_what_must_not_stay(&body, scanner).map(|()| read));
    let (actor, now) = (session.actor.clone(), session.now);
    match read {
        Ok(AssociateRequest::One(relation)) => session.write(move |view| {
            Ok(relate(view, &relation, &actor, now)?.map(|()| Associated::One(answer(*relation))))
        }),
        Ok(AssociateRequest::Batch(list)) => session.write(move |view| {
            let mut done = Vec::with_capacity(list.len());
            for relation in list {
                done.push(match relation {
                    Ok(relation) => relate(view, &relation, &actor, now)?.map(|()| relation),
                    Err(refusal) => Err(refusal),
                });
            }
            Ok(Ok(Associated::Batch(batch_answer(done))))
        }),
        Err(refusal) => Ok(Err(refusal)),
    }
}

/// Relates two memories in the transaction of a verb.
pub(super) fn relate(
    view: &TenantView<'_>,
    relation: &NewRelation,
    actor: &str,
    now: Timestamp,
) -> ServiceAnswer<()> {
    let ends = (view.live_row(relation.source)?, view.live_row(relation.target)?);
    let (Some(source), Some(target)) = ends else {
        let message = "One or both memories do not exist";
        let next = "look the ids up with `GET /recall`";
        return Ok(Err(ServiceRefusal::new(RefusalStatus::NotFound, message, next)));
    };
    let (kind, strength, properties) =
        (relation.kind, relation.strength, relation.properties.clone());
    view.relate(&Relation { source, kind, target, strength, properties, updated: now })?;
    let after = serde_json::json!({
        "relation": relation.kind, "to": relation.target, "strength": relation.strength,
        "properties": relation.properties,
    });
    view.log(&MemoryChange {
        kind: ChangeKind::Related,
        id: relation.source,
        row: source,
        actor,
        now,
        before: None,
        after: Some(after),
    })?;
    Ok(Ok(()))
}

fn answer(relation: NewRelation) -> AssociateAnswer {
    let NewRelation { source, target, kind, strength, properties } = relation;
    AssociateAnswer {
        status: "success",
        message: format!("Association created between {source} and {target}"),
        relation_type: kind,
        strength,
        properties,
    }
}

fn batch_answer(
    done: Vec<std::result::Result<NewRelation, Box<ServiceRefusal>>>,
) -> BatchAssociateAnswer {
    let count = done.len();
    let (mut succeeded, mut failed) = (Vec::new(), Vec::new());
    for (index, relation) in done.into_iter().enumerate() {
        match relation {
            Ok(NewRelation { source, target, kind, strength, .. }) => {
                succeeded.push(SucceededAssociation {
                    index,
                    memory1_id: source,
                    memory2_id: target,
                    relation_type: kind,
                    strength,
                });
            }
            Err(refusal) => {
                let field = refusal.field.map(|field| format!("associations[{index}].{field}"));
                failed.push(FailedAssociation { index, reason: refusal.message, field });
            }
        }
    }
    let created_count = succeeded.len();
    BatchAssociateAnswer {
        status: if failed.is_empty() { "success" } else { "partial_success" },
        created_count,
        failed_count: failed.len(),
        succeeded,
        failed,
        summary: format!("{created_count}/{count} associations created successfully"),
    }
}

/// Returns the strongest relations of a memory, set or found.
pub(super) fn relation_documents(
    view: &TenantView<'_>,
    row: i64,
    most: usize,
) -> Result<Vec<RelationDocument>> {
    let mut documents = Vec::new();
    for relation in view.relations_of(row, RelationType::ALL)?.into_iter().take(most) {
        let Some(memory) = view.memories(&[relation.other(row)])?.pop() else { continue };
        documents.push(RelationDocument {
            kind: relation.kind,
            strength: relation.strength,
            memory: memory.summary(),
            properties: relation.properties,
        });
    }
    Ok(documents)
}
