//! Reads variables of a shell that stand side by side as what was assigned to them.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::secrets::views::view::{RuleChoice, TextView};

/// A longer name or value is passed over.
const NAME: usize = 40;
const VALUE: usize = 200;
/// Most variables that make one word.
const PARTS: usize = 4;

/// Each word `$A$B` or `${A}${B}` of variables that the text assigns.
pub(super) fn expanded(text: &str) -> TextView {
    let mut view = TextView::new(RuleChoice::Tokens);
    let mut values: BTreeMap<&str, Range<usize>> = BTreeMap::new();
    let mut at = 0;
    while let Some(found) = text[at..].find(['=', '$']).map(|found| at + found) {
        at = found + 1;
        if text.as_bytes()[found] == b'=' {
            let name = name_before(&text[..found]);
            let value = value_at(text, at);
            if !name.is_empty() && !value.is_empty() {
                values.insert(name, value);
            }
            continue;
        }
        let length = view.text().len();
        // A hostile text could name long values again and again.
        if length > text.len() {
            break;
        }
        let (mut parts, mut end) = (0, found);
        while parts < PARTS
            && let Some((name, behind)) = variable_at(text, end)
            && let Some(value) = values.get(name)
        {
            view.copy(text, value.clone());
            (parts, end) = (parts + 1, behind);
        }
        if parts < 2 {
            view.truncate(length);
        } else {
            view.end_line();
            at = end;
        }
    }
    view
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn name_before(before: &str) -> &str {
    let length = before.bytes().rev().take(NAME).take_while(|byte| is_name(*byte)).count();
    &before[before.len() - length..]
}

/// The word behind `=`, without quotes.
fn value_at(text: &str, start: usize) -> Range<usize> {
    let start = start + usize::from(text[start..].starts_with(['"', '\'']));
    let is_part = |byte: &u8| byte.is_ascii_graphic() && !b"\"'`;&|()<>$\\".contains(byte);
    start..start + text.as_bytes()[start..].iter().take(VALUE).take_while(|b| is_part(b)).count()
}

/// The name of the variable that begins at a place, and where it ends.
fn variable_at(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text[at..].strip_prefix('$')?;
    let inside = rest.strip_prefix('{').unwrap_or(rest);
    let length = inside.bytes().take(NAME).take_while(|byte| is_name(*byte)).count();
    let name = Some(&inside[..length]).filter(|name| !name.is_empty())?;
    let braces = rest.len() - inside.len();
    let is_closed = braces == 0 || inside[length..].starts_with('}');
    is_closed.then_some((name, at + 1 + length + braces * 2))
}

#[cfg(test)]
mod tests {
    use super::expanded;

    fn check(text: &str, expected: &str) {
        assert_eq!(expanded(text).text(), expected, "{text}");
    }

    #[test]
    fn variables_side_by_side_read_as_their_values() {
        check("A=ab1; B='cd2'; export T=\"$A$B\"", "ab1cd2\n");
        check("A=ab1\nB=\"cd2\"\ncurl -u ${A}${B}:", "ab1cd2\n");
        check("set A=ab1 B=cd2 C=ef3 x$A$B$C", "ab1cd2ef3\n");
    }

    #[test]
    fn single_and_unknown_variables_do_not() {
        check("A=ab1; echo $A $A; echo $A$B; cost: $5$6 =$", "");
    }
}
