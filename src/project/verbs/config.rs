//! `config`: reads and writes the settings of a store.

use serde::Serialize;

use super::answer::{Attempt, answered, write};
use super::gitignore;
use super::project::Project;
use crate::error::Result;
use crate::project::check::Rule;
pub(crate) use crate::project::config::Setting;
use crate::project::config::{Config, read_settings, with_setting};
use crate::project::pipeline::Approval;
use crate::project::policy::{IdleSetting, idle_settings};
use crate::project::request::{Answer, Reason, Refusal};
use crate::project::schema::Catalog;
use crate::project::store::Step;
use crate::project::store::log::Entry;
use crate::project::store::staging;

const FILE: &str = "config.toml";

const LIST_HINT: &str = "`agent-memory config get` lists all settings";

/// The settings that were asked for.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct SettingList {
    pub settings: Vec<Setting>,
}

/// A setting that was written.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct ChangedSetting {
    pub status: &'static str,
    #[serde(flatten)]
    pub setting: Setting,
    /// Whether the file said something else before.
    pub changed: bool,
    pub warnings: Vec<String>,
}

/// Returns one setting, or all.
pub(crate) fn settings(project: &Project, key: Option<&str>) -> Result<Answer<SettingList>> {
    answered(project, || {
        let text = project.config_text()?.unwrap_or_default();
        let mut settings = read_settings(&text, &project.store.layout().config())?;
        if let Some(key) = key {
            settings.retain(|setting| setting.key == key);
            if settings.is_empty() {
                return Err(unknown(key, &format!("there is no setting `{key}`")).into());
            }
        }
        Ok(SettingList { settings })
    })
}

/// Writes a setting, in the name of a person.
pub(crate) fn change_setting(
    project: &Project,
    key: &str,
    word: &str,
    approval: &Approval,
) -> Result<Answer<ChangedSetting>> {
    answered(project, || write_setting(project, key, word, approval))
}

fn write_setting(
    project: &Project,
    key: &str,
    word: &str,
    approval: &Approval,
) -> Attempt<ChangedSetting> {
    project.refuse_unfit("VALUE", word)?;
    let mut locked = project.lock("config", None)?;
    let path = locked.layout().config();
    let before = project.config_text()?;
    let text = before.as_deref().unwrap_or_default();
    let after = with_setting(text, key, word)?.map_err(|problem| unknown(key, &problem))?;
    // The values that are allowed are known to the reader alone.
    let config = Config::parse(&after, &path).map_err(|error| unknown(key, &error.to_string()))?;
    if let Some(problem) = unknown_names(&config, project.catalog()?) {
        return Err(unknown(key, &problem).into());
    }
    let settings = read_settings(&after, &path)?;
    let setting = settings.into_iter().find(|setting| setting.key == key);
    let setting = setting.ok_or_else(|| unknown(key, "it is no setting"))?;
    let mut changed = ChangedSetting {
        status: "set",
        setting,
        changed: after != text,
        warnings: project.take_warnings(),
    };
    let idle = idle_settings(&config.overrides, project.catalog()?);
    changed.warnings.extend(idle.iter().filter(|idle| idle.key == key).map(IdleSetting::message));
    if !changed.changed {
        return Ok(changed);
    }
    let told = format!("setting {key}: {word}");
    let entry = Entry {
        approver: Some(approval.approver()),
        reason: Some(&told),
        ..Entry::new(project.session.now, "set")
    };
    let line = entry.append_to(&locked.layout().signed_log().tail()?);
    let trace = project.trace_of([text, after.as_str()].into_iter());
    let mut steps = vec![Step::write(FILE, before.as_deref(), after)];
    if config.staging.track != project.config.staging.track {
        steps.extend(gitignore::queue_step(&project.store, config.staging.track)?);
        steps.extend(staging::steady(locked.layout()).filter(|_| config.staging.track));
    }
    steps.push(line);
    changed.warnings.extend(write(&mut locked, steps, trace)?);
    Ok(changed)
}

/// Finds what no reader of the settings alone knows: a version, the name of a category or of a rule of `check`.
fn unknown_names(config: &Config, catalog: &Catalog) -> Option<String> {
    if config.newer.is_some() {
        return Some("this version does not know that one, and could not write to it".to_owned());
    }
    let mut categories = config.named_categories().map(|(_, name)| name);
    let category = categories.find(|name| catalog.named(name).is_none());
    let rule = config.denied_rules.iter().find(|name| Rule::parse(name).is_none());
    category
        .map(|name| format!("there is no category `{name}`"))
        .or_else(|| rule.map(|name| format!("`check` has no rule `{name}`")))
}

fn unknown(key: &str, problem: &str) -> Box<Refusal> {
    let hint = match key {
        "secrets.allow" => "`agent-memory secrets allow` adds an allowed value",
        _ => LIST_HINT,
    };
    Refusal::new(Reason::InvalidRequest, problem, hint)
}
