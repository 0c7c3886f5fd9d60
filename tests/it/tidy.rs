//! Keeps the walls of the house: floors, homes of packages, sizes of files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The rooms, floor by floor, from the ground up; imports go down only.
const FLOORS: [&[&str]; 9] = [
    &["contract", "cores", "error", "text"],
    &["chain", "frontmatter", "markdown", "secrets"],
    &["clients", "config", "database", "disk", "git", "index", "programs"],
    &["longterm/request", "personal/request", "project/request", "service/request"],
    &[
        "longterm/placeholders",
        "longterm/resolver",
        "longterm/verdict",
        "personal/entry_file",
        "personal/index_file",
        "personal/index_pack",
        "personal/settings",
        "personal/sources",
        "project/adopt",
        "project/check",
        "project/claim",
        "project/config",
        "project/diff",
        "project/edit",
        "project/merge",
        "project/injection",
        "project/pack",
        "project/policy",
        "project/provenance",
        "project/rejection",
        "project/reversal",
        "project/standing",
        "project/schema",
        "project/toc",
        "project/upgrade",
        "service/backup",
        "service/classify",
        "service/clusters",
        "service/discovery",
        "service/entities",
        "service/graph",
        "service/lookalikes",
        "service/recall",
        "service/relevance",
        "service/summary",
        "service/tags",
    ],
    &["project/pipeline"],
    &["longterm/sqlite", "personal/store", "project/store", "service/sqlite"],
    &["longterm/verbs", "personal/verbs", "project/verbs", "service/verbs"],
    &["cli", "server"],
];

/// The systems, which never import one another; where two must meet, a door calls one and then the other.
const SYSTEMS: [&str; 4] = ["project", "personal", "longterm", "service"];

/// The floors of the project whose rooms are pure: they know no disk and no git.
const PURE: [usize; 3] = [3, 4, 5];

/// The one home of each package; `serde` and `serde_json` live everywhere.
const HOMES: [(&str, &[&str]); 52] = [
    ("aho_corasick", &["secrets/", "text/"]),
    ("anstream", &["cli/"]),
    ("anstyle", &["cli/"]),
    ("any_ascii", &["text/romanise.rs"]),
    ("axum", &["server/http/"]),
    ("clap", &["cli/"]),
    ("clap_complete", &["cli/completions.rs"]),
    ("clap_mangen", &["cli/man.rs"]),
    ("comfy_table", &["cli/"]),
    ("crossterm", &["cli/review/terminal.rs"]),
    ("flate2", &["service/backup/"]),
    ("fs4", &["disk/lock.rs"]),
    ("futures_util", &["server/http/stream_caller.rs"]),
    ("getrandom", &["disk/random.rs"]),
    ("globset", &["project/config/read_rule.rs", "project/store/read_files.rs"]),
    ("hmac", &["disk/key.rs"]),
    ("hyper", &["server/http/listen.rs"]),
    ("hyper_util", &["server/http/listen.rs"]),
    ("jiff", &["contract/", "cli/time_zone.rs"]),
    (
        "jsonc_parser",
        &[
            "clients/hooks.rs",
            "clients/json.rs",
            "clients/json_setting.rs",
            "clients/json_tree.rs",
            "clients/table.rs",
        ],
    ),
    (
        "memchr",
        &[
            "project/check/reach.rs",
            "markdown/",
            "project/store/decisions.rs",
            "disk/log.rs",
            "disk/journal/lines.rs",
            "text.rs",
        ],
    ),
    ("mimalloc", &["main.rs"]),
    ("pulldown_cmark", &["markdown/"]),
    (
        "regex",
        &[
            "secrets/",
            "project/injection/",
            "project/schema/",
            "service/classify.rs",
            "service/entities.rs",
        ],
    ),
    ("rusqlite", &["database/", "index/", "longterm/sqlite/", "service/sqlite/"]),
    ("rustix", &["disk/document.rs", "disk/folder/unix.rs", "git/", "programs.rs"]),
    ("rmcp", &["server/"]),
    ("saphyr_parser", &["frontmatter/"]),
    (
        "schemars",
        &[
            "chain.rs",
            "cli/",
            "clients/fault.rs",
            "contract/",
            "longterm/",
            "personal/",
            "project/",
            "secrets/explain.rs",
            "server/",
            "service/",
        ],
    ),
    ("serde", &[""]),
    ("serde_json", &[""]),
    ("sha1", &["project/store/blobs.rs"]),
    ("sha2", &["contract/id.rs", "secrets/", "disk/key.rs"]),
    ("signal_hook", &["cli/file_size.rs", "cli/interrupt.rs"]),
    ("similar", &["project/diff.rs", "project/diff/", "project/merge/"]),
    ("strsim", &["text.rs"]),
    ("tar", &["service/backup/"]),
    ("tempfile", &["disk/draft.rs", "disk/outside.rs", "project/store/scratch.rs"]),
    ("thiserror", &["error.rs"]),
    ("time", &["contract/moment.rs", "contract/timestamp.rs"]),
    ("tokio", &["server/"]),
    ("toml", &["config.rs", "project/config", "project/rejection.rs"]),
    (
        "toml_edit",
        &["clients/toml_table.rs", "project/config/setting.rs", "project/config/store_table.rs"],
    ),
    ("tower_http", &["server/http/listen.rs"]),
    (
        "tracing",
        &[
            "cli/logging.rs",
            "cli/run.rs",
            "disk/",
            "git/calls.rs",
            "index/",
            "project/store/log.rs",
            "project/verbs/",
            "server/",
        ],
    ),
    ("tracing_subscriber", &["cli/logging.rs"]),
    ("unicode_normalization", &["text/fold.rs", "text/lookalikes.rs", "text/romanise.rs"]),
    ("unicode_security", &["text/lookalikes.rs"]),
    ("unicode_width", &["cli/columns.rs"]),
    ("ureq", &["server/service_backend/http_client.rs"]),
    ("uuid", &["service/request/memory_id.rs"]),
    ("whoami", &["cli/environment.rs"]),
];

