//! Lists what memories name.

use crate::error::Result;
use crate::service::request::{
    EntitiesAnswer, EntityAnswer, EntityDocument, QueryParameters, RefusalStatus, ServiceRefusal,
};
use crate::service::sqlite::{CountedEntity, TenantView};
use crate::service::verbs::session::{ServiceAnswer, ServiceSession};
use crate::text::excerpt;

/// Answers `GET /entities`, the most often named first.
pub fn entities(session: &ServiceSession, query: &QueryParameters) -> Result<EntitiesAnswer> {
    let category = query.one(&["category"]).map(str::to_lowercase);
    let limit = query.whole("limit", 100, 1..=500);
    let entities = session.read(|view| {
        let found = view.counted_entities(category.as_deref(), limit)?;
        found.into_iter().map(|entity| document(view, entity)).collect::<Result<Vec<_>>>()
    })?;
    Ok(EntitiesAnswer { status: "success", count: entities.len(), entities })
}

/// Answers `GET /entity/<slug>`, for a slug that was merged too. Of several categories it is the one that is named most.
pub fn entity(session: &ServiceSession, slug: &str) -> ServiceAnswer<EntityAnswer> {
    let wanted = slug.trim().to_lowercase();
    let found = session.read(|view| {
        let found = view.entities_named(&wanted)?.into_iter().next();
        found.map(|entity| document(view, entity)).transpose()
    })?;
    let entity = found.ok_or_else(|| not_found("Entity", slug));
    Ok(entity.map(|entity| EntityAnswer { status: "success", entity }))
}

pub(super) fn not_found(what: &str, slug: &str) -> Box<ServiceRefusal> {
    let message = format!("{what} '{}' not found", excerpt(slug));
    ServiceRefusal::new(RefusalStatus::NotFound, message, "look with `GET /entities`")
}

pub(super) fn document(view: &TenantView<'_>, counted: CountedEntity) -> Result<EntityDocument> {
    let CountedEntity { entity, memories, first, last } = counted;
    Ok(EntityDocument {
        id: entity.tag(),
        aliases: view.aliases_of(&entity)?,
        slug: entity.slug,
        category: entity.category,
        name: entity.name,
        identity: None,
        identity_version: 0,
        identity_updated_at: None,
        identity_source_count: 0,
        reference_count: memories,
        created_at: first,
        last_referenced_at: last,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::verbs::tests::{Sample, query};

    #[test]
    fn the_most_often_named_is_first_and_a_category_narrows_the_list() {
        let sample = Sample::new();
        sample.say("Ada said that Docker is slow", 1);
        sample.say("restart Docker", 2);
        let slugs = |name: &str, value: &str| -> Vec<String> {
            let told = entities(&sample.session, &query(name, value)).expect("it answers");
            told.entities.into_iter().map(|it| it.slug).collect()
        };
        assert_eq!(slugs("limit", "10"), ["docker", "ada"]);
        assert_eq!(slugs("limit", "1"), ["docker"]);
        assert_eq!(slugs("category", "people"), ["ada"]);
    }

    #[test]
    fn an_entity_tells_how_many_memories_name_it_and_since_when() {
        let sample = Sample::new();
        sample.say("restart Docker", 1);
        sample.say("Docker is slow", 5);
        let answer = entity(&sample.session, "docker").expect("it answers").expect("it is known");
        let EntityDocument { id, reference_count, created_at, last_referenced_at, .. } =
            answer.entity;
        assert_eq!((id.as_str(), reference_count), ("entity:tools:docker", 2));
        assert!(created_at < last_referenced_at);
        for (session, slug) in [(&sample.session, "zz"), (&sample.of_another(), "docker")] {
            let refusal = entity(session, slug).expect("it answers").expect_err("it is unknown");
            assert_eq!(refusal.message, format!("Entity '{slug}' not found"));
        }
    }
}
