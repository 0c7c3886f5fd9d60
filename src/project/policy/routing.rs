//! Decides which way a change goes: into the files, into the queue, or nowhere.

use std::collections::BTreeSet;

use crate::project::config::Overrides;
use crate::project::request::{Decided, Intent, Mode, OperationKind, Routing};
use crate::project::schema::Category;

/// The rule for operations that remove, which no setting lifts.
pub(super) const ALWAYS_REVIEWED: &str = "removal and archival are always reviewed";

#[derive(Debug, Clone)]
pub(crate) struct Facts<'a> {
    pub intent: Intent,
    pub steps: Vec<PolicyStep<'a>>,
    /// Whether a text comes in that is allowed to look like a secret.
    pub new_allow_region: bool,
    /// Whether a tracked file changes outside of its entries, where no rule about entries holds.
    pub changes_frame: bool,
    /// Whether a tracked file gets what changes how its other sections are read.
    pub reaches_out: bool,
    /// Whether a section goes, by whatever operation.
    pub removes_section: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct PolicyStep<'a> {
    pub operation: usize,
    pub kind: OperationKind,
    pub category: &'a Category,
    /// Whether a whole file gives way to another.
    pub replaces_file: bool,
}

/// Takes the strictest of all the rules: category, intent, operation, configuration, and those that
/// no configuration can lift.
pub(crate) fn route(facts: &Facts<'_>, overrides: &Overrides) -> Routing {
    let mut decided_by = Vec::new();
    for step in &facts.steps {
        decide_step(step, overrides, &mut decided_by);
    }
    let mut whole = |rule: String, mode: Mode| {
        decided_by.push(Decided { operation: None, category: None, rule, mode });
    };
    if let Some(mode) = overrides.intents.get(&facts.intent) {
        whole(format!("config.routing.intents.{}", facts.intent), *mode);
    }
    if facts.intent == Intent::ArchiveStale {
        whole("archival is always reviewed".to_owned(), Mode::Stage);
    }
    if facts.new_allow_region {
        whole("a new secret-allow region is always reviewed".to_owned(), Mode::Stage);
    }
    if facts.changes_frame {
        whole("a change outside of a file's entries is always reviewed".to_owned(), Mode::Stage);
    }
    if facts.reaches_out {
        let rule = "a definition of a link or footnote, or HTML other than plain tags such as `<b>`, is always reviewed";
        whole(rule.to_owned(), Mode::Stage);
    }
    if facts.removes_section {
        whole("a change that removes a section is always reviewed".to_owned(), Mode::Stage);
    }
    let tracked: BTreeSet<&str> = facts
        .steps
        .iter()
        .filter(|step| step.category.tracked)
        .map(|step| step.category.name.as_str())
        .collect();
    if tracked.len() > 1 {
        whole("a change of several tracked categories is always reviewed".to_owned(), Mode::Stage);
    }
    // With nothing that decides, a person does.
    let mode = decided_by.iter().map(|each| each.mode).max().unwrap_or(Mode::Stage);
    Routing { mode, decided_by }
}

