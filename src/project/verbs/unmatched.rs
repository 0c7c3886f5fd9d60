//! Names a filter that matches nothing at all: a typo must not look like an empty memory.

use serde_json::Value;

use super::log::{LogQuery, all_decisions};
use super::project::Project;
use crate::error::Result;
use crate::markdown::file_name;
use crate::project::store::sections::memory_files;
use crate::text::{did_you_mean, excerpt, slips};

/// How many files are named at most.
const NEAR: usize = 3;

/// Bytes of a name that is compared.
const NAME: usize = 200;

/// Says that a pattern fits no file of the store, and names those that are near.
pub(super) fn no_file(project: &Project, pattern: &str) -> Result<String> {
    let near = near_files(project, pattern)?;
    let pattern = project.others()?.shown(pattern);
    let pattern = excerpt(&pattern);
    let form = "name one as in `modules/auth.md` or `modules/*`";
    Ok(format!("no file of the store fits `{pattern}`{near}; {form}"))
}

/// Says which filter of the log fits no decision, whatever the others are.
pub(crate) fn unmatched_in_log(project: &Project, query: &LogQuery<'_>) -> Result<Option<String>> {
    if !query.names_subject() {
        return Ok(None);
    }
    let entries = all_decisions(project)?;
    if let Some(file) = query.file {
        let files = memory_files(project.store.layout().folder())?;
        let is_known = files.iter().any(|it| it == file)
            || listed(&entries, "files", "path").any(|it| it == file);
        if !is_known {
            let near = project.clean(&did_you_mean_file(file, &files));
            return Ok(Some(format!(
                "neither the store nor the log has a file `{}`{near}",
                excerpt(file)
            )));
        }
    }
    let guess = |wanted: &str, known: Vec<&str>| {
        let is_known = known.contains(&wanted);
        (!is_known).then(|| format!("`{}`{}", excerpt(wanted), did_you_mean(wanted, known)))
    };
    let sections = || listed(&entries, "sections", "section_id").collect();
    if let Some(said) = query.section.and_then(|wanted| guess(wanted, sections())) {
        return Ok(Some(project.clean(&format!("no decision is about a section {said}"))));
    }
    let owners = || entries.iter().filter_map(|entry| entry["owner"].as_str()).collect();
    let said = query.owner.and_then(|wanted| guess(wanted, owners()));
    Ok(said.map(|said| project.clean(&format!("no decision is about a proposal of {said}"))))
}

fn listed<'e>(entries: &'e [Value], list: &str, field: &str) -> impl Iterator<Item = &'e str> {
    let all = entries.iter().flat_map(move |entry| entry[list].as_array().into_iter().flatten());
    all.filter_map(move |each| each[field].as_str())
}

/// Asks at the end of a message for the files that were probably meant; empty where none is near.
pub(super) fn near_files(project: &Project, wanted: &str) -> Result<String> {
    let files = memory_files(project.store.layout().folder())?;
    Ok(project.clean(&did_you_mean_file(wanted, &files)))
}

pub(super) fn did_you_mean_file(wanted: &str, files: &[String]) -> String {
    let near: Vec<String> = near(wanted, files).iter().map(|file| format!("`{file}`")).collect();
    match near.is_empty() {
        true => String::new(),
        false => format!(", did you mean {}?", near.join(" or ")),
    }
}

/// Returns the nearest files; for a pattern the nearest folders, as patterns. A name that is right in another folder is near.
fn near(wanted: &str, files: &[String]) -> Vec<String> {
    if wanted.len() > NAME {
        return Vec::new();
    }
    let is_pattern = wanted.contains('*');
    let mut candidates: Vec<String> = match is_pattern {
        true => {
            files.iter().filter_map(|it| Some(format!("{}/*", it.rsplit_once('/')?.0))).collect()
        }
        false => files.to_vec(),
    };
    candidates.sort();
    candidates.dedup();
    let distance = |path: &String| match is_pattern {
        true => slips(wanted, path),
        false => slips(wanted, path).min(slips(file_name(wanted), file_name(path))),
    };
    let most = if is_pattern { wanted.len() / 4 } else { file_name(wanted).len() / 4 };
    let mut near: Vec<_> = candidates.into_iter().map(|path| (distance(&path), path)).collect();
    near.retain(|(distance, _)| *distance <= most.max(1));
    near.sort();
    near.into_iter().take(NEAR).map(|(_, path)| path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<const N: usize>(wanted: &str, expected: [&str; N]) {
        let files = ["conventions.md", "modules/auth.md", "modules/deep/auth.md", "pitfalls.md"];
        assert_eq!(near(wanted, &files.map(str::to_owned)), expected, "{wanted}");
    }

    #[test]
    fn a_slip_of_the_finger_or_a_wrong_folder_is_near() {
        check("convention.md", ["conventions.md"]);
        check("modules/pitfalls.md", ["pitfalls.md"]);
        check("auht.md", ["modules/auth.md", "modules/deep/auth.md"]);
        check("modles/*", ["modules/*"]);
    }

    #[test]
    fn what_has_little_in_common_is_not_near() {
        check("zzz.md", []);
        check("*", []);
        check(&"x".repeat(10_000), []);
    }
}
