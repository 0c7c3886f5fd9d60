//! The table of the contract, without a store.

use std::convert::Infallible;

use serde_json::{Value, json};

use super::{AllowedChange, VerdictRules, decide_create, decide_update};
use crate::contract::Timestamp;
use crate::longterm::request::{
    CallContext, CreateArguments, Directory, FailedStatus, GivenArguments, MemoryNumber,
    MemoryOwner, MemoryRow, People, UpdateArguments, UserEntry,
};
use crate::secrets::{Scanner, Settings};

/// What the facts of a call are.
struct World {
    context: Value,
    directory: Directory,
    rows: Vec<MemoryRow>,
    lets_model_write_of_others: bool,
}

fn row(number: u64, owner: MemoryOwner, lineage: u64, content: &str) -> MemoryRow {
    let time = Timestamp::from_microseconds(0);
    MemoryRow {
        number: MemoryNumber::new(number).expect("a number"),
        owner,
        lineage,
        content: content.to_owned(),
        tags: Vec::new(),
        taught_by: Some("u2".to_owned()),
        created: time,
        updated: time,
        revision: 1,
    }
}

impl World {
    /// The world of the contract's cases.
    fn new() -> Self {
        let member = |id: &str, display: &str, username: &str| json!({"id": id, "display_name": display, "username": username});
        let context = json!({
            "server": {"id": "s1", "kind": "guild", "name": "Garden"}, "channel": {"id": "c1"},
            "caller": {"id": "u1"}, "bot": {"id": "b1"},
            "persona": {"id": "p1", "name": "Tomo", "lineage": 10_001},
            "flags": {"self_teaching": true, "personal_memories": true},
            "participants": [{"id": "u1", "label": "Ada"}, {"id": "@eve:example.org", "label": "Eve", "bridge": true}],
            "members": [
                member("u1", "Ada", "ada"), member("u2", "Bob", "bobby"), member("u3", "Bob", "bob2"),
                member("u4", "Cy", "cy"), member("u5", "Dee", "dee"), member("u8", "Gus", "gus"),
            ],
            "users": {
                "u1": {}, "u2": {}, "u3": {}, "u7": {"privacy": "minimal"},
                "u4": {"privacy": "partial"}, "u5": {"privacy": "full"},
            },
        });
        let server = |id: &str| MemoryOwner::Server(id.to_owned());
        let person = |id: &str| MemoryOwner::Person(id.to_owned());
        let rows = vec![
            row(1, server("s1"), 10_001, "Meetings are on Fridays"),
            row(2, person("u1"), 10_001, "{user} likes tea"),
            row(3, person("u1"), 0, "three"),
            row(4, server("s1"), 10_002, "four"),
            row(5, server("s2"), 10_001, "five"),
            row(6, person("u4"), 10_001, "six"),
            row(7, person("u2"), 10_001, "seven"),
            row(8, person("u1"), 10_002, "eight"),
            row(9, person("u5"), 10_001, "nine"),
        ];
        Self { context, directory: Directory::default(), rows, lets_model_write_of_others: true }
    }

    fn with(mut self, pointer: &str, value: Value) -> Self {
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
        let parent = if parent.is_empty() {
            &mut self.context
        } else {
            self.context.pointer_mut(parent).expect("it is there")
        };
        parent[name] = value;
        self
    }

    /// Returns the suffix of the status, or what is done.
    fn update(&self, arguments: Value) -> String {
        let scanner = Scanner::new(Settings::default());
        let rules = VerdictRules {
            scanner: &scanner,
            lets_model_write_of_others: self.lets_model_write_of_others,
        };
        let Ok(context) = CallContext::read(&self.context) else {
            return "internal_error".to_owned();
        };
        let given: GivenArguments = serde_json::from_value(arguments).expect("JSON");
        let Ok(arguments) = UpdateArguments::read(&given) else { return "invalid_args".to_owned() };
        let people = People::new(&context, &self.directory);
        let find = |number| {
            Ok::<_, Infallible>(self.rows.iter().find(|row| row.number == number).cloned())
        };
        match decide_update(&arguments, people, rules, find).expect("it answers") {
            Ok((AllowedChange::Update(content), row)) => {
                format!("updated {} {content}", row.owner.generation_key())
            }
            Ok((AllowedChange::Delete, row)) => format!("deleted {}", row.content),
            Err(denial) => match denial.candidates.is_empty() {
                true => denial.status.to_string(),
                false => format!("{} {}", denial.status, denial.candidates.join(", ")),
            },
        }
    }

