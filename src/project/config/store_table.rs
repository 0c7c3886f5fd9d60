//! Writes the tables of other stores into the text of a `config.toml`, and takes them out; all else stays.

use toml_edit::{Document, Table};

use super::store_rule::{OtherPlace, StoreRule};
use crate::project::request::StoreName;

/// Adds a table to the text of a `config.toml`.
pub(crate) fn with_store(text: &str, rule: &StoreRule) -> String {
    let gap = match text {
        "" => "",
        _ if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let name = toml::Value::from(rule.name.as_str());
    let place = match &rule.place {
        OtherPlace::Folder(folder) => format!("path = {}\n", toml::Value::from(folder.as_str())),
        OtherPlace::Git { address, revision } => {
            let [git, revision] = [address.as_str(), revision.as_str()].map(toml::Value::from);
            format!("git = {git}\nrevision = {revision}\n")
        }
    };
    format!("{text}{gap}[[read]]\nname = {name}\n{place}")
}

/// Takes a table out of the text; none if it has none of this name, or not as a table of its own.
pub(crate) fn without_store(text: &str, name: &StoreName) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let tables = document.as_table().get("read")?.as_array_of_tables()?;
    let is_it =
        |table: &&Table| table.get("name").and_then(|it| it.as_str()) == Some(name.as_str());
    let table = tables.iter().find(is_it)?;
    let start = table.span()?.start;
    let end = table.iter().filter_map(|(_, item)| Some(item.span()?.end)).max()?;
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    // With the empty line before it, which came with it.
    let before = &text[..start];
    let before = if before.ends_with("\n\n") { &before[..before.len() - 1] } else { before };
    Some(format!("{before}{}", &text[end..]))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::project::config::Config;

    #[test]
    fn a_table_is_added_and_taken_out_again_to_the_byte() {
        let more = "# mine\n[[read]] # first\nname = \"hb\" # its name\npath = \"../hb\"\n\n# last\n[staging]\n";
        for text in ["", "version = 1\n", crate::project::config::DEFAULT, more] {
            for place in ["path = \"../x\"", "git = \"https://host/x.git\"\nrevision = \"main\""] {
                let table = format!("[[read]]\nname = \"other\"\n{place}\n");
                let rule = Config::parse(&table, Path::new("config.toml")).expect("good").stores;
                let added = with_store(text, &rule[0]);
                let read = Config::parse(&added, Path::new("config.toml")).expect("good");
                assert_eq!(read.stores.last(), rule.last());
                assert_eq!(without_store(&added, &rule[0].name).as_deref(), Some(text));
            }
        }
        let name = StoreName::parse("hb").expect("a name");
        let out = without_store(more, &name).expect("it is there");
        assert_eq!(out, "# mine\n\n# last\n[staging]\n");
        assert_eq!(without_store(&out, &name), None);
    }
}
