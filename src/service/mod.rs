//! Memories that services and agents store, recall and relate over HTTP and MCP.
//!
//! | floor | rooms |
//! |---|---|
//! | verbs | [`verbs`]: one verb a file; beside the words, the doors reach nothing else |
//! | storage | `sqlite`: what lies where in the database |
//! | engines | `tags`, `classify`, `summary`, `entities`, `relevance`, `recall/`, `graph/`, `clusters`, `discovery`, `lookalikes`, `backup/`: pure |
//! | words | [`request`]: requests, answers, refusals |

pub(crate) mod backup;
pub(crate) mod classify;
pub(crate) mod clusters;
pub(crate) mod discovery;
pub(crate) mod entities;
pub(crate) mod graph;
pub(crate) mod lookalikes;
pub(crate) mod recall;
pub(crate) mod relevance;
pub mod request;
pub(crate) mod sqlite;
pub(crate) mod summary;
pub(crate) mod tags;
pub mod verbs;
