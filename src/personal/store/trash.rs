//! The names of deleted entries: `trash/<YYYYMMDD-HHMMSS>-<name>.md`, with `.2`, `.3` before `.md` where one is taken.

use super::person_folder::PersonFolder;
use crate::contract::Moment;
use crate::disk::files;
use crate::error::Result;
use crate::personal::request::EntryName;

/// Characters of the time and the dash behind it.
const STAMP: usize = "20261120-100000-".len();

/// Returns a free path for an entry that is deleted now.
pub(crate) fn path_in_trash(folder: &PersonFolder, name: &EntryName, now: Moment) -> String {
    let stem = format!("trash/{}-{name}", now.compact());
    let mut paths = std::iter::once(format!("{stem}.md"))
        .chain((2_u32..).map(|number| format!("{stem}.{number}.md")));
    let is_free = |path: &String| !files::exists(&folder.inside(path));
    paths.find(is_free).expect("a folder has fewer entries than there are numbers")
}

/// Returns the path of the copy of an entry that was deleted last.
pub(crate) fn newest_in_trash(folder: &PersonFolder, name: &EntryName) -> Result<Option<String>> {
    let all = files::list(&folder.inside("trash"))?;
    let newest = all.into_iter().filter_map(|file| Some((age(&file, name)?, file))).max();
    Ok(newest.map(|(_, file)| format!("trash/{file}")))
}

/// Returns what sorts the copies of an entry, the oldest first; `None` for a copy of another one.
fn age(file: &str, name: &EntryName) -> Option<(String, u32)> {
    let (stamp, rest) = file.split_at_checked(STAMP)?;
    Moment::parse_compact(stamp.strip_suffix('-')?)?;
    let number = match rest.strip_prefix(name.as_str())?.strip_suffix(".md")? {
        "" => 1,
        numbered => numbered.strip_prefix('.')?.parse().ok()?,
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
        for other in ["20261120-100000-b.md", "20261120-100000-a-b-c.md", "a-b.md", "2026-a-b.md"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