/// Files that are tables, and so may be long.
const TABLES: [&str; 2] = ["project/injection/order_table.rs", "secrets/rules/"];

/// Lines of a source file at most.
const LINES: usize = 400;

/// A source file: its path below `src/`, its lines without comments, its raw text.
pub(super) struct Source {
    pub(super) path: String,
    pub(super) code: String,
    pub(super) text: String,
}

#[test]
fn imports_go_down_the_floors_and_never_in_a_circle() {
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources() {
        let room = room_of(&source.path);
        for other in rooms_named(&source.code) {
            let (from, to) = (floor_of(&room), floor_of(&other));
            let (system, other_system) = (system_of(&room), system_of(&other));
            let are_apart = system.is_some() && other_system.is_some() && system != other_system;
            assert!(!are_apart, "{}: `{room}` imports another system, `{other}`", source.path);
            assert!(
                from >= to,
                "{}: `{room}` on floor {from} imports `{other}` on floor {to}",
                source.path
            );
            let is_ground = ["database", "disk", "git", "index"].contains(&other.as_str());
            assert!(!(PURE.contains(&from) && is_ground), "{}: it is pure", source.path);
            if room != other {
                imports.entry(room.clone()).or_default().insert(other);
            }
        }
    }
    for room in imports.keys() {
        let mut reached = BTreeSet::new();
        let mut next: Vec<&String> = imports[room].iter().collect();
        while let Some(other) = next.pop() {
            assert_ne!(other, room, "`{room}` imports itself through others: {reached:?}");
            if reached.insert(other) {
                next.extend(imports.get(other).into_iter().flatten());
            }
        }
    }
}

#[test]
fn every_package_has_one_home() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    let lists = manifest.split("\n[").filter(|list| {
        let title = list.lines().next().expect("a title");
        title.ends_with("dependencies]") && !title.starts_with("dev-")
    });
    let lines: Vec<&str> = lists.flat_map(|list| list.lines().skip(1)).collect();
    assert!(lines.len() > 20, "the lists of packages are missing");
    for line in lines.into_iter().filter(|line| line.contains(" = ")) {
        let package = line.split(['=', ' ']).next().expect("a name").replace('-', "_");
        let home = HOMES.iter().find(|(name, _)| *name == package);
        let (_, folders) = home.unwrap_or_else(|| panic!("`{package}` has no home in tidy.rs"));
        let used: Vec<String> = all_sources()
            .into_iter()
            .filter(|s| names(&s.code, &package))
            .map(|s| s.path)
            .collect();
        assert!(!used.is_empty(), "nobody uses `{package}`");
        for path in used {
            assert!(
                folders.iter().any(|folder| path.starts_with(folder)),
                "`{package}` stands in {path}"
            );
        }
    }
}

#[test]
fn doors_know_the_verbs_and_the_words_of_a_system_alone() {
    let is_inside = |room: &&String| {
        system_of(room).is_some()
            && !["verbs", "request"].iter().any(|seen| room.ends_with(&format!("/{seen}")))
    };
    for (door, other) in [("cli", "server"), ("server", "cli")] {
        for source in sources().into_iter().filter(|source| room_of(&source.path) == door) {
            let named = rooms_named(&source.code);
            assert_eq!(
                named.iter().find(is_inside),
                None,
                "{} reaches past the verbs",
                source.path
            );
            assert!(!named.contains(other), "{} knows the other door", source.path);
        }
    }
}

#[test]
fn only_the_terminal_makes_an_approval() {
    for source in sources() {
        let makes = ["Approval::by", "Approval {", "PersonPresent::", "PersonPresent("]
            .iter()
            .any(|words| source.code.contains(words));
        let home =
            ["cli/approval.rs", "personal/request/person_present.rs", "project/pipeline/route.rs"]
                .contains(&source.path.as_str());
        assert!(!makes || home, "{} makes an approval", source.path);
    }
}

