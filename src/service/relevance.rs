//! How relevant a memory is now. The formula is that of the observed server's consolidation.

use super::request::Memory;
use crate::contract::Timestamp;

/// The settings of the formula.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RelevanceRates {
    /// Of the age in days.
    pub(crate) decay: f64,
    /// The share of its importance that a memory keeps.
    pub(crate) floor: f64,
}

impl Default for RelevanceRates {
    fn default() -> Self {
        Self { decay: 0.01, floor: 0.3 }
    }
}

impl RelevanceRates {
    /// Takes what is set by name; what is no number from 0 to 1 is ignored.
    pub(crate) fn named(setting: impl Fn(&str) -> Option<String>) -> Self {
        let rate = |name: &str, default: f64| {
            let number = setting(name).and_then(|text| text.trim().parse().ok());
            number.filter(|number| (0.0..=1.0).contains(number)).unwrap_or(default)
        };
        let Self { decay, floor } = Self::default();
        Self {
            decay: rate("CONSOLIDATION_BASE_DECAY_RATE", decay),
            floor: rate("CONSOLIDATION_IMPORTANCE_FLOOR_FACTOR", floor),
        }
    }
}

/// Of the days since the last access.
const ACCESS_DECAY: f64 = 0.05;

/// Returns how relevant a memory is, 0 to 1.
pub(crate) fn relevance(memory: &Memory, now: Timestamp, rates: RelevanceRates) -> f64 {
    let said = &memory.said;
    let age = said.timestamp.days_until(now).max(0.0);
    let idle = memory.last_accessed.days_until(now).max(0.0);
    let access = if idle < 1.0 { 1.0 } else { (-ACCESS_DECAY * idle).exp() };
    let score = (-rates.decay * age).exp()
        * (0.3 + 0.3 * access)
        * (1.0 + 0.3 * f64::from(memory.edges).ln_1p())
        * (0.5 + said.importance)
        * (0.7 + 0.3 * said.confidence);
    score.max(said.importance * rates.floor).min(1.0)
}
