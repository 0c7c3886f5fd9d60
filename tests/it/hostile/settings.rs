//! Settings, schemas and rejections that a slip of the hand, a merge or an attacker has damaged.

use std::fs;
use std::path::Path;

use agent_memory::config::UserConfig;
use agent_memory::error::Result;
use agent_memory::markdown::Outline;
use agent_memory::project::config::{self, Config};
use agent_memory::project::rejection::Rejection;
use agent_memory::project::schema::{Category, DEFAULTS, Matching};
use proptest::prelude::{Strategy, any, prop_oneof, proptest};
use proptest::sample::{Index, select};

use super::{damaged, markdown};
use crate::support::Sandbox;

/// Lines that no settings ask for.
const LINES: [&str; 18] = [
    "[section]",
    "[[section]]",
    "[section.fields.Date]",
    "a.b.c = 1",
    "path = \"*/*\"",
    "path = \"../x\"",
    "level = 99",
    "level = -1",
    "file_bytes = 1e9",
    "bullets = \"(\"",
    "bullets = \"(a*)*(a*)*(a*){99}\"",
    "intents = 5",
    "intents = [5]",
    "x = 1979-05-27",
    "x = nan",
    "x = \"\"\"",
    "x = {",
    "approval = 'deny'",
];

fn good() -> Vec<String> {
    let rejection = "id = \"a\"\ndate = \"2026-11-20\"\nreason = \"b\"\nfingerprints = [\"c\"]\n";
    let own = [config::DEFAULT, "[routing.intents]\nsession_log = \"stage\"\n", rejection];
    let schemas = DEFAULTS.iter().map(|(_, text)| *text);
    own.into_iter().chain(schemas).map(str::to_owned).collect()
}

/// A text with lines moved, doubled, left out, and strange ones in between.
fn shuffled() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![3 => select(&LINES[..]).prop_map(str::to_owned), 1 => markdown()];
    let changes = proptest::collection::vec((any::<Index>(), any::<Index>(), line), 1..5);
    (select(good()), changes).prop_map(|(text, changes)| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (from, to, line) in changes {
            let moved = lines.remove(from.index(lines.len()));
            lines.insert(to.index(lines.len() + 1), moved);
            lines.insert(from.index(lines.len() + 1), line);
        }
        lines.join("\n").into_bytes()
    })
}

/// Expects an error, if there is one, to name the file and the next step.
fn is_clear<T>(result: Result<T>, path: &Path) {
    if let Err(error) = result {
        let text = error.to_string();
        assert!(text.contains(path.to_str().unwrap()), "{text}");
        assert!(error.next_step().is_some() && text.len() < 20_000, "{text}");
    }
}

proptest! {
    #![proptest_config(super::config(400))]

    #[test]
    fn any_settings_are_read_or_refused_with_their_path(
        bytes in prop_oneof![shuffled(), damaged(good())],
    ) {
        let text = String::from_utf8_lossy(&bytes);
        let memory = "# A\n\n## B\n<!-- @id: b -->\n\n- **Date:** 2026-11-20\n\n### C\n\nd\n";
        for (name, _) in DEFAULTS {
            let path = format!("schemas/{name}.toml");
            let category = Category::parse(&text, Path::new(&path));
            if let Some(rules) = category.as_ref().ok().and_then(|category| category.section.as_ref()) {
                let outline = Outline::read(memory);
                (0..outline.sections().len()).for_each(|number| drop(rules.check(&outline, number, &Matching::of_request())));
            }
            is_clear(category, Path::new(&path));
        }
        is_clear(Config::parse(&text, Path::new("config.toml")), Path::new("config.toml"));
        is_clear(UserConfig::parse(&text, Path::new("user.toml")), Path::new("user.toml"));
        is_clear(Rejection::parse(&text, Path::new("a.toml")), Path::new("a.toml"));
    }
}

#[test]
fn nesting_without_end_is_refused() {
    let path = Path::new("config.toml");
    let ends =
        ["x = ".to_owned() + &"[".repeat(300_000), "x = ".to_owned() + &"{a=".repeat(300_000)];
    let dotted = [format!("x{} = 1", ".x".repeat(300_000)), format!("[x{}]", ".x".repeat(300_000))];
    for text in ends.iter().chain(&dotted) {
        assert!(Config::parse(text, path).is_err());
    }
}

#[test]
fn a_store_has_only_so_many_categories() {
    let sandbox = Sandbox::new();
    let known = fs::read_dir(sandbox.store().join("schemas")).unwrap().count();
    for number in known..257 {
        let schema = format!(
            "category = \"c{number}\"\ntitle = \"C\"\npath = \"c{number}.md\"\nintents = []\n"
        );
        sandbox.write(&format!("schemas/c{number}.toml"), schema);
    }
    let told = sandbox.run(&["check"]).expect_code(1).stdout;
    assert!(told.contains("a store has at most 256 categories"), "{told}");
}
