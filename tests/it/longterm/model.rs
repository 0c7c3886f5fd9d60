//! A small model of who may change and read what, written from the contract alone.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// A memory of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) is_shared: bool,
    pub(super) owner: String,
    pub(super) lineage: u64,
    pub(super) content: String,
    pub(super) taught_by: Option<String>,
}

/// What a call may do: to which number, and what it has then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Allowed {
    pub(super) number: u64,
    pub(super) row: Option<Row>,
}

/// All that is remembered and known.
pub(super) struct Model {
    pub(super) rows: BTreeMap<u64, Row>,
    pub(super) directory: Value,
    pub(super) last: u64,
}

/// A call, and what is known of it.
struct Facts<'a> {
    context: &'a Value,
    directory: &'a Value,
}

impl Model {
    /// Returns what an update may do; nothing where it is denied.
    pub(super) fn update(&self, context: &Value, arguments: &Value) -> Option<Allowed> {
        let facts = Facts { context, directory: &self.directory };
        let (server, caller) = (facts.server(), facts.caller());
        let actor = context["actor"].as_str().unwrap_or("model");
        if actor == "model" && !facts.flag("self_teaching") {
            return None;
        }
        let number = arguments["memory_id"].as_u64().filter(|number| *number > 0)?;
        let content = stored(arguments["memory_content"].as_str()?)?;
        let row = self.rows.get(&number)?;
        let is_here = row.is_shared && row.owner == server && row.lineage == facts.lineage();
        let is_of = |person: &str| {
            !row.is_shared
                && row.owner == person
                && (row.lineage == facts.lineage() || row.lineage == 0)
        };
        let target = arguments["target_user"].as_str().filter(|name| !name.trim().is_empty());
        let is_allowed = match (target, actor) {
            (None, "owner") => {
                let has_own =
                    facts.knows(caller) && !facts.is_bridge(caller) && caller != facts.bot();
                (is_of(caller) && (content.is_empty() || has_own && facts.privacy(caller) <= 1))
                    || (is_here && row.taught_by.as_deref() == Some(caller))
            }
            (None, _) => is_here,
            (Some(_), "manager") => false,
            (Some(name), _) => {
                let person = facts.whom(name)?;
                let strictest = if actor == "owner" { 1 } else { 0 };
                is_of(&person)
                    && !facts.is_bridge(&person)
                    && person != facts.bot()
                    && facts.knows(&person)
                    && facts.is_there(&person)
                    && (actor == "model" || person == caller)
                    && (content.is_empty() || facts.privacy(&person) <= strictest)
            }
        };
        let changed = Row { content: content.clone(), ..row.clone() };
        let row = Some(changed).filter(|_| !content.is_empty());
        is_allowed.then_some(Allowed { number, row })
    }

    /// Returns what a creation may do; nothing where it is denied.
    pub(super) fn create(&self, context: &Value, arguments: &Value) -> Option<Allowed> {
        let facts = Facts { context, directory: &self.directory };
        let actor = context["actor"].as_str().unwrap_or("model");
        if actor == "model" && !facts.flag("self_teaching") {
            return None;
        }
        let content = stored(arguments["memory_content"].as_str()?)?;
        let mut row = Row {
            is_shared: true,
            owner: facts.server().to_owned(),
            lineage: facts.lineage(),
            content,
            taught_by: Some(facts.caller().to_owned()),
        };
        let mut is_own = false;
        if arguments["memory_scope"] == "target_user" {
            let name = arguments["target_user"].as_str().filter(|name| !name.trim().is_empty())?;
            let person = facts.whom(name)?;
            if person != facts.bot() && !facts.is_bridge(&person) {
                let strictest = if actor == "owner" { 1 } else { 0 };
                let may = facts.knows(&person)
                    && facts.is_there(&person)
                    && (actor == "model" || (actor == "owner" && person == facts.caller()))
                    && facts.privacy(&person) <= strictest;
                if !may {
                    return None;
                }
                is_own = person == facts.caller();
                (row.is_shared, row.owner) = (false, person);
            }
        }
        // A person adds what is remembered of them alone, and nothing to what a server shares.
        if row.content.is_empty() || (actor == "owner" && !is_own) {
            return None;
        }
        let is_same = |other: &Row| {
            let key = |row: &Row| {
                (row.is_shared, row.owner.clone(), row.lineage, row.content.to_lowercase())
            };
            key(other) == key(&row)
        };
        // The newest of several is told.
        let known = self.rows.iter().rev().find(|(_, other)| is_same(other));
        Some(match known {
            Some((number, known)) => Allowed { number: *number, row: Some(known.clone()) },
            None => Allowed { number: self.last + 1, row: Some(row) },
        })
    }

    /// Returns the numbers that a prompt may have.
    pub(super) fn readable(&self, context: &Value) -> BTreeSet<u64> {
        let facts = Facts { context, directory: &self.directory };
        let may_read = |row: &Row| {
            if row.is_shared {
                return row.owner == facts.server() && row.lineage == facts.lineage();
            }
            let person = row.owner.as_str();
            facts.participants().any(|each| each["id"] == person)
                && (row.lineage == facts.lineage() || row.lineage == 0)
                && facts.flag("personal_memories")
                && facts.knows(person)
                && facts.privacy(person) == 0
                && !facts.is_blacklisted(person)
                && !facts.is_bridge(person)
                && (context["server"]["kind"] == "guild" || person == facts.caller())
        };
        self.rows.iter().filter(|(_, row)| may_read(row)).map(|(number, _)| *number).collect()
    }

