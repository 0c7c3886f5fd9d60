//! `init`: a store in a repository; whatever is there already stays as it is.

use serde::Serialize;

use super::{Place, attributes};
use crate::contents::Blocks;
use crate::error::{Error, ErrorKind, Result};
use crate::markdown::new_file;
use crate::schema::{Catalog, DEFAULTS};
use crate::store::{Layout, Repository, Step, Store, Trace, exists};
use crate::{config, schema};

/// What `init` did.
#[derive(Debug, Clone, Serialize)]
pub struct Initialised {
    /// The folder of the store.
    pub store: String,
    /// The files that were made, relative to the store.
    pub created: Vec<String>,
    /// The files of an earlier version that were brought up to date, relative to the store.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub renewed: Vec<String>,
}

/// What never belongs into git: what is local, what is derived, and what still waits for a person.
const GITIGNORE: &str = "/state/\n/local/\n/sessions/\n/staging/\n";

/// Makes a store, or what is missing of one.
pub fn init(place: &Place) -> Result<Initialised> {
    let layout = match place.layout() {
        Err(error) if error.kind() == ErrorKind::StoreNotFound => {
            let found = || Repository::find(&place.folder).unwrap_or_else(|| place.folder.clone());
            Layout::make_in(&place.root.clone().unwrap_or_else(found))?
        }
        found => found?,
    };
    let store = Store::at(layout.clone());
    let mut locked = store.lock(place.lock_wait, "`agent-memory init`")?;
    let missing: Vec<(String, String)> =
        files()?.into_iter().filter(|(path, _)| !exists(&layout.inside(path))).collect();
    let created: Vec<String> = missing.iter().map(|(path, _)| path.clone()).collect();
    let renewal = attributes::renewal(&store)?;
    let renewed = Vec::from_iter(renewal.as_ref().map(|_| attributes::PATH.to_owned()));
    let made = missing.into_iter().map(|(path, text)| Step::write(&path, None, text));
    let steps: Vec<Step> = made.chain(renewal).collect();
    if !steps.is_empty() {
        locked.prepare(steps)?.map_err(edited_meanwhile)?.commit(Trace::Kept)?;
    }
    Ok(Initialised { store: super::shorten(layout.store(), &place.folder), created, renewed })
}

/// Returns every file of a new store.
fn files() -> Result<Vec<(String, String)>> {
    let mut files = vec![
        ("config.toml".to_owned(), config::DEFAULT.to_owned()),
        (".gitignore".to_owned(), GITIGNORE.to_owned()),
        (attributes::PATH.to_owned(), attributes::DEFAULT.to_owned()),
    ];
    let paths = schema::DEFAULTS.map(|(name, _)| format!("schemas/{name}.toml"));
    files.extend(paths.iter().cloned().zip(DEFAULTS.map(|(_, text)| text.to_owned())));
    let pairs =
        paths.iter().zip(DEFAULTS).map(|(path, (_, text))| (std::path::Path::new(path), text));
    let catalog = Catalog::parse(pairs)?;
    for category in catalog.categories().iter().filter(|each| each.tracked) {
        let Some(path) = category.path.single() else { continue };
        let text = match category.generated {
            true => Blocks::default().to_string(),
            false => new_file(&category.title),
        };
        files.push((path.to_owned(), text));
    }
    Ok(files)
}

fn edited_meanwhile(edited: crate::store::EditedMeanwhile) -> Error {
    Error::new(ErrorKind::Io, format!("`{}` appeared at the same moment", edited.path))
        .hint("run `agent-memory init` again; it makes only what is missing")
}
