//! Memories, their history and their trash, as a person reads them.

use super::print::table;
use crate::cli::output::{FAINT, GOOD, Output, TITLE};
use crate::secrets::shown_name;
use crate::service::request::{
    History, HistoryEntry, MemoryDocument, RestoreAnswer, ServiceStats, TagList, Trash,
    TrashedMemory, UndoAnswer, Updated,
};
use crate::text::{one_line, visible_lines};

pub(super) fn memory(memory: &MemoryDocument, output: Output) {
    let MemoryDocument { id, kind, importance, timestamp, .. } = memory;
    let kind = shown_name(kind);
    let mut text = format!("{TITLE}{id}{TITLE:#}  {kind}  {FAINT}{timestamp}{FAINT:#}\n\n");
    text += &format!("{}\n\n", visible_lines(memory.content.trim_end()));
    let mut item = |name: &str, value: String| {
        text += &format!("{FAINT}{name:<11}{FAINT:#} {}\n", shown_name(&value));
    };
    if !memory.tags.is_empty() {
        item("tags", memory.tags.join(", "));
    }
    item("importance", importance.to_string());
    item("confidence", memory.confidence.to_string());
    if memory.updated_at != memory.timestamp {
        item("changed", memory.updated_at.to_string());
    }
    if let Some(end) = memory.t_invalid {
        item("holds until", end.to_string());
    }
    for (name, value) in &memory.metadata {
        item("metadata", format!("{name} = {value}"));
    }
    output.data(&text);
}

pub(super) fn updated(updated: &Updated, output: Output) {
    output.data(&format!("{GOOD}updated{GOOD:#} {}\n", updated.memory_id));
    output.warn_each(&updated.warnings);
}

pub(super) fn undone(undone: &UndoAnswer, output: Output) {
    let UndoAnswer { memory_id, undone, memory, .. } = undone;
    let now = if memory.is_some() { "" } else { "; it is in the trash now" };
    output.data(&format!(
        "{GOOD}undone{GOOD:#} {memory_id}\n  {FAINT}it was {undone}{now}{FAINT:#}\n"
    ));
}

pub(super) fn restored(restored: &RestoreAnswer, output: Output) {
    output.data(&format!("{GOOD}restored{GOOD:#} {}\n", restored.memory_id));
}

pub(super) fn tags(list: &TagList, output: Output) {
    let row =
        |tag: &crate::service::request::CountedTag| [tag.tag.clone(), tag.memories.to_string()];
    output.data(&table(["TAG", "MEMORIES"], list.tags.iter().map(row)));
    if list.tags.is_empty() {
        output.talk("no tags");
    }
}

pub(super) fn history(history: &History, output: Output) {
    let row = |entry: &HistoryEntry| {
        let content = entry.after.as_ref().and_then(|after| after["content"].as_str());
        let content = one_line(content.unwrap_or_default());
        let HistoryEntry { seq, time, action, actor, .. } = entry;
        [seq.to_string(), time.clone(), (*action).to_owned(), actor.clone(), content]
    };
    let rows = history.history.iter().map(row);
    output.data(&table(["CHANGE", "TIME", "ACTION", "BY", "TEXT"], rows));
}

pub(super) fn trash(trash: &Trash, output: Output) {
    let row = |trashed: &TrashedMemory| {
        let TrashedMemory { memory, deleted_at, .. } = trashed;
        [memory.id.to_string(), deleted_at.to_string(), one_line(&memory.content)]
    };
    output.data(&table(["ID", "DELETED", "TEXT"], trash.memories.iter().map(row)));
    match trash.total {
        0 => output.talk("the trash is empty"),
        total if total > trash.count => output.talk(&format!("{} of {total}", trash.count)),
        _ => {}
    }
}

pub(super) fn stats(stats: &ServiceStats, output: Output) {
    let counts = |counts: &std::collections::BTreeMap<String, u64>| {
        let counts = counts.iter().map(|(name, count)| format!("{name} {count}"));
        counts.collect::<Vec<_>>().join(", ")
    };
    let size = stats.vector_size.map(|size| format!(" of {size} numbers")).unwrap_or_default();
    let jobs = &stats.enrichment;
    let log =
        if stats.log_unbroken { "whole" } else { "not whole: a change is missing or changed" };
    let rows = [
        ["memories", &stats.memories.to_string()],
        ["types", &counts(&stats.types)],
        ["relations", &counts(&stats.relations)],
        ["vectors", &format!("{}{size}", stats.vectors)],
        ["trash", &stats.trash.to_string()],
        ["enriched", &format!("{}, {} pending, {} failed", jobs.done, jobs.pending, jobs.failed)],
        ["log", log],
        ["database", &stats.database],
    ];
    let row =
        |[name, value]: &[&str; 2]| format!("{FAINT}{name:<9}{FAINT:#} {}\n", shown_name(value));
    let text: String = rows.iter().filter(|[_, value]| !value.is_empty()).map(row).collect();
    output.data(&text);
}
