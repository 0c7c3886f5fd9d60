//! Finds fixtures, and writes them anew where a person asks for it.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns a folder of this package.
pub(crate) fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns what lies in a folder of this package, by name; what begins with a dot is left out.
pub(crate) fn cases(path: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| !path.file_name().unwrap().to_string_lossy().starts_with('.'));
    found.sort();
    assert!(!found.is_empty(), "{path} holds no fixtures");
    found
}

/// Tells whether expected results are to be written anew: `BLESS=1 cargo test --test it`.
pub(crate) fn blessing() -> bool {
    std::env::var("BLESS").is_ok_and(|value| value == "1")
}

/// Puts in what must not stand in a file of ours in one piece: `{{AWS_KEY}}`, `{{GITHUB_TOKEN}}`.
pub(crate) fn replace_placeholders(text: &str) -> String {
    let aws_key = ["AKIA", "3QZ7WLN2VXKD5RTY"].concat();
    let github_token = ["ghp_", "x9KfQ2mVb7Tz4LwPc8Rj1NsYd6GhAe3BuXo0"].concat();
    text.replace("{{AWS_KEY}}", &aws_key).replace("{{GITHUB_TOKEN}}", &github_token)
}
