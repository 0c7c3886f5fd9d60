//! `secrets`: the scanner by itself, its rules, and what a person allows.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::answer::{Attempt, answered, write};
use super::project::{Project, shorten};
use super::session::Session;
use crate::cores::side_by_side;
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::project::config::{Config, with_allowed_secret};
use crate::project::pipeline::Approval;
use crate::project::request::{Answer, Reason, Refusal};
use crate::project::store::log::Entry;
use crate::project::store::{Step, Store};
use crate::secrets::{Class, Scanner, SecretFinding, Settings, explanation_of};
use crate::text::{did_you_mean, read_roughly};

pub(crate) use crate::secrets::{Explanation, explanations};

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct Scanned {
    /// The files and folders that were asked for, or the folder of the store; `-` is stdin.
    pub scanned: Vec<String>,
    pub files: usize,
    pub findings: Vec<FoundSecret>,
    /// Files that could not be read, each with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
}

/// A finding, without the secret.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct FoundSecret {
    /// The rule, or the kind of personal data.
    #[serde(rename = "type")]
    pub rule: &'static str,
    /// As it was named; `-` is stdin.
    pub path: String,
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// `short`, `medium` or `long`.
    pub length: &'static str,
    /// For `secrets allow`; absent for personal data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    pub remedy: &'static str,
    /// The marker of another scanner on the line that lets it pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foreign_marker: Option<&'static str>,
}

/// The largest number of bytes of a file that is scanned: a stream without end must not fill the memory. GitHub takes 100 MiB
/// (<https://docs.github.com/en/repositories/working-with-files/managing-large-files/about-large-files-on-github>).
const MOST: usize = 256 * 1024 * 1024;

/// Scans files and folders, or all of the store, with the settings of the store, if there is one; `-` is stdin. Files that
/// cannot be read are reported in the answer; invalid settings are an error.
pub(crate) fn scan(session: &Session, named: &[PathBuf]) -> Result<Scanned> {
    let scanner = scanner_at(session)?;
    let store = if named.is_empty() { Some(store_folder(session)?) } else { None };
    let named = store.as_ref().map_or(named, std::slice::from_ref);
    let shown = |path: &PathBuf| scanner.redact(&path.display().to_string()).into_owned();
    let mut scanned = Scanned {
        scanned: named.iter().map(shown).collect(),
        files: 0,
        findings: Vec::new(),
        unreadable: Vec::new(),
    };
    let told = |error: Error| scanner.redact(&error.to_string()).into_owned();
    let mut files: Vec<PathBuf> = Vec::new();
    for path in named {
        if path == Path::new("-") {
            files.push(path.clone());
            continue;
        }
        let (listed, failures) = outside::files_at(path);
        files.extend(listed);
        scanned.unreadable.extend(failures.into_iter().map(told));
    }
    for look in side_by_side(&files, |file| scan_file(&scanner, file, MOST)) {
        match look {
            Ok((found, rest)) => {
                scanned.files += 1;
                scanned.findings.extend(found);
                scanned.unreadable.extend(rest.map(told));
            }
            Err(error) => scanned.unreadable.push(told(error)),
        }
    }
    Ok(scanned)
}

/// Returns the folder of the store, as seen from the working directory.
fn store_folder(session: &Session) -> Result<PathBuf> {
    let layout = session.layout().map_err(|error| match error.kind() {
        ErrorKind::StoreNotFound => error.hint("name files or folders to scan, or `-` for stdin"),
        _ => error,
    })?;
    Ok(PathBuf::from(shorten(layout.store(), &session.folder)))
}

/// Scans the first bytes of a file; returns also an error about the rest, if there is one.
fn scan_file(
    scanner: &Scanner,
    file: &Path,
    most: usize,
) -> Result<(Vec<FoundSecret>, Option<Error>)> {
    let named = Some(file).filter(|path| *path != Path::new("-"));
    let mut bytes = outside::read_up_to(named, most as u64 + 1)?;
    let rest = (bytes.len() > most).then(|| {
        let cause = format!("only its first {} MiB were looked into; give it in parts", most >> 20);
        let cause = std::io::Error::other(cause);
        Error::io("read all of", named.unwrap_or(Path::new("stdin")), cause)
    });
    bytes.truncate(most);
    let shown = scanner.redact(&file.display().to_string()).into_owned();
    // Keys are ASCII, so bytes that are not UTF-8 do not hide them.
    let text = read_roughly(&bytes);
    let told = |finding: SecretFinding| FoundSecret {
        rule: finding.rule,
        path: shown.clone(),
        line: finding.line,
        column: finding.column,
        length: finding.length.name(),
        fingerprint: Some(finding.fingerprint).filter(|_| finding.class == Class::Secret),
        remedy: finding.remedy,
        foreign_marker: finding.foreign_marker,
    };
    Ok((scanner.scan(&text).into_iter().map(told).collect(), rest))
}

