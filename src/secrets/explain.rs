//! Says in words what the scanner looks for.

use serde::Serialize;

use crate::secrets::finding::Class;
use crate::secrets::personal::PersonalKind;
use crate::secrets::rules::RULES;

/// What a rule, or a kind of personal data, is about.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The `type` of its findings.
    pub id: &'static str,
    /// Whether it is always looked for.
    #[serde(serialize_with = "is_on")]
    pub always: Class,
    /// Finishes the sentence "this looks like …".
    pub description: &'static str,
    /// What to do when it is found.
    pub remedy: &'static str,
    /// It is looked for only near one of these.
    pub keywords: &'static [&'static str],
}

fn is_on<S: serde::Serializer>(class: &Class, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(*class == Class::Secret)
}

/// Returns all that is looked for, most specific first.
pub fn explanations() -> impl Iterator<Item = Explanation> {
    let secrets = RULES.iter().map(|rule| Explanation {
        id: rule.id,
        always: Class::Secret,
        description: rule.description,
        remedy: rule.remedy,
        keywords: rule.keywords,
    });
    let personal = PersonalKind::ALL.into_iter().map(|kind| Explanation {
        id: kind.name(),
        always: Class::Personal,
        description: kind.description(),
        remedy: PersonalKind::REMEDY,
        keywords: &[],
    });
    secrets.chain(personal)
}

/// Returns what one of them is about.
pub fn explanation_of(id: &str) -> Option<Explanation> {
    explanations().find(|each| each.id == id)
}
