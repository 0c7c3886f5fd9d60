//! Finds fixtures, and writes them anew where a person asks for it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Checks every case of a folder, two at a time; all that is wrong comes in one report.
pub(crate) fn for_each_case(path: &str, check: impl Fn(&Path) -> Result<(), String> + Sync) {
    let (cases, next, wrong) = (cases(path), AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(problem) = check(case) {
                let name = case.file_stem().unwrap().to_string_lossy();
                wrong.lock().unwrap().push(format!("{name}: {problem}"));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Returns every file under a folder with its bytes, by path; none if there is no such folder.
pub(crate) fn files_in(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    if folder.exists() {
        collect(folder, "", &mut files);
    }
    files.remove(".gitkeep");
    files
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files);
        } else if kind.is_symlink() {
            let target = fs::read_link(entry.path()).unwrap();
            files.insert(path, format!("-> {}", target.display()).into_bytes());
        } else {
            files.insert(path, fs::read(entry.path()).unwrap());
        }
    }
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
