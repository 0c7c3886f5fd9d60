//! `agent-memory --version`

use std::sync::LazyLock;

use crate::project::verbs::sqlite_version;

/// What a bug report needs.
static LONG: LazyLock<String> = LazyLock::new(|| {
    // `build.rs` asks git; a source archive has no commit.
    let commit = option_env!("AGENT_MEMORY_COMMIT").map(|commit| format!(" ({commit})"));
    let (version, commit) = (env!("CARGO_PKG_VERSION"), commit.unwrap_or_default());
    format!("{version}{commit} SQLite {}", sqlite_version())
});

/// The text of `--version`; `-V` prints the version alone.
pub(super) fn long() -> &'static str {
    &LONG
}
