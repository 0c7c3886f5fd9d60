//! What is put into a client's file can be taken out again, whatever the file was: over generated files.
//! In JSON and TOML blanks may differ after that, and what says nothing may be gone.

use agent_memory::clients::{Client, ClientScope, ClientTarget, FaultCode, FilePurpose};
use agent_memory::contract::ContentHash;
use jsonc_parser::cst::CstRootNode;
use proptest::prelude::*;

/// Returns every kind of edit there is, by the file of a client.
fn targets() -> Vec<ClientTarget> {
    let of = |client: &Client| {
        ClientScope::ALL.iter().flat_map(|scope| client.targets(*scope, None)).collect()
    };
    Client::ALL.iter().flat_map(|client: &Client| -> Vec<ClientTarget> { of(client) }).collect()
}

fn targets_ending(end: &str) -> Vec<ClientTarget> {
    targets().into_iter().filter(|target| target.paths[0].ends_with(end)).collect()
}

/// Puts and takes: twice is once, and out is as before.
fn round_trip(target: &ClientTarget, original: Option<&str>) {
    let Ok(installed) = target.edit.insert(original) else {
        panic!("{:?} refuses {original:?}", target.paths)
    };
    let again = target.edit.insert(Some(&installed)).unwrap();
    assert_eq!(again, installed, "{:?}: twice is not once", target.paths);
    let taken = target.edit.remove(&installed).unwrap();
    let (taken, original) = (taken.as_deref(), original);
    let same = match original.map(|text| text.trim_start_matches('\u{feff}')) {
        Some(text) if target.paths[0].ends_with(".toml") => {
            let with_end = format!("{text}{}", if text.contains("\r\n") { "\r\n" } else { "\n" });
            let taken = taken.unwrap_or_default().trim_start_matches('\u{feff}');
            taken == text || (!text.ends_with('\n') && taken == with_end)
        }
        Some(text) if text.trim_start().starts_with(['{', '/']) => {
            says(taken.unwrap_or("{}")) == says(text)
        }
        _ => taken == original,
    };
    assert!(same, "{:?}: {original:?} is {taken:?} from {installed:?}", target.paths);
}

/// Returns what a JSON file says: its comments, its line ends, and its values without what is empty.
fn says(text: &str) -> (Vec<usize>, bool, serde_json::Value) {
    let comments = ["// {", "/* ,", "lines */", "// dark"].map(|mark| text.matches(mark).count());
    let plain = text.trim_start_matches('\u{feff}');
    let root = CstRootNode::parse(plain, &jsonc_parser::ParseOptions::default()).unwrap();
    let outside = text.replace("two\r\nlines", "");
    let is_mixed = outside.contains("\r\n") && outside.replace("\r\n", "").contains('\n');
    (comments.into(), is_mixed, without_empty(root.to_serde_value().unwrap()))
}

fn without_empty(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;

    let is_empty =
        |value: &Value| *value == serde_json::json!({}) || *value == serde_json::json!([]);
    match value {
        Value::Object(members) => {
            let members = members.into_iter().map(|(name, value)| (name, without_empty(value)));
            Value::Object(members.filter(|(_, value)| !is_empty(value)).collect())
        }
        Value::Array(list) => {
            let list = list.into_iter().map(without_empty);
            Value::Array(list.filter(|value| !is_empty(value)).collect())
        }
        other => other,
    }
}

#[test]
fn a_file_that_was_not_there_goes_again() {
    targets().iter().for_each(|target| round_trip(target, None));
}

#[test]
fn two_edits_of_one_file_are_taken_out_in_turn() {
    let gemini = Client::Gemini.targets(ClientScope::Project, None);
    let of = |purpose| gemini.iter().find(|target| target.purpose == purpose).unwrap();
    let (server, hooks) = (of(FilePurpose::Mcp), of(FilePurpose::Hooks));
    for original in [None, Some("{}"), Some("{\n\t\"theme\": \"x\" // dark\n}\n")] {
        let one = server.edit.insert(original).unwrap();
        let both = hooks.edit.insert(Some(&one)).unwrap();
        assert_eq!(hooks.edit.remove(&both).unwrap().unwrap(), one);
        round_trip(server, original);
    }
}

#[test]
fn nothing_is_taken_from_a_file_that_has_nothing_of_ours() {
    for target in targets().iter().filter(|target| target.purpose != FilePurpose::Skill) {
        let original = if target.paths[0].ends_with(".toml") { "a = 1\n" } else { "{ \"a\": [] }" };
        assert_eq!(target.edit.remove(original).unwrap().as_deref(), Some(original));
    }
}

