//! Decides which way a change goes, and finds settings that decide nothing.

mod idle_setting;
mod routing;

pub(crate) use idle_setting::{IdleSetting, idle_settings};
pub(crate) use routing::{Facts, PolicyStep, route};
