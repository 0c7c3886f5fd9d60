//! Adds our command to the settings of lefthook. Lines are added and nothing else changes, so that they can be taken out
//! to the byte.

use super::block::eol_of;
use super::fault::{Fault, FaultCode};
use super::git_hook::{BEGIN, END, by_hand, check_of, runs_the_check, split};

/// The key of the hook.
const HOOK: &str = "pre-commit";

/// Where our lines go: behind an offset, so deep, below these new keys, as a command or as a job.
struct InsertPoint {
    at: usize,
    indent: usize,
    keys: Vec<String>,
    is_job: bool,
}

/// Adds our command, or replaces it.
pub(crate) fn insert(text: &str, roots: &[String]) -> Result<String, Fault> {
    if split(text)?.is_some() {
        return insert(&remove(text)?, roots);
    }
    if runs_the_check(text) {
        return Ok(text.to_owned());
    }
    let unread = || {
        let message = format!("`{HOOK}` is not written in a form that a line can be added to");
        Fault::new(FaultCode::WrongShape, message, by_hand(roots))
    };
    let point = find(text).ok_or_else(unread)?;
    let eol = eol_of(text);
    let lines = lines(&point, roots).replace('\n', eol);
    let (before, after) = text.split_at(point.at);
    Ok(match before.is_empty() || before.ends_with('\n') {
        true => format!("{before}{lines}{after}"),
        // The last line has no end: ours has none either.
        false => format!("{before}{eol}{}", lines.trim_end()),
    })
}

/// Returns the text without our lines.
pub(crate) fn remove(text: &str) -> Result<String, Fault> {
    let Some((before, ours, after)) = split(text)? else { return Ok(text.to_owned()) };
    let is_last = !ours.ends_with('\n');
    let before = if is_last { before.strip_suffix(eol_of(text)).unwrap_or(before) } else { before };
    Ok(format!("{before}{after}"))
}

fn lines(point: &InsertPoint, roots: &[String]) -> String {
    let mut text = String::new();
    let pad = |depth: usize| " ".repeat(depth);
    let (mut depth, entry) =
        (point.indent, if point.is_job { "- name: agent-memory" } else { "agent-memory:" });
    text += &format!("{}{BEGIN}\n", pad(depth));
    for key in &point.keys {
        text += &format!("{}{key}:\n", pad(depth));
        depth += 2;
    }
    text += &format!("{}{entry}\n{}run: |\n", pad(depth), pad(depth + 2));
    let deep = pad(depth + 4);
    text += &format!(
        "{deep}command -v agent-memory >/dev/null 2>&1 || {{ echo 'agent-memory is not installed here: memory files are not checked'; exit 0; }}\n"
    );
    for root in roots {
        text += &format!("{deep}{} || exit 1\n", check_of(root));
    }
    text + &format!("{}{END}\n", pad(point.indent))
}

/// A line of a mapping.
struct SettingLine<'t> {
    /// Where the next line begins.
    end: usize,
    indent: usize,
    text: &'t str,
}

impl SettingLine<'_> {
    /// Tells whether a key has its value on the next lines.
    fn opens(&self, key: &str) -> bool {
        let rest = self.text.strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
        rest.is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with('#'))
    }
}

/// Finds where our lines go; `None` where the settings are written otherwise.
fn find(text: &str) -> Option<InsertPoint> {
    let mut end = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        end += line.len();
        let trimmed = line.trim();
        SettingLine { end, indent: line.len() - line.trim_start().len(), text: trimmed }
    });
    let lines: Vec<SettingLine<'_>> =
        lines.filter(|line| !line.text.is_empty() && !line.text.starts_with('#')).collect();
    if lines.iter().any(|line| line.text.starts_with(['{', '[', '\t'])) {
        return None;
    }
    let names_it = |line: &&SettingLine<'_>| line.indent == 0 && line.text.contains(HOOK);
    let Some(hook) = lines.iter().position(|line| line.indent == 0 && line.opens(HOOK)) else {
        let keys = vec![HOOK.to_owned(), "commands".to_owned()];
        let is_free = !lines.iter().any(|line| names_it(&line));
        return is_free.then_some(InsertPoint { at: text.len(), indent: 0, keys, is_job: false });
    };
    let inside: Vec<&SettingLine<'_>> =
        lines[hook + 1..].iter().take_while(|line| line.indent > 0).collect();
    let child = inside.first()?.indent;
    for (key, is_job) in [("commands", false), ("jobs", true)] {
        let of_hook = |line: &&SettingLine<'_>| line.indent == child && line.text.starts_with(key);
        let Some(at) = inside.iter().position(of_hook) else { continue };
        // A list may stand as deep as its key.
        let next = inside.get(at + 1).filter(|next| next.indent > child || is_job)?;
        let is_list = next.text.starts_with("- ");
        let is_fit = inside[at].opens(key) && is_list == is_job;
        return is_fit.then_some(InsertPoint {
            at: inside[at].end,
            indent: next.indent,
            keys: Vec::new(),
            is_job,
        });
    }
    let keys = vec!["commands".to_owned()];
    Some(InsertPoint { at: lines[hook].end, indent: child, keys, is_job: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn top() -> Vec<String> {
        vec![".".to_owned()]
    }

    /// Expects our command behind a line, and the text back to the byte.
    fn check(text: &str, behind: &str) {
        let with = insert(text, &top()).expect("it can be edited");
        let at = with.find(BEGIN).expect("our part");
        assert!(with[..at].trim_end().ends_with(behind), "{with}");
        assert_eq!(insert(&with, &top()).expect("ours"), with);
        assert_eq!(remove(&with).expect("ours"), text, "{with}");
    }

    #[test]
    fn a_command_is_added_where_commands_are() {
        check("pre-commit:\n  commands:\n    lint:\n      run: npm run lint\n", "commands:");
        check("pre-push:\n  jobs:\n    - run: x\npre-commit:\n  jobs:\n    - run: y\n", "jobs:");
        check("pre-commit: # fast\n  parallel: true\n  jobs:\n  - run: y\n", "jobs:");
        check("pre-commit:\n  parallel: true\n", "pre-commit:");
        check("commit-msg:\n  commands:\n    x:\n      run: y\n", "run: y");
        check("min_version: 1.0\r\n", "1.0");
        check("skip_lfs: true", "true");
        check("", "");
    }

    #[test]
    fn another_form_is_left_to_a_person() {
        for text in [
            "pre-commit: {commands: {x: {run: y}}}\n",
            "{\"pre-commit\": {}}\n",
            "\"pre-commit\":\n  commands:\n    x:\n      run: y\n",
            "pre-commit:\n  commands: {x: {run: y}}\n",
            "pre-commit:\n",
        ] {
            let fault = insert(text, &top()).expect_err("it is another form");
            assert_eq!(fault.code, FaultCode::WrongShape, "{text}");
            assert!(fault.hint.contains("agent-memory check --staged"), "{}", fault.hint);
        }
    }
}
