//! Fills the templates of `ci`. A text from the repository is written as JSON, which is YAML too.

use serde_json::Value;

use super::install;
use crate::project::verbs::CiFacts;

/// The root of a store that is found without being named.
const TOP: &str = ".";

pub(super) fn github(facts: &CiFacts) -> String {
    let paths = paths(facts, "**", ".github/workflows/agent-memory.yml", escaped_for_github);
    let matrix = matrix(facts).map(|roots| {
        format!(
            "    strategy:\n      fail-fast: false\n      matrix:\n        root: {roots}\n    env:\n      AGENT_MEMORY_ROOT: ${{{{ matrix.root }}}}"
        )
    });
    let package = facts.package.as_ref();
    let template = include_str!("github.yml").replace("@PATHS@", &paths);
    let template = template.replace("@PIN@", install::pin(package));
    let template = line(&template, "@TOOL@", Some(&install::tool_of_github(package)));
    let template = line(&template, "@INSTALL@", Some(&install::steps_of_github(package)));
    let template = line(&template, "@MATRIX@", matrix.as_deref());
    let template = line(&template, "@ROOT@", variable(facts, "  ").as_deref());
    with_version(&template.replace("@BRANCHES@", &list([escaped_for_github(&facts.branch)])))
}

pub(super) fn gitlab(facts: &CiFacts) -> String {
    let paths = paths(facts, "**/*", ".gitlab-ci.yml", str::to_owned);
    let matrix = matrix(facts)
        .map(|roots| format!("  parallel:\n    matrix:\n      - AGENT_MEMORY_ROOT: {roots}"));
    let template = include_str!("gitlab.yml").replace("@PATHS@", &paths);
    let install = install::lines_of_gitlab(facts.package.as_ref());
    let template = line(&template, "@INSTALL@", Some(&install));
    let template = line(&template, "@MATRIX@", matrix.as_deref());
    with_version(&line(&template, "@ROOT@", variable(facts, "    ").as_deref()))
}

pub(super) fn pre_commit(facts: &CiFacts) -> String {
    let hooks: Vec<String> = facts.roots.iter().map(|root| hook(root)).collect();
    include_str!("pre-commit.yaml").replace("@HOOKS@\n", &hooks.concat())
}

fn hook(root: &str) -> String {
    let (name, args) = match root {
        TOP => ("agent-memory check".to_owned(), String::new()),
        root => {
            let name = Value::from(format!("agent-memory check of {root}")).to_string();
            (name, format!("        args: [--root, {}]\n", Value::from(root)))
        }
    };
    format!(
        "      - id: agent-memory-check
        name: {name}
        entry: agent-memory check --staged --base HEAD
{args}        language: system
        # Also for what only deletes files, which are not listed.
        always_run: true
        pass_filenames: false
        require_serial: true
"
    )
}

fn with_version(template: &str) -> String {
    template.replace("@VERSION@", env!("CARGO_PKG_VERSION"))
}

/// Fills a line of its own, or takes it out.
fn line(template: &str, mark: &str, text: Option<&str>) -> String {
    let text = text.map(|text| format!("{text}\n")).unwrap_or_default();
    template.replace(&format!("{mark}\n"), &text)
}

/// Names the only store, where it is not found from the top.
fn variable(facts: &CiFacts, indent: &str) -> Option<String> {
    match facts.roots.as_slice() {
        [only] if only != TOP => {
            Some(format!("{indent}AGENT_MEMORY_ROOT: {}", Value::from(only.as_str())))
        }
        _ => None,
    }
}

fn matrix(facts: &CiFacts) -> Option<String> {
    (facts.roots.len() > 1).then(|| list(facts.roots.iter().map(String::clone)))
}

/// Returns the patterns of the stores and of the file that runs the check.
fn paths(facts: &CiFacts, all: &str, own: &str, escaped: fn(&str) -> String) -> String {
    let store = |root: &String| match root.as_str() {
        TOP => format!(".agent-memory/{all}"),
        root => format!("{}/.agent-memory/{all}", escaped(root)),
    };
    let read = |folder: &String| match folder.as_str() {
        "" => "**/*.md".to_owned(),
        folder => format!("{}/**/*.md", escaped(folder)),
    };
    let stores = facts.roots.iter().map(store);
    list(stores.chain(facts.read_folders.iter().map(read)).chain([own.to_owned()]))
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| Value::from(item).to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// Escapes what is no name in a filter of GitHub Actions.
fn escaped_for_github(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for character in name.chars() {
        if "*?+[]!\\".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
