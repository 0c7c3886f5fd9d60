//! Tells which files of another store are fit to be shown: one with a secret or a hidden character is left out whole.

use crate::secrets::Scanner;
use crate::text::find_hidden;

/// Says by rule and place why a text is left out; none where it is fit.
pub(super) fn why_unfit(text: &str, scanner: &Scanner) -> Option<String> {
    if let Some(finding) = scanner.scan(text).first() {
        let (line, rule) = (finding.line, finding.rule);
        return Some(format!("line {line} looks like a secret ({rule})"));
    }
    find_hidden(text).map(|hidden| hidden.told_in("it"))
}

/// Says why a file of this path is left out, whatever it holds.
pub(super) fn why_unfit_path(path: &str, scanner: &Scanner) -> Option<&'static str> {
    if !scanner.scan(path).is_empty() {
        return Some("its name looks like a secret");
    }
    let is_hidden = find_hidden(path).is_some() || path.contains(char::is_control);
    is_hidden.then_some("its name holds a hidden character")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_told_by_rule_and_place() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(why_unfit(text, &Scanner::default()).as_deref(), expected);
        };
        check("# A\n\nText.\n", None);
        let secret = format!("# A\n\nThe key is AKIA{}.\n", "IOSFODNN7EXAMPLQ");
        let why = why_unfit(&secret, &Scanner::default()).expect("a secret");
        assert!(why.starts_with("line 3 looks like a secret (") && !why.contains("AKIA"), "{why}");
        let hidden = "it holds the hidden character U+202E on line 3, column 5";
        check("# A\n\nOne \u{202e}word.\n", Some(hidden));
    }
}
