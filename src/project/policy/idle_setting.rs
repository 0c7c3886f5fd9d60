//! Finds settings of the routing that change no decision: the strictest rule counts, and another one is stricter.

use super::routing::{ALWAYS_REVIEWED, Facts, PolicyStep, route};
use crate::project::config::Overrides;
use crate::project::request::{Decided, Intent, Mode, OperationKind};
use crate::project::schema::{Catalog, Category};

/// What the names of overrides begin with in an answer.
const CONFIG: &str = "config.";

/// A setting that asks for less than what holds anyway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IdleSetting {
    /// The file that has it, relative to the store.
    pub(crate) file: String,
    /// Its name, such as `routing.intents.record_decision`.
    pub(crate) key: String,
    mode: Mode,
    because: String,
}

/// One change that the rules are about.
struct ChangeCase<'a> {
    intent: Intent,
    category: &'a Category,
    kind: OperationKind,
}

impl IdleSetting {
    pub(crate) fn message(&self) -> String {
        let Self { key, mode, because, .. } = self;
        format!("`{key} = \"{}\"` has no effect: {because}", mode.name())
    }
}

/// Finds the settings of `config.toml` and of the schemas that can make nothing stricter, and do not say what holds.
pub(crate) fn idle_settings(overrides: &Overrides, catalog: &Catalog) -> Vec<IdleSetting> {
    let cases: Vec<ChangeCase<'_>> = catalog.categories().iter().flat_map(cases_of).collect();
    let find =
        |file: &str, key: String, rule: &str, mode, is_about: &dyn Fn(&ChangeCase<'_>) -> bool| {
            let about = cases.iter().filter(|case| is_about(case));
            let because = why_idle(rule, mode, about, overrides)?;
            Some(IdleSetting { file: file.to_owned(), key, mode, because })
        };
    let override_of = |key: String, mode, is_about: &dyn Fn(&ChangeCase<'_>) -> bool| {
        let rule = format!("{CONFIG}{key}");
        find("config.toml", key, &rule, mode, is_about)
    };
    let mut found = Vec::new();
    for (name, mode) in &overrides.categories {
        let key = format!("routing.categories.{name}");
        found.extend(override_of(key, *mode, &|case| case.category.name == *name));
    }
    for (intent, mode) in &overrides.intents {
        let key = format!("routing.intents.{intent}");
        found.extend(override_of(key, *mode, &|case| case.intent == *intent));
    }
    for (kind, mode) in &overrides.operations {
        let key = format!("routing.operations.{kind}");
        found.extend(override_of(key, *mode, &|case| case.kind == *kind));
    }
    for category in catalog.categories() {
        for (kind, mode) in &category.approval_by_operation {
            let (_, rule) = category.approval_of(*kind);
            let (file, key) =
                (format!("schemas/{}.toml", category.name), format!("approval.{kind}"));
            let is_about =
                |case: &ChangeCase<'_>| case.category.name == category.name && case.kind == *kind;
            found.extend(find(&file, key, &rule, *mode, &is_about));
        }
    }
    found
}

fn cases_of(category: &Category) -> Vec<ChangeCase<'_>> {
    let kinds = OperationKind::ALL.iter();
    let of_kind = |kind: &OperationKind| {
        let kind = *kind;
        category.intents.iter().map(move |intent| ChangeCase { intent: *intent, category, kind })
    };
    kinds.flat_map(of_kind).collect()
}

/// Says which rule is stricter; `None` where the setting decides something, or says what holds.
///
/// A setting that is as strict as the others is a guard against a change of them, so it stays untold.
fn why_idle<'a>(
    own: &str,
    mode: Mode,
    about: impl Iterator<Item = &'a ChangeCase<'a>>,
    overrides: &Overrides,
) -> Option<String> {
    let (mut is_everywhere, mut stricter) = (true, Vec::new());
    for case in about {
        let rules = case.rules(overrides).into_iter();
        let held = rules.filter(|held| held.rule != own && held.mode > mode);
        let held = held.map(|held| (case.is_fixed(&held.rule), held));
        let held = held.max_by_key(|(is_fixed, held)| (held.mode, *is_fixed));
        is_everywhere &= held.is_some();
        stricter.extend(held);
    }
    // What removes is reviewed whatever a setting says: alone it is no reason to call `apply` idle.
    let first = stricter.iter().position(|(is_fixed, _)| !is_fixed);
    let (is_fixed, held) = stricter.get(first.or(is_everywhere.then_some(0))?)?;
    // Nothing is laxer than `apply`, so it never decides.
    (is_everywhere || mode == Mode::Apply).then(|| match is_fixed {
        true => ALWAYS_REVIEWED.to_owned(),
        false => format!(
            "`{} = \"{}\"` is stricter, and the strictest counts",
            held.rule.strip_prefix(CONFIG).unwrap_or(&held.rule),
            held.mode.name()
        ),
    })
}

