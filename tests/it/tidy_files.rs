//! Keeps files apart: none takes its words from the file that opens it, and none needs itself through others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::tidy::production;

/// An import, and any other path in this crate.
static PATHS: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    [r"\buse ([\w:]+)(?:::\{([^;]*)\}|( as \w+)?);", r"\b(?:crate|super)(?:::\w+)+"]
        .map(|pattern| Regex::new(pattern).expect("it is a pattern"))
});

/// A file, by its path as a module, and a name in it.
type Place = (String, String);

#[test]
fn no_file_imports_its_parent_or_needs_itself_through_others() {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in production() {
        let path = source.path.trim_end_matches(".rs").trim_end_matches("/mod");
        files.insert(path.trim_start_matches("lib").to_owned(), paths(&source.code));
    }
    let mut named: BTreeMap<Place, Place> = BTreeMap::new();
    for (file, path) in files.iter().flat_map(|(file, all)| all.iter().map(move |p| (file, p))) {
        let name = path.rsplit([':', ' ']).next().unwrap_or_default().to_owned();
        let place = place(&files, file, path).filter(|(_, name)| !name.is_empty());
        named.extend(place.map(|place| ((file.clone(), name), place)));
    }
    let mut imports: BTreeMap<&String, BTreeSet<String>> = BTreeMap::new();
    for (file, path) in files.iter().flat_map(|(file, all)| all.iter().map(move |p| (file, p))) {
        let Some(mut place) = place(&files, file, path) else { continue };
        let (other, name) = &place;
        let is_above = file.starts_with(&format!("{other}/")) && !name.is_empty();
        assert!(!is_above, "`{file}` takes `{name}` from the file that opens its room");
        // A name may be passed on by several files, or by one to itself.
        for _ in 0..4 {
            place = named.get(&place).cloned().unwrap_or(place);
        }
        let (other, _) = place;
        imports.entry(file).or_default().extend((other != *file).then_some(other));
    }
    for file in imports.keys() {
        let (mut reached, mut next) = (BTreeSet::new(), vec![*file]);
        while let Some(others) = next.pop().map(|other| imports.get(other)) {
            next.extend(others.into_iter().flatten().filter(|other| reached.insert(*other)));
        }
        assert!(!reached.contains(file), "`{file}` imports itself through others: {reached:?}");
    }
}

/// Each command has its `Args`; a `Handle` of the disk has a form for each system.
const SHARED_NAMES: [&str; 2] = ["Args", "Handle"];

#[test]
fn the_name_of_a_type_stands_for_one_thing() {
    let made = Regex::new(r"(?m)^\s*(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait|union) (\w+)");
    let made = made.expect("it is a pattern");
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for source in production() {
        for name in made.captures_iter(&source.code).map(|found| found[1].to_owned()) {
            let is_shared = SHARED_NAMES.contains(&name.as_str());
            let other = files.insert(name.clone(), source.path.clone());
            let other = other.filter(|other| *other != source.path && !is_shared);
            assert_eq!(other, None, "`{name}` stands in {} too", source.path);
        }
    }
    assert!(files.len() > 400, "the names of types are missing");
}

/// Returns the paths that a file imports or names.
fn paths(code: &str) -> Vec<String> {
    let [uses, inline] = &*PATHS;
    // The path of a visibility imports nothing.
    let code = &code.replace("(in crate", "(");
    let rest = uses.replace_all(code, "");
    let mut found: Vec<String> = inline.find_iter(&rest).map(|it| it.as_str().to_owned()).collect();
    for import in uses.captures_iter(code) {
        let names = import.get(2).map(|names| names.as_str().split(','));
        let names = names.into_iter().flatten().map(str::trim).filter(|name| !name.is_empty());
        let names: Vec<String> = names.map(|name| format!("{}::{name}", &import[1])).collect();
        let alias = import.get(3).map_or("", |alias| alias.as_str());
        found.extend(import.get(2).is_none().then(|| format!("{}{alias}", &import[1])));
        found.extend(names);
    }
    found
}

/// Returns what a path of a file leads to; none for another package.
fn place(files: &BTreeMap<String, Vec<String>>, file: &str, path: &str) -> Option<Place> {
    let join = |at: &str, part: &str| format!("{at}/{part}").trim_start_matches('/').to_owned();
    let is_here = |at: &str, part: &str| files.contains_key(&join(at, part));
    let mut parts = path.split(" as ").next()?.split("::").peekable();
    let begins = parts.peek().is_some_and(|first| *first == "super" || is_here(file, first));
    let in_crate = parts.next_if_eq(&"crate").map(|_| "");
    let mut at = in_crate.or(begins.then_some(file))?.to_owned();
    while parts.next_if_eq(&"super").is_some() {
        at = parent(&at).to_owned();
    }
    while let Some(part) = parts.next_if(|part| is_here(&at, part)) {
        at = join(&at, part);
    }
    Some((at, parts.next().unwrap_or_default().to_owned()))
}

fn parent(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(parent, _)| parent)
}
