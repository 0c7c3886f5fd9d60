//! The project's memory: reviewed Markdown in git.
//!
//! | floor | rooms |
//! |---|---|
//! | verbs | [`verbs`]: one verb a file; the doors reach nothing else |
//! | storage | [`store`]: what lies where in `.agent-memory` |
//! | corridor | [`pipeline`]: from a request to what is written |
//! | engines | [`adopt`], [`check`], [`config`], [`diff`], [`merge`], [`pack`], [`policy`], [`provenance`], [`rejection`], [`reversal`], [`schema`], [`toc`] |

pub mod adopt;
pub mod check;
pub mod config;
pub mod diff;
pub mod merge;
pub mod pack;
pub mod pipeline;
pub mod policy;
pub mod provenance;
pub mod rejection;
pub mod reversal;
pub mod schema;
pub mod store;
pub mod toc;
pub mod verbs;
