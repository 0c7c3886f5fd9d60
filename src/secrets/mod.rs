//! Finds secrets and personal data in text, and withholds them.
//!
//! A finding says where and which rule, never what: no type here can show a value.

mod allow;
mod assignment;
mod base64;
mod checks;
mod checksum;
mod entropy;
mod explain;
mod finding;
mod judgement;
mod names;
mod personal;
mod place;
mod placeholder;
mod redacted;
mod rule;
mod rules;
mod scan;
mod search;
mod shown;

pub(crate) use allow::{ALLOW, allow_regions};
pub(crate) use explain::explanation_of;
pub use explain::{Explanation, explanations};
pub use finding::SecretFinding;
pub(crate) use finding::{Class, Salt};
pub(crate) use personal::PersonalKind;
pub use rule::{SecretRule, Shape};
pub use rules::RULES;
pub use scan::Scanner;
pub(crate) use scan::{Settings, clean};
pub(crate) use shown::{shown_json, shown_name};
