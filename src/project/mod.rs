//! The project's memory: reviewed Markdown in git.
//!
//! | floor | rooms |
//! |---|---|
//! | verbs | [`verbs`]: one verb a file; beside the words, the doors reach nothing else |
//! | storage | [`store`]: what lies where in `.agent-memory` |
//! | corridor | [`pipeline`]: from a request to what is written |
//! | engines | [`edit`]: an operation and a text become the text afterwards; and `adopt`, `check`, `claim`, `config`, `diff`, `injection`, `merge`, `pack`, `policy`, `provenance`, `rejection`, `reversal`, `schema`, `standing`, `toc`, `upgrade` |
//! | words | [`request`]: operations, evidence, answers, codes |

pub(crate) mod adopt;
pub mod check;
pub(crate) mod claim;
pub mod config;
pub mod diff;
pub mod edit;
pub(crate) mod injection;
pub(crate) mod merge;
pub(crate) mod pack;
pub mod pipeline;
pub(crate) mod policy;
pub mod provenance;
pub mod rejection;
pub mod request;
pub(crate) mod reversal;
pub mod schema;
pub(crate) mod standing;
pub mod store;
pub(crate) mod toc;
pub(crate) mod upgrade;
pub mod verbs;
