//! Other stores, which are read and never written: a team's handbook for all its repositories.
//!
//! `[[read]]` with a `name` in `config.toml` says which ones. Each is opened anew by every command, checked, and its
//! files are read where they are. What keeps a section of another store from being changed, or from counting as one
//! of ours, is that nothing here has the types that a change needs:
//!
//! - [`OtherStore`] holds a folder, and no `Layout`: no lock can be taken on it, so no `Locked` and no step that writes.
//! - A file of it has an `OtherPath`, `handbook:decisions/x.md`. Operations take a `MemoryPath`, which holds no `:`, and
//!   there is no way from one to the other. So whatever names such a file as a target is refused, and told why.
//! - In the search index its files have [`IndexPath`]s, which begin with `//`. No file of ours has such a path, so that
//!   what one store calls superseded is found in that store alone.
//!
//! One that git fetches is read from a copy, `state/read/<name>/<commit>/`. `read sync` makes it, in the name of a person:
//! `fetched` asks git and checks what came, `copied` puts it in its place by one rename. The tracked `read.lock` pins the
//! commit. No other command reaches a network: a clone without the copy says so in a line.
//!
//! What is checked: `format` reads the version of the store, `place` follows no link on the way to it, `fitness` leaves
//! out a file that holds a secret or a hidden character. Its settings are not used, and the stores that it reads are not
//! read. Its sources name files of another repository, so here they count as `external`: `seen_from_here`.

mod copied;
mod fetched;
mod fitness;
mod format;
mod index_path;
mod lock_file;
mod other_store;
mod place;
mod seen_from_here;
mod stores;

pub(crate) use copied::{discard_copies, discard_other_copies, has_copy, put_copy};
pub(crate) use fetched::{FetchedStore, fetch_store};
pub(crate) use index_path::IndexPath;
pub(crate) use lock_file::LockFile;
pub(crate) use seen_from_here::sources_seen_from_here;
pub(crate) use stores::OtherStores;
