//! Random worlds against a model: no call changes or tells what the rules do not give it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agent_memory::contract::Timestamp;
use agent_memory::longterm::request::{CallContext, GivenArguments, LongtermCall, LongtermTool};
use agent_memory::longterm::verbs::{
    LongtermSession, LongtermSettings, LongtermStore, MemoryFilter, PromptForm, answer, context,
    export, import, set_directory,
};
use serde_json::{Value, json};

use super::dice::Dice;
use super::model::{Allowed, Model, Row};

/// Worlds of a plain run; all under `CRASH=full`.
const SAMPLE: u64 = 150;
const ALL: u64 = 10_000;
const CALLS: usize = 8;

const UNKNOWN: u64 = 4_000_000;

fn store() -> (tempfile::TempDir, Arc<LongtermStore>) {
    let folder = tempfile::tempdir().unwrap();
    let store = LongtermStore::open(folder.path(), LongtermSettings::default()).unwrap();
    (folder, Arc::new(store))
}

fn session(store: &Arc<LongtermStore>, tenant: &str) -> LongtermSession {
    let now = Timestamp::from_microseconds(1_790_000_000_000_000);
    let tenant = store.tenant(tenant, now).unwrap();
    LongtermSession { store: Arc::clone(store), tenant, operator: "test".to_owned(), now }
}

/// Puts the rows of a model into a store.
fn fill(session: &LongtermSession, model: &Model) {
    let line = |(number, row): (&u64, &Row)| {
        let scope = if row.is_shared { "server_wide" } else { "target_user" };
        let line = json!({
            "id": number, "scope": scope, "owner": row.owner, "lineage": row.lineage,
            "content": row.content, "taught_by": row.taught_by,
        });
        format!("{line}\n")
    };
    let lines: String = model.rows.iter().map(line).collect();
    assert_eq!(import(session, &lines).unwrap().imported, model.rows.len());
    assert_eq!(set_directory(session, &model.directory).unwrap().error, None);
}

fn rows(session: &LongtermSession) -> BTreeMap<u64, Row> {
    let mut rows = BTreeMap::new();
    let mut read = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| line[name].as_str().map(str::to_owned);
        let row = Row {
            is_shared: line["scope"] == "server_wide",
            owner: text("owner").unwrap(),
            lineage: line["lineage"].as_u64().unwrap(),
            content: text("content").unwrap(),
            taught_by: text("taught_by"),
        };
        rows.insert(line["id"].as_u64().unwrap(), row);
    };
    export(session, &MemoryFilter::default(), &mut read).unwrap();
    rows
}

fn call(
    session: &LongtermSession,
    tool: LongtermTool,
    context: &Value,
    arguments: &Value,
) -> Value {
    let arguments = GivenArguments::new(arguments.as_object().unwrap().clone());
    json!(answer(session, tool, &LongtermCall { context: context.clone(), arguments }))
}

/// Makes one call, and holds the answer and what is stored then against the model.
fn check_call(session: &LongtermSession, model: &mut Model, dice: &mut Dice, mark: usize) {
    let said = dice.context();
    let target = dice.target();
    let mut arguments = json!({"memory_content": dice.content(mark)});
    if !target.is_null() {
        arguments["target_user"] = target;
    }
    let is_update = !dice.one_in(4);
    let (tool, allowed): (LongtermTool, Option<Allowed>) = if is_update {
        arguments["memory_id"] = json!(dice.roll(model.last + 2));
        (LongtermTool::Update, model.update(&said, &arguments))
    } else {
        arguments["memory_scope"] = json!(dice.of(&["server_wide", "target_user"]));
        (LongtermTool::Create, model.create(&said, &arguments))
    };
    let told = call(session, tool, &said, &arguments);
    let about = format!("{arguments}\n{said}\n{}\n{told}", model.directory);
    assert_eq!(told["success"] == true, allowed.is_some(), "{about}\n{allowed:?}");
    let number = allowed.as_ref().map(|allowed| allowed.number);
    assert_eq!(told["data"]["memory_id"].as_u64(), number, "{about}");
    // What others have is told in no answer.
    let text = told.to_string();
    for (_, row) in model.rows.iter().filter(|(other, _)| Some(**other) != number) {
        let own = arguments["memory_content"].as_str().unwrap();
        assert!(own.contains(&row.content) || !text.contains(&row.content), "{about}");
    }
    if told["data"]["status"] == "memory_update_failed_not_found" {
        arguments["memory_id"] = json!(UNKNOWN);
        assert_eq!(call(session, tool, &said, &arguments), told, "{about}");
    }
    allowed.into_iter().for_each(|allowed| model.carry_out(allowed));
    assert_eq!(rows(session), model.rows, "{about}");
    let read = CallContext::read(&said).unwrap();
    let prompt = context(session, &read, PromptForm::Stored).unwrap();
    let people = prompt.people.iter().flat_map(|person| &person.memories);
    let told = prompt.shared.iter().chain(people).map(|memory| memory.id.get()).collect();
    assert_eq!(model.readable(&said), told, "{said}\n{}", model.directory);
}

#[test]
fn no_call_changes_or_tells_what_the_rules_do_not_give_it() {
    let is_full = std::env::var("CRASH").is_ok_and(|it| it == "full");
    let (_folder, store) = store();
    let (mut done, mut asked) = (0, 0);
    for world in 0..if is_full { ALL } else { SAMPLE } {
        let mut dice = Dice(world);
        let last = 4 + dice.roll(20);
        let rows: BTreeMap<u64, Row> =
            (1..=last).map(|number| (number, dice.row(number))).collect();
        let mut model = Model { rows, directory: dice.directory(), last };
        let session = session(&store, &format!("world-{world}"));
        fill(&session, &model);
        for mark in 0..CALLS {
            let before = model.rows.clone();
            check_call(&session, &mut model, &mut dice, mark);
            asked += 1;
            done += usize::from(model.rows != before);
        }
    }
    // Otherwise the worlds tell nothing.
    assert!(done * 20 > asked, "{done} of {asked} calls changed something");
}

#[test]
fn a_number_of_others_takes_as_long_as_an_unknown_one() {
    let (_folder, store) = store();
    let session = session(&store, "default");
    let world = |number: u64| Row {
        is_shared: true,
        owner: if number.is_multiple_of(2) { "s2".to_owned() } else { "s1".to_owned() },
        // Another one than that of the call; no character has more than a hundred of an owner.
        lineage: 2 + number / 150,
        content: "word ".repeat(190),
        taught_by: None,
    };
    let rows = (1..=500).map(|number| (number, world(number))).collect();
    fill(&session, &Model { rows, directory: json!({}), last: 500 });
    let said = super::world::context();
    let mut times: [Vec<Duration>; 3] = [const { Vec::new() }; 3];
    for round in 0..200_u64 {
        let numbers = [UNKNOWN + round, 2 + 2 * round, 1 + 2 * round];
        for (number, times) in numbers.into_iter().zip(&mut times) {
            let arguments = json!({"memory_id": number, "memory_content": "x"});
            let begun = Instant::now();
            let told = call(&session, LongtermTool::Update, &said, &arguments);
            times.push(begun.elapsed());
            assert_eq!(told["data"]["status"], "memory_update_failed_not_found");
        }
    }
    let medians = times.map(|mut times| {
        times.sort();
        times[times.len() / 2]
    });
    let (least, most) = (medians.iter().min().unwrap(), medians.iter().max().unwrap());
    assert!(*most < *least * 2, "{medians:?}");
}
