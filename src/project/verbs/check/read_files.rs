//! Looks at the files that are read where they are: `[[read]]` in `config.toml`.

use std::collections::BTreeSet;

use super::scope::CheckScope;
use super::side::Side;
use crate::contract::FileState;
use crate::error::Result;
use crate::project::check::{Content, Remark, Rulebook, check_read_file};
use crate::project::config::ReadRule;
use crate::project::store::{ReadFiles, Seat, may_be_read};
use crate::project::verbs::project::is_read_as;

/// What is hidden in files that are read where they are, and which of them are left out.
#[derive(Default)]
pub(super) struct ReadFindings {
    pub(super) remarks: Vec<Remark>,
    pub(super) notes: Vec<String>,
}

/// Looks at the files of one side; where a change is checked, only at those that it touches.
pub(super) fn read_files(
    side: &Side<'_>,
    rulebook: &Rulebook,
    scope: &CheckScope,
    seat: &Seat,
) -> Result<ReadFindings> {
    let mut found = ReadFindings::default();
    if rulebook.config.reads.is_empty() {
        return Ok(found);
    }
    let is_read = |path: &str, rule: &ReadRule| is_read_as(&rulebook.catalog, path, &rule.category);
    if side.tree().is_none() {
        return on_disk(rulebook, scope, seat, is_read);
    }
    let mut looked = BTreeSet::new();
    for rule in &rulebook.config.reads {
        let Some((git, tree)) = side.beside(rule.folder())? else { continue };
        let files = rule.files().compile_matcher();
        let is_named = |path: &&str| may_be_read(path) && files.is_match(path);
        let paths = tree.files().filter(is_named).filter(|path| is_read(path, rule));
        let paths = paths.filter(|path| scope.reaches_beside(path));
        // Of several rules the first one counts.
        let paths: Vec<&str> = paths.filter(|path| looked.insert((*path).to_owned())).collect();
        for (path, content) in paths.iter().zip(git.read(&tree, &paths)?) {
            let Content::Bytes(bytes) = content else { continue };
            if let Ok(text) = std::str::from_utf8(&bytes) {
                found.remarks.extend(check_read_file(&format!("../{path}"), text, rulebook));
            }
        }
    }
    Ok(found)
}

fn on_disk(
    rulebook: &Rulebook,
    scope: &CheckScope,
    seat: &Seat,
    is_read: impl Fn(&str, &ReadRule) -> bool,
) -> Result<ReadFindings> {
    let (config, scanner, repository) = (&rulebook.config, &rulebook.scanner, seat.repository());
    let read = ReadFiles::of(config, (seat.layout(), &repository), scanner, is_read)?;
    let mut found = ReadFindings::default();
    for path in read.paths().filter(|path| scope.reaches_beside(path)) {
        match read.read(path).transpose()? {
            Some(FileState::Text(text)) => {
                found.remarks.extend(check_read_file(&format!("../{path}"), &text, rulebook));
            }
            Some(FileState::Unusable(why)) => {
                found.notes.push(format!("`{path}` is not read: {why}"));
            }
            Some(FileState::Absent) | None => {}
        }
    }
    if scope.since.is_none() {
        found.notes.extend(read.warnings);
    }
    Ok(found)
}
