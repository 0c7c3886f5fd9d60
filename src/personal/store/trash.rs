//! The names of deleted entries: `trash/<YYYYMMDD-HHMMSS>-<name>.md`, with `.2`, `.3` before `.md` where one is taken.

use super::person_folder::PersonFolder;
use crate::contract::Moment;
use crate::disk::files;
use crate::error::Result;
use crate::personal::request::EntryName;

/// Characters of the time and the dash behind it.
const STAMP: usize = "20261120-100000-".len();

/// Returns a free path for an entry that is deleted now.
///
/// It sorts behind all other copies of the entry: where a clock was set back, it has the time of the newest one.
pub(crate) fn path_in_trash(
    folder: &PersonFolder,
    name: &EntryName,
    now: Moment,
) -> Result<String> {
    let now = format!("{}-", now.compact());
    let (stamp, number) = match newest(folder, name)? {
        Some(((stamp, number), _)) if stamp >= now => (stamp, number.saturating_add(1)),
        Some(_) | None => (now, 1),
    };
    let path = |number: u32| match number {
        1 => format!("trash/{stamp}{name}.md"),
        _ => format!("trash/{stamp}{name}.{number}.md"),
    };
    let is_free = |path: &String| !files::exists(&folder.inside(path));
    Ok((number..)
        .map(path)
        .find(is_free)
        .expect("a folder has fewer entries than there are numbers"))
}

/// Returns the path of the copy of an entry that was deleted last.
pub(crate) fn newest_in_trash(folder: &PersonFolder, name: &EntryName) -> Result<Option<String>> {
    Ok(newest(folder, name)?.map(|(_, file)| format!("trash/{file}")))
}

fn newest(folder: &PersonFolder, name: &EntryName) -> Result<Option<(CopyAge, String)>> {
    let all = files::list(&folder.deleted())?;
    Ok(all.into_iter().filter_map(|file| Some((age(&file, name)?, file))).max())
}

/// Returns the name of the entry of which a file in the trash is a copy.
pub(crate) fn name_of_copy(file: &str) -> Option<EntryName> {
    let stem = file.get(STAMP..)?.strip_suffix(".md")?;
    let name = EntryName::parse(stem.split('.').next()?).ok()?;
    is_copy_of(file, &name).then_some(name)
}

/// Tells whether a file of the trash, by its name, is a copy of an entry.
pub(super) fn is_copy_of(file: &str, name: &EntryName) -> bool {
    age(file, name).is_some()
}

/// What sorts the copies of an entry, the oldest first: the time with its dash, and the number.
type CopyAge = (String, u32);

/// Returns the age of a copy; `None` for a copy of another entry.
fn age(file: &str, name: &EntryName) -> Option<CopyAge> {
    let (stamp, rest) = file.split_at_checked(STAMP)?;
    Moment::parse_compact(stamp.strip_suffix('-')?)?;
    let number = match rest.strip_prefix(name.as_str())?.strip_suffix(".md")? {
        "" => 1,
        numbered => u32::from(numbered.strip_prefix('.')?.parse::<u16>().ok()?),
    };
    Some((stamp.to_owned(), number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_told_by_name_and_sorted_by_time_then_number() {
        let name = EntryName::parse("a-b").expect("a name");
        let of = |file: &str| age(file, &name);
        assert!(of("20261120-100000-a-b.md") < of("20261120-100000-a-b.2.md"));
        assert!(of("20261120-100000-a-b.9.md") < of("20261120-100000-a-b.10.md"));
        assert!(of("20261120-100000-a-b.10.md") < of("20261120-100001-a-b.md"));
        assert_eq!(of("20261120-100000-a-b.4294967295.md"), None);
        for other in ["20261120-100000-b.md", "20261120-100000-a-b-c.md", "a-b.md", "2026-a-b.md"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
