//! JUnit XML: one case a finding, and one for each file in which nothing was found.

use std::collections::BTreeSet;

use super::report::CheckReport;
use crate::project::check::finding::CheckFinding;
use crate::project::check::rule::Level;
use crate::text::visible;

/// Writes one suite; an error is a failure, a warning is a case that passes and says something.
pub(super) fn write(report: &CheckReport) -> String {
    let named: BTreeSet<&str> = report.findings.iter().map(|each| each.path.as_str()).collect();
    let clean: Vec<&String> =
        report.paths.iter().filter(|path| !named.contains(path.as_str())).collect();
    let (tests, failures) = (report.findings.len() + clean.len(), report.errors);
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\"");
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"agent-memory\" {counts}>\n  \
         <testsuite name=\"agent-memory check\" {counts}>\n"
    );
    report.findings.iter().for_each(|finding| text += &case(finding));
    for path in clean {
        let path = escaped(path);
        text += &format!("    <testcase classname=\"{path}\" name=\"check\" file=\"{path}\"/>\n");
    }
    text + "  </testsuite>\n</testsuites>\n"
}

fn case(finding: &CheckFinding) -> String {
    let (path, rule, message) = (
        escaped(&finding.path),
        finding.rule.name(),
        escaped(&format!("{}; {}", finding.message, finding.repair.line())),
    );
    let section = finding.section.as_ref().map(|section| format!(": {}", escaped(section)));
    let line = finding.line.map(|line| format!(" line=\"{line}\"")).unwrap_or_default();
    let place = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    let (opened, closed) = match finding.level {
        Level::Error => (format!("<failure message=\"{message}\" type=\"{rule}\">"), "</failure>"),
        Level::Warning | Level::Allow => ("<system-out>".to_owned(), "</system-out>"),
    };
    format!(
        "    <testcase classname=\"{path}\" name=\"{rule}{}\" file=\"{path}\"{line}>\n      \
         {opened}{path}{place}: {message}{closed}\n    </testcase>\n",
        section.unwrap_or_default()
    )
}

/// Writes a text for an element or an attribute; what XML 1.0 cannot hold is shown as `<U+FFFE>`.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&apos;"),
            '\n' => safe.push_str("&#10;"),
            '\r' => safe.push_str("&#13;"),
            '\t' => safe.push_str("&#9;"),
            '\u{fffe}' | '\u{ffff}' => {
                safe += &format!("&lt;U+{:04X}&gt;", u32::from(character));
            }
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::check::format::tests::mischief;

    #[test]
    fn a_text_cannot_leave_its_element() {
        let text = write(&mischief("\"/></failure>&\u{ffff}"));
        assert!(
            text.contains("&quot;/&gt;&lt;/failure&gt;&amp;&lt;U+FFFF&gt;; by hand: "),
            "{text}"
        );
        assert_eq!(text.matches("</failure>").count(), 1, "{text}");
    }

    #[test]
    fn a_message_has_one_line_and_shows_what_hides_in_it() {
        let text = write(&mischief("one\r\n  two\u{0}\u{1b}[31m"));
        let shown = "one two&lt;U+0000&gt;&lt;U+001B&gt;[31m";
        assert_eq!(text.matches(shown).count(), 2, "{text}");
    }

    #[test]
    fn a_name_of_a_file_shows_what_hides_in_it_too() {
        let mut report = CheckReport::new(Vec::new(), Vec::new());
        report.paths.push("a\n\u{1b}\u{fffe}.md".to_owned());
        assert!(write(&report).contains("classname=\"a&#10;&lt;U+001B&gt;&lt;U+FFFE&gt;.md\""));
    }
}
