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
use crate::longterm::verdict::{check, settled};
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

fn read_line(
    line: &str,
    scanner: &Scanner,
    now: Timestamp,
) -> std::result::Result<MemoryRow, String> {
    let line: Value = serde_json::from_str(line).map_err(|error| format!("no JSON: {error}"))?;
    let wrong = |name: &str| format!("`{name}` is missing or wrong");
    let text = |name: &str| line[name].as_str().ok_or_else(|| wrong(name));
    let time = |name: &str| match &line[name] {
        Value::Null => Ok(now),
        time => time.as_str().and_then(Timestamp::parse).ok_or_else(|| wrong(name)),
    };
    let content = settled(text("content")?);
    if content.is_empty() {
        return Err(wrong("content"));
    }
    check(&content, scanner).map_err(|denial| denial.message)?;
    let owner = text("owner")?;
    if owner.trim().is_empty() {
        return Err(wrong("owner"));
    }
    let scope = MemoryScope::parse(text("scope")?).ok_or_else(|| wrong("scope"))?;
    let number = line["id"].as_number().and_then(MemoryNumber::of_json);
    let lineage = line["lineage"].as_u64().filter(|lineage| is_lineage_or_all(*lineage));
    Ok(MemoryRow {
        number: number.filter(|number| number.leaves_room()).ok_or_else(|| wrong("id"))?,
        owner: MemoryOwner::of(scope, owner.to_owned()),
        lineage: lineage.ok_or_else(|| wrong("lineage"))?,
        content,
        tags: read_tags(&line["tags"]).ok_or_else(|| wrong("tags"))?,
        taught_by: match &line["taught_by"] {
            Value::Null => None,
            _ => Some(text("taught_by")?.to_owned()),
        },
        created: time("created_at")?,
        updated: time("updated_at")?,
        revision: 1,
    })
}

/// Tells whether a number is that of a character, or 0 for all of them.
fn is_lineage_or_all(number: u64) -> bool {
    number == 0 || MemoryNumber::new(number).is_some()
}

fn read_tags(tags: &Value) -> Option<Vec<String>> {
    match tags {
        Value::Null => Some(Vec::new()),
        tags => tags.as_array()?.iter().map(|tag| tag.as_str().map(str::to_owned)).collect(),
    }
}
