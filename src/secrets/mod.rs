//! Finds secrets and personal data in text, and masks them.
//!
//! A finding holds the rule and the location, never the value: no type here can print a secret.

mod allow;
mod assignment;
mod base64;
mod checks;
mod checksum;
mod classify;
mod entropy;
mod explain;
mod finding;
mod harmless;
mod names;
mod personal;
mod placeholder;
mod reading;
mod redacted;
mod rule;
mod rules;
mod scan;
mod search;
mod separator;
mod shown;
mod text_position;
mod views;

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
