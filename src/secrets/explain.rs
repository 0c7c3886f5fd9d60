//! Says in words what the scanner looks for.

use serde::Serialize;

use crate::secrets::personal::PersonalKind;
use crate::secrets::rules::RULES;

/// What a rule, or a kind of personal data, is about.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Explanation {
    /// The `type` of its findings.
    pub id: &'static str,
    /// Whether it is always looked for.
    pub always: bool,
    /// Finishes the sentence "this looks like …".
    pub description: &'static str,
    /// What to do when it is found.
    pub remedy: &'static str,
    /// It is looked for only near one of these.
    pub keywords: &'static [&'static str],
}

/// Returns all that is looked for, most specific first.
pub fn explanations() -> impl Iterator<Item = Explanation> {
    let secrets = RULES.iter().map(|rule| Explanation {
        id: rule.id,
        always: true,
        description: rule.description,
        remedy: rule.remedy,
        keywords: rule.keywords,
    });
    let personal = PersonalKind::ALL.iter().map(|kind| Explanation {
        id: kind.name(),
        always: false,
        description: kind.description(),
        remedy: PersonalKind::REMEDY,
        keywords: &[],
    });
    secrets.chain(personal)
}

pub(crate) fn explanation_of(id: &str) -> Option<Explanation> {
    explanations().find(|each| each.id == id)
}
