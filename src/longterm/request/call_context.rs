//! The context of a call, which comes from the host.

use std::collections::BTreeMap;

use serde_json::Value;

use super::json::{flag, id, restricts, text, texts};
use super::memory_number::MemoryNumber;
use super::privacy::PrivacyLevel;
use crate::contract::words;

words! {
    /// What kind of place a conversation is in.
    ServerKind {
        /// A server with members.
        Guild = "guild",
        /// A conversation of one person with the bot.
        Dm = "dm",
    }
}

words! {
    /// For whom the host calls.
    Actor {
        /// The model, in a conversation.
        Model = "model",
        /// The person, about their own memories.
        Owner = "owner",
        /// A manager of the server, about shared memories.
        Manager = "manager",
    }
}

/// Participants of a conversation at most.
const PARTICIPANTS: usize = 1_000;

/// What the host says of a call. Everything but names may stop it, so what cannot be read is never taken for a permission.
#[derive(Debug, Clone, PartialEq)]
pub struct CallContext {
    /// Where the conversation is.
    pub server: String,
    /// What kind of place that is.
    pub kind: ServerKind,
    /// Who caused the call.
    pub caller: String,
    /// The bot's own id.
    pub bot: String,
    /// The id of the character that the bot plays.
    pub persona: String,
    /// The name of the character.
    pub persona_name: Option<String>,
    /// Which character the memories are for; above 0.
    pub lineage: u64,
    /// Whether the model may teach itself, if the host says so.
    pub self_teaching: Option<bool>,
    /// Whether personal memories are used, if the host says so.
    pub personal_memories: Option<bool>,
    /// Those who took part in the conversation.
    pub participants: Vec<Participant>,
    /// The members of the server, if the host names them.
    pub members: Option<Vec<Member>>,
    /// What the host says of people, by id.
    pub users: BTreeMap<String, SaidUser>,
    /// For whom it calls.
    pub actor: Actor,
}

/// One who took part in the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// Their id.
    pub id: String,
    /// The name that the model sees.
    pub label: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// Whether they speak through a bridge.
    pub is_bridge: bool,
}

/// A member of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Member {
    /// Their id.
    pub id: String,
    /// The name in this server.
    pub display_name: Option<String>,
    /// Names that the character uses for them.
    pub saved_names: Vec<String>,
    /// The name in all servers.
    pub global_name: Option<String>,
    /// The account.
    pub username: Option<String>,
    /// Whether it is a bot.
    pub is_bot: bool,
}

/// What the host says of a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SaidUser {
    /// How much they let the bot remember, if the host says so.
    pub privacy: Option<PrivacyLevel>,
    /// Whether the server excludes them.
    pub is_blacklisted: bool,
    /// Whether they speak through a bridge.
    pub is_bridge: bool,
}

impl CallContext {
    /// Reads a context; names what is missing, if something is without which no rule can be asked.
    pub fn read(value: &Value) -> Result<Self, &'static str> {
        check_object(value, "flags")?;
        check_object(value, "users")?;
        let server = &value["server"];
        let lineage = value["persona"]["lineage"].as_u64().filter(|lineage| is_lineage(*lineage));
        let actor = match &value["actor"] {
            Value::Null => Actor::Model,
            actor => actor.as_str().and_then(Actor::parse).ok_or("actor")?,
        };
        Ok(Self {
            server: id(&server["id"]).ok_or("server.id")?,
            kind: server["kind"].as_str().and_then(ServerKind::parse).ok_or("server.kind")?,
            caller: id(&value["caller"]["id"]).ok_or("caller.id")?,
            bot: id(&value["bot"]["id"]).ok_or("bot.id")?,
            persona: id(&value["persona"]["id"]).ok_or("persona.id")?,
            persona_name: text(&value["persona"]["name"]),
            lineage: lineage.ok_or("persona.lineage")?,
            self_teaching: flag(&value["flags"]["self_teaching"]),
            personal_memories: flag(&value["flags"]["personal_memories"]),
            participants: participants(value)?,
            members: list(value, "members", Member::read)?,
            users: users(&value["users"]),
            actor,
        })
    }
}

