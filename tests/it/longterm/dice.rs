//! Random worlds: people, what is known of them, and calls.

use serde_json::{Value, json};

use super::model::Row;

const PEOPLE: [&str; 6] = ["u1", "u2", "u3", "u4", "123456789012345678", "@eve:example.org"];
const NAMES: [&str; 6] = ["Ada", "Bob", "Cy", "Dee", "Tomo", "Eve"];

/// Random numbers that a seed determines (SplitMix64).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % below
    }

    pub(super) fn one_in(&mut self, of: u64) -> bool {
        self.roll(of) == 0
    }

    pub(super) fn of<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
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

    pub(super) fn directory(&mut self) -> Value {
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

    pub(super) fn context(&mut self) -> Value {
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

    pub(super) fn row(&mut self, number: u64) -> Row {
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

    pub(super) fn content(&mut self, mark: usize) -> String {
        match self.roll(8) {
            0 => String::new(),
            1 => " \n".to_owned(),
            2 => format!("{{obonya}} new-{mark}"),
            3 => "x".repeat(1_001),
            4 => "fact-1-of-s1".to_owned(),
            _ => format!(" new-{mark} "),
        }
    }

    pub(super) fn target(&mut self) -> Value {
        match self.roll(6) {
            0 | 1 => json!(null),
            2 => json!(self.of(&[" ", "@eve:example.org", "123456789012345678", "u1"])),
            _ => json!(self.of(&[" @ada", "BOB", "Cy", "Dee", "Tomo", "eve", "Zoe"])),
        }
    }
}
