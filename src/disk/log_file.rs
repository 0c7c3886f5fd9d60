//! The file that a person names for what the program tells of its work.

use std::fs::File;
use std::io;
use std::path::Path;

use super::folder::{Access, Folder};
use super::outside;
use crate::error::{Error, ErrorKind, Result};

/// Opens a file whose every write goes to its end; a new one is its owner's alone. The file itself may be no link: what
/// is appended would go to where another leads it.
pub(crate) fn open_log_file(path: &Path) -> Result<File> {
    let path = std::path::absolute(path).map_err(|cause| Error::io("find", path, cause))?;
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Error::new(ErrorKind::Usage, "it names no file:").at(&path));
    };
    let real = outside::real_path(above);
    let folder = real.map(|real| Folder::open(&real)).transpose()?.flatten();
    let folder =
        folder.ok_or_else(|| Error::io("write to", &path, io::ErrorKind::NotFound.into()))?;
    let place = folder.inside(name);
    let is_new = place.metadata().is_err();
    let opened = place.open(Access::Append).and_then(|(file, _)| {
        if is_new {
            place.narrow(0o600)?;
        }
        Ok(file)
    });
    opened.map_err(|cause| Error::io("write to", &path, cause))
}

#[cfg(all(test, unix))]
#[expect(clippy::disallowed_methods, reason = "tests look at the files")]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_new_file_is_its_owners_alone_and_grows_at_its_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        for line in ["one\n", "two\n"] {
            let mut file = open_log_file(&path).expect("it opens");
            file.write_all(line.as_bytes()).expect("it is written");
        }
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "one\ntwo\n");
        assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_link_is_not_followed_and_a_folder_is_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        symlink(&target, &link).expect("a link");
        for path in [&link, folder.path(), &folder.path().join("none/log")] {
            assert!(open_log_file(path).is_err(), "{}", path.display());
        }
        assert!(!target.exists());
    }
}
