//! SARIF 2.1.0, for code scanning.

use serde_json::{Value, json};

use super::json::document;
use super::report::CheckReport;
use crate::project::check::finding::CheckFinding;
use crate::project::check::rule::{Level, Rule};

/// Where the URIs of a report begin: the root of the repository, wherever that is.
const ROOT: &str = "%SRCROOT%";

pub(super) fn write(report: &CheckReport, version: &str) -> String {
    document(&json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "agent-memory",
                "semanticVersion": version,
                "rules": Rule::ALL.iter().map(|rule| described(*rule)).collect::<Vec<_>>(),
            } },
            "automationDetails": { "id": "agent-memory/check/" },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { ROOT: {
                "description": { "text": "The root of the repository." },
            } },
            "results": report.findings.iter().map(result).collect::<Vec<_>>(),
        }],
    }))
}

fn described(rule: Rule) -> Value {
    let about = rule.about();
    let words: Vec<&str> = rule.name().split('-').collect();
    let name: String = words.iter().map(|word| word[..1].to_uppercase() + &word[1..]).collect();
    let page = about.page;
    let first = page.split("\n\n").nth(1).unwrap_or(about.title).replace('\n', " ");
    json!({
        "id": rule,
        "name": name,
        "shortDescription": { "text": format!("{}.", about.title) },
        "fullDescription": { "text": first },
        "help": { "text": page, "markdown": page },
        "defaultConfiguration": { "level": level(about.level) },
    })
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Allow => "none",
    }
}

fn result(finding: &CheckFinding) -> Value {
    // Code scanning wants a line, even where the finding is about the whole file.
    let mut region = json!({ "startLine": finding.line.unwrap_or(1) });
    if let Some(column) = finding.column {
        region["startColumn"] = column.into();
    }
    let index = Rule::ALL.iter().position(|rule| *rule == finding.rule);
    json!({
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": level(finding.level),
        "message": { "text": format!("{}\n{}", finding.message, finding.repair.line()) },
        "properties": { "repair": finding.repair },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": percent_encoded(&finding.path), "uriBaseId": ROOT },
            "region": region,
        } }],
        "partialFingerprints": { "agentMemoryFinding/v1": finding.fingerprint },
    })
}

fn percent_encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::check::format::tests::mischief;

    #[test]
    fn a_path_is_a_uri() {
        let sarif: Value = serde_json::from_str(&write(&mischief("x"), "1.0.0")).expect("JSON");
        let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%2Cb%3A%25.md");
        assert_eq!(percent_encoded("modules/ü b.md"), "modules/%C3%BC%20b.md");
    }

    #[test]
    fn a_result_points_to_its_rule() {
        let sarif: Value = serde_json::from_str(&write(&mischief("x"), "1.0.0")).expect("JSON");
        let run = &sarif["runs"][0];
        let index = run["results"][0]["ruleIndex"].as_u64().expect("a number");
        let rule = &run["tool"]["driver"]["rules"][usize::try_from(index).expect("small")];
        assert_eq!(rule["id"], run["results"][0]["ruleId"]);
    }
}