    #[track_caller]
    fn check(&self, call: (u64, &str, Option<&str>), expected: &str) {
        let (number, content, target) = call;
        let arguments =
            json!({"memory_id": number, "memory_content": content, "target_user": target});
        assert_eq!(self.update(arguments), expected, "{call:?}");
    }
}

#[test]
fn a_shared_memory_is_changed_by_its_number() {
    let world = World::new();
    world.check((1, "Meetings are on Mondays", None), "updated server:s1 Meetings are on Mondays");
    world.check((1, "", None), "deleted Meetings are on Fridays");
    world.check((1, " \n\t", None), "deleted Meetings are on Fridays");
    world.check((1, "x", Some("")), "updated server:s1 x");
}

#[test]
fn a_personal_memory_is_changed_by_number_and_name() {
    let world = World::new();
    world.check((2, "{user} likes coffee", Some("Ada")), "updated user:u1 {user} likes coffee");
    world.check((2, "", Some("ada")), "deleted {user} likes tea");
    world.check((2, "x", Some("  @ADA ")), "updated user:u1 x");
    world.check((3, "x", Some("Ada")), "updated user:u1 x");
    world.check((7, "x", Some("bobby")), "updated user:u2 x");
}

#[test]
fn a_number_that_is_not_the_calls_own_is_not_found() {
    let world = World::new();
    for (number, target) in [
        (8, Some("Ada")),
        (4, None),
        (5, None),
        (2, None),
        (1, Some("Ada")),
        (99, None),
        (7, Some("Ada")),
    ] {
        world.check((number, "x", target), "not_found");
        world.check((number, "", target), "not_found");
    }
}

#[test]
fn a_name_that_fits_several_or_no_person_changes_nothing() {
    let world = World::new();
    world.check((7, "x", Some("Bob")), "ambiguous_user Bob (@bobby), Bob (@bob2)");
    world.check((1, "x", Some("Zoe")), "user_not_found");
    world.check((1, "x", Some("Gus")), "user_not_found");
    for content in ["x", ""] {
        world.check((1, content, Some("Eve")), "invalid_scope");
        world.check((1, content, Some("@eve:example.org")), "invalid_scope");
    }
    let bot = json!([{"id": "b1", "label": "Tomo"}]);
    World::new().with("/participants", bot).check((1, "x", Some("Tomo")), "invalid_target");
    let fay = json!([{"id": "u7", "label": "Fay"}]);
    World::new().with("/participants", fay).check((1, "x", Some("Fay")), "invalid_scope");
}

#[test]
fn privacy_stops_an_update_and_no_deletion() {
    let world = World::new();
    world.check((6, "x", Some("Cy")), "privacy_restricted");
    world.check((6, "", Some("Cy")), "deleted six");
    world.check((9, "x", Some("Dee")), "privacy_restricted");
    world.check((9, "", Some("Dee")), "deleted nine");
    world.check((99, "x", Some("Cy")), "privacy_restricted");
}

#[test]
fn of_two_levels_the_stricter_holds_and_a_broken_one_is_the_strictest() {
    for level in [json!("full"), json!("maybe"), json!(7)] {
        let mut world = World::new().with("/users/u1", json!({"privacy": "minimal"}));
        world.directory.users.insert("u1".to_owned(), UserEntry::read(&json!({"privacy": level})));
        world.check((2, "x", Some("Ada")), "privacy_restricted");
    }
}

#[test]
fn in_a_private_conversation_only_the_caller_is_there() {
    let both = json!([{"id": "u1", "label": "Ada"}, {"id": "u2", "label": "Bob"}]);
    let world = World::new().with("/server/kind", json!("dm")).with("/participants", both);
    world.check((2, "x", Some("Ada")), "updated user:u1 x");
    world.check((7, "x", Some("Bob")), "invalid_scope");
}

#[test]
fn arguments_are_checked_in_the_order_of_the_rules() {
    let off = World::new().with("/flags/self_teaching", json!(false));
    off.check((1, "x", None), "disabled");
    off.check((0, "x", None), "disabled");
    assert_eq!(off.update(json!({"memory_id": "a", "memory_content": "x"})), "invalid_args");
    let world = World::new();
    for number in
        [json!(0), json!(-1), json!(1.5), json!(9_007_199_254_740_992_u64), json!("1"), json!(null)]
    {
        assert_eq!(
            world.update(json!({"memory_id": number, "memory_content": "x"})),
            "invalid_args"
        );
    }
    assert_eq!(world.update(json!({"memory_content": "x"})), "invalid_args");
    assert_eq!(
        world.update(json!({"memory_id": 1, "memory_content": "x", "caller": "u2"})),
        "invalid_args"
    );
    let without = World::new().with("/persona/lineage", json!(null));
    assert_eq!(without.update(json!({"memory_id": "a"})), "internal_error");
    let unsaid = World::new().with("/flags", json!({}));
    unsaid.check((1, "x", None), "disabled");
}

