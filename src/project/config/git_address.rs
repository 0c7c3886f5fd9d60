//! Where git fetches another store from, and which revision of it.

use crate::text::find_hidden;

/// An address that git may be asked for: by `https`, `ssh` or from a file, and with no word of a password.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GitAddress(String);

/// A branch, a tag or a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision(String);

const LONGEST: usize = 400;

const FORMS: &str = "allowed are `https://…`, `ssh://…`, `file:///…` and `user@host:path`";

impl GitAddress {
    /// Reads an address; says why it is none, without repeating it: it may hold a password.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST
            || !text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
        {
            return Err(format!("it is no address of git: {FORMS}, without blanks"));
        }
        let is_known = match text.split_once("://") {
            Some(("https", rest)) => {
                let host = host_of(rest);
                if host.contains('@') {
                    return Err("an address holds no name and no password: git's credential helper keeps them".to_owned());
                }
                is_host(host)
            }
            Some(("ssh", rest)) => {
                let (user, host) = host_of(rest).rsplit_once('@').unwrap_or(("git", host_of(rest)));
                if user.contains(':') {
                    return Err(
                        "an address holds no password: `ssh-agent` keeps the key".to_owned()
                    );
                }
                is_host(user) && is_host(host)
            }
            Some(("file", rest)) => rest.len() > 1 && rest.starts_with('/'),
            Some(_) => false,
            None => is_short_form(text),
        };
        if is_known {
            Ok(Self(text.to_owned()))
        } else {
            Err(format!("it is no address of git: {FORMS}"))
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

fn host_of(rest: &str) -> &str {
    rest.split('/').next().unwrap_or_default()
}

/// Tells whether a part of an address could not be taken for an option.
fn is_host(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '[')
}

/// Tells whether an address has the form `user@host:path`. `ext::` would name a program.
fn is_short_form(text: &str) -> bool {
    let Some((login, path)) = text.split_once(':') else { return false };
    let Some((user, host)) = login.split_once('@') else { return false };
    let is_plain = |part: &str| {
        part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    let is_path = !path.is_empty() && !path.starts_with([':', '-']);
    is_path && [user, host].into_iter().all(|part| is_host(part) && is_plain(part))
}

impl Revision {
    /// What is fetched where none is named.
    pub(crate) fn of_remote() -> Self {
        Self("HEAD".to_owned())
    }

    /// Reads a name; says why it is none that git could be given.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._/-".contains(&byte);
        let is_name = (1..=200).contains(&text.len())
            && text.bytes().all(is_plain)
            && text.starts_with(|first: char| first.is_ascii_alphanumeric())
            && !text.ends_with(['/', '.'])
            && !["..", "//", "/."].iter().any(|part| text.contains(part));
        match is_name && find_hidden(text).is_none() {
            true => Ok(Self(text.to_owned())),
            false => Err("it is no branch, tag or commit: allowed are letters, digits, `.`, `_`, `/` and `-`".to_owned()),
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_of_few_forms() {
        for text in [
            "https://host.example/team/handbook.git",
            "https://host.example:8443/handbook",
            "ssh://git@host.example/team/handbook.git",
            "ssh://host.example:22/handbook",
            "file:///srv/git/handbook.git",
            "git@host.example:team/handbook.git",
        ] {
            assert!(GitAddress::parse(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "ext::sh -c id",
            "ext::sh",
            "--upload-pack=id",
            "-x@host:path",
            "git@-oProxyCommand=id:path",
            "ssh://-oProxyCommand=id/x",
            "ssh://git@-oProxyCommand=id/x",
            "http://host.example/x",
            "git://host.example/x",
            "file://host/x",
            "/srv/git/handbook.git",
            "../handbook",
            "https:///x",
            "https://host/a b",
            "https://host/a\nb",
            "git@host::path",
        ] {
            assert!(GitAddress::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_address_holds_no_password_and_none_is_repeated() {
        for text in
            ["https://ada:hunter2@host/x", "https://hunter2@host/x", "ssh://ada:hunter2@host/x"]
        {
            let problem = GitAddress::parse(text).expect_err("it holds one");
            assert!(!problem.contains("hunter2"), "{problem}");
        }
    }

    #[test]
    fn a_revision_could_not_be_taken_for_an_option_or_a_range() {
        for text in ["main", "release/1.2", "v1.0", "1a2b3c4d", "HEAD"] {
            assert!(Revision::parse(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "-x",
            "--upload-pack=id",
            "a..b",
            "a b",
            "main:refs/heads/x",
            "+main",
            "a/.b",
            "a/",
            "HEAD@{1}",
        ] {
            assert!(Revision::parse(text).is_err(), "{text}");
        }
    }
}
