//! Reads memories from JSON Lines, as an export writes them.

use serde_json::Value;

use super::limit::no_room;
use super::session::LongtermSession;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::longterm::request::{
    LongtermImport, MemoryEvent, MemoryNumber, MemoryOwner, MemoryRow, MemoryScope, RefusedLine,
};
use crate::longterm::sqlite::{ChangeNote, LongtermView};
use crate::secrets::Scanner;
use crate::text::find_hidden;

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
    match view.is_used(row.number)? {
        true => Ok(Some(format!("the number {} is in use", row.number))),
        false => no_room(view, &row.owner, row.lineage),
    }
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
    let text = |name: &str| line[name].as_str().map(str::to_owned);
    let missing = |name: &str| format!("`{name}` is missing or wrong");
    let time = |name: &str| match text(name) {
        None => Ok(now),
        Some(time) => Timestamp::parse(&time).ok_or_else(|| missing(name)),
    };
    let content = text("content").filter(|content| !content.trim().is_empty());
    let content = content.ok_or_else(|| missing("content"))?;
    if find_hidden(&content).is_some() {
        return Err("the content has hidden characters".to_owned());
    }
    if let Some(found) = scanner.scan(&content).first() {
        return Err(format!("the content has what looks like a secret (`{}`)", found.rule));
    }
    let owner = text("owner").filter(|owner| !owner.is_empty()).ok_or_else(|| missing("owner"))?;
    let scope = text("scope").as_deref().and_then(MemoryScope::parse);
    let scope = scope.ok_or_else(|| missing("scope"))?;
    let number = line["id"].as_number().and_then(MemoryNumber::of_json);
    let tags = line["tags"].as_array().into_iter().flatten().filter_map(Value::as_str);
    Ok(MemoryRow {
        number: number.ok_or_else(|| missing("id"))?,
        owner: MemoryOwner::of(scope, owner),
        lineage: line["lineage"].as_u64().ok_or_else(|| missing("lineage"))?,
        content,
        tags: tags.map(str::to_owned).collect(),
        taught_by: text("taught_by"),
        created: time("created_at")?,
        updated: time("updated_at")?,
        revision: 1,
    })
}
