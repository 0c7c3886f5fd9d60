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
mod rules;
mod scan;
mod search;
mod shown;

pub use allow::{ALLOW, AllowRegion, AllowRegionProblem, allow_regions};
pub use explain::{Explanation, explanation_of, explanations};
pub use finding::{Class, Finding, Length, Salt};
pub use personal::PersonalKind;
pub use redacted::Redacted;
pub use rules::{Judge, RULES, Rule, Shape};
pub use scan::{Scanner, Settings, clean};
pub use shown::{shown_json, shown_name};