#[test]
fn a_file_of_somebody_else_is_no_skill_of_ours() {
    let targets = targets();
    let skill = targets.iter().find(|target| target.purpose == FilePurpose::Skill).unwrap();
    assert_eq!(skill.edit.insert(Some("mine\n")).unwrap_err().code, FaultCode::ForeignEntry);
    assert_eq!(skill.edit.remove("mine\n").unwrap().as_deref(), Some("mine\n"));
}

#[test]
fn a_skill_of_another_version_is_ours_by_its_hash() {
    let targets = targets();
    let skill = targets.iter().find(|target| target.purpose == FilePurpose::Skill).unwrap();
    let new = skill.edit.insert(None).unwrap();
    let mark = new.lines().find(|line| line.starts_with("<!-- written by")).unwrap();
    let of_rest = |text: &str| ContentHash::of_section(&text.replacen(mark, "", 1)).to_string();
    let edited = new.replace("Agents and people", "People");
    let old = edited.replace(&of_rest(&new), &of_rest(&edited));
    assert_eq!(skill.edit.insert(Some(&old)).unwrap(), new);
    assert_eq!(skill.edit.remove(&old).unwrap(), None);
    assert_eq!(skill.edit.insert(Some(&edited)).unwrap_err().code, FaultCode::ForeignEntry);
    assert_eq!(skill.edit.remove(&edited).unwrap_err().code, FaultCode::ForeignEntry);
}

#[test]
fn a_block_that_somebody_edited_goes_as_one_that_nobody_did() {
    let targets = targets();
    let block = targets.iter().find(|target| target.paths[0] == "AGENTS.md").unwrap();
    for original in [None, Some("# Rules"), Some("# Rules\r\n")] {
        let installed = block.edit.insert(original).unwrap();
        let edited = installed.replace("## Project memory", "## Ours");
        assert_eq!(block.edit.remove(&edited).unwrap().as_deref(), original);
        assert_eq!(block.edit.insert(Some(&edited)).unwrap(), installed);
    }
}

#[test]
fn an_import_that_is_there_is_not_made_again() {
    let claude = Client::Claude.targets(ClientScope::Project, None);
    let import = claude.iter().find(|target| target.only_if_there).unwrap();
    assert_eq!(import.edit.insert(Some("@AGENTS.md\n")).unwrap(), "@AGENTS.md\n");
    let installed = import.edit.insert(Some("# Rules\n")).unwrap();
    assert!(installed.contains("\n@AGENTS.md\n<!-- END"), "{installed}");
}

#[test]
fn no_permission_and_no_approval_is_written() {
    for target in targets() {
        let text = target.edit.insert(None).unwrap().to_lowercase();
        let is_settings =
            target.purpose == FilePurpose::Mcp || target.purpose == FilePurpose::Hooks;
        for word in ["permission", "allow", "approv", "trust", "enabledmcpjsonservers"] {
            assert!(!is_settings || !text.contains(word), "{:?} has `{word}`", target.paths);
        }
    }
}

/// Blanks, line ends and comments, as they stand between the parts of a file.
fn gap(eol: &'static str, comments: bool) -> impl Strategy<Value = String> {
    let comment = prop_oneof![
        Just(format!("// {{ \"x\": [1, 2] }}{eol}")),
        Just("/* , } */".to_owned()),
        Just(format!("/* two{eol}lines */")),
    ];
    let blank = prop_oneof![
        4 => Just(String::new()),
        3 => Just(" ".to_owned()),
        4 => Just(format!("{eol}  ")),
        2 => Just(format!("{eol}\t")),
        1 => Just(format!("{eol}{eol}")),
    ];
    let comment = prop::option::weighted(0.25, comment);
    (blank.clone(), comment, blank).prop_map(move |(before, comment, after)| {
        before + &comment.filter(|_| comments).unwrap_or_default() + &after
    })
}

/// Names that settings have: those that lead to our entries too.
fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a",
        "version",
        "mcpServers",
        "servers",
        "mcp",
        "context_servers",
        "hooks",
        "SessionStart",
        "sessionStart",
        "Stop",
        "stop",
        "AfterAgent",
        "agentStop",
        "$schema",
        "x,y",
        "{\\\"}",
    ])
}

