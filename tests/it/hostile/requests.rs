//! Requests that were good once, with other values, more keys, or torn bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use agent_memory::contract::{FileState, Moment};
use agent_memory::markdown::Outline;
use agent_memory::project::config::{self, Config};
use agent_memory::project::pipeline::{Branch, Planned, Rules, Snapshot, Submission, Surroundings};
use agent_memory::project::provenance::Evidence;
use agent_memory::project::request::{Answer, MemoryPath, Source};
use agent_memory::project::schema::{Catalog, DEFAULTS};
use agent_memory::secrets::Scanner;
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use super::{damaged, markdown, text};
use crate::requests::session;
use crate::support::{Sandbox, cases};

/// What every file of the store says.
const FILE: &str = "# Memory\n\n## A\n<!-- @id: a -->\n\n- one\n\n### B\n\ntwo\n\n## Names\n<!-- @id: names -->\n\nthree\n";

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let files = DEFAULTS.map(|(name, text)| (PathBuf::from(format!("{name}.toml")), text));
    Catalog::parse(files.iter().map(|(path, text)| (path.as_path(), *text))).unwrap()
});

fn state(path: &MemoryPath) -> FileState {
    let is_new =
        ["archive/", "decisions/", "pitfalls/"].map(|folder| path.as_str().starts_with(folder));
    match is_new.contains(&true) {
        true => FileState::Absent,
        false => FileState::Text(FILE.to_owned()),
    }
}

/// A repository in which all that is cited is what it was.
struct Everywhere;

impl Surroundings for Everywhere {
    fn branch(&self) -> Answer<Branch> {
        Ok(Branch::named("main"))
    }

    fn text(&self, path: &MemoryPath) -> Option<String> {
        match state(path) {
            FileState::Text(text) => Some(text),
            FileState::Absent | FileState::Unusable(_) => None,
        }
    }

    fn evidence(&self, sources: &[Source]) -> Vec<Evidence> {
        vec![Evidence::Present(None); sources.len()]
    }
}

fn good() -> Vec<String> {
    let request = |path: PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        value.get("request").unwrap_or(&value).to_string()
    };
    let valid = cases("fixtures/proposals/valid");
    let cases = cases("fixtures/cases").into_iter().map(|case| case.join("proposal.json"));
    cases.chain(valid).map(request).collect()
}

/// Puts a value in the place of one of a request's, or beside it under another name.
fn altered() -> impl Strategy<Value = Vec<u8>> {
    let other = prop_oneof![
        4 => text().prop_map(Value::from),
        2 => markdown().prop_map(Value::from),
        1 => select(vec![json!(null), json!(true), json!(-1), json!(1e300), json!([]), json!({})]),
        1 => Just((0..40).fold(json!(1), |inner, _| json!([inner]))),
    ];
    let changes = proptest::collection::vec((any::<Index>(), other), 1..4);
    (select(good()), changes).prop_map(|(text, changes)| {
        let mut request: Value = serde_json::from_str(&text).unwrap();
        for (place, other) in changes {
            let mut places = Vec::new();
            collect(&request, String::new(), &mut places);
            let place = place.get(&places);
            match request.pointer_mut(place) {
                Some(Value::Object(fields)) if !place.is_empty() => {
                    fields.insert(other.to_string(), other);
                }
                Some(value) if !place.is_empty() => *value = other,
                Some(_) | None => {}
            }
        }
        request.to_string().into_bytes()
    })
}

