//! Relates memories, and shows how one is related.

use serde_json::Value;

use super::relation_ends::RelationEnds;
use super::replace_said::ChangeHead;
use super::session::{ServiceAnswer, ServiceSession};
use super::set_relation::set_relation;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{
    AssociateAnswer, AssociateRequest, BatchAssociateAnswer, ChangeKind, FailedAssociation,
    NewRelation, RefusalStatus, RelationDocument, RelationType, ServiceRefusal,
    SucceededAssociation,
};
use crate::service::sqlite::TenantView;

/// What a request related.
#[derive(Debug, Clone, PartialEq)]
pub enum Associated {
    /// One pair.
    One(AssociateAnswer),
    /// A list.
    Batch(BatchAssociateAnswer),
}

/// Answers `POST /associate`.
pub fn associate(session: &ServiceSession, body: Value) -> ServiceAnswer<Associated> {
    let (actor, now) = (session.actor.clone(), session.now);
    let (request, warnings) = match session.screened(body, AssociateRequest::read) {
        Ok(read) => read,
        Err(refusal) => return Ok(Err(refusal)),
    };
    match request {
        AssociateRequest::One(relation) => session.write(move |view| {
            let related = relate(view, &relation, &actor, now)?;
            Ok(related.map(|()| Associated::One(answer(*relation, warnings))))
        }),
        AssociateRequest::Batch(list) => session.write(move |view| {
            let mut done = Vec::with_capacity(list.len());
            for relation in list {
                done.push(match relation {
                    Ok(relation) => relate(view, &relation, &actor, now)?.map(|()| relation),
                    Err(refusal) => Err(refusal),
                });
            }
            Ok(Ok(Associated::Batch(batch_answer(done, warnings))))
        }),
    }
}

/// Relates two memories in the transaction of a verb.
pub(super) fn relate(
    view: &TenantView<'_>,
    relation: &NewRelation,
    actor: &str,
    now: Timestamp,
) -> ServiceAnswer<()> {
    let Some(ends) = RelationEnds::find(view, relation)? else {
        let message = "One or both memories do not exist";
        let next = "look the ids up with `GET /recall`";
        return Ok(Err(ServiceRefusal::new(RefusalStatus::NotFound, message, next)));
    };
    let head = ChangeHead { kind: ChangeKind::Related, actor, now };
    Ok(Ok(set_relation(view, (ends, relation), now, head)?))
}

fn answer(relation: NewRelation, warnings: Vec<String>) -> AssociateAnswer {
    let NewRelation { source, target, kind, strength, properties } = relation;
    AssociateAnswer {
        status: "success",
        message: format!("Association created between {source} and {target}"),
        relation_type: kind,
        strength,
        properties,
        warnings,
    }
}

fn batch_answer(
    done: Vec<std::result::Result<NewRelation, Box<ServiceRefusal>>>,
    warnings: Vec<String>,
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
                let ServiceRefusal { message: reason, field, .. } = *refusal;
                failed.push(FailedAssociation { index, reason, field });
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
        warnings,
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
