//! A person's own memory: one Markdown file an entry, and an index of them.
//!
//! | floor | rooms |
//! |---|---|
//! | verbs | [`verbs`]: one verb a file; beside the words, the doors reach nothing else |
//! | storage | `store`: what lies where in the folder of a person |
//! | engines | `entry_file`, `index_file`: how an entry and the index are read and changed; `index_pack`: what a session reads of it; `sources`: what other tools keep; `settings` |
//! | words | [`request`]: requests, answers, codes |

pub mod entry_file;
pub(crate) mod index_file;
pub(crate) mod index_pack;
pub mod request;
pub(crate) mod settings;
pub(crate) mod sources;
pub(crate) mod store;
pub mod verbs;
