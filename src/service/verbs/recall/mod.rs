//! Finds the memories that answer a question.
//!
//! - `answer`: the whole way, from the request to the answer
//! - `task`: what all steps work with
//! - `find`: candidates by words, by vector, by context; `state`: what holds now; `expand`: what belongs to the answers
//! - `document`: the answer as a client reads it

mod answer;
mod document;
mod expand;
mod find;
mod state;
mod task;

pub use answer::recall;
