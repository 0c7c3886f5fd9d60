//! Adds our part to a hook of git that is a shell script, and takes it out again, to the byte.

use super::fault::{Fault, FaultCode};

/// The first line of our part, in a script and in YAML.
pub(super) const BEGIN: &str =
    "# BEGIN agent-memory: `agent-memory install git --uninstall` takes this part out";

pub(super) const END: &str = "# END agent-memory";

/// Follows the first line where the whole file is ours.
const OWN_FILE: &str = "# The file was made for it.";

const SHEBANG: &str = "#!/bin/sh\n";

const SHELLS: [&str; 6] = ["sh", "bash", "dash", "ash", "ksh", "zsh"];

/// Adds our part, or replaces it. It is the first one: a hook may end anywhere below.
///
/// A text that runs the check already, without our marks, stays as it is.
pub(crate) fn insert(text: Option<&str>, roots: &[String]) -> Result<String, Fault> {
    let Some(text) = text else { return Ok(format!("{SHEBANG}{}", part(roots, true))) };
    if let Some((before, ours, after)) = split(text)? {
        let end = if ours.ends_with('\n') { "\n" } else { "" };
        let part = part(roots, ours.contains(OWN_FILE));
        return Ok(format!("{before}{}{end}{after}", part.trim_end()));
    }
    if runs_the_check(text) {
        return Ok(text.to_owned());
    }
    let head = text.split_inclusive('\n').next().unwrap_or_default();
    let head = if head.starts_with("#!") { head } else { "" };
    if !head.is_empty() && !is_shell(head) {
        let message = format!("the hook is no shell script: `{}`", head.trim_end());
        return Err(Fault::new(FaultCode::WrongShape, message, by_hand(roots)));
    }
    let rest = &text[head.len()..];
    Ok(match head.is_empty() || head.ends_with('\n') {
        true => format!("{head}{}{rest}", part(roots, false)),
        false => format!("{head}\n{}", part(roots, false).trim_end()),
    })
}

/// Returns the text without our part; `None` if the file is ours alone.
pub(crate) fn remove(text: &str) -> Result<Option<String>, Fault> {
    let Some((before, ours, after)) = split(text)? else { return Ok(Some(text.to_owned())) };
    if ours.contains(OWN_FILE) && before == SHEBANG && after.is_empty() {
        return Ok(None);
    }
    // Where our part ends without a line end, the line end above it is ours.
    let before =
        if ours.ends_with('\n') { before } else { before.strip_suffix('\n').unwrap_or(before) };
    Ok(Some(format!("{before}{after}")))
}

/// Returns what is before our part, our part with its line end, and what is after it.
pub(super) fn split(text: &str) -> Result<Option<(&str, &str, &str)>, Fault> {
    let mut at = 0;
    let (mut begins, mut ends) = (Vec::new(), Vec::new());
    for line in text.split_inclusive('\n') {
        match line.trim() {
            BEGIN => begins.push(at),
            END => ends.push(at + line.len()),
            _ => {}
        }
        at += line.len();
    }
    match (begins.as_slice(), ends.as_slice()) {
        ([], []) => Ok(None),
        ([begin], [end]) if begin < end => {
            Ok(Some((&text[..*begin], &text[*begin..*end], &text[*end..])))
        }
        _ => {
            let message = "the marks of our part are not exactly one pair";
            let hint = format!("leave one `{BEGIN}` with one `{END}` below it, or none of them");
            Err(Fault::new(FaultCode::UnbalancedMarkers, message, hint))
        }
    }
}

/// Tells whether our part begins somewhere in a file that is no text.
pub(crate) fn has_mark(bytes: &[u8]) -> bool {
    bytes.windows(BEGIN.len()).any(|window| window == BEGIN.as_bytes())
}

/// Tells whether what a person wrote runs the check.
pub(super) fn runs_the_check(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.any(|line| line.contains("agent-memory check"))
}