fn json_value(eol: &'static str, comments: bool) -> BoxedStrategy<String> {
    let leaf = prop::sample::select(vec!["1", "null", "\"a, } // b\"", "true", "{}", "[]"]);
    leaf.prop_map(str::to_owned)
        .prop_recursive(4, 24, 4, move |inner| {
            let member = (name(), gap(eol, comments), inner.clone(), gap(eol, comments));
            let member = member.prop_map(|(name, gap, value, end)| {
                (name, format!("{gap}\"{name}\": {value}{end}"))
            });
            let object = (prop::collection::vec(member, 0..4), gap(eol, comments), any::<bool>());
            let object = object.prop_map(move |(members, gap, trailing)| {
                let mut seen = std::collections::BTreeSet::new();
                let members: Vec<String> = members
                    .into_iter()
                    .filter(|(name, _)| seen.insert(*name))
                    .map(|(_, text)| text)
                    .collect();
                let comma = if trailing && comments && !members.is_empty() { "," } else { "" };
                format!("{{{}{comma}{gap}}}", members.join(","))
            });
            let element = (gap(eol, comments), inner).prop_map(|(gap, value)| gap + &value);
            let list = prop::collection::vec(element, 0..3)
                .prop_map(|items| format!("[{}]", items.join(",")));
            prop_oneof![3 => object, 1 => list]
        })
        .boxed()
}

/// A file of settings: an object, with all that may stand around it.
fn json_file() -> impl Strategy<Value = String> {
    let style = (prop::sample::select(vec!["\n", "\r\n"]), any::<bool>());
    style.prop_flat_map(|(eol, comments)| {
        let whole =
            json_value(eol, comments).prop_filter("an object", |text| text.starts_with('{'));
        let bom = prop::sample::select(vec!["", "\u{feff}"]);
        (bom, gap(eol, comments), whole, gap(eol, comments))
            .prop_map(|(bom, a, text, b)| format!("{bom}{a}{text}{b}"))
    })
}

fn lines(parts: &'static [&'static str]) -> impl Strategy<Value = String> {
    let line = prop::sample::select(parts.to_vec());
    let style = (prop::sample::select(vec!["\n", "\r\n"]), any::<bool>(), any::<bool>());
    (prop::collection::vec(line, 0..12), style).prop_map(|(lines, (eol, ends, bom))| {
        let text = lines.join(eol);
        let end = if ends { eol } else { "" };
        format!("{}{text}{end}", if bom { "\u{feff}" } else { "" })
    })
}

fn markdown() -> impl Strategy<Value = String> {
    lines(&[
        "",
        "# Rules",
        "text  ",
        "\t- item",
        "```\n<!-- BEGIN agent-memory v1 -->\n```",
        "<!-- note -->",
        "@AGENTS.md later",
        "Überschrift",
        "---",
    ])
}

fn toml_file() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "",
        "# a comment",
        "[mcp_servers.other]",
        "[[list]]",
        "[mcp_servers]",
        "[a.b] # why",
        "  [indented]",
    ]);
    let style = (prop::sample::select(vec!["\n", "\r\n"]), any::<bool>(), any::<bool>());
    (prop::collection::vec(line, 0..10), style).prop_map(|(lines, (eol, ends, bom))| {
        let keyed = lines
            .iter()
            .zip(0..)
            .map(|(line, number)| format!("{line}{eol}key{number} = \"x\"\t# {number}"));
        let end = if ends { eol } else { "" };
        format!("{}{}{end}", if bom { "\u{feff}" } else { "" }, keyed.collect::<Vec<_>>().join(eol))
    })
}

#[test]
fn a_comment_between_our_entry_and_its_comma_stays() {
    let text = "{\n  \"context_servers\": {}\n  /* two\nlines */, // one\n  \"hooks\": 1\n}\n";
    for target in targets_ending(".json") {
        if target.edit.insert(Some(text)).is_ok() {
            round_trip(&target, Some(text));
        }
    }
}

proptest! {
    #[test]
    fn any_json_is_as_before(original in json_file()) {
        for target in targets_ending(".json") {
            // A list where an object belongs is refused; that is told elsewhere.
            if let Err(fault) = target.edit.insert(Some(&original)) {
                prop_assert_eq!(fault.code, FaultCode::WrongShape, "{:?}", original);
            } else {
                round_trip(&target, Some(&original));
            }
        }
    }

    #[test]
    fn any_markdown_is_as_before(original in markdown()) {
        for target in targets_ending(".md").iter().filter(|target| target.purpose == FilePurpose::Instructions) {
            round_trip(target, Some(&original));
        }
    }

    #[test]
    fn any_toml_is_as_before(original in toml_file()) {
        for target in targets_ending(".toml") {
            match target.edit.insert(Some(&original)) {
                Ok(_) => round_trip(&target, Some(&original)),
                // Chance made the same table twice, or a list of one.
                Err(fault) => prop_assert_eq!(fault.code, FaultCode::Malformed, "{:?}", original),
            }
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "[\\PC\n\r\t{}\\[\\]\",:/*#=.<!-]{0,60}") {
        for target in targets() {
            let _ = target.edit.insert(Some(&text));
            let _ = target.edit.remove(&text);
        }
    }
}
