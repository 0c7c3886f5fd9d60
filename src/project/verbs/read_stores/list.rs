//! `read list`: the other stores, and whether they can be read.

use serde::Serialize;

use crate::error::Result;
use crate::project::config::OtherPlace;
use crate::project::verbs::project::Project;

/// The other stores that `config.toml` names.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct ReadStoreList {
    pub stores: Vec<ListedStore>,
    /// What is left out of those that are read.
    pub warnings: Vec<String>,
}

/// Another store.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct ListedStore {
    pub name: String,
    /// The folder that it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The address that git fetches it from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// What its sections are labelled with; absent where it is not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// How many files are read.
    pub files: usize,
    /// Why it is not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Lists the stores in the order of `config.toml`.
pub(crate) fn list_stores(project: &Project) -> Result<ReadStoreList> {
    let others = project.others()?;
    let stores = project.config.stores.iter().map(|rule| {
        let (path, git, revision) = match &rule.place {
            OtherPlace::Folder(folder) => (Some(folder.as_str()), None, None),
            OtherPlace::Git { address, revision } => {
                (None, Some(address.as_str()), Some(revision.as_str()))
            }
        };
        let shown = |text: Option<&str>| text.map(|text| project.clean(text));
        ListedStore {
            name: rule.name.to_string(),
            path: shown(path),
            git: shown(git),
            revision: shown(revision),
            label: others.label_of(&rule.name).map(str::to_owned),
            files: others.files().filter(|file| file.store == rule.name).count(),
            problem: others.why_absent(&rule.name).map(str::to_owned),
        }
    });
    Ok(ReadStoreList { stores: stores.collect(), warnings: others.warnings.clone() })
}
