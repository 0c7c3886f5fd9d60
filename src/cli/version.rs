//! `agent-memory --version`

use std::sync::LazyLock;

use crate::project::verbs::sqlite_version;

/// Version, commit and what is built in: all that a report of a bug needs.
static LONG: LazyLock<String> = LazyLock::new(|| {
    // `build.rs` asks git; an archive has none.
    let commit = option_env!("AGENT_MEMORY_COMMIT").map(|commit| format!(" ({commit})"));
    let (version, commit) = (env!("CARGO_PKG_VERSION"), commit.unwrap_or_default());
    format!("{version}{commit} SQLite {}", sqlite_version())
});

/// Returns what `--version` says; `-V` says the version alone.
pub(super) fn long() -> &'static str {
    &LONG
}
