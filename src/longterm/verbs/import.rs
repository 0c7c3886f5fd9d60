//! Reads memories from JSON Lines, as an export writes them.

use serde_json::Value;

use super::limit::no_room;
use super::session::LongtermSession;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::longterm::request::{
    DirectoryKind, LongtermImport, MemoryEvent, MemoryNumber, MemoryOwner, MemoryRow, MemoryScope,
    RefusedLine, UserEntry,
};
use crate::longterm::sqlite::{ChangeNote, LongtermView};
use crate::longterm::verdict::content_to_store;
use crate::secrets::Scanner;

/// Adds the memories of all lines that are right; numbers and lineages are kept.
pub fn import(session: &LongtermSession, text: &str) -> Result<LongtermImport> {
    let (mut rows, mut refused) = (Vec::new(), Vec::new());
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (at, line) in lines {
        match read_line(line, session.scanner(), session.now) {
            Ok(row) => rows.push((at + 1, row)),
            Err(reason) => refused.push(RefusedLine { line: at + 1, reason }),
        }
    }
    let (operator, now) = (session.operator.clone(), session.now);
    session.write(move |view| {
        let mut imported = 0;
        for (line, row) in rows {
            if let Some(reason) = refusal(view, &row)? {
                refused.push(RefusedLine { line, reason });
                continue;
            }
            add(view, &row, &operator, now)?;
            imported += 1;
        }
        refused.sort_by_key(|refused| refused.line);
        Ok(LongtermImport { imported, refused })
    })
}

/// Says why a memory cannot be added; nothing where it can.
fn refusal(view: &LongtermView<'_>, row: &MemoryRow) -> Result<Option<String>> {
    if view.is_used(row.number)? {
        return Ok(Some(format!("the number {} is in use", row.number)));
    }
    if let MemoryOwner::Person(id) = &row.owner
        && view.entry(DirectoryKind::User, id)?.is_some_and(|it| UserEntry::is_forgotten(&it))
    {
        let reason = "the person was forgotten; `ltm directory remove` lets them be remembered";
        return Ok(Some(reason.to_owned()));
    }
    Ok(no_room(view.count_of(&row.owner, row.lineage)?))
}

fn add(view: &LongtermView<'_>, row: &MemoryRow, operator: &str, now: Timestamp) -> Result<()> {
    view.use_up_number(row.number)?;
    view.insert(row)?;
    view.note(&ChangeNote {
        event: MemoryEvent::Saved.name(),
        id: row.number.to_string(),
        actor: operator,
        now,
        keys: vec![row.owner.generation_key()],
        before: None,
        after: Some(&row.content),
    })?;
    Ok(())
}

/// A part of a line, or why the line is refused.
type Part<T> = std::result::Result<T, String>;

fn read_line(line: &str, scanner: &Scanner, now: Timestamp) -> Part<MemoryRow> {
    let line: Value = serde_json::from_str(line).map_err(|error| format!("no JSON: {error}"))?;
    let time = |name: &str| match &line[name] {
        Value::Null => Ok(now),
        time => time.as_str().and_then(Timestamp::parse).ok_or_else(|| wrong(name)),
    };
    let content = content_to_store(text(&line, "content")?, scanner);
    let content = content.map_err(|denial| denial.message)?;
    let owner = read_owner(&line)?;
    let lineage = line["lineage"].as_u64().filter(|lineage| is_lineage_of(&owner, *lineage));
    Ok(MemoryRow {
        number: read_number(&line)?,
        owner,
        lineage: lineage.ok_or_else(|| wrong("lineage"))?,
        content,
        tags: read_tags(&line["tags"]).ok_or_else(|| wrong("tags"))?,
        taught_by: match &line["taught_by"] {
            Value::Null => None,
            _ => Some(text(&line, "taught_by")?.to_owned()),
        },
        created: time("created_at")?,
        updated: time("updated_at")?,
        revision: 1,
    })
}

fn wrong(name: &str) -> String {
    format!("`{name}` is missing or wrong")
}

fn text<'l>(line: &'l Value, name: &str) -> Part<&'l str> {
    line[name].as_str().filter(|text| !text.trim().is_empty()).ok_or_else(|| wrong(name))
}

fn read_owner(line: &Value) -> Part<MemoryOwner> {
    let scope = MemoryScope::parse(text(line, "scope")?).ok_or_else(|| wrong("scope"))?;
    Ok(MemoryOwner::of(scope, text(line, "owner")?.to_owned()))
}

fn read_number(line: &Value) -> Part<MemoryNumber> {
    let number =
        line["id"].as_number().and_then(MemoryNumber::of_json).ok_or_else(|| wrong("id"))?;
    let too_large = || "`id` is larger than an import may bring".to_owned();
    number.leaves_room().then_some(number).ok_or_else(too_large)
}

/// Tells whether a number is that of a character, or of what is true of a person for all of them.
fn is_lineage_of(owner: &MemoryOwner, number: u64) -> bool {
    let is_for_all = number == 0 && owner.scope() == MemoryScope::TargetUser;
    is_for_all || MemoryNumber::new(number).is_some()
}

fn read_tags(tags: &Value) -> Option<Vec<String>> {
    match tags {
        Value::Null => Some(Vec::new()),
        tags => tags.as_array()?.iter().map(|tag| tag.as_str().map(str::to_owned)).collect(),
    }
}
