//! Reads blobs that git may have, all of them in two calls.

use std::collections::{BTreeSet, HashMap};

use crate::error::Result;
use crate::git::Git;

/// The largest text in which lines are looked for.
pub(super) const LARGEST_TEXT: usize = 4 * 1024 * 1024;

/// Bytes that are read at most, as all of them are held in memory.
const MOST: usize = 128 * 1024 * 1024;

/// A shorter name might be that of many.
const SHORTEST_NAME: usize = 7;

/// Returns the texts of blobs, by the ids with which they are named. What git does not have here, what is too large, and
/// what is beyond the most bytes is left out; nothing is fetched.
pub(super) fn blob_texts<'a>(git: &Git, blobs: &BTreeSet<&'a str>) -> HashMap<&'a str, Vec<u8>> {
    // A person may have written anything, and git takes `HEAD:path` for the name of a blob, too.
    let is_id = |blob: &&str| {
        blob.len() >= SHORTEST_NAME && blob.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let blobs: Vec<&str> = blobs.iter().copied().filter(is_id).collect();
    match blobs.is_empty() || !git.is_there() {
        true => HashMap::new(),
        // Where git does not answer nothing is known of former texts.
        false => read(git, &blobs).unwrap_or_default(),
    }
}

fn read<'a>(git: &Git, blobs: &[&'a str]) -> Result<HashMap<&'a str, Vec<u8>>> {
    let lines = |names: &[&str]| names.iter().map(|name| format!("{name}\n")).collect::<String>();
    let check = ["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"];
    let said = git.run(&check, lines(blobs).as_bytes())?;
    let said = String::from_utf8_lossy(&said);
    let mut bytes = 0;
    let wanted = blobs.iter().zip(said.lines()).filter_map(|(blob, said)| {
        // A branch may have the name of a blob.
        let (id, size) = said.split_once(" blob ").filter(|(id, _)| id.starts_with(*blob))?;
        let size: usize = size.parse().ok().filter(|size| *size <= LARGEST_TEXT)?;
        bytes += size;
        (bytes <= MOST).then_some((*blob, id, size))
    });
    let wanted: Vec<(&str, &str, usize)> = wanted.collect();
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<&str> = wanted.iter().map(|(_, id, _)| *id).collect();
    let said = git.run(&["cat-file", "--batch"], lines(&ids).as_bytes())?;
    let mut rest = said.as_slice();
    let mut texts = HashMap::new();
    for (blob, id, size) in wanted {
        // `ID blob SIZE LF`, the text, LF
        let head = format!("{id} blob {size}\n");
        let Some(text) = rest.strip_prefix(head.as_bytes()).filter(|text| text.len() > size) else {
            break;
        };
        texts.insert(blob, text[..size].to_vec());
        rest = &text[size + 1..];
    }
    Ok(texts)
}
