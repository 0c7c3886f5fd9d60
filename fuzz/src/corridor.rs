//! A request on its way through the corridor, from bytes to a route, over a small store in memory.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use agent_memory::contract::{FileState, Moment};
use agent_memory::markdown::Outline;
use agent_memory::project::config::Config;
use agent_memory::project::pipeline::{Branch, Planned, Rules, Snapshot, Submission, Surroundings};
use agent_memory::project::provenance::Evidence;
use agent_memory::project::request::{Answer, MemoryPath, Source};
use agent_memory::project::schema::{Catalog, DEFAULTS};
use agent_memory::secrets::Scanner;

/// What the files of the store say.
const FILE: &str = "# Memory\n\n## Retries\n<!-- @id: retries -->\n\n- They back off.\n\n### Budget\n\nSmall.\n\n## Names\n<!-- @id: names -->\n\nThey are long.\n";

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let paths = DEFAULTS.map(|(name, text)| (PathBuf::from(format!("{name}.toml")), text));
    Catalog::parse(paths.iter().map(|(path, text)| (path.as_path(), *text))).expect("good schemas")
});

static CONFIG: LazyLock<Config> = LazyLock::new(|| {
    Config::parse(agent_memory::project::config::DEFAULT, "config.toml".as_ref())
        .expect("good settings")
});

/// Where every cited file is what it was.
struct Somewhere;

impl Surroundings for Somewhere {
    fn branch(&self) -> Answer<Branch> {
        Ok(Branch::named("main"))
    }

    fn text(&self, path: &MemoryPath) -> Option<String> {
        match state(path) {
            FileState::Text(text) => Some(text),
            FileState::Absent | FileState::Unusable(_) => None,
        }
    }

    fn evidence(&self, sources: &[Source]) -> Vec<Evidence> {
        vec![Evidence::Present(Some("9f3c2e1a4b5c".to_owned())); sources.len()]
    }
}

fn state(path: &MemoryPath) -> FileState {
    match path.as_str() {
        "decisions.md" | "pitfalls.md" | "local/shared.md" => FileState::Text(FILE.to_owned()),
        "conventions.md" => FileState::Text(FILE.replace('\n', "\r\n")),
        _ => FileState::Absent,
    }
}

/// Proposes a request.
///
/// A refusal says what and what next; what is planned leaves every section alone that it does not name
/// as changed.
pub fn request(bytes: &[u8]) {
    let scanner = Scanner::default();
    let rules = Rules { catalog: &CATALOG, config: &CONFIG, scanner: &scanner };
    if let Err(refusal) = walk(bytes, rules) {
        assert!(!refusal.message.is_empty() && !refusal.hint.is_empty(), "{refusal:?}");
    }
}

fn walk(bytes: &[u8], rules: Rules<'_>) -> Answer<()> {
    let proposal =
        Submission::new(bytes.to_vec(), Moment::from_unix(1_795_000_000), "2026-11-18".to_owned())
            .parse()?;
    let screened = proposal.screen(rules, &Somewhere)?;
    let files: BTreeMap<_, _> =
        screened.files().into_iter().map(|path| (path.clone(), state(&path))).collect();
    let planned =
        screened.plan(Snapshot { files, ..Snapshot::default() })?;
    planned.files.iter().for_each(|file| {
        others_stay(file.before.as_deref().unwrap_or_default(), &file.after, &planned)
    });
    planned.route(None).map(drop)
}

/// Every section of a file is as it was, or the answer names it.
fn others_stay(before: &str, after: &str, planned: &Planned<'_>) {
    let (before, after) = (Outline::read(before), Outline::read(after));
    for section in before.sections() {
        let Some(id) = &section.id else { continue };
        let named = planned.affected.iter().any(|each| each.section_id.as_ref() == Some(id));
        let now = after.find(id).map(|number| after.own(&after.sections()[number]));
        assert!(named || now == Some(before.own(section)), "`{id}` changed");
    }
}