#[test]
fn every_file_says_what_it_is_and_fits_on_a_few_screens() {
    for source in sources() {
        assert!(source.text.starts_with("//! "), "{} does not begin with a sentence", source.path);
        let lines = source.text.lines().count();
        let table = TABLES.iter().any(|folder| source.path.starts_with(folder));
        assert!(table || lines <= LINES, "{} has {lines} lines, allowed are {LINES}", source.path);
    }
}

#[test]
fn the_top_of_the_repository_holds_what_a_stranger_expects() {
    let known = [
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
        "src",
        "schemas",
        "tests",
        "fixtures",
        "benches",
        "fuzz",
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "docs",
        "packaging",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "clippy.toml",
        "target",
    ];
    for entry in std::fs::read_dir(root()).expect("the repository") {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        assert!(name.starts_with('.') || known.contains(&name.as_str()), "`{name}` at the top");
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the rooms, without the files that only open them.
fn sources() -> Vec<Source> {
    let is_room = |path: &str| {
        ![
            "main.rs",
            "lib.rs",
            "longterm/mod.rs",
            "personal/mod.rs",
            "project/mod.rs",
            "service/mod.rs",
        ]
        .contains(&path)
            && !path.starts_with("bin/")
    };
    all_sources().into_iter().filter(|source| is_room(&source.path)).collect()
}

/// Returns the files of the program, each up to its tests.
pub(super) fn production() -> impl Iterator<Item = Source> {
    let up_to = |text: &str| before_tests(text).to_owned();
    let is_production = |source: &Source| !source.path.contains("/tests/");
    let cut = move |Source { path, code, text }: Source| Source {
        path,
        code: up_to(&code),
        text: up_to(&text),
    };
    all_sources().into_iter().filter(is_production).map(cut)
}

/// Returns what stands before the tests of a file.
fn before_tests(text: &str) -> &str {
    let ends = ["#[cfg(test)]", "#[cfg(all(test"].into_iter().filter_map(|mark| text.find(mark));
    &text[..ends.min().unwrap_or(text.len())]
}

pub(super) fn all_sources() -> Vec<Source> {
    let src = root().join("src");
    let mut found = Vec::new();
    collect(&src, &mut found);
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a source file");
        let code: Vec<&str> = text.lines().filter(|l| !l.trim_start().starts_with("//")).collect();
        let below = path.strip_prefix(&src).expect("below src").to_str().expect("a plain name");
        Source { path: below.replace('\\', "/"), code: code.join("\n"), text }
    };
    found.iter().filter(|path| !path.ends_with("tests.rs")).map(read).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => collect(&path, found),
            false if path.extension().is_some_and(|extension| extension == "rs") => {
                found.push(path)
            }
            false => {}
        }
    }
}

/// Returns the room that a file is in, or that a path of a module leads to.
fn room_of(path: &str) -> String {
    let path = path.trim_end_matches(".rs");
    let is_in = |room: &&&str| {
        path.strip_prefix(**room).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let found = FLOORS.iter().flat_map(|floor| floor.iter()).find(is_in);
    found.unwrap_or_else(|| panic!("`{path}` stands on no floor of tidy.rs")).to_string()
}

fn floor_of(room: &str) -> usize {
    FLOORS.iter().position(|rooms| rooms.contains(&room)).expect("a room")
}

/// Returns the system that a room belongs to; none for a room that all share.
fn system_of(room: &str) -> Option<&str> {
    SYSTEMS.into_iter().find(|system| room.split('/').next() == Some(system))
}

/// Returns the rooms that a file names by `crate::room`, in braces too; tests may look anywhere.
fn rooms_named(code: &str) -> BTreeSet<String> {
    let code = before_tests(code);
    let path_of = |text: &str| -> String {
        let is_part = |c: &char| c.is_ascii_lowercase() || ['_', ':'].contains(c);
        text.trim().chars().take_while(is_part).collect::<String>().replace("::", "/")
    };
    let mut rooms = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let path = path_of(rest);
        let list = rest[path.replace('/', "::").len()..].strip_prefix('{');
        let names = list.and_then(|list| list.split('}').next()).unwrap_or_default();
        let paths = names.split(',').map(|name| path.clone() + &path_of(name));
        let known = |path: &String| {
            let mut rooms = FLOORS.iter().flat_map(|floor| floor.iter());
            rooms.any(|room| path == room || path.starts_with(&format!("{room}/")))
        };
        rooms.extend(paths.filter(known).map(|path| room_of(&path)));
    }
    rooms
}

/// Tells whether code names a package by a path; tests may use any.
fn names(code: &str, package: &str) -> bool {
    let code = before_tests(code);
    code.match_indices(package).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = &code[at + package.len()..];
        let free = before.is_none_or(|c| !c.is_alphanumeric() && !['_', '.', ':'].contains(&c));
        free && (after.starts_with("::") || after.starts_with(';'))
    })
}
