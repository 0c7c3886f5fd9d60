//! Swaps folders and links between a check and a write.
#![expect(clippy::disallowed_methods, reason = "tests set their own stage")]

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use crate::disk::files;

/// A folder to hold, and one outside of it.
struct Stage {
    folder: TempDir,
    outside: TempDir,
}

impl Stage {
    fn new() -> Self {
        let temporary = || tempfile::tempdir().expect("a folder");
        let stage = Self { folder: temporary(), outside: temporary() };
        fs::create_dir_all(stage.folder.path().join("store/modules")).expect("a folder");
        fs::write(stage.outside.path().join("auth.md"), "outside").expect("a file");
        stage
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn hold(&self) -> Folder {
        Folder::open(&self.path("store")).expect("it opens").expect("it is there")
    }

    /// Replaces a folder by a link that leads outside.
    fn swap(&self, path: &str) {
        fs::rename(self.path(path), self.path(&format!("{path}-moved"))).expect("it is moved");
        symlink(self.outside.path(), self.path(path)).expect("a link");
    }

    /// Tells whether nothing was added to or removed from the outside.
    fn is_untouched_outside(&self) -> bool {
        let names = fs::read_dir(self.outside.path()).expect("it is listed").count();
        names == 1
            && fs::read(self.outside.path().join("auth.md")).expect("it is read") == b"outside"
    }
}

fn every_act(path: &StorePath, to: &StorePath) -> Vec<String> {
    let acts = [
        files::read(path).map(drop),
        files::write(path, b"new").map(drop),
        files::write_at(path, 0, b"new").map(drop),
        files::rename(path, to),
        files::rename(to, path),
        files::discard(path),
    ];
    acts.into_iter().map(|act| act.expect_err("it is refused").to_string()).collect()
}

#[test]
fn a_folder_that_is_swapped_for_a_link_is_not_followed() {
    let stage = Stage::new();
    let store = stage.hold();
    let (path, other) = (store.inside("modules/auth.md"), store.inside("other.md"));
    assert!(files::read(&path).expect("it is looked for").is_none());
    files::write(&other, b"other").expect("it is written");
    stage.swap("store/modules");
    assert!(files::list(&store.inside("modules")).is_err());
    for said in every_act(&path, &other) {
        assert!(said.ends_with("its folder is a symbolic link: `modules`"), "{said}");
    }
    assert!(stage.is_untouched_outside());
    assert_eq!(fs::read(stage.path("store/other.md")).expect("it is read"), b"other");
}

#[test]
fn what_is_written_after_the_store_was_swapped_lands_in_the_folder_that_is_held() {
    let stage = Stage::new();
    let store = stage.hold();
    stage.swap("store");
    files::write(&store.inside("auth.md"), b"new").expect("it is written");
    files::write(&store.inside("modules/deep/auth.md"), b"new").expect("it is written");
    files::rename(&store.inside("auth.md"), &store.inside("modules/x.md")).expect("it is moved");
    assert!(stage.is_untouched_outside());
    assert_eq!(fs::read(stage.path("store-moved/modules/x.md")).expect("it is read"), b"new");
    assert!(stage.path("store-moved/modules/deep/auth.md").exists());
    assert_eq!(
        store.real_path().expect("known"),
        stage.path("store-moved").canonicalize().unwrap()
    );
}

#[test]
fn a_file_that_is_a_link_is_replaced_and_never_written_through() {
    let stage = Stage::new();
    let path = stage.hold().inside("modules/auth.md");
    symlink(stage.outside.path().join("auth.md"), &*path).expect("a link");
    assert!(files::open(&path).is_err() && files::read(&path).is_err());
    files::write(&path, b"new").expect("it is written");
    assert!(stage.is_untouched_outside() && files::is_plain(&path));
}

#[test]
fn a_path_that_leads_out_is_refused_without_a_look() {
    let stage = Stage::new();
    let store = stage.hold();
    let outside = stage.outside.path().join("auth.md").display().to_string();
    for name in ["../x.md", "modules/../../x.md", "..", outside.as_str()] {
        let path = store.inside(name);
        for said in every_act(&path, &store.inside("other.md")) {
            assert!(said.contains("leads out of the store"), "{said}");
        }
        assert!(!files::exists(&path), "{name}");
    }
    assert!(stage.is_untouched_outside());
}

/// Uses every method of either handle, and meets a link at each part of a path.
macro_rules! works {
    ($name:ident, $handle:ty) => {
        #[test]
        fn $name() {
            let stage = Stage::new();
            let handle = <$handle>::open(&stage.path("store")).expect("it opens");
            let (auth, deep) = (Path::new("modules/auth.md"), Path::new("modules/deep"));
            let (mut file, _) = handle.file(auth, Access::Make).expect("it is made");
            file.write_all(b"text").expect("it is written");
            assert!(handle.file(auth, Access::Make).is_err(), "it is there already");
            assert_eq!(handle.metadata(auth).expect("it is there").size, 4);
            handle.copy_mode(auth, &file).expect("they are the same");
            handle.make_folder(deep).expect("it is made");
            let moved = Path::new("modules/deep/x.md");
            handle.rename(auth, &handle, moved, Manner::Over).expect("it is moved");
            let inner = handle.enter(deep).expect("it is entered");
            assert_eq!(
                inner.names(Path::new("")).expect("a list"),
                [("x.md".into(), FileKind::File)]
            );
            inner.file(Path::new("x.md"), Access::Read).expect("it is read");
            handle.remove(Path::new("modules/deep/x.md"), false).expect("it is removed");
            handle.remove(deep, true).expect("it is removed");
            stage.swap("store/modules");
            assert!(handle.metadata(auth).is_err() && handle.enter(Path::new("modules")).is_err());
            for access in [Access::Read, Access::Write, Access::Make] {
                assert!(handle.file(auth, access).is_err(), "{access:?}");
            }
            assert!(handle.remove(auth, false).is_err() && handle.make_folder(deep).is_err());
            assert!(handle.names(Path::new("modules")).is_err());
            assert!(stage.is_untouched_outside());
            assert!(<$handle>::open(&stage.path("store/modules")).is_err());
        }
    };
}

works!(a_held_folder_follows_no_link, unix::Handle);
works!(a_folder_by_its_path_follows_no_link_that_stands_there, plain::Handle);
