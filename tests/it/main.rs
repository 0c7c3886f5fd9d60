//! Everything that is promised, seen from outside: through the binary, and over the public engines.
#![allow(clippy::disallowed_methods, reason = "a test sets its own stage")]

mod docs;
mod support;
mod tidy;