impl ChangeCase<'_> {
    /// Returns the rules that hold for the change, as an answer names them.
    fn rules(&self, overrides: &Overrides) -> Vec<Decided> {
        let ChangeCase { intent, category, kind } = *self;
        let step = PolicyStep { operation: 0, kind, category, replaces_file: false };
        let facts = Facts {
            intent,
            steps: vec![step],
            new_allow_region: false,
            changes_frame: false,
            reaches_out: false,
            removes_section: false,
        };
        route(&facts, overrides).decided_by
    }

    /// Tells whether no setting can lift a rule: it is neither one of the category nor an override.
    fn is_fixed(&self, rule: &str) -> bool {
        rule != self.category.approval_of(self.kind).1 && !rule.starts_with(CONFIG)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::project::config::Config;
    use crate::project::schema::DEFAULTS;

    #[track_caller]
    fn check(config: &str, schema: Option<(&str, &str, &str)>, expected: &[&str]) {
        let mut catalog = Catalog::default();
        for (name, text) in DEFAULTS {
            let text = match schema {
                Some((changed, from, to)) if changed == name => text.replace(from, to),
                Some(_) | None => text.to_owned(),
            };
            catalog.add(Path::new(&format!("schemas/{name}.toml")), &text).expect("a good schema");
        }
        let config = Config::parse(config, Path::new("config.toml")).expect("good settings");
        let found = idle_settings(&config.overrides, &catalog);
        let told: Vec<String> =
            found.iter().map(|it| format!("{} {}", it.file, it.message())).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn what_is_laxer_than_the_category_has_no_effect() {
        let because =
            "`decisions.approval.default = \"stage\"` is stricter, and the strictest counts";
        let said = |key: &str| format!("config.toml `{key} = \"apply\"` has no effect: {because}");
        let category = said("routing.categories.decisions");
        check("[routing.categories]\ndecisions = \"apply\"\n", None, &[&category]);
        let intent = said("routing.intents.record_decision");
        check("[routing.intents]\nrecord_decision = \"apply\"\n", None, &[&intent]);
    }

    #[test]
    fn what_is_laxer_than_another_override_has_no_effect() {
        check(
            "[routing.categories]\nsessions = \"deny\"\n[routing.intents]\nsession_log = \"stage\"\n",
            None,
            &[
                "config.toml `routing.intents.session_log = \"stage\"` has no effect: `routing.categories.sessions = \"deny\"` is stricter, and the strictest counts",
            ],
        );
    }

    #[test]
    fn what_is_reviewed_always_is_no_setting_to_lift() {
        let why = format!("has no effect: {ALWAYS_REVIEWED}");
        let said = format!("config.toml `routing.intents.archive_stale = \"apply\"` {why}");
        let open = Some(("archive", "\"stage\"", "\"apply\""));
        check("[routing.intents]\narchive_stale = \"apply\"\n", open, &[&said]);
        let own = Some((
            "sessions",
            "default = \"apply\"",
            "default = \"apply\"\nremove_section = \"apply\"",
        ));
        check(
            "",
            own,
            &[&format!("schemas/sessions.toml `approval.remove_section = \"apply\"` {why}")],
        );
    }

    #[test]
    fn what_decides_or_says_what_holds_is_not_told() {
        check("[routing.categories]\nsessions = \"stage\"\npitfalls = \"stage\"\n", None, &[]);
        check("[routing.categories]\nsessions = \"apply\"\n", None, &[]);
        check("[routing.operations]\nremove_section = \"deny\"\n", None, &[]);
        check(
            "[routing.categories]\npitfalls = \"stage\"\n[routing.operations]\nremove_section = \"deny\"\n",
            None,
            &[],
        );
    }
}