/// Says what a person adds where we do not.
pub(super) fn by_hand(roots: &[String]) -> String {
    let calls: Vec<String> = roots.iter().map(|root| check_of(root)).collect();
    format!("let the hook run `{}`", calls.join(" && "))
}

/// Returns the call for a store; hooks run at the top of the work tree.
pub(super) fn check_of(root: &str) -> String {
    match root {
        "." => "agent-memory check --staged --base HEAD".to_owned(),
        root => {
            let quoted = root.replace('\'', r"'\''");
            format!("agent-memory check --root '{quoted}' --staged --base HEAD")
        }
    }
}

/// A machine without the program is told, and the rest of the hook runs.
fn part(roots: &[String], is_own_file: bool) -> String {
    let own = if is_own_file { format!("{OWN_FILE}\n") } else { String::new() };
    let call = |root: &String| format!("    {} || exit 1\n", check_of(root));
    let calls: String = roots.iter().map(call).collect();
    format!(
        "{BEGIN}\n{own}if command -v agent-memory >/dev/null 2>&1; then\n{calls}else\n    \
         echo 'agent-memory is not installed here: memory files are not checked' >&2\nfi\n{END}\n"
    )
}

fn is_shell(shebang: &str) -> bool {
    let words = shebang.trim_start_matches("#!").split_whitespace();
    let mut names = words.map(|word| word.rsplit(['/', '\\']).next().unwrap_or(word));
    let program = names.find(|name| *name != "env" && !name.starts_with('-'));
    program.is_some_and(|name| SHELLS.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn top() -> Vec<String> {
        vec![".".to_owned()]
    }

    /// Expects that a text comes back to the byte.
    fn check(text: &str) {
        let with = insert(Some(text), &top()).expect("a shell script");
        assert!(with.contains("agent-memory check --staged --base HEAD || exit 1\n"), "{with}");
        assert_eq!(insert(Some(&with), &top()).expect("ours"), with);
        assert_eq!(remove(&with).expect("ours").as_deref(), Some(text), "{with}");
    }

    #[test]
    fn what_a_person_wrote_comes_back_to_the_byte() {
        check("#!/bin/sh\nnpm test\n");
        check("#!/bin/sh\n");
        check("#!/bin/sh");
        check("#!/usr/bin/env -S bash -e\nset -u\nexec cargo test");
        check("npm test\r\nnpm run lint\r\n");
        check("");
        check("\n\n");
    }

    #[test]
    fn a_file_of_ours_goes_away_and_one_that_grew_stays() {
        let ours = insert(None, &top()).expect("a new file");
        assert_eq!(remove(&ours).expect("ours"), None);
        let grown = format!("{ours}npm test\n");
        let left = remove(&grown).expect("ours");
        assert_eq!(left.as_deref(), Some("#!/bin/sh\nnpm test\n"));
    }

    #[test]
    fn other_stores_replace_the_part() {
        let old = insert(Some("#!/bin/sh\nnpm test\n"), &top()).expect("a shell script");
        let roots = ["it's".to_owned(), "web".to_owned()];
        let new = insert(Some(&old), &roots).expect("ours");
        assert!(
            new.contains(r"--root 'it'\''s' --staged") && new.contains("--root 'web'"),
            "{new}"
        );
        assert_eq!(remove(&new).expect("ours").as_deref(), Some("#!/bin/sh\nnpm test\n"));
    }

    #[test]
    fn what_cannot_be_edited_is_said() {
        let python = insert(Some("#!/usr/bin/env python3\nprint()\n"), &top());
        assert_eq!(python.expect_err("no shell").code, FaultCode::WrongShape);
        let torn = insert(Some(&format!("{BEGIN}\nx\n")), &top());
        assert_eq!(torn.expect_err("no end").code, FaultCode::UnbalancedMarkers);
        let own = "#!/bin/sh\nagent-memory check --staged\n";
        assert_eq!(insert(Some(own), &top()).expect("it is there"), own);
    }
}