#[test]
fn a_content_is_sanitised_and_checked() {
    let world = World::new();
    world.check((1, "{obonya} met {user}", None), "updated server:s1 obonya met {user}");
    let long = "a".repeat(1_000);
    world.check((1, &long, None), &format!("updated server:s1 {long}"));
    world.check((1, &format!("{long}a"), None), "invalid_content");
    world.check((1, "a\u{200B}b", None), "invalid_content");
    let token = ["ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    world.check((1, &token, None), "invalid_content");
}

#[test]
fn an_owner_changes_their_own_and_what_they_taught() {
    let owner = |caller: &str| {
        World::new()
            .with("/actor", json!("owner"))
            .with("/caller", json!({"id": caller}))
            .with("/flags", json!({}))
    };
    owner("u1").check((2, "x", Some("Ada")), "updated user:u1 x");
    owner("u1").check((2, "x", None), "updated user:u1 x");
    owner("u4").check((6, "x", Some("Cy")), "updated user:u4 x");
    owner("u5").check((9, "x", Some("Dee")), "privacy_restricted");
    owner("u5").check((9, "x", None), "privacy_restricted");
    owner("u5").check((9, "", Some("Dee")), "deleted nine");
    owner("u5").check((9, "", None), "deleted nine");
    owner("u2").check((1, "x", None), "updated server:s1 x");
    owner("u1").check((1, "x", None), "not_found");
    owner("u1").check((7, "x", Some("bobby")), "not_found");
}

#[test]
fn a_manager_changes_what_the_server_shares_and_nothing_else() {
    let world = World::new().with("/actor", json!("manager")).with("/flags", json!({}));
    world.check((1, "x", None), "updated server:s1 x");
    world.check((2, "x", Some("Ada")), "not_found");
    world.check((4, "x", None), "not_found");
    let unknown = World::new().with("/actor", json!("admin"));
    assert_eq!(unknown.update(json!({"memory_id": 1, "memory_content": "x"})), "internal_error");
}

#[test]
fn where_only_owners_write_the_model_reaches_the_caller_alone() {
    let mut world = World::new();
    world.lets_model_write_of_others = false;
    world.check((7, "x", Some("bobby")), "privacy_restricted");
    world.check((7, "", Some("bobby")), "privacy_restricted");
    world.check((2, "x", Some("Ada")), "updated user:u1 x");
}

/// Returns whose memory is made and what it says, or the suffix of the status.
fn created(world: &World, target: Option<&str>, content: &str) -> String {
    let scanner = Scanner::new(Settings::default());
    let rules = VerdictRules { scanner: &scanner, lets_model_write_of_others: true };
    let context = CallContext::read(&world.context).expect("a context");
    let scope = if target.is_some() { "target_user" } else { "server_wide" };
    let given = json!({"memory_content": content, "memory_scope": scope, "target_user": target});
    let given: GivenArguments = serde_json::from_value(given).expect("JSON");
    let arguments = CreateArguments::read(&given).expect("arguments");
    match decide_create(&arguments, People::new(&context, &world.directory), rules) {
        Ok(new) => format!("{} {}", new.owner.generation_key(), new.content),
        Err(denial) => denial.status.to_string(),
    }
}

#[test]
fn what_is_said_of_the_bot_or_over_a_bridge_is_shared() {
    let world = World::new();
    assert_eq!(created(&world, Some("Eve"), "{user} sings"), "server:s1 Eve sings");
    let bot = World::new().with("/participants", json!([{"id": "b1", "label": "Tomo"}]));
    assert_eq!(created(&bot, Some("Tomo"), "{user} is kind"), "server:s1 Tomo is kind");
    assert_eq!(created(&world, Some("Ada"), "{user} sings"), "user:u1 {user} sings");
    assert_eq!(created(&world, None, "We sing"), "server:s1 We sing");
}

#[test]
fn a_creation_is_stopped_by_the_same_rules() {
    let world = World::new();
    for (target, content, expected) in [
        (None, " ", FailedStatus::InvalidContent),
        (Some("Bob"), "x", FailedStatus::AmbiguousUser),
        (Some("Zoe"), "x", FailedStatus::UserNotFound),
        (Some("Gus"), "x", FailedStatus::UserNotFound),
        (Some("Cy"), "x", FailedStatus::PrivacyRestricted),
    ] {
        assert_eq!(created(&world, target, content), expected.name());
    }
    let off = World::new().with("/flags", json!({}));
    assert_eq!(created(&off, None, "x"), "disabled");
}