fn collect(value: &Value, pointer: String, places: &mut Vec<String>) {
    match value {
        Value::Array(list) => list
            .iter()
            .enumerate()
            .for_each(|(number, each)| collect(each, format!("{pointer}/{number}"), places)),
        Value::Object(fields) => fields
            .iter()
            .for_each(|(name, each)| collect(each, format!("{pointer}/{name}"), places)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    places.push(pointer);
}

/// Good requests with nasty Markdown, aimed at sections that are there.
fn aimed() -> impl Strategy<Value = Vec<u8>> {
    let kinds = select(vec![
        "append_section",
        "replace_section",
        "replace_section_content",
        "append_to_section",
        "rename_heading",
    ]);
    let operation = (kinds, select(vec!["a", "names"]), markdown()).prop_map(|(kind, id, text)| {
        let line = text.lines().next().unwrap_or_default();
        let heading: String = line.chars().filter(|c| *c != '#').take(100).collect();
        match kind {
            "append_section" => {
                json!({ "operation": kind, "heading": format!("C{heading}"), "content": text })
            }
            "replace_section" => {
                let content = format!("## D\n\n{text}");
                json!({ "operation": kind, "section_id": id, "content": content })
            }
            "rename_heading" => {
                json!({ "operation": kind, "section_id": id, "new_heading": format!("E{heading}") })
            }
            _ => json!({ "operation": kind, "section_id": id, "content": format!("f\n{text}") }),
        }
    });
    proptest::collection::vec(operation, 1..4).prop_map(|operations| {
        json!({ "intent": "update_shared", "operations": operations }).to_string().into_bytes()
    })
}

fn requests() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![3 => aimed(), 2 => altered(), 1 => damaged(good())]
}

/// Walks the corridor up to the route, with nothing written.
fn walk(bytes: &[u8]) -> Answer<()> {
    let config = Config::parse(config::DEFAULT, "config.toml".as_ref()).unwrap();
    let scanner = Scanner::default();
    let rules = Rules { catalog: &CATALOG, config: &config, scanner: &scanner };
    let proposal =
        Submission::new(bytes.to_vec(), Moment::from_unix(1_795_000_000), "2026-11-18".to_owned())
            .parse()?;
    let screened = proposal.screen(rules, &Everywhere)?;
    let files: BTreeMap<_, _> =
        screened.files().into_iter().map(|path| (path.clone(), state(&path))).collect();
    let planned = screened.plan(Snapshot { files, ..Snapshot::default() })?;
    others_stay(&planned);
    planned.route(None).map(drop)
}

/// Expects each section that the answer does not name to be as it was.
fn others_stay(planned: &Planned<'_>) {
    for file in planned.files.iter().filter(|file| file.before.is_some()) {
        let (before, after) = (Outline::read(FILE), Outline::read(&file.after));
        for section in before.sections().iter().filter(|section| section.id.is_some()) {
            let id = section.id.as_ref().unwrap();
            let named = planned.affected.iter().any(|each| each.section_id.as_ref() == Some(id));
            let now = after.find(id).map(|number| after.own(&after.sections()[number]));
            assert!(named || now == Some(before.own(section)), "`{id}` changed: {:?}", file.after);
        }
    }
}

proptest! {
    #![proptest_config(super::config(400))]

    #[test]
    fn any_request_has_an_answer_and_other_sections_stay(bytes in requests()) {
        if let Err(refusal) = walk(&bytes) {
            assert!(!refusal.message.is_empty() && !refusal.hint.is_empty(), "{refusal:?}");
            assert!(refusal.violations.len() <= 100, "{refusal:?}");
        }
    }
}

proptest! {
    #![proptest_config(super::config(24))]

    #[test]
    fn a_refused_request_changes_nothing_and_says_so_in_one_document(bytes in requests()) {
        let sandbox = Sandbox::given(&[("decisions.md", FILE), ("local/shared.md", FILE)]);
        let before = sandbox.tree();
        let reply = sandbox.call(&["propose"]).stdin(bytes).run();
        let answer = reply.answer();
        match (answer.code, answer["status"].as_str()) {
            (0, Some("applied" | "staged")) => {}
            (1, Some("rejected")) => {
                assert!(answer["reason"].is_string() && answer["hint"].is_string(), "{reply:?}");
                assert_eq!(sandbox.tree(), before, "{reply:?}");
            }
            _ => panic!("{reply:?}"),
        }
        assert!(!reply.stderr.contains("panicked"), "{reply:?}");
    }
}

#[test]
fn an_ambiguous_heading_names_some_candidates_and_counts_the_others() {
    let text = "# S\n\n".to_owned() + &"## twin\n".repeat(1_000);
    let sandbox = Sandbox::given(&[("local/shared.md", &text)]);
    let request = json!({
        "intent": "update_shared",
        "operations": [{ "operation": "append_to_section", "heading": "twin", "content": "- a" }],
    });
    let answer = sandbox.propose(request).rejected("section_ambiguous");
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("1000 sections") && message.ends_with("; and 988 more"), "{message}");
}

#[test]
fn a_request_of_very_many_headings_in_one_is_answered() {
    let content = "###\n".repeat(100_000);
    Sandbox::new().propose(session("Deep", &content)).rejected("too_large");
}

#[test]
fn a_request_that_nests_quotes_without_end_is_answered() {
    let content = ">".repeat(60_000) + "a\n" + &"a\n".repeat(60_000);
    Sandbox::new().propose(session("Deep", &content)).rejected("validation_failed");
}