    /// Carries out what is allowed.
    pub(super) fn carry_out(&mut self, allowed: Allowed) {
        self.last = self.last.max(allowed.number);
        match allowed.row {
            Some(row) => drop(self.rows.insert(allowed.number, row)),
            None => drop(self.rows.remove(&allowed.number)),
        }
    }
}

/// Returns a content as it is stored; nothing if it is too long.
fn stored(content: &str) -> Option<String> {
    let content = content.trim().replace("{obonya}", "obonya");
    Some(content).filter(|content| content.chars().count() <= 1_000)
}

impl Facts<'_> {
    fn server(&self) -> &str {
        self.context["server"]["id"].as_str().unwrap()
    }

    fn caller(&self) -> &str {
        self.context["caller"]["id"].as_str().unwrap()
    }

    fn bot(&self) -> &str {
        self.context["bot"]["id"].as_str().unwrap()
    }

    fn lineage(&self) -> u64 {
        self.context["persona"]["lineage"].as_u64().unwrap()
    }

    fn flag(&self, name: &str) -> bool {
        let known = &self.directory["servers"][self.server()]["flags"][name];
        match &self.context["flags"][name] {
            Value::Null => known == true,
            said => said == true,
        }
    }

    fn participants(&self) -> impl Iterator<Item = &Value> {
        self.context["participants"].as_array().into_iter().flatten()
    }

    /// Returns the members, as the call or else the directory has them.
    fn members(&self) -> Vec<Value> {
        let known = || {
            let ids = self.directory["servers"][self.server()]["members"].as_array();
            ids.into_iter().flatten().map(|id| serde_json::json!({"id": id})).collect()
        };
        self.context["members"].as_array().cloned().unwrap_or_else(known)
    }

    fn knows(&self, person: &str) -> bool {
        [self.context, self.directory].iter().any(|place| place["users"].get(person).is_some())
    }

    fn privacy(&self, person: &str) -> u8 {
        let level = |place: &Value| match &place["users"][person]["privacy"] {
            Value::Null => 0,
            level if level == "minimal" => 0,
            level if level == "partial" => 1,
            _ => 2,
        };
        level(self.context).max(level(self.directory))
    }

    fn is_blacklisted(&self, person: &str) -> bool {
        let said = &self.context["users"][person]["blacklisted"];
        let list = self.directory["servers"][self.server()]["blacklist"].as_array();
        (!said.is_null() && said != false)
            || list.into_iter().flatten().any(|listed| listed == person)
    }

    fn is_bridge(&self, person: &str) -> bool {
        person.starts_with('@')
            || self.participants().any(|each| each["id"] == person && each["bridge"] == true)
            || self.context["users"][person]["bridge"] == true
            || self.directory["users"][person]["bridge"] == true
    }

    fn is_there(&self, person: &str) -> bool {
        let is_member = self.members().iter().any(|member| member["id"] == person);
        person == self.caller() || (self.context["server"]["kind"] == "guild" && is_member)
    }

    /// Finds the one person whom a name means.
    fn whom(&self, name: &str) -> Option<String> {
        let given = name.trim();
        let is_given = |each: &&Value| each["id"] == given && self.is_bridge(given);
        if self.participants().any(|each| is_given(&each)) {
            return Some(given.to_owned());
        }
        let name = folded(given);
        let people: Vec<Value> =
            self.members().into_iter().filter(|member| member["bot"] != true).collect();
        let lineage = self.lineage().to_string();
        if name.len() == 18 && name.chars().all(|c| c.is_ascii_digit()) {
            let all = people.iter().chain(self.participants());
            return all.map(id_of).find(|id| *id == name);
        }
        let has = |list: &Value| list.as_array().into_iter().flatten().any(|it| is(it, &name));
        let labels: BTreeSet<String> =
            self.participants().filter(|each| is(&each["label"], &name)).map(id_of).collect();
        let named: BTreeSet<String> = self
            .participants()
            .filter(|each| is(&each["label"], &name) || has(&each["aliases"]))
            .map(id_of)
            .collect();
        if !named.is_empty() {
            return one(if labels.len() == 1 { labels } else { named });
        }
        if self.context["server"]["kind"] != "guild" {
            return None;
        }
        let known = |member: &Value| self.directory["users"][id_of(member)].clone();
        let saved =
            |it: &Value| has(&it["saved_names"]) || has(&known(it)["saved_names"][&lineage]);
        let stages: [&dyn Fn(&Value) -> bool; 5] = [
            &|it| is(&it["display_name"], &name),
            &saved,
            &|it| has(&known(it)["names"]),
            &|it| is(&it["global_name"], &name),
            &|it| is(&it["username"], &name),
        ];
        for stage in stages {
            let hits: BTreeSet<String> = people.iter().filter(|it| stage(it)).map(id_of).collect();
            if !hits.is_empty() {
                return one(hits);
            }
        }
        None
    }
}

fn id_of(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}

fn one(ids: BTreeSet<String>) -> Option<String> {
    if ids.len() == 1 { ids.into_iter().next() } else { None }
}

fn is(value: &Value, name: &str) -> bool {
    value.as_str().is_some_and(|value| folded(value) == name)
}

fn folded(name: &str) -> String {
    name.trim().strip_prefix('@').unwrap_or(name.trim()).trim().to_lowercase()
}
