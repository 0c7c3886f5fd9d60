//! Who is there and what holds for them: the call and the directory taken together.

use super::call_context::{CallContext, Member, ServerKind};
use super::directory::Directory;
use super::privacy::PrivacyLevel;

/// Who is there, and what holds for them.
#[derive(Debug, Clone, Copy)]
pub struct People<'a> {
    pub(crate) context: &'a CallContext,
    pub(crate) directory: &'a Directory,
}

impl<'a> People<'a> {
    /// Takes a call and the directory together.
    pub fn new(context: &'a CallContext, directory: &'a Directory) -> Self {
        Self { context, directory }
    }

    /// Tells whether the model may teach itself; a flag that is not named is off.
    pub(crate) fn allows_self_teaching(self) -> bool {
        let known = self.directory.server.self_teaching;
        self.context.self_teaching.or(known).unwrap_or(false)
    }

    /// Tells whether personal memories are used; a flag that is not named is off.
    pub(crate) fn uses_personal_memories(self) -> bool {
        let known = self.directory.server.personal_memories;
        self.context.personal_memories.or(known).unwrap_or(false)
    }

    /// Tells whether the call or the directory knows a person.
    pub(crate) fn knows(self, id: &str) -> bool {
        self.context.users.contains_key(id) || self.directory.users.contains_key(id)
    }

    /// Returns the stricter of the levels that call and directory say; the least strict where neither says one.
    pub(crate) fn privacy(self, id: &str) -> PrivacyLevel {
        let said = self.context.users.get(id).and_then(|user| user.privacy);
        let known = self.directory.users.get(id).and_then(|user| user.privacy);
        said.max(known).unwrap_or(PrivacyLevel::Minimal)
    }

    pub(crate) fn is_blacklisted(self, id: &str) -> bool {
        let said = self.context.users.get(id).is_some_and(|user| user.is_blacklisted);
        let listed = self.directory.server.blacklist.as_ref();
        said || listed.is_none_or(|listed| listed.iter().any(|excluded| excluded == id))
    }

    /// Tells whether a person speaks through a bridge.
    pub(crate) fn is_bridge(self, id: &str) -> bool {
        let participants = self.context.participants.iter();
        participants.filter(|each| each.id == id).any(|each| each.is_bridge)
            || self.context.users.get(id).is_some_and(|user| user.is_bridge)
            || self.directory.users.get(id).is_some_and(|user| user.is_bridge)
            || has_bridge_form(id)
    }

    /// Tells whether a person is there: a member of the server, or the one of a private conversation.
    pub(crate) fn is_there(self, id: &str) -> bool {
        let is_member = || match &self.context.members {
            Some(members) => members.iter().any(|member| member.id == id),
            None => self.directory.server.members.iter().any(|member| member == id),
        };
        id == self.context.caller || self.context.kind == ServerKind::Guild && is_member()
    }

    /// Returns the members of the server, with the names that the call and the directory have.
    pub(crate) fn members(self) -> Vec<Member> {
        let lineage = self.context.lineage.to_string();
        let listed = self.context.members.clone().unwrap_or_else(|| {
            let member = |id: &String| Member { id: id.clone(), ..Member::default() };
            self.directory.server.members.iter().map(member).collect()
        });
        let with_names = |mut member: Member| {
            let known = self.directory.users.get(&member.id);
            let saved = known.and_then(|user| user.saved_names.get(&lineage));
            member.saved_names.extend(saved.into_iter().flatten().cloned());
            member
        };
        listed.into_iter().map(with_names).collect()
    }

    /// Returns the name of a person as people see it, with the account where it is known.
    pub(crate) fn label(self, id: &str) -> String {
        let members = self.context.members.iter().flatten();
        let member = members.into_iter().find(|member| member.id == id);
        let display = self.name(id);
        match member.and_then(|member| member.username.as_ref()) {
            Some(username) => format!("{display} (@{username})"),
            None => display,
        }
    }

    /// Returns the name of a person in the conversation.
    pub(crate) fn name(self, id: &str) -> String {
        let participant = self.context.participants.iter().find(|each| each.id == id);
        let members = self.context.members.iter().flatten();
        let member = members.into_iter().find(|member| member.id == id);
        let shown = member.and_then(|member| member.display_name.clone());
        let bot = self.context.persona_name.clone().filter(|_| id == self.context.bot);
        let known = self.directory.users.get(id).and_then(|user| user.names.first().cloned());
        let label = participant.map(|each| each.label.clone());
        label.or(shown).or(bot).or(known).unwrap_or_else(|| id.to_owned())
    }
}

/// Tells whether an id is one of a bridge: `@local:host`.
pub(crate) fn has_bridge_form(id: &str) -> bool {
    let parts = id.strip_prefix('@').and_then(|rest| rest.split_once(':'));
    parts.is_some_and(|(local, host)| !local.is_empty() && !host.is_empty())
}
