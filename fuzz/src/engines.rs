//! Markdown, schemas and settings: bytes in, values out.

use std::path::Path;

use agent_memory::config::UserConfig;
use agent_memory::markdown::Outline;
use agent_memory::project::config::Config;
use agent_memory::project::edit::{Edit, changes, edit};
use agent_memory::project::request::{Action, MemoryPath, Selector, Target};
use agent_memory::project::schema::{Category, Matching};

/// Reads a file and puts what stands behind its first NUL into its first section.
///
/// The sections cover every byte once; an edit changes that section and no other.
pub fn markdown(bytes: &[u8]) {
    let Some(text) = crate::text(bytes) else { return };
    let (before, content) = text.split_once('\0').unwrap_or((text, "- a bullet"));
    let outline = Outline::read(before);
    let mut end = outline.preamble().len();
    for section in outline.sections() {
        assert_eq!(section.heading_bytes.start, end);
        assert!(section.body_start <= section.own_end && section.own_end <= section.end);
        end = section.own_end;
    }
    assert!(end == before.len() || outline.sections().is_empty());
    assert!(changes(&outline, &outline).is_empty());
    let Some(first) = outline.sections().first() else { return };
    let selector = match &first.id {
        Some(id) => Selector::Id(id.clone()),
        None => Selector::Heading {
            text: first.heading.text.clone(),
            level: Some(first.heading.level),
            occurrence: Some(1),
        },
    };
    let (target, content) = (Target { selector, if_hash: None }, content.to_owned());
    appended(
        &outline,
        &Action::AppendToSection { target: target.clone(), content: content.clone() },
    );
    appended(&outline, &Action::ReplaceSectionContent { target, content });
}

fn appended(before: &Outline<'_>, action: &Action) {
    let path = MemoryPath::parse("local/shared.md").expect("a good path");
    let order = Edit {
        action,
        path: &path,
        archive: &path,
        notes: &[],
        sources: &[],
        then: None,
        changed: &[],
        pointer: "/operations/0",
    };
    let Ok(edited) = edit(before.clone(), &order) else { return };
    let after = Outline::read(&edited.text);
    let same = |number: usize| {
        let (old, new) = (&before.sections()[number], &after.sections()[number]);
        before.own(old) == after.own(new) && old.heading == new.heading && old.id == new.id
    };
    assert_eq!(before.sections().len(), after.sections().len());
    assert!((1..before.sections().len()).all(same), "{:?}", edited.text);
}

/// Reads a schema and, if it is one, checks a section against it.
pub fn schema(bytes: &[u8]) {
    let Some(text) = crate::text(bytes) else { return };
    // A schema is called as its file; the fuzzer shall not have to find that out.
    let name = text.lines().find_map(|line| line.strip_prefix("category = \"")?.strip_suffix('"'));
    let path = format!("{}.toml", name.unwrap_or("decisions"));
    match Category::parse(text, Path::new(&path)) {
        Err(error) => assert!(error.next_step().is_some(), "{error}"),
        Ok(category) => {
            let Some(rules) = &category.section else { return };
            let memory = "# A\n\n## B\n<!-- @id: b -->\n\nDate: 2026-11-20\n\n- c\n\n### D\n\ne\n";
            let outline = Outline::read(memory);
            let matching = Matching::of_request();
            let check = |number| drop(rules.check(&outline, number, &matching));
            (0..outline.sections().len()).for_each(check);
        }
    }
}

/// Reads the settings of a store, and a person's own.
pub fn config(bytes: &[u8]) {
    let Some(text) = crate::text(bytes) else { return };
    let path = Path::new("config.toml");
    if let Err(error) = Config::parse(text, path) {
        assert!(error.next_step().is_some(), "{error}");
    }
    if let Err(error) = UserConfig::parse(text, path) {
        assert!(error.next_step().is_some(), "{error}");
    }
}
