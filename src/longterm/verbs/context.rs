//! What a prompt may have of the memories of a conversation.

use std::collections::BTreeMap;

use super::facts::facts_of;
use super::session::LongtermSession;
use crate::error::Result;
use crate::longterm::placeholders::filled;
use crate::longterm::request::{
    CallContext, MemoryOwner, MemoryRow, People, PersonMemories, PrivacyLevel, PromptMemories,
    PromptMemory, ServerKind,
};
use crate::longterm::sqlite::LongtermView;

/// Whether placeholders are filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptForm {
    /// They stay, for a host that fills them.
    Stored,
    /// They are filled with the names of the conversation.
    Rendered,
}

/// Returns what the server shares, and what is remembered of each participant who lets it be read.
pub fn context(
    session: &LongtermSession,
    context: &CallContext,
    form: PromptForm,
) -> Result<PromptMemories> {
    session.read(|view| {
        let directory = facts_of(view, context)?;
        let prompt = Prompt { people: People::new(context, &directory), form };
        let server = MemoryOwner::Server(context.server.clone());
        let mut generations = BTreeMap::new();
        let shared = view.memories_of(&server, context.lineage)?;
        note_generation(view, &server, &mut generations)?;
        let shared: Vec<PromptMemory> =
            shared.into_iter().map(|row| prompt.memory(row, None)).collect();
        let mut people: Vec<PersonMemories> = Vec::new();
        for participant in &context.participants {
            let id = &participant.id;
            let is_new = people.iter().all(|known| known.user != *id);
            let person = MemoryOwner::Person(id.clone());
            // Of one who may not be read too: they may let it later, which raises it.
            note_generation(view, &person, &mut generations)?;
            if is_new && may_be_read(prompt.people, id) {
                people.push(prompt.person(view, &person)?);
            }
        }
        let all = shared.iter().chain(people.iter().flat_map(|person| &person.memories));
        let text = all.map(line).collect();
        Ok(PromptMemories { text, shared, people, generations })
    })
}

/// Tells whether a prompt may have what is remembered of a person. One who is not known did not say yes, and in a private
/// conversation there is the caller alone, whatever the host says.
fn may_be_read(people: People<'_>, id: &str) -> bool {
    let is_others = people.context.kind == ServerKind::Dm && id != people.context.caller;
    people.uses_personal_memories()
        && !is_others
        && people.knows(id)
        && people.privacy(id) == PrivacyLevel::Minimal
        && !people.is_blacklisted(id)
        && !people.is_bridge(id)
}

struct Prompt<'a> {
    people: People<'a>,
    form: PromptForm,
}

impl Prompt<'_> {
    /// Reads what is remembered of a person for this character and for all, the newest first.
    fn person(&self, view: &LongtermView<'_>, person: &MemoryOwner) -> Result<PersonMemories> {
        let mut rows = view.memories_of(person, self.people.context.lineage)?;
        rows.extend(view.memories_of(person, 0)?);
        rows.sort_by_key(|row| std::cmp::Reverse(row.number));
        let label = self.people.name(person.id());
        let memories = rows.into_iter().map(|row| self.memory(row, Some(&label))).collect();
        Ok(PersonMemories { user: person.id().to_owned(), label, memories })
    }

    fn memory(&self, row: MemoryRow, user: Option<&str>) -> PromptMemory {
        let bot = self.people.name(&self.people.context.bot);
        let content = match self.form {
            PromptForm::Stored => row.content,
            PromptForm::Rendered => filled(&row.content, user, &bot),
        };
        PromptMemory { id: row.number, content }
    }
}

fn note_generation(
    view: &LongtermView<'_>,
    owner: &MemoryOwner,
    generations: &mut BTreeMap<String, u64>,
) -> Result<()> {
    let key = owner.generation_key();
    let generation = view.generation(&key)?;
    generations.insert(key, generation);
    Ok(())
}

/// Writes a memory as a line; further lines of its text are indented, so that none of them looks like another memory.
fn line(memory: &PromptMemory) -> String {
    let content = memory.content.replace("\r\n", "\n").replace('\n', "\n  ");
    format!("ID:{} {content}\n", memory.id)
}