/// Refuses a part that is there and no object: as an absent one it could permit something.
fn check_object(context: &Value, name: &'static str) -> Result<(), &'static str> {
    let part = &context[name];
    if part.is_null() || part.is_object() { Ok(()) } else { Err(name) }
}

/// Tells whether a number is that of a character: a safe integer above 0.
fn is_lineage(number: u64) -> bool {
    MemoryNumber::new(number).is_some()
}

impl SaidUser {
    /// Reads what is said of a person; what cannot be read counts as the strictest.
    fn read(value: &Value) -> Self {
        if !value.is_object() {
            let privacy = Some(PrivacyLevel::Full);
            return Self { privacy, is_blacklisted: true, is_bridge: false };
        }
        Self {
            privacy: PrivacyLevel::read(value.get("privacy")),
            is_blacklisted: restricts(&value["blacklisted"]),
            is_bridge: restricts(&value["bridge"]),
        }
    }
}

impl Participant {
    fn read(value: &Value) -> Option<Self> {
        let id = id(&value["id"])?;
        Some(Self {
            label: text(&value["label"]).unwrap_or_else(|| id.clone()),
            aliases: texts(&value["aliases"]),
            is_bridge: restricts(&value["bridge"]),
            id,
        })
    }
}

impl Member {
    fn read(value: &Value) -> Option<Self> {
        Some(Self {
            id: id(&value["id"])?,
            display_name: text(&value["display_name"]),
            saved_names: texts(&value["saved_names"]),
            global_name: text(&value["global_name"]),
            username: text(&value["username"]),
            is_bot: restricts(&value["bot"]),
        })
    }
}

/// Reads those who took part; so many that no conversation has them are refused, as all would wait for the call.
fn participants(context: &Value) -> Result<Vec<Participant>, &'static str> {
    let all = list(context, "participants", Participant::read)?.unwrap_or_default();
    if all.len() <= PARTICIPANTS { Ok(all) } else { Err("participants") }
}

/// Reads a list of people, if there is one. It is refused whole where one of them cannot be read: without them a name could
/// mean another person.
fn list<T>(
    context: &Value,
    name: &'static str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Option<Vec<T>>, &'static str> {
    match &context[name] {
        Value::Null => Ok(None),
        Value::Array(people) => {
            people.iter().map(read).collect::<Option<_>>().map(Some).ok_or(name)
        }
        _ => Err(name),
    }
}

fn users(value: &Value) -> BTreeMap<String, SaidUser> {
    let read = |(id, value): (&String, &Value)| (id.clone(), SaidUser::read(value));
    value.as_object().into_iter().flatten().map(read).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn whole() -> Value {
        json!({
            "server": {"id": "s1", "kind": "guild"}, "caller": {"id": "u1"}, "bot": {"id": "b1"},
            "persona": {"id": "p1", "lineage": 1}, "flags": {}, "users": {}, "members": [], "participants": [],
        })
    }

    #[test]
    fn a_context_without_what_rules_need_is_none() {
        assert!(CallContext::read(&whole()).is_ok());
        for (path, broken) in [
            ("/server/id", json!("")),
            ("/server/kind", json!("forum")),
            ("/caller", json!(null)),
            ("/bot/id", json!(5.5)),
            ("/persona/id", json!(null)),
            ("/persona/lineage", json!(0)),
            ("/persona/lineage", json!("1")),
            ("/flags", json!("off")),
            ("/users", json!([])),
            ("/members", json!({})),
            ("/participants", json!("Ada")),
            ("/participants", json!([{"id": 9_007_199_254_740_993_u64, "bridge": true}])),
            ("/members", json!(["u1"])),
            ("/persona/lineage", json!(9_007_199_254_740_992_u64)),
        ] {
            let mut context = whole();
            *context.pointer_mut(path).expect("it is there") = broken;
            let missing = CallContext::read(&context).expect_err(path);
            let told = path.replace('/', ".");
            assert!(told[1..].starts_with(missing) || missing.starts_with(&told[1..]), "{path}");
        }
        assert_eq!(CallContext::read(&json!(null)), Err("server.id"));
    }

    #[test]
    fn what_cannot_be_read_is_no_permission() {
        let mut context = whole();
        context["flags"] = json!({"self_teaching": "yes"});
        context["users"] = json!({
            "u1": {"privacy": 0, "blacklisted": "no"}, "u2": null, "u3": "minimal", "u4": {"bridge": "no"},
        });
        let read = CallContext::read(&context).expect("it is read");
        assert_eq!((read.self_teaching, read.personal_memories), (Some(false), None));
        let user = &read.users["u1"];
        assert_eq!((user.privacy, user.is_blacklisted), (Some(PrivacyLevel::Full), true));
        for id in ["u2", "u3"] {
            let user = &read.users[id];
            assert_eq!((user.privacy, user.is_blacklisted), (Some(PrivacyLevel::Full), true));
        }
        assert!(read.users["u4"].is_bridge);
        assert_eq!(read.members, Some(Vec::new()));
    }
}
