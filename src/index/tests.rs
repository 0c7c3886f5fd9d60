//! The index as its users see it, on real files.
#![expect(clippy::disallowed_methods, reason = "tests write the files that the index follows")]

mod asking;
mod following;
mod forms;
mod logs;
mod opening;
mod ranking;
mod staying;
mod trust;

use std::fs::{self, File, FileTimes};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use rusqlite::Connection;

use super::listing::Stamp;
use super::lock::IndexLock;
use super::*;
use crate::contract::{Confidence, Moment, UTC};
use crate::disk::key::Key;
use crate::disk::{Folder, StorePath};
use crate::error::ErrorKind;
use crate::markdown::SourceNote;
use crate::project::provenance::Freshness;
use crate::project::schema::{Catalog, DEFAULTS};
use crate::project::store::sections::{CitedToday, Query, SectionSource, read_sources};
use crate::project::store::{OtherStores, ReadFiles};
use crate::secrets::{PersonalKind, Scanner, Settings};

fn new_folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

const KEY: Key = Key::Known([7; 32]);

struct Sandbox {
    folder: TempDir,
    held: Folder,
    catalog: Catalog,
    scanner: Scanner,
    reads: ReadFiles,
    others: OtherStores,
}

impl Sandbox {
    fn new(files: &[(&str, &str)]) -> Self {
        let paths: Vec<_> = DEFAULTS.map(|(name, text)| (format!("{name}.toml"), text)).into();
        let schemas = paths.iter().map(|(path, text)| (Path::new(path.as_str()), *text));
        let folder = new_folder();
        let sandbox = Self {
            held: Folder::open(folder.path()).expect("it opens").expect("it is there"),
            folder,
            catalog: Catalog::parse(schemas).expect("the defaults are good"),
            scanner: Scanner::new(Settings::default()),
            reads: ReadFiles::default(),
            others: OtherStores::default(),
        };
        for (path, text) in files {
            sandbox.write(path, text);
        }
        sandbox
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("it stands in the folder")).expect("a folder");
        fs::write(path, text).expect("it is written");
    }

    /// Makes a file look as old as it would be in a store that was not written to lately.
    fn age(&self, path: &str) {
        let times = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(9));
        let file = File::options().write(true).open(self.path(path)).expect("it opens");
        file.set_times(times).expect("it is set");
    }

    fn source(&self) -> SectionSource<'_> {
        let Self { held, catalog, scanner, reads, others, .. } = self;
        SectionSource { root: held, reads, others, catalog, scanner, key: &KEY }
    }

    fn database(&self) -> StorePath {
        self.held.inside("state/index.sqlite")
    }

    fn open(&self) -> SearchIndex {
        SearchIndex::open(&self.database(), &self.source()).expect("it opens")
    }

    fn refreshed(&self) -> (SearchIndex, Refreshed) {
        let mut index = self.open();
        let refreshed = index.refresh(&self.source(), None).expect("it is refreshed");
        (index, refreshed)
    }

    /// Opens, refreshes, asks: as each command does.
    fn find(&self, text: &str) -> Vec<SearchHit> {
        ask(&self.refreshed().0, text)
    }

    fn found(&self, text: &str) -> Vec<String> {
        self.find(text).into_iter().map(|hit| format!("{}:{}", hit.file, hit.line)).collect()
    }
}

const NOTHING_CITED: CitedToday<'static> =
    CitedToday { freshness: &|_| None, is_changed: &|_| false, look_ahead: &|_| () };

fn query(text: &str) -> Query<'_> {
    Query::new(text, Moment::from_unix(1_795_000_000), &UTC)
}

fn ask(index: &SearchIndex, text: &str) -> Vec<SearchHit> {
    query(text).ask(index, &NOTHING_CITED).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn lines(index: &SearchIndex, query: &Query<'_>) -> Vec<String> {
    let hits = query.ask(index, &NOTHING_CITED).expect("it answers");
    hits.into_iter().map(|hit| format!("{}:{}", hit.file, hit.line)).collect()
}

const TALK: &str = "# Session on 2026-11-19\n\n## Ada\n\nWhich colour shall the button have?\n\n\
    ## Bob\n\nGreen.\n\n## Ada\n\nDone.\n";
