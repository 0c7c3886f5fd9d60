//! Reads `ci --from`: the package that CI installs instead of the published one.

use std::path::Path;

use super::session::Session;
use crate::contract::ContentHash;
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::project::store::Repository;
use crate::secrets::shown_name;

/// What `--from` takes.
const ALLOWED: &str = "give a wheel (`.whl`) or a tarball (`.tar.gz`): a file of this repository, or an `https://` address";

/// What the name of a package may hold beside letters and digits: it is written into a script.
const MARKS: &str = "-._~/:%+,=";

/// A package that is not on a registry.
#[derive(Debug)]
pub(crate) struct CiPackage {
    pub form: PackageForm,
    pub origin: PackageOrigin,
    pub sha256: Option<ContentHash>,
    /// What a person should know before the first run.
    pub warning: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PackageForm {
    Wheel,
    Tarball,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PackageOrigin {
    /// A path from the top of the repository.
    File(String),
    Address(String),
}

impl CiPackage {
    /// Reads an address, or a path from the working directory.
    pub(super) fn find(session: &Session, top: &Path, named: &str) -> Result<Self> {
        match named.contains("://") {
            true => Self::at(named),
            false => Self::inside(session, top, named),
        }
    }

    /// Reads an address, with the sum behind `#sha256=` if there is one.
    fn at(named: &str) -> Result<Self> {
        let (address, fragment) = match named.split_once('#') {
            Some((address, fragment)) => (address, Some(fragment)),
            None => (named, None),
        };
        let host = address.strip_prefix("https://").and_then(|rest| rest.split('/').next());
        if host.is_none_or(str::is_empty) {
            return Err(refused(named, "is no `https://` address"));
        }
        refuse_marks(address)?;
        let form = form(address)?;
        let sum = |fragment: &str| {
            let digits = fragment.strip_prefix("sha256=").filter(|digits| digits.len() == 64);
            digits.and_then(ContentHash::parse_any_case).ok_or_else(|| {
                refused(named, "has something behind `#` that is not `sha256=` and 64 hex digits")
            })
        };
        let sha256 = fragment.map(sum).transpose()?;
        let unchecked = "nothing checks what CI gets from this address: add `#sha256=` and the sum that stands in its `SHA256SUMS`";
        let warning = sha256.is_none().then(|| unchecked.to_owned());
        Ok(Self { form, origin: PackageOrigin::Address(address.to_owned()), sha256, warning })
    }

    /// Reads a file of the repository, and its sum.
    fn inside(session: &Session, top: &Path, named: &str) -> Result<Self> {
        let form = form(named)?;
        let path = session.folder.join(named);
        let bytes = match outside::is_plain(&path) {
            true => outside::read(&path)?,
            false => None,
        };
        let bytes = bytes.ok_or_else(|| refused(named, "is no file"))?;
        let inside = outside::real_path(&path).zip(outside::real_path(top));
        let inside = inside.and_then(|(path, top)| {
            let inside = path.strip_prefix(top).ok()?.to_str()?;
            Some(inside.replace('\\', "/"))
        });
        let inside = inside.ok_or_else(|| {
            refused(named, "is outside of the repository, where CI does not find it")
        })?;
        refuse_marks(&inside)?;
        let is_kept = Repository::around(top, &session.git_time).is_staged(&inside)?;
        let warning = (!is_kept).then(|| {
            format!("`{inside}` is not in git: commit it, or let an earlier step of the job get it")
        });
        let sha256 = Some(ContentHash::of(&bytes));
        Ok(Self { form, origin: PackageOrigin::File(inside), sha256, warning })
    }
}

fn form(name: &str) -> Result<PackageForm> {
    if name.ends_with(".whl") {
        Ok(PackageForm::Wheel)
    } else if name.ends_with(".tar.gz") {
        Ok(PackageForm::Tarball)
    } else {
        Err(refused(name, "is neither a wheel nor a tarball"))
    }
}

/// Refuses what a shell, YAML or a forge would read as more than a name; a password before `@` is refused by it too.
fn refuse_marks(name: &str) -> Result<()> {
    let is_odd = |c: &char| !c.is_ascii_alphanumeric() && !MARKS.contains(*c);
    match name.chars().find(is_odd) {
        Some(odd) => {
            let what = format!("has {} in its name", shown_name(&format!("`{odd}`")));
            let hint = format!("letters, digits and `{MARKS}` are allowed: rename the file");
            Err(refused(name, &what).hint(hint))
        }
        None => Ok(()),
    }
}

fn refused(name: &str, what: &str) -> Error {
    // What stands before `@` may be a password.
    let (head, tail) = name.split_once("://").unwrap_or(("", name));
    let shown = match tail.rsplit_once('@') {
        Some((_, tail)) => format!("{head}://…@{tail}"),
        None => name.to_owned(),
    };
    Error::new(ErrorKind::Usage, format!("`--from`: `{}` {what}", shown_name(&shown))).hint(ALLOWED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(named: &str, expected: std::result::Result<PackageForm, &str>) {
        match (CiPackage::at(named), expected) {
            (Ok(package), Ok(form)) => assert_eq!(package.form, form, "{named}"),
            (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{error}"),
            (found, _) => panic!("{named}: {found:?}"),
        }
    }

    #[test]
    fn an_address_names_a_wheel_or_a_tarball() {
        check("https://example.org/a/agent_memory-1.0-py3-none-any.whl", Ok(PackageForm::Wheel));
        check("https://example.org:8443/v1.0%2B2/a.tar.gz", Ok(PackageForm::Tarball));
    }

    #[test]
    fn another_address_is_refused() {
        for (named, words) in [
            ("http://example.org/a.whl", "no `https://` address"),
            ("git+https://example.org/a.whl", "no `https://` address"),
            ("https:///a.whl", "no `https://` address"),
            ("https://example.org/a.deb", "neither a wheel nor a tarball"),
            ("https://example.org/a.tar.gz?token=x", "has `?` in its name"),
            ("https://example.org/$(id).whl", "has `$` in its name"),
            ("https://example.org/a'b.whl", "has `'` in its name"),
            ("https://example.org/a b.whl", "has ` ` in its name"),
            ("https://example.org/a.whl#sha256=12", "behind `#`"),
            ("https://example.org/a.whl#md5=12", "behind `#`"),
        ] {
            check(named, Err(words));
        }
    }

    #[test]
    fn a_password_in_an_address_is_not_repeated() {
        let error =
            CiPackage::at("https://ada:hunter2@example.org/a.whl").expect_err("it is refused");
        assert!(error.to_string().contains("`https://…@example.org/a.whl` has `@`"), "{error}");
    }

    #[test]
    fn a_sum_behind_the_address_is_read() {
        let sum = "ab".repeat(32);
        let package = CiPackage::at(&format!("https://example.org/a.whl#sha256={sum}"));
        let package = package.expect("an address");
        assert_eq!(package.origin, PackageOrigin::Address("https://example.org/a.whl".to_owned()));
        assert_eq!(package.sha256.map(|hash| hash.to_string()), Some(sum));
        assert_eq!(package.warning, None);
    }
}