fn decide_step(step: &PolicyStep<'_>, overrides: &Overrides, decided_by: &mut Vec<Decided>) {
    let mut decide = |rule: String, mode: Mode| {
        let (operation, category) = (Some(step.operation), Some(step.category.name.clone()));
        let decided = Decided { operation, category, rule, mode };
        // What an operation asks for and what it comes down to are often up to the same rule.
        if !decided_by.contains(&decided) {
            decided_by.push(decided);
        }
    };
    let (mode, rule) = step.category.approval_of(step.kind);
    decide(rule, mode);
    if let Some(mode) = overrides.categories.get(&step.category.name) {
        decide(format!("config.routing.categories.{}", step.category.name), *mode);
    }
    if let Some(mode) = overrides.operations.get(&step.kind) {
        decide(format!("config.routing.operations.{}", step.kind), *mode);
    }
    if matches!(step.kind, OperationKind::ArchiveSection | OperationKind::RemoveSection) {
        decide(ALWAYS_REVIEWED.to_owned(), Mode::Stage);
    }
    if step.replaces_file && step.category.tracked {
        decide("replacing a tracked file is always reviewed".to_owned(), Mode::Stage);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::project::schema::DEFAULTS;

    fn category(name: &str) -> Category {
        let (_, text) = DEFAULTS.iter().find(|(each, _)| *each == name).expect("it is there");
        Category::parse(text, Path::new(&format!("{name}.toml"))).expect("a good schema")
    }

    /// A category of a team that lets all that is added in.
    fn open_category(name: &str) -> Category {
        let (_, text) = DEFAULTS.iter().find(|(each, _)| *each == name).expect("it is there");
        let text = text.replace("default = \"stage\"", "default = \"apply\"");
        Category::parse(&text, Path::new(&format!("{name}.toml"))).expect("a good schema")
    }

    fn check(names: &[&str], kind: OperationKind, overrides: &Overrides, expected: Mode) {
        let categories: Vec<Category> = names.iter().map(|name| category(name)).collect();
        assert_eq!(mode(&categories, kind, overrides, false), expected, "{names:?} {kind}");
    }

    fn mode(
        categories: &[Category],
        kind: OperationKind,
        overrides: &Overrides,
        reaches_out: bool,
    ) -> Mode {
        let steps = categories.iter().enumerate().map(|(operation, category)| PolicyStep {
            operation,
            kind,
            category,
            replaces_file: false,
        });
        let facts = Facts {
            intent: Intent::SessionLog,
            steps: steps.collect(),
            new_allow_region: false,
            changes_frame: false,
            reaches_out,
            removes_section: false,
        };
        route(&facts, overrides).mode
    }

    #[test]
    fn local_state_lands_at_once_and_lasting_knowledge_waits() {
        let none = Overrides::default();
        for name in ["current", "shared", "sessions"] {
            check(&[name], OperationKind::AppendSection, &none, Mode::Apply);
        }
        for name in ["decisions", "conventions", "modules", "pitfalls", "archive"] {
            check(&[name], OperationKind::AppendSection, &none, Mode::Stage);
        }
        for name in ["pitfalls", "decisions", "conventions", "modules"] {
            check(&[name], OperationKind::AppendToSection, &none, Mode::Stage);
        }
    }

    #[test]
    fn removal_waits_even_where_everything_else_lands() {
        check(&["shared"], OperationKind::RemoveSection, &Overrides::default(), Mode::Stage);
    }

    #[test]
    fn two_tracked_categories_at_once_wait() {
        let mode = |names: [&str; 2]| {
            let categories = names.map(open_category);
            let kind = OperationKind::AppendToSection;
            super::tests::mode(&categories, kind, &Overrides::default(), false)
        };
        assert_eq!(mode(["pitfalls", "pitfalls"]), Mode::Apply);
        assert_eq!(mode(["pitfalls", "modules"]), Mode::Stage);
    }

    #[test]
    fn what_changes_how_others_are_read_waits_even_where_additions_land() {
        let pitfalls = [open_category("pitfalls")];
        let mode = |reaches_out| {
            let kind = OperationKind::AppendToSection;
            mode(&pitfalls, kind, &Overrides::default(), reaches_out)
        };
        assert_eq!([mode(false), mode(true)], [Mode::Apply, Mode::Stage]);
    }

    #[test]
    fn configuration_can_only_be_stricter() {
        let mut overrides = Overrides::default();
        overrides.categories.insert("decisions".to_owned(), Mode::Apply);
        overrides.intents.insert(Intent::SessionLog, Mode::Apply);
        check(&["decisions"], OperationKind::AppendSection, &overrides, Mode::Stage);
        overrides.intents.insert(Intent::SessionLog, Mode::Deny);
        check(&["sessions"], OperationKind::AppendSection, &overrides, Mode::Deny);
    }
}
