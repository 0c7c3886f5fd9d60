//! `read`: which other stores are read, and the copies of those that git fetches.

mod change;
mod list;
mod sync;

pub(crate) use change::{ChangedStore, NewStore, add_store, remove_store};
pub(crate) use list::{ListedStore, ReadStoreList, list_stores};
pub(crate) use sync::{SyncOptions, SyncedStore, SyncedStores, addresses_to_fetch, sync_stores};