fn scanner_at(session: &Session) -> Result<Scanner> {
    match session.layout() {
        Ok(layout) => Ok(Store::at(layout).config()?.scanner()),
        Err(error) if error.kind() == ErrorKind::StoreNotFound && session.root.is_none() => {
            Ok(Scanner::new(Settings::default()))
        }
        Err(error) => Err(error),
    }
}

pub(crate) fn explain(id: &str) -> Result<Explanation> {
    explanation_of(id).ok_or_else(|| {
        let guess = did_you_mean(id, explanations().map(|each| each.id));
        Error::new(ErrorKind::Usage, format!("there is no such rule{guess}"))
            .hint("`agent-memory secrets rules` lists them")
    })
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct AllowedSecret {
    pub status: &'static str,
    pub fingerprint: String,
    /// Whether it was new to the store.
    pub added: bool,
    pub warnings: Vec<String>,
}

/// Allows a value from now on, in the name of a person.
pub(crate) fn allow_secret(
    project: &Project,
    fingerprint: &str,
    reason: &str,
    approval: &Approval,
) -> Result<Answer<AllowedSecret>> {
    answered(project, || write_allowed(project, fingerprint, reason, approval))
}

fn write_allowed(
    project: &Project,
    fingerprint: &str,
    reason: &str,
    approval: &Approval,
) -> Attempt<AllowedSecret> {
    project.refuse_unfit("--reason", reason)?;
    let fingerprint = fingerprint.to_ascii_lowercase();
    if fingerprint.len() != 16 || !fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let message = "a fingerprint has 16 hex digits";
        let hint = "`agent-memory secrets scan FILE` prints it beside each finding";
        return Err(Refusal::new(Reason::InvalidRequest, message, hint).into());
    }
    if reason.trim().is_empty() {
        let hint = "say why this is no secret: `--reason TEXT`";
        return Err(Refusal::new(Reason::InvalidRequest, "a reason is missing", hint).into());
    }
    let mut locked = project.lock("secrets allow", None)?;
    let warnings = project.take_warnings();
    let spot = locked.layout().config();
    let before = project.config_text()?;
    let text = before.as_deref().unwrap_or_default();
    let known = Config::parse(text, &spot)?.allowed_secrets.contains(&fingerprint);
    let mut allowed = AllowedSecret { status: "allowed", fingerprint, added: !known, warnings };
    if known {
        return Ok(allowed);
    }
    let after = with_allowed_secret(text, &allowed.fingerprint, reason.trim());
    // A hand-written file must still be valid with the entry.
    Config::parse(&after, &spot)?;
    let told = format!("secret {} allowed: {}", allowed.fingerprint, reason.trim());
    let entry = Entry {
        approver: Some(approval.approver()),
        reason: Some(&told),
        ..Entry::new(project.session.now, "allowed")
    };
    let line = entry.append_to(&locked.layout().signed_log().tail()?);
    let trace = project.trace_of([text, after.as_str()].into_iter());
    let steps = vec![Step::write("config.toml", before.as_deref(), after), line];
    allowed.warnings.extend(write(&mut locked, steps, trace)?);
    Ok(allowed)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests set their own stage")]
mod tests {
    use super::*;

    #[test]
    fn of_too_long_a_file_the_beginning_is_looked_into_and_the_rest_told_of() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, key) = (folder.path().join("a.txt"), ["AKIA", "Q3EGRUFYV5OOSLNM"].concat());
        std::fs::write(&file, format!("{key}\n{}\n{key}\n", "x".repeat(1 << 20))).expect("a file");
        let scanner = Scanner::new(Settings::default());
        let look = |most| scan_file(&scanner, &file, most).expect("it is read");
        let (found, rest) = look(1 << 20);
        assert_eq!(found.iter().map(|each| each.line).collect::<Vec<_>>(), [1]);
        let said = rest.expect("there is more").to_string();
        assert!(said.contains("only its first 1 MiB were looked into; give it in parts"), "{said}");
        let (found, rest) = look(MOST);
        assert_eq!((found.len(), rest.is_none()), (2, true));
    }
}
