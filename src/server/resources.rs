//! What a client may read by URI: the table of contents, memory files, pending proposals.

use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

use crate::error::Result;
use crate::project::verbs::{
    Project, Session, Wanted, fenced_file, memory_paths, pending, read_memory, show_proposal, toc,
};
use crate::secrets::{shown_json, shown_name};

const INDEX: &str = "memory://index";
const FILE: &str = "memory://file/";
const STAGED: &str = "memory://staged/";

const MARKDOWN: &str = "text/markdown";
const JSON: &str = "application/json";

pub(super) fn listed(session: &Session) -> Result<Vec<Resource>> {
    let project = Project::open_as_it_is(session)?;
    let index = Resource::new(INDEX, "index").with_description("Every section with its id");
    let files = memory_paths(&project)?.into_iter();
    let files = files.map(|path| {
        let path = shown_name(&path);
        Resource::new(format!("{FILE}{path}"), path.as_ref())
    });
    let staged = pending(&project)?.into_iter().map(|each| {
        let about = format!("Waits for a person: {}", shown_name(&each.intent));
        Resource::new(format!("{STAGED}{}", each.id), each.id)
            .with_description(about)
            .with_mime_type(JSON)
    });
    let markdown = std::iter::once(index).chain(files).map(|each| each.with_mime_type(MARKDOWN));
    Ok(markdown.chain(staged).collect())
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{FILE}{{path}}"), "file")
            .with_description("A memory file, e.g. memory://file/conventions.md")
            .with_mime_type(MARKDOWN),
        ResourceTemplate::new(format!("{STAGED}{{id}}"), "staged")
            .with_description("A pending proposal: request, evidence, what it would change")
            .with_mime_type(JSON),
    ]
}

pub(super) fn read(session: &Session, uri: &str) -> Result<Option<ResourceContents>> {
    let project = Project::open_as_it_is(session)?;
    let text = if uri == INDEX {
        Some((fenced_file("index", &toc(&project)?.to_markdown()), MARKDOWN))
    } else if let Some(path) = uri.strip_prefix(FILE) {
        read_memory(&project, path)?.map(|text| (fenced_file(path, &text), MARKDOWN))
    } else if let Some(id) = uri.strip_prefix(STAGED) {
        let shown = show_proposal(&project, &Wanted::Named(id.to_owned()))?.ok();
        let json =
            |shown| shown_json(&serde_json::to_string(&shown).expect("answers are plain data"));
        shown.map(|shown| (json(shown), JSON))
    } else {
        None
    };
    Ok(text.map(|(text, kind)| ResourceContents::text(text, uri).with_mime_type(kind)))
}
