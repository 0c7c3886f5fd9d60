//! The seven forms of a report, for one store in which every rule finds something.
//!
//! `BLESS=1 cargo test --test it check_formats` writes `fixtures/check/report.*` anew.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use agent_memory::project::check::Rule;
use serde_json::Value;

use crate::requests::{convention, new_body, session};
use crate::support::{Sandbox, blessing, cases, files_in, folder, replace_placeholders};

/// The formats, each with the end of the name of its expected report.
const FORMATS: [(&str, &str); 7] = [
    ("human", "txt"),
    ("json", "json"),
    ("github", "github.txt"),
    ("gitlab", "gitlab.json"),
    ("sarif", "sarif"),
    ("junit", "xml"),
    ("markdown", "md"),
];

/// Makes the store: one part of it by proposals, one by hand.
fn store() -> Sandbox {
    let mut sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    sandbox.propose(session("Today", "Done.")).applied();
    sandbox.propose(convention("Expired", "Waits too long.")).staged();
    sandbox.advance_days(5);
    sandbox.propose(convention("Waits", "Has `ticks` and\n\n```\ncode\n```")).staged();
    sandbox.propose(new_body("errors", "Name two paths.")).staged();
    sandbox.advance_days(5);
    let text = sandbox.file("conventions.md").replace("Name the path.", "By hand.");
    sandbox.write("conventions.md", text);
    let log = sandbox.file("state/log.jsonl").replacen("session_log", "session_lag", 1);
    sandbox.write("state/log.jsonl", log + "{\"time\":\"2026-");
    for (path, bytes) in files_in(&folder("fixtures/check/store")) {
        let text = replace_placeholders(&String::from_utf8(bytes).unwrap());
        sandbox.write(&path, text.replace("{{HIDDEN}}", "\u{202e}"));
    }
    let config =
        sandbox.file("config.toml").replace("# pitfalls = \"stage\"", "decisions = \"apply\"");
    sandbox.write("config.toml", config);
    sandbox.write("read.lock", "version = 1\n[[read]]\nname = \"handbook\"\n");
    sandbox.write("modules/large.md", format!("# Large\n{}", "word ".repeat(60_000)));
    sandbox.write("modules/latin é.md", [b'#', b'\n', 0xff]);
    sandbox.write("local/shared.md", "# Shared\n");
    sandbox.git(&["add", "--force", ".agent-memory/local/shared.md"]);
    for decision in ["applied", "rejected"] {
        sandbox.write(&format!("decided/20261101-100000-add-pitfall-0a1b.{decision}"), "");
    }
    sandbox.commit("memory");
    sandbox.write_project("src/auth/refresh.rs", "fn other() {}\nfn more() {}\n");
    sandbox.commit("other code");
    sandbox.append("archive/old.md", "And more.\n");
    sandbox.write_project(".git/info/exclude", "**/archive/*.md\n");
    sandbox
}

