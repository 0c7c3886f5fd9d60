//! Holds texts against the expressions of schemas, and lets all of them together cost only so much.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::expression::Expression;

/// Bytes of one value: a longer one is refused before it is looked at.
const VALUE: usize = 4_096;

/// What the values of one request, and of the sections around them, may cost: about two seconds with the worst
/// expressions that there can be.
const REQUEST: u64 = 3 << 20;

/// What the values of all files may cost in one check.
const CHECK: u64 = 64 << 20;

/// What was held against expressions already, and what may still be.
#[derive(Debug)]
pub struct Matching {
    left: AtomicU64,
    /// By expression and value, whether it fits; nothing is kept where nothing comes twice.
    known: Option<Mutex<KnownMatches>>,
}

type KnownMatches = HashMap<String, HashMap<String, bool>>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PatternFault {
    Other,
    NotRead(String),
}

impl Matching {
    /// For one request, which is checked a second time under the write lock.
    pub fn of_request() -> Self {
        Self { left: REQUEST.into(), known: Some(Mutex::default()) }
    }

    pub(crate) fn of_check() -> Self {
        Self { left: CHECK.into(), known: None }
    }

    pub(super) fn hold(&self, expression: &Expression, value: &str) -> Result<(), PatternFault> {
        if value.len() > VALUE {
            let found = format!("has {} bytes, at most {VALUE} are matched", value.len());
            return Err(PatternFault::NotRead(found));
        }
        let known = self.known(expression, value);
        let fits = known.map_or_else(|| self.evaluate(expression, value), Ok)?;
        if fits { Ok(()) } else { Err(PatternFault::Other) }
    }

    fn known(&self, expression: &Expression, value: &str) -> Option<bool> {
        let known = self.known.as_ref()?.lock().ok()?;
        known.get(expression.as_str())?.get(value).copied()
    }

    fn evaluate(&self, expression: &Expression, value: &str) -> Result<bool, PatternFault> {
        let cost = expression.cost_of(value);
        let pay = |left: u64| left.checked_sub(cost);
        if self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pay).is_err() {
            let found = "is not matched: with what was before it that takes too long; make the pattern simpler, or the values fewer";
            return Err(PatternFault::NotRead(found.to_owned()));
        }
        let fits = expression.is_match(value);
        if let Some(mut known) = self.known.as_ref().and_then(|known| known.lock().ok()) {
            let of_expression = known.entry(expression.as_str().to_owned()).or_default();
            of_expression.insert(value.to_owned(), fits);
        }
        Ok(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expression(text: &str) -> Expression {
        Expression::read(text).expect("a good expression")
    }

    #[test]
    fn what_is_known_costs_nothing() {
        let (matching, large) = (Matching::of_request(), expression(r"^\w+$"));
        let value = "a".repeat(VALUE);
        for _ in 0..1_000 {
            assert_eq!(matching.hold(&large, &value), Ok(()));
        }
        assert_eq!(matching.left.into_inner(), REQUEST - 10 * VALUE as u64);
    }

    #[test]
    fn a_value_beyond_the_limit_is_not_looked_at() {
        let (matching, small) = (Matching::of_check(), expression("^a*$"));
        let found = matching.hold(&small, &"a".repeat(VALUE + 1));
        assert_eq!(
            found,
            Err(PatternFault::NotRead("has 4097 bytes, at most 4096 are matched".into()))
        );
        assert_eq!(matching.left.into_inner(), CHECK);
    }

    #[test]
    fn all_values_together_cost_only_so_much() {
        let (matching, large) = (Matching::of_request(), expression(r"^[\wé]+$"));
        let value = |number: usize| format!("{number:0>VALUE$}");
        let held =
            (0..).take_while(|number| matching.hold(&large, &value(*number)).is_ok()).count();
        assert_eq!(held as u64, REQUEST / (10 * VALUE as u64));
        assert_eq!(matching.hold(&large, "another"), Ok(()), "a short one still fits in");
    }
}
