//! Long-term memories of a chat bot: numbered, shared by a server or personal, with rules about people.
//!
//! | floor | rooms |
//! |---|---|
//! | verbs | `verbs`: one verb a file; beside the words, the doors reach nothing else |
//! | storage | `sqlite`: what lies where in the database |
//! | engines | `placeholders`: what stays of words in braces; `resolver`: whom a name means; `verdict`: whether a call may change a memory |
//! | words | [`request`]: arguments, context, directory, answers |

pub(crate) mod placeholders;
pub mod request;
pub(crate) mod resolver;
pub(crate) mod sqlite;
pub mod verbs;
pub(crate) mod verdict;