#[test]
fn a_report_in_each_format_is_as_expected() {
    let sandbox = store();
    let commits = sandbox.git(&["log", "--format=%H"]);
    let mut wrong = Vec::new();
    for (format, end) in FORMATS {
        let reply = sandbox.run(&["check", "--format", format]).expect_code(1);
        // Commits have other ids as soon as `init` writes another word.
        let named = |text: String, (number, id): (usize, &str)| {
            text.replace(&id[..12], &format!("{number:012}"))
        };
        let report = commits.lines().enumerate().fold(reply.stdout, named);
        let path = folder("fixtures/check").join(format!("report.{end}"));
        if blessing() {
            fs::write(&path, &report).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != report {
            wrong.push((format, report));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_rule_finds_something() {
    let reply = store().run(&["check", "--format", "json"]).expect_code(1).json();
    let findings = reply["findings"].as_array().unwrap();
    let found: BTreeSet<&str> = findings.iter().map(|f| f["rule"].as_str().unwrap()).collect();
    let missing: Vec<&str> =
        Rule::ALL.iter().map(|rule| rule.name()).filter(|name| !found.contains(name)).collect();
    // Moved lines are told where that is asked for; a store that is there is not gone.
    assert_eq!(missing, ["provenance-moved", "store-gone"]);
}

#[test]
fn every_finding_has_a_fingerprint_of_its_own_that_does_not_move_with_lines() {
    let sandbox = store();
    let read = || {
        let issues = sandbox.run(&["check", "--format", "gitlab"]).expect_code(1).json();
        let issues = issues.as_array().unwrap().clone();
        let names: BTreeSet<String> =
            issues.iter().map(|issue| issue["fingerprint"].to_string()).collect();
        assert_eq!(names.len(), issues.len());
        names
    };
    let before = read();
    for path in ["decisions.md", "pitfalls.md", "modules/merged.md"] {
        let text = sandbox.file(path).replacen("\n\n", "\n\nOne line more.\n\n", 1);
        sandbox.write(path, text);
    }
    assert_eq!(read(), before);
}

#[test]
fn sarif_is_valid_by_its_schema() {
    let sarif = store().run(&["check", "--format", "sarif"]).expect_code(1).json();
    let validator = jsonschema::validator_for(&sarif_schema()).unwrap();
    let problems: Vec<String> = validator
        .iter_errors(&sarif)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert_eq!(problems, [""; 0]);
    assert!(!validator.is_valid(&serde_json::json!({ "version": "2.1.0", "runs": [{}] })));
}

/// Reads the schema of SARIF 2.1.0, which comes with the package `serde-sarif`.
fn sarif_schema() -> Value {
    let cargo = |arguments: &[&str]| {
        let mut cargo = Command::new(env!("CARGO"));
        let output = cargo.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let about = cargo(&["-vV"]);
    // Packages for other platforms need not be there.
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let options = ["metadata", "--format-version=1", "--offline", "--locked", "--filter-platform"];
    let metadata = cargo(&[&options[..], &[host]].concat());
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").unwrap();
    let manifest = std::path::Path::new(package["manifest_path"].as_str().unwrap());
    let text = fs::read_to_string(manifest.with_file_name("src").join("schema.json")).unwrap();
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    // These have a stray bracket, which is an error to those who read expressions strictly.
    for name in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][name]["properties"]["language"];
        language.as_object_mut().unwrap().remove("pattern").unwrap();
    }
    schema
}

#[test]
fn junit_is_xml_whatever_the_files_hold() {
    let sandbox = store();
    let nasty = "One\ttab\nand \u{fffe}\u{1}]]>\n===\n\n## \"B\" & <b> \u{1b}[31m\u{85}\n\n- x\n";
    sandbox.write("pitfalls.md", nasty);
    sandbox.write("modules/a'b\"<&\u{1b}.md", nasty);
    let text = sandbox.run(&["check", "--format", "junit"]).expect_code(1).stdout;
    let tags = well_formed(&text);
    let shown = [
        "name=\"section-malformed: One\ttab and <U+FFFE><U+0001>]]>\"",
        "file=\".agent-memory/modules/a'b\"<&<U+001B>.md\"",
    ];
    for attribute in shown {
        assert!(tags.iter().any(|tag| tag.contains(attribute)), "{attribute} in {tags:#?}");
    }
    // A file in which something was found is none in which nothing was.
    let clean = tags.iter().filter(|tag| tag.contains("name=\"check\""));
    assert_eq!(clean.filter(|tag| tag.contains("<U+001B>")).count(), 0, "{tags:#?}");
}

/// Expects well-formed XML 1.0 in the small part of it that we write; returns its tags, read.
#[track_caller]
fn well_formed(text: &str) -> Vec<String> {
    let is_character = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(text.chars().all(is_character), "{text:?}");
    let body = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").unwrap();
    let (mut open, mut tags) = (Vec::new(), Vec::new());
    for piece in body.split('<').skip(1) {
        let (tag, content) = piece.split_once('>').unwrap_or_else(|| panic!("{piece}"));
        assert!(!content.contains("]]>"), "{content}");
        read(content);
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name), "{tag}"),
            (false, closes) => {
                open.extend(Some(name).filter(|_| !closes));
                let attributes: Vec<&str> = tag.split('"').collect();
                assert!(attributes.len() % 2 == 1, "{tag}");
                // A line break in a value that is not escaped is read as a blank.
                assert!(!tag.contains(['\n', '\t', '\r']), "{tag:?}");
                tags.push(read(tag));
            }
        }
    }
    assert_eq!(open, [""; 0]);
    tags
}

/// Reads a text in which everything that has a meaning is escaped.
#[track_caller]
fn read(text: &str) -> String {
    let mut pieces = text.split('&');
    let mut read = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once(';').unwrap_or_else(|| panic!("{piece}"));
        read += match name {
            "amp" => "&",
            "lt" => "<",
            "gt" => ">",
            "quot" => "\"",
            "apos" => "'",
            "#9" => "\t",
            "#10" => "\n",
            "#13" => "\r",
            _ => panic!("&{name};"),
        };
        read += rest;
    }
    read
}

#[test]
fn annotations_are_commands_of_one_line_each() {
    let text = store().run(&["check", "--format", "github"]).expect_code(1).stdout;
    for line in text.lines() {
        let kinds = ["::error ", "::warning ", "::notice "];
        assert!(kinds.iter().any(|kind| line.starts_with(kind)), "{line}");
    }
    assert!(text.contains("%25, ::error::or so"), "{text}");
    assert!(text.contains("::notice title=agent-memory check::"), "{text}");
}

#[test]
fn expected_reports_hold_no_secret() {
    let secret = replace_placeholders("{{AWS_KEY}}");
    for path in cases("fixtures/check").iter().filter(|path| path.is_file()) {
        assert!(!fs::read_to_string(path).unwrap().contains(&secret), "{}", path.display());
    }
}
