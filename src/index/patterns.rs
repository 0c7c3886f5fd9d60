//! Reads patterns of paths as a shell has them, for a database that knows no braces.

/// A pattern for more alternatives is taken as it stands.
const MOST: usize = 256;

/// A condition of SQL: a file is one of those that a list in JSON names, or fits a pattern there. The files are looked
/// through once, and not for each document.
pub(super) const FITS: &str =
    "files.id IN (SELECT fit.id FROM files AS fit JOIN json_each(?) AS named
    WHERE fit.path = named.value OR fit.path GLOB named.value)";

pub(super) fn list(pattern: &str) -> String {
    serde_json::Value::from(without_braces(pattern.replace("[!", "[^"))).to_string()
}

fn without_braces(pattern: String) -> Vec<String> {
    let (mut open, mut done) = (vec![pattern], Vec::new());
    while let Some(pattern) = open.pop() {
        let known = open.len() + done.len();
        match alternatives(&pattern).filter(|more| known + more.len() <= MOST) {
            Some(more) => open.extend(more),
            None => done.push(pattern),
        }
    }
    done
}

/// Returns a pattern with each of what stands in the innermost braces; nothing if there are none.
fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let close = pattern.find('}')?;
    let (before, inside) = pattern[..close].rsplit_once('{')?;
    let behind = &pattern[close + 1..];
    Some(inside.split(',').map(|each| format!("{before}{each}{behind}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>(pattern: &str, expected: [&str; N]) {
        let mut found = without_braces(pattern.to_owned());
        found.sort_unstable();
        assert_eq!(found, expected, "{pattern}");
    }

    #[test]
    fn braces_hold_alternatives() {
        check("a.md", ["a.md"]);
        check("{a,b}/*.md", ["a/*.md", "b/*.md"]);
        check("{a,b}{1,2}", ["a1", "a2", "b1", "b2"]);
        check("{a,{b,c}d}", ["a", "a", "bd", "cd"]);
        check("}a{", ["}a{"]);
    }

    #[test]
    fn braces_without_end_take_no_time() {
        assert!(without_braces("{a,b}".repeat(1_000)).len() <= MOST);
    }

    #[test]
    fn what_is_left_out_is_written_as_the_database_has_it() {
        assert_eq!(list("[!ab].md"), r#"["[^ab].md"]"#);
    }
}
