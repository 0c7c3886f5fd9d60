//! Translates the settings of another tool: each key that has a meaning here and a value that is allowed.
//!
//! The tool is `github.com/xChuCx/agent-memory`, of which versions 0.4 keep `meta/manifest.yaml` and
//! `meta/schema.yaml` beside the same Markdown; the keys are those of its `internal/config/manifest.go` and
//! `internal/schema/schema.go`.

mod categories;
mod draft;
mod manifest;
mod meaning;
mod translation;

use super::other_tool::{MANIFEST, SCHEMA};
use translation::Translation;
pub(crate) use translation::{Translated, Understood};

/// Translates the settings of another tool, of which either file may be missing.
pub(crate) fn translate(manifest: Option<&str>, schema: Option<&str>) -> Translated {
    let mut translation = Translation::default();
    // What the manifest says of a category overrides the schema, there as well.
    if let Some(schema) = schema.and_then(|text| translation.read(SCHEMA, text)) {
        categories::translate(&schema, &mut translation);
    }
    if let Some(manifest) = manifest.and_then(|text| translation.read(MANIFEST, text)) {
        manifest::translate(&manifest, &mut translation);
    }
    Translated { files: translation.draft.files(), ..translation.told }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::project::config::Config;
    use crate::project::request::{Mode, OperationKind};
    use crate::project::schema::Category;

    fn category(translated: &Translated, name: &str) -> Category {
        let path = format!("schemas/{name}.toml");
        let text = &translated.files[&path];
        Category::parse(text, Path::new(&path)).expect("a good schema")
    }

    #[test]
    fn what_has_a_meaning_here_is_translated_and_the_rest_is_listed() {
        let manifest = "version: 0.4.1\nproject:\n  name: shop\n  root: .\nbudgets:\n  bootstrap_chars: 12000\n  max_file_chars: 20000\nstaging:\n  ttl_seconds: 1209600\nsecurity:\n  secret_scan: true\n  pii_scan: true\n  pii_scan_email: true\ngit:\n  track_local: true\n  auto_commit: false\n";
        let translated = translate(Some(manifest), None);
        let config = Config::parse(&translated.files["config.toml"], Path::new("config.toml"));
        let config = config.expect("good settings");
        assert_eq!(config.staging.ttl.as_secs(), 14 * 86_400);
        assert_eq!(config.file_bytes, 80_000);
        assert!(translated.files["config.toml"].contains("pii = [\"card\", \"email\"]"));
        assert_eq!(
            translated.left,
            [
                "meta/manifest.yaml: budgets.bootstrap_chars",
                "meta/manifest.yaml: git.track_local",
                "meta/manifest.yaml: project.name",
                "meta/manifest.yaml: security.pii_scan, in part: cards are looked for, social security numbers are not",
            ]
        );
    }

    #[test]
    fn a_category_is_ours_with_what_is_said_otherwise() {
        let schema = "version: 0.4.1\ncategories:\n  decisions:\n    file: decisions.md\n    approval: apply\n    agent_writable: true\n    color: red\n    section_schema:\n      per_section_required_fields:\n      - name: Owner\n        pattern: ^@\n      - name: Status\n        enum: [active, done]\n    provenance:\n      required: true\n      allowed_source_types: [file]\n  runbooks:\n    file_glob: runbooks/*.md\n    section_id_required: true\n    git_tracked: true\n  broken: 3\n";
        let translated = translate(None, Some(schema));
        assert_eq!(translated.files.len(), 2);
        let decisions = category(&translated, "decisions");
        assert_eq!(decisions.approval, Mode::Apply);
        let fields = decisions.section.expect("it has rules").fields;
        assert!(fields["Owner"].required && fields["Owner"].pattern.is_some());
        assert_eq!(fields["Status"].one_of, ["active", "done"]);
        assert!(!fields.contains_key("Date"));
        let runbooks = category(&translated, "runbooks");
        assert!(
            runbooks.paths.fits("runbooks/a.md") && runbooks.section.expect("rules").id_required
        );
        assert_eq!(
            translated.left,
            [
                "meta/schema.yaml: categories.broken",
                "meta/schema.yaml: categories.decisions.color",
                "meta/schema.yaml: categories.decisions.provenance.allowed_source_types",
            ]
        );
    }

    #[test]
    fn the_manifest_overrides_the_schema() {
        let schema =
            "categories:\n  pitfalls:\n    approval: apply\n  modules:\n    approval: stage\n";
        let manifest = "updates:\n  approval:\n    modules: apply\n    pitfalls_append: stage\n    current_shared: stage\n    index: server_only\n    decisions: sometimes\n";
        let translated = translate(Some(manifest), Some(schema));
        assert_eq!(category(&translated, "modules").approval, Mode::Apply);
        assert_eq!(category(&translated, "shared").approval, Mode::Stage);
        let pitfalls = category(&translated, "pitfalls");
        assert_eq!(pitfalls.approval, Mode::Stage);
        assert_eq!(pitfalls.approval_by_operation[&OperationKind::AppendToSection], Mode::Stage);
        assert!(!pitfalls.approval_by_operation.contains_key(&OperationKind::AppendSection));
        assert!(!translated.files.contains_key("schemas/index.toml"));
        assert_eq!(translated.left, ["meta/manifest.yaml: updates.approval.decisions"]);
    }

    #[test]
    fn who_may_not_write_may_not_whatever_is_said_besides() {
        let schema = "categories:\n  pitfalls:\n    agent_writable: false\n    approval: apply\n";
        let manifest = "updates:\n  approval:\n    pitfalls_append: apply\n    pitfalls_replace: server_only\n";
        let translated = translate(Some(manifest), Some(schema));
        let pitfalls = category(&translated, "pitfalls");
        assert_eq!((pitfalls.approval, pitfalls.approval_by_operation.len()), (Mode::Deny, 0));
        assert_eq!(translated.left, ["meta/manifest.yaml: updates.approval.pitfalls_append"]);
    }

    #[test]
    fn a_category_without_rules_for_sections_stays_what_it_is() {
        let schema = "categories:\n  archive:\n    approval: server_only\n    section_schema:\n      required_top_level_heading: false\n  runbooks:\n    file_glob: runbooks/*.md\n    approval: server_only\n    section_schema: {}\n";
        let translated = translate(None, Some(schema));
        assert_eq!(category(&translated, "archive").approval, Mode::Deny);
        assert_eq!(category(&translated, "runbooks").approval, Mode::Deny);
    }

    #[test]
    fn the_settings_that_the_tool_writes_by_itself_change_only_what_is_other_here() {
        let schema = "version: 0.4.1\ncategories:\n  archive:\n    file_glob: archive/*.md\n    approval: stage\n    agent_writable: true\n    write_once: true\n    git_tracked: true\n  index:\n    file: index.md\n    approval: server_only\n    server_managed: true\n    git_tracked: true\n  pitfalls:\n    file: pitfalls.md\n    section_id_required: true\n    approval: apply\n    git_tracked: true\n  sessions:\n    file_glob: sessions/*.md\n    approval: apply\n    git_tracked: false\n";
        let translated = translate(None, Some(schema));
        let files: Vec<&str> = translated.files.keys().map(String::as_str).collect();
        // Its additions to a pitfall are applied at once.
        assert_eq!((files, translated.left.len()), (vec!["schemas/pitfalls.toml"], 0));
    }

    #[test]
    fn a_category_whose_name_cannot_be_that_of_a_file_everywhere_is_listed() {
        let names = ["UPPER", "con", "a b", "\"x\\e[31m\"", "../up"];
        for name in names {
            let schema = format!("categories:\n  {name}:\n    file: x.md\n");
            let translated = translate(None, Some(&schema));
            assert_eq!((translated.files.len(), translated.left.len()), (0, 1), "{name}");
        }
    }

    #[test]
    fn a_file_that_is_no_mapping_is_listed() {
        let translated = translate(Some("a: [1"), Some("- 7\n"));
        assert_eq!(translated.left[0], "meta/schema.yaml: it is no mapping");
        assert!(translated.left[1].starts_with("meta/manifest.yaml: it is no YAML"));
        assert!(translated.files.is_empty());
    }
}
