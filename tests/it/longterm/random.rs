//! Random worlds against a model: no call changes or tells what the rules do not give it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agent_memory::contract::Timestamp;
use agent_memory::longterm::request::{CallContext, GivenArguments, LongtermCall, LongtermTool};
use agent_memory::longterm::verbs::{
    LongtermSession, LongtermSettings, LongtermStore, PromptForm, answer, context, export, import,
    set_directory,
};
use serde_json::{Value, json};

use super::model::{Allowed, Model, Row};

/// Worlds of a plain run; all under `CRASH=full`.
const SAMPLE: u64 = 150;
const ALL: u64 = 10_000;
const CALLS: usize = 8;

const PEOPLE: [&str; 6] = ["u1", "u2", "u3", "u4", "123456789012345678", "@eve:example.org"];
const NAMES: [&str; 6] = ["Ada", "Bob", "Cy", "Dee", "Tomo", "Eve"];
const UNKNOWN: u64 = 4_000_000;

/// Random numbers that a seed determines (SplitMix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % below
    }

    fn one_in(&mut self, of: u64) -> bool {
        self.roll(of) == 0
    }

    fn of<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[usize::try_from(self.roll(list.len() as u64)).unwrap()]
    }

    fn level(&mut self) -> Value {
        let levels = [
            json!(null),
            json!("minimal"),
            json!("minimal"),
            json!("partial"),
            json!("full"),
            json!("odd"),
            json!(7),
        ];
        levels[usize::try_from(self.roll(7)).unwrap()].clone()
    }

    fn flag(&mut self) -> Value {
        let flags =
            [json!(true), json!(true), json!(true), json!(null), json!(false), json!("true")];
        flags[usize::try_from(self.roll(6)).unwrap()].clone()
    }

    fn names(&mut self) -> Value {
        let count = self.roll(2);
        (0..count).map(|_| json!(self.of(&NAMES))).collect()
    }

    fn some_people(&mut self) -> Vec<&'static str> {
        PEOPLE.into_iter().filter(|_| !self.one_in(3)).collect()
    }

    fn directory(&mut self) -> Value {
        let mut users = json!({});
        for person in self.some_people() {
            users[person] = json!({
                "privacy": self.level(), "names": self.names(),
                "saved_names": {"1": self.names(), "2": self.names()}, "bridge": self.one_in(12),
            });
        }
        let mut servers = json!({});
        for server in ["s1", "s2"] {
            let flags = json!({"self_teaching": self.flag(), "personal_memories": self.flag()});
            let blacklist: Vec<&str> = PEOPLE.into_iter().filter(|_| self.one_in(6)).collect();
            let members = self.some_people();
            servers[server] = json!({"flags": flags, "blacklist": blacklist, "members": members});
        }
        json!({"users": users, "servers": servers})
    }

    fn context(&mut self) -> Value {
        let participant = |dice: &mut Self, id: &str| json!({"id": id, "label": dice.of(&NAMES), "aliases": dice.names(), "bridge": dice.one_in(15)});
        let mut participants: Vec<Value> =
            self.some_people().into_iter().map(|id| participant(self, id)).collect();
        if self.one_in(3) {
            participants.push(participant(self, "b1"));
        }
        let mut members = Vec::new();
        for id in self.some_people() {
            members.push(json!({
                "id": id, "display_name": self.of(&NAMES), "saved_names": self.names(),
                "global_name": self.of(&NAMES), "username": self.of(&NAMES), "bot": self.one_in(12),
            }));
        }
        let mut users = json!({});
        for person in self.some_people() {
            users[person] = json!({"privacy": self.level(), "blacklisted": self.one_in(6), "bridge": self.one_in(20)});
        }
        let actor = match self.roll(8) {
            0 => json!("owner"),
            1 => json!("manager"),
            _ => json!(null),
        };
        json!({
            "server": {"id": self.of(&["s1", "s2"]), "kind": self.of(&["guild", "guild", "guild", "dm"])},
            "caller": {"id": self.of(&PEOPLE)}, "bot": {"id": "b1"},
            "persona": {"id": "p1", "name": "Tomo", "lineage": 1 + self.roll(2)},
            "flags": {"self_teaching": self.flag(), "personal_memories": self.flag()},
            "participants": participants,
            "members": if self.one_in(4) { json!(null) } else { json!(members) },
            "users": users, "actor": actor,
        })
    }

    fn row(&mut self, number: u64) -> Row {
        let is_shared = self.one_in(3);
        let owner = if is_shared { self.of(&["s1", "s2"]) } else { self.of(&PEOPLE) };
        Row {
            is_shared,
            owner: owner.to_owned(),
            lineage: if is_shared { 1 + self.roll(2) } else { self.roll(3) },
            content: format!("fact-{number}-of-{owner}"),
            taught_by: Some(self.of(&PEOPLE).to_owned()).filter(|_| !self.one_in(3)),
        }
    }

    fn content(&mut self, mark: usize) -> String {
        match self.roll(8) {
            0 => String::new(),
            1 => " \n".to_owned(),
            2 => format!("{{obonya}} new-{mark}"),
            3 => "x".repeat(1_001),
            4 => "fact-1-of-s1".to_owned(),
            _ => format!(" new-{mark} "),
        }
    }

    fn target(&mut self) -> Value {
        match self.roll(6) {
            0 | 1 => json!(null),
            2 => json!(self.of(&[" ", "@eve:example.org", "123456789012345678", "u1"])),
            _ => json!(self.of(&[" @ada", "BOB", "Cy", "Dee", "Tomo", "eve", "Zoe"])),
        }
    }
}

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
    export(session, &mut read).unwrap();
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
        lineage: 2,
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
